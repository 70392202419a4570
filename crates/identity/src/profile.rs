//! The name that a player shows in a club.

/// Returns the digest that a player signs for a profile with this name and time (seconds since 1970): a hash
/// of both. Neither is checked.
pub fn profile_digest(name: &str, signed_at: u64) -> [u8; 32] {
    let mut hash = blake3::Hasher::new_derive_key("pentarchy club profile v1");
    hash.update(&signed_at.to_le_bytes());
    hash.update(name.as_bytes());
    *hash.finalize().as_bytes()
}
