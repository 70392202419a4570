//! The type-erased form of every game: text and JSON in and out, implemented once for all.
//!
//! [`AnyGame`] is what a game is before it is played; [`AnyPosition`] is one game under way. Programs that
//! serve all games (the terminal, scenarios, other languages) use these; whoever needs speed or the concrete
//! types uses [`Position`](crate::Position).

/// Whether only what a table of peers asks is there: no simulations, scenarios, soaks, states as data, text tables.
const SLIM: bool = cfg!(feature = "slim");
/// What the rest says then.
const LEFT_OUT: &str = "this is not in the slim build";

mod data;
mod followed;
mod game;
mod position;
mod simulate;

pub use followed::{Act, Fact, Followed, PlainClaim, PlainEvent, PlainLine, SlipFact};
pub use game::any;
pub use simulate::{Bot, Plan, Tally};

use crate::conformance::{Soak, SoakReport, Violation};
use crate::digest::Digest;
use crate::game::GameInfo;
use crate::node::Node;
use crate::notation::{ParseError, ScriptError};
use crate::options::{Field, OptionsError, Preset};
use crate::outcome::Outcome;
use crate::position::Observer;
use crate::record::{Entry, Kind, Record, RecordError, Verdict};
use crate::rejected::Rejected;
use crate::rng::Rng;
use crate::scenario::{self, Scenario};
use crate::seat::Seat;
use crate::token::Token;
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use std::ops::Range;

/// A game by name, without its types.
pub trait AnyGame: Send + Sync {
    /// What the game is.
    fn info(&self) -> GameInfo;

    /// One row for each option.
    fn fields(&self) -> &'static [Field];

    /// Named sets of options.
    fn presets(&self) -> &'static [Preset];

    /// All options, those given (a table that names only what differs, then single settings as text) in
    /// place of their defaults, checked for so many seats.
    fn options(&self, seats: u8, given: &Value, set: &[(String, String)]) -> Result<Value, AnyError>;

    /// The rules on one page.
    fn summary(&self) -> &'static str;

    /// The words of all faces with the texts of those that have one.
    fn cards(&self) -> Vec<(String, Option<String>)>;

    /// The names of all zones.
    fn zones(&self) -> Vec<String>;

    /// Whether anything can lie face down.
    fn hides(&self) -> bool;

    /// The first position, seen by the simulator.
    fn start(&self, seats: u8, options: &Value) -> Result<Box<dyn AnyPosition>, AnyError>;

    /// A position that [`AnyPosition::save`] gave, or one with differences in its state.
    fn load(&self, data: &Value) -> Result<Box<dyn AnyPosition>, AnyError>;

    /// A position that [`AnyPosition::to_bytes`] gave.
    ///
    /// # Errors
    /// If the bytes are no position of this game, or its parts contradict each other.
    fn from_bytes(&self, bytes: &[u8]) -> Result<Box<dyn AnyPosition>, AnyError>;

    /// Plays some games of a simulation and counts what happened. Game number i of a seed is the same
    /// whoever plays it, so any division of the work gives the same sums.
    fn simulate(&self, plan: &Plan, games: Range<u64>, tally: &mut Tally) -> Result<(), AnyError>;

    /// A full record of a game in which nothing has happened yet.
    fn record(&self, seats: u8, options: &Value, seed: Option<u64>) -> Result<Record, AnyError>;

    /// Follows a record with the eyes of somebody who may know its annexes, to so many events or its end,
    /// checking every line. `each` sees the first position and that after each event.
    fn replay(
        &self,
        record: &Record,
        kind: Kind,
        events: usize,
        each: &mut dyn FnMut(&dyn AnyPosition),
    ) -> Result<Box<dyn AnyPosition>, RecordError>;

    /// Checks a whole record.
    fn verify(&self, record: &Record) -> Result<Verdict, RecordError>;

    /// Runs a ruling as an example.
    fn scenario(&self, scenario: &Scenario) -> scenario::Report;

    /// Plays many random games and checks the core of the laws.
    fn soak(&self, plan: &Soak) -> Result<SoakReport, Box<Violation>>;
}

impl fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)
    }
}

/// A game under way, seen by an observer, without its types.
pub trait AnyPosition: Followed + Send + Sync {
    /// Which game this is.
    fn game(&self) -> &'static dyn AnyGame;

    /// How many seats play.
    fn seats(&self) -> u8;

    /// Whose eyes these are.
    fn observer(&self) -> Observer;

    /// What is awaited now.
    fn node(&self) -> Node;

    /// The same as a short text: `decide 0`, `roll 6`, `shuffle deck`, `over`.
    fn node_text(&self) -> String;

    /// The seat that decides or declares now.
    fn actor(&self) -> Option<Seat> {
        match self.node() {
            Node::Decide(seat) | Node::Declare(seat) => Some(seat),
            _ => None,
        }
    }

    /// The list of the seat that decides or declares.
    fn legal(&self) -> Result<Vec<Choice>, AnyError>;

    /// Plays an action of the awaited seat, spoken or canonical. On `Err` nothing has changed.
    fn play(&mut self, text: &str) -> Result<(), AnyError>;

    /// Resolves a chance node, revelation or rearrangement as the text says: `roll: 4`, `pick: 2`,
    /// `shuffle: hr bear`. On `Err` nothing has changed.
    fn chance(&mut self, text: &str) -> Result<(), AnyError>;

    /// Does the next thing that nobody decides (chance, revelation, rearrangement, duty). False, and
    /// nothing done, if a decision is awaited or the game is over.
    fn advance(&mut self, rng: &mut Rng) -> Result<bool, AnyError>;

    /// Does all things that nobody decides, up to the next decision or the end.
    fn settle(&mut self, rng: &mut Rng) -> Result<(), AnyError> {
        while self.advance(rng)? {}
        Ok(())
    }

    /// The canonical text of the event that led here.
    fn last_event(&self) -> Option<String>;

    /// The event that led here as an entry of a full record, in which it is event number `n`.
    fn last_entry(&self, n: u32) -> Option<Entry>;

    /// What the event that led here was, in words, as this observer is told; nothing if it needs no line.
    fn last_log(&self, observer: Observer) -> Option<String>;

    /// The canonical text of the action that a bot takes here, out of what the deciding seat sees.
    fn choose(&self, bot: Bot, rng: &mut Rng) -> Result<String, AnyError>;

    /// The same position with the eyes of somebody else.
    fn seen_by(&self, observer: Observer) -> Box<dyn AnyPosition>;

    /// The game as a seat sees it.
    fn view(&self, seat: Seat) -> Box<dyn AnyPosition> {
        self.seen_by(Observer::Seat(seat))
    }

    /// The game as somebody who only watches sees it.
    fn spectator(&self) -> Box<dyn AnyPosition> {
        self.seen_by(Observer::Spectator)
    }

    /// The same public state with the eyes of a seat that knows these hidden faces, given as numbers. For whoever has
    /// learnt them elsewhere: nothing checks that they are true.
    fn knowing(&self, seat: Seat, faces: &[(Token, u8)]) -> Box<dyn AnyPosition>;

    /// The public state as the game writes it.
    fn state(&self) -> Value;

    /// The public state as readable data.
    fn picture(&self) -> Value;

    /// The whole position, with the private faces that this observer has: what `load` reads.
    fn save(&self) -> Value;

    /// The whole position, with the private faces that this observer has, in few bytes: what
    /// [`AnyGame::from_bytes`] reads. What led to it is not part of it.
    fn to_bytes(&self) -> Vec<u8>;

    /// The fingerprint of the public state.
    fn digest(&self) -> Digest;

    /// Ranking and scores, once the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// The table as lines of text.
    fn table(&self) -> String;

    /// What is awaited, in words.
    fn awaited(&self) -> String;

    /// The [`Position`](crate::Position) of the game that this is, for whoever knows its type.
    fn typed(&self) -> &dyn std::any::Any;

    /// A copy.
    fn clone_box(&self) -> Box<dyn AnyPosition>;
}

impl Clone for Box<dyn AnyPosition> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}

impl fmt::Debug for dyn AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.game().info().name, self.node_text())
    }
}

/// One entry of a list of legal actions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Choice {
    /// The canonical text, which names tokens.
    pub canonical: String,
    /// The spoken text, which names faces.
    pub spoken: String,
    /// What it does, for a person.
    pub label: String,
    /// The heading under which a long list shows it.
    pub kind: &'static str,
}

/// Why something could not be done with a game of any kind.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnyError {
    /// The options were refused.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A text could not be read.
    #[error(transparent)]
    Unreadable(#[from] ParseError),
    /// An event was refused.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// A position that was given as data does not hold together.
    #[error("this is no position of the game: {0}")]
    Position(String),
    /// A simulated game broke off.
    #[error("game {game} of seed {seed} broke off: {reason}")]
    Broken {
        /// The seed of the simulation.
        seed: u64,
        /// The number of the game in it.
        game: u64,
        /// Why.
        reason: Rejected,
    },
}

impl From<ScriptError> for AnyError {
    fn from(error: ScriptError) -> Self {
        match error {
            ScriptError::Unreadable(e) => AnyError::Unreadable(e),
            ScriptError::Rejected(e) => AnyError::Rejected(e),
        }
    }
}
