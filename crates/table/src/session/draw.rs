//! Where a peer's randomness comes from.

use pentarchy_engine::Rng;
use pentarchy_fair::Entropy;
use pentarchy_fair::primitives::Drbg;
use zeroize::Zeroizing;

/// Where this peer's randomness comes from.
#[derive(Clone, Default)]
pub(super) struct Draw {
    pub(super) seed: Zeroizing<[u8; 32]>,
    /// How much of the seed's stream is used; after a restart it goes on elsewhere.
    pub(super) drawn: u64,
}

impl Draw {
    fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        self.drawn += 1;
        Drbg::from_parts(&[&*self.seed, &self.drawn.to_le_bytes()], "draw").fill(&mut bytes);
        bytes
    }

    pub(super) fn entropy(&mut self) -> Entropy {
        Entropy::new(self.bytes())
    }

    /// A generator for choices among equals.
    pub(super) fn rng(&mut self) -> Rng {
        let bytes = self.bytes();
        Rng::new(bytes.iter().fold(0u64, |sum, &b| sum.rotate_left(8) ^ u64::from(b)))
    }
}
