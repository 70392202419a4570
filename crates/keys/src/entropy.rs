//! Fresh randomness, used once.

use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// 32 fresh bytes from the operating system, spent by the operation they are given to.
///
/// Every operation that blinds something takes them by value, so the same bytes cannot be spent twice by
/// mistake. Dropping wipes them.
pub struct Entropy(Zeroizing<[u8; 32]>);

impl Entropy {
    /// Wraps bytes that the caller drew from the operating system for this one purpose. The caller must not
    /// use them again.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// Draws 32 bytes from a cryptographic generator, which must be seeded by the operating system.
    pub fn draw(rng: &mut impl CryptoRng) -> Self {
        let mut bytes = Zeroizing::new([0; 32]);
        rng.fill_bytes(&mut *bytes);
        Self(bytes)
    }

    /// Returns the bytes, for a key or a generator, and spends them. They are wiped when dropped.
    pub fn into_bytes(self) -> Zeroizing<[u8; 32]> {
        self.0
    }
}
