//! The harness of the bench targets `playouts` of the game crates: random games per CPU second.
//!
//! A target has `harness = false` and a `main` of a line for each game:
//!
//! ```no_run
//! # use pentarchy_engine::Game;
//! # fn main_of_a_bench<TicTacToe: Game<Options: Default>>() {
//! let bench = pentarchy_testkit::bench::Bench::from_args();
//! bench.playouts::<TicTacToe>(2, Some(10e6));
//! # }
//! ```
//!
//! The CPU time of the thread is measured, not wall-clock time, so that other load on the machine has little
//! effect. Each figure is the median of several runs, printed as a line of JSON with the slowest and the
//! fastest.

mod clock;

pub use clock::CpuClock;

use pentarchy_engine::{Game, Position, Rng};
use serde_json::json;
use std::hint::black_box;

/// Number of runs; a figure is their median.
const RUNS: usize = 9;
/// Approximate CPU seconds of a run.
const SECONDS: f64 = 0.25;
/// Fixed seed, so that every run plays the same games.
const SEED: u64 = 1;

/// The command-line arguments of a bench target.
#[derive(Clone, Debug, Default)]
pub struct Bench {
    /// Only measurements whose names contain this text are run.
    filter: Option<String>,
    /// `cargo test` runs bench targets too: one short run then shows that they work.
    smoke: bool,
}

/// The result of one run.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Number of games, or of operations.
    games: u64,
    /// Number of decisions in the games; 0 if they were not counted.
    decisions: u64,
    /// CPU seconds.
    seconds: f64,
}

impl Run {
    /// Returns the games (or operations) per CPU second.
    fn rate(&self) -> f64 {
        self.games as f64 / self.seconds
    }
}

impl Bench {
    /// Parses the command line as `cargo bench -- FILTER` passes it: the first argument without a dash is
    /// the filter, other arguments are ignored. Without `--bench`, as under `cargo test`, every measurement
    /// is one short run.
    pub fn from_args() -> Self {
        let args: Vec<String> = std::env::args().skip(1).collect();
        Bench {
            filter: args.iter().find(|arg| !arg.starts_with('-')).cloned(),
            smoke: !args.iter().any(|arg| arg == "--bench"),
        }
    }

    /// Measures random playouts of a game with its default options and prints the figure as a line of JSON,
    /// unless the filter excludes it. `target` is in playouts per second; it is printed but not enforced.
    /// If the number of seats is invalid or the rules reject an event, prints only a message to stderr.
    pub fn playouts<G: Game<Options: Default>>(&self, seats: u8, target: Option<f64>) {
        self.run::<G>(seats, "target", target);
    }

    /// Measures random playouts of a game with its default options and prints the figure as a line of JSON,
    /// unless the filter excludes it. `target` is in decisions per second; it is printed but not enforced.
    /// If the number of seats is invalid or the rules reject an event, prints only a message to stderr.
    pub fn decisions<G: Game<Options: Default>>(&self, seats: u8, target: Option<f64>) {
        self.run::<G>(seats, "decisions_target", target);
    }

    /// Measures an operation and prints its rate per CPU second as a line of JSON, unless the
    /// filter excludes `name`. `work(n)` must do it `n` times: it is called with growing numbers,
    /// then several times for a quarter of a second each; under `cargo test` once, with 10.
    /// `target` is printed but not enforced.
    pub fn rate(&self, name: &str, target: Option<f64>, mut work: impl FnMut(u64)) {
        if self.filter.as_ref().is_some_and(|filter| !name.contains(filter.as_str())) {
            return;
        }
        let mut run = |games| {
            let clock = CpuClock::start();
            work(games);
            Run { games, decisions: 0, seconds: clock.seconds() }
        };
        let runs = if self.smoke {
            vec![run(10)]
        } else {
            let mut trial = run(1);
            while trial.seconds < SECONDS / 10.0 {
                trial = run(2 * trial.games);
            }
            let games = (trial.rate() * SECONDS).ceil() as u64;
            (0..RUNS).map(|_| run(games)).collect()
        };
        println!("{}", figure(name, runs, "target", target));
    }

    /// Measures random playouts of a game with its default options, ten games in a smoke test, and prints
    /// the figure as a line of JSON. Does nothing if the name lacks the text of the filter; the name is
    /// `playout GAME`, followed by `with N` for another number of seats than the default. `judged` is the
    /// JSON key of `target`, "target" or "decisions_target", which is left out without one. A missed
    /// target is no failure. Errors go to stderr.
    fn run<G: Game<Options: Default>>(&self, seats: u8, judged: &str, target: Option<f64>) {
        let info = G::INFO;
        let mut name = format!("playout {}", info.name);
        if seats != info.default_seats {
            name += &format!(" with {seats}");
        }
        if self.filter.as_ref().is_some_and(|filter| !name.contains(filter.as_str())) {
            return;
        }
        let start = match Position::<G>::new(seats, &G::Options::default()) {
            Ok(start) => start,
            Err(error) => return eprintln!("{name}: {error}"),
        };
        match self.measure(&start) {
            Ok(runs) => println!("{}", figure(&name, runs, judged, target)),
            Err(refused) => eprintln!("{name}: {refused}"),
        }
    }

    /// Plays random games from `start` in several runs of about [`SECONDS`] and returns their results; one
    /// run of ten games in a smoke test.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event.
    fn measure<G: Game>(&self, start: &Position<G>) -> Result<Vec<Run>, pentarchy_engine::RuleError> {
        if self.smoke {
            return Ok(vec![play(start, 10)?]);
        }
        // Double the number until a run is long enough to estimate the number for a full one.
        let mut trial = play(start, 1)?;
        while trial.seconds < SECONDS / 10.0 {
            trial = play(start, 2 * trial.games)?;
        }
        let games = (trial.rate() * SECONDS).ceil() as u64;
        (0..RUNS).map(|_| play(start, games)).collect()
    }
}

/// Plays this number of random games, each from a copy of `start`, with a fixed seed for all together.
/// Returns their decisions and CPU time.
///
/// # Errors
///
/// Fails if the rules reject an event.
#[inline(never)]
fn play<G: Game>(start: &Position<G>, games: u64) -> Result<Run, pentarchy_engine::RuleError> {
    let (mut rng, mut list) = (Rng::new(SEED), Vec::new());
    let clock = CpuClock::start();
    let mut decisions = 0;
    for _ in 0..games {
        let (outcome, count) = start.clone().playout(&mut rng, &mut list)?;
        black_box(outcome);
        decisions += u64::from(count);
    }
    Ok(Run { games, decisions, seconds: clock.seconds() })
}

/// Returns the JSON that `cargo xtask bench` reads: `bench` (the name), `per_second` (the median of
/// the runs), `low`, `high` and, if decisions were counted, `decisions_per_second`, all rounded to whole
/// numbers. `judged` is the key of `target`, which is left out if it is `None`. `runs` must not be empty.
fn figure(name: &str, mut runs: Vec<Run>, judged: &str, target: Option<f64>) -> serde_json::Value {
    runs.sort_by(|a, b| a.rate().total_cmp(&b.rate()));
    let median = runs[runs.len() / 2];
    let mut figure = json!({
        "bench": name,
        "per_second": median.rate().round(),
        "low": runs[0].rate().round(),
        "high": runs[runs.len() - 1].rate().round(),
    });
    if median.decisions > 0 {
        figure["decisions_per_second"] = json!((median.decisions as f64 / median.seconds).round());
    }
    if let Some(target) = target {
        figure[judged] = json!(target);
    }
    figure
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_the_median_with_its_range() {
        let run = |games| Run { games, decisions: 3 * games, seconds: 2.0 };
        let line = figure("playout chess", vec![run(20), run(60), run(40)], "target", Some(25.0));
        let expected = json!({
            "bench": "playout chess", "per_second": 20.0, "low": 10.0, "high": 30.0,
            "decisions_per_second": 60.0, "target": 25.0,
        });
        assert_eq!(line, expected);
        assert_eq!(figure("x", vec![run(2)], "target", None).get("target"), None);
    }

    #[test]
    fn the_clock_counts_work_and_not_waiting() {
        let clock = CpuClock::start();
        std::thread::sleep(std::time::Duration::from_millis(30));
        let waited = clock.seconds();
        let mut rng = Rng::new(1);
        while clock.seconds() < waited + 0.01 {
            black_box(rng.bits());
        }
        assert!(!cfg!(unix) || waited < 0.02, "{waited}");
    }
}
