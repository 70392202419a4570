//! Secrets that clients store: wiped when dropped, and never printed.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Deref;
use zeroize::ZeroizeOnDrop;

/// 32 secret bytes: the seed of a match's keys, or the secret of an identity. Serialized as plain bytes; `Debug` does not
/// show them, and dropping wipes them.
#[derive(Clone, Serialize, Deserialize, ZeroizeOnDrop)]
#[serde(transparent)]
pub struct SecretBytes([u8; 32]);

impl SecretBytes {
    /// Wraps 32 secret bytes, usually fresh from the operating system.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl Deref for SecretBytes {
    type Target = [u8; 32];

    /// Returns the secret bytes.
    fn deref(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for SecretBytes {
    /// Writes the name of the type without the bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretBytes(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_stored_as_plain_bytes_and_not_printed() {
        let secret = SecretBytes::new([171; 32]);
        let text = serde_json::to_string(&secret).unwrap();
        assert_eq!(text, serde_json::to_string(&[171u8; 32]).unwrap());
        assert_eq!(*serde_json::from_str::<SecretBytes>(&text).unwrap(), [171; 32]);
        let printed = format!("{secret:?} {secret:#?}");
        assert!(!printed.contains("171") && !printed.to_lowercase().contains("ab, "));
    }
}
