//! Requests that a player has signed with their identity.

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, Method};
use data_encoding::HEXLOWER;
use pentarchy_identity::request_digest;
use pentarchy_keys::VerifyKey;
use pentarchy_storage::club::PlayerKey;

/// How far the time of a request may be from the server's clock, in seconds.
const CLOCK_SKEW: u64 = 300;

/// Checks that a request is signed, and returns by whom: the header `Authorization: Pentarchy IDENTITY TIME SIGNATURE`. The
/// time must be within five minutes of `now`.
///
/// # Errors
///
/// Fails with a sentence if the header is missing or malformed, the clock differs, or the signature does not verify.
pub(crate) fn signer(
    headers: &HeaderMap,
    public_url: &str,
    method: &Method,
    path: &str,
    body: &[u8],
    now: u64,
) -> Result<PlayerKey, &'static str> {
    const MISSING: &str = "sign the request: `Authorization: Pentarchy IDENTITY TIME SIGNATURE`";
    let header = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).ok_or(MISSING)?;
    let parts: Vec<&str> = header.split(' ').collect();
    let ["Pentarchy", identity, time, signature] = parts[..] else { return Err(MISSING) };
    let bytes = |text: &str| HEXLOWER.decode(text.as_bytes()).ok();
    let identity: PlayerKey = bytes(identity).and_then(|bytes| bytes.try_into().ok()).ok_or(MISSING)?;
    let signature: [u8; 64] = bytes(signature).and_then(|bytes| bytes.try_into().ok()).ok_or(MISSING)?;
    let time: u64 = time.parse().map_err(|_| MISSING)?;
    if time.abs_diff(now) > CLOCK_SKEW {
        return Err("the request was signed at another time: set your clock");
    }
    let key = VerifyKey::decode(&identity).map_err(|_| "the identity is not a public key")?;
    let digest = request_digest(public_url, time, method.as_str(), path, body);
    match key.verify(&digest, &signature) {
        true => Ok(identity),
        false => Err("the signature does not verify: it covers public address, time, method, path and body"),
    }
}
