//! Signatures: Ed25519, strictly verified.

use crate::entropy::Entropy;
use ed25519_dalek::Signer as _;

/// A signing key: the long-term identity of a player, or the session key of one game. Never published, not
/// even for the audit: its holder could forge evidence afterwards.
pub struct SigningSecret(ed25519_dalek::SigningKey);

impl SigningSecret {
    /// Creates a fresh key from 32 random bytes, which are spent.
    pub fn new(entropy: Entropy) -> Self {
        Self::from_bytes(&entropy.into_bytes())
    }

    /// Restores a stored key from its secret bytes, the seed of Ed25519. All 32-byte strings are valid. The
    /// bytes are copied; to wipe the original is left to the caller.
    pub fn from_bytes(bytes: &[u8; 32]) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(bytes))
    }

    /// Returns the public key.
    pub fn public(&self) -> VerifyKey {
        VerifyKey(self.0.verifying_key())
    }

    /// Returns the Ed25519 signature of a digest. Deterministic: equal inputs give equal signatures. The
    /// caller must separate domains in the digest.
    pub fn sign(&self, digest: &[u8; 32]) -> [u8; 64] {
        self.0.sign(digest).to_bytes()
    }
}

/// Bytes that are not an acceptable Ed25519 public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the bytes are not the canonical encoding of an Ed25519 public key")]
pub struct MalformedKeyError;

/// The public half of a [`SigningSecret`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyKey(ed25519_dalek::VerifyingKey);

impl VerifyKey {
    /// Decodes a public key from its canonical encoding, as [`bytes`](Self::bytes) returns it.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are no point of the curve, not its canonical encoding, or a point of small order.
    pub fn decode(bytes: &[u8; 32]) -> Result<Self, MalformedKeyError> {
        match ed25519_dalek::VerifyingKey::from_bytes(bytes) {
            Ok(key) if !key.is_weak() && key.to_edwards().compress().as_bytes() == bytes => Ok(Self(key)),
            _ => Err(MalformedKeyError),
        }
    }

    /// Returns the canonical encoding of the key.
    pub fn bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// Returns whether `signature` is a valid signature of `digest` under this key, by the strict rules: no
    /// malleable encodings and no points of small order.
    #[must_use]
    pub fn verify(&self, digest: &[u8; 32], signature: &[u8; 64]) -> bool {
        self.0.verify_strict(digest, &ed25519_dalek::Signature::from_bytes(signature)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_verify_for_their_key_and_digest_only() {
        let [one, two] = [1, 2].map(|i| SigningSecret::new(Entropy::new([i; 32])));
        let signature = one.sign(&[7; 32]);
        assert!(one.public().verify(&[7; 32], &signature));
        assert!(!one.public().verify(&[8; 32], &signature) && !two.public().verify(&[7; 32], &signature));
    }

    #[test]
    fn only_canonical_keys_of_full_order_decode() {
        let good = *SigningSecret::new(Entropy::new([1; 32])).public().bytes();
        assert_eq!(VerifyKey::decode(&good).map(|key| *key.bytes()), Ok(good));
        // y = 1 is the neutral element; y = p + 1 is its non-canonical encoding.
        let (mut neutral, mut other) = ([0; 32], [0xff; 32]);
        neutral[0] = 1;
        (other[0], other[31]) = (0xee, 0x7f);
        for bytes in [neutral, other] {
            assert_eq!(VerifyKey::decode(&bytes), Err(MalformedKeyError));
        }
    }
}
