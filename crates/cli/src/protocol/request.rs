//! Requests of the engine protocol.

use pentarchy_engine::record::RecordKind;
use pentarchy_engine::{Observer, Seat};
use serde::Deserialize;
use serde_json::Value;

/// A request. Each variant is a command; unknown fields are an error.
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

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewGame {
    pub(super) game: String,
    pub(super) seats: Option<u8>,
    #[serde(default)]
    pub(super) options: Value,
    pub(super) seed: Option<u64>,
    pub(super) chance: Option<Explicit>,
    pub(super) auto: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LoadGame {
    pub(super) state: Value,
    pub(super) seed: Option<u64>,
    pub(super) chance: Option<Explicit>,
    pub(super) auto: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AskBot {
    pub(super) bot: Option<String>,
    #[serde(default)]
    pub(super) seed: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayAction {
    pub(super) action: String,
    pub(super) seat: Option<Seat>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GiveChance {
    pub(super) outcome: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UndoSome {
    pub(super) count: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Eyes {
    #[serde(default)]
    pub(super) eyes: Who,
}

/// Marks a game whose chance events the client provides.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Explicit {
    Explicit,
}

/// An observer: `0`, `"spectator"`, `"all"`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(untagged, expecting = "expected the number of a seat, \"spectator\" or \"all\"")]
pub(super) enum Who {
    Seat(Seat),
    Word(Word),
    #[default]
    #[serde(skip)]
    Everything,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Word {
    All,
    Spectator,
}

impl From<Who> for Observer {
    /// Converts the observer of a request; a request without one means [`Observer::All`].
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
