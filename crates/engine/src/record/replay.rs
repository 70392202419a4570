//! Replay of a record to any point, as an observer that its annexes allow, with checks of every event.

use super::{Record, RecordEntry, RecordError, RecordKind};
use crate::facts::EventFacts;
use crate::game::Game;
use crate::node::Node;
use crate::notation::{event_text, node_text};
use crate::options;
use crate::outcome::Outcome;
use crate::position::Position;
use crate::seat::Seat;

/// A replay in progress. Every event is checked: it is legal, its text is canonical, and its digest is that
/// of the position.
#[derive(Debug)]
pub struct Replay<'r, G: Game> {
    record: &'r Record,
    position: Position<G>,
    done: usize,
}

impl<'r, G: Game> Replay<'r, G> {
    /// Starts at the first position, as the observer whose annexes the record contains. No event has been
    /// replayed yet.
    ///
    /// # Errors
    ///
    /// Fails if the record is of another game, of newer rules or of rules that are not supported any more,
    /// has invalid options or seats, or is that of a seat that the match does not have.
    pub fn start(record: &'r Record) -> Result<Self, RecordError> {
        Self::start_as(record, record.header.kind)
    }

    /// Starts at the first position, as the observer that a record of `kind` is for: the simulator (full), a
    /// seat, or a spectator (public). It may know less than the record contains. No event has been replayed
    /// yet.
    ///
    /// # Errors
    ///
    /// Fails if the record lacks the annexes of `kind`, is of another game, of newer rules or of rules that
    /// are not supported any more, or has invalid options or seats, or if the game has no such seat as `kind`
    /// names.
    pub fn start_as(record: &'r Record, kind: RecordKind) -> Result<Self, RecordError> {
        let header = &record.header;
        let wrong = |what: String| RecordError::at(1, what);
        if header.game != G::INFO.name {
            return Err(wrong(format!("this is a game of {}, not of {}", header.game, G::INFO.name)));
        }
        let now = G::INFO.rules_version;
        if !(G::OLDEST_RULES..=now).contains(&header.rules) {
            return Err(wrong(format!("it was played by rules {}; these are rules {now}", header.rules)));
        }
        if !header.kind.covers(kind) {
            return Err(wrong("this record does not have the annexes of that seat".to_string()));
        }
        let options = options::from_value(&header.options).map_err(|e| wrong(e.to_string()))?;
        let mut full = Position::<G>::new(header.seats, &options).map_err(|e| wrong(e.to_string()))?;
        if header.rules != now {
            full.set_rules_version(header.rules);
        }
        let position = match kind {
            RecordKind::Full => full,
            RecordKind::Seat(Seat(seat)) if seat >= header.seats => {
                return Err(wrong(format!("there is no seat {seat}")));
            }
            RecordKind::Seat(seat) => full.view(seat),
            RecordKind::Public => full.spectator(),
        };
        Ok(Replay { record, position, done: 0 })
    }

    /// Returns the current position.
    pub fn position(&self) -> &Position<G> {
        &self.position
    }

    /// Returns the number of events replayed so far.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Replays the next event and returns it with what the rules did, in order; `None` at the end of the
    /// record. On `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if the event cannot be parsed, is not legal, not in canonical text, or has a wrong digest.
    pub fn step(&mut self) -> Result<Option<EventFacts<G>>, RecordError> {
        let Some(entry) = self.record.entries.get(self.done) else { return Ok(None) };
        let wrong = |what: String| RecordError::at(Record::line_of(entry), what);
        let line = entry.line::<G>().map_err(|e| wrong(e.to_string()))?;
        let node = self.position.node();
        let text = event_text::<G>(node, line.event);
        if text != entry.event {
            let awaited = node_text::<G>(node);
            return Err(wrong(format!("`{}` does not fit: awaited is {awaited}", entry.event)));
        }
        let mut next = self.position.clone();
        let facts = next.apply_facts(&line).map_err(|e| wrong(format!("`{text}` is refused: {e}")))?;
        self.check_digest(entry, &next)?;
        self.position = next;
        self.done += 1;
        Ok(Some((line, facts)))
    }

    /// Checks that the digest of an entry is that of `after`, the position after it.
    ///
    /// # Errors
    ///
    /// Fails if it is not.
    fn check_digest(&self, entry: &RecordEntry, after: &Position<G>) -> Result<(), RecordError> {
        let digest = after.digest().to_string();
        if digest == entry.digest {
            return Ok(());
        }
        let line = Record::line_of(entry);
        Err(RecordError::at(line, format!("the digest is {}, and it should be {digest}", entry.digest)))
    }

    /// Replays forwards until `events` events have been replayed in total, or to the end of the record, and
    /// returns the position reached. Never goes back: if that number has been replayed already, nothing
    /// happens.
    ///
    /// # Errors
    ///
    /// Fails at the first wrong event; the replay then stands before it.
    pub fn to(&mut self, events: usize) -> Result<&Position<G>, RecordError> {
        while self.done < events && self.step()?.is_some() {}
        Ok(&self.position)
    }

    /// Returns the current position and ends the replay.
    pub fn into_position(self) -> Position<G> {
        self.position
    }
}

/// The result of a verified record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VerifiedGame {
    /// Number of events.
    pub events: usize,
    /// The outcome of the game.
    pub outcome: Outcome,
}

/// Checks a complete record: every event is legal, every digest is right, and the game is over at the end.
/// Replays it as the observer whose annexes it contains. Returns the number of events and the outcome.
///
/// # Errors
///
/// Fails if the header does not fit the game, at the first wrong event, or if the game is not over.
pub fn verify<G: Game>(record: &Record) -> Result<VerifiedGame, RecordError> {
    let mut replay = Replay::<G>::start(record)?;
    let events = record.entries.len();
    replay.to(events)?;
    let end = RecordError::at(events + 1, "");
    let over = replay.position.node() == Node::Over;
    match replay.position.outcome().filter(|_| over) {
        Some(outcome) => Ok(VerifiedGame { events, outcome }),
        None => {
            let awaited = node_text::<G>(replay.position.node());
            Err(RecordError { what: format!("the record breaks off here: awaited is {awaited}"), ..end })
        }
    }
}
