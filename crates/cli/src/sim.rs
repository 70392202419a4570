//! `pentarchy sim GAME`: simulates many games on all cores.

use crate::arena::arena_of;
use crate::command_error::{CommandError, Outcome};
use crate::game_arg::{GameArg, Settings};
use crate::number::{number, positive};
use crate::parallel;
use crate::style::{DIM, TITLE, paint, seat as seat_style, thousands};
use pentarchy_arena::statistics::wilson;
use pentarchy_arena::{RunError, SimulationPlan, SimulationTally};
use pentarchy_bots::Spec;
use pentarchy_engine::{AnyGame, Seat};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::num::NonZeroUsize;
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
longest.")]
pub(crate) struct Args {
    /// The game, as `pentarchy games` lists them
    #[arg(hide_possible_values = true)]
    game: GameArg,

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

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Duration of a simulation.
struct Times {
    wall: Duration,
    cpu: Duration,
    threads: usize,
}

/// Runs `pentarchy sim`: plays the games on several threads and prints the statistics as text, or
/// with `--json` as one JSON object.
///
/// # Errors
///
/// Fails if an argument is invalid, or a game fails or panics.
pub(crate) fn run(args: &Args) -> Outcome {
    let game = args.game.0;
    let seats = args.seats.unwrap_or(game.info().default_seats);
    let options = args.settings.resolve(game, seats)?;
    let bots = bots(&args.bots, seats)?;
    let plan = SimulationPlan { game: arena_of(game)?, options, bots, seed: args.seed };
    let threads = parallel::thread_count(args.threads);
    let (wall, cpu) = (Instant::now(), cpu_time());
    let tally = simulate(&plan, args.games, threads)?;
    let wall = wall.elapsed();
    let cpu = cpu.zip(cpu_time()).map_or(wall * threads as u32, |(from, to)| to.saturating_sub(from));
    let times = Times { wall, cpu, threads };
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{}", as_data(game, &plan, &tally, &times))?;
    } else {
        report(&mut out, game, &plan, &tally, &times)?;
    }
    Ok(())
}

/// Returns a bot for each seat; one given bot plays all seats.
///
/// # Errors
///
/// Fails if the number of bots does not fit.
fn bots(given: &[Spec], seats: u8) -> Outcome<Vec<Spec>> {
    match given {
        [one] => Ok(vec![*one; usize::from(seats)]),
        many if many.len() == usize::from(seats) => Ok(many.to_vec()),
        many => Err(CommandError::usage(format_args!("{} bots are named for {seats} seats", many.len()))
            .hint("name one for all, or one for each seat")),
    }
}

/// Plays games 0 to `games` − 1 of the plan on several threads, with a progress bar, and returns their sums.
/// These do not depend on the distribution.
///
/// # Errors
///
/// Fails if the options are invalid, or a game broke off or panicked.
fn simulate(plan: &SimulationPlan, games: u64, threads: usize) -> Outcome<SimulationTally> {
    let mut sum = SimulationTally::default();
    let work = |games| {
        let mut tally = SimulationTally::default();
        plan.play(games, &mut tally).map(|()| tally)
    };
    let ended = parallel::portions(games, threads, 4096, work, |tally| sum.merge(&tally));
    ended.map(|()| sum).map_err(|error| match error {
        RunError::Failed(error) => CommandError::Check(error.to_string()),
        RunError::Panicked => parallel::panicked(),
    })
}

/// Returns the CPU time of this process so far; `None` if it does not fit a duration.
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

/// Returns a count per second; finite even for no time.
fn rate(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64().max(1e-9)
}

/// Returns the mean `sum / count`; 0 for no values.
fn mean(sum: f64, count: u64) -> f64 {
    sum / count.max(1) as f64
}

/// Returns the statistics as one JSON object, with the keys that the help of the command lists; lists are by
/// seat.
fn as_data(
    game: &'static dyn AnyGame,
    plan: &SimulationPlan,
    tally: &SimulationTally,
    times: &Times,
) -> Value {
    let seats = plan.bots.len();
    let interval = |&wins: &u64| {
        let interval = wilson(wins as f64, tally.games);
        json!([interval.low, interval.high])
    };
    json!({
        "game": game.info().name,
        "rules_version": game.info().rules_version,
        "seats": plan.seats(),
        "seed": plan.seed,
        "bots": plan.bots.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "options": plan.options,
        "threads": times.threads,
        "games": tally.games,
        "seconds": times.wall.as_secs_f64(),
        "cpu_seconds": times.cpu.as_secs_f64(),
        "games_per_second": rate(tally.games, times.wall),
        "games_per_cpu_second": rate(tally.games, times.cpu),
        "decisions_per_cpu_second": rate(tally.decisions, times.cpu),
        "wins": tally.wins[..seats],
        "win_intervals": tally.wins[..seats].iter().map(interval).collect::<Vec<_>>(),
        "draws": tally.draws,
        "unwon": tally.unwon,
        "capped": tally.capped,
        "mean_scores": tally.scores[..seats].iter().map(|&s| mean(s as f64, tally.games)).collect::<Vec<_>>(),
        "mean_decisions": mean(tally.decisions as f64, tally.games),
        "median_decisions": tally.length_at(50),
        "decisions_5_percent": tally.length_at(5),
        "decisions_95_percent": tally.length_at(95),
        "longest": tally.lengths.len().saturating_sub(1),
    })
}

/// Prints the statistics of `tally` for people to `out`: wins by seat with intervals, lengths of
/// games, and the speed by `times`.
///
/// # Errors
///
/// Fails if the output is closed.
fn report(
    out: &mut impl Write,
    game: &'static dyn AnyGame,
    plan: &SimulationPlan,
    tally: &SimulationTally,
    times: &Times,
) -> io::Result<()> {
    let percent = |n: u64| 100.0 * n as f64 / tally.games.max(1) as f64;
    let (games, seats, seed) = (thousands(tally.games), plan.seats(), plan.seed);
    let setting = paint(DIM, format_args!("{games} games, {seats} seats, seed {seed}"));
    writeln!(out, "{}  {setting}\n", paint(TITLE, game.info().title))?;

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
    let most = rows.iter().map(|row| row.2).max().unwrap_or(1).max(1);
    for (from, to, count) in rows {
        let range = if from == to { from.to_string() } else { format!("{from}–{to}") };
        let length = (count * 40).div_ceil(most) as usize;
        writeln!(out, "  {range:>11}  {:<40} {:>6.2} %", "█".repeat(length), percent(count))?;
    }

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

/// Returns a histogram of lengths, where `lengths[n]` is the number of games with n decisions, in at most
/// `rows` ranges of equal width, ascending: first length, last length and count. Empty if there are no games.
fn histogram(lengths: &[u64], rows: usize) -> Vec<(usize, usize, u64)> {
    let Some(first) = lengths.iter().position(|&n| n > 0) else { return Vec::new() };
    let lengths = &lengths[first..];
    let step = lengths.len().div_ceil(rows.max(1));
    let range = |(i, part): (usize, &[u64])| {
        let from = first + i * step;
        (from, from + part.len() - 1, part.iter().sum())
    };
    lengths.chunks(step).enumerate().map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_counts_everything_once() {
        let lengths = [0, 0, 0, 0, 0, 5, 1, 0, 3];
        assert_eq!(histogram(&lengths, 2), [(5, 6, 6), (7, 8, 3)]);
        assert_eq!(histogram(&lengths, 10), [(5, 5, 5), (6, 6, 1), (7, 7, 0), (8, 8, 3)]);
        assert_eq!(histogram(&[], 5), []);
    }
}
