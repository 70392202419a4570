//! The lobby as JSON over HTTP; `docs/server.md` describes it.

use super::{Entry, Listing, NotStored, Room};
use crate::addresses::Address;
use crate::app::App;
use axum::body::{Body, Bytes};
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, HeaderMap};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use pentarchy_net::{OwnerProof, TableId};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// Entries in one answer.
const LIST: usize = 200;

/// An answer that is no success, in words.
pub(crate) struct Refusal(pub(crate) StatusCode, pub(crate) String);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        answer(self.0, &json!({ "error": self.1 }))
    }
}

impl From<NotStored> for Refusal {
    fn from(error: NotStored) -> Self {
        let status = match &error {
            NotStored::Full => StatusCode::SERVICE_UNAVAILABLE,
            NotStored::TooMany => StatusCode::TOO_MANY_REQUESTS,
            NotStored::Unavailable(why) => {
                tracing::warn!(why, "the lobby's store fails");
                StatusCode::SERVICE_UNAVAILABLE
            }
        };
        Self(status, error.to_string())
    }
}

type Answer = Result<Response, Refusal>;

fn refuse<T>(status: StatusCode, words: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal(status, words.into()))
}

/// A JSON answer.
pub(crate) fn answer(status: StatusCode, body: &Value) -> Response {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn table(text: &str) -> Result<TableId, Refusal> {
    text.parse().or_else(|error| refuse(StatusCode::NOT_FOUND, format!("no such table: {error}")))
}

fn shown(entry: &Entry, members: usize, now: u64) -> Value {
    let Listing { game, title, host, seats, taken, key } = &entry.listing;
    json!({
        "id": entry.table.to_string(), "game": game, "title": title, "host": host, "seats": seats, "taken": taken,
        "key": key, "age": now.saturating_sub(entry.since), "members": members,
    })
}

/// `GET /api/tables[?game=NAME]`
pub(crate) async fn list(State(app): State<App>, RawQuery(query): RawQuery) -> Answer {
    let query = query.unwrap_or_default();
    let game = query.split('&').find_map(|pair| pair.strip_prefix("game=")).map(str::to_owned);
    let now = now();
    let entries = app.lobby.list(game, LIST, now).await?;
    let tables: Vec<Value> =
        entries.iter().map(|entry| shown(entry, app.hub.members(&entry.table), now)).collect();
    Ok(answer(StatusCode::OK, &json!({ "tables": tables })))
}

/// `GET /api/tables/TABLE`
pub(crate) async fn get_one(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let (id, now) = (table(&id)?, now());
    let members = app.hub.members(&id);
    match app.lobby.get(id, now).await? {
        Some(entry) => Ok(answer(StatusCode::OK, &shown(&entry, members, now))),
        None if members > 0 => {
            Ok(answer(StatusCode::OK, &json!({ "id": id.to_string(), "members": members })))
        }
        None => refuse(StatusCode::NOT_FOUND, "nobody is at this table now"),
    }
}

/// `PUT /api/tables/TABLE`, with the owner's secret
pub(crate) async fn put(
    State(app): State<App>,
    Extension(address): Extension<Address>,
    headers: HeaderMap,
    Path(id): Path<String>,
    body: Bytes,
) -> Answer {
    let (id, now) = (table(&id)?, now());
    owned(&headers, id)?;
    let listing: Listing = match serde_json::from_slice(&body) {
        Ok(listing) => listing,
        Err(error) => return refuse(StatusCode::BAD_REQUEST, format!("not a table: {error}")),
    };
    if let Err(words) = listing.check() {
        return refuse(StatusCode::UNPROCESSABLE_ENTITY, words);
    }
    let life = app.limits.listing_life.as_secs();
    let entry = Entry { table: id, listing, source: address.number(), since: now, until: now + life };
    let room = Room { entries: app.limits.listings, per_source: app.limits.listings_per_address };
    let new = app.lobby.put(entry, room, now).await?;
    if new {
        tracing::info!(table = ?id, "listed");
    }
    let status = if new { StatusCode::CREATED } else { StatusCode::OK };
    Ok(answer(status, &json!({ "id": id.to_string(), "renew_within": life })))
}

/// `DELETE /api/tables/TABLE`, with the owner's secret
pub(crate) async fn remove(State(app): State<App>, headers: HeaderMap, Path(id): Path<String>) -> Answer {
    let id = table(&id)?;
    owned(&headers, id)?;
    if app.lobby.remove(id).await? {
        Ok(answer(StatusCode::OK, &json!({ "id": id.to_string() })))
    } else {
        refuse(StatusCode::NOT_FOUND, "this table is not listed")
    }
}

/// Checks that the request proves that it comes from the owner of the table.
fn owned(headers: &HeaderMap, id: TableId) -> Result<(), Refusal> {
    let shown = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    match shown.and_then(|value| value.strip_prefix("Bearer ")).and_then(OwnerProof::from_text) {
        Some(proof) if proof.table() == id => Ok(()),
        Some(_) => refuse(StatusCode::FORBIDDEN, "this secret is not the owner's"),
        None => refuse(StatusCode::UNAUTHORIZED, "show the owner's secret: `Authorization: Bearer …`"),
    }
}
