//! `pentarchy simulate`: the whole system under one seed each, with faults and adversaries.

use crate::command_error::{CommandError, Outcome};
use crate::game_arg::GameArg;
use crate::parallel;
use crate::peers::parse_seeds;
use crate::style::thousands;
use clap::builder::{PossibleValue, PossibleValuesParser};
use pentarchy_arena::RunError;
use pentarchy_simulation::{FaultCounts, FaultKind, MIXES, Mutant, Simulation, replay_command, simulate};
use pentarchy_table::sim::Cheat;
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::Range;

/// Simulate the whole system: lobby, mesh, relay, storage and clocks, with faults and adversaries
///
/// Each seed draws a table, faults and adversaries, and plays in virtual time with the real code. Rules that must hold
/// in every run are checked at every step; docs/simulation.md lists them.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy simulate                            100 seeds, any game
  pentarchy simulate kuhn --seeds 0..1000 --mix storage
  pentarchy simulate --seeds 17..18 --trace     one run, line by line

With --faults a run has exactly these kinds of faults, at high rates;
docs/simulation.md describes them. With --cheat one seat cheats in this way:
`pentarchy peers list` lists the ways. With --mutant the code has a deliberate
bug, to see that the simulation finds it.

A seed that fails prints the command that plays it again.")]
pub(crate) struct Args {
    /// The game, as `pentarchy games` lists them [default: each seed draws one]
    game: Option<GameArg>,

    /// The seeds, from the first up to but not including the last
    #[arg(long, value_name = "A..B", value_parser = parse_seeds, default_value = "0..100")]
    seeds: Range<u64>,

    /// The mix of faults
    #[arg(long, value_name = "NAME", default_value = "swarm", value_parser = mixes())]
    mix: String,

    /// Exactly these kinds of faults; none if the list is empty [default: the mix draws them]
    #[arg(long, value_name = "KIND,…", require_equals = true, value_parser = parse_faults)]
    faults: Option<Faults>,

    /// How one seat cheats [default: the mix draws it]
    #[arg(long, value_name = "NAME", value_parser = parse_cheat)]
    cheat: Option<&'static Cheat>,

    /// A deliberate bug
    #[arg(long, value_name = "NAME")]
    mutant: Option<Mutant>,

    /// Print the events line by line, and their hash
    #[arg(long)]
    trace: bool,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Kinds of faults: one argument.
#[derive(Clone)]
struct Faults(Vec<FaultKind>);

/// Returns the parser for the argument `--mix`: it accepts exactly the names of the mixes of faults, and the help
/// describes each.
fn mixes() -> PossibleValuesParser {
    MIXES.iter().map(|(name, what)| PossibleValue::new(*name).help(*what)).into()
}

/// Parses names of kinds of faults, such as `TornWrite` in any case, separated by commas without spaces, in their
/// order. Empty names are skipped, so that an empty text means no faults.
///
/// # Errors
///
/// Fails if there is no such kind; the message lists all.
fn parse_faults(text: &str) -> Result<Faults, String> {
    let names = text.split(',').filter(|name| !name.is_empty());
    Ok(Faults(names.map(str::parse).collect::<Result<_, _>>()?))
}

/// Returns the cheat of exactly this name from the attack catalogue of `pentarchy peers list`.
///
/// # Errors
///
/// Fails if there is none.
fn parse_cheat(name: &str) -> Result<&'static Cheat, String> {
    Cheat::find(name).ok_or_else(|| "there is no such cheat; `pentarchy peers list` lists them".to_owned())
}

/// Totals of the runs; if one failed, of those with lower seeds.
#[derive(Default)]
struct Sums {
    /// Number of runs.
    runs: u64,
    /// Number of events.
    events: u64,
    /// Number of proofs of cheating.
    evidence: u64,
    /// Number of matches that were played to their end.
    finished: u64,
    /// Number of faults, by kind.
    faults: FaultCounts,
    /// The lowest seed that failed, and why.
    failed: Option<(u64, String)>,
}

/// Runs `pentarchy simulate`: simulates the whole system for each seed, and prints the numbers of runs, finished
/// matches, events and proofs of cheating, and the faults by kind. With `--trace`, first prints the events of each run.
///
/// # Errors
///
/// Fails with a failed check that names the lowest seed that violates an oracle and the command that repeats it, or if
/// the output is closed.
pub(crate) fn run(args: &Args) -> Outcome {
    let sums = simulate_all(args)?;
    if let Some((seed, why)) = sums.failed {
        let again = replay_command(&program(), &simulation(args, seed));
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

/// Returns the path of this program as it was started, in quotation marks if it has spaces. A failed assertion is only
/// repeated by a program that has it.
fn program() -> String {
    let program = std::env::args().next().unwrap_or_else(|| "pentarchy".to_owned());
    if program.contains(' ') { format!("'{program}'") } else { program }
}

/// Returns the plan of the run of a seed: game, mix, faults, cheat, mutant and trace of the arguments. Nothing is run
/// yet.
fn simulation(args: &Args, seed: u64) -> Simulation {
    Simulation {
        game: args.game.map(|game| game.0),
        mix: args.mix.clone(),
        faults: args.faults.clone().map(|faults| faults.0),
        cheat: args.cheat,
        mutant: args.mutant,
        trace: args.trace,
        ..Simulation::new(seed)
    }
}

/// Simulates the seeds of the arguments on several threads and returns their sums. Of several failures the one with the
/// lowest seed is in [`Sums::failed`], and the sums cover the seeds below it. Traces are printed in the order of the
/// seeds, if the arguments ask for them. A trace is followed by its hash; the trace of a failed run is printed without
/// one.
///
/// # Errors
///
/// Fails if a run panicked. If another seed fails as well, the timing of the threads decides which of the two is
/// reported.
fn simulate_all(args: &Args) -> Outcome<Sums> {
    let threads = parallel::thread_count(args.threads);
    let work = |seed| simulate(&simulation(args, seed)).map_err(|broken| (seed, broken));
    let mut sums = Sums::default();
    let ended = parallel::each(args.seeds.clone(), threads, "runs", work, |seed, report| {
        print_lines(&report.trace);
        if args.trace {
            let hash = data_encoding::HEXLOWER.encode(&report.hash);
            anstream::println!("seed {seed}: trace {hash}");
        }
        sums.runs += 1;
        sums.events += u64::from(report.events);
        sums.evidence += report.evidence;
        sums.finished += u64::from(report.finished);
        sums.faults.merge(&report.faults);
    });
    match ended {
        Ok(()) => Ok(sums),
        Err(RunError::Failed((seed, broken))) => {
            print_lines(&broken.trace);
            Ok(Sums { failed: Some((seed, broken.to_string())), ..sums })
        }
        Err(RunError::Panicked) => Err(parallel::panic_error()),
    }
}

/// Prints the lines of a trace to standard output; nothing if there are none.
fn print_lines(trace: &[String]) {
    trace.iter().for_each(|line| anstream::println!("{line}"));
}
