//! The type-erased form of every game: text and JSON in and out, implemented once for all games.
//!
//! [`AnyGame`] is a game before it starts, [`AnyPosition`] a game in progress. Programs that serve all games
//! (the terminal, scenarios, the engine protocol) use these. Code that needs speed or the concrete types uses
//! [`Position`](crate::Position).
//!
//! The feature `inspect` adds what only programs for developers need (replays, JSON states, text
//! tables). The page leaves it out, because every function here is compiled for each game.

mod data;
mod game;
#[cfg(feature = "inspect")]
mod json;
mod peer_view;
mod position;

pub use game::any;
pub use peer_view::{Act, PeerView, RawClaim, RawEvent, RawEventKind, SlipInfo, TokenInfo};
pub use position::{LastEvent, erase};

use crate::digest::Digest;
use crate::game::GameInfo;
use crate::node::Node;
use crate::notation::{ParseError, ScriptError};
use crate::options::{Field, OptionsError, Preset};
use crate::outcome::Outcome;
use crate::position::Observer;
use crate::record::{Record, RecordEntry};
#[cfg(feature = "inspect")]
use crate::record::{RecordError, RecordKind, VerifiedGame};
use crate::rejected::RuleError;
use crate::rng::Rng;
use crate::seat::Seat;
use crate::token::Token;
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// A game by name, without generic types.
pub trait AnyGame: Send + Sync {
    /// Returns name, seats and version of the game.
    fn info(&self) -> GameInfo;

    /// Returns whether the game is a small, well-known one ([`Describe::CLASSIC`](crate::Describe::CLASSIC)).
    fn is_classic(&self) -> bool;

    /// Returns one description per option, in the order of the options. Empty for a game without options.
    fn fields(&self) -> &'static [Field];

    /// Returns the named sets of options, the page's default first; may be empty.
    fn presets(&self) -> &'static [Preset];

    /// Returns all options as JSON. `given` is a table of the fields that differ from the defaults (null for
    /// none); then each pair of `set`, name and value as text, is applied in order. Checks everything for
    /// `seats` seats.
    ///
    /// # Errors
    ///
    /// Fails if a field or value is invalid, or if the game does not allow this combination.
    fn options(&self, seats: u8, given: &Value, set: &[(String, String)]) -> Result<Value, AnyError>;

    /// Returns the rules on one page: plain text, at most 80 columns
    /// ([`Describe::SUMMARY`](crate::Describe::SUMMARY)).
    fn summary(&self) -> &'static str;

    /// Returns the words of all faces in the order of their numbers, each with its card text, or `None` if it
    /// has none. Empty for a game without tokens.
    fn cards(&self) -> Vec<(String, Option<String>)>;

    /// Returns the names of all zones; the index is the number of the zone.
    fn zones(&self) -> Vec<String>;

    /// Returns whether the game has tokens, so that something can lie face down. The same for all positions
    /// of the game.
    fn hides(&self) -> bool;

    /// Creates the initial position, for the simulator, without a last event. `options` is a table of the
    /// options that differ from the defaults; null gives the defaults.
    ///
    /// # Errors
    ///
    /// Fails if the number of seats or the options are invalid.
    fn start(&self, seats: u8, options: &Value) -> Result<Box<dyn AnyPosition>, AnyError>;

    /// Loads a position, with its observer, from data that [`AnyPosition::save`] wrote, perhaps with changes
    /// in the state. Whether the rules could reach the state is not checked. It has no last event.
    ///
    /// # Errors
    ///
    /// Fails if the data cannot be parsed or breaks an invariant of a position.
    #[cfg(feature = "inspect")]
    fn load(&self, data: &Value) -> Result<Box<dyn AnyPosition>, AnyError>;

    /// Loads a position, with its observer, from bytes that [`AnyPosition::to_bytes`] wrote. Whether the
    /// rules could reach the state is not checked. It has no last event.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are malformed, are no position of this game, or its parts contradict each other.
    fn load_bytes(&self, bytes: &[u8]) -> Result<Box<dyn AnyPosition>, AnyError>;

    /// Creates a full record without events. `options` names the options that differ from the defaults; the
    /// header gets all of them. `seed` is the seed of the simulation, if any.
    ///
    /// # Errors
    ///
    /// Fails if an option is invalid. Whether the game allows this number of seats is not checked.
    fn record(&self, seats: u8, options: &Value, seed: Option<u64>) -> Result<Record, AnyError>;

    /// Replays the first `events` events of a record (all if it has fewer) as an observer of this kind, and
    /// checks every one. Calls `each` with the first position and with the position after each event. Returns
    /// the position reached, with its last event.
    ///
    /// # Errors
    ///
    /// Fails at the first event that is not legal, not canonical or has a wrong digest, if the record lacks
    /// the annexes of `kind`, or if its header does not fit the game. `each` has been called for the
    /// positions before it.
    #[cfg(feature = "inspect")]
    fn replay(
        &self,
        record: &Record,
        kind: RecordKind,
        events: usize,
        each: &mut dyn FnMut(&dyn AnyPosition),
    ) -> Result<Box<dyn AnyPosition>, RecordError>;

    /// Checks a complete record: every event is legal, every digest is right, and the game is over at the
    /// end. Returns the number of events and the outcome.
    ///
    /// # Errors
    ///
    /// Fails if the header does not fit the game, at the first wrong event, and if the game is not over.
    #[cfg(feature = "inspect")]
    fn verify(&self, record: &Record) -> Result<VerifiedGame, RecordError>;
}

impl fmt::Debug for dyn AnyGame {
    /// Writes the name of the game.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)
    }
}

/// A game in progress, seen by one observer, without generic types.
pub trait AnyPosition: PeerView + Send + Sync {
    /// Returns the game.
    fn game(&self) -> &'static dyn AnyGame;

    /// Returns the number of seats.
    fn seats(&self) -> u8;

    /// Returns the observer.
    fn observer(&self) -> Observer;

    /// Returns the awaited node, i.e. the one thing that the rules wait for; [`Node::Over`] at the end.
    fn node(&self) -> Node;

    /// Formats the awaited node: `decide 0`, `declare 1`, `roll 6`, `pick 3`, `shuffle deck`, `cast cup 1`,
    /// `rearrange hand 1 by 1`, `reveal #5 to all`, `reveal back of deck to all`, `over`.
    fn node_text(&self) -> String;

    /// Returns the seat that decides or declares now; `None` if the rules wait for nature or the game is
    /// over.
    fn actor(&self) -> Option<Seat> {
        match self.node() {
            Node::Decide(seat) | Node::Declare(seat) => Some(seat),
            _ => None,
        }
    }

    /// Returns the legal actions of the acting seat in the order of the rules, with texts for that seat.
    ///
    /// # Errors
    ///
    /// Fails if no seat is to act, or, in a game with tokens, if this observer is another seat or a
    /// spectator.
    fn legal(&self) -> Result<Vec<LegalAction>, AnyError>;

    /// Returns the canonical text of the only legal action of the seat that declares now.
    ///
    /// # Errors
    ///
    /// Fails if no declaration is awaited, if, in a game with tokens, this observer is another seat or a
    /// spectator, or if the rules list no action, which breaks the contract of [`Game::legal`](crate::Game::legal).
    fn duty(&self) -> Result<String, AnyError>;

    /// Applies an action of the acting seat, given in spoken or canonical text, and remembers it as the last
    /// event. Canonical text has priority, and faces in spoken text stand for tokens that the actor knows.
    /// Does not check that this observer is the acting seat: what the action claims about faces that this
    /// observer does not know is checked against public information only. On `Err` nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if no seat is to act, if the text is not an action, if this observer lacks a face that the
    /// action shows, or if the rules reject it.
    fn play(&mut self, text: &str) -> Result<(), AnyError>;

    /// Resolves a chance, reveal or rearrange node as the text says
    /// ([`Position::script`](crate::Position::script)): `roll: 4`, `pick: 2`, `shuffle: hr bear` (faces from
    /// the top; the rest follows by number), `cast: 3 3 5` (a face for every die), `rearrange: bear hr`;
    /// empty for a reveal. The word before the colon is not checked. Remembers it as the last event. On `Err`
    /// nothing has changed.
    ///
    /// # Errors
    ///
    /// Fails if the text cannot be parsed or does not fit the awaited node, if a seat is to decide or
    /// declare, if the game is over, if this observer lacks a face, if something is to be shuffled,
    /// rearranged or cast and this is not the position of the simulator, or if the rules reject the event.
    #[cfg(feature = "inspect")]
    fn chance(&mut self, text: &str) -> Result<(), AnyError>;

    /// Resolves the awaited node if it needs no decision, remembers it as the last event, and returns `true`:
    /// chance, a shuffle or a rearrangement with numbers from `rng`, a reveal, or a declaration by its only
    /// legal action. Returns `false` and changes nothing at a decision or at the end. On `Err` nothing but
    /// `rng` has changed.
    ///
    /// # Errors
    ///
    /// Fails if this observer lacks a face, if something is to be shuffled, rearranged or cast and this is
    /// not the position of the simulator, if a seat is to declare in a game with tokens and this observer is
    /// neither that seat nor the simulator, or if the rules reject the event.
    fn advance(&mut self, rng: &mut Rng) -> Result<bool, AnyError>;

    /// Resolves all nodes that need no decision, up to the next decision or the end: chance, shuffles and
    /// rearrangements with numbers from `rng`, reveals, and declarations by their only legal action. The last
    /// event is then the last of them. Changes nothing if a decision or the end is reached already.
    ///
    /// # Errors
    ///
    /// Fails if this observer lacks a face, if something is to be shuffled, rearranged or cast and this is
    /// not the position of the simulator, if a seat is to declare in a game with tokens and this observer is
    /// neither that seat nor the simulator, or if the rules reject an event. Nodes before the one that failed
    /// stay resolved.
    fn settle(&mut self, rng: &mut Rng) -> Result<(), AnyError> {
        while self.advance(rng)? {}
        Ok(())
    }

    /// Returns the canonical text of the event that led to this position; `None` if no event was applied to
    /// it, as in a copy by [`seen_by`](Self::seen_by).
    fn last_event(&self) -> Option<String>;

    /// Returns the last event as entry number `n` (from 1) of a full record, with the digest of this
    /// position; `None` if no event was applied to it.
    fn last_entry(&self, n: u32) -> Option<RecordEntry>;

    /// Describes the last event for the log of `observer`, who gets no more than this position knows; `None`
    /// if it needs no entry or there is no last event. `Observer::All` gives all that this position knows.
    fn last_log(&self, observer: Observer) -> Option<String>;

    /// Returns the canonical text of a random legal action; all are equally likely. The position does not
    /// change.
    ///
    /// # Errors
    ///
    /// Fails if no seat is to act, or, in a game with tokens, if this observer is another seat or a
    /// spectator.
    fn choose_random(&self, rng: &mut Rng) -> Result<String, AnyError>;

    /// Returns the canonical text of the legal action that the game's [`Heuristic`](crate::Heuristic) rates
    /// highest with what the acting seat knows; equal ratings are decided by `rng`. The position does not
    /// change. A bot that takes over a seat between peers plays this, so it is part of the protocol.
    ///
    /// # Errors
    ///
    /// Fails if no seat is to act, or, in a game with tokens, if this observer is another seat or a
    /// spectator.
    fn choose_best_rated(&self, rng: &mut Rng) -> Result<String, AnyError>;

    /// Returns a copy that knows only what `observer` may know, and never more than this position does. Its
    /// observer is `observer`; `Observer::All` keeps this position's observer. It has no last event. Whether
    /// the game has the seat of `observer` is not checked.
    fn seen_by(&self, observer: Observer) -> Box<dyn AnyPosition>;

    /// Returns a copy that knows only what a seat may know, and never more than this position does. It has no
    /// last event. Whether the game has this seat is not checked.
    fn view(&self, seat: Seat) -> Box<dyn AnyPosition> {
        self.seen_by(Observer::Seat(seat))
    }

    /// Returns a copy that knows only public faces, and has no last event.
    fn spectator(&self) -> Box<dyn AnyPosition> {
        self.seen_by(Observer::Spectator)
    }

    /// Returns the public state as the view of a seat that knows exactly the given private faces: tokens with
    /// the numbers of their faces, for a peer that learned them elsewhere. The caller guarantees that the
    /// faces are true and complete; nothing is checked, and numbers that are no tokens are skipped. The copy
    /// has no last event.
    fn knowing(&self, seat: Seat, faces: &[(Token, u8)]) -> Box<dyn AnyPosition>;

    /// Returns the public state as readable data ([`Describe::picture`](crate::Describe::picture)).
    #[cfg(feature = "inspect")]
    fn picture(&self) -> Value;

    /// Returns the complete position with the private faces of this observer, for [`AnyGame::load`]. The last
    /// event is not part of it.
    #[cfg(feature = "inspect")]
    fn save(&self) -> Value;

    /// Returns the complete position with the private faces of this observer in few bytes, for
    /// [`AnyGame::load_bytes`]. The log that led to it is not part of it.
    fn to_bytes(&self) -> Vec<u8>;

    /// Returns the digest of the public state: equal for all observers of equal positions, on all platforms.
    fn digest(&self) -> Digest;

    /// Returns the final ranking and scores; `None` until the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Draws the table as lines of text, with the faces that this observer knows.
    #[cfg(feature = "inspect")]
    fn table(&self) -> String;

    /// Returns one sentence that says which seat must do what now; seats are written `@0`.
    fn awaited(&self) -> String;

    /// Returns the `Position<G>` of the game's type `G` ([`Position`](crate::Position)), for a downcast.
    fn typed(&self) -> &dyn std::any::Any;

    /// Returns the typed [`LastEvent`] that led to this position, for a downcast; `None` if no event was
    /// applied to it.
    fn last_typed(&self) -> Option<&dyn std::any::Any>;

    /// Returns a copy with the same observer and last event.
    fn clone_box(&self) -> Box<dyn AnyPosition>;
}

impl Clone for Box<dyn AnyPosition> {
    /// Returns a copy with the same observer and last event.
    fn clone(&self) -> Self {
        self.clone_box()
    }
}

impl fmt::Debug for dyn AnyPosition {
    /// Writes the name of the game and the awaited node: `kuhn at decide 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.game().info().name, self.node_text())
    }
}

/// One entry of a list of legal actions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LegalAction {
    /// The canonical text, which names tokens.
    pub canonical: String,
    /// The spoken text, which names faces.
    pub spoken: String,
    /// The effect, in words for a person.
    pub label: String,
    /// The heading of this action in a long list.
    pub kind: &'static str,
}

/// An error of a game without generic types.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnyError {
    /// The options are invalid.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A text could not be parsed.
    #[error(transparent)]
    Unreadable(#[from] ParseError),
    /// The rules rejected an event.
    #[error(transparent)]
    Rejected(#[from] RuleError),
    /// A position that was given as data breaks an invariant.
    #[error("this is no position of the game: {0}")]
    Position(String),
}

impl From<ScriptError> for AnyError {
    /// Wraps the error of the script: of its text, or of the rules.
    fn from(error: ScriptError) -> Self {
        match error {
            ScriptError::Unreadable(e) => AnyError::Unreadable(e),
            ScriptError::Rejected(e) => AnyError::Rejected(e),
        }
    }
}
