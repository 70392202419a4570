//! The list of open tables as JSON over HTTP. `docs/network.md` describes the interface.

use super::{ListedTable, Listing, StoreError, StoreLimits};
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

/// Maximum number of entries in a response.
const MAX_LISTED: usize = 200;

/// An error response: the status, and a sentence for people.
pub(crate) struct ErrorResponse(pub(crate) StatusCode, pub(crate) String);

impl IntoResponse for ErrorResponse {
    /// Returns the status with the JSON `{"error": sentence}`, not cached.
    fn into_response(self) -> Response {
        json_response(self.0, &json!({ "error": self.1 }))
    }
}

impl From<StoreError> for ErrorResponse {
    /// Returns 429 for a source with too many entries, and 503 for a store that is full or does not answer.
    /// The latter is logged.
    fn from(error: StoreError) -> Self {
        let status = match &error {
            StoreError::Full => StatusCode::SERVICE_UNAVAILABLE,
            StoreError::TooMany => StatusCode::TOO_MANY_REQUESTS,
            StoreError::Unavailable(why) => {
                tracing::warn!(why, "the store of open tables fails");
                StatusCode::SERVICE_UNAVAILABLE
            }
        };
        Self(status, error.to_string())
    }
}

type ApiResult = Result<Response, ErrorResponse>;

/// Returns an error response of this status, with a sentence for people, as `Err`: a shorthand for handlers.
///
/// # Errors
///
/// Always fails.
fn reject<T>(status: StatusCode, words: impl Into<String>) -> Result<T, ErrorResponse> {
    Err(ErrorResponse(status, words.into()))
}

/// Creates a JSON response with this status that is not cached.
pub(crate) fn json_response(status: StatusCode, body: &Value) -> Response {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Returns the seconds since 1970; 0 if the clock is before that.
fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Parses the name of a table from a path: 26 letters and digits.
///
/// # Errors
///
/// Fails with 404 if it is anything else. Whether there is such a table is not checked.
fn parse_table(text: &str) -> Result<TableId, ErrorResponse> {
    text.parse().or_else(|error| reject(StatusCode::NOT_FOUND, format!("no such table: {error}")))
}

/// Converts an entry of the list to the JSON of the interface, with its age in seconds at time `now` and the
/// number of members in its room: `members`, those in this process, or if there are none those at the last renewal,
/// because another process may have the room. The address that listed it stays private.
fn to_json(entry: &ListedTable, members: usize, now: u64) -> Value {
    let members = if members > 0 { members } else { entry.members as usize };
    let Listing { game, title, host, seats, taken, key } = &entry.listing;
    json!({
        "id": entry.table.to_string(), "game": game, "title": title, "host": host, "seats": seats, "taken": taken,
        "key": key, "age": now.saturating_sub(entry.since), "members": members,
    })
}

/// Answers `GET /api/tables[?game=NAME]` with the listed tables of one game or of all, the newest first, at most 200.
/// Each has the number of members of its room. Entries that were listed while the clock was ahead are left out. The
/// name of the game is compared as it stands in the query, without decoding; other parameters are ignored.
///
/// # Errors
///
/// Fails with 503 if the store fails.
pub(crate) async fn list(State(app): State<App>, RawQuery(query): RawQuery) -> ApiResult {
    let query = query.unwrap_or_default();
    let game = query.split('&').find_map(|pair| pair.strip_prefix("game=")).map(str::to_owned);
    let now = unix_time();
    let entries = app.open_tables.list(game, MAX_LISTED, now).await?;
    // An entry that lasts longer than any can was listed while the clock was ahead.
    let latest = now.saturating_add(app.limits.listing_lifetime.as_secs());
    let listed = entries.iter().filter(|entry| entry.until <= latest);
    let tables: Vec<Value> = listed.map(|entry| to_json(entry, app.hub.members(&entry.table), now)).collect();
    Ok(json_response(StatusCode::OK, &json!({ "tables": tables })))
}

/// Answers `GET /api/tables/TABLE` with a listed table, or if it is not listed with its name and the number of members
/// of its room.
///
/// # Errors
///
/// Fails with 404 if the name is malformed or the table is neither listed nor has members, and with 503 if the store
/// fails.
pub(crate) async fn get_one(State(app): State<App>, Path(id): Path<String>) -> ApiResult {
    let (id, now) = (parse_table(&id)?, unix_time());
    let members = app.hub.members(&id);
    match app.open_tables.get(id, now).await? {
        Some(entry) => Ok(json_response(StatusCode::OK, &to_json(&entry, members, now))),
        None if members > 0 => {
            Ok(json_response(StatusCode::OK, &json!({ "id": id.to_string(), "members": members })))
        }
        None => reject(StatusCode::NOT_FOUND, "this table has no members now"),
    }
}

/// Answers `PUT /api/tables/TABLE` by the owner of the table: lists it, or updates and renews its entry. The status is
/// 201 for a new entry and 200 for a renewed one; the body says within how many seconds to renew it.
///
/// # Errors
///
/// Fails with 404 for a malformed name, 401 or 403 for a missing or wrong proof, 400 or 422 for a malformed or invalid
/// listing, 413 for a body that is too large, 429 if the address has too many entries, and 503 if the list is full or
/// the store fails.
pub(crate) async fn put(
    State(app): State<App>,
    Extension(address): Extension<Address>,
    headers: HeaderMap,
    Path(id): Path<String>,
    body: Bytes,
) -> ApiResult {
    let (id, now) = (parse_table(&id)?, unix_time());
    check_owner(&headers, id)?;
    let listing: Listing = match serde_json::from_slice(&body) {
        Ok(listing) => listing,
        Err(error) => return reject(StatusCode::BAD_REQUEST, format!("not a table: {error}")),
    };
    if let Err(words) = listing.check() {
        return reject(StatusCode::UNPROCESSABLE_ENTITY, words);
    }
    let lifetime = app.limits.listing_lifetime.as_secs();
    let entry = ListedTable {
        table: id,
        listing,
        source: address.number(),
        members: app.hub.members(&id) as u32,
        since: now,
        until: now + lifetime,
    };
    let limits = StoreLimits { entries: app.limits.listings, per_source: app.limits.listings_per_address };
    let new = app.open_tables.put(entry, limits, now).await?;
    if new {
        tracing::info!(table = ?id, "listed");
    }
    let status = if new { StatusCode::CREATED } else { StatusCode::OK };
    Ok(json_response(status, &json!({ "id": id.to_string(), "renew_within": lifetime })))
}

/// Answers `DELETE /api/tables/TABLE` by the owner of the table: removes it from the list. Its relay room is
/// not affected.
///
/// # Errors
///
/// Fails with 404 if the name is malformed or the table is not listed, 401 or 403 for a missing or wrong
/// proof, and 503 if the store fails.
pub(crate) async fn remove(State(app): State<App>, headers: HeaderMap, Path(id): Path<String>) -> ApiResult {
    let id = parse_table(&id)?;
    check_owner(&headers, id)?;
    if app.open_tables.remove(id, unix_time()).await? {
        Ok(json_response(StatusCode::OK, &json!({ "id": id.to_string() })))
    } else {
        reject(StatusCode::NOT_FOUND, "this table is not listed")
    }
}

/// Checks that the request carries the owner's proof for the table, as a bearer token in `Authorization`.
///
/// # Errors
///
/// Fails with 401 if the proof is missing or malformed, and with 403 if it is well-formed but for another table.
fn check_owner(headers: &HeaderMap, id: TableId) -> Result<(), ErrorResponse> {
    let shown = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    match shown.and_then(|value| value.strip_prefix("Bearer ")).and_then(OwnerProof::from_text) {
        Some(proof) if proof.table() == id => Ok(()),
        Some(_) => reject(StatusCode::FORBIDDEN, "this secret is not the owner's"),
        None => reject(StatusCode::UNAUTHORIZED, "show the owner's secret: `Authorization: Bearer …`"),
    }
}
