//! `pentarchy tune GAME`: numbers of the design that meet goals.

use crate::arena::arena_of;
use crate::command_error::{CommandError, Outcome};
use crate::game_arg::Settings;
use crate::number::{number, positive};
use crate::output::Output;
use crate::parallel;
use crate::parts::{self, PartArg, command_line, parse_part};
use crate::progress;
use crate::style::{DIM, TITLE, paint, thousands};
use crate::tune_bot;
use pentarchy_arena::field_to_sweep;
use pentarchy_arena::report::tuning;
use pentarchy_arena::tune::TuneError;
use pentarchy_arena::tune::design::{DesignTuning, TunedDesign, TunedOption};
use pentarchy_arena::tune::fit::WeightFit;
use pentarchy_arena::tune::goal::{Goal, check_goals};
use pentarchy_arena::tune::journal::TuneJournal;
use pentarchy_arena::tune::part::{DesignPart, FitPart, TunePart};
use pentarchy_bots::Spec;
use pentarchy_engine::{AnyGame, PresetFile, options};
use pentarchy_registry::find;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Number of games of the search, unless `--budget` says another.
const BUDGET: u64 = 20_000;
/// Number of games of a confirmation, unless `--confirm` says another.
const CONFIRM: u64 = 1_000;
/// Maximum number of values of one option.
const MOST_VALUES: usize = 100;

/// Find numbers of a design that meet goals, or fit the weights of bots
///
/// Tries settings near the designer's numbers, all with the same dice, drops bad ones early (NTBEA with racing), and
/// confirms the best trade-offs on fresh dice with several bots. The page shows them, and the best one is a preset that
/// every program reads. `tune bot:GAME` fits the weights of the Captain instead. A seed gives the same result on every
/// machine and with any number of threads.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy tune vires --goal minutes=30..45 --goal lead=0.4..0.6 \\
      --vary blocks=4..8 --vary tuning.draw=1..3 --out vires-tune.html
  pentarchy tune hestia --goal seats=fair --vary first_hand=4..8 --preset-out fair.toml
  pentarchy play hestia --preset fair.toml
  pentarchy tune bot:hegemony --budget 200000 --weights-out weights.txt
  pentarchy tune vires --goal seats=fair --vary blocks=4..8 --search-only --resume search
  pentarchy tune vires --goal seats=fair --vary blocks=4..8 --resume search --part 3/16 --out part3.bin
  pentarchy tune --join part*.bin --out vires-tune.html

Goals:
  seats=fair      no seat wins more or less than its share
  minutes=A..B    estimated minutes between people
  rounds=A..B     rounds
  dead=N          at most N cards, buildings and actions that are hardly used
  lead=A..B       share of games that the leader at half-time wins, 0 to 1

Ranges are A..B, A..B/STEP, or values like 3,5,8 and true,false.

With --json one object is printed: game, seats, seed, bots, goals, games,
tried, best (index), settings (changes, distance, and by bot the figures of the
goals and whether they are met), disagreements, out, preset, seconds; for bots
game, seed, budget, weights (name, old, new), confirmed, seconds.

Parts: the search cannot be split, because each setting is chosen by the results
of those before it. --part 3/16 does the search, or takes it from the file of
--resume, and plays the third of sixteen parts of the confirmation. Do the search
once with --search-only and copy its file to each machine. --join makes the
result of the whole run.")]
pub(crate) struct Args {
    /// The game, as `pentarchy games` lists them; or bot:GAME
    #[arg(required_unless_present = "join")]
    target: Option<String>,

    /// What should be true: seats=fair, minutes=A..B, rounds=A..B, dead=N, lead=A..B; may be repeated
    #[arg(long, value_name = "GOAL", value_parser = parse_goal)]
    pub(crate) goal: Vec<Goal>,

    /// The numbers to vary, as `pentarchy rules GAME` lists them; may be repeated
    #[arg(long, value_name = "NAME=RANGE")]
    pub(crate) vary: Vec<String>,

    /// Number of games of the search [default: 20000; for bots 100000]
    #[arg(long, value_name = "GAMES", value_parser = positive::<u64>)]
    pub(crate) budget: Option<u64>,

    /// Number of games of each confirmation, a tenth for bots that search [default: 1000; for bots 2000]
    #[arg(long, value_name = "GAMES", value_parser = positive::<u64>)]
    pub(crate) confirm: Option<u64>,

    /// Who plays: the first bot in the search, all of them in the confirmation
    #[arg(long, value_name = "BOT,…", value_delimiter = ',', default_value = "captain,emperor:20")]
    bots: Vec<Spec>,

    /// Number of seats [default: as the game says; for bots 2, the usual number and the full table together]
    #[arg(long, value_name = "N", value_parser = number::<u8>)]
    pub(crate) seats: Option<u8>,

    /// Seed of the run
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number::<u64>)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) settings: Settings,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Write the page with the trade-offs to this file; with --part, the part
    #[arg(long, value_name = "FILE.html")]
    pub(crate) out: Option<PathBuf>,

    /// Write the best setting as a preset to this file: JSON if its name ends with .json, else TOML
    #[arg(long, value_name = "FILE")]
    pub(crate) preset_out: Option<PathBuf>,

    /// Write the fitted weights of bots to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) weights_out: Option<PathBuf>,

    /// Store every finished batch of games in this file, and continue from there if it exists
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Only do the search and store it in the file of --resume, for parts
    #[arg(long, requires = "resume", conflicts_with_all = ["part", "join", "out", "preset_out", "weights_out", "json"])]
    pub(crate) search_only: bool,

    /// Play only this part of the confirmation, and write it to the file of --out
    #[arg(long, value_name = "K/N", value_parser = parse_part, requires = "out", conflicts_with_all = ["preset_out", "weights_out", "json"])]
    pub(crate) part: Option<PartArg>,

    /// Join the parts of a run; the other arguments come from them
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["target", "goal", "vary", "budget", "confirm", "bots", "seats", "seed", "set", "preset", "options", "resume", "part"])]
    join: Vec<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Parses a goal of `--goal`, such as `seats=fair`, `minutes=30..45` or `dead=3`.
///
/// # Errors
///
/// Fails with a sentence if the goal is unknown or its value does not fit.
fn parse_goal(text: &str) -> Result<Goal, String> {
    text.parse()
}

/// Runs `pentarchy tune`: tunes the design or the bots and prints the result, plays a part of that, or joins parts.
/// Output files appear only if everything succeeds; the journal of `--resume` keeps every finished batch. With `--json`
/// prints one JSON object. `bot:GAME` fits the weights of its bots instead ([`tune_bot::run`]). The preset has the best
/// setting. Files and the journal are opened before the first game; shows a progress bar.
///
/// # Errors
///
/// Fails if an argument is invalid, a file cannot be read or written, a journal belongs to another run, parts do not
/// make a whole run, a game fails, or the output is closed.
pub(crate) fn run(args: &Args) -> Outcome {
    let Some(target) = &args.target else { return join(args) };
    let (name, bots) = match target.strip_prefix("bot:") {
        Some(name) => (name, true),
        None => (&**target, false),
    };
    let game = find(name).map_err(CommandError::usage)?;
    if bots {
        return tune_bot::run(args, game);
    }
    if args.weights_out.is_some() {
        return Err(CommandError::usage("--weights-out is for bots")
            .hint(format_args!("`pentarchy tune bot:{name}` fits the weights of the bots")));
    }
    let tuning = plan(args, game)?;
    let threads = parallel::thread_count(args.threads);
    if args.search_only {
        let mut journal = open_journal(args, &tuning.heading())?;
        let bar = progress::bar(tuning.budget, "games");
        let searched = tuning.run_search(threads, &mut journal, |games| bar.inc(games));
        bar.finish_and_clear();
        return searched.map_err(|e| tuning_error(args, e));
    }
    if let Some(part) = args.part {
        let file = Output::begin_optional(args.out.as_deref())?;
        let mut journal = open_journal(args, &tuning.heading())?;
        let numbers = (u64::from(part.part), u64::from(part.parts));
        let bar = progress::bar(tuning.total(numbers.0, numbers.1), "games");
        let played = tuning.run_part(numbers, threads, &mut journal, |games| bar.inc(games));
        bar.finish_and_clear();
        let played = TunePart::Design(played.map_err(|e| tuning_error(args, e))?);
        let numbers = (tuning.seed, tuning.total(1, 1));
        let header = parts::header("tune", tuning.game, numbers, &tuning.heading(), part);
        return file.map_or(Ok(()), |file| parts::write(file, &header, &played));
    }
    let files = Files::begin(args)?;
    let mut journal = open_journal(args, &tuning.heading())?;
    let begun = Instant::now();
    let bar = progress::bar(tuning.total(1, 1), "games");
    let found = tuning.run(threads, &mut journal, |games| bar.inc(games));
    bar.finish_and_clear();
    let found = found.map_err(|e| tuning_error(args, e))?;
    files.finish(args, &tuning, &found, &command_line(), Some(begun.elapsed()))
}

/// Joins the parts of a run, then writes the files that the arguments name and prints the result as [`run`] does, for a
/// design or for bots. Plays nothing. The parameters come from the parts, not from `args`, and the page shows the
/// command line of the first part.
///
/// # Errors
///
/// Fails if the parts are malformed or do not make a whole run, if an argument does not belong to what they have tuned,
/// if a file cannot be read or written, or if the output is closed.
fn join(args: &Args) -> Outcome {
    let joined = parts::read::<TunePart>("tune", &args.join)?;
    if let Some(fit) = WeightFit::from_heading(joined.game, &joined.plan) {
        let weights = |part| match part {
            TunePart::Weights(part) => Some(part),
            TunePart::Design(_) => None,
        };
        let parts: Option<Vec<FitPart>> = joined.parts.into_iter().map(weights).collect();
        let found = fit.join(&parts.ok_or_else(parts::malformed)?).map_err(CommandError::usage)?;
        return tune_bot::finish(args, &fit, &found);
    }
    let tuning = DesignTuning::from_heading(joined.game, &joined.plan).ok_or_else(parts::malformed)?;
    if args.weights_out.is_some() {
        return Err(CommandError::usage("--weights-out is for bots, and the parts are of a design"));
    }
    let design = |part| match part {
        TunePart::Design(part) => Some(part),
        TunePart::Weights(_) => None,
    };
    let parts: Option<Vec<DesignPart>> = joined.parts.into_iter().map(design).collect();
    let found = tuning.join(&parts.ok_or_else(parts::malformed)?).map_err(CommandError::usage)?;
    Files::begin(args)?.finish(args, &tuning, &found, &joined.header.shown, None)
}

/// The files of a tuned design, created before the first game.
struct Files {
    /// The page of `--out`.
    page: Option<Output>,
    /// The preset of `--preset-out`.
    preset: Option<Output>,
}

impl Files {
    /// Creates the files of `--out` and `--preset-out`, as far as they are given, under temporary names. They are
    /// deleted unless [`finish`](Self::finish) moves them to their paths.
    ///
    /// # Errors
    ///
    /// Fails if one cannot be created.
    fn begin(args: &Args) -> Outcome<Files> {
        let page = Output::begin_optional(args.out.as_deref())?;
        let preset = Output::begin_optional(args.preset_out.as_deref())?;
        Ok(Files { page, preset })
    }

    /// Writes the files and moves them to their paths, then prints the result, with `--json` as an object. `command` is
    /// the command line that the page shows; `taken` is the time of the run, if it is known.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written, or the output is closed.
    fn finish(
        mut self,
        args: &Args,
        tuning: &DesignTuning,
        found: &TunedDesign,
        command: &str,
        taken: Option<Duration>,
    ) -> Outcome {
        if let Some(page) = &mut self.page {
            page.write(&tuning::page(tuning, found, command))?;
        }
        if let (Some(file), Some(path)) = (&mut self.preset, &args.preset_out) {
            file.write(&preset_text(tuning, found, path)?)?;
        }
        [self.page, self.preset].into_iter().flatten().try_for_each(Output::finish)?;
        let mut out = anstream::stdout().lock();
        if args.json {
            let mut data = tuning::as_data(tuning, found);
            data["out"] = json!(args.out);
            data["preset"] = json!(args.preset_out);
            if let Some(taken) = taken {
                data["seconds"] = taken.as_secs_f64().into();
            }
            writeln!(out, "{data}")?;
        } else {
            report(&mut out, tuning, found)?;
        }
        Ok(())
    }
}

/// Opens the journal in the file of `--resume`, or creates it, for the run that `heading` describes. Batches of games
/// that an existing journal has are not played again. Without `--resume` the journal is in memory.
///
/// # Errors
///
/// Fails if the file cannot be used or belongs to another run.
pub(crate) fn open_journal(args: &Args, heading: &Value) -> Outcome<TuneJournal> {
    let Some(path) = &args.resume else { return Ok(TuneJournal::in_memory()) };
    TuneJournal::open(path, heading).map_err(|e| tuning_error(args, e.into()))
}

/// Converts the error of a tuning run: a game that broke off or panicked is a failed check (exit code 1), everything
/// else bad usage. An error of the journal names the file of `--resume`, if there is one.
pub(crate) fn tuning_error(args: &Args, error: TuneError) -> CommandError {
    match (error, &args.resume) {
        (TuneError::Game(error), _) => crate::arena::tournament_error(error),
        (TuneError::Journal(error), Some(path)) => {
            CommandError::usage(format_args!("cannot resume {}: {error}", path.display()))
                .hint("name another file, or remove this one")
        }
        (other, _) => CommandError::usage(other),
    }
}

/// Builds the tuning run from the arguments, with the defaults of budget, confirmation and seats. The given options are
/// those from which ranges depart. Nothing is played yet.
///
/// # Errors
///
/// Fails if goals or ranges are missing, if an option is varied twice, if goals, seats, options or ranges are invalid,
/// or if the game has no arena.
fn plan(args: &Args, game: &'static dyn AnyGame) -> Outcome<DesignTuning> {
    check_goals(&args.goal)
        .map_err(|e| CommandError::usage(e).hint("name goals like --goal minutes=30..45"))?;
    let seats = args.seats.unwrap_or(game.info().default_seats);
    let base = args.settings.resolve(game, seats)?;
    let mut varied: Vec<TunedOption> = Vec::new();
    for text in &args.vary {
        let one = parse_varied(text, game, seats, &base)?;
        if varied.iter().any(|other| other.name == one.name) {
            return Err(CommandError::usage(format_args!("`{}` is varied twice", one.name)));
        }
        varied.push(one);
    }
    if varied.is_empty() {
        return Err(
            CommandError::usage("nothing is varied").hint("name numbers like --vary tuning.draw=1..3")
        );
    }
    Ok(DesignTuning {
        game: arena_of(game)?,
        options: base,
        seats,
        bots: args.bots.clone(),
        goals: args.goal.clone(),
        varied,
        seed: args.seed,
        budget: args.budget.unwrap_or(BUDGET),
        confirm: args.confirm.unwrap_or(CONFIRM),
    })
}

/// Parses `NAME=RANGE` into an option of the game with the values that it takes in the run, each once and in order.
/// `base` are the options that the range departs from, for `seats` seats; the value nearest to theirs, the first of
/// equals, is the usual one. Distances are those of whole numbers; other values are at distance 0 if equal, else 1. The
/// name may be abbreviated ([`field_to_sweep`]).
///
/// # Errors
///
/// Fails if the text has no `=` or its range is invalid ([`parse_values`]), there is no such option, it does not take a
/// value with the other options, or a value is `none`.
fn parse_varied(text: &str, game: &'static dyn AnyGame, seats: u8, base: &Value) -> Outcome<TunedOption> {
    let (given, range) = text.split_once('=').ok_or_else(|| {
        CommandError::usage(format_args!("`--vary {text}` has no range"))
            .hint("write it like --vary tuning.draw=1..3")
    })?;
    let texts = parse_values(range.trim()).map_err(|e| {
        CommandError::usage(format_args!("the range of `{text}` {e}"))
            .hint("ranges are A..B, A..B/STEP or A,B,C")
    })?;
    let name = field_to_sweep(game, given.trim(), &texts);
    let mut values: Vec<Value> = Vec::new();
    for text in &texts {
        let all = game.options(seats, base, &[(name.clone(), text.clone())])?;
        let value = options::get(&all, &name).cloned().unwrap_or_default();
        if value.is_null() {
            return Err(CommandError::usage(format_args!("`{name}` cannot be varied over `none`")));
        }
        if !values.contains(&value) {
            values.push(value);
        }
    }
    let now = options::get(base, &name).cloned().unwrap_or_default();
    let far = |value: &Value| match (value.as_i64(), now.as_i64()) {
        (Some(a), Some(b)) => a.abs_diff(b),
        _ => u64::from(*value != now),
    };
    let usual = (0..values.len()).min_by_key(|&i| far(&values[i])).unwrap_or(0) as u8;
    Ok(TunedOption { name, values, usual })
}

/// Returns the values of a range in order: `3..8` (both ends included), `3..9/2` (every second) or `3,5,8`, which may
/// be any texts. Spaces around values are ignored.
///
/// # Errors
///
/// Fails with the rest of a sentence if the range is empty, lacks a value, cannot be read, has a step below 1, or has
/// more than [`MOST_VALUES`] values.
fn parse_values(range: &str) -> Result<Vec<String>, String> {
    let Some((low, rest)) = range.split_once("..") else {
        let list: Vec<String> = range.split(',').map(|value| value.trim().to_string()).collect();
        return match list.iter().any(String::is_empty) {
            true => Err("lacks a value".to_string()),
            false if list.len() > MOST_VALUES => Err(format!("has more than {MOST_VALUES} values")),
            false => Ok(list),
        };
    };
    let (high, step) = rest.split_once('/').unwrap_or((rest, "1"));
    let read = |text: &str| {
        text.trim().parse::<i64>().map_err(|_| format!("has `{}`, which is no number", text.trim()))
    };
    let (low, high, step) = (read(low)?, read(high)?, read(step)?);
    if low > high {
        return Err("is empty".to_string());
    }
    let step = usize::try_from(step).ok().filter(|&step| step > 0).ok_or("has a step below 1")?;
    if high.abs_diff(low) / step as u64 >= MOST_VALUES as u64 {
        return Err(format!("has more than {MOST_VALUES} values"));
    }
    Ok((low..=high).step_by(step).map(|value| value.to_string()).collect())
}

/// Returns the best setting as the text of a preset file named `Tuned`: JSON if the path ends with `.json`, else TOML.
/// Holds only the changed options. Writes nothing.
///
/// # Errors
///
/// Fails if it cannot be encoded; the error names the path.
fn preset_text(tuning: &DesignTuning, found: &TunedDesign, path: &Path) -> Outcome<String> {
    let goals: Vec<String> = tuning.goals.iter().map(ToString::to_string).collect();
    let about = format!("Tuned for {} with {} seats", goals.join(", "), tuning.seats);
    let changes = &found.settings[found.best].changes;
    let preset = PresetFile::new(&tuning.game.info(), "Tuned", &about, changes);
    let text = match path.extension().is_some_and(|ending| ending == "json") {
        true => serde_json::to_string_pretty(&preset).map(|text| text + "\n").map_err(|e| e.to_string()),
        false => toml::to_string(&preset).map_err(|e| e.to_string()),
    };
    text.map_err(|e| CommandError::file("write", path, e))
}

/// Prints a heading, then the designer's setting and, if it is another one, the best setting with their figures by goal
/// and bot, then sentences about where the bots disagree. Each figure has the number of games and whether the goal is
/// met. A figure that is unknown is shown as a dash. Says so if no other setting was confirmed as better.
///
/// # Errors
///
/// Fails if the output is closed.
fn report(out: &mut impl Write, tuning: &DesignTuning, found: &TunedDesign) -> io::Result<()> {
    let what = format!("{} settings, {} games, seed {}", found.tried, thousands(found.games), tuning.seed);
    writeln!(out, "{}  {}\n", paint(TITLE, tuning.game.info().title), paint(DIM, what))?;
    let mut shown = vec![(0, "the designer's numbers")];
    if found.best > 0 {
        shown.push((found.best, "the best setting"));
    }
    for (index, name) in shown {
        let setting = &found.settings[index];
        let changes: Vec<String> =
            setting.changes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let changes = if changes.is_empty() { String::new() } else { format!(": {}", changes.join(", ")) };
        writeln!(out, "  {}{changes}", paint(TITLE, name))?;
        for goal in &tuning.goals {
            for (bot, sample) in tuning.bots.iter().zip(&setting.confirmed) {
                let figure = goal.figure(sample).map_or("–".to_string(), |figure| goal.kind.format(figure));
                let met = if goal.is_met(sample) { "met" } else { "not met" };
                let games = thousands(sample.games());
                writeln!(out, "    {:<18} {bot:<12} {figure:>12}  {met} ({games} games)", goal.to_string())?;
            }
        }
    }
    if found.best == 0 {
        writeln!(out, "\n  No other setting was confirmed as better than the designer's.")?;
    }
    for sentence in tuning::disagreements(tuning, found) {
        writeln!(out, "\n  {sentence}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_and_bad_ones_rejected() {
        assert_eq!(parse_values("3..5").unwrap(), ["3", "4", "5"]);
        assert_eq!(parse_values("-2..3/2").unwrap(), ["-2", "0", "2"]);
        assert_eq!(parse_values("true, false").unwrap(), ["true", "false"]);
        assert_eq!(parse_values("7").unwrap(), ["7"]);
        assert_eq!(parse_values("8..3").unwrap_err(), "is empty");
        assert_eq!(parse_values("1..x").unwrap_err(), "has `x`, which is no number");
        assert_eq!(parse_values("1..9/0").unwrap_err(), "has a step below 1");
        assert_eq!(parse_values("0..9223372036854775807").unwrap_err(), "has more than 100 values");
        assert_eq!(parse_values("1,,2").unwrap_err(), "lacks a value");
    }
}
