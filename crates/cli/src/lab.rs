//! `pentarchy lab GAME`: the balance report.

use crate::arena::{arena_of, failed};
use crate::command_error::{CommandError, Outcome};
use crate::game_arg::{GameArg, Settings};
use crate::number::{number, positive};
use crate::output::Output;
use crate::parallel;
use crate::progress;
use crate::style::{DIM, TITLE, paint, width, wrap};
use pentarchy_arena::verdict::{Tone, differences, verdicts};
use pentarchy_arena::{Findings, Lab, Setting, data, report};
use pentarchy_bots::Spec;
use pentarchy_engine::AnyGame;
use serde_json::Value;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

/// Maximum number of settings side by side.
const MOST_SETTINGS: usize = 16;

/// Examine the balance of a game: one page with plots and plain words
///
/// Who wins, how long it takes, when it is decided, how it ends, which cards are dead and which are a must,
/// whether skill pays; and with --sweep the same for other numbers of the design, side by side. The page is one
/// HTML file that needs nothing else, for screens and for paper.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy lab numeral --out numeral.html
  pentarchy lab vires --seats 3 --games 10000 --bots captain
  pentarchy lab numeral --sweep tower_cost=5,10,15 --sweep start_storage=20,25
  pentarchy lab hegemony --rivals captain,emperor:200 --json

With --json one object is printed: game, rules_version, seats, seed, games,
bots, verdicts and changes (about, tone, text), settings (for each: name, options, wins,
shares and intervals by seat, draws, nobody, capped, endings, branching,
forced, measures and differences with their means and intervals, items),
rivals (one among others: games, share, interval), out, threads, seconds.")]
pub(crate) struct Args {
    /// The game, as `pentarchy games` lists them
    #[arg(hide_possible_values = true)]
    game: GameArg,

    /// Number of games for each setting
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = positive::<u64>)]
    games: u64,

    /// Who plays: random, recruit, captain, emperor:500; one for all or one for each seat
    #[arg(long, value_name = "BOT,…", value_delimiter = ',', default_value = "captain")]
    bots: Vec<Spec>,

    /// Number of seats [default: as the game says]
    #[arg(long, value_name = "N", value_parser = number::<u8>)]
    seats: Option<u8>,

    /// Seed of all games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number::<u64>)]
    seed: u64,

    #[command(flatten)]
    settings: Settings,

    /// Compare values of an option or a tuning number; repeated, all combinations
    #[arg(long, value_name = "NAME=A,B,…", value_parser = parse_sweep)]
    sweep: Vec<(String, Vec<String>)>,

    /// The strategies to compare with each other; none: leave that out
    #[arg(long, value_name = "BOT,…", default_value = "random,recruit,captain,emperor:50", value_parser = parse_rivals)]
    rivals: Rivals,

    /// Number of games for each pair of them [default: a tenth of the games, 60 to 1000]; a fifth where one
    /// searches
    #[arg(long, value_name = "N", value_parser = positive::<u64>)]
    rival_games: Option<u64>,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Where to write the page [default: GAME-lab.html in this folder; with --json nowhere]
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Debug)]
struct Rivals(Vec<Spec>);

/// Parses a list of bots separated by commas; `none` gives an empty list.
///
/// # Errors
///
/// Fails if a bot is unknown.
fn parse_rivals(text: &str) -> Result<Rivals, String> {
    let read = |bot: &str| bot.trim().parse::<Spec>().map_err(|e| e.to_string());
    match text {
        "none" => Ok(Rivals(Vec::new())),
        _ => Ok(Rivals(text.split(',').map(read).collect::<Result<_, _>>()?)),
    }
}

/// Parses an option with several values, such as `tower_cost=5,10,15`, into the name and the values. Neither
/// is checked.
///
/// # Errors
///
/// Fails if there is no `=` or a value is empty.
fn parse_sweep(text: &str) -> Result<(String, Vec<String>), String> {
    let (name, values) =
        text.split_once('=').ok_or("it takes a name and values, like `tower_cost=5,10,15`")?;
    let values: Vec<String> = values.split(',').map(|v| v.trim().to_string()).collect();
    if values.iter().any(String::is_empty) {
        return Err("a value is missing: write them like `tower_cost=5,10,15`".to_string());
    }
    Ok((name.trim().to_string(), values))
}

/// Runs `pentarchy lab`: plays the games with a progress bar and prints the verdicts, or with `--json` all
/// findings. Writes the report as a page to `--out`, or without `--json` to `GAME-lab.html`.
///
/// # Errors
///
/// Fails if an argument is invalid, a file cannot be written, or a game fails.
pub(crate) fn run(args: &Args) -> Outcome {
    let lab = lab(args)?;
    let threads = parallel::thread_count(args.threads);
    let named = PathBuf::from(format!("{}-lab.html", lab.game.info().name));
    let path = args.out.clone().or((!args.json).then_some(named));
    let mut page = Output::maybe(path.as_deref())?;
    let begun = Instant::now();
    let bar = progress::bar(lab.total(), "games");
    let found = lab.run(threads, |games| bar.inc(games));
    bar.finish_and_clear();
    let found = found.map_err(failed)?;
    if let Some(page) = &mut page {
        page.write(&report::page(&lab, &found, &command()))?;
    }
    page.map_or(Ok(()), Output::finish)?;
    let mut out = anstream::stdout().lock();
    if args.json {
        let mut data = data::as_data(&lab, &found);
        data["out"] = path.map(|path| path.display().to_string()).into();
        data["threads"] = threads.into();
        data["seconds"] = begun.elapsed().as_secs_f64().into();
        writeln!(out, "{data}")?;
    } else {
        summary(&mut out, &lab, &found)?;
        let shown = path.map_or(String::new(), |path| path.display().to_string());
        writeln!(out, "{} {shown}", paint(DIM, "The report is in"))?;
    }
    Ok(())
}

/// Returns the command line of this process, for the report; arguments with spaces or quotes are quoted.
fn command() -> String {
    let word = |text: String| if text.contains([' ', '"']) { format!("'{text}'") } else { text };
    let rest: Vec<String> = std::env::args().skip(1).map(word).collect();
    format!("pentarchy {}", rest.join(" "))
}

/// Prints the verdicts of the report and the differences between settings, each with a mark: `+`
/// good, `·` a note, `!` a fault.
///
/// # Errors
///
/// Fails if the output is closed.
fn summary(out: &mut impl Write, lab: &Lab, found: &Findings) -> Outcome {
    writeln!(out, "{}\n", paint(TITLE, lab.game.info().title))?;
    for verdict in verdicts(lab, found).iter().chain(&differences(found)) {
        let mark = match verdict.tone {
            Tone::Good => "+",
            Tone::Note => "·",
            Tone::Fault => "!",
        };
        writeln!(out, "{mark} {}", paint(TITLE, verdict.about))?;
        write!(out, "{}", wrap(&verdict.text, "  ", width()))?;
    }
    writeln!(out)?;
    Ok(())
}

/// Builds the experiment from the arguments: bots, seed, games, settings and rivals. A single bot
/// plays all seats. Nothing is played yet.
///
/// # Errors
///
/// Fails if seats, bots or options do not fit the game.
fn lab(args: &Args) -> Outcome<Lab> {
    let game = args.game.0;
    let seats = match (args.seats, args.bots.len()) {
        (Some(seats), _) => seats,
        (None, 1) => game.info().default_seats,
        (None, named) => u8::try_from(named).unwrap_or(u8::MAX),
    };
    // Validate the options first, so that errors are those of every other command.
    args.settings.resolve(game, seats)?;
    let bots = match &args.bots[..] {
        [one] => vec![*one; usize::from(seats)],
        many if many.len() == usize::from(seats) => many.to_vec(),
        many => {
            return Err(CommandError::usage(format_args!("{} bots are named for {seats} seats", many.len()))
                .hint("name one for all, or one for each seat"));
        }
    };
    Ok(Lab {
        game: arena_of(game)?,
        bots,
        seed: args.seed,
        games: args.games,
        settings: combinations(args, game, seats)?,
        rivals: args.rivals.0.clone(),
        rival_games: args.rival_games.unwrap_or((args.games / 10).clamp(60, 1000)),
    })
}

/// Returns all combinations of the values of `--sweep` as settings with all options of the game for
/// this number of seats; one setting if nothing is swept. The one with the options of the other
/// arguments comes first, if it is among them.
///
/// # Errors
///
/// Fails if an option is swept twice, a combination is invalid, or there are more than
/// [`MOST_SETTINGS`].
fn combinations(args: &Args, game: &'static dyn AnyGame, seats: u8) -> Outcome<Vec<Setting>> {
    let named: Vec<String> =
        args.settings.set.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let mut all: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for (given, values) in &args.sweep {
        let name = field(game, given, values);
        if all.iter().flatten().any(|(swept, _)| *swept == name) {
            return Err(CommandError::usage(format_args!("`{name}` is swept twice"))
                .hint(format_args!("name all values at once: --sweep {name}=A,B,…")));
        }
        let longer = |old: &Vec<(String, String)>, value: &String| {
            old.iter().cloned().chain([(name.clone(), value.clone())]).collect()
        };
        all = all.iter().flat_map(|old| values.iter().map(move |value| longer(old, value))).collect();
        if all.len() > MOST_SETTINGS {
            return Err(CommandError::usage(format_args!(
                "more than {MOST_SETTINGS} settings are to be compared"
            ))
            .hint("compare fewer values at once"));
        }
    }
    let usual = args.settings.resolve(game, seats)?;
    let mut settings = Vec::new();
    for values in all {
        let set = args.settings.set.iter().chain(&values).cloned().collect();
        let options = Settings { set, ..args.settings.clone() }.resolve(game, seats)?;
        let swept: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let name = if swept.is_empty() { named.join(", ") } else { swept.join(", ") };
        settings.push(Setting { name, options });
    }
    settings.sort_by_key(|setting| setting.options != usual);
    Ok(settings)
}

/// Returns the full name of the option of the game to sweep: `name` if it can have these values,
/// else the only option whose last part begins with `name` and that can have them. Returns `name`
/// itself if there is no such one or several.
fn field(game: &'static dyn AnyGame, name: &str, values: &[String]) -> String {
    let seats = game.info().default_seats;
    let takes = |field: &str| {
        let set =
            |value: &String| game.options(seats, &Value::Null, &[(field.to_string(), value.clone())]).is_ok();
        values.iter().all(set)
    };
    let last = |field: &'static str| field.rsplit('.').next().unwrap_or(field);
    let mut others = game.fields().iter().map(|f| f.name).filter(|f| last(f).starts_with(name) && takes(f));
    match (takes(name), others.next(), others.next()) {
        (false, Some(only), None) => only.to_string(),
        _ => name.to_string(),
    }
}
