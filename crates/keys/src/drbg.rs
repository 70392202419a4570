//! The deterministic generator: a BLAKE3 stream read as scalars, bounded numbers and permutations.

use alloc::vec::Vec;
use core::num::NonZeroU32;
use curve25519_dalek::scalar::Scalar;
use zeroize::{Zeroize, Zeroizing};

/// A stream of pseudorandom values determined by a seed and a label. Wiped when dropped.
pub struct Drbg {
    /// The output of the hash, from the next byte on.
    stream: Zeroizing<blake3::OutputReader>,
}

impl Drbg {
    /// Creates the stream of `seed` for the purpose `label`. Equal arguments give equal streams; the seed
    /// must have enough entropy for the purpose.
    pub fn new(seed: &[u8], label: &str) -> Self {
        Self::from_parts(&[seed], label)
    }

    /// Creates the stream of the concatenation of `parts` for the purpose `label`. The borders between parts
    /// do not count, so the caller must give parts of fixed lengths.
    pub fn from_parts(parts: &[&[u8]], label: &str) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("pentarchy drbg v1");
        // The length keeps a label from running into the parts. Labels are constants of a few bytes.
        hasher.update(&(label.len() as u32).to_le_bytes());
        hasher.update(label.as_bytes());
        for part in parts {
            hasher.update(part);
        }
        let stream = Zeroizing::new(hasher.finalize_xof());
        hasher.zeroize();
        Self { stream }
    }

    /// Fills `bytes` with the next bytes of the stream.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        self.stream.fill(bytes);
    }

    /// Returns the next 64 bytes of the stream, reduced modulo the group order: a uniform scalar.
    pub fn scalar(&mut self) -> Scalar {
        let mut wide = Zeroizing::new([0; 64]);
        self.fill(&mut *wide);
        Scalar::from_bytes_mod_order_wide(&wide)
    }

    /// Returns the next `n` scalars of the stream. They are wiped when dropped.
    pub fn scalars(&mut self, n: usize) -> Zeroizing<Vec<Scalar>> {
        let mut scalars = Zeroizing::new(Vec::with_capacity(n));
        scalars.extend((0..n).map(|_| self.scalar()));
        scalars
    }

    /// Draws a uniform number in `0..n` from the next bytes of the stream; how many it takes depends on them.
    pub fn below(&mut self, n: NonZeroU32) -> u32 {
        let n = u64::from(n.get());
        // Rejection sampling: words beyond the largest multiple of n would favour small numbers.
        let limit = (1 << 32) - (1 << 32) % n;
        loop {
            let mut word = [0; 4];
            self.fill(&mut word);
            let word = u64::from(u32::from_le_bytes(word));
            if word < limit {
                return (word % n) as u32;
            }
        }
    }

    /// Draws a uniform permutation of `0..n`: entry i is the image of i. Empty for 0.
    pub fn perm(&mut self, n: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n).collect();
        for i in (1..n).rev() {
            let j = self.below(NonZeroU32::MIN.saturating_add(i));
            order.swap(i as usize, j as usize);
        }
        order
    }
}
