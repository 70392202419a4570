//! The key pair of an identity.

use crate::name::short_name;
use pentarchy_keys::SigningSecret;
use std::fmt;
use zeroize::Zeroizing;

/// The secret half of an identity. It is wiped from memory when it is dropped, and `Debug` shows only the
/// public short name.
#[derive(Clone, PartialEq, Eq)]
pub struct IdentityKey(Zeroizing<[u8; 32]>);

impl IdentityKey {
    /// Creates the identity with these secret bytes: 32 fresh bytes from the operating system for a new one,
    /// or stored ones.
    pub fn from_bytes(secret: [u8; 32]) -> Self {
        Self(Zeroizing::new(secret))
    }

    /// Returns the secret bytes, for storage. Anybody who has them has the identity.
    pub fn secret_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the key with which tables sign session keys and handshakes. It is derived again at each call.
    pub fn signing_secret(&self) -> SigningSecret {
        SigningSecret::from_bytes(&self.0)
    }

    /// Returns the public key. It is derived from the secret at each call.
    pub fn public(&self) -> [u8; 32] {
        *self.signing_secret().public().bytes()
    }
}

impl fmt::Debug for IdentityKey {
    /// Writes the short name of the public key, and nothing of the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IdentityKey({})", short_name(&self.public()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_shows_no_secret() {
        let key = IdentityKey::from_bytes([0xA7; 32]);
        let shown = format!("{key:?} {key:#?}").to_lowercase();
        assert!(shown.contains(&short_name(&key.public())));
        for secret in ["167", "a7a7", "0xa7"] {
            assert!(!shown.contains(secret), "{shown}");
        }
    }

    #[test]
    fn the_public_key_is_that_of_the_signing_key() {
        let key = IdentityKey::from_bytes([7; 32]);
        let signature = key.signing_secret().sign(&[3; 32]);
        let public = pentarchy_keys::VerifyKey::decode(&key.public()).unwrap();
        assert!(public.verify(&[3; 32], &signature));
    }
}
