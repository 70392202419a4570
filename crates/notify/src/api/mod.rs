//! Notifications as JSON over HTTP. `docs/network.md` describes the interface.

mod links;
mod player;
mod turns;

use crate::send::push;
use crate::{Notifier, unix_time};
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post, put};
use pentarchy_identity::PlayerRequest;
use pentarchy_net::TableId;
use pentarchy_storage::StorageError;
use pentarchy_storage::club::PlayerKey;
use pentarchy_storage::notify::TURN_SEATS;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;

/// The state of all handlers.
type NotifierState = State<Arc<Notifier>>;

/// Maximum bytes of the body of a request.
const BODY_BYTES: usize = 4 * 1024;

/// Returns the routes of notifications, all below `/api/notify/`. The body of a request has at most [`BODY_BYTES`].
pub(crate) fn routes(notifier: Arc<Notifier>) -> Router {
    Router::new()
        .route("/api/notify/channels", get(channels))
        .route("/api/notify/tables/{table}/turn", get(turns::get_turn).put(turns::put_turn))
        .route("/api/notify/seats/{table}/{seat}", put(turns::follow).delete(turns::unfollow))
        .route("/api/notify/player", get(player::overview))
        .route("/api/notify/subscriptions", post(player::subscribe))
        .route("/api/notify/subscriptions/{id}", delete(player::unsubscribe))
        .route("/api/notify/subscriptions/{id}/test", post(player::send_test))
        .route("/api/notify/confirm/{token}", get(links::ask_confirm).post(links::confirm))
        .route("/api/notify/stop/{token}", get(links::ask_stop).post(links::stop))
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .with_state(notifier)
}

/// An error response: the status, and a sentence for people.
struct NotifyError(StatusCode, String);

impl IntoResponse for NotifyError {
    /// Returns the status with the JSON `{"error": sentence}`, not cached.
    fn into_response(self) -> Response {
        answer(self.0, &json!({ "error": self.1 }))
    }
}

impl From<StorageError> for NotifyError {
    /// Returns 503, and logs the error.
    fn from(error: StorageError) -> Self {
        tracing::warn!(%error, "the storage of notifications fails");
        Self(StatusCode::SERVICE_UNAVAILABLE, "the storage does not answer: try again later".to_owned())
    }
}

/// The result of a handler.
type NotifyResult = Result<Response, NotifyError>;

/// Returns an error response of this status, with a sentence for people, as `Err`: a shorthand for handlers.
///
/// # Errors
///
/// Always fails.
fn fail<T>(status: StatusCode, words: impl Into<String>) -> Result<T, NotifyError> {
    Err(NotifyError(status, words.into()))
}

/// Creates a JSON response with this status that is not cached.
fn answer(status: StatusCode, body: &Value) -> Response {
    respond(status, "application/json", body.to_string())
}

/// Creates a response with this status, type and body that is not cached.
fn respond(status: StatusCode, kind: &'static str, body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Parses the name of a table: 26 letters and digits.
///
/// # Errors
///
/// Fails with 404 if it is anything else. Whether anything is known about the table is not checked.
fn parse_table(text: &str) -> Result<TableId, NotifyError> {
    text.parse().or_else(|error| fail(StatusCode::NOT_FOUND, format!("no such table: {error}")))
}

/// Parses the number of a seat, from 0.
///
/// # Errors
///
/// Fails with 422 if it is no number below [`TURN_SEATS`].
fn parse_seat(text: &str) -> Result<u8, NotifyError> {
    let seat = text.parse().ok().filter(|seat| *seat < TURN_SEATS);
    seat.map_or_else(
        || fail(StatusCode::UNPROCESSABLE_ENTITY, format!("seats are 0 to {}", TURN_SEATS - 1)),
        Ok,
    )
}

/// Parses the JSON body of a request.
///
/// # Errors
///
/// Fails with 400 and the reason if it is no JSON, or fields are missing, unknown or of another type.
fn parse_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, NotifyError> {
    serde_json::from_slice(body).or_else(|error| fail(StatusCode::BAD_REQUEST, format!("the body: {error}")))
}

/// Checks the signature in the header `Authorization`, for the public address of this server and the current time,
/// and returns the public key of the player who has signed. It covers method, path and body. Whether the request is a
/// copy of an earlier one is not checked.
///
/// # Errors
///
/// Fails with 401 if it is not signed, signed too long ago or in the future, or the signature is wrong.
fn check_signed(
    notifier: &Notifier,
    headers: &HeaderMap,
    method: &Method,
    uri: &Uri,
    body: &[u8],
) -> Result<PlayerKey, NotifyError> {
    let public_url = notifier.config.public_url.as_str();
    let request = PlayerRequest { public_url, method: method.as_str(), path: uri.path(), body };
    let authorization = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let signer = request.verify(authorization, unix_time());
    signer.map(|signer| signer.identity).or_else(|why| fail(StatusCode::UNAUTHORIZED, why))
}

/// Answers `GET /api/notify/channels` with the ways by which this server can notify (`mail`, `webhook` and `push`,
/// each `true` or `false`), its public address (`url`), which signatures cover, and its key for push services
/// (`push_key`).
///
/// # Errors
///
/// Fails with 503 if the key cannot be read.
async fn channels(State(notifier): NotifierState) -> NotifyResult {
    let unavailable = |error| NotifyError(StatusCode::SERVICE_UNAVAILABLE, error);
    let key =
        notifier.vapid_secret().await.and_then(|secret| push::public_key(&secret)).map_err(unavailable)?;
    let body = json!({
        "mail": notifier.config.mail.is_some(), "webhook": true, "push": true, "push_key": key,
        "url": notifier.config.public_url.as_str(),
    });
    Ok(answer(StatusCode::OK, &body))
}
