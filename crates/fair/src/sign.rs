//! Signatures: Ed25519, strictly verified.

use crate::error::{Fault, Part};
use crate::secrets::Entropy;
use ed25519_dalek::Signer as _;

/// A signing key: the long-term identity of a player, or the session key of one game. Never published, not even for the
/// audit: with it one could forge evidence afterwards.
pub struct SigningSecret(ed25519_dalek::SigningKey);

impl SigningSecret {
    /// A fresh key.
    pub fn new(entropy: Entropy) -> Self {
        Self::from_bytes(&entropy.into_bytes())
    }

    /// Restores a stored key.
    pub fn from_bytes(bytes: &[u8; 32]) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(bytes))
    }

    /// The public key.
    pub fn public(&self) -> VerifyKey {
        VerifyKey(self.0.verifying_key())
    }

    /// Signs a digest.
    pub fn sign(&self, digest: &[u8; 32]) -> [u8; 64] {
        self.0.sign(digest).to_bytes()
    }
}

/// The public half of a [`SigningSecret`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyKey(ed25519_dalek::VerifyingKey);

impl VerifyKey {
    /// Decodes a public key; encodings that do not round-trip and points of small order are refused.
    pub fn decode(bytes: &[u8; 32]) -> Result<Self, Fault> {
        match ed25519_dalek::VerifyingKey::from_bytes(bytes) {
            Ok(key) if !key.is_weak() && key.to_edwards().compress().as_bytes() == bytes => Ok(Self(key)),
            _ => Err(Fault::Encoding(Part::SessionKey)),
        }
    }

    /// The encoded key.
    pub fn bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// Whether `signature` is a signature of `digest` under this key.
    #[must_use]
    pub fn verify(&self, digest: &[u8; 32], signature: &[u8; 64]) -> bool {
        self.0.verify_strict(digest, &ed25519_dalek::Signature::from_bytes(signature)).is_ok()
    }
}
