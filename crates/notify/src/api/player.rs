//! Subscriptions of a player, and the states of their messages.

use super::turns::turn_json;
use super::{NotifierState, NotifyError, NotifyResult, answer, check_signed, fail, parse_json};
use crate::send::{check_address, mail, push, webhook};
use crate::{random, unix_time};
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::HeaderMap;
use axum::http::{Method, StatusCode, Uri};
use data_encoding::HEXLOWER;
use pentarchy_storage::notify::{
    Delivery, NewSubscription, NotifyChannel, SubscribeOutcome, Subscription, SubscriptionId,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// Maximum bytes of the URL of a webhook or push service.
const MAX_URL: usize = 1024;

/// Converts a subscription to the JSON of the interface, for its player. The key that signs requests is shown for a
/// webhook only (else null); the token is not shown. `last_sent` is null before the first delivery.
fn subscription_json(subscription: &Subscription) -> Value {
    let Subscription { id, channel, address, table, reminders, state, error, .. } = subscription;
    let Subscription { created, last_sent, .. } = subscription;
    let key = (*channel == NotifyChannel::Webhook).then(|| webhook::key_text(&subscription.secret));
    json!({
        "id": HEXLOWER.encode(id), "channel": channel.word(), "address": address,
        "table": table.map(|table| table.to_string()), "reminders": reminders, "state": state.word(), "error": error,
        "created": created, "last_sent": (*last_sent > 0).then_some(last_sent), "key": key,
    })
}

/// Converts a message to the JSON of the interface: `type` is the word of its event, and `table` null for a
/// confirmation or a test.
fn delivery_json(delivery: &Delivery) -> Value {
    let Delivery { id, subscription, event, table, seat, turn, state, attempts, error, changed } = delivery;
    json!({
        "id": HEXLOWER.encode(id), "subscription": HEXLOWER.encode(subscription), "type": event.word(),
        "table": table.map(|table| table.to_string()), "seat": seat, "turn": turn, "state": state.word(),
        "attempts": attempts, "error": error, "changed": changed,
    })
}

/// Answers `GET /api/notify/player`, signed by a player, with all that is stored about them: the seats that they
/// follow with the turns of their tables, subscriptions, and the latest messages. It counts as a use of the
/// subscriptions, which keeps them from expiring.
///
/// # Errors
///
/// Fails with 401 without a valid signature, and with 503 if the storage fails.
pub(super) async fn overview(
    State(notifier): NotifierState,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> NotifyResult {
    let identity = check_signed(&notifier, &headers, &method, &uri, b"")?;
    let now = unix_time();
    let seats = notifier.storage.followed_seats(identity).await?;
    let seats = seats.iter().map(|(followed, turn)| {
        let mut seat = turn_json(turn);
        seat["table"] = followed.table.to_string().into();
        seat["seat"] = followed.seat.into();
        seat["label"] = followed.label.as_str().into();
        seat
    });
    let subscriptions = notifier.storage.subscriptions(identity, now).await?;
    let messages = notifier.storage.deliveries(identity, now).await?;
    let body = json!({
        "seats": seats.collect::<Vec<Value>>(),
        "subscriptions": subscriptions.iter().map(subscription_json).collect::<Vec<Value>>(),
        "messages": messages.iter().map(delivery_json).collect::<Vec<Value>>(),
    });
    Ok(answer(StatusCode::OK, &body))
}

/// The keys of a browser's push subscription.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PushKeys {
    p256dh: String,
    auth: String,
}

/// The body of a subscription.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SubscriptionBody {
    channel: String,
    address: String,
    #[serde(default)]
    table: Option<String>,
    #[serde(default)]
    reminders: Option<bool>,
    #[serde(default)]
    keys: Option<PushKeys>,
}

/// Answers `POST /api/notify/subscriptions`, signed by a player: stores a subscription, or brings the one with this
/// channel, address and table up to date. Answers 200 with the subscription, for a webhook with its key. Wakes the
/// workers. A mail address gets a confirmation first. That a URL leads to a public address is checked only when a
/// message is sent.
///
/// # Errors
///
/// Fails with 401 without a valid signature, 400 for a malformed body, 404 for a malformed table, 422 for another
/// channel, address or keys than the server can use, 429 if the player or the address has too many, and 503 if the
/// server has too many, the storage fails or there are no random bytes.
pub(super) async fn subscribe(
    State(notifier): NotifierState,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> NotifyResult {
    let identity = check_signed(&notifier, &headers, &method, &uri, &body)?;
    let body: SubscriptionBody = parse_json(&body)?;
    let invalid = |words: String| NotifyError(StatusCode::UNPROCESSABLE_ENTITY, words);
    let failed = |words: String| NotifyError(StatusCode::SERVICE_UNAVAILABLE, words);
    let Some(channel) = NotifyChannel::from_word(&body.channel) else {
        return Err(invalid("the channel is mail, webhook or push".to_owned()));
    };
    let url = || match body.address.len() > MAX_URL {
        true => Err(invalid(format!("an address has at most {MAX_URL} bytes"))),
        false => check_address(&body.address, notifier.config.allow_private).map_err(invalid),
    };
    let (address, secret) = match (channel, &body.keys) {
        (NotifyChannel::Mail, None) if notifier.config.mail.is_none() => {
            return Err(invalid("this server sends no mail".to_owned()));
        }
        (NotifyChannel::Mail, None) => (mail::check_address(&body.address).map_err(invalid)?, Vec::new()),
        (NotifyChannel::Webhook, None) => (url()?, random::<32>().map_err(failed)?.to_vec()),
        (NotifyChannel::Push, Some(PushKeys { p256dh, auth })) => {
            (url()?, push::check_keys(p256dh, auth).map_err(invalid)?)
        }
        _ => return Err(invalid("`keys` belongs to a push subscription, and to no other".to_owned())),
    };
    let table = body.table.as_deref().map(super::parse_table).transpose()?;
    let new = NewSubscription {
        id: random().map_err(failed)?,
        identity,
        channel,
        address,
        table,
        secret,
        reminders: body.reminders.unwrap_or(true),
        token: random().map_err(failed)?,
    };
    match notifier.storage.subscribe(new, notifier.config.limits, unix_time()).await? {
        SubscribeOutcome::Stored(subscription) => {
            notifier.wake.send_replace(());
            Ok(answer(StatusCode::OK, &subscription_json(&subscription)))
        }
        SubscribeOutcome::TooMany => fail(StatusCode::TOO_MANY_REQUESTS, "you have too many subscriptions"),
        SubscribeOutcome::AddressBusy => {
            fail(StatusCode::TOO_MANY_REQUESTS, "this address has too many subscriptions or confirmations")
        }
        SubscribeOutcome::Full => {
            fail(StatusCode::SERVICE_UNAVAILABLE, "there are too many subscriptions on this server")
        }
    }
}

/// Parses the identifier of a subscription: 32 hexadecimal digits in lower case.
///
/// # Errors
///
/// Fails with 404 if it is malformed.
fn parse_id(text: &str) -> Result<SubscriptionId, NotifyError> {
    let id = HEXLOWER.decode(text.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
    id.map_or_else(|| fail(StatusCode::NOT_FOUND, NO_SUBSCRIPTION), Ok)
}

const NO_SUBSCRIPTION: &str = "you have no such subscription";

/// Answers `DELETE /api/notify/subscriptions/ID`, signed by its player: removes it with its messages.
///
/// # Errors
///
/// Fails with 401 without a valid signature, 404 if the identifier is malformed or the player has no such
/// subscription, and 503 if the storage fails.
pub(super) async fn unsubscribe(
    State(notifier): NotifierState,
    Path(id): Path<String>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> NotifyResult {
    let identity = check_signed(&notifier, &headers, &method, &uri, &body)?;
    match notifier.storage.unsubscribe(identity, parse_id(&id)?).await? {
        true => Ok(answer(StatusCode::OK, &json!({ "result": "removed" }))),
        false => fail(StatusCode::NOT_FOUND, NO_SUBSCRIPTION),
    }
}

/// Answers `POST /api/notify/subscriptions/ID/test`, signed by its player: puts a test message into the outbox and
/// wakes the workers. Answers 202: whether it arrives is shown in the overview.
///
/// # Errors
///
/// Fails with 401 without a valid signature, 404 for a malformed identifier, 409 if the player has no such active
/// subscription, or it has had too many messages today or a test in this second, and 503 if the storage fails.
pub(super) async fn send_test(
    State(notifier): NotifierState,
    Path(id): Path<String>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> NotifyResult {
    let identity = check_signed(&notifier, &headers, &method, &uri, &body)?;
    let id = parse_id(&id)?;
    match notifier.storage.send_test(identity, id, notifier.config.limits, unix_time()).await? {
        true => {
            notifier.wake.send_replace(());
            Ok(answer(StatusCode::ACCEPTED, &json!({ "result": "stored" })))
        }
        false => {
            let words =
                "this subscription is not in use, or had too many messages today or one in this second";
            fail(StatusCode::CONFLICT, words)
        }
    }
}
