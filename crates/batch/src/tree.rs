//! A history of a game in which the results of nature are steps too, as in a game tree.

use crate::setup::{EnvironmentError, Setup, reward};
use pentarchy_engine::{Encode, Face, Game, Heuristic, Outcome, Position, Seat};
use pentarchy_testkit::exact::{History, TreeStep, TreeTurn};
use std::sync::Arc;

/// What a state of a game tree waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeAwaits {
    /// A decision of this seat.
    Decision(Seat),
    /// A result of nature.
    Chance,
    /// Nothing.
    Over,
}

/// A state of a game tree: a history, and how it can continue. Hidden faces are drawn when a seat learns
/// them, so that a shuffle has no results of its own ([`History`]).
#[derive(Clone)]
pub struct TreeState<G: Encode> {
    /// The game, its options and its encoder.
    setup: Arc<Setup<G>>,
    history: History<G>,
    turn: TreeTurn<G::Action>,
}

impl<G: Encode + Heuristic> TreeState<G> {
    /// Creates the root of the tree, before anything has happened, in which each result of nature is a step.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves.
    pub fn new(setup: Arc<Setup<G>>) -> Result<Self, EnvironmentError> {
        let history = History::new(&setup.start)?;
        let turn = history.turn()?;
        Ok(TreeState { setup, history, turn })
    }

    /// Returns the game, its options and its encoder.
    pub fn setup(&self) -> &Arc<Setup<G>> {
        &self.setup
    }

    /// Returns the position after all steps so far. Faces that no seat has learned may be unknown in it.
    pub fn position(&self) -> &Position<G> {
        self.history.position()
    }

    /// Returns what the state waits for: a decision of a seat, a result of nature, or nothing at the end.
    pub fn awaits(&self) -> TreeAwaits {
        match self.turn {
            TreeTurn::Chance(_) => TreeAwaits::Chance,
            TreeTurn::Decision(seat, _) => TreeAwaits::Decision(seat),
            TreeTurn::Over(_) => TreeAwaits::Over,
        }
    }

    /// Returns the number of steps that can follow: legal actions, or results of nature; 0 at the end.
    pub fn count(&self) -> usize {
        match &self.turn {
            TreeTurn::Chance(steps) => steps.len(),
            TreeTurn::Decision(_, list) => list.len(),
            TreeTurn::Over(_) => 0,
        }
    }

    /// Returns the legal actions of the deciding seat; empty elsewhere.
    pub fn list(&self) -> &[G::Action] {
        if let TreeTurn::Decision(_, list) = &self.turn { list } else { &[] }
    }

    /// Returns the probabilities of the results of nature, in the order of their steps; they add up to 1.
    /// Empty unless nature is to act.
    pub fn probabilities(&self) -> Vec<f64> {
        let TreeTurn::Chance(steps) = &self.turn else { return Vec::new() };
        let all: f64 = steps.iter().map(|&(_, weight)| f64::from(weight)).sum();
        steps.iter().map(|&(_, weight)| f64::from(weight) / all).collect()
    }

    /// Returns a text for the step with this index: the action in words, `result: 4` for a number of nature
    /// (from 1), or `#5: king` for the face that a token turns out to have. `None` if there is no such step.
    pub fn step_text(&self, index: usize) -> Option<String> {
        Some(match *self.turn.steps().get(index)? {
            TreeStep::Act(action) => self.position().format_action(action),
            TreeStep::Number(n) => format!("result: {}", n + 1),
            TreeStep::Face(t, face) => format!("{t}: {}", <G as Game>::Face::nth(face)),
        })
    }

    /// Moves to the state after the step with this index. On any error nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if the match is over or there is no such step, or if the rules contradict themselves.
    pub fn step(&mut self, index: usize) -> Result<(), EnvironmentError> {
        let steps = self.turn.steps();
        let Some(&step) = steps.get(index) else {
            return Err(match self.turn {
                TreeTurn::Over(_) => EnvironmentError::Over,
                _ => EnvironmentError::Action { index: 0, action: index as i64, count: steps.len() },
            });
        };
        let history = self.history.after(step)?;
        self.turn = history.turn()?;
        self.history = history;
        Ok(())
    }

    /// Returns a hash of all that a seat has observed: equal exactly for states that it cannot tell apart,
    /// up to collisions of 64 bits. `None` if there is no such seat.
    pub fn information_set(&self, seat: Seat) -> Option<u64> {
        (seat.0 < self.setup.seats()).then(|| self.history.observed(seat))
    }

    /// Returns the outcome; `None` before the end.
    pub fn outcome(&self) -> Option<Outcome> {
        if let TreeTurn::Over(outcome) = self.turn { Some(outcome) } else { None }
    }

    /// Returns what a seat has got at the end, by [`reward`]; 0 before it. The seat must take part.
    pub fn reward(&self, seat: Seat) -> f32 {
        self.outcome().map_or(0.0, |outcome| reward::<G>(&outcome, seat))
    }
}
