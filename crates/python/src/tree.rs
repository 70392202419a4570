//! States of a game tree, with the interface of OpenSpiel's `State`.

use crate::errors;
use crate::games::Setup;
use crate::states;
use numpy::{PyArray1, PyArray2};
use pentarchy_batch::{AnyTree, TreeAwaits};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The player of a chance node.
const CHANCE: i32 = -1;
/// The player of a terminal state.
const TERMINAL: i32 = -4;

/// A state of a game tree, in which the results of nature are steps too.
#[pyclass(module = "pentarchy._core")]
pub(crate) struct State {
    pub(crate) inner: Box<dyn AnyTree>,
}

impl State {
    /// Wraps a state.
    pub(crate) fn new(inner: Box<dyn AnyTree>) -> Self {
        State { inner }
    }
}

#[pymethods]
impl State {
    /// The game, its seats and options.
    #[getter]
    fn setup(&self) -> Setup {
        Setup { inner: self.inner.setup() }
    }

    /// The seat to act; -1 at a chance node, -4 at the end.
    fn current_player(&self) -> i32 {
        match self.inner.awaits() {
            TreeAwaits::Decision(seat) => seat.0.into(),
            TreeAwaits::Chance => CHANCE,
            TreeAwaits::Over => TERMINAL,
        }
    }

    /// Whether nature is to act.
    fn is_chance_node(&self) -> bool {
        self.inner.awaits() == TreeAwaits::Chance
    }

    /// Whether the match is over.
    fn is_terminal(&self) -> bool {
        self.inner.awaits() == TreeAwaits::Over
    }

    /// Number of seats.
    fn num_players(&self) -> u8 {
        self.inner.setup().seats()
    }

    /// The indices of the steps that can follow, from 0: legal actions, or results of nature; empty at the
    /// end.
    fn legal_actions(&self) -> Vec<usize> {
        (0..self.inner.count()).collect()
    }

    /// The indices of the results of nature with their probabilities, which add up to 1; empty unless nature
    /// is to act.
    fn chance_outcomes(&self) -> Vec<(usize, f64)> {
        self.inner.probabilities().into_iter().enumerate().collect()
    }

    /// Moves to the state after the step with this index. Raises `IndexError` if there is none and
    /// `GameError` at the end; nothing has changed then.
    fn apply_action(&mut self, action: i64) -> PyResult<()> {
        let index = states::index(&*self.inner, action)?;
        self.inner.step(index).map_err(errors::environment)
    }

    /// The state after the step with this index; this one does not change. Raises `IndexError` if there is
    /// none and `GameError` at the end.
    fn child(&self, action: i64) -> PyResult<State> {
        let index = states::index(&*self.inner, action)?;
        let mut next = self.inner.clone_tree();
        next.step(index).map_err(errors::environment)?;
        Ok(State { inner: next })
    }

    /// A copy that shares nothing with this state.
    fn clone(&self) -> State {
        State { inner: self.inner.clone_tree() }
    }

    /// Returns a copy that shares nothing with this state.
    fn __copy__(&self) -> State {
        self.clone()
    }

    /// Returns a copy that shares nothing with this state.
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> State {
        self.clone()
    }

    /// What a seat knows, as numbers: in a new array, or in `out`, which is overwritten and returned. The
    /// seat to act if `player` is `None`. Raises `GameError` if no seat is to act then, `IndexError` if there
    /// is no such seat, and `ValueError` if `out` has another length, is not contiguous or not writeable.
    #[pyo3(signature = (player=None, out=None))]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        player: Option<i64>,
        out: Option<Bound<'py, PyArray1<f32>>>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let actor = || self.inner.seat().map(|seat| seat.0.into());
        let player = player.or_else(actor).ok_or_else(|| {
            errors::GameError::new_err("no seat is to act: name the seat whose observation you want")
        })?;
        states::observation(py, &*self.inner, player, out)
    }

    /// The features of the legal actions in a new array, one row per action; no rows if no seat is to act.
    fn action_features<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        states::features(py, &*self.inner)
    }

    /// A text that is equal exactly for histories that a seat cannot tell apart, up to collisions of a 64-bit
    /// hash. Raises `IndexError` if there is no such seat.
    fn information_state_string(&self, player: i64) -> PyResult<String> {
        let seat = Setup::seat(&*self.inner.setup(), player)?;
        Ok(self.inner.information_set(seat).map_or_else(String::new, |set| format!("{set:016x}")))
    }

    /// What each seat has got, by seat: 0 before the end; then its score in a game that is played for stakes,
    /// else a number from -1 (last) to 1 (sole winner).
    fn returns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        states::rewards(py, &*self.inner)
    }

    /// The text of the step with this index: the action in spoken text, or at a chance node the result of
    /// nature. Raises `IndexError` if there is none.
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

    /// Returns the table as text, with all faces that are drawn so far.
    fn __str__(&self) -> String {
        self.inner.position().table()
    }

    /// Returns the name of the game and the awaited node: `<State: kuhn at decide 0>`.
    fn __repr__(&self) -> String {
        format!("<State: {:?}>", self.inner.position())
    }
}
