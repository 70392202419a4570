//! Web push (RFC 8030, 8291, 8292). The payload is a declarative message, which browsers can show without a script.

use crate::config::PublicUrl;
use crate::text::MessageText;
use data_encoding::BASE64URL_NOPAD;
use pentarchy_net::http_types::header::{AUTHORIZATION, HeaderValue};
use pentarchy_net::http_types::{HeaderName, Request, Uri};
use pentarchy_storage::notify::OutgoingMessage;
use serde_json::json;
use std::time::Duration;
use url::Url;
use web_push_native::p256::PublicKey;
use web_push_native::p256::ecdsa::signature::Signer as _;
use web_push_native::p256::ecdsa::{Signature, SigningKey};
use web_push_native::{Auth, WebPushBuilder};

/// Bytes of a browser's public key, uncompressed, before its secret of [`AUTH_BYTES`].
const PUBLIC_BYTES: usize = 65;
/// Bytes of a browser's secret.
const AUTH_BYTES: usize = 16;
/// For how many seconds a push service keeps a message for a device that is off.
const KEEP: u64 = 3 * 86_400;
/// For how many seconds the token of a request is valid; push services allow a day.
const TOKEN_SECONDS: u64 = 12 * 3600;

/// Checks the keys of a browser, as base64url without padding, and returns them as they are stored: the public key, then
/// the secret.
///
/// # Errors
///
/// Fails with a sentence if one of them is malformed.
pub(crate) fn check_keys(public: &str, auth: &str) -> Result<Vec<u8>, String> {
    let wrong = "the keys of the browser are malformed: send `p256dh` and `auth` of its subscription";
    let decode = |text: &str| BASE64URL_NOPAD.decode(text.trim_end_matches('=').as_bytes()).ok();
    let (public, auth) = decode(public).zip(decode(auth)).ok_or(wrong)?;
    let is_valid = public.len() == PUBLIC_BYTES && PublicKey::from_sec1_bytes(&public).is_ok();
    if !is_valid || auth.len() != AUTH_BYTES {
        return Err(wrong.to_owned());
    }
    Ok([public, auth].concat())
}

/// Returns the public key of a server, which browsers need for a subscription, as base64url without padding.
///
/// # Errors
///
/// Fails with a sentence if the secret is no key, which random bytes practically never are.
pub(crate) fn public_key(secret: &[u8; 32]) -> Result<String, String> {
    let key = SigningKey::from_slice(secret).map_err(|error| error.to_string())?;
    Ok(BASE64URL_NOPAD.encode(key.verifying_key().to_encoded_point(false).as_bytes()))
}

/// Returns the value of the header by which a server identifies itself to the push service at `endpoint`: a token
/// signed by ES256 with `secret`, which names the address `url` and is valid for 12 hours after `now` (seconds since
/// 1970), and the public key.
///
/// # Errors
///
/// Fails with a sentence if the secret is no key or the address of the service is malformed.
fn authorization(secret: &[u8; 32], endpoint: &str, url: &PublicUrl, now: u64) -> Result<String, String> {
    let audience = Url::parse(endpoint).map_err(|error| error.to_string())?.origin().ascii_serialization();
    let claims = json!({ "aud": audience, "exp": now + TOKEN_SECONDS, "sub": url.as_str() });
    let encode = |text: &str| BASE64URL_NOPAD.encode(text.as_bytes());
    let unsigned = format!("{}.{}", encode(r#"{"typ":"JWT","alg":"ES256"}"#), encode(&claims.to_string()));
    let key = SigningKey::from_slice(secret).map_err(|error| error.to_string())?;
    let signature: Signature = key.sign(unsigned.as_bytes());
    let signature = BASE64URL_NOPAD.encode(&signature.to_bytes());
    Ok(format!("vapid t={unsigned}.{signature}, k={}", public_key(secret)?))
}

/// Returns a name under which a push service and a device replace an earlier message: one for each seat of a table
/// and subscription, so that a reminder replaces the message about the turn. It is a hash, which tells the service
/// nothing.
fn topic(message: &OutgoingMessage) -> String {
    let mut hash = blake3::Hasher::new_derive_key("pentarchy notify topic v1");
    hash.update(&message.subscription.id).update(&[message.seat]);
    if let Some(table) = &message.table {
        hash.update(table.bytes());
    }
    BASE64URL_NOPAD.encode(&hash.finalize().as_bytes()[..16])
}

/// Creates the request that sends a message to a push service at the time `now`, in seconds since 1970. Its text is
/// encrypted for the browser, and `secret`, the server's key, signs the request. The service keeps it for a device
/// that is off until the deadline of the message, for a minute at least and three days at most.
///
/// # Errors
///
/// Fails with a sentence if address or keys of the subscription are malformed, or `secret` is no key.
pub(super) fn request(
    secret: &[u8; 32],
    url: &PublicUrl,
    message: &OutgoingMessage,
    text: &MessageText,
    now: u64,
) -> Result<Request<Vec<u8>>, String> {
    let endpoint = &message.subscription.address;
    let uri: Uri = endpoint.parse().map_err(|_| format!("{endpoint} is not a URL"))?;
    let (public, auth) = message.subscription.secret.split_at_checked(PUBLIC_BYTES).unwrap_or_default();
    let public = PublicKey::from_sec1_bytes(public).map_err(|error| error.to_string())?;
    let auth: [u8; AUTH_BYTES] =
        auth.try_into().map_err(|_| "the secret of the browser has another length")?;
    let topic = topic(message);
    let payload = json!({
        "web_push": 8030,
        "notification": {
            "title": text.title, "body": text.body, "navigate": text.link, "tag": topic, "lang": "en",
        },
    });
    let keep = message.deadline.checked_sub(now).map_or(KEEP, |left| left.clamp(60, KEEP));
    let builder =
        WebPushBuilder::new(uri, public, Auth::from(auth)).with_valid_duration(Duration::from_secs(keep));
    let mut request = builder.build(payload.to_string()).map_err(|error| error.to_string())?;
    let value = authorization(secret, endpoint, url, now)?;
    let value = HeaderValue::from_str(&value).map_err(|error| error.to_string())?;
    request.headers_mut().insert(AUTHORIZATION, value);
    let topic = HeaderValue::from_str(&topic).map_err(|error| error.to_string())?;
    request.headers_mut().insert(HeaderName::from_static("topic"), topic);
    Ok(request)
}
