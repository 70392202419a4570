//! Records of matches: checked, and replayed event by event.

use crate::errors;
use pentarchy_engine::AnyPosition;
use pentarchy_engine::record::{Record, RecordKind};
use pentarchy_registry as registry;
use pyo3::prelude::*;
use serde_json::json;

/// Parses a record and finds its game. Checks no event.
///
/// # Errors
///
/// Fails with a `GameError` if the text is no record, and with a `ValueError` for a game that this build does not
/// have.
fn read(text: &str) -> PyResult<(Record, &'static dyn pentarchy_engine::AnyGame)> {
    let record = Record::read(text.as_bytes()).map_err(errors::record)?;
    let game = registry::find(&record.header.game).map_err(errors::value)?;
    Ok((record, game))
}

/// Checks a complete record: every event is legal, every digest is right. Returns a JSON object with the
/// `game`, the number of `events`, and the `ranks` (1 is the best) and `scores` by seat. Raises `GameError`
/// if the record is not valid and `ValueError` for an unknown game.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, text: &str) -> PyResult<String> {
    let (record, game) = read(text)?;
    let verified = py.detach(|| game.verify(&record)).map_err(errors::record)?;
    Ok(json!({
        "game": game.info().name,
        "events": verified.events,
        "ranks": verified.outcome.ranks(),
        "scores": verified.outcome.scores(),
    })
    .to_string())
}

/// Replays a record of any kind and checks every line. Returns a JSON list with an object for the start and
/// one after each event: `event` (its canonical text) and `log` (its sentence), both null at the start,
/// `awaited` (a sentence), the `seat` to act or null, `table` and `digest`. They show what the author of the
/// record knows: all, one seat, or a spectator. Raises `GameError` if the record is not valid and
/// `ValueError` for an unknown game.
#[pyfunction]
pub(crate) fn replay(py: Python<'_>, text: &str) -> PyResult<String> {
    let (record, game) = read(text)?;
    let (kind, mut all) = (record.header.kind, Vec::new());
    let observer = match kind {
        RecordKind::Full => pentarchy_engine::Observer::All,
        RecordKind::Seat(seat) => pentarchy_engine::Observer::Seat(seat),
        RecordKind::Public => pentarchy_engine::Observer::Spectator,
    };
    let mut each = |position: &dyn AnyPosition| {
        all.push(json!({
            "event": position.last_event(),
            "log": position.last_log(observer),
            "awaited": position.awaited(),
            "seat": position.actor().map(|seat| seat.0),
            "table": position.table(),
            "digest": position.digest().to_string(),
        }));
    };
    py.detach(|| game.replay(&record, kind, usize::MAX, &mut each)).map_err(errors::record)?;
    Ok(serde_json::Value::from(all).to_string())
}
