//! One match in which nature plays itself.

use crate::setup::{EnvironmentError, Setup, advance, play, reward};
use pentarchy_engine::record::Record;
use pentarchy_engine::{Encode, Heuristic, Node, Position, Rng, RuleError, Seat};
use std::sync::Arc;

/// One match: what awaits a decision, what each seat knows, and, if wanted, its record.
#[derive(Clone)]
pub struct SingleMatch<G: Encode> {
    /// The game, its options and its encoder.
    setup: Arc<Setup<G>>,
    position: Position<G>,
    rng: Rng,
    /// The legal actions of the seat to act; empty at the end.
    list: Vec<G::Action>,
    /// The record, if one is written.
    record: Option<Record>,
}

impl<G: Encode + Heuristic> SingleMatch<G> {
    /// Begins a match and advances it to its first decision; it may be over at once. Writes a record if
    /// `recorded`. Equal seeds and actions give equal matches.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves, or if the options cannot be written to a record.
    pub fn new(setup: Arc<Setup<G>>, seed: u64, recorded: bool) -> Result<Self, EnvironmentError> {
        let position = setup.start.clone();
        let record = recorded.then(|| Record::new::<G>(setup.seats(), &setup.options, Some(seed)));
        let record = record.transpose().map_err(|_| RuleError::new("the options cannot be written"))?;
        let mut new = SingleMatch { setup, position, rng: Rng::new(seed), list: Vec::new(), record };
        new.advance()?;
        Ok(new)
    }

    /// Returns the game, its options and its encoder.
    pub fn setup(&self) -> &Arc<Setup<G>> {
        &self.setup
    }

    /// Returns the position of the simulator, which knows all faces.
    pub fn position(&self) -> &Position<G> {
        &self.position
    }

    /// Returns the legal actions of the seat to act; empty at the end.
    pub fn list(&self) -> &[G::Action] {
        &self.list
    }

    /// Returns the record up to now; `None` if none is written.
    pub fn record(&self) -> Option<&Record> {
        self.record.as_ref()
    }

    /// Returns the seat to act; `None` at the end.
    pub fn seat(&self) -> Option<Seat> {
        self.position.actor()
    }

    /// Returns what a seat has got at the end, by [`reward`]; 0 before it. The seat must take part.
    pub fn reward(&self, seat: Seat) -> f32 {
        self.position.outcome().map_or(0.0, |outcome| reward::<G>(&outcome, seat))
    }

    /// Plays the action with this index in the legal list, lets nature play up to the next decision or the
    /// end, and replaces the list. All events are added to the record, if there is one. On an error about the
    /// index nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if the match is over or there is no such action, or if the rules contradict themselves.
    pub fn step(&mut self, index: usize) -> Result<(), EnvironmentError> {
        let Some(&action) = self.list.get(index) else {
            let count = self.list.len();
            return Err(match self.position.node() {
                Node::Over => EnvironmentError::Over,
                _ => EnvironmentError::Action { index: 0, action: index as i64, count },
            });
        };
        match &mut self.record {
            None => play(&mut self.position, action)?,
            Some(record) => {
                let node = self.position.node();
                let line = self.position.play_line(action)?;
                record.push::<G>(node, &line, self.position.digest());
            }
        }
        Ok(self.advance()?)
    }

    /// Lets nature play up to the next decision or the end, writes its events to the record, if there is one,
    /// and replaces the list by the legal actions (none at the end).
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves.
    fn advance(&mut self) -> Result<(), RuleError> {
        if let Some(record) = &mut self.record {
            let mut node = self.position.node();
            while let Some((line, _)) = self.position.advance_facts(&mut self.rng)? {
                record.push::<G>(node, &line, self.position.digest());
                node = self.position.node();
            }
        }
        advance(&mut self.position, &mut self.rng, &mut self.list)
    }
}
