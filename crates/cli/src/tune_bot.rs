//! `pentarchy tune bot:GAME`: fits the weights of the bots.

use crate::arena::arena_of;
use crate::command_error::{CommandError, Outcome};
use crate::output::Output;
use crate::parallel;
use crate::parts;
use crate::progress;
use crate::style::{DIM, TITLE, paint, thousands};
use crate::tune::{Args, open_journal, tuning_error};
use pentarchy_arena::tune::fit::{FitTable, FittedWeights, WeightFit};
use pentarchy_arena::tune::part::TunePart;
use pentarchy_engine::AnyGame;
use serde_json::json;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Number of games of the search, unless `--budget` says another.
const BUDGET: u64 = 100_000;
/// Number of games of each evaluation.
const BATCH: u64 = 60;
/// Number of games of a confirmation, unless `--confirm` says another.
const CONFIRM: u64 = 2_000;

/// Fits the weights of the game's heuristic and prints the changes with the result of the confirmation, or with
/// `--json` one JSON object. Writes all weights, as lines of the game's `weights.rs`, to `--weights-out`. The file
/// appears only if everything succeeds. The weights are fitted at all tables of [`tables`] together. With `--part`
/// plays that part into the file of `--out`; with `--search-only` only fills the journal.
///
/// # Errors
///
/// Fails if an argument does not belong to this use of the command or is invalid, if there are fewer than two seats, if
/// a file cannot be used, if a game fails, or if the output is closed.
pub(crate) fn run(args: &Args, game: &'static dyn AnyGame) -> Outcome {
    check(args, game.info().name)?;
    let fit = WeightFit {
        game: arena_of(game)?,
        tables: tables(args, game)?,
        seed: args.seed,
        budget: args.budget.unwrap_or(BUDGET),
        batch: BATCH,
        confirm: args.confirm.unwrap_or(CONFIRM),
    };
    let threads = parallel::thread_count(args.threads);
    if args.search_only {
        let mut journal = open_journal(args, &fit.heading())?;
        let bar = progress::bar(fit.budget, "games");
        let searched = fit.run_search(threads, &mut journal, |games| bar.inc(games));
        bar.finish_and_clear();
        return searched.map_err(|e| tuning_error(args, e));
    }
    if let Some(part) = args.part {
        let file = Output::begin_optional(args.out.as_deref())?;
        let mut journal = open_journal(args, &fit.heading())?;
        let numbers = (u64::from(part.part), u64::from(part.parts));
        let bar = progress::bar(fit.total(numbers.0, numbers.1), "games");
        let played = fit.run_part(numbers, threads, &mut journal, |games| bar.inc(games));
        bar.finish_and_clear();
        let played = TunePart::Weights(played.map_err(|e| tuning_error(args, e))?);
        let header = parts::header("tune", fit.game, (fit.seed, fit.total(1, 1)), &fit.heading(), part);
        return file.map_or(Ok(()), |file| parts::write(file, &header, &played));
    }
    let file = Output::begin_optional(args.weights_out.as_deref())?;
    let mut journal = open_journal(args, &fit.heading())?;
    let begun = Instant::now();
    let bar = progress::bar(fit.total(1, 1), "games");
    let found = fit.run(threads, &mut journal, |games| bar.inc(games));
    bar.finish_and_clear();
    let found = found.map_err(|e| tuning_error(args, e))?;
    write_result(args, file, &fit, &found, Some(begun.elapsed()))
}

/// Writes the result `found` of joined parts: all weights to the file of `--weights-out`, if given, and the changes
/// with the confirmation to standard output, or one JSON object with `--json`. `fit` describes the run.
///
/// # Errors
///
/// Fails if an argument is for the numbers of a design, if the file cannot be written, or if the output is closed.
pub(crate) fn finish(args: &Args, fit: &WeightFit, found: &FittedWeights) -> Outcome {
    check(args, fit.game.info().name)?;
    let file = Output::begin_optional(args.weights_out.as_deref())?;
    write_result(args, file, fit, found, None)
}

/// Checks that no argument is for the numbers of a design: `--goal`, `--vary`, `--out` without `--part`, and
/// `--preset-out`. `game` is the name of the game, for the hint.
///
/// # Errors
///
/// Fails with a usage error about the first one that is.
fn check(args: &Args, game: &str) -> Outcome {
    let given = [
        (!args.goal.is_empty(), "--goal"),
        (!args.vary.is_empty(), "--vary"),
        (args.out.is_some() && args.part.is_none(), "--out"),
        (args.preset_out.is_some(), "--preset-out"),
    ];
    match given.into_iter().find(|(given, _)| *given) {
        Some((_, name)) => {
            Err(CommandError::usage(format_args!("{name} is for the numbers of a design, not for bots"))
                .hint(format_args!("`pentarchy tune {game}` tunes the design")))
        }
        None => Ok(()),
    }
}

/// Writes all weights to the file, if there is one, as lines `NAME = VALUE,`, and moves it to its path. Then prints the
/// changed weights and the confirmation, or one JSON object with `--json`. `taken` is the time of the run, if it is
/// known; only the JSON object has it.
///
/// # Errors
///
/// Fails if the file cannot be written, or the output is closed.
fn write_result(
    args: &Args,
    mut file: Option<Output>,
    fit: &WeightFit,
    found: &FittedWeights,
    taken: Option<Duration>,
) -> Outcome {
    if let Some(file) = &mut file {
        for weight in &found.weights {
            file.write(&format!("{} = {},\n", weight.name, weight.value))?;
        }
    }
    file.map_or(Ok(()), Output::finish)?;
    let mut out = anstream::stdout().lock();
    if args.json {
        let mut data = as_data(fit, found);
        if let Some(taken) = taken {
            data["seconds"] = taken.as_secs_f64().into();
        }
        writeln!(out, "{data}")?;
    } else {
        report(&mut out, fit, found)?;
    }
    Ok(())
}

/// Returns the tables at which the weights are fitted: of `--seats`, or else with two seats, the usual number and the
/// full table, as far as the game has them, each once and in ascending order, with the options of the arguments.
///
/// # Errors
///
/// Fails if a table has fewer than two seats, or options or the number of seats are invalid.
fn tables(args: &Args, game: &'static dyn AnyGame) -> Outcome<Vec<FitTable>> {
    let info = game.info();
    let usual = [info.min_seats.max(2).min(info.max_seats), info.default_seats.max(2), info.max_seats];
    let mut sizes = args.seats.map_or_else(|| usual.to_vec(), |seats| vec![seats]);
    sizes.dedup();
    if sizes.iter().any(|&seats| seats < 2) {
        return Err(CommandError::usage("bots can be compared with at least two seats only"));
    }
    let table = |&seats| Ok(FitTable { seats, options: args.settings.resolve(game, seats)? });
    sizes.iter().map(table).collect()
}

/// Returns the result as one JSON object: `game`, `seed`, `budget` (games), `weights` (each as name, old and new value)
/// and `confirmed` (each with `seats`, `games`, `mean`, `interval` and `scores`). `found` must be the result of `fit`:
/// weights are paired by their order, which is not checked.
fn as_data(fit: &WeightFit, found: &FittedWeights) -> serde_json::Value {
    let weights = fit.game.weights().iter().zip(&found.weights);
    let confirmed = found.confirmed.iter().map(|scores| {
        let interval = scores.interval();
        json!({
            "seats": scores.seats(), "games": scores.games(), "mean": scores.mean(),
            "interval": [interval.low, interval.high], "scores": scores.as_data(),
        })
    });
    json!({
        "game": fit.game.info().name,
        "seed": fit.seed,
        "budget": fit.budget,
        "weights": weights.map(|(old, new)| json!([old.name, old.value, new.value])).collect::<Vec<_>>(),
        "confirmed": confirmed.collect::<Vec<_>>(),
    })
}

/// Prints a heading with the title of the game, the seed and the budget, then the weights that have changed with
/// their old and new values, then one line per confirmation: the share of wins with its 95 % interval, the number of
/// games, and the share of equal bots. `found` must be the result of `fit`: weights are paired by their order, which
/// is not checked.
///
/// # Errors
///
/// Fails if `out` cannot be written, for example because it is closed.
fn report(out: &mut impl Write, fit: &WeightFit, found: &FittedWeights) -> io::Result<()> {
    let what = format_args!("weights of the Captain, seed {}, {} games", fit.seed, thousands(fit.budget))
        .to_string();
    writeln!(out, "{}  {}\n", paint(TITLE, fit.game.info().title), paint(DIM, what))?;
    let changed = fit.game.weights().iter().zip(&found.weights).filter(|(old, new)| old.value != new.value);
    for (old, new) in changed {
        writeln!(out, "  {:<20} {:>6} → {}", old.name, old.value, new.value)?;
    }
    writeln!(out)?;
    for scores in &found.confirmed {
        let interval = scores.interval();
        writeln!(
            out,
            "  confirmed with {} seats: {:.1} % ({:.1} – {:.1}) of {} games on fresh dice; equal bots win {:.1} %",
            scores.seats(),
            100.0 * scores.mean(),
            100.0 * interval.low,
            100.0 * interval.high,
            thousands(scores.games()),
            100.0 / f64::from(scores.seats().max(1)),
        )?;
    }
    Ok(())
}
