//! How the games look to players: boards, texts, gestures, guided matches and the state of a local match, without a
//! browser.
//!
//! Everything here is a pure function of a position or a log, so it is tested natively. The browser client
//! (`crates/web`) draws the results.
//!
//! | module | concept |
//! | --- | --- |
//! | `board`, `games` | interface of a game to the client: how it looks, and which keys an action has; one folder per game |
//! | `plain` | the default board: any game, drawn from its tokens, texts and legal list |
//! | `markup`, `card`, `icons`, `qr`, `ui`, `words` | drawing: elements as data; names and sentences |
//! | `table`, `local_match` | a match, without and with the types of its game |
//! | `brain`, `thinking` | a bot's mind, and hints; requests to minds and their replies |
//! | `players`, `saved` | the players of a match; the summary of a saved match, and the progress of saving |
//! | `chat` | the lines of the chat |
//! | `gesture` | several actions of the rules as one click path |
//! | `pace` | forced moves, and how long events are shown |
//! | `guide` | the guided first match |
//! | `option_names`, `search`, `result`, `turning` | texts of the set-up, the rules and the end |

// Some parts are used by the board of one game only.
#![cfg_attr(not(feature = "all-games"), allow(dead_code, unused_imports, unused_macros))]

pub mod board;
pub mod brain;
pub mod card;
pub mod chat;
mod games;
pub mod gesture;
pub mod guide;
pub mod icons;
pub mod local_match;
pub mod markup;
pub mod option_names;
pub mod pace;
mod plain;
pub mod players;
pub mod preset_file;
pub mod qr;
pub mod result;
pub mod saved;
pub mod search;
pub mod table;
#[cfg(test)]
mod tests;
pub mod thinking;
pub mod turning;
pub mod ui;
pub mod words;

pub use games::{GAMES, GameListing, find, load};

/// Returns the milliseconds since an arbitrary start. Never goes backwards. The browser and native programs have
/// different clocks.
pub type Clock = fn() -> f64;
