//! Tournaments, ratings and the balance report of any game.
//!
//! - [`play`](mod@play): plays one game to its end, observed by a visitor; the only part compiled for each game.
//! - [`tournament`]: bots against each other on all cores, with rotated seats and paired dice; [`journal`]:
//!   resumes an interrupted tournament.
//! - [`sprt`]: matches that end as soon as their result is known.
//! - [`tune`]: fits numbers of a design to goals, and the weights of bots.
//! - [`simulation`]: many games with fixed seats, summed up.
//! - [`lab`]: balance figures of many games and of variants side by side, restricted play; [`report`]: the same
//!   as a page, with [`verdict`]s in plain words.
//! - [`part`]: files with the results of a part of a run, from which another process joins the whole.
//! - [`sequential`]: confidence sequences, which allow to stop a run early.

pub mod balance;
pub mod csv;
pub mod data;
mod deny;
pub mod findings;
pub mod journal;
pub mod lab;
mod lab_plan;
pub mod measure;
pub mod options;
pub mod part;
pub mod play;
pub mod report;
mod request;
mod run;
mod seating;
pub mod sequential;
pub mod simulation;
pub mod sprt;
pub mod statistics;
mod story;
pub mod tournament;
mod tournament_part;
pub mod tune;
pub mod verdict;

pub use deny::Denial;
pub use findings::Findings;
pub use lab::{Lab, LabPart, Setting};
pub use play::{AnyArena, GameRunner, GameSeating, Played, Visitor, arena};
pub use report::text::thousands;
pub use request::{LabRequest, RequestError, field_to_sweep, seat_bots, seat_count};
pub use run::{RunError, run, run_ranges};
pub use seating::Draw;
pub use simulation::{SimulationPlan, SimulationTally};
pub use story::{DecisionRow, Story};
pub use tournament::{GameResult, TournamentError, TournamentPlan, TournamentTally};
pub use tournament_part::TournamentPart;
