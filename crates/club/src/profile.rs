//! Signed profiles.

use pentarchy_keys::VerifyKey;
use pentarchy_storage::club::ClubProfile;
use pentarchy_table::{MAX_NAME, printable};

/// How far the time of a profile may be ahead of the server's clock, in seconds.
const CLOCK_SKEW: u64 = 3600;

/// Why a profile is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// The key is no public key.
    #[error("the identity is not a public key")]
    Identity,
    /// The name cannot be shown.
    #[error("a name has 1 to {MAX_NAME} bytes of text that can be printed, without spaces at its ends")]
    Name,
    /// The time is in the future.
    #[error("the profile is signed at a time in the future: set your clock")]
    Future,
    /// The signature is wrong.
    #[error("the signature does not verify")]
    Signature,
}

/// Returns the digest that a player signs for a profile.
pub fn profile_digest(name: &str, signed_at: u64) -> [u8; 32] {
    let mut hash = blake3::Hasher::new_derive_key("pentarchy club profile v1");
    hash.update(&signed_at.to_le_bytes());
    hash.update(name.as_bytes());
    *hash.finalize().as_bytes()
}

/// Checks a profile at the time `now`, in seconds: key, name, time and signature.
///
/// # Errors
///
/// Fails with the first reason that holds.
pub fn verify_profile(profile: &ClubProfile, now: u64) -> Result<(), ProfileError> {
    let key = VerifyKey::decode(&profile.identity).map_err(|_| ProfileError::Identity)?;
    let name = profile.name.as_str();
    if name.is_empty() || name.len() > MAX_NAME || name.trim() != name || printable(name) != name {
        return Err(ProfileError::Name);
    }
    if profile.signed_at > now.saturating_add(CLOCK_SKEW) {
        return Err(ProfileError::Future);
    }
    match key.verify(&profile_digest(name, profile.signed_at), &profile.signature) {
        true => Ok(()),
        false => Err(ProfileError::Signature),
    }
}
