//! The archive: publishing, searching and downloading games.

use super::responses::{ClubError, ClubResult, file_response, json_response, parameters, parse_id};
use super::{Club, unix_time};
use crate::{ExamineError, WengLinMethod, examine};
use axum::body::{Body, Bytes};
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use data_encoding::HEXLOWER;
use pentarchy_identity::short_name;
use pentarchy_storage::club::{
    ArchiveOutcome, ArchivedGame, ArchivedSeat, CLUB_PAGE, ClubStorage as _, GameQuery, NewGame, SeatResult,
};
use pentarchy_table::{Descriptor, TableRecord};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// Converts a game to the JSON of the interface. The identifier is in hexadecimal digits, `published` in seconds since
/// 1970; `rated` is whether `unrated`, the reason why it is not, is empty.
pub(super) fn to_json(game: &ArchivedGame) -> Value {
    let seats: Vec<Value> = game.seats.iter().map(seat_to_json).collect();
    json!({
        "id": HEXLOWER.encode(&game.id), "number": game.number, "game": game.game, "rules": game.rules,
        "events": game.events, "ending": if game.is_played { "played" } else { "dropped" },
        "rated": game.unrated.is_empty(), "unrated": game.unrated, "published": game.published,
        "bytes": game.bytes, "seats": seats,
    })
}

/// Converts a seat to the JSON of the interface: player, name, result, rank and score, `bot`, and `left` if the
/// others dropped it. The identity is in hexadecimal digits, with its short name in `short`.
fn seat_to_json(seat: &ArchivedSeat) -> Value {
    json!({
        "identity": HEXLOWER.encode(&seat.identity), "short": short_name(&seat.identity), "name": seat.name,
        "result": seat.result.word(), "rank": seat.rank, "score": seat.score, "bot": seat.is_bot,
        "left": seat.has_left,
    })
}

/// Verifies a record in a thread of its own, when it is its turn: at most
/// [`ClubLimits::verifying`](super::ClubLimits) at a time. Returns what is archived, and the descriptor of the match.
/// The verification continues, and counts against the limits, if the caller does not wait for it. Stores nothing.
///
/// # Errors
///
/// Fails with 503 if [`ClubLimits::waiting`](super::ClubLimits) records are verified or wait, with 422 if the record
/// is not valid, its game is not finished or unknown, or it takes too long, and with 500 if the verification panics.
async fn verify(club: &Club, record: Bytes) -> Result<(NewGame, Descriptor), ClubError> {
    let busy =
        |_| ClubError::new(StatusCode::SERVICE_UNAVAILABLE, "many records are being verified: try again");
    let place = Arc::clone(&club.waiting).try_acquire_owned().map_err(busy)?;
    let turn = Arc::clone(&club.verifying).acquire_owned().await;
    let patience = club.limits.patience;
    // The permits go with the work, which continues if the client does not wait for it.
    let work = move || {
        let _held = (place, turn);
        let new = examine(&record, patience)?;
        Ok((new, TableRecord::decode(&record).map_err(ExamineError::from)?.descriptor))
    };
    let failed = |_| ClubError::new(StatusCode::INTERNAL_SERVER_ERROR, "the verification failed");
    tokio::task::spawn_blocking(work).await.map_err(failed)?
}

/// Answers `POST /api/club/games` with a signed record as the body. Verifies it, archives it, updates the ratings of
/// its players if it is rated, and enters its result if it was played at a table of a tournament. Answers with what
/// the archive says about the game; for a table of a tournament also with the field `tournament`, which says whether
/// the result counts. The status is 201, or 200 if the game was archived before: then archive and ratings stay as
/// they are, and only a missing result is entered.
///
/// # Errors
///
/// Fails with 400 if the body breaks off, 413 if the record is too large, 422 if it is forged, altered, not finished
/// or takes too long to verify, 500 if the verification panics, 503 if the club is busy or the storage fails, 507 if
/// the archive is full.
pub(super) async fn publish(State(club): State<Club>, body: Result<Bytes, BytesRejection>) -> ClubResult {
    let (new, descriptor) = verify(&club, body?).await?;
    let id = new.game.id;
    let outcome = club.storage.archive(new, &WengLinMethod, club.limits.archive_bytes, unix_time()).await?;
    let status = match outcome {
        ArchiveOutcome::Stored(number) => {
            tracing::info!(number, "game archived");
            StatusCode::CREATED
        }
        ArchiveOutcome::Duplicate(_) => StatusCode::OK,
        ArchiveOutcome::Full => {
            tracing::error!("the archive is full");
            return Err(ClubError::new(StatusCode::INSUFFICIENT_STORAGE, "the archive is full"));
        }
    };
    let game = find(&club, id).await?;
    let mut answer = to_json(&game);
    if let Some(tournament) = club.enter_result(&descriptor, &game).await? {
        answer["tournament"] = tournament;
    }
    Ok(json_response(status, &answer))
}

/// Reads what the archive says about the game with this identifier.
///
/// # Errors
///
/// Fails with 404 if it is not archived, and with 503 if the storage fails.
async fn find(club: &Club, id: [u8; 32]) -> Result<ArchivedGame, ClubError> {
    club.storage.game(id).await?.ok_or_else(|| ClubError::missing("this game is not in the archive"))
}

/// The parameters of a search.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchParameters {
    player: Option<String>,
    result: Option<String>,
    game: Option<String>,
    seats: Option<u8>,
    since: Option<u64>,
    until: Option<u64>,
    before: Option<u64>,
}

impl SearchParameters {
    /// Converts the parameters to a query. Absent ones restrict nothing; the name of the game is not checked.
    ///
    /// # Errors
    ///
    /// Fails with 400 if the player is not 64 hexadecimal digits, the result is unknown, or there is a result without a
    /// player.
    fn query(self) -> Result<GameQuery, ClubError> {
        let bad = |words: &str| ClubError::new(StatusCode::BAD_REQUEST, words);
        let result = match &self.result {
            Some(_) if self.player.is_none() => return Err(bad("a result needs a player")),
            Some(word) => {
                Some(SeatResult::from_word(word).ok_or_else(|| bad("a result is won, lost, draw or none"))?)
            }
            None => None,
        };
        let player = self.player.as_deref().map(|text| parse_id(text, "a player")).transpose()?;
        let Self { game, seats, since, until, before, .. } = self;
        Ok(GameQuery { player, result, game, seats, since, until, before })
    }
}

/// Answers `GET /api/club/games?…` with a page of at most [`CLUB_PAGE`] games that match all parameters, the newest
/// first. `next` is the parameter `before` of the next page; null if this page is not full.
///
/// # Errors
///
/// Fails with 400 if a parameter is unknown or malformed, and with 503 if the storage fails.
pub(super) async fn search(
    State(club): State<Club>,
    query: Result<Query<SearchParameters>, QueryRejection>,
) -> ClubResult {
    let games = club.storage.search(parameters(query)?.query()?).await?;
    let is_full = games.len() == CLUB_PAGE as usize;
    let next = games.last().filter(|_| is_full).map(|game| game.number);
    let games: Vec<Value> = games.iter().map(to_json).collect();
    Ok(json_response(StatusCode::OK, &json!({ "games": games, "next": next })))
}

/// Answers `GET /api/club/games/ID` with what the archive says about a game.
///
/// # Errors
///
/// Fails with 400 for a malformed identifier, 404 if the game is not archived, and 503 if the storage fails.
pub(super) async fn get_one(State(club): State<Club>, Path(id): Path<String>) -> ClubResult {
    let game = find(&club, parse_id(&id, "a game")?).await?;
    Ok(json_response(StatusCode::OK, &to_json(&game)))
}

/// Answers `GET /api/club/games/ID/record` with the signed record as a file, which `pentarchy verify` checks.
///
/// # Errors
///
/// Fails with 400 for a malformed identifier, 404 if the game is not archived, and 503 if the storage fails.
pub(super) async fn download(State(club): State<Club>, Path(id): Path<String>) -> ClubResult {
    let game = find(&club, parse_id(&id, "a game")?).await?;
    let next = club.storage.next_record(game.number - 1).await?;
    let (game, record) = next.ok_or_else(|| ClubError::missing("this game is not in the archive"))?;
    Ok(record_response(&game, record))
}

/// Creates a response with status 200 that is not cached and that browsers save as the file of this record.
fn record_response(game: &ArchivedGame, record: Vec<u8>) -> Response {
    file_response(Body::from(record), "application/octet-stream", &file_name(game))
}

/// Returns the name of the file of a record: the identifier of the game in hexadecimal digits and `.table`.
pub(super) fn file_name(game: &ArchivedGame) -> String {
    format!("{}.table", HEXLOWER.encode(&game.id))
}
