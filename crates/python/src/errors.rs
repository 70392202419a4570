//! Errors of the engine as Python exceptions.

use pentarchy_batch::EnvironmentError;
use pentarchy_engine::AnyError;
use pentarchy_engine::record::RecordError;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    pentarchy,
    GameError,
    PyValueError,
    "Something that the rules of a game do not allow."
);

/// Returns the exception of an error of an environment: `IndexError` for an action or a seat that does not
/// exist, `ValueError` for an array that does not fit, `GameError` for the rest.
pub(crate) fn environment(error: EnvironmentError) -> PyErr {
    let text = error.to_string();
    match error {
        EnvironmentError::Action { .. } | EnvironmentError::Seat { .. } => PyIndexError::new_err(text),
        EnvironmentError::Length { .. } => PyValueError::new_err(text),
        _ => GameError::new_err(text),
    }
}

/// Returns the exception of an error of a game: `ValueError` for invalid options or a number of seats that
/// the game does not allow, `GameError` for the rest.
pub(crate) fn game(error: AnyError) -> PyErr {
    match error {
        AnyError::Options(error) => PyValueError::new_err(error.to_string()),
        other => GameError::new_err(other.to_string()),
    }
}

/// Returns the `GameError` of an error in a record.
pub(crate) fn record(error: RecordError) -> PyErr {
    GameError::new_err(error.to_string())
}

/// Returns a `ValueError` with this text.
pub(crate) fn value(text: impl ToString) -> PyErr {
    PyValueError::new_err(text.to_string())
}
