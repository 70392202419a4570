//! `pentarchy simulate`: the whole system under one seed each, with faults and adversaries.

use crate::command_error::{CommandError, Outcome};
use crate::game_arg::GameArg;
use crate::peers::seeds;
use crate::progress;
use crate::style::thousands;
use pentarchy_simulation::{FaultCounts, FaultKind, MIXES, Simulation, replay_command, simulate};
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Simulate the whole system: lobby, mesh, relay, storage and clocks, with faults and adversaries
///
/// Each seed draws a table, faults and adversaries, and plays in virtual time with the real code. Rules that must hold in
/// every run are checked at every step; docs/simulation.md lists them.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy simulate                            100 seeds, any game
  pentarchy simulate kuhn --seeds 0..1000 --mix storage
  pentarchy simulate --seeds 17..18 --trace     one run, line by line

Mixes: swarm (each seed draws its own), calm, relay, storage, host, room, cheat,
coalition.

A seed that fails prints the command that plays it again.")]
pub(crate) struct Args {
    /// The game, as `pentarchy games` lists them [default: each seed draws one]
    game: Option<GameArg>,

    /// The seeds, from the first up to but not including the last
    #[arg(long, value_name = "A..B", value_parser = seeds, default_value = "0..100")]
    seeds: Range<u64>,

    /// The mix of faults
    #[arg(long, value_name = "NAME", default_value = "swarm", value_parser = mix)]
    mix: String,

    /// Print the events line by line, and their hash
    #[arg(long)]
    trace: bool,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Parses the name of a mix of faults.
///
/// # Errors
///
/// Fails if there is no such mix.
fn mix(name: &str) -> Result<String, String> {
    let names = || MIXES.iter().map(|(name, _)| *name);
    if names().any(|known| known == name) {
        return Ok(name.to_owned());
    }
    Err(format!("there is no mix `{name}`; there are {}", names().collect::<Vec<_>>().join(", ")))
}

#[derive(Default)]
struct Sums {
    runs: u64,
    events: u64,
    evidence: u64,
    finished: u64,
    faults: FaultCounts,
    failed: Option<(u64, String)>,
}

/// Runs `pentarchy simulate`: runs all seeds and prints the sums.
///
/// # Errors
///
/// Fails with the first seed that violates an oracle, and the command that repeats it.
pub(crate) fn run(args: &Args) -> Outcome {
    let sums = simulate_all(args);
    if let Some((seed, why)) = sums.failed {
        let again = replay_command(&simulation(args, seed));
        return Err(CommandError::Check(format!("seed {seed}: {why}\n  again: {again}")));
    }
    let mut out = anstream::stdout().lock();
    let [runs, events, evidence, finished] =
        [sums.runs, sums.events, sums.evidence, sums.finished].map(thousands);
    writeln!(
        out,
        "{runs} runs, {finished} played to their end, {events} events, {evidence} proofs of cheating"
    )?;
    let faults = FaultKind::ALL.into_iter().filter(|kind| sums.faults.of(*kind) > 0);
    let faults: Vec<String> =
        faults.map(|kind| format!("{kind:?} {}", thousands(sums.faults.of(kind)))).collect();
    if !faults.is_empty() {
        writeln!(out, "faults: {}", faults.join(", "))?;
    }
    Ok(())
}

/// Returns the run of a seed with the settings of the arguments.
fn simulation(args: &Args, seed: u64) -> Simulation {
    Simulation {
        game: args.game.map(|game| game.0),
        mix: args.mix.clone(),
        trace: args.trace,
        ..Simulation::new(seed)
    }
}

/// Simulates on several threads; of several failures the one with the lowest seed is reported. A trace is printed in the
/// order of the seeds, by one thread.
fn simulate_all(args: &Args) -> Sums {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = if args.trace { 1 } else { args.threads.map_or(cores, NonZeroUsize::get) };
    let (next, sums) = (AtomicU64::new(args.seeds.start), Mutex::new(Sums::default()));
    let bar = progress::bar(args.seeds.end - args.seeds.start, "runs");
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= args.seeds.end {
                return;
            }
            let outcome = simulate(&simulation(args, seed));
            let trace = outcome.as_ref().map_or_else(|broken| &broken.trace, |report| &report.trace);
            for line in trace {
                anstream::println!("{line}");
            }
            let mut sums = sums.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            match outcome {
                Ok(report) => {
                    if args.trace {
                        let hash = data_encoding::HEXLOWER.encode(&report.hash);
                        anstream::println!("seed {seed}: trace {hash}");
                    }
                    sums.runs += 1;
                    sums.events += u64::from(report.events);
                    sums.evidence += report.evidence;
                    sums.finished += u64::from(report.finished);
                    sums.faults.merge(&report.faults);
                }
                Err(broken) => {
                    next.store(args.seeds.end, Ordering::Relaxed);
                    if sums.failed.as_ref().is_none_or(|(other, _)| seed < *other) {
                        sums.failed = Some((seed, broken.to_string()));
                    }
                }
            }
            bar.inc(1);
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    bar.finish_and_clear();
    sums.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}
