//! Webhooks, in the format of <https://www.standardwebhooks.com>: the identifier, the time and the exact bytes of the body are
//! signed with HMAC-SHA-256.

use crate::text::MessageText;
use data_encoding::{BASE64, HEXLOWER};
use hmac::{Hmac, KeyInit as _, Mac as _};
use pentarchy_net::http_types::Request;
use pentarchy_net::http_types::header::{CONTENT_TYPE, USER_AGENT};
use pentarchy_storage::notify::OutgoingMessage;
use serde_json::json;
use sha2::Sha256;

/// Returns the key of a webhook in the text form of Standard Webhooks, in which its owner gets it: `whsec_` and
/// base64.
pub(crate) fn key_text(secret: &[u8]) -> String {
    format!("whsec_{}", BASE64.encode(secret))
}

/// Computes the signature of a request, as the value of its header: `v1,` and the MAC of `id.time.body` in base64.
///
/// # Errors
///
/// Fails with a sentence if the key has no valid length.
fn sign(secret: &[u8], id: &str, time: u64, body: &[u8]) -> Result<String, String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).map_err(|error| error.to_string())?;
    mac.update(format!("{id}.{time}.").as_bytes());
    mac.update(body);
    Ok(format!("v1,{}", BASE64.encode(&mac.finalize().into_bytes())))
}

/// Creates the signed request for a message at the time `now`, in seconds since 1970: a `POST` with the message as
/// JSON.
///
/// # Errors
///
/// Fails with a sentence if the address of the subscription is malformed or its key has no valid length.
pub(super) fn request(
    message: &OutgoingMessage,
    text: &MessageText,
    now: u64,
) -> Result<Request<Vec<u8>>, String> {
    let id = HEXLOWER.encode(&message.id);
    let deadline = (message.deadline > 0).then_some(message.deadline);
    let body = json!({
        "type": message.event.word(), "title": text.title, "body": text.body, "url": text.link,
        "table": message.table.map(|table| table.to_string()), "seat": message.seat, "turn": message.turn,
        "label": message.label, "deadline": deadline,
    });
    let body = body.to_string().into_bytes();
    let signature = sign(&message.subscription.secret, &id, now, &body)?;
    Request::post(&message.subscription.address)
        .header(CONTENT_TYPE, "application/json")
        .header(USER_AGENT, concat!("Pentarchy/", env!("CARGO_PKG_VERSION")))
        .header("webhook-id", id)
        .header("webhook-timestamp", now)
        .header("webhook-signature", signature)
        .body(body)
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification.
    #[test]
    fn requests_are_signed_as_the_specification_says() {
        let secret = BASE64.decode(b"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let body = br#"{"test": 2432232314}"#;
        let signature = sign(&secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body).unwrap();
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
