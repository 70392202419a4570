//! The club of this page's server: its archive, ratings and explorer, as JSON over HTTP (`docs/club.md`).

use crate::boards;
use crate::online::{self, Identity};
use crate::page::parameter;
use pentarchy_identity::{IdentityKey, profile_digest};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/club.js")]
extern "C" {
    /// Sends a request, with `authorization` as the header of this name unless it is empty, and resolves to an array
    /// of the status and the bytes of the response. `body` may be empty. Rejects if there is no response within
    /// `patience` milliseconds.
    #[wasm_bindgen(catch, js_name = request)]
    async fn js_request(
        verb: &str,
        address: &str,
        authorization: &str,
        body: &[u8],
        patience: u32,
    ) -> Result<JsValue, JsValue>;
}

/// Maximum time of a request that reads, in milliseconds.
const READING: u32 = 10_000;
/// Maximum time of a request that publishes, in milliseconds: the server may verify other records first.
const PUBLISHING: u32 = 90_000;

/// Why a request to the club fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClubRequestError {
    /// The server does not answer.
    Offline,
    /// The server has no club.
    NoClub,
    /// What was requested does not exist; the server's words.
    Missing(String),
    /// The server rejects the request; its words.
    Rejected(String),
}

impl ClubRequestError {
    /// Returns what failed, as sentences for the player.
    pub fn text(&self) -> String {
        match self {
            ClubRequestError::Offline => {
                "The server does not answer. Games against bots and saved games still work.".to_string()
            }
            ClubRequestError::NoClub => {
                "This server has no club: it keeps no published games and no ratings.".to_string()
            }
            ClubRequestError::Missing(words) | ClubRequestError::Rejected(words) => {
                format!("{}.", crate::words::capital(words.trim_end_matches('.')))
            }
        }
    }
}

/// Sends a request to the club and returns the bytes of the response. `verb` is the HTTP method, `path` follows
/// `/api/club`, and `body` may be empty.
///
/// # Errors
///
/// Fails if the server does not answer within `patience` milliseconds, has no club, or responds with another
/// status than success.
async fn request(verb: &str, path: &str, body: &[u8], patience: u32) -> Result<Vec<u8>, ClubRequestError> {
    accepted(send(verb, path, "", body, patience).await?).await
}

/// Sends a request with the header `Authorization` to the club and returns the JSON of the response. `verb` is
/// the HTTP method, `path` follows `/api/club`, `authorization` is the value of the header, and `body` may be
/// empty.
///
/// # Errors
///
/// Fails if the server does not answer within 10 seconds, has no club, rejects the request, or the response is
/// not JSON.
pub async fn authorized(
    verb: &str,
    path: &str,
    authorization: &str,
    body: &[u8],
) -> Result<Value, ClubRequestError> {
    parsed(&accepted(send(verb, path, authorization, body, READING).await?).await?)
}

/// Returns the bytes of a response, given as status and bytes, if the status is one of success. After status
/// 404 it makes another request, which tells a server without a club from a missing object.
///
/// # Errors
///
/// Fails with `NoClub` for a server without a club, `Offline` if it does not answer the other request,
/// `Missing` for another 404, and `Rejected` for any other status. The words are the field `error` of the
/// response, or name the status.
async fn accepted(answer: (u16, Vec<u8>)) -> Result<Vec<u8>, ClubRequestError> {
    match answer {
        (200..300, bytes) => Ok(bytes),
        // A server without a club says so for every path.
        (404, _) if matches!(send("GET", PROBE, "", &[], READING).await?, (404, _)) => {
            Err(ClubRequestError::NoClub)
        }
        (status, bytes) => {
            let words = serde_json::from_slice::<Value>(&bytes).ok();
            let words = words.map(|words| text(&words, "error")).filter(|words| !words.is_empty());
            let words = words.unwrap_or_else(|| format!("the server answers with status {status}"));
            Err(if status == 404 {
                ClubRequestError::Missing(words)
            } else {
                ClubRequestError::Rejected(words)
            })
        }
    }
}

/// A request that every club answers at once: the games before the first one.
const PROBE: &str = "/games?before=0";

/// Sends a request to the club and returns the status and the bytes of the response, whatever the status is.
/// `verb` is the HTTP method, `path` follows `/api/club`; without `authorization` there is no such header, and
/// `body` may be empty.
///
/// # Errors
///
/// Fails with [`ClubRequestError::Offline`] if the server does not answer within `patience` milliseconds.
async fn send(
    verb: &str,
    path: &str,
    authorization: &str,
    body: &[u8],
    patience: u32,
) -> Result<(u16, Vec<u8>), ClubRequestError> {
    let address = format!("{}/api/club{path}", online::server());
    let answer = js_request(verb, &address, authorization, body, patience)
        .await
        .map_err(|_| ClubRequestError::Offline)?;
    let answer = js_sys::Array::from(&answer);
    let status = answer.get(0).as_f64().unwrap_or_default() as u16;
    Ok((status, js_sys::Uint8Array::new(&answer.get(1)).to_vec()))
}

/// Returns whether the server of this page has a club, also if its storage fails at the moment; `false` if
/// the server does not answer.
pub async fn has_club() -> bool {
    matches!(send("GET", PROBE, "", &[], READING).await, Ok((status, _)) if status != 404)
}

/// Requests JSON from the club by GET. `path` follows `/api/club`; `docs/club.md` describes the responses.
///
/// # Errors
///
/// Fails if the server does not answer within 10 seconds, has no club, rejects the request, or the response is
/// not JSON.
pub async fn get_json(path: &str) -> Result<Value, ClubRequestError> {
    parsed(&request("GET", path, &[], READING).await?)
}

/// Publishes `record`, the encoded signed record of a match, and returns what the archive says about the game,
/// also if it was archived before: an object with `id`, `rated`, `seats` and others, see `docs/club.md`.
///
/// # Errors
///
/// Fails if the server does not answer within 90 seconds, has no club, or rejects the record.
pub async fn publish(record: &[u8]) -> Result<Value, ClubRequestError> {
    parsed(&request("POST", "/games", record, PUBLISHING).await?)
}

/// Requests the signed record of an archived game, by its identifier, and returns its bytes. They are not
/// verified.
///
/// # Errors
///
/// Fails if the server does not answer within 90 seconds, has no club, or does not have the game.
pub async fn get_record(id: &str) -> Result<Vec<u8>, ClubRequestError> {
    request("GET", &format!("/games/{id}/record"), &[], PUBLISHING).await
}

/// Sets the name of the player with this identity in the club, signed with the identity.
///
/// # Errors
///
/// Fails if the server does not answer, has no club, or rejects the name or the time of this device.
pub async fn set_name(key: &IdentityKey, name: &str) -> Result<(), ClubRequestError> {
    let signed_at = (js_sys::Date::now() / 1000.0) as u64;
    let signature = key.signing_secret().sign(&profile_digest(name, signed_at));
    let profile = json!({ "name": name, "signed_at": signed_at, "signature": to_hex(&signature) });
    let path = format!("/players/{}", to_hex(&key.public()));
    request("PUT", &path, profile.to_string().as_bytes(), READING).await.map(|_| ())
}

/// Returns bytes as hexadecimal digits in lower case.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Parses an identity from 64 hexadecimal digits; `None` for anything else.
pub fn from_hex(text: &str) -> Option<Identity> {
    bytes_from_hex(text)
}

/// Parses `N` bytes from twice as many hexadecimal digits; `None` for anything else.
pub fn bytes_from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.len() != 2 * N || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * i..2 * i + 2)?, 16).ok()?;
    }
    Some(bytes)
}

/// Parses the JSON of a response.
///
/// # Errors
///
/// Fails if it is not JSON.
fn parsed(bytes: &[u8]) -> Result<Value, ClubRequestError> {
    let unreadable = |_| ClubRequestError::Rejected("the answer of the server cannot be read".to_string());
    serde_json::from_slice(bytes).map_err(unreadable)
}

/// Returns the text in the field `name` of a JSON object; empty if the field is missing or no text, or `object`
/// is no object.
pub fn text(object: &Value, name: &str) -> String {
    object.get(name).and_then(Value::as_str).unwrap_or_default().to_string()
}

/// Returns the number in the field `name` of a JSON object; 0 if the field is missing or no number, or `object`
/// is no object.
pub fn number(object: &Value, name: &str) -> f64 {
    object.get(name).and_then(Value::as_f64).unwrap_or_default()
}

/// Returns whether the field `name` of a JSON object is `true`; `false` if it is missing, or `object` is no
/// object.
pub fn flag(object: &Value, name: &str) -> bool {
    object.get(name).and_then(Value::as_bool).unwrap_or_default()
}

/// Returns the array in the field `name` of a JSON object; empty if the field is missing or no array, or
/// `object` is no object.
pub fn list<'a>(object: &'a Value, name: &str) -> &'a [Value] {
    object.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A page of the club, as the fragment of the address names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClubPlace {
    /// The archive, with the parameters of a search ([`search_path`]).
    Archive(String),
    /// The page of the game with this identifier.
    Game(String),
    /// The replay of the game with this identifier.
    Replay(String),
    /// The profile of the player with this identity.
    Player(String),
    /// The list of tournaments, with the parameters of a search.
    Tournaments(String),
    /// The form for a new tournament.
    NewTournament,
    /// The page of the tournament with this identifier.
    Tournament(String),
    /// The leaderboard of a game with this number of seats, after its first players.
    Ratings { game: String, seats: u8, skip: u32 },
}

impl ClubPlace {
    /// Parses a fragment of the address; `None` if it names no page of the club. Identifiers are not checked.
    /// Without a game the leaderboard is that of the first game, without seats that of its usual number.
    pub fn parse(fragment: &str) -> Option<Self> {
        let rest = fragment.strip_prefix("club")?;
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        Some(match parts[..] {
            ["" | "games"] => ClubPlace::Archive(query.to_string()),
            ["game", id] => ClubPlace::Game(id.to_string()),
            ["game", id, "replay"] => ClubPlace::Replay(id.to_string()),
            ["tournaments"] => ClubPlace::Tournaments(query.to_string()),
            ["tournaments", "new"] => ClubPlace::NewTournament,
            ["tournament", id] => ClubPlace::Tournament(id.to_string()),
            ["player", identity] => ClubPlace::Player(identity.to_string()),
            ["ratings", ref which @ ..] => {
                let game = which.first().and_then(|name| boards::find(name).ok());
                let info = game.or(boards::GAMES.first())?.info;
                let seats = which.get(1).and_then(|seats| seats.parse().ok()).unwrap_or(info.default_seats);
                let skip = parameter(query, "skip").and_then(|skip| skip.parse().ok()).unwrap_or(0);
                ClubPlace::Ratings { game: info.name.to_string(), seats, skip }
            }
            _ => return None,
        })
    }
}

/// Parameters of a search in the address that the club takes as they are.
const SEARCHED: [&str; 5] = ["player", "result", "game", "seats", "before"];

/// Returns the path, after `/api/club`, of a search of the archive. `query` has the parameters in the address
/// of the archive's page (`a=1&b=2`): `player`, `result`, `game`, `seats` and `before` are passed on as they
/// are unless they are empty, `days` restricts the search to games published in this number of days before
/// `now`, in seconds since 1970, and others are left out.
pub fn search_path(query: &str, now: f64) -> String {
    let mut given: Vec<String> = Vec::new();
    for name in SEARCHED {
        if let Some(value) = parameter(query, name).filter(|value| !value.is_empty()) {
            given.push(format!("{name}={value}"));
        }
    }
    if let Some(days) = parameter(query, "days").and_then(|days| days.parse::<f64>().ok()) {
        given.push(format!("since={}", (now - 86_400.0 * days).max(0.0) as u64));
    }
    format!("/games?{}", given.join("&"))
}

/// Returns the address of the page of an archived game, by the identifier that the club names.
pub fn game_address(id: &str) -> String {
    format!("{}/#club/game/{id}", online::server())
}
