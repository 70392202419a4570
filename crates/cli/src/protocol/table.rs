//! A match of the engine protocol, with undo.

use super::answer::{RequestError, outcome};
use pentarchy_engine::any::AnyPosition;
use pentarchy_engine::record::Record;
use pentarchy_engine::{Chance, Node, Observer, Rng};
use serde_json::{Value, json};
use std::collections::VecDeque;

/// Maximum number of commands that can be undone.
const MOST_UNDO: usize = 4_096;
/// More events than this without a decision count as an endless loop.
const MOST_EVENTS: usize = 1_000_000;

/// A match of the engine protocol.
#[derive(Clone)]
pub(super) struct ProtocolMatch {
    /// The current state.
    now: UndoState,
    /// The states before the last commands that changed the match, oldest first; at most [`MOST_UNDO`].
    past: VecDeque<UndoState>,
    /// Whether reveals and duties are played automatically.
    auto: bool,
    /// The record so far; `None` for a loaded position.
    record: Option<Record>,
}

/// The state that undo restores.
#[derive(Clone)]
struct UndoState {
    /// The position.
    position: Box<dyn AnyPosition>,
    /// The generator of chance; `None` if the client provides it.
    rng: Option<Rng>,
    /// Number of events so far.
    events: usize,
}

impl ProtocolMatch {
    /// Creates a match at this position and plays at once what needs no decision; returns it with the texts of these
    /// events. With a seed, chance is resolved from it; `auto` says whether reveals and duties are played by
    /// themselves. Events are appended to `record` if given. These events cannot be undone.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event, or after [`MOST_EVENTS`] events without a decision.
    pub(super) fn begin(
        position: Box<dyn AnyPosition>,
        seed: Option<u64>,
        auto: bool,
        record: Option<Record>,
    ) -> Result<(Self, Vec<String>), RequestError> {
        let now = UndoState { position, rng: seed.map(Rng::new), events: 0 };
        let mut table = ProtocolMatch { now, past: VecDeque::new(), auto, record };
        let mut happened = Vec::new();
        table.play_forced(&mut happened)?;
        Ok((table, happened))
    }

    /// Returns the current position.
    pub(super) fn position(&self) -> &dyn AnyPosition {
        &*self.now.position
    }

    /// Returns the record of the match so far.
    ///
    /// # Errors
    ///
    /// Fails if the match was loaded from a position, and has none.
    pub(super) fn record(&self) -> Result<&Record, RequestError> {
        self.record.as_ref().ok_or_else(|| RequestError::rules("a loaded game has no record"))
    }

    /// Returns the status as a JSON object: `node` (the awaited node as text, such as `decide 0`), `seat` (the seat
    /// that decides or declares), `events` (their number since the beginning or since the position was loaded) and
    /// `outcome` (ranks, scores, winners and whether the game was capped). `seat` is null if no seat acts, `outcome`
    /// while the game is not over.
    pub(super) fn status(&self) -> Value {
        let position = self.position();
        json!({
            "node": position.node_text(),
            "seat": position.actor(),
            "events": self.now.events,
            "outcome": outcome(position.outcome()),
        })
    }

    /// Calls `change`, which applies one event to the position (with the generator of chance, if there is one), then
    /// plays what needs no decision. Returns the texts of all events in order. The whole is one step for undo; only the
    /// last 4,096 steps are kept. `change` must apply exactly one event, or fail.
    ///
    /// # Errors
    ///
    /// Fails if `change` fails, an event that follows is rejected, or after [`MOST_EVENTS`] events without a decision.
    /// Then nothing has changed, the generator and the record included.
    pub(super) fn change(
        &mut self,
        change: impl FnOnce(&mut dyn AnyPosition, Option<&mut Rng>) -> Result<(), RequestError>,
    ) -> Result<Vec<String>, RequestError> {
        let before = self.now.clone();
        let recorded = self.record.as_ref().map(|r| r.entries.len());
        let mut happened = Vec::new();
        let done = change(&mut *self.now.position, self.now.rng.as_mut()).and_then(|()| {
            self.record_event(&mut happened);
            self.play_forced(&mut happened)
        });
        match done {
            Ok(()) => {
                self.past.push_back(before);
                if self.past.len() > MOST_UNDO {
                    self.past.pop_front();
                }
                Ok(happened)
            }
            Err(why) => {
                self.now = before;
                self.cut_record(recorded);
                Err(why)
            }
        }
    }

    /// Undoes the last `count` commands (none for 0) that changed the match, with the position, the generator of chance
    /// and the record. They cannot be played again.
    ///
    /// # Errors
    ///
    /// Fails if fewer than `count` commands are remembered: there were fewer, or `count` is above 4,096. Nothing has
    /// changed then.
    pub(super) fn undo(&mut self, count: usize) -> Result<(), RequestError> {
        let Some(back) = self.past.len().checked_sub(count) else {
            let can = self.past.len();
            return Err(RequestError::rules(format_args!("only {can} commands can be taken back")));
        };
        let mut gone = self.past.split_off(back);
        if let Some(now) = gone.pop_front() {
            self.now = now;
        }
        let events = self.now.events;
        self.cut_record(Some(events));
        Ok(())
    }

    /// Truncates the record to its first `entries` entries, so that it fits a position that was restored. Does nothing
    /// without a record or a number, or if the record is shorter.
    fn cut_record(&mut self, entries: Option<usize>) {
        if let (Some(record), Some(entries)) = (&mut self.record, entries) {
            record.entries.truncate(entries);
        }
    }

    /// Plays what needs no decision: reveals and duties if the match is automatic, and chance if there is a seed.
    /// Appends the texts of the events to `happened`. Plays nothing unless the position is the simulator's.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event, or after [`MOST_EVENTS`]. The events before the failure stay applied; the
    /// caller must restore the state.
    fn play_forced(&mut self, happened: &mut Vec<String>) -> Result<(), RequestError> {
        for _ in 0..MOST_EVENTS {
            let by_itself = match self.now.position.node() {
                Node::Decide(_) | Node::Over => false,
                Node::Chance(_) | Node::Rearrange { .. } => self.now.rng.is_some(),
                Node::Declare(_) | Node::Reveal { .. } => self.auto,
            };
            // An observer of a part of the game needs the client to send the events.
            if !by_itself || self.now.position.observer() != Observer::All {
                return Ok(());
            }
            // Neither a duty nor a reveal draws from it.
            let mut idle = Rng::new(0);
            self.now.position.advance(self.now.rng.as_mut().unwrap_or(&mut idle))?;
            self.record_event(happened);
        }
        Err(RequestError::rules(format_args!("no seat had to decide within {MOST_EVENTS} events")))
    }

    /// Counts the last event of the position, appends its text to `happened`, and its entry to the record if there is
    /// one. The caller must call it once after each event.
    fn record_event(&mut self, happened: &mut Vec<String>) {
        self.now.events += 1;
        happened.extend(self.now.position.last_event());
        if let Some(record) = &mut self.record {
            let n = u32::try_from(self.now.events).unwrap_or(u32::MAX);
            record.entries.extend(self.now.position.last_entry(n));
        }
    }
}

/// Returns the word with which the text of an outcome of this node begins: "roll", "pick",
/// "shuffle", "cast", "rearrange" or "reveal". `None` for a node that nature does not resolve.
pub(super) fn chance_word(node: Node) -> Option<&'static str> {
    match node {
        Node::Chance(Chance::Roll { .. }) => Some("roll"),
        Node::Chance(Chance::Pick { .. }) => Some("pick"),
        Node::Chance(Chance::Shuffle { .. }) => Some("shuffle"),
        Node::Chance(Chance::Cast { .. }) => Some("cast"),
        Node::Rearrange { .. } => Some("rearrange"),
        Node::Reveal { .. } => Some("reveal"),
        Node::Decide(_) | Node::Declare(_) | Node::Over => None,
    }
}
