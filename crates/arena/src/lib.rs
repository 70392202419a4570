//! Tournaments, ratings and the balance report of any game.
//!
//! - [`play`](mod@play): one game to its end, watched by a visitor; the only part compiled for each game.
//! - [`tournament`]: bots against each other, on all cores, rotated and paired; [`journal`]: interrupted and
//!   gone on with.
//! - [`lab`]: what a designer wants to know of many games, and of variants side by side; [`report`]: as a page, with
//!   [`verdict`]s in plain words.

pub mod balance;
pub mod csv;
pub mod data;
pub mod journal;
pub mod lab;
pub mod options;
pub mod play;
pub mod report;
mod run;
mod seating;
pub mod statistics;
mod story;
pub mod tournament;
pub mod verdict;

pub use lab::{Findings, Lab, Setting};
pub use play::{AnyArena, Played, Seating, Table, Visitor, arena};
pub use run::{Broken, run};
pub use seating::Draw;
pub use story::Story;
pub use tournament::{Plan, Row, Tally, Trouble};
