//! Runs of the lab, the arena and the simulation: played in parts, and joined to a report.

use crate::errors;
use pentarchy_arena::lab::part_of;
use pentarchy_arena::part::{self, JoinedParts, MOST_PARTS, PartError, PartHeader};
use pentarchy_arena::sprt::BotMatch;
use pentarchy_arena::{
    AnyArena, Lab, LabPart, LabRequest, SimulationPlan, SimulationTally, TournamentError, TournamentPart,
    TournamentPlan, data, report, seat_bots, seat_count,
};
use pentarchy_bots::Spec;
use pentarchy_engine::{AnyGame, Preset};
use pentarchy_registry as registry;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use serde_json::Value;
use std::num::NonZeroUsize;
use std::thread;

/// Most threads of a part.
const MOST_THREADS: usize = 1024;

/// The arguments of [`Run::restore`]: command, game, number of games, plan as JSON, command line.
type RestoreArguments = (String, String, u64, String, String);

/// The parameters of a run.
#[derive(Clone)]
enum RunPlan {
    /// Balance figures of many games.
    Lab(Lab),
    /// Bots against each other.
    Arena(TournamentPlan),
    /// Many games with fixed seats, from number 0 on.
    Sim { plan: SimulationPlan, games: u64 },
}

/// What all runs take: a dictionary of Python with these keys.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RunArguments {
    /// Number of seats; `None` to derive it from the bots and the game.
    seats: Option<i64>,
    /// The bot of each seat, or one for all.
    bots: Vec<String>,
    /// The seed of the run.
    seed: u64,
    /// Number of games of the whole run; in a lab run, with each setting.
    games: u64,
    /// Options by name and value, which override those of the preset.
    set: Vec<(String, String)>,
    /// The name of a preset of options.
    preset: Option<String>,
}

/// What a lab run takes besides: a dictionary of Python with these keys.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct LabArguments {
    /// Options and the values to compare.
    sweep: Vec<(String, Vec<String>)>,
    /// The strategies to play against each other.
    rivals: Vec<String>,
    /// Number of games per pair of strategies; `None` for a tenth of the games, 60 to 1000.
    rival_games: Option<u64>,
    /// Whether restricted play is wanted.
    restrict: bool,
    /// Maximum number of pairs of restricted play per option; `None` for the number of games.
    restrict_games: Option<u64>,
    /// Stop as soon as the share of every seat is known to this much up or down (0.01 is one point). A part
    /// does not stop early; the join leaves out what comes later.
    until: Option<f64>,
}

/// A run of `lab`, `arena` or `sim`, which can be played in parts.
#[pyclass(frozen, module = "pentarchy._core")]
pub(crate) struct Run {
    /// What is played.
    plan: RunPlan,
    /// The command line of the whole run, for the report.
    shown: String,
}

/// The game of a run, with what its arguments say.
struct Arguments {
    game: &'static dyn AnyGame,
    arena: &'static dyn AnyArena,
    seats: Option<u8>,
    bots: Vec<Spec>,
    /// The options of the preset; null without one.
    options: Value,
}

impl RunArguments {
    /// Finds the game and its preset, and parses bots and seats. Options of `set` are not read, and whether
    /// seats and bots fit the game is not checked.
    ///
    /// # Errors
    ///
    /// Fails with a `ValueError` if there is no such game, bot or preset, or if the number of seats is
    /// negative or more than 255.
    fn read(&self, game: &str) -> PyResult<Arguments> {
        let arena = registry::arena_of(game).map_err(errors::value)?;
        let game = registry::find(game).map_err(errors::value)?;
        let seats = self.seats.map(|seats| {
            u8::try_from(seats)
                .map_err(|_| errors::value(format!("{} is not for {seats} seats", game.info().title)))
        });
        let options = match &self.preset {
            Some(name) => (Preset::find(game.presets(), name).map_err(errors::value)?.options)(),
            None => Value::Null,
        };
        Ok(Arguments { game, arena, seats: seats.transpose()?, bots: read_bots(&self.bots)?, options })
    }
}

/// Parses bots (`captain`, `emperor:500`) in their order.
///
/// # Errors
///
/// Fails with a `ValueError` for the first one that does not exist.
pub(crate) fn read_bots(bots: &[String]) -> PyResult<Vec<Spec>> {
    bots.iter().map(|bot| bot.parse().map_err(errors::value)).collect()
}

/// Returns the number of threads to use: `wanted`, or one per core (at most [`MOST_THREADS`]) for 0.
///
/// # Errors
///
/// Fails with a `ValueError` if it is more than [`MOST_THREADS`].
pub(crate) fn thread_count(wanted: usize) -> PyResult<usize> {
    match wanted {
        0 => Ok(thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MOST_THREADS)),
        1..=MOST_THREADS => Ok(wanted),
        _ => Err(errors::value(format!("a run has at most {MOST_THREADS} threads, not {wanted}"))),
    }
}

impl Run {
    /// Returns the game, the seed, the number of games of the whole run, and all parameters but the game as a
    /// JSON object, in this order.
    fn described(&self) -> (&'static dyn AnyArena, u64, u64, Value) {
        match &self.plan {
            RunPlan::Lab(lab) => (lab.game, lab.seed, lab.games, lab.as_plan()),
            RunPlan::Arena(plan) => (plan.game, plan.seed, plan.games, plan.as_plan()),
            RunPlan::Sim { plan, games } => (plan.game, plan.seed, *games, plan.as_plan()),
        }
    }

    /// Plays part `part` of `parts` (counted from 1, not checked) on this number of threads and returns the
    /// bytes of its part file.
    ///
    /// # Errors
    ///
    /// Fails if the options are invalid, a game fails or panics, or the part cannot be encoded.
    fn play_part(&self, part: u32, parts: u32, threads: usize) -> Result<Vec<u8>, PartRunError> {
        let (game, seed, games, plan) = self.described();
        let header = PartHeader::new(self.command(), game, (seed, games), &plan, &self.shown, (part, parts));
        let numbers = (u64::from(part), u64::from(parts));
        let range = part_of(games, numbers.0, numbers.1);
        let encoded = match &self.plan {
            RunPlan::Lab(lab) => part::encode(&header, &lab.run_part(numbers, threads, |_| ())?),
            RunPlan::Arena(plan) => part::encode(&header, &plan.play_part(range, threads, || ())?),
            RunPlan::Sim { plan, .. } => part::encode(&header, &plan.run(range, threads, |_| ())?),
        };
        encoded.map_err(|error| PartRunError::Encoding(error.to_string()))
    }
}

/// Why a part was not played.
enum PartRunError {
    /// A game failed.
    Game(TournamentError),
    /// The part cannot be encoded.
    Encoding(String),
}

impl From<TournamentError> for PartRunError {
    /// Wraps the error of a game.
    fn from(error: TournamentError) -> Self {
        PartRunError::Game(error)
    }
}

/// Returns the exception of a failed part: `ValueError` for invalid options, else `GameError`.
fn failed(error: PartRunError) -> PyErr {
    match error {
        PartRunError::Game(TournamentError::Options(error)) => errors::game(error),
        PartRunError::Game(error) => errors::GameError::new_err(error.to_string()),
        PartRunError::Encoding(text) => errors::GameError::new_err(text),
    }
}

#[pymethods]
impl Run {
    /// Creates a run of the lab; nothing is played yet. `shown` is the command line for its report. Raises
    /// `ValueError` if there is no such game, bot or preset, or if seats, bots, options, sweeps or restricted
    /// play do not fit the game.
    #[staticmethod]
    fn lab(game: &str, arguments: RunArguments, more: LabArguments, shown: String) -> PyResult<Self> {
        let Arguments { game, arena, seats, bots, options } = arguments.read(game)?;
        let request = LabRequest {
            seats,
            bots,
            seed: arguments.seed,
            games: arguments.games,
            options,
            set: arguments.set,
            sweep: more.sweep,
            rivals: read_bots(&more.rivals)?,
            rival_games: more.rival_games,
            restrict: more.restrict,
            restrict_games: more.restrict_games,
            until: more.until,
        };
        let lab = request.lab(game, arena).map_err(errors::value)?;
        Ok(Run { plan: RunPlan::Lab(lab), shown })
    }

    /// Creates a tournament; nothing is played yet. It ends early once the 95 % intervals of all bots are at
    /// most `interval` wide; a part does not, and the join leaves out what comes later. `shown` is the
    /// command line. Raises `ValueError` if there is no such game, bot or preset, or if seats, bots or
    /// options do not fit the game.
    #[staticmethod]
    #[pyo3(signature = (game, arguments, interval, shown))]
    fn arena(game: &str, arguments: RunArguments, interval: Option<f64>, shown: String) -> PyResult<Self> {
        let Arguments { game, arena, seats, bots, options } = arguments.read(game)?;
        let seats = seat_count(game, seats, &bots);
        let options = game.options(seats, &options, &arguments.set).map_err(errors::game)?;
        let bots = seat_bots(&bots, seats).map_err(errors::value)?;
        let RunArguments { seed, games, .. } = arguments;
        let plan = TournamentPlan { game: arena, options, bots, seed, games, interval };
        Ok(Run { plan: RunPlan::Arena(plan), shown })
    }

    /// Creates a simulation with fixed seats; nothing is played yet. `seats` is the default number of the
    /// game if `None`. `shown` is the command line. Raises `ValueError` if there is no such game, bot or
    /// preset, or if seats, bots or options do not fit the game.
    #[staticmethod]
    fn sim(game: &str, arguments: RunArguments, shown: String) -> PyResult<Self> {
        let Arguments { game, arena, seats, bots, options } = arguments.read(game)?;
        let seats = seats.unwrap_or(game.info().default_seats);
        let options = game.options(seats, &options, &arguments.set).map_err(errors::game)?;
        let bots = seat_bots(&bots, seats).map_err(errors::value)?;
        let plan = SimulationPlan { game: arena, options, bots, seed: arguments.seed };
        Ok(Run { plan: RunPlan::Sim { plan, games: arguments.games }, shown })
    }

    /// Returns the run with the parameters that pickle has stored: command, game, number of games (used for
    /// `sim` only), `plan` as JSON text, and command line. Raises `ValueError` for an unknown game or command
    /// and a malformed plan. Options are checked when games are played.
    #[staticmethod]
    fn restore(command: &str, game: &str, games: u64, plan: &str, shown: String) -> PyResult<Self> {
        let game = registry::arena_of(game).map_err(errors::value)?;
        let malformed = || errors::value(PartError::Malformed);
        let plan: Value = serde_json::from_str(plan).map_err(|_| malformed())?;
        let plan = match command {
            "lab" => Lab::from_plan(game, &plan).map(RunPlan::Lab),
            "arena" => TournamentPlan::from_plan(game, &plan).map(RunPlan::Arena),
            "sim" => SimulationPlan::from_plan(game, &plan).map(|plan| RunPlan::Sim { plan, games }),
            _ => None,
        };
        Ok(Run { plan: plan.ok_or_else(malformed)?, shown })
    }

    /// `lab`, `arena` or `sim`.
    #[getter]
    fn command(&self) -> &'static str {
        match &self.plan {
            RunPlan::Lab(_) => "lab",
            RunPlan::Arena(_) => "arena",
            RunPlan::Sim { .. } => "sim",
        }
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.described().0.info().name
    }

    /// Number of games; those of a lab run are played with each setting.
    #[getter]
    fn games(&self) -> u64 {
        self.described().2
    }

    /// Maximum number of parts of this run: with at most one part per game, and at most 100,000, no part is
    /// empty.
    #[getter]
    fn most_parts(&self) -> u64 {
        self.games().clamp(1, MOST_PARTS.into())
    }

    /// The command line of the report.
    #[getter]
    fn shown(&self) -> &str {
        &self.shown
    }

    /// All parameters but the game, as the text of a JSON object.
    #[getter]
    fn plan(&self) -> String {
        self.described().3.to_string()
    }

    /// Plays part number `part`, counted from 1, of `parts` on this number of threads (0: one per core), and
    /// returns the content of its part file, which `join_parts` reads. Raises `ValueError` if `part`, `parts`
    /// or `threads` is out of range or the options are invalid, and `GameError` if a game fails or panics.
    #[pyo3(signature = (part=1, parts=1, threads=0))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        part: i64,
        parts: i64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let threads = thread_count(threads)?;
        let count = u32::try_from(parts).ok().filter(|parts| (1..=MOST_PARTS).contains(parts));
        let count =
            count.ok_or_else(|| errors::value(format!("a run has 1 to {MOST_PARTS} parts, not {parts}")))?;
        let number = u32::try_from(part).ok().filter(|part| (1..=count).contains(part));
        let number = number.ok_or_else(|| {
            errors::value(format!("there is no part {part} of {parts}: parts count from 1"))
        })?;
        let bytes = py.detach(|| self.play_part(number, count, threads)).map_err(failed)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns what pickle stores: `restore` and its arguments.
    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, RestoreArguments)> {
        let run = slf.get();
        let arguments =
            (run.command().to_string(), run.game().to_string(), run.games(), run.plan(), run.shown.clone());
        Ok((slf.get_type().getattr("restore")?.unbind(), arguments))
    }

    /// Returns the command line: `<Run: pentarchy lab …>`.
    fn __repr__(&self) -> String {
        format!("<Run: {}>", self.shown)
    }
}

/// Joins all parts (name and content) of a run of `command` (`lab`, `arena` or `sim`), in any order. Returns
/// the results as indented JSON text with a line break, as the command line writes them, and for the lab the
/// page in HTML, else `None`. Raises `ValueError` if a file is no part, is damaged or belongs to another
/// command or run, or if a part is missing or there twice.
#[pyfunction]
pub(crate) fn join_parts(
    py: Python<'_>,
    command: &str,
    files: Vec<(String, PyBackedBytes)>,
) -> PyResult<(String, Option<String>)> {
    let files: Vec<(String, Vec<u8>)> =
        files.into_iter().map(|(name, bytes)| (name, bytes.to_vec())).collect();
    let (data, page) = py.detach(|| joined(command, &files)).map_err(errors::value)?;
    Ok((format!("{data:#}\n"), page))
}

/// Joins all parts of a run of `command` (`lab`, `arena` or `sim`), in any order. Returns the results as a
/// JSON object, and for the lab the page in HTML, else `None`.
///
/// # Errors
///
/// Fails if the parts are malformed or do not make one whole run, or for another command.
fn joined(command: &str, files: &[(String, Vec<u8>)]) -> Result<(Value, Option<String>), PartError> {
    match command {
        "lab" => {
            let all = JoinedParts::<LabPart>::new(files, command, registry::ARENAS)?;
            let lab = Lab::from_plan(all.game, &all.plan).ok_or(PartError::Malformed)?;
            let found = lab.join(all.parts);
            Ok((data::as_data(&lab, &found), Some(report::page(&lab, &found, &all.header.shown))))
        }
        "arena" => {
            let all = JoinedParts::<TournamentPart>::new(files, command, registry::ARENAS)?;
            let plan = TournamentPlan::from_plan(all.game, &all.plan).ok_or(PartError::Malformed)?;
            let mut bout = BotMatch::new(plan.seats(), None);
            let tally = plan.join(&all.parts, |row| bout.add(&plan, row));
            let mut data = tally.as_data(&plan);
            data["match"] = bout.as_data();
            Ok((data, None))
        }
        "sim" => {
            let all = JoinedParts::<SimulationTally>::new(files, command, registry::ARENAS)?;
            let plan = SimulationPlan::from_plan(all.game, &all.plan).ok_or(PartError::Malformed)?;
            let mut sum = SimulationTally::default();
            all.parts.iter().for_each(|part| sum.merge(part));
            Ok((sum.as_data(&plan), None))
        }
        _ => Err(PartError::Foreign(command.to_string())),
    }
}
