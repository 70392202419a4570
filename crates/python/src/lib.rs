//! The compiled part of the Python package `pentarchy`: games, batches, matches, game trees, bots,
//! records, self-play, and runs of the lab, the arena and the simulation in parts.
//!
//! Everything here goes through the type-erased forms of the registry, so that no game is named. Errors of the
//! engine become Python exceptions: `ValueError` for values that do not fit, `IndexError` for an index that
//! is not in its list, `GameError` for everything else.

mod batch;
mod bots;
mod errors;
mod games;
mod records;
mod runs;
mod selfplay;
mod single;
mod states;
mod tree;

use pyo3::prelude::*;

/// The compiled part of `pentarchy`.
#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::bots::{Bot, hints};
    #[pymodule_export]
    use crate::errors::GameError;
    #[pymodule_export]
    use crate::games::{Setup, game_info, game_names};
    #[pymodule_export]
    use crate::records::{replay, verify};
    #[pymodule_export]
    use crate::runs::{Run, join_parts};
    #[pymodule_export]
    use crate::selfplay::selfplay;
    #[pymodule_export]
    use crate::single::Match;
    #[pymodule_export]
    use crate::tree::State;
}
