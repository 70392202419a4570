//! The boards, and the list of the games. A folder that has the name of a game in the registry is its board; games
//! without one have the default board (`plain`). Each folder is compiled with the feature of its name.

#[cfg(feature = "hegemony")]
mod hegemony;
#[cfg(feature = "hestia")]
mod hestia;
#[cfg(feature = "numeral")]
mod numeral;
#[cfg(feature = "ozymandias")]
mod ozymandias;
#[cfg(feature = "vires")]
mod vires;

use crate::board::{Board, Look};
use crate::brain::{Brain, Mind};
use crate::guide::Deal;
use crate::local_match::LocalMatch;
use crate::plain;
use crate::table::GameView;
use pentarchy_engine::any::any;
use pentarchy_engine::options::get;
use pentarchy_engine::record::{Header, Record};
use pentarchy_engine::{AnyGame, Field, GameInfo, Options, Preset};
use serde_json::Value;
use std::borrow::Cow;

/// Creates a match with this number of seats, options and seed.
type New = fn(u8, &Value, u64) -> Result<Box<dyn GameView>, String>;
/// Creates the mind of a bot at a seat.
type MakeMind = fn(&Header, u8) -> Result<Box<dyn Mind>, String>;

/// A game of the list, with what the home screen and the set-up need.
pub struct GameListing {
    /// Name, seats and other facts of the game.
    pub info: GameInfo,
    /// Whether it is a small, well-known game.
    pub is_classic: bool,
    /// The rules on one page, as plain text.
    pub summary: &'static str,
    /// The static look of its board.
    pub look: Look,
    /// The prepared deal of the guided first match.
    pub guide: Deal,
    /// Its options.
    pub fields: &'static [Field],
    /// Its presets; the page starts matches with the first.
    pub presets: &'static [Preset],
    /// Returns the default options.
    pub defaults: fn() -> Value,
    /// The type-erased game, for online tables.
    pub any: &'static dyn AnyGame,
    /// Draws the cover of a game that has none of its own.
    draw_cover: fn() -> String,
    /// Creates a match at its first position.
    new: New,
    /// Replays a record.
    load: fn(&Record) -> Result<Box<dyn GameView>, String>,
    /// Creates the mind of a bot.
    mind: MakeMind,
}

impl GameListing {
    /// Returns those of the options `all`, a nested JSON object, that differ from their defaults, by their dotted
    /// names. Options that `all` lacks, and keys that are no option of the game, are left out.
    pub fn changed_options(&self, all: &Value) -> serde_json::Map<String, Value> {
        let usual = (self.defaults)();
        let changed = self.fields.iter().filter_map(|field| {
            let value = get(all, field.name).filter(|value| Some(*value) != get(&usual, field.name))?;
            Some((field.name.to_string(), value.clone()))
        });
        changed.collect()
    }
}

/// Builds the entry of game `G` in the list of games: the constants of the game and its board, and functions that
/// create its matches and minds and draw its cover.
const fn entry<G: Board>() -> GameListing {
    GameListing {
        info: G::INFO,
        is_classic: G::CLASSIC,
        summary: G::SUMMARY,
        look: G::LOOK,
        guide: G::GUIDE.deal,
        fields: G::Options::FIELDS,
        presets: G::Options::PRESETS,
        defaults: || serde_json::to_value(G::Options::default()).unwrap_or(Value::Null),
        any: any::<G>(),
        // A game with a cover of its own needs no code that draws one.
        draw_cover: if G::LOOK.cover.is_empty() { plain::cover::<G> } else { String::new },
        new: |seats, options, seed| Ok(Box::new(LocalMatch::<G>::new(seats, options, seed)?)),
        load: |record| Ok(Box::new(LocalMatch::<G>::load(record)?)),
        mind: |header, seat| Ok(Box::new(Brain::<G>::new(header, seat)?)),
    }
}

// Defines `with_games!`, the list of games: `build.rs` takes it from the registry.
include!(concat!(env!("OUT_DIR"), "/games.rs"));
#[cfg(test)]
pub(crate) use with_games;

/// Gives the default board to the games that have none of their own.
macro_rules! default_boards {
    ($([$board:ident] $name:ident: $game:ty,)*) => { $(default_boards!(@$board $game);)* };
    (@own $game:ty) => {};
    (@default $game:ty) => { impl Board for $game {} };
}
with_games!(default_boards);

/// Expands to the entries of all games.
macro_rules! list {
    ($([$board:ident] $name:ident: $game:ty,)*) => { &[$(entry::<$game>()),*] };
}

/// All games, in the order in which they are shown.
pub static GAMES: &[GameListing] = with_games!(list);

/// Returns the game of this name (`hegemony`, in lower case) from [`GAMES`].
///
/// # Errors
///
/// Fails if no game has this name.
pub fn find(name: &str) -> Result<&'static GameListing, String> {
    let found = GAMES.iter().find(|game| game.info.name == name);
    found.ok_or_else(|| format!("there is no game `{name}` here"))
}

impl GameListing {
    /// Returns the drawing on the cover: the inside of an SVG element with the view box `0 0 300 400`. Draws it if the
    /// look of the game has none.
    pub fn cover(&self) -> Cow<'static, str> {
        if self.look.cover.is_empty() { (self.draw_cover)().into() } else { self.look.cover.into() }
    }

    /// Returns the options with which the page starts a match unless the player chooses others. These are those of
    /// the first preset; `Null`, which means the defaults, if the game has none.
    pub fn page_options(&self) -> Value {
        self.presets.first().map_or(Value::Null, |preset| (preset.options)())
    }

    /// Creates a local match at its first position. Options missing in `options` have their defaults; all chance
    /// follows from `seed`.
    ///
    /// # Errors
    ///
    /// Fails if the options or the number of seats are invalid.
    pub fn start(&self, seats: u8, options: &Value, seed: u64) -> Result<Box<dyn GameView>, String> {
        (self.new)(seats, options, seed)
    }

    /// Creates a bot's mind for a seat of a match with this header, before all events. The header may be that of any
    /// observer; its seed is dropped, so the mind cannot know chance.
    ///
    /// # Errors
    ///
    /// Fails if the header is of another game or of rules that are not supported any more, its options or
    /// its number of seats are invalid, or the match has no such seat.
    pub fn mind(&self, header: &Header, seat: u8) -> Result<Box<dyn Mind>, String> {
        (self.mind)(header, seat)
    }
}

/// Replays a record to its last event, with the game that its header names. The match has the observer of the record.
///
/// # Errors
///
/// Fails if no game has that name, the record is of rules that are not supported any more, its options or seats are
/// invalid, or the rules reject an event.
pub fn load(record: &Record) -> Result<Box<dyn GameView>, String> {
    (find(&record.header.game)?.load)(record)
}
