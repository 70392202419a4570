//! Turns of tables, and who follows their seats.

use super::{
    NotifierState, NotifyError, NotifyResult, answer, check_signed, fail, parse_json, parse_seat, parse_table,
};
use crate::unix_time;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{AUTHORIZATION, HeaderMap};
use axum::http::{Method, StatusCode, Uri};
use pentarchy_net::{RoomPass, TableId};
use pentarchy_storage::notify::{FollowedSeat, TURN_SEATS, TableTurn, TurnNotice, TurnOutcome};
use serde::Deserialize;
use serde_json::{Value, json};

/// Maximum days from now to a deadline.
const MAX_DEADLINE_DAYS: u64 = 400;
/// Maximum number of a turn.
const MAX_TURN: u64 = 1 << 32;
/// Maximum bytes of the label of a table.
const MAX_LABEL: usize = 80;

/// Checks that a text is the room pass of a table: that its sender has the link of the table.
///
/// # Errors
///
/// Fails with 401 if it is no pass, and with 403 if it is that of another table.
fn check_pass(text: &str, table: &TableId) -> Result<(), NotifyError> {
    let Some(pass) = RoomPass::from_text(text) else {
        return fail(StatusCode::UNAUTHORIZED, "show the room pass of this table: its link has it");
    };
    match pass.table() == *table {
        true => Ok(()),
        false => fail(StatusCode::FORBIDDEN, "this is the room pass of another table"),
    }
}

/// Checks that a request about a table carries its room pass, as a bearer token in `Authorization`.
///
/// # Errors
///
/// Fails with 401 if there is no pass, and with 403 if it is that of another table.
fn check_bearer(headers: &HeaderMap, table: &TableId) -> Result<(), NotifyError> {
    let header = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    check_pass(header.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default(), table)
}

/// Converts a turn to the JSON of the interface: `turn`, the seats in `waiting` in ascending order, `since` and
/// `deadline` in seconds since 1970. `deadline` is null without one.
pub(super) fn turn_json(turn: &TableTurn) -> Value {
    let deadline = (turn.deadline > 0).then_some(turn.deadline);
    let waiting: Vec<u8> = turn.waiting.iter().collect();
    json!({ "turn": turn.turn, "waiting": waiting, "since": turn.since, "deadline": deadline })
}

/// The body of an announcement.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnBody {
    turn: u64,
    waiting: Vec<u8>,
    #[serde(default)]
    deadline: Option<u64>,
}

/// Answers `PUT /api/notify/tables/TABLE/turn` by a member of the table: stores whose turn it is, puts messages into
/// the outbox and wakes the workers. Answers 201 and `stored` for a new announcement. An announcement that was made
/// before (`known`) or is about an earlier turn (`late`) gets 200 and changes nothing.
///
/// # Errors
///
/// Fails with 404 for a malformed name, 401 or 403 without the room pass, 400 or 422 for a malformed or invalid body,
/// and 503 if the storage fails or is full.
pub(super) async fn put_turn(
    State(notifier): NotifierState,
    Path(table): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> NotifyResult {
    let (table, now) = (parse_table(&table)?, unix_time());
    check_bearer(&headers, &table)?;
    let body: TurnBody = parse_json(&body)?;
    let invalid = |words: String| fail(StatusCode::UNPROCESSABLE_ENTITY, words);
    if body.turn == 0 || body.turn > MAX_TURN {
        return invalid(format!("turns are 1 to {MAX_TURN}"));
    }
    if body.waiting.iter().any(|seat| *seat >= TURN_SEATS) {
        return invalid(format!("seats are 0 to {}", TURN_SEATS - 1));
    }
    let deadline = body.deadline.unwrap_or(0);
    if deadline > now + MAX_DEADLINE_DAYS * 86_400 {
        return invalid(format!("a deadline is within {MAX_DEADLINE_DAYS} days"));
    }
    let waiting = body.waiting.iter().copied().collect();
    let notice = TurnNotice { table, turn: body.turn, waiting, deadline };
    let (status, stored) = match notifier.storage.put_turn(notice, notifier.config.limits, now).await? {
        TurnOutcome::Stored(messages) => {
            notifier.metrics.turns.inc();
            notifier.metrics.queued.inc_by(messages);
            notifier.wake.send_replace(());
            tracing::debug!(?table, turn = body.turn, messages, "turn announced");
            (StatusCode::CREATED, "stored")
        }
        TurnOutcome::Duplicate => (StatusCode::OK, "known"),
        TurnOutcome::Stale => (StatusCode::OK, "late"),
        TurnOutcome::Full => {
            return fail(StatusCode::SERVICE_UNAVAILABLE, "there are too many tables on this server");
        }
    };
    Ok(answer(status, &json!({ "result": stored })))
}

/// Answers `GET /api/notify/tables/TABLE/turn` by a member of the table with the turn that was announced last.
///
/// # Errors
///
/// Fails with 404 for a malformed name or if no turn was announced, 401 or 403 without the room pass, and 503 if the
/// storage fails.
pub(super) async fn get_turn(
    State(notifier): NotifierState,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> NotifyResult {
    let table = parse_table(&table)?;
    check_bearer(&headers, &table)?;
    match notifier.storage.table_turn(table).await? {
        Some(turn) if turn.turn > 0 => Ok(answer(StatusCode::OK, &turn_json(&turn))),
        _ => fail(StatusCode::NOT_FOUND, "no turn of this table was announced"),
    }
}

/// The body of a request to follow a seat.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FollowBody {
    pass: String,
    #[serde(default)]
    label: String,
}

/// Parses the table and the seat (from 0) of a path.
///
/// # Errors
///
/// Fails with 404 if the table is malformed, and with 422 if the seat is.
fn parse_place((table, seat): (String, String)) -> Result<(TableId, u8), NotifyError> {
    Ok((parse_table(&table)?, parse_seat(&seat)?))
}

/// Answers `PUT /api/notify/seats/TABLE/SEAT`, signed by a player with the room pass in the body: stores that they
/// want to know when the table waits for the seat, with the label by which messages name the table. That the player
/// has this seat is not checked.
///
/// # Errors
///
/// Fails with 404 or 422 for a malformed path, 401 without a valid signature, 400 or 422 for a malformed body, 401 or
/// 403 without the room pass, 429 if the table or the player has too many, and 503 if the storage fails.
pub(super) async fn follow(
    State(notifier): NotifierState,
    Path(place): Path<(String, String)>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> NotifyResult {
    let (table, seat) = parse_place(place)?;
    let identity = check_signed(&notifier, &headers, &method, &uri, &body)?;
    let FollowBody { pass, label } = parse_json(&body)?;
    check_pass(&pass, &table)?;
    if label.len() > MAX_LABEL || label.chars().any(char::is_control) {
        let words = format!("a label has at most {MAX_LABEL} bytes of text that can be printed");
        return fail(StatusCode::UNPROCESSABLE_ENTITY, words);
    }
    let followed = FollowedSeat { table, seat, identity, label };
    match notifier.storage.follow_seat(followed, notifier.config.limits, unix_time()).await? {
        true => Ok(answer(StatusCode::OK, &json!({ "result": "stored" }))),
        false => {
            fail(StatusCode::TOO_MANY_REQUESTS, "you or this table have too many seats with notifications")
        }
    }
}

/// Answers `DELETE /api/notify/seats/TABLE/SEAT`, signed by a player: they no longer follow the seat, and messages
/// about it that wait are removed.
///
/// # Errors
///
/// Fails with 401 without a valid signature, 404 for a malformed table or if they did not follow the seat, 422 for a
/// malformed seat, and 503 if the storage fails.
pub(super) async fn unfollow(
    State(notifier): NotifierState,
    Path(place): Path<(String, String)>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> NotifyResult {
    let (table, seat) = parse_place(place)?;
    let identity = check_signed(&notifier, &headers, &method, &uri, &body)?;
    match notifier.storage.unfollow_seat(identity, table, seat).await? {
        true => Ok(answer(StatusCode::OK, &json!({ "result": "removed" }))),
        false => fail(StatusCode::NOT_FOUND, "you get no notifications about this seat"),
    }
}
