//! Requests of the engine protocol.

use pentarchy_engine::record::RecordKind;
use pentarchy_engine::{Observer, Seat};
use serde::Deserialize;
use serde_json::Value;

/// A request. Each variant is a command, which [`COMMANDS`] describes; unknown fields are an error.
#[derive(Debug, Deserialize)]
#[serde(tag = "cmd", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Request {
    // --- without a game
    Help {},
    Games {},
    Rules { game: String },
    Options { game: String },
    // --- a game
    New(NewGame),
    Load(LoadGame),
    // --- what may happen
    Node {},
    Legal {},
    Say { action: String },
    Bot(AskBot),
    // --- what happens
    Play(PlayAction),
    Chance(GiveChance),
    Undo(UndoSome),
    // --- what is there
    State {},
    View(Eyes),
    Log(Eyes),
    Record(Eyes),
    Digest {},
    Outcome {},
    Quit {},
}

/// All commands with a description, for `help`.
pub(super) const COMMANDS: &[(&str, &str)] = &[
    ("help", "this list"),
    ("games", "all games: names, seats, pitch"),
    ("rules", "game: the rules on one page, the zones and the faces"),
    ("options", "game: its options with their defaults"),
    ("new", "game, seats?, options?, seed? or chance = explicit, auto?: begin a game"),
    ("load", "state, seed? or chance = explicit, auto?: go on from a position that `state` or `view` gave"),
    ("node", "what is awaited"),
    ("legal", "the actions of the seat that is asked"),
    ("say", "action: one of them in all its spellings"),
    ("bot", "bot?, seed?: the action that a bot would take"),
    ("play", "action, seat?: play it for the seat that is asked"),
    ("chance", "outcome?: nature's answer: roll: 4, pick: 2, shuffle: king jack, rearrange: king jack"),
    ("undo", "count?: take back the last commands that changed the game"),
    ("state", "the whole position, which `load` reads"),
    ("view", "eyes?: the position as a seat or a spectator sees it, as data and as text"),
    ("log", "eyes?: what happened, in words"),
    ("record", "eyes?: the record so far, as lines"),
    ("digest", "the fingerprint of the public state"),
    ("outcome", "ranks and scores, once the game is over"),
    ("quit", "end"),
];

/// The arguments of `new`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewGame {
    /// The name of the game.
    pub(super) game: String,
    /// Number of seats; by default as the game says.
    pub(super) seats: Option<u8>,
    /// Options that differ from the defaults.
    #[serde(default)]
    pub(super) options: Value,
    /// The seed of chance; without one the client provides chance events.
    pub(super) seed: Option<u64>,
    /// Says that the client provides chance events; not together with a seed.
    pub(super) chance: Option<Explicit>,
    /// Whether reveals and duties are played automatically; true by default.
    pub(super) auto: Option<bool>,
}

/// The arguments of `load`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LoadGame {
    /// A position as `state` or `view` gave it.
    pub(super) state: Value,
    /// The seed of chance from here on; without one the client provides chance events.
    pub(super) seed: Option<u64>,
    /// Says that the client provides chance events; not together with a seed.
    pub(super) chance: Option<Explicit>,
    /// Whether reveals and duties are played automatically; true by default.
    pub(super) auto: Option<bool>,
}

/// The arguments of `bot`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AskBot {
    /// The bot with its budget, e.g. `emperor:500`; `captain` by default.
    pub(super) bot: Option<String>,
    /// The seed of its choices.
    #[serde(default)]
    pub(super) seed: u64,
}

/// The arguments of `play`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayAction {
    /// The text of the action, canonical or spoken.
    pub(super) action: String,
    /// The seat that acts, as a check; by default the seat that is asked.
    pub(super) seat: Option<Seat>,
}

/// The arguments of `chance`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GiveChance {
    /// Nature's answer; without one it comes from the seed.
    pub(super) outcome: Option<String>,
}

/// The arguments of `undo`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UndoSome {
    /// Number of commands to take back; 1 by default.
    pub(super) count: Option<usize>,
}

/// The arguments of `view`, `log` and `record`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Eyes {
    /// The observer; by default everything is shown.
    #[serde(default)]
    pub(super) eyes: Who,
}

/// Marks a match whose chance events the client provides.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Explicit {
    /// The client provides them with `chance`.
    Explicit,
}

/// An observer: `0`, `"spectator"`, `"all"`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(untagged, expecting = "expected the number of a seat, \"spectator\" or \"all\"")]
pub(super) enum Who {
    /// A seat.
    Seat(Seat),
    /// An observer without a seat.
    Word(Word),
    /// No observer was named.
    #[default]
    #[serde(skip)]
    Everything,
}

/// The word for an observer without a seat.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Word {
    /// Everything is known.
    All,
    /// Only public information is known.
    Spectator,
}

impl From<Who> for Observer {
    /// Converts the observer of a request: a number is that seat (not checked), `spectator` knows only what is public,
    /// `all` and no observer mean [`Observer::All`].
    fn from(who: Who) -> Self {
        match who {
            Who::Seat(seat) => Observer::Seat(seat),
            Who::Word(Word::Spectator) => Observer::Spectator,
            Who::Word(Word::All) | Who::Everything => Observer::All,
        }
    }
}

impl From<Who> for RecordKind {
    /// Converts the observer of a request to the kind of record that it may read: of a seat, public
    /// for a spectator, full for all or no observer.
    fn from(who: Who) -> Self {
        match Observer::from(who) {
            Observer::Seat(seat) => RecordKind::Seat(seat),
            Observer::Spectator => RecordKind::Public,
            Observer::All => RecordKind::Full,
        }
    }
}
