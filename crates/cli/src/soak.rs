//! `pentarchy soak GAME`: plays many random games with the conformance checks.

use crate::command_error::{CommandError, Outcome};
use crate::number::number;
use crate::parallel;
use crate::style::thousands;
use pentarchy_arena::RunError;
use pentarchy_registry::{TESTS, tests_of};
use pentarchy_testkit::any::AnyTests;
use pentarchy_testkit::conformance::{Soak, SoakReport};
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::Range;

/// Play many random games with checks on, and stop at the first that breaks a law
///
/// Every second game has random options. The seed of a game that breaks is printed: it is the bug report.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy soak                                   all games
  pentarchy soak leduc --games 1000000
  pentarchy soak leduc --seats 2 --seed 4711 --games 1   that game again")]
pub(crate) struct Args {
    /// The game, as `pentarchy games` lists them; or all
    #[arg(default_value = "all", value_parser = parse_which)]
    game: Which,

    /// Number of games of each
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number::<u64>)]
    games: u64,

    /// Only this number of seats [default: each in turn]
    #[arg(long, value_name = "N", value_parser = number::<u8>)]
    seats: Option<u8>,

    /// The seed of the first game; the next game has the next seed
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = number::<u64>)]
    seed: u64,

    /// Maximum number of decisions of a game
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = number::<u32>)]
    cap: u32,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// One game or all.
#[derive(Clone)]
enum Which {
    /// One game.
    One(&'static dyn AnyTests),
    /// All games.
    All,
}

/// Parses the exact name of a game, or `all` for all games of the registry.
///
/// # Errors
///
/// Fails if the game is unknown; the message suggests a similar name or lists all.
fn parse_which(name: &str) -> Result<Which, String> {
    if name == "all" {
        return Ok(Which::All);
    }
    tests_of(name).map(Which::One).map_err(|unknown| unknown.to_string())
}

/// Runs `pentarchy soak`: plays random games of one game or of all with the conformance checks, and prints a line per
/// game with the numbers of matches, decisions and checks. Games that do not have the wanted number of seats are
/// skipped. Stops at the first game that fails.
///
/// # Errors
///
/// Fails if a check fails or a game panics, if no game has this number of seats, or if the output is closed.
pub(crate) fn run(args: &Args) -> Outcome {
    let all: &[&'static dyn AnyTests] = match &args.game {
        Which::One(tests) => &[*tests],
        Which::All => TESTS,
    };
    let mut soaked = 0;
    for &tests in all {
        let info = tests.game().info();
        if args.seats.is_some_and(|seats| !(info.min_seats..=info.max_seats).contains(&seats)) {
            continue;
        }
        let SoakReport { games, decisions, longest, capped, checks } = soak(tests, args)?;
        soaked += 1;
        let (games, decisions, checks) = (thousands(games), thousands(decisions), thousands(checks));
        writeln!(
            anstream::stdout(),
            "{}: {games} games, {decisions} decisions (at most {longest} in one), {checks} checks, \
             {capped} ended at the cap",
            info.name
        )?;
    }
    if soaked == 0 {
        return Err(CommandError::usage(format_args!(
            "no game here is for {} seats",
            args.seats.unwrap_or(0)
        )));
    }
    Ok(())
}

/// Plays the games of the arguments by these tests on several threads, game n (from 0) with the seed `--seed` plus n
/// (wrapping), each up to `--cap` decisions, and returns the sums. Shows a progress bar. Of several violations the one
/// with the lowest seed is reported.
///
/// # Errors
///
/// Fails with a failed check: the violation and the command that repeats it (without `--cap`), or that a game panicked.
fn soak(tests: &'static dyn AnyTests, args: &Args) -> Outcome<SoakReport> {
    let work = |games: Range<u64>| {
        tests.soak(&Soak {
            seed: args.seed.wrapping_add(games.start),
            games: games.end - games.start,
            cap: args.cap,
            seats: args.seats,
            ..Soak::default()
        })
    };
    let mut sum = SoakReport::default();
    let threads = parallel::thread_count(args.threads);
    let ended = parallel::each_range(args.games, threads, 1024, work, |report| sum = sum.and(report));
    ended.map(|()| sum).map_err(|error| match error {
        RunError::Failed(v) => {
            let again = format!("pentarchy soak {} --seats {} --seed {} --games 1", v.game, v.seats, v.seed);
            CommandError::Check(format!("{v}\n  or: {again}"))
        }
        RunError::Panicked => parallel::panic_error(),
    })
}
