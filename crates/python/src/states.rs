//! What matches and states of game trees have in common.

use crate::errors;
use crate::games::Setup;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadwriteArray1, PyReadwriteArray2};
use pentarchy_batch::any::AnyState;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde_json::Value;

/// Returns what a seat knows as a new array, or overwrites `out` with it and returns that.
///
/// # Errors
///
/// Fails with an `IndexError` if there is no such seat, and with a `ValueError` if `out` has another length, is not
/// contiguous or not writeable.
pub(crate) fn observation<'py>(
    py: Python<'py>,
    state: &dyn AnyState,
    seat: i64,
    out: Option<Bound<'py, PyArray1<f32>>>,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let setup = state.setup();
    let seat = Setup::seat(&*setup, seat)?;
    let size = setup.size().observation;
    let array = out.unwrap_or_else(|| PyArray1::zeros(py, size, false));
    let mut borrowed: PyReadwriteArray1<'_, f32> =
        array.try_readwrite().map_err(|_| errors::value("`out` must be writeable"))?;
    let slice = borrowed.as_slice_mut().map_err(|_| errors::value("`out` is not contiguous"))?;
    if slice.len() != size {
        return Err(errors::value(format!("`out` has {} entries; {size} are needed", slice.len())));
    }
    state.observe(seat, slice);
    drop(borrowed);
    Ok(array)
}

/// Returns the features of the legal actions as a new array, one row per action; no rows if no seat is to act.
///
/// # Errors
///
/// Fails only if the new array cannot be written.
pub(crate) fn features<'py>(py: Python<'py>, state: &dyn AnyState) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let rows = if state.seat().is_some() { state.count() } else { 0 };
    let array = PyArray2::zeros(py, [rows, state.setup().size().action], false);
    let mut borrowed: PyReadwriteArray2<'_, f32> = array.readwrite();
    let slice = borrowed.as_slice_mut().map_err(|_| errors::value("the array is not contiguous"))?;
    state.features(slice);
    drop(borrowed);
    Ok(array)
}

/// Returns what each seat has got, by seat: 0 before the end. Fails only if Python has no memory for the tuple.
pub(crate) fn rewards<'py>(py: Python<'py>, state: &dyn AnyState) -> PyResult<Bound<'py, PyTuple>> {
    let seats = (0..state.setup().seats()).map(pentarchy_engine::Seat);
    PyTuple::new(py, seats.map(|seat| state.reward(seat)).collect::<Vec<_>>())
}

/// Converts an index of a step that comes from Python. Does not check that there is such a step; `state` only
/// gives the number of steps for the error.
///
/// # Errors
///
/// Fails with an `IndexError` if it is negative.
pub(crate) fn index(state: &dyn AnyState, action: i64) -> PyResult<usize> {
    usize::try_from(action).map_err(|_| {
        let count = state.count();
        errors::environment(pentarchy_batch::EnvironmentError::Action { index: 0, action, count })
    })
}

/// Returns the text of the step with this index in the list of steps: the action in spoken text, or the
/// result of nature.
///
/// # Errors
///
/// Fails with an `IndexError` if there is none.
pub(crate) fn step_text(state: &dyn AnyState, action: i64) -> PyResult<String> {
    state.step_text(index(state, action)?).ok_or_else(|| {
        let count = state.count();
        errors::environment(pentarchy_batch::EnvironmentError::Action { index: 0, action, count })
    })
}

/// Returns the legal actions of the seat to act in their order as a JSON list. Each has the keys `canonical`
/// (the text that names tokens), `spoken` (the text that names faces), `label` (the effect in words) and
/// `kind` (a heading).
///
/// # Errors
///
/// Fails with a `GameError` if no seat is to act.
pub(crate) fn described(state: &dyn AnyState) -> PyResult<String> {
    let list = state.position().legal().map_err(errors::game)?;
    serde_json::to_string(&list).map_err(errors::value)
}

/// Returns what the position shows to a seat, or to a spectator if `None`, as a JSON object: the fields of a
/// `TablePicture` and the `title` of the game.
///
/// # Errors
///
/// Fails with an `IndexError` if there is no such seat.
pub(crate) fn picture(state: &dyn AnyState, seat: Option<i64>) -> PyResult<String> {
    let seat = seat.map(|seat| Setup::seat(&*state.setup(), seat)).transpose()?;
    let mut picture = serde_json::to_value(state.picture(seat)).map_err(errors::value)?;
    if let Value::Object(picture) = &mut picture {
        picture.insert("title".to_string(), state.setup().game().info().title.into());
    }
    Ok(picture.to_string())
}
