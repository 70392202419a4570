//! One game under way, and the way back.

use super::answer::{Refused, outcome};
use pentarchy_engine::any::AnyPosition;
use pentarchy_engine::record::Record;
use pentarchy_engine::{Chance, Node, Observer, Rng};
use serde_json::{Value, json};
use std::collections::VecDeque;

/// How many commands can be taken back.
const MOST_UNDO: usize = 4_096;
/// More events than this without anybody being asked are an endless loop.
const MOST_EVENTS: usize = 1_000_000;

/// A game under way.
#[derive(Clone)]
pub(super) struct Table {
    now: Moment,
    past: VecDeque<Moment>,
    /// Whether revelations and duties happen by themselves.
    auto: bool,
    record: Option<Record>,
}

/// All that changes.
#[derive(Clone)]
struct Moment {
    position: Box<dyn AnyPosition>,
    /// Nature, unless the program answers for it.
    rng: Option<Rng>,
    events: usize,
}

impl Table {
    /// A game that begins, or goes on, here. Gives the events that happen at once.
    pub(super) fn begin(
        position: Box<dyn AnyPosition>,
        seed: Option<u64>,
        auto: bool,
        record: Option<Record>,
    ) -> Result<(Self, Vec<String>), Refused> {
        let now = Moment { position, rng: seed.map(Rng::new), events: 0 };
        let mut table = Table { now, past: VecDeque::new(), auto, record };
        let mut happened = Vec::new();
        table.settle(&mut happened)?;
        Ok((table, happened))
    }

    pub(super) fn position(&self) -> &dyn AnyPosition {
        &*self.now.position
    }

    /// The record, unless the game began in the middle.
    pub(super) fn record(&self) -> Result<&Record, Refused> {
        self.record.as_ref().ok_or_else(|| Refused::rules("a loaded game has no record"))
    }

    /// What is awaited.
    pub(super) fn status(&self) -> Value {
        let position = self.position();
        json!({
            "node": position.node_text(),
            "seat": position.actor(),
            "events": self.now.events,
            "outcome": outcome(position.outcome()),
        })
    }

    /// Changes the game and lets happen what then happens by itself. On `Err` nothing has changed.
    pub(super) fn change(
        &mut self,
        change: impl FnOnce(&mut dyn AnyPosition, Option<&mut Rng>) -> Result<(), Refused>,
    ) -> Result<Vec<String>, Refused> {
        let before = self.now.clone();
        let recorded = self.record.as_ref().map(|r| r.entries.len());
        let mut happened = Vec::new();
        let done = change(&mut *self.now.position, self.now.rng.as_mut()).and_then(|()| {
            self.note(&mut happened);
            self.settle(&mut happened)
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

    /// Takes back the last commands that changed the game.
    pub(super) fn undo(&mut self, count: usize) -> Result<(), Refused> {
        let Some(back) = self.past.len().checked_sub(count) else {
            let can = self.past.len();
            return Err(Refused::rules(format_args!("only {can} commands can be taken back")));
        };
        let mut gone = self.past.split_off(back);
        if let Some(now) = gone.pop_front() {
            self.now = now;
        }
        let events = self.now.events;
        self.cut_record(Some(events));
        Ok(())
    }

    fn cut_record(&mut self, entries: Option<usize>) {
        if let (Some(record), Some(entries)) = (&mut self.record, entries) {
            record.entries.truncate(entries);
        }
    }

    /// Does what nobody has to answer: revelations and duties, and nature if there is a seed.
    fn settle(&mut self, happened: &mut Vec<String>) -> Result<(), Refused> {
        for _ in 0..MOST_EVENTS {
            let by_itself = match self.now.position.node() {
                Node::Decide(_) | Node::Over => false,
                Node::Chance(_) | Node::Rearrange { .. } => self.now.rng.is_some(),
                Node::Declare(_) | Node::Reveal { .. } => self.auto,
            };
            // Who sees only a part of the game must be told what happens.
            if !by_itself || self.now.position.observer() != Observer::All {
                return Ok(());
            }
            // Neither a duty nor a revelation draws from it.
            let mut idle = Rng::new(0);
            self.now.position.advance(self.now.rng.as_mut().unwrap_or(&mut idle))?;
            self.note(happened);
        }
        Err(Refused::rules(format_args!("nobody is asked for {MOST_EVENTS} events")))
    }

    /// Writes down what has just happened.
    fn note(&mut self, happened: &mut Vec<String>) {
        self.now.events += 1;
        happened.extend(self.now.position.last_event());
        if let Some(record) = &mut self.record {
            let n = u32::try_from(self.now.events).unwrap_or(u32::MAX);
            record.entries.extend(self.now.position.last_entry(n));
        }
    }
}

/// What a chance node is called in the text of its outcome.
pub(super) fn word(node: Node) -> Option<&'static str> {
    match node {
        Node::Chance(Chance::Roll { .. }) => Some("roll"),
        Node::Chance(Chance::Pick { .. }) => Some("pick"),
        Node::Chance(Chance::Shuffle { .. }) => Some("shuffle"),
        Node::Rearrange { .. } => Some("rearrange"),
        Node::Reveal { .. } => Some("reveal"),
        Node::Decide(_) | Node::Declare(_) | Node::Over => None,
    }
}
