//! Players for every game: random, heuristic, information-set search; levels and hints.
//!
//! A [`BotPlayer`] gets what its seat knows and the list of legal actions, and nothing else. People choose
//! among the [`Level`]s by name; a [`Spec`] adds how long an Emperor may think. [`hint()`] tells a person what
//! the search would do, and why. [`Search`] is the search itself, in slices, for programs that must stay
//! responsive. [`any`] is all of this without the types of a game.
//!
//! ```
//! use pentarchy_bots::Spec;
//! use pentarchy_classics::TicTacToe;
//! use pentarchy_engine::{NoOptions, Position};
//!
//! let spec: Spec = "emperor:500".parse().unwrap();
//! let mut player = spec.player::<TicTacToe>(7);
//! let (position, mut legal) = (Position::<TicTacToe>::new(2, &NoOptions {}).unwrap(), Vec::new());
//! position.legal(&mut legal).unwrap();
//! assert!(player.choose(&position, &legal) < legal.len());
//! ```

pub mod any;
mod captain;
mod emperor;
mod hint;
mod level;
mod one_ply;
mod player;
mod recruit;
pub mod search;

pub use any::{AnyBots, AnyPlayer, AnySearch};
pub use captain::{Captain, WeightedCaptain};
pub use emperor::Emperor;
pub use hint::{Hint, hint};
pub use level::{Budget, Level, Spec, UnknownBotError};
pub use player::{BotPlayer, Random};
pub use recruit::Recruit;
pub use search::{Ranked, Search, SearchSettings};
