//! Checks of records: written, cut, read and replayed.

use super::{Law, LawError, LawResult, demand};
use pentarchy_engine::record::{Record, RecordError, RecordKind, Replay, verify};
use pentarchy_engine::{Game, Position, Rng, Seat};

/// Checks the full record of a finished game whose last position is `end`: it is read back unchanged, the
/// full record and its cuts for one random seat and for the public replay to the same outcome, and the public
/// one is a cut of its lines. A spectator's replay to a random event must hold no hidden face.
///
/// # Errors
///
/// Fails with the violated law.
pub(super) fn check<G: Game>(full: &Record, end: &Position<G>, dice: &mut Rng) -> LawResult {
    let text = full.text();
    demand!(Record::read(text.as_bytes()).as_ref() == Ok(full), Record, "it is read as another one");
    let seat = Seat(dice.below(u32::from(end.seats())) as u8);
    for kind in [RecordKind::Full, RecordKind::Seat(seat), RecordKind::Public] {
        let cut = full.cut(kind).map_err(|e| broken(kind, &e))?;
        let read = Record::read(cut.text().as_bytes()).map_err(|e| broken(kind, &e))?;
        demand!(read == cut, Record, "the {kind:?} record is read as another one");
        let verdict = verify::<G>(&read).map_err(|e| broken(kind, &e))?;
        demand!(Some(verdict.outcome) == end.outcome(), Record, "the {kind:?} record ends differently");
    }
    let public = full.cut(RecordKind::Public).map_err(|e| broken(RecordKind::Public, &e))?;
    for (secret, open) in text.lines().zip(public.text().lines()).skip(1) {
        let cut = secret.find(",\"annexes\":").map(|at| format!("{}}}", &secret[..at]));
        demand!(cut.as_deref().unwrap_or(secret) == open, Record, "the public line is no cut: {open}");
    }
    let middle = dice.below(full.entries.len() as u32 + 1) as usize;
    let mut replay =
        Replay::<G>::start_as(full, RecordKind::Public).map_err(|e| broken(RecordKind::Public, &e))?;
    let there = replay.to(middle).map_err(|e| broken(RecordKind::Public, &e))?;
    demand!(there.holds_exactly_its_faces(), Record, "a public record tells a face that is not public");
    Ok(())
}

/// Returns the broken law [`Law::Record`] for a record of this kind that cannot be read or replayed.
fn broken(kind: RecordKind, error: &RecordError) -> LawError {
    LawError { law: Law::Record, detail: format!("the {kind:?} record, {error}") }
}
