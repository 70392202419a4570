//! Games of bots against each other, as arrays for programs that learn.

use crate::errors;
use crate::games::Setup;
use crate::runs::{read_bots, thread_count};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pentarchy_arena::{RunError, run, seat_bots};
use pentarchy_batch::{AnySetup, EnvironmentError};
use pentarchy_bots::{AnyBots, Spec};
use pentarchy_engine::record::Record;
use pentarchy_engine::{AnyError, Rng, Seat};
use pentarchy_registry as registry;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The arguments of self-play: a dictionary of Python with these keys.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct SelfplayArguments {
    /// The bot of each seat, or one for all.
    bots: Vec<String>,
    /// The seed of all games.
    seed: u64,
    /// The number of the first game.
    first: u64,
    /// The number after that of the last game.
    last: u64,
    /// Number of threads; 0 for one per core.
    threads: usize,
    /// Whether observations and features are wanted.
    vectors: bool,
    /// Whether records are wanted.
    records: bool,
}

/// The decisions of one game in order, or of several.
#[derive(Default)]
struct Decisions {
    /// What the seat to act knew, one vector after the other.
    observations: Vec<f32>,
    /// The features of the chosen actions, one vector after the other.
    features: Vec<f32>,
    /// The seat to act, by decision.
    seats: Vec<i32>,
    /// The index of the chosen action in the legal list, by decision.
    actions: Vec<i32>,
    /// Number of legal actions, by decision.
    counts: Vec<i32>,
    /// The number of the game of each decision.
    games: Vec<i64>,
    /// What each seat got, game by game.
    rewards: Vec<f32>,
    /// The record of each game, if they are wanted.
    records: Vec<String>,
}

impl Decisions {
    /// Appends the decisions, rewards and records of later games to all lists.
    fn append(&mut self, mut other: Decisions) {
        self.observations.append(&mut other.observations);
        self.features.append(&mut other.features);
        self.seats.append(&mut other.seats);
        self.actions.append(&mut other.actions);
        self.counts.append(&mut other.counts);
        self.games.append(&mut other.games);
        self.rewards.append(&mut other.rewards);
        self.records.append(&mut other.records);
    }
}

/// Why a game of bots failed.
enum SelfplayError {
    /// The rules contradict themselves.
    Environment(EnvironmentError),
    /// A bot could not choose.
    Bot(AnyError),
}

/// The bots, seeds and vectors of all games.
struct Table<'a> {
    setup: &'a Arc<dyn AnySetup>,
    bots: &'static dyn AnyBots,
    specs: Vec<Spec>,
    seed: u64,
    vectors: bool,
    records: bool,
}

impl Table<'_> {
    /// Plays game number `game` to its end and returns its decisions and rewards, its vectors and its record
    /// if they are wanted. The game depends only on the table and the number, unless a bot thinks in time. A
    /// seat with one legal action takes it without asking its bot; that decision is listed too.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves or a bot cannot choose.
    fn play(&self, game: u64) -> Result<Decisions, SelfplayError> {
        let seats = self.specs.len() as u64;
        let player = |(seat, spec): (usize, &Spec)| {
            let key = game.wrapping_mul(seats).wrapping_add(seat as u64);
            self.bots.player(spec, Rng::stream(!self.seed, key).bits())
        };
        let mut players: Vec<_> = self.specs.iter().enumerate().map(player).collect();
        let seed = Rng::stream(self.seed, game).bits();
        let mut playing =
            Arc::clone(self.setup).single(seed, self.records).map_err(SelfplayError::Environment)?;
        let (size, mut all) = (self.setup.size(), Decisions::default());
        let mut rows = Vec::new();
        while let Some(seat) = playing.seat() {
            let count = playing.count();
            let chosen = match players.get_mut(seat.index()) {
                Some(player) if count > 1 => {
                    player.choose(&*playing.position().view(seat)).map_err(SelfplayError::Bot)?
                }
                _ => 0,
            };
            if self.vectors {
                let start = all.observations.len();
                all.observations.resize(start + size.observation, 0.0);
                playing.observe(seat, &mut all.observations[start..]);
                rows.clear();
                rows.resize((chosen + 1) * size.action, 0.0);
                playing.features(&mut rows);
                all.features.extend(&rows[chosen * size.action..]);
            }
            all.seats.push(seat.0.into());
            all.actions.push(chosen as i32);
            all.counts.push(count as i32);
            all.games.push(game as i64);
            playing.step(chosen).map_err(SelfplayError::Environment)?;
        }
        all.rewards.extend((0..self.setup.seats()).map(|seat| playing.reward(Seat(seat))));
        all.records.extend(playing.record().map(Record::text));
        Ok(all)
    }
}

/// The arrays of [`selfplay`]: observations, features, seats, actions, counts, games, rewards, records.
type SelfplayArrays<'py> = (
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray2<f32>>,
    Vec<String>,
);

/// Plays the games with the numbers `first` to `last` (not included) between bots, on several threads.
/// Returns observations, features of the chosen actions, seats, chosen actions, numbers of legal actions and
/// numbers of games, each with one row per decision, then rewards with one row per game and one column per
/// seat, and the records as texts. All are in the order of the games and do not depend on the number of
/// threads. Without `vectors` the first two have no rows, without `records` the list is empty. Raises
/// `ValueError` for unknown bots or a wrong number of bots or threads, and `GameError` if a game fails.
#[pyfunction]
pub(crate) fn selfplay<'py>(
    py: Python<'py>,
    setup: &Setup,
    arguments: SelfplayArguments,
) -> PyResult<SelfplayArrays<'py>> {
    let (setup, threads) = (&setup.inner, thread_count(arguments.threads)?);
    let table = Table {
        setup,
        bots: registry::bots_of(setup.game().info().name).map_err(errors::value)?,
        specs: seat_bots(&read_bots(&arguments.bots)?, setup.seats()).map_err(errors::value)?,
        seed: arguments.seed,
        vectors: arguments.vectors,
        records: arguments.records,
    };
    let mut all = Decisions::default();
    let ended = py.detach(|| {
        run(
            arguments.first..arguments.last,
            threads,
            |game| table.play(game),
            |_, game| {
                all.append(game);
                ControlFlow::Continue(())
            },
        )
    });
    ended.map_err(|error| match error {
        RunError::Failed(SelfplayError::Environment(error)) => errors::environment(error),
        RunError::Failed(SelfplayError::Bot(error)) => errors::game(error),
        RunError::Panicked => errors::GameError::new_err("a game panicked"),
    })?;
    let (size, decisions) = (setup.size(), all.seats.len());
    let rows = if arguments.vectors { decisions } else { 0 };
    let games = all.rewards.len() / usize::from(setup.seats()).max(1);
    Ok((
        PyArray1::from_vec(py, all.observations).reshape([rows, size.observation])?,
        PyArray1::from_vec(py, all.features).reshape([rows, size.action])?,
        PyArray1::from_vec(py, all.seats),
        PyArray1::from_vec(py, all.actions),
        PyArray1::from_vec(py, all.counts),
        PyArray1::from_vec(py, all.games),
        PyArray1::from_vec(py, all.rewards).reshape([games, setup.seats().into()])?,
        all.records,
    ))
}
