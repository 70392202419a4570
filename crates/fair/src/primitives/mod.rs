//! The building blocks of section "Primitives" of the protocol: hashing to the group, the deterministic
//! generator and the transcript.
//!
//! They are public so that another implementation can be checked against this one, and so that tests can play
//! a dishonest prover. Playing a game does not need them.

mod element;
mod transcript;

pub use curve25519_dalek;
pub use element::{Element, hash_to_group};
pub(crate) use element::{Reader, encode_doubles};
pub use pentarchy_keys::Drbg;
pub use transcript::Transcript;

/// Creates a BLAKE3 hasher in key derivation mode. Every purpose has a context string of its own.
pub(crate) fn derive(context: &str) -> blake3::Hasher {
    blake3::Hasher::new_derive_key(context)
}

/// Returns a 32-byte BLAKE3 hash of the concatenated parts under a context string. The parts are not framed:
/// the caller must make sure that their lengths are fixed or unambiguous.
pub(crate) fn digest(context: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = derive(context);
    for part in parts {
        hasher.update(part);
    }
    *hasher.finalize().as_bytes()
}

/// Adds `u32(len) ‖ label` to the hash, so that no label runs into what follows it.
fn frame(hasher: &mut blake3::Hasher, label: &str) {
    // Labels are constants of a few bytes.
    hasher.update(&(label.len() as u32).to_le_bytes());
    hasher.update(label.as_bytes());
}
