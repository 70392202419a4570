//! Games by name, and setups: a game with its seats, its options and its encoding.

use crate::batch::Batch;
use crate::errors;
use crate::single::Match;
use crate::tree::State;
use pentarchy_batch::AnySetup;
use pentarchy_engine::{Exploration, Field, OptionKind, Seat};
use pentarchy_registry as registry;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// Returns the names of all games, in the order in which they are shown.
#[pyfunction]
pub(crate) fn game_names() -> Vec<&'static str> {
    registry::GAMES.iter().map(|game| game.info().name).collect()
}

/// Returns what there is to know of a game as a JSON object: its names (`name`, `title`), `pitch`,
/// `designer`, numbers of seats, `rules_version`, whether it is `classic` and has `hidden_information`, a
/// summary of its `rules`, its `options` (name, tuning, doc, kind) and its `presets` (name, about, options).
/// Raises `ValueError` if there is no such game.
#[pyfunction]
pub(crate) fn game_info(name: &str) -> PyResult<String> {
    let game = registry::find(name).map_err(errors::value)?;
    let info = game.info();
    let presets: Vec<Value> = game
        .presets()
        .iter()
        .map(|preset| json!({"name": preset.name, "about": preset.about, "options": (preset.options)()}))
        .collect();
    Ok(json!({
        "name": info.name,
        "title": info.title,
        "pitch": info.pitch,
        "designer": info.designer,
        "min_seats": info.min_seats,
        "max_seats": info.max_seats,
        "default_seats": info.default_seats,
        "rules_version": info.rules_version,
        "classic": game.is_classic(),
        "hidden_information": game.hides(),
        "rules": game.summary(),
        "options": game.fields().iter().map(option).collect::<Vec<_>>(),
        "presets": presets,
    })
    .to_string())
}

/// Returns an option as a JSON object with the keys `name`, `tuning`, `doc` and `kind`. The kind has its
/// Python `type`, and its `min` and `max` or its `choices`.
fn option(field: &Field) -> Value {
    let kind = match field.kind {
        OptionKind::Int { min, max } => json!({"type": "int", "min": min, "max": max}),
        OptionKind::Maybe { min, max } => json!({"type": "int or None", "min": min, "max": max}),
        OptionKind::Flag => json!({"type": "bool"}),
        OptionKind::Choice(words) => json!({"type": "str", "choices": words}),
    };
    json!({"name": field.name, "tuning": field.tuning, "doc": field.doc, "kind": kind})
}

/// A game with its number of seats, its options and its encoding.
#[pyclass(frozen, module = "pentarchy._core")]
pub(crate) struct Setup {
    pub(crate) inner: Arc<dyn AnySetup>,
}

impl Setup {
    /// Checks a seat number that comes from Python, counted from 0, and returns the seat.
    ///
    /// # Errors
    ///
    /// Fails with an `IndexError` if the setup has no such seat.
    pub(crate) fn seat(setup: &dyn AnySetup, seat: i64) -> PyResult<Seat> {
        let seats = setup.seats();
        let found = u8::try_from(seat).ok().filter(|&seat| seat < seats).map(Seat);
        found.ok_or_else(|| errors::environment(pentarchy_batch::EnvironmentError::Seat { seat, seats }))
    }
}

#[pymethods]
impl Setup {
    /// Explores the game and fixes its encoding, which takes up to a second. `options` is the JSON text of a
    /// table of the options that differ from the defaults, `null` for none; `seats` is the default number if
    /// `None`. Raises `ValueError` if there is no such game, the text is no JSON, or the game does not allow
    /// these seats or options.
    #[new]
    #[pyo3(signature = (game, seats=None, options="null"))]
    fn new(py: Python<'_>, game: &str, seats: Option<i64>, options: &str) -> PyResult<Self> {
        let environments = registry::environments_of(game).map_err(errors::value)?;
        let options: Value = serde_json::from_str(options).map_err(errors::value)?;
        let info = environments.game().info();
        let seats = seats.unwrap_or_else(|| info.default_seats.into());
        let seats = u8::try_from(seats)
            .map_err(|_| errors::value(format!("{} is not for {seats} seats", info.title)))?;
        let inner = py.detach(|| environments.setup(seats, &options, Exploration::FULL));
        Ok(Setup { inner: inner.map_err(errors::game)? })
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.inner.game().info().name
    }

    /// Number of seats.
    #[getter]
    fn seats(&self) -> u8 {
        self.inner.seats()
    }

    /// All options, defaults included, as the text of a JSON table.
    #[getter]
    fn options(&self) -> String {
        self.inner.options().to_string()
    }

    /// Length of the vector of an observation.
    #[getter]
    fn observation_size(&self) -> usize {
        self.inner.size().observation
    }

    /// Length of the vector of the features of an action.
    #[getter]
    fn action_size(&self) -> usize {
        self.inner.size().action
    }

    /// Number of legal actions for which a learner should have room. Longer lists are possible.
    #[getter]
    fn max_actions(&self) -> usize {
        self.inner.size().actions
    }

    /// The names of the numbers of an observation, in their order.
    #[getter]
    fn observation_names(&self) -> Vec<String> {
        self.inner.names().observation
    }

    /// The names of the numbers of an action, in their order.
    #[getter]
    fn action_names(&self) -> Vec<String> {
        self.inner.names().action
    }

    /// Creates a batch of `n` matches at their first decisions, on this number of threads; the seed
    /// determines all chance. `max_actions` is the number of actions for which there is room, 0 takes what
    /// the setup suggests. A match is cut off after `limit` decisions; 0 sets no limit. Raises `ValueError`
    /// if `n` or `threads` is out of range, and `GameError` if threads cannot be started or the rules
    /// contradict themselves.
    #[pyo3(signature = (n, seed=0, threads=1, limit=0, max_actions=0))]
    fn batch(
        &self,
        py: Python<'_>,
        n: usize,
        seed: u64,
        threads: usize,
        limit: u32,
        max_actions: usize,
    ) -> PyResult<Batch> {
        Batch::new(py, Arc::clone(&self.inner), n, seed, threads, limit, max_actions)
    }

    /// Plays this number of matches to their ends with uniformly random decisions inside the engine, without
    /// encoding anything, and returns the total number of decisions. The seed determines all chance and
    /// choices. Raises `GameError` if the rules contradict themselves.
    #[pyo3(signature = (matches, seed=0))]
    fn playouts(&self, py: Python<'_>, matches: u32, seed: u64) -> PyResult<u64> {
        py.detach(|| self.inner.playouts(matches, seed)).map_err(errors::environment)
    }

    /// Begins a match in which nature plays itself, at its first decision; it may be over at once. The seed
    /// determines all chance. With `record` the match writes a record. Raises `GameError` if the rules
    /// contradict themselves.
    #[pyo3(signature = (seed=0, record=false))]
    fn start(&self, seed: u64, record: bool) -> PyResult<Match> {
        let inner = Arc::clone(&self.inner).single(seed, record).map_err(errors::environment)?;
        Ok(Match::new(inner))
    }

    /// Creates the root of the game tree, before anything has happened, in which each result of nature is a
    /// step. Raises `GameError` if the rules contradict themselves.
    fn tree(&self) -> PyResult<State> {
        Ok(State::new(Arc::clone(&self.inner).tree().map_err(errors::environment)?))
    }

    /// Returns what pickle stores: the class, and the name, seats and options to call it with. Unpickling
    /// explores the game again.
    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String, u8, String))> {
        let inner = &slf.get().inner;
        let arguments = (inner.game().info().name.to_string(), inner.seats(), inner.options().to_string());
        Ok((slf.get_type().into_any().unbind(), arguments))
    }

    /// Returns the name, the seats, the lengths of encoded vectors and the suggested room: `Setup("kuhn",
    /// seats=2, …)`.
    fn __repr__(&self) -> String {
        let size = self.inner.size();
        format!(
            "Setup({:?}, seats={}, observation_size={}, action_size={}, max_actions={})",
            self.inner.game().info().name,
            self.inner.seats(),
            size.observation,
            size.action,
            size.actions
        )
    }
}
