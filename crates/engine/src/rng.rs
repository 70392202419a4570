//! The random generator of all games: a seed gives the same game on every machine and in every version.
//!
//! Xoshiro256++ seeded through SplitMix64, as the crate `rand_xoshiro` implements both. Bounded numbers are
//! drawn here, by Lemire's multiplication with rejection on the upper 32 bits of an output, so that a new
//! version of a sampling library cannot change them.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A seeded generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// Creates the generator of this seed: equal seeds give equal numbers on every machine.
    pub fn new(seed: u64) -> Self {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Creates the generator of stream number `stream` of a seed, e.g. of game 5 of a simulation. Equal
    /// arguments give equal numbers; the streams of a seed are independent of each other.
    pub fn stream(seed: u64, stream: u64) -> Self {
        let mut mixer = Self::new(seed);
        let key = mixer.bits();
        Self::new(key ^ stream.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Returns the next 64 random bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Draws a uniform number 0 … n − 1; 0 for n = 0. Draws at least once even if n is 0 or 1.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        let mut product = (self.bits() >> 32) * u64::from(n);
        if (product as u32) < n {
            let bias = n.wrapping_neg() % n.max(1);
            while (product as u32) < bias {
                product = (self.bits() >> 32) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// Permutes `items` uniformly in place (Fisher–Yates from the end). Draws nothing for fewer than two
    /// items.
    #[inline(always)]
    pub fn shuffle<X>(&mut self, items: &mut [X]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }

    /// Draws a uniformly random item; `None` if the list is empty. Draws at least once in either case.
    pub fn choose<'a, X>(&mut self, items: &'a [X]) -> Option<&'a X> {
        items.get(self.below(items.len() as u32) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_for_ever() {
        let mut rng = Rng::new(1);
        let first: Vec<u32> = (0..8).map(|_| rng.below(100)).collect();
        assert_eq!(first, [81, 74, 10, 74, 18, 59, 98, 52]);
    }

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut rng = Rng::new(7);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[rng.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (9_600..10_400).contains(&n)), "{seen:?}");
        assert_eq!((rng.below(0), rng.below(1)), (0, 0));
    }
}
