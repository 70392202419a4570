//! Facts: what the rules did while they applied an event, in the words of the game.
//!
//! Facts are derived from the event, like the next state. They are never hashed, recorded or sent. The log,
//! the panels of the page and the lab read them instead of computing a rule a second time.

use crate::claims::Claim;
use crate::face::Face;
use crate::game::Game;
use crate::position::{LoggedEventOf, Position};
use crate::rejected::RuleError;
use crate::rng::Rng;

/// The claims and facts of one event, in the order in which the rules stated them.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace<F: Face, X> {
    /// The claims about hidden faces.
    pub claims: Vec<Claim<F>>,
    /// The facts.
    pub facts: Vec<X>,
}

/// The trace type of a game.
pub type TraceOf<G> = Trace<<G as Game>::Face, <G as Game>::Fact>;

impl<F: Face, X> Trace<F, X> {
    /// Creates an empty trace.
    pub(crate) const fn new() -> Self {
        Trace { claims: Vec::new(), facts: Vec::new() }
    }

    /// Calls `fact` and appends the result. Out of line, so that the rules stay small where no fact is
    /// recorded.
    #[cold]
    #[inline(never)]
    pub(crate) fn add(&mut self, fact: impl FnOnce() -> X) {
        self.facts.push(fact());
    }
}

/// A logged event and what the rules did when it was applied, in order.
pub type EventFacts<G> = (LoggedEventOf<G>, Vec<<G as Game>::Fact>);

/// An event that was applied, as one observer sees it. Texts, panels and reports are written from it.
#[derive(Debug)]
pub struct AppliedEvent<'a, G: Game> {
    /// The position before the event.
    pub before: &'a Position<G>,
    /// The event, with the annexes of this observer only.
    pub line: &'a LoggedEventOf<G>,
    /// What the rules did. Equal for all observers.
    pub facts: &'a [G::Fact],
    /// The position after the event.
    pub after: &'a Position<G>,
}

impl<G: Game> Clone for AppliedEvent<'_, G> {
    /// Copies the references.
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for AppliedEvent<'_, G> {}

impl<G: Game> Position<G> {
    /// Checks a logged event, applies it, and returns the facts of the rules in the order in which they
    /// happened. Claims about faces that this observer does not know are checked against public information
    /// only. On `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Rejects an event that does not resolve the awaited node, that the rules refuse, or that contradicts
    /// what this observer knows. If [`missing_face`](RuleError::missing_face) is set, the event lacks a face
    /// or an annex that this observer is entitled to.
    pub fn apply_facts(&mut self, line: &LoggedEventOf<G>) -> Result<Vec<G::Fact>, RuleError> {
        self.apply_traced(line).map(|trace| trace.facts)
    }

    /// Applies an action of the acting seat, given with its secret choice, and returns the logged event and
    /// what the rules did, in order. The event is in its public form; a secret choice is in the annex of the
    /// acting seat, which the caller must cut before other seats get it
    /// ([`LoggedEvent::for_seat`](crate::LoggedEvent::for_seat)). Claims about faces that this observer does
    /// not know are checked against public information only. Does not check that this observer is the acting
    /// seat. On `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if no seat is to act, with the reason of the rules if the action is illegal, or if this observer
    /// lacks a face that the action shows.
    pub fn play_facts(&mut self, action: G::Action) -> Result<EventFacts<G>, RuleError> {
        self.play_traced(action).map(|(line, trace)| (line, trace.facts))
    }

    /// Resolves the awaited chance, reveal or rearrange node, applies the result, and returns the logged
    /// event with all annexes and what the rules did, in order. `rng` draws the roll, the pick, the dice of a
    /// cast, or the order of a shuffle or rearrangement; a reveal draws nothing. After an error the position
    /// must be discarded.
    ///
    /// # Errors
    ///
    /// Fails if a seat is to decide or declare, if the game is over, if this observer lacks a face, if
    /// something is to be shuffled, rearranged or cast and this is not the simulator's position, or if the
    /// rules reject the event.
    pub fn resolve_facts(&mut self, rng: &mut Rng) -> Result<EventFacts<G>, RuleError> {
        self.resolve_traced(rng).map(|(line, trace)| (line, trace.facts))
    }

    /// Returns what the rules would do, in order, if the logged event were applied to this position, which
    /// does not change. Empty if the event is rejected.
    pub fn facts(&self, line: &LoggedEventOf<G>) -> Vec<G::Fact> {
        self.clone().apply_facts(line).unwrap_or_default()
    }
}
