//! The draw from a public seed.

/// A stream of random numbers that follows from a public seed and a purpose, such as a round. The seed should be published
/// before the first round and be out of everybody's control, such as a value of a public beacon of a later date.
pub struct PublicDraw {
    stream: blake3::OutputReader,
}

impl PublicDraw {
    /// Creates the stream of a seed and a purpose, from its start. Equal arguments give equal streams; both may be
    /// empty.
    pub fn new(seed: &[u8], purpose: &str) -> Self {
        let mut hash = blake3::Hasher::new_derive_key("pentarchy tournament draw v1");
        hash.update(&(seed.len() as u64).to_le_bytes());
        hash.update(seed);
        hash.update(purpose.as_bytes());
        PublicDraw { stream: hash.finalize_xof() }
    }

    /// Returns a number below `n`, each with equal probability; 0 if `n` is 0. Advances the stream, unless `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        // Values from the incomplete last interval would make small numbers more likely.
        let whole = u64::MAX - u64::MAX % n;
        loop {
            let mut bytes = [0; 8];
            self.stream.fill(&mut bytes);
            let value = u64::from_le_bytes(bytes);
            if value < whole {
                return value % n;
            }
        }
    }

    /// Puts a list into a random order, each with equal probability (Fisher–Yates from the end). Advances the stream by
    /// one number for each element but one.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_draw_and_others_differ() {
        let order = |seed: &[u8], purpose: &str| {
            let mut list: Vec<u8> = (0..20).collect();
            PublicDraw::new(seed, purpose).shuffle(&mut list);
            list
        };
        assert_eq!(order(b"seed", "round 1"), order(b"seed", "round 1"));
        assert_ne!(order(b"seed", "round 1"), order(b"seed", "round 2"));
        assert_ne!(order(b"seed", "round 1"), order(b"sees", "round 1"));
        let mut sorted = order(b"seed", "round 1");
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..20));
    }

    #[test]
    fn all_orders_are_about_equally_likely() {
        let mut draw = PublicDraw::new(b"fair", "");
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6_000 {
            let mut list = [0, 1, 2];
            draw.shuffle(&mut list);
            *counts.entry(list).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|count| (850..1_150).contains(count)), "{counts:?}");
    }
}
