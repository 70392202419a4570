//! Tuning: numbers of a game's design towards goals, and the weights of its bots towards victories.
//!
//! Both use the same optimiser ([`ntbea`]) and the same journal ([`journal`]). All results depend on the seed alone, not
//! on the number of threads, on interruptions or on the split into parts ([`part`]).

pub mod design;
pub mod fit;
pub mod goal;
pub mod journal;
pub mod ntbea;
pub mod part;
pub mod sample;

use crate::tournament::TournamentError;
use journal::TuneJournalError;

/// Why tuning stopped.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// A game could not be played.
    #[error(transparent)]
    Game(#[from] TournamentError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] TuneJournalError),
    /// A goal is about a figure that the game does not have.
    #[error("the goal `{0}` cannot be measured in this game")]
    Unmeasured(String),
    /// The game has no weights to fit.
    #[error("the bots of {0} have no weights")]
    NoWeights(&'static str),
}
