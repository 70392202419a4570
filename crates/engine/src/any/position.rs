//! The type-erased form of a game in progress.

use super::{AnyError, AnyGame, AnyPosition, LegalAction, any, data};
use crate::describe::Describe;
use crate::digest::Digest;
use crate::facts::{AppliedEvent, EventFacts};
use crate::game::Game;
use crate::heuristic::{Heuristic, best_rated, rate_actions};
use crate::node::Node;
use crate::notation::{self, ParseError};
use crate::outcome::Outcome;
use crate::position::{LoggedEventOf, Observer, Position};
use crate::record::RecordEntry;
use crate::rejected::RuleError;
use crate::rng::Rng;
use crate::seat::Seat;
use crate::token::Token;
use std::any::Any;
use std::sync::Arc;

/// The error of a decision with an empty list, which the rules never produce.
const NO_ACTION: RuleError = RuleError::new("a decision without a legal action");

/// A position and the event that led to it.
#[derive(Clone)]
pub(super) struct ErasedPosition<G: Game> {
    pub(super) now: Position<G>,
    last: Option<Arc<LastEvent<G>>>,
}

/// The last event of a type-erased position with the game's types: see [`AnyPosition::last_typed`].
pub struct LastEvent<G: Game> {
    /// The position before the event.
    pub before: Position<G>,
    /// The event.
    pub line: LoggedEventOf<G>,
    /// What the rules did.
    pub facts: Vec<G::Fact>,
}

/// Returns the type-erased form of a position, without a last event.
pub fn erase<G: Game + Describe + Heuristic>(position: Position<G>) -> Box<dyn AnyPosition> {
    Box::new(ErasedPosition::new(position))
}

impl<G: Game> ErasedPosition<G> {
    /// Creates an erased position without a last event.
    pub(super) fn new(position: Position<G>) -> Self {
        ErasedPosition { now: position, last: None }
    }

    /// Applies `change` to a copy of the position. If it succeeds, the copy becomes the position, and the
    /// returned logged event and facts become the last event; else nothing changes.
    ///
    /// # Errors
    ///
    /// Fails exactly if `change` does.
    fn change<E>(
        &mut self,
        change: impl FnOnce(&mut Position<G>) -> Result<EventFacts<G>, E>,
    ) -> Result<(), E> {
        let mut next = self.now.clone();
        let (line, facts) = change(&mut next)?;
        self.follow(next, line, facts);
        Ok(())
    }

    /// Replaces the position by `next` and remembers `line` and `facts` as the last event, with the old
    /// position before it. Checks nothing.
    pub(super) fn follow(&mut self, next: Position<G>, line: LoggedEventOf<G>, facts: Vec<G::Fact>) {
        let before = std::mem::replace(&mut self.now, next);
        self.last = Some(Arc::new(LastEvent { before, line, facts }));
    }
}

/// Returns a copy that knows only what `observer` may know. It never knows more than `position` does;
/// `Observer::All` gives an exact copy, with the observer of `position`.
fn through<G: Game>(position: &Position<G>, observer: Observer) -> Position<G> {
    match observer {
        Observer::All => position.clone(),
        Observer::Seat(seat) => position.view(seat),
        Observer::Spectator => position.spectator(),
    }
}

impl<G: Game + Describe + Heuristic> AnyPosition for ErasedPosition<G> {
    /// Returns the type-erased form of `G`.
    fn game(&self) -> &'static dyn AnyGame {
        any::<G>()
    }

    /// Returns the number of seats.
    fn seats(&self) -> u8 {
        self.now.seats()
    }

    /// Returns the observer.
    fn observer(&self) -> Observer {
        self.now.observer()
    }

    /// Returns the awaited node.
    fn node(&self) -> Node {
        self.now.node()
    }

    /// Formats the awaited node, like `decide 0` or `shuffle deck`.
    fn node_text(&self) -> String {
        notation::node_text::<G>(self.now.node())
    }

    /// Returns the legal actions of the acting seat in the order of the rules. Their texts say only what that
    /// seat knows, also in a position of the simulator.
    ///
    /// # Errors
    ///
    /// Fails if no seat is to act, or, in a game with tokens, if this observer is another seat or a
    /// spectator.
    fn legal(&self) -> Result<Vec<LegalAction>, AnyError> {
        let mut list = Vec::new();
        self.now.legal(&mut list)?;
        // Labels are for the acting seat: describe only what it knows, even in a position of the simulator.
        let view = self.now.actor().map(|seat| self.now.view(seat));
        let view = view.as_ref().unwrap_or(&self.now);
        let choice = |action: &G::Action| LegalAction {
            canonical: action.to_string(),
            spoken: view.format_action(*action),
            label: G::label(view, *action),
            kind: G::kind(*action),
        };
        Ok(list.iter().map(choice).collect())
    }

    /// Returns the canonical text of the only legal action of the declaring seat.
    ///
    /// # Errors
    ///
    /// Fails if no declaration is awaited, if, in a game with tokens, this observer is another seat or a
    /// spectator, or if the rules list no action.
    fn duty(&self) -> Result<String, AnyError> {
        match self.now.node() {
            Node::Declare(seat) => Ok(self.now.duty(seat, &mut Vec::new())?.to_string()),
            _ => Err(RuleError::new("no declaration is awaited").into()),
        }
    }

    /// Applies an action of the acting seat, given in spoken or canonical text, as the last event. The
    /// observer need not be that seat. On `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if no seat is to act, if the text is no action, if this observer lacks a face that the action
    /// shows, or if the rules reject it.
    fn play(&mut self, text: &str) -> Result<(), AnyError> {
        if self.now.actor().is_none() {
            let why = if self.now.node() == Node::Over { "the game is over" } else { "nobody is asked now" };
            return Err(RuleError::new(why).into());
        }
        let action =
            self.now.parse_any(text).ok_or_else(|| ParseError::new(text.trim(), "an action of this game"))?;
        Ok(self.change(|p| p.play_facts(action))?)
    }

    /// Resolves the awaited node as the text says ([`Position::script`]), as the last event. On `Err` nothing
    /// has changed.
    ///
    /// # Errors
    ///
    /// Fails if the text does not fit the node, if a seat is to act or the game is over, if this observer
    /// lacks a face, if something is to be shuffled, rearranged or cast and this is not the position of the
    /// simulator, or if the rules reject the event.
    #[cfg(feature = "inspect")]
    fn chance(&mut self, text: &str) -> Result<(), AnyError> {
        self.change(|p| {
            let before = p.clone();
            let line = p.script(text)?;
            let facts = before.facts(&line);
            Ok((line, facts))
        })
    }

    /// Resolves the awaited node, as the last event, and returns `true` if it needs no decision; returns
    /// `false` at a decision or at the end. On `Err` nothing but `rng` has changed.
    ///
    /// # Errors
    ///
    /// Fails if this observer lacks a face, if something is to be shuffled, rearranged or cast and this is
    /// not the position of the simulator, if a seat is to declare in a game with tokens and this observer is
    /// neither that seat nor the simulator, or if the rules reject the event.
    fn advance(&mut self, rng: &mut Rng) -> Result<bool, AnyError> {
        let mut next = self.now.clone();
        let Some((line, facts)) = next.advance_facts(rng)? else { return Ok(false) };
        self.follow(next, line, facts);
        Ok(true)
    }

    /// Returns the canonical text of the last event; `None` if there is none.
    fn last_event(&self) -> Option<String> {
        self.last.as_ref().map(|last| notation::event_text::<G>(last.before.node(), last.line.event))
    }

    /// Returns the last event as entry `n` of a full record, with the digest of this position; `None` if
    /// there is none.
    fn last_entry(&self, n: u32) -> Option<RecordEntry> {
        let last = self.last.as_ref()?;
        Some(RecordEntry::of::<G>(n, last.before.node(), &last.line, self.now.digest()))
    }

    /// Describes the last event for the log of `observer`, from what both they and this position know; `None`
    /// if there is none, or it needs no entry.
    fn last_log(&self, observer: Observer) -> Option<String> {
        let last = self.last.as_ref()?;
        let (before, after) = (through(&last.before, observer), through(&self.now, observer));
        let line = match observer {
            Observer::All => last.line.clone(),
            Observer::Seat(seat) => last.line.for_seat(Some(seat)),
            Observer::Spectator => last.line.for_seat(None),
        };
        G::log(&AppliedEvent { before: &before, line: &line, facts: &last.facts, after: &after })
    }

    /// Returns the canonical text of a uniformly random legal action. The position does not change.
    ///
    /// # Errors
    ///
    /// Fails if no seat is to act, or, in a game with tokens, if this observer is another seat or a
    /// spectator.
    fn choose_random(&self, rng: &mut Rng) -> Result<String, AnyError> {
        let mut list = Vec::new();
        self.now.legal(&mut list)?;
        let action = rng.choose(&list).ok_or(NO_ACTION)?;
        Ok(action.to_string())
    }

    /// Returns the canonical text of the legal action that the heuristic rates highest; ties are broken by
    /// `rng`. The position does not change.
    ///
    /// # Errors
    ///
    /// Fails if no seat is to act, or, in a game with tokens, if this observer is another seat or a
    /// spectator.
    fn choose_best_rated(&self, rng: &mut Rng) -> Result<String, AnyError> {
        let (mut list, mut ratings) = (Vec::new(), Vec::new());
        self.now.legal(&mut list)?;
        rate_actions(&self.now, &list, &mut ratings);
        let action = best_rated(&ratings, rng).and_then(|best| list.get(best)).ok_or(NO_ACTION)?;
        Ok(action.to_string())
    }

    /// Returns a copy that knows only what `observer` may know and this position knows, without a last event.
    /// `Observer::All` keeps this position's observer.
    fn seen_by(&self, observer: Observer) -> Box<dyn AnyPosition> {
        Box::new(ErasedPosition::new(through(&self.now, observer)))
    }

    /// Returns the public state with exactly these private faces, as the view of `seat`, without a last
    /// event. Nothing is checked; numbers that are no tokens are skipped.
    fn knowing(&self, seat: Seat, faces: &[(Token, u8)]) -> Box<dyn AnyPosition> {
        let mut view = Position::from_state(self.now.state().clone(), Observer::Seat(seat));
        for &(t, face) in faces {
            if let Some(known) = view.faces.face.as_mut().get_mut(t.index()) {
                *known = face;
            }
        }
        Box::new(ErasedPosition::new(view))
    }

    /// Returns the public state as readable data.
    #[cfg(feature = "inspect")]
    fn picture(&self) -> serde_json::Value {
        self.now.state().picture()
    }

    /// Returns the position with its observer and private faces as JSON, without the last event.
    #[cfg(feature = "inspect")]
    fn save(&self) -> serde_json::Value {
        super::json::save(&self.now)
    }

    /// Returns the position with its observer and private faces as bytes, without the last event.
    fn to_bytes(&self) -> Vec<u8> {
        data::to_bytes(&self.now)
    }

    /// Returns the digest of the public state.
    fn digest(&self) -> Digest {
        self.now.digest()
    }

    /// Returns the final ranking and scores; `None` until the game is over.
    fn outcome(&self) -> Option<Outcome> {
        self.now.outcome()
    }

    /// Draws the table as lines of text, with the faces that this observer knows.
    #[cfg(feature = "inspect")]
    fn table(&self) -> String {
        G::table(&self.now)
    }

    /// Returns one sentence that says which seat must do what now.
    fn awaited(&self) -> String {
        G::awaited(&self.now)
    }

    /// Returns the [`Position`] of `G`, for a downcast.
    fn typed(&self) -> &dyn Any {
        &self.now
    }

    /// Returns the [`LastEvent`] of `G`, for a downcast; `None` if there is none.
    fn last_typed(&self) -> Option<&dyn Any> {
        self.last.as_deref().map(|last| last as &dyn Any)
    }

    /// Returns a copy with the same observer and last event.
    fn clone_box(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }
}
