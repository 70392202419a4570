//! `pentarchy lab GAME`: the balance report.

use crate::arena::{arena_of, parse_points, request_error, tournament_error};
use crate::command_error::Outcome;
use crate::game_arg::{GameArg, Settings};
use crate::number::{number, positive};
use crate::output::Output;
use crate::parallel;
use crate::parts::{self, PartArg, parse_part};
use crate::progress;
use crate::style::{DIM, TITLE, paint, width, wrap};
use pentarchy_arena::verdict::{Tone, differences, verdicts};
use pentarchy_arena::{Findings, Lab, LabPart, LabRequest, data, report};
use pentarchy_bots::Spec;
use pentarchy_engine::AnyGame;
use serde_json::Value;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

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
  pentarchy lab hegemony --restrict --games 10000 --until 1

With --json one object is printed: game, rules_version, seats, seed, games,
bots, verdicts and changes (about, tone, text), settings (for each: name, options, wins,
shares and intervals by seat, draws, nobody, capped, endings, branching,
forced, measures and differences with their means and intervals, items),
rivals (one among others: games, share, interval), worths (by option, with --restrict:
worth and interval in points of winning share, state, pairs, offered, forced,
pairs_needed), seats_known (interval, sure_after, games_for_a_point), stopped, out,
threads, seconds.

Parts: --part 3/16 --out part.bin plays the third of sixteen parts, on any machine;
pentarchy lab --join part*.bin --out report.html makes the page of the whole run.")]
pub(crate) struct Args {
    /// The game, as `pentarchy games` lists them
    #[arg(hide_possible_values = true, required_unless_present = "join")]
    game: Option<GameArg>,

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

    /// Play each game again with one seat that is denied a card, a building or an action, to learn what it is worth
    #[arg(long)]
    restrict: bool,

    /// Maximum number of such pairs of games for each option; ends earlier for those whose worth is known
    /// [default: the number of games]
    #[arg(long, value_name = "N", value_parser = positive::<u64>, requires = "restrict")]
    restrict_games: Option<u64>,

    /// Stop as soon as the share of every seat is known to this many points up or down
    #[arg(long, value_name = "POINTS", value_parser = parse_points)]
    until: Option<f64>,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Play only this part of the games, and write it to the file of --out
    #[arg(long, value_name = "K/N", value_parser = parse_part, requires = "out", conflicts_with = "json")]
    part: Option<PartArg>,

    /// Join the parts of a run; the other arguments come from them
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["game", "games", "bots", "seats", "seed", "set", "preset", "options", "sweep", "rivals", "rival_games", "restrict", "restrict_games", "until", "part"])]
    join: Vec<PathBuf>,

    /// Where to write the page [default: GAME-lab.html in this folder; with --json nowhere]; with --part, the part
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The strategies of `--rivals`, in their order; empty for `none`.
#[derive(Clone, Debug)]
struct Rivals(Vec<Spec>);

/// Parses a list of bots separated by commas, in their order, with spaces around each ignored. The text `none` gives an
/// empty list: no strategies are compared.
///
/// # Errors
///
/// Fails if a bot is unknown, or the text is empty.
fn parse_rivals(text: &str) -> Result<Rivals, String> {
    let read = |bot: &str| bot.trim().parse::<Spec>().map_err(|e| e.to_string());
    match text {
        "none" => Ok(Rivals(Vec::new())),
        _ => Ok(Rivals(text.split(',').map(read).collect::<Result<_, _>>()?)),
    }
}

/// Parses an option with several values, such as `tower_cost=5,10,15`, into the name and the values without surrounding
/// spaces. Whether the game has such an option and takes the values is not checked; the name may be empty.
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

/// Runs `pentarchy lab`: plays the games with a progress bar, or joins parts, and prints the verdicts, or with `--json`
/// all findings. Writes the report as a page to `--out`, or without `--json` to `GAME-lab.html`; with `--part`, writes
/// the part to `--out` and prints nothing. The findings of a run that was not joined also have `threads` and `seconds`.
/// Files appear only if everything succeeds.
///
/// # Errors
///
/// Fails if an argument is invalid, a file cannot be read or written, parts do not make a whole run, a game fails, or
/// the output is closed.
pub(crate) fn run(args: &Args) -> Outcome {
    let Some(game) = args.game else { return join(args) };
    let lab = lab(args, game.0)?;
    let threads = parallel::thread_count(args.threads);
    let begun = Instant::now();
    if let Some(part) = args.part {
        return play_part(args, &lab, part, threads);
    }
    let page = Page::begin(args, &lab)?;
    let bar = progress::bar(lab.total(1, 1), "games");
    let found = lab.run(threads, |games| bar.inc(games));
    bar.finish_and_clear();
    let found = found.map_err(tournament_error)?;
    page.finish(args, (&lab, &found), &parts::command_line(), |data| {
        data["threads"] = threads.into();
        data["seconds"] = begun.elapsed().as_secs_f64().into();
    })
}

/// Plays the part of the run that `part` names on this number of threads, and writes it to the file of `--out` with a
/// header that describes the whole run. The file appears only if all games succeed. The caller must have checked that
/// `--out` is given; without it the games are lost. Shows a progress bar and prints nothing else.
///
/// # Errors
///
/// Fails if the file cannot be written, or a game fails.
fn play_part(args: &Args, lab: &Lab, part: PartArg, threads: usize) -> Outcome {
    let file = Output::begin_optional(args.out.as_deref())?;
    let numbers = (u64::from(part.part), u64::from(part.parts));
    let bar = progress::bar(lab.total(numbers.0, numbers.1), "games");
    let played = lab.run_part(numbers, threads, |games| bar.inc(games));
    bar.finish_and_clear();
    let played = played.map_err(tournament_error)?;
    let header = parts::header("lab", lab.game, (lab.seed, lab.games), &lab.as_plan(), part);
    file.map_or(Ok(()), |file| parts::write(file, &header, &played))
}

/// Joins the parts of a run, writes the page of the whole, and prints the verdicts or, with `--json`, all findings. The
/// plan comes from the parts, not from `args`, and the page shows the command line of the parts.
///
/// # Errors
///
/// Fails if the parts are malformed or do not make a whole run, a file cannot be read or written, or the output is
/// closed.
fn join(args: &Args) -> Outcome {
    let joined = parts::read::<LabPart>("lab", &args.join)?;
    let lab = Lab::from_plan(joined.game, &joined.plan).ok_or_else(parts::malformed)?;
    let page = Page::begin(args, &lab)?;
    let found = lab.join(joined.parts);
    page.finish(args, (&lab, &found), &joined.header.shown, |_| {})
}

/// The page to write, created before the first game.
struct Page {
    /// The path of the page; `None` if none is written.
    path: Option<PathBuf>,
    /// The file of the page, under its temporary name.
    file: Option<Output>,
}

impl Page {
    /// Creates the file of the page under a temporary name: that of `--out`, else `GAME-lab.html` in the working
    /// folder. With `--json` and without `--out` there is none.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be created.
    fn begin(args: &Args, lab: &Lab) -> Outcome<Page> {
        let named = PathBuf::from(format!("{}-lab.html", lab.game.info().name));
        let path = args.out.clone().or((!args.json).then_some(named));
        let file = Output::begin_optional(path.as_deref())?;
        Ok(Page { path, file })
    }

    /// Writes the page and moves it to its path, then prints the verdicts and that path. With `--json`, prints all
    /// findings with the path (null if there is no page) instead; `add` adds entries to them. `command` is the command
    /// line that the page shows.
    ///
    /// # Errors
    ///
    /// Fails if the page cannot be written, or the output is closed.
    fn finish(
        self,
        args: &Args,
        (lab, found): (&Lab, &Findings),
        command: &str,
        add: impl FnOnce(&mut Value),
    ) -> Outcome {
        let Page { path, mut file } = self;
        if let Some(file) = &mut file {
            file.write(&report::page(lab, found, command))?;
        }
        file.map_or(Ok(()), Output::finish)?;
        let shown = path.map(|path| path.display().to_string());
        let mut out = anstream::stdout().lock();
        if args.json {
            let mut data = data::as_data(lab, found);
            data["out"] = shown.into();
            add(&mut data);
            writeln!(out, "{data}")?;
        } else {
            print_summary(&mut out, lab, found)?;
            writeln!(out, "{} {}", paint(DIM, "The report is in"), shown.unwrap_or_default())?;
        }
        Ok(())
    }
}

/// Prints the title of the game, then the verdicts of the report and the differences between settings, each with a
/// mark: `+` good, `·` a note, `!` a fault.
///
/// # Errors
///
/// Fails if the output is closed.
fn print_summary(out: &mut impl Write, lab: &Lab, found: &Findings) -> Outcome {
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

/// Builds the experiment from the arguments: bots, seed, games, settings and rivals. A single bot plays all seats. The
/// number of seats is that of `--seats`, else the number of bots, or the default of the game for a single bot. Nothing
/// is played yet. Each pair of rivals plays `--rival-games`, by default a tenth of the games but 60 to 1000. Without
/// `--restrict`, no restricted games are played. `--until` is converted from percentage points to a share.
///
/// # Errors
///
/// Fails if seats, bots or options do not fit the game, if a sweep is invalid or has too many combinations, or if
/// restricted play has nothing to deny.
fn lab(args: &Args, game: &'static dyn AnyGame) -> Outcome<Lab> {
    let request = LabRequest {
        seats: args.seats,
        bots: args.bots.clone(),
        seed: args.seed,
        games: args.games,
        options: args.settings.given(game)?,
        set: args.settings.set.clone(),
        sweep: args.sweep.clone(),
        rivals: args.rivals.0.clone(),
        rival_games: args.rival_games,
        restrict: args.restrict,
        restrict_games: args.restrict_games,
        until: args.until.map(|points| points / 100.0),
    };
    request.lab(game, arena_of(game)?).map_err(|error| request_error(error, game))
}
