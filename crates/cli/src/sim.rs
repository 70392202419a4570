//! `pentarchy sim GAME`: simulates many games on all cores.

use crate::arena::{arena_of, request_error, tournament_error};
use crate::command_error::Outcome;
use crate::game_arg::{GameArg, Settings};
use crate::number::{number, positive};
use crate::output::Output;
use crate::parallel;
use crate::parts::{self, PartArg, parse_part};
use crate::progress;
use crate::style::{DIM, TITLE, paint, seat as seat_style, thousands};
use pentarchy_arena::lab::part_of;
use pentarchy_arena::statistics::wilson;
use pentarchy_arena::{SimulationPlan, SimulationTally, seat_bots};
use pentarchy_bots::Spec;
use pentarchy_engine::Seat;
use serde_json::Value;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Simulate many games of bots on all cores, and print statistics
///
/// A seed gives the same games and the same counts on every machine and with any number of threads.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy sim connect-four --games 1000000
  pentarchy sim kuhn --bots captain,random --games 100000
  pentarchy sim vires --seats 3 --set tuning.draw=3 --json

With --json one object is printed: game, rules_version, seats, seed, bots,
options, threads, games, seconds, cpu_seconds, games_per_second,
games_per_cpu_second, decisions_per_cpu_second, wins (by seat), win_intervals
(95%, Wilson), draws (games whose first rank was shared), unwon (games that
nobody won), capped (games that ended at their cap), mean_scores,
mean_decisions, median_decisions, decisions_5_percent, decisions_95_percent,
longest. The file of --out has the same without threads, times and speeds, so that
equal runs give equal files.

Parts: --part 3/16 --out part.bin plays the third of sixteen parts, on any machine;
pentarchy sim --join part*.bin makes one result of all.")]
pub(crate) struct Args {
    /// The game, as `pentarchy games` lists them
    #[arg(hide_possible_values = true, required_unless_present = "join")]
    game: Option<GameArg>,

    /// Number of seats [default: as the game says]
    #[arg(long, value_name = "N", value_parser = number::<u8>)]
    seats: Option<u8>,

    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = positive::<u64>)]
    games: u64,

    /// Seed of all games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number::<u64>)]
    seed: u64,

    /// Who plays: random, recruit, captain or emperor:N (N iterations), one for all seats or one for each
    #[arg(long, value_name = "BOT,…", value_delimiter = ',', default_value = "random")]
    bots: Vec<Spec>,

    #[command(flatten)]
    settings: Settings,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Play only this part of the games, and write it to the file of --out
    #[arg(long, value_name = "K/N", value_parser = parse_part, requires = "out", conflicts_with = "json")]
    part: Option<PartArg>,

    /// Join the parts of a simulation; the other arguments come from them
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["game", "bots", "seats", "games", "seed", "set", "preset", "options", "part"])]
    join: Vec<PathBuf>,

    /// Write the counts as a JSON object to this file; with --part, the part
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Duration of a simulation.
struct Times {
    /// The wall-clock time.
    wall: Duration,
    /// The CPU time of all threads; estimated where the system does not report it.
    cpu: Duration,
    /// The number of threads.
    threads: usize,
}

/// Runs `pentarchy sim`: plays the games on several threads, or joins parts, and prints the statistics as text, or with
/// `--json` as one JSON object. Writes the counts to `--out`; with `--part`, writes the part there and prints nothing.
/// The counts do not depend on the number of threads. Where the system does not report CPU time, it is estimated as the
/// wall-clock time of all threads.
///
/// # Errors
///
/// Fails if an argument is invalid, a file cannot be read or written, parts do not make a whole run, a game fails or
/// panics, or the output is closed.
pub(crate) fn run(args: &Args) -> Outcome {
    let Some(game) = args.game else { return join(args) };
    let seats = args.seats.unwrap_or(game.info().default_seats);
    let options = args.settings.resolve(game.0, seats)?;
    let bots = seat_bots(&args.bots, seats).map_err(|e| request_error(e, game.0))?;
    let plan = SimulationPlan { game: arena_of(game.0)?, options, bots, seed: args.seed };
    let threads = parallel::thread_count(args.threads);
    let file = Output::begin_optional(args.out.as_deref())?;
    if let Some(part) = args.part {
        let range = part_of(args.games, part.part.into(), part.parts.into());
        let tally = simulate(&plan, range, threads)?;
        let header = parts::header("sim", plan.game, (plan.seed, args.games), &plan.as_plan(), part);
        return file.map_or(Ok(()), |file| parts::write(file, &header, &tally));
    }
    let (wall, cpu) = (Instant::now(), cpu_time());
    let tally = simulate(&plan, 0..args.games, threads)?;
    let wall = wall.elapsed();
    let cpu = cpu.zip(cpu_time()).map_or(wall * threads as u32, |(from, to)| to.saturating_sub(from));
    show(args, file, &plan, &tally, Some(&Times { wall, cpu, threads }))
}

/// Joins the parts of a simulation, writes `--out` and prints the statistics. Prints JSON with `--json`. The plan comes
/// from the parts; there are no speeds.
///
/// # Errors
///
/// Fails if a part cannot be read, the parts are malformed or do not make a whole run, the file cannot be written, or
/// the output is closed.
fn join(args: &Args) -> Outcome {
    let joined = parts::read::<SimulationTally>("sim", &args.join)?;
    let plan = SimulationPlan::from_plan(joined.game, &joined.plan).ok_or_else(parts::malformed)?;
    let mut sum = SimulationTally::default();
    joined.parts.iter().for_each(|part| sum.merge(part));
    show(args, Output::begin_optional(args.out.as_deref())?, &plan, &sum, None)
}

/// Writes the counts to the file, if there is one, and prints the statistics as text, or with `--json` as one JSON
/// object, with the speed if `times` are known. The file appears before anything is printed; it never has speeds.
///
/// # Errors
///
/// Fails if the file cannot be written, or the output is closed.
fn show(
    args: &Args,
    mut file: Option<Output>,
    plan: &SimulationPlan,
    tally: &SimulationTally,
    times: Option<&Times>,
) -> Outcome {
    let mut data = tally.as_data(plan);
    if let Some(file) = &mut file {
        file.write(&format!("{data:#}\n"))?;
    }
    file.map_or(Ok(()), Output::finish)?;
    let mut out = anstream::stdout().lock();
    if args.json {
        times.into_iter().for_each(|times| add_times(&mut data, tally, times));
        writeln!(out, "{data}")?;
    } else {
        report(&mut out, plan, tally, times)?;
    }
    Ok(())
}

/// Plays the games with these numbers on several threads, with a progress bar, and returns their sums, which do not
/// depend on the number of threads.
///
/// # Errors
///
/// Fails with a failed check if the options are invalid, or a game broke off or panicked.
fn simulate(plan: &SimulationPlan, games: Range<u64>, threads: usize) -> Outcome<SimulationTally> {
    let bar = progress::bar(games.end.saturating_sub(games.start), "games");
    let played = plan.run(games, threads, |games| bar.inc(games));
    bar.finish_and_clear();
    played.map_err(tournament_error)
}

/// Returns the CPU time of all threads of this process so far; `None` if it does not fit a duration.
#[cfg(unix)]
fn cpu_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(Duration::new(time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?))
}

/// Returns `None`: this system does not report the CPU time of a process.
#[cfg(not(unix))]
fn cpu_time() -> Option<Duration> {
    None
}

/// Returns `count` divided by the seconds of `time`; times below a nanosecond count as one, so that the result is
/// finite.
fn rate(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64().max(1e-9)
}

/// Returns the mean `sum / count`; 0 for no values.
fn mean(sum: f64, count: u64) -> f64 {
    sum / count.max(1) as f64
}

/// Adds the keys `threads`, `seconds` (wall-clock), `cpu_seconds`, `games_per_second`, `games_per_cpu_second` and
/// `decisions_per_cpu_second` of the games in `tally` to the JSON object `data`, which holds its statistics.
fn add_times(data: &mut Value, tally: &SimulationTally, times: &Times) {
    data["threads"] = times.threads.into();
    data["seconds"] = times.wall.as_secs_f64().into();
    data["cpu_seconds"] = times.cpu.as_secs_f64().into();
    data["games_per_second"] = rate(tally.games, times.wall).into();
    data["games_per_cpu_second"] = rate(tally.games, times.cpu).into();
    data["decisions_per_cpu_second"] = rate(tally.decisions, times.cpu).into();
}

/// Prints the statistics of `tally` for people to `out`: wins by seat with 95 % intervals and mean scores, draws, games
/// that nobody won (if any), games at their cap, a histogram of the lengths in decisions, and the speed by `times` if
/// it is known. All percentages are of all games; without games they are 0.
///
/// # Errors
///
/// Fails if the output is closed.
fn report(
    out: &mut impl Write,
    plan: &SimulationPlan,
    tally: &SimulationTally,
    times: Option<&Times>,
) -> io::Result<()> {
    let percent = |n: u64| 100.0 * n as f64 / tally.games.max(1) as f64;
    let (games, seats, seed) = (thousands(tally.games), plan.seats(), plan.seed);
    let setting = paint(DIM, format_args!("{games} games, {seats} seats, seed {seed}"));
    writeln!(out, "{}  {setting}\n", paint(TITLE, plan.game.info().title))?;

    writeln!(out, "{}", paint(DIM, "  seat  bot           wins          95 % interval     mean score"))?;
    for seat in (0..plan.seats()).map(Seat) {
        let (i, wins) = (seat.index(), tally.wins[seat.index()]);
        let interval = wilson(wins as f64, tally.games);
        let name = paint(seat_style(seat), format_args!("{i:>4}"));
        let bot = plan.bots[i].to_string();
        let (share, score) = (percent(wins), mean(tally.scores[i] as f64, tally.games));
        let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
        writeln!(out, "  {name}  {bot:<9}  {share:>6.2} %   {low:>6.2} % – {high:>6.2} %   {score:>12.3}")?;
    }
    writeln!(out, "  draws (shared first)  {:.2} %", percent(tally.draws))?;
    if tally.unwon > 0 {
        writeln!(out, "  won by nobody         {:.2} %", percent(tally.unwon))?;
    }
    writeln!(out, "  ended at the cap      {:.2} %", percent(tally.capped))?;

    let (low, median, high) = (tally.length_at(5), tally.length_at(50), tally.length_at(95));
    let longest = tally.lengths.len().saturating_sub(1);
    let average = mean(tally.decisions as f64, tally.games);
    let heading = paint(TITLE, "Decisions");
    writeln!(
        out,
        "\n{heading}  median {median}, mean {average:.1}, 90 % from {low} to {high}, longest {longest}"
    )?;
    let rows = histogram(&tally.lengths, 8);
    let most = rows.iter().map(|row| row.count).max().unwrap_or(1).max(1);
    for LengthRange { first: from, last: to, count } in rows {
        let range = if from == to { from.to_string() } else { format!("{from}–{to}") };
        let length = (count * 40).div_ceil(most) as usize;
        writeln!(out, "  {range:>11}  {:<40} {:>6.2} %", "█".repeat(length), percent(count))?;
    }

    let Some(times) = times else { return Ok(()) };
    let (wall, cpu) = (times.wall.as_secs_f64(), times.cpu.as_secs_f64());
    let heading = paint(TITLE, "Speed");
    let threads = times.threads;
    let plural = if threads == 1 { "" } else { "s" };
    writeln!(out, "\n{heading}  {wall:.2} s on {threads} thread{plural}, {cpu:.2} s of CPU time")?;
    for (unit, time) in [("a second", times.wall), ("a CPU second", times.cpu)] {
        let games = thousands(rate(tally.games, time) as u64);
        let decisions = thousands(rate(tally.decisions, time) as u64);
        writeln!(out, "  {games:>14} games and {decisions:>14} decisions {unit}")?;
    }
    Ok(())
}

/// How many games have a length in a range.
#[derive(Debug, PartialEq, Eq)]
struct LengthRange {
    /// The first length of the range, in decisions.
    first: usize,
    /// The last length of the range.
    last: usize,
    /// The number of games.
    count: u64,
}

/// Returns a histogram of lengths, where `lengths[n]` is the number of games with n decisions, in at most `rows`
/// ranges, ascending. They begin at the least length that occurs and have equal widths, except that the last one may be
/// narrower. Empty if there are no games. `rows` of 0 counts as 1.
fn histogram(lengths: &[u64], rows: usize) -> Vec<LengthRange> {
    let Some(first) = lengths.iter().position(|&n| n > 0) else { return Vec::new() };
    let lengths = &lengths[first..];
    let step = lengths.len().div_ceil(rows.max(1));
    let range = |(i, part): (usize, &[u64])| {
        let from = first + i * step;
        LengthRange { first: from, last: from + part.len() - 1, count: part.iter().sum() }
    };
    lengths.chunks(step).enumerate().map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_counts_everything_once() {
        let lengths = [0, 0, 0, 0, 0, 5, 1, 0, 3];
        let range = |(first, last, count)| LengthRange { first, last, count };
        assert_eq!(histogram(&lengths, 2), [(5, 6, 6), (7, 8, 3)].map(range));
        assert_eq!(histogram(&lengths, 10), [(5, 5, 5), (6, 6, 1), (7, 7, 0), (8, 8, 3)].map(range));
        assert_eq!(histogram(&[], 5), []);
    }
}
