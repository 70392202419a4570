//! One match in which nature plays itself.

use crate::errors;
use crate::games::Setup;
use crate::states;
use numpy::{PyArray1, PyArray2};
use pentarchy_batch::AnyMatch;
use pentarchy_engine::Observer;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// One match in which nature plays itself.
#[pyclass(module = "pentarchy._core")]
pub(crate) struct Match {
    pub(crate) inner: Box<dyn AnyMatch>,
}

impl Match {
    /// Wraps a match.
    pub(crate) fn new(inner: Box<dyn AnyMatch>) -> Self {
        Match { inner }
    }
}

#[pymethods]
impl Match {
    /// The game, its seats and options.
    #[getter]
    fn setup(&self) -> Setup {
        Setup { inner: self.inner.setup() }
    }

    /// The seat to act; -1 at the end.
    #[getter]
    fn seat(&self) -> i32 {
        self.inner.seat().map_or(-1, |seat| seat.0.into())
    }

    /// Number of legal actions; 0 at the end.
    #[getter]
    fn count(&self) -> usize {
        self.inner.count()
    }

    /// Whether the match is over.
    #[getter]
    fn over(&self) -> bool {
        self.inner.is_over()
    }

    /// Plays the action with this index in the legal list, then nature up to the next decision or the end.
    /// Returns the seat to act, -1 at the end. Raises `IndexError` if there is no such action and `GameError`
    /// if the match is over; nothing has changed then.
    fn step(&mut self, action: i64) -> PyResult<i32> {
        let index = states::index(&*self.inner, action)?;
        self.inner.step(index).map_err(errors::environment)?;
        Ok(self.seat())
    }

    /// What a seat knows, as numbers: in a new array, or in `out`, which is overwritten and returned. Raises
    /// `IndexError` if there is no such seat and `ValueError` if `out` has another length, is not contiguous
    /// or not writeable.
    #[pyo3(signature = (seat, out=None))]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        seat: i64,
        out: Option<Bound<'py, PyArray1<f32>>>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        states::observation(py, &*self.inner, seat, out)
    }

    /// The features of the legal actions in a new array, one row per action; no rows at the end.
    fn features<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        states::features(py, &*self.inner)
    }

    /// What each seat has got, by seat: 0 before the end; then its score in a game that is played for stakes,
    /// else a number from -1 (last) to 1 (sole winner).
    fn rewards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        states::rewards(py, &*self.inner)
    }

    /// The spoken text of the action with this index in the legal list. Raises `IndexError` if there is none.
    fn action_to_string(&self, action: i64) -> PyResult<String> {
        states::step_text(&*self.inner, action)
    }

    /// The legal actions of the seat to act as a JSON list, each with the texts `canonical`, `spoken`,
    /// `label` and `kind`. Raises `GameError` if no seat is to act.
    fn legal_json(&self) -> PyResult<String> {
        states::described(&*self.inner)
    }

    /// What the position shows to a seat, or to a spectator if `None`, as a JSON object: `title` of the game,
    /// `awaited` sentence, `zones`, `grids`, `numbers`, and the table as `text`. Raises `IndexError` if there
    /// is no such seat.
    #[pyo3(signature = (seat=None))]
    fn picture_json(&self, seat: Option<i64>) -> PyResult<String> {
        states::picture(&*self.inner, seat)
    }

    /// The table as text, with what a seat knows, or with public information if `None`. Raises `IndexError`
    /// if there is no such seat.
    #[pyo3(signature = (seat=None))]
    fn table(&self, seat: Option<i64>) -> PyResult<String> {
        let seat = seat.map(|seat| Setup::seat(&*self.inner.setup(), seat)).transpose()?;
        let observer = seat.map_or(Observer::Spectator, Observer::Seat);
        Ok(self.inner.position().seen_by(observer).table())
    }

    /// The digest of the public state, as 64 hexadecimal digits.
    fn digest(&self) -> String {
        self.inner.position().digest().to_string()
    }

    /// The record of all events up to now, as text. Raises `GameError` if the match was started without one.
    fn record(&self) -> PyResult<String> {
        let record = self.inner.record();
        record
            .map(pentarchy_engine::record::Record::text)
            .ok_or_else(|| errors::GameError::new_err("this match has no record: start it with record=True"))
    }

    /// A copy that shares nothing with this match: both can be played on. Equal actions give equal chance in
    /// both.
    fn clone(&self) -> Match {
        Match { inner: self.inner.clone_match() }
    }

    /// Returns the name of the game and the awaited node: `<Match: kuhn at decide 0>`.
    fn __repr__(&self) -> String {
        format!("<Match: {:?}>", self.inner.position())
    }
}
