//! The verification of a record before it counts.

use crate::explorer::played_moves;
use pentarchy_engine::{Outcome, Seat, SeatSet};
use pentarchy_storage::club::{ArchivedGame, ArchivedSeat, NewGame, SeatResult};
use pentarchy_table::{Descriptor, Ending, RecordVerdict, TableRecord, TableRecordError, printable};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Why a record is not archived.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExamineError {
    /// It is malformed, forged or altered.
    #[error(transparent)]
    Invalid(#[from] TableRecordError),
    /// There is no such game here.
    #[error("{0}")]
    UnknownGame(String),
    /// The game goes on, or only one peer says that it ended.
    #[error("the game is not finished: its players have not signed an end")]
    Unfinished,
    /// It cannot be replayed.
    #[error("the record cannot be replayed: {0}")]
    Replay(String),
    /// Verification takes too long.
    #[error("the record takes more than {0} s to verify")]
    TooLong(u64),
}

/// Verifies a signed record in full, and returns what is archived of it: the game with the canonical bytes of its
/// record, and the decisions for the explorer (none unless it was played to its end). Number and time of publication
/// are 0. `patience` bounds the time of the verification; it is checked between events.
///
/// The signed end must be by the rules, or the vote of all others to end the game without some seats.
///
/// # Errors
///
/// Fails if the bytes are no record, its game is unknown, a signature, proof, digest or move is wrong, the game is not
/// finished, it cannot be replayed, or it takes longer than `patience`.
pub fn examine(bytes: &[u8], patience: Duration) -> Result<NewGame, ExamineError> {
    let record = TableRecord::decode(bytes)?;
    let descriptor = &record.descriptor;
    let game = pentarchy_registry::find(&descriptor.game)
        .map_err(|error| ExamineError::UnknownGame(error.to_string()))?;
    let begin = Instant::now();
    let mut verification = record.begin(game)?;
    while verification.step()? {
        if begin.elapsed() > patience {
            return Err(ExamineError::TooLong(patience.as_secs()));
        }
    }
    let verdict = verification.verdict()?;
    let (outcome, left) = match (verdict.ending, verdict.outcome) {
        (Some(Ending::Played), Some(outcome)) => (Some(outcome), verdict.taken_over),
        (Some(Ending::Dropped(seats)), _) => (None, seats | verdict.taken_over),
        _ => return Err(ExamineError::Unfinished),
    };
    let moves = match &outcome {
        Some(outcome) => played_moves(game, &verdict.public, &descriptor.options, outcome)
            .map_err(|error| ExamineError::Replay(error.to_string()))?,
        None => Vec::new(),
    };
    // The canonical bytes: what is archived does not depend on how the sender has spelled them.
    let record = record.encode();
    let game = archived_game(descriptor, &verdict, outcome.as_ref(), left, record.len() as u64);
    Ok(NewGame { game, record, moves })
}

/// Returns what the archive says about a verified game with a record of this length. Without an `outcome` (players were
/// dropped) all results are `None`, and ranks and scores 0. `left` are the seats whose players left. Number and time
/// are 0; they are set when the game is stored.
fn archived_game(
    descriptor: &Descriptor,
    verdict: &RecordVerdict,
    outcome: Option<&Outcome>,
    left: SeatSet,
    bytes: u64,
) -> ArchivedGame {
    let seats = (0u8..).map(Seat).zip(&descriptor.players).map(|(seat, player)| ArchivedSeat {
        identity: player.identity,
        name: printable(&player.name),
        result: outcome.map_or(SeatResult::None, |outcome| seat_result(outcome, seat)),
        rank: outcome.map_or(0, |outcome| outcome.rank(seat)),
        score: outcome.map_or(0, |outcome| i64::from(outcome.score(seat))),
        is_bot: player.host.is_some(),
        has_left: left.has(seat),
    });
    let seats: Vec<ArchivedSeat> = seats.collect();
    ArchivedGame {
        number: 0,
        id: descriptor.id().0,
        game: descriptor.game.clone(),
        rules: descriptor.rules,
        events: verdict.events,
        is_played: outcome.is_some(),
        unrated: unrated(&seats, outcome.is_some()).to_owned(),
        published: 0,
        bytes,
        seats,
    }
}

/// Returns the result of a seat: `Draw` for all seats if the outcome is a draw, else `Won` for each winner, also if
/// they share the victory, and `Lost` for all others.
fn seat_result(outcome: &Outcome, seat: Seat) -> SeatResult {
    match () {
        () if outcome.is_draw() => SeatResult::Draw,
        () if outcome.winners().any(|winner| winner == seat) => SeatResult::Won,
        () => SeatResult::Lost,
    }
}

/// Returns the first reason why a game is not rated; empty if it is: it was not played to its end, a player left, a bot
/// had a seat, a player had two seats, or there is one seat. Votes of others must not change the rating of a player,
/// and nobody can be rated for beating themselves.
fn unrated(seats: &[ArchivedSeat], is_played: bool) -> &'static str {
    let players: BTreeSet<_> = seats.iter().map(|seat| seat.identity).collect();
    match () {
        () if !is_played => "it was not played to its end",
        () if seats.iter().any(|seat| seat.has_left) => "a player left, and a bot played on",
        () if seats.iter().any(|seat| seat.is_bot) => "a bot of another player had a seat",
        () if players.len() < seats.len() => "a player had two seats",
        () if seats.len() < 2 => "it has one seat",
        () => "",
    }
}
