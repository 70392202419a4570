//! The random numbers of the generator: SplitMix64. The rules fix every bit of it.

/// Sebastiano Vigna's SplitMix64; holds its state.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Creates a generator whose draws are fixed by the map seed.
    pub fn new(seed: u32) -> Self {
        SplitMix64(u64::from(seed))
    }

    /// Returns the next 64 random bits and advances the generator by one draw.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Draws a number below `n`, nearly uniformly; 0 if `n` is 0. `n` must be below 2^32. Always advances the
    /// generator by one draw.
    pub fn below(&mut self, n: usize) -> usize {
        (((self.bits() >> 32) * n as u64) >> 32) as usize
    }

    /// Draws a random item; `None`, without a draw, if there is none.
    pub fn choice<'a, X>(&mut self, items: &'a [X]) -> Option<&'a X> {
        if items.is_empty() {
            return None;
        }
        items.get(self.below(items.len()))
    }

    /// Shuffles the items in place (Fisher-Yates from the end), with one draw per item but the first.
    pub fn shuffle<X>(&mut self, items: &mut [X]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_of_seed_one_is_that_of_the_rules() {
        assert_eq!(SplitMix64::new(1).bits(), 0x910A_2DEC_8902_5CC1);
    }
}
