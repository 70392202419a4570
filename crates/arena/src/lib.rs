//! Tournaments, ratings and the balance report of any game.
//!
//! - [`play`](mod@play): plays one game to its end, observed by a visitor; the only part compiled for each game.
//! - [`tournament`]: bots against each other on all cores, with rotated seats and paired dice; [`journal`]:
//!   resumes an interrupted tournament.
//! - [`simulation`]: many games with fixed seats, summed up.
//! - [`lab`]: balance figures of many games and of variants side by side; [`report`]: the same as a page, with
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
pub mod simulation;
pub mod statistics;
mod story;
pub mod tournament;
pub mod verdict;

pub use lab::{Findings, Lab, Setting};
pub use play::{AnyArena, GameRunner, GameSeating, Played, Visitor, arena};
pub use report::text::thousands;
pub use run::{RunError, run};
pub use seating::Draw;
pub use simulation::{SimulationPlan, SimulationTally};
pub use story::{DecisionRow, Story};
pub use tournament::{GameResult, TournamentError, TournamentPlan, TournamentTally};
