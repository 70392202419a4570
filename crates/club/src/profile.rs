//! Signed profiles.

use pentarchy_identity::profile_digest;
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

/// Returns whether a name can be shown: 1 to [`MAX_NAME`] bytes of text that can be printed, without spaces at its ends.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= MAX_NAME && name.trim() == name && printable(name) == name
}

/// Checks a profile at the time `now`, in seconds since 1970: key, name, time and signature, in this order. The time
/// may be up to an hour ahead of `now`, and as old as any. Whether a later profile is stored is not checked.
///
/// # Errors
///
/// Fails with the first check that does not hold.
pub fn verify_profile(profile: &ClubProfile, now: u64) -> Result<(), ProfileError> {
    let key = VerifyKey::decode(&profile.identity).map_err(|_| ProfileError::Identity)?;
    let name = profile.name.as_str();
    if !is_name(name) {
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
