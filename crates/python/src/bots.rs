//! Bots and hints.

use crate::errors;
use crate::single::Match;
use crate::tree::State;
use pentarchy_batch::any::AnyState;
use pentarchy_bots::{AnyPlayer, Budget, Spec};
use pentarchy_engine::AnyPosition;
use pentarchy_registry as registry;
use pyo3::prelude::*;
use serde_json::json;
use std::sync::{Mutex, PoisonError};

/// A match or a state of a game tree.
#[derive(FromPyObject)]
pub(crate) enum Place<'py> {
    /// A match.
    Match(PyRef<'py, Match>),
    /// A state of a game tree.
    State(PyRef<'py, State>),
}

impl Place<'_> {
    /// Returns a copy of the position with only what the seat to act knows.
    ///
    /// # Errors
    ///
    /// Fails with a `GameError` if no seat is to act: at the end, and at a result of nature.
    fn view(&self) -> PyResult<Box<dyn AnyPosition>> {
        let state: &dyn AnyState = match self {
            Place::Match(playing) => &*playing.inner,
            Place::State(state) => &*state.inner,
        };
        let seat = state.seat().ok_or_else(|| errors::GameError::new_err("no seat is to act"))?;
        Ok(state.position().view(seat))
    }
}

/// A player for one seat of one match. It reads only what its seat knows.
#[pyclass(module = "pentarchy._core")]
pub(crate) struct Bot {
    game: &'static str,
    spec: Spec,
    player: Mutex<Box<dyn AnyPlayer>>,
}

#[pymethods]
impl Bot {
    /// Creates a bot of this kind: `random`, `recruit`, `captain`, `emperor`, `emperor:500`, `emperor:0.2s`.
    /// The seed determines its random choices. Raises `ValueError` if there is no such game or kind.
    #[new]
    #[pyo3(signature = (game, level="captain", seed=0))]
    fn new(game: &str, level: &str, seed: u64) -> PyResult<Self> {
        let bots = registry::bots_of(game).map_err(errors::value)?;
        let spec: Spec = level.parse().map_err(errors::value)?;
        let player = Mutex::new(bots.player(&spec, seed));
        Ok(Bot { game: bots.game().info().name, spec, player })
    }

    /// Returns the index of the chosen action in the legal list of the seat to act; plays nothing. Takes as
    /// long as the bot thinks. The bot may keep what it learns for the next decision, so use it for one seat
    /// of one match only. Raises `GameError` if no seat is to act or the match is of another game.
    fn __call__(&self, py: Python<'_>, place: Place<'_>) -> PyResult<usize> {
        let view = place.view()?;
        drop(place);
        py.detach(|| {
            let mut player = self.player.lock().unwrap_or_else(PoisonError::into_inner);
            player.choose(&*view)
        })
        .map_err(errors::game)
    }

    /// Returns game and kind: `Bot("hestia", "captain")`.
    fn __repr__(&self) -> String {
        format!("Bot({:?}, {:?})", self.game, self.spec.to_string())
    }
}

/// Searches for the seat to act with this budget (`500` iterations, `0.2s` of time or `0.2cpu` of CPU time),
/// which is used up, and returns up to three actions, the best first, as a JSON list. Each entry has the keys
/// `action` (its index in the legal list), `value` (expected reward, 0 to 1), `weight` (its share of the
/// visits), and the texts `chance` and `why`. With a budget of iterations, equal seeds give equal hints.
/// Raises `GameError` if no seat is to act and `ValueError` for a malformed budget.
#[pyfunction]
#[pyo3(signature = (place, budget="0.2s", seed=0))]
pub(crate) fn hints(py: Python<'_>, place: Place<'_>, budget: &str, seed: u64) -> PyResult<String> {
    let view = place.view()?;
    drop(place);
    let budget: Budget = budget.parse().map_err(errors::value)?;
    let bots = registry::bots_of(view.game().info().name).map_err(errors::value)?;
    let found = py.detach(|| bots.hint(&*view, budget, seed)).map_err(errors::game)?;
    let hint = |hint: &pentarchy_bots::Hint| {
        json!({
            "action": hint.index,
            "value": hint.value,
            "weight": hint.weight,
            "chance": hint.chance,
            "why": hint.why,
        })
    };
    Ok(serde_json::Value::from(found.iter().map(hint).collect::<Vec<_>>()).to_string())
}
