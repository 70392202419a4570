//! `pentarchy arena GAME`: bots against each other on all cores.

use crate::arena_match::{self, MatchArgs};
use crate::arena_parts;
use crate::command_error::{CommandError, Outcome};
use crate::game_arg::{GameArg, Settings, options_error};
use crate::number::{number, positive};
use crate::output::Output;
use crate::parallel;
use crate::parts::{PartArg, parse_part};
use crate::progress;
use crate::style::{DIM, TITLE, paint, thousands};
use pentarchy_arena::journal::{Journal, TournamentJournalError};
use pentarchy_arena::sprt::{BotMatch, SprtVerdict};
use pentarchy_arena::{
    AnyArena, GameResult, RequestError, Story, TournamentError, TournamentPlan, TournamentTally, csv,
    seat_bots, seat_count,
};
use pentarchy_bots::Spec;
use pentarchy_engine::AnyGame;
use pentarchy_registry as registry;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Let bots play against each other on all cores: wins with intervals, and ratings
///
/// The bots change seats from game to game, and each has the same dice and cards on every seat. A seed gives
/// the same games on every machine and with any number of threads (unless a bot's budget is a time).
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy arena connect-four --bots emperor:1000,captain --games 1000
  pentarchy arena hegemony --bots emperor,captain,captain --games 300 --interval 10
  pentarchy arena vires --bots captain,random,random --csv games.csv --json
  pentarchy arena hestia --bots emperor,captain --games 2000 --resume hestia.arena
  pentarchy arena hestia --bots emperor:500,captain --sprt 0.50,0.60

With --json one object is printed: game, rules_version, seats, seed, bots (as
listed), options, games, wins (by bot: games in which it alone was first),
shares (the same of all games, shared victories divided), intervals (95 %,
Wilson, of wins), draws (shared victories), nobody (games that no seat won),
capped, seat_wins (by seat), mean_scores and ratings (by bot; Weng and Lin's,
everybody begins at 25), mean_decisions, settled (stopped by --interval),
match (the first bot by sets of games with equal dice, one on each seat: sets,
scores as pairs of score and number of sets, mean, interval, and sprt with
log_ratio, bounds and verdict: open, low or high), threads, seconds. The file of
--out has the same without threads, resumed and seconds, so that equal runs give
equal files.

Parts: --part 3/16 --out part.bin plays the third of sixteen parts, on any machine;
pentarchy arena --join part*.bin makes one result of all.")]
pub(crate) struct Args {
    /// The game, as `pentarchy games` lists them
    #[arg(hide_possible_values = true, required_unless_present = "join")]
    game: Option<GameArg>,

    /// Who plays: random, recruit, captain, emperor, emperor:500 (iterations), emperor:0.2s; one for all or
    /// one for each seat
    #[arg(long, value_name = "BOT,…", value_delimiter = ',', default_value = "captain,random")]
    bots: Vec<Spec>,

    /// Number of seats [default: the number of bots; for one bot, as the game says]
    #[arg(long, value_name = "N", value_parser = number::<u8>)]
    seats: Option<u8>,

    /// Number of games [default: 1000; with --sprt at most 20000]
    #[arg(long, value_name = "N", value_parser = positive::<u64>)]
    games: Option<u64>,

    /// Seed of all games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number::<u64>)]
    seed: u64,

    /// Stop early, once the 95 % interval of every bot is at most this number of points wide
    #[arg(long, value_name = "POINTS", value_parser = parse_points)]
    interval: Option<f64>,

    #[command(flatten)]
    pub(crate) test: MatchArgs,

    #[command(flatten)]
    settings: Settings,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Play only this part of the games, and write it to the file of --out
    #[arg(long, value_name = "K/N", value_parser = parse_part, requires = "out", conflicts_with_all = ["resume", "csv", "decisions", "json"])]
    part: Option<PartArg>,

    /// Join the parts of a tournament; the other arguments come from them
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["game", "bots", "seats", "games", "seed", "interval", "set", "preset", "options", "part", "resume", "decisions"])]
    join: Vec<PathBuf>,

    /// Store every finished game in this file, and continue from there if it exists
    #[arg(long, value_name = "FILE", conflicts_with = "decisions")]
    resume: Option<PathBuf>,

    /// Write one row per game to this file, comma-separated
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write one row per decision to this file, comma-separated
    #[arg(long, value_name = "FILE")]
    decisions: Option<PathBuf>,

    /// Write the JSON object to this file; with --part, the part
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Parses a number of percentage points from 0.01 to 100, both included. Spaces are not allowed. Returns the points,
/// not a share.
///
/// # Errors
///
/// Fails if the text is not such a number.
pub(crate) fn parse_points(text: &str) -> Result<f64, String> {
    let points = text.parse().ok().filter(|p| (0.01..=100.0).contains(p));
    points.ok_or_else(|| "it takes points between 0.01 and 100, like 5".to_string())
}

/// Returns the arena of a game from the registry: what plays tournaments, experiments and tuning runs of it.
///
/// # Errors
///
/// Fails as bad usage if the game is not registered with bots.
pub(crate) fn arena_of(game: &'static dyn AnyGame) -> Outcome<&'static dyn AnyArena> {
    registry::arena_of(game.info().name).map_err(CommandError::usage)
}

/// Converts the error of a tournament: a game that broke off or panicked is a failed check (exit code 1), invalid
/// options are bad usage (2).
pub(crate) fn tournament_error(error: TournamentError) -> CommandError {
    match error {
        TournamentError::Options(e) => e.into(),
        TournamentError::Game { .. } | TournamentError::Panicked => CommandError::Check(error.to_string()),
    }
}

/// Converts the error of a request for a tournament or an experiment with `game` to a usage error (exit code 2) with
/// its message and a hint which argument to change.
pub(crate) fn request_error(error: RequestError, game: &'static dyn AnyGame) -> CommandError {
    let usage = CommandError::usage(&error);
    match error {
        RequestError::Options(error) => options_error(error, game),
        RequestError::Bots { .. } => usage.hint("name one for all, or one for each seat"),
        RequestError::SweptTwice(name) => {
            usage.hint(format_args!("name all values at once: --sweep {name}=A,B,…"))
        }
        RequestError::TooManySettings => usage.hint("compare fewer values at once"),
        RequestError::NothingToDeny(_) => usage.hint("leave --restrict out"),
    }
}

/// Runs `pentarchy arena`: plays the tournament, writes its files and prints the report, or with `--json` one JSON
/// object. With `--part`, only writes the part; with `--join`, joins parts instead of playing. Output files appear only
/// if everything succeeds; the journal of `--resume` keeps every finished game. A match (`--sprt`) or `--interval`
/// stops early as soon as it is decided; if the journal already decides it, no game is played. Checks all arguments and
/// creates the output files before the first game.
///
/// # Errors
///
/// Fails if an argument is invalid, a file cannot be read or written, a journal belongs to another tournament, parts do
/// not make a whole run, a game fails, or the output is closed.
pub(crate) fn run(args: &Args) -> Outcome {
    check_distinct_files(args)?;
    let Some(game) = args.game else { return arena_parts::join(args, &args.join) };
    let plan = plan(args, game.0)?;
    let mut bout = args.test.start(&plan)?;
    if let Some(part) = args.part {
        return arena_parts::play(args, &plan, part);
    }
    let threads = parallel::thread_count(args.threads);
    let mut files = Files::begin(args)?;
    let mut tally = TournamentTally::new(plan.bots.len());
    let mut journal = match &args.resume {
        Some(path) => Some(open_journal(path, &plan, &mut tally, &mut bout, &mut files)?),
        None => None,
    };
    let (resumed, begun) = (tally.games, Instant::now());
    let bar = progress::bar(plan.games, "games");
    bar.set_position(resumed);
    bar.reset_eta();
    let (mut trouble, known) = (None, bout.verdict() != SprtVerdict::Open);
    let mut each = |row: &GameResult, story: Option<&Story>| {
        bar.inc(1);
        bout.add(&plan, row);
        let kept = files.write_game(&plan, row, story).and_then(|()| match &mut journal {
            Some(journal) => journal.append(row).map_err(CommandError::from),
            None => Ok(()),
        });
        trouble = kept.err();
        let done = trouble.is_some() || bout.verdict() != SprtVerdict::Open;
        if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let played = match known {
        true => Ok(()),
        false => plan.play(&mut tally, threads, args.decisions.is_some(), &mut each),
    };
    bar.finish_and_clear();
    if let Some(journal) = &mut journal {
        journal.finish()?;
    }
    trouble.map_or(Ok(()), Err)?;
    played.map_err(tournament_error)?;
    let time = begun.elapsed();
    let mut data = tally.as_data(&plan);
    data["match"] = bout.as_data();
    if let Some(out) = &mut files.out {
        out.write(&format!("{data:#}\n"))?;
    }
    files.finish()?;
    data["threads"] = threads.into();
    data["resumed"] = resumed.into();
    data["seconds"] = time.as_secs_f64().into();
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{data}")?;
    } else {
        report(&mut out, &plan, &tally, Some(&RunFigures { resumed, time, threads }))?;
        arena_match::report(&mut out, &args.test, &plan, &bout)?;
    }
    Ok(())
}

/// Builds the plan of the tournament from the arguments. A single bot plays all seats. The number of seats is that of
/// `--seats`, else the number of bots, or the default of the game for a single bot. An interval is converted from
/// percentage points to a share. Without `--games` there are 1000 games, or at most [`arena_match::MOST_GAMES`] with
/// `--sprt`.
///
/// # Errors
///
/// Fails if the seats or options do not fit the game, if the number of bots is neither 1 nor that of the seats, or if
/// the game has no arena.
fn plan(args: &Args, game: &'static dyn AnyGame) -> Outcome<TournamentPlan> {
    let seats = seat_count(game, args.seats, &args.bots);
    let options = args.settings.resolve(game, seats)?;
    let bots = seat_bots(&args.bots, seats).map_err(|error| request_error(error, game))?;
    let interval = args.interval.map(|points| points / 100.0);
    let games = args.games.unwrap_or(if args.test.is_test() { arena_match::MOST_GAMES } else { 1000 });
    Ok(TournamentPlan { game: arena_of(game)?, options, bots, seed: args.seed, games, interval })
}

/// Checks that no two of the files that the arguments name (`--out`, `--csv`, `--decisions`, `--resume`) are equal,
/// compared as absolute paths. Touches no file. A path that cannot be made absolute is compared as given; links are not
/// followed.
///
/// # Errors
///
/// Fails with the two options that name one file.
fn check_distinct_files(args: &Args) -> Outcome {
    let files = [
        ("--out", &args.out),
        ("--csv", &args.csv),
        ("--decisions", &args.decisions),
        ("--resume", &args.resume),
    ];
    let mut seen: Vec<(&str, PathBuf)> = Vec::new();
    for (option, path) in files {
        let Some(path) = path else { continue };
        let place = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        if let Some((other, _)) = seen.iter().find(|(_, taken)| *taken == place) {
            let file = path.display();
            return Err(CommandError::usage(format_args!("{other} and {option} name the same file, {file}")));
        }
        seen.push((option, place));
    }
    Ok(())
}

/// The requested output files, all created before the first game.
pub(crate) struct Files {
    /// The file of `--out`.
    pub(crate) out: Option<Output>,
    /// The file of `--csv`, with a row per game.
    csv: Option<Output>,
    /// The file of `--decisions`, with a row per decision.
    decisions: Option<Output>,
    /// Whether the headings have been written.
    headed: bool,
}

impl Files {
    /// Creates the output files that the arguments name, under temporary names, before the first
    /// game. They are deleted again unless [`finish`](Self::finish) is called.
    ///
    /// # Errors
    ///
    /// Fails if one cannot be created.
    pub(crate) fn begin(args: &Args) -> Outcome<Files> {
        let begin = |path: &Option<PathBuf>| Output::begin_optional(path.as_deref());
        let (out, csv, decisions) = (begin(&args.out)?, begin(&args.csv)?, begin(&args.decisions)?);
        Ok(Files { out, csv, decisions, headed: false })
    }

    /// Appends the game `row` of the plan to the files of games and of decisions, with headings before the first one.
    /// The headings are those of the columns. Files that the arguments do not name are skipped. Decisions are written
    /// only if there is a story that holds them.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written.
    pub(crate) fn write_game(
        &mut self,
        plan: &TournamentPlan,
        row: &GameResult,
        story: Option<&Story>,
    ) -> Outcome {
        if let Some(file) = &mut self.csv {
            if !self.headed {
                file.write(&csv::games_heading(plan.seats()))?;
            }
            file.write(&csv::game(plan, row))?;
        }
        if let (Some(file), Some(rows)) = (&mut self.decisions, story.and_then(|s| s.decisions.as_ref())) {
            if !self.headed {
                file.write(&csv::decisions_heading())?;
            }
            file.write(&csv::decisions(plan, row.game, rows))?;
        }
        self.headed = true;
        Ok(())
    }

    /// Completes all output files and moves them to their paths, one after the other; existing files are
    /// replaced.
    ///
    /// # Errors
    ///
    /// Fails at the first one that cannot be written. Those before it are complete, those after it are
    /// deleted.
    pub(crate) fn finish(self) -> Outcome {
        [self.out, self.csv, self.decisions].into_iter().flatten().try_for_each(Output::finish)
    }
}

/// Opens the journal at `path`, or creates it, adds the games in it to the tally, to the match `bout` and to the files
/// of games, and returns it for those that follow. Games beyond the plan, and those after the tournament or the match
/// was decided, stay in the journal and are not counted.
///
/// # Errors
///
/// Fails if the journal cannot be used or belongs to another tournament, or if a file of games cannot be written. Games
/// before the failure have been added.
fn open_journal(
    path: &Path,
    plan: &TournamentPlan,
    tally: &mut TournamentTally,
    bout: &mut BotMatch,
    files: &mut Files,
) -> Outcome<Journal> {
    let (mut kept, mut over) = (Ok(()), false);
    let opened = Journal::open(path, plan, |row| {
        // Games beyond the wanted number stay in the file and are not counted.
        over |= row.game >= plan.games || plan.is_settled(tally) || bout.verdict() != SprtVerdict::Open;
        if !over && kept.is_ok() {
            tally.add(plan, row);
            bout.add(plan, row);
            kept = files.write_game(plan, row, None);
        }
    });
    kept?;
    opened.map_err(|unusable| match unusable {
        TournamentJournalError::File(e) => CommandError::file("use", path, e),
        other => CommandError::usage(format_args!("cannot resume {}: {other}", path.display()))
            .hint("name another file, or remove this one"),
    })
}

/// How the games of a tournament were played.
pub(crate) struct RunFigures {
    /// The number of games that were taken from the journal.
    resumed: u64,
    /// The wall-clock time of the others.
    time: Duration,
    /// The number of threads.
    threads: usize,
}

/// Prints the result of the tournament for people to `out`: a row per bot, then wins by seat, lengths and, if the
/// figures of the run are known, its speed. Adds a line if points and wins disagree ([`points_against_wins`]), if games
/// were won by nobody, and if narrow intervals ended the tournament early. The number of games in the heading is that
/// of the tally; percentages of an empty tally are 0.
///
/// # Errors
///
/// Fails if the output is closed.
pub(crate) fn report(
    out: &mut impl Write,
    plan: &TournamentPlan,
    tally: &TournamentTally,
    figures: Option<&RunFigures>,
) -> io::Result<()> {
    let percent = |n: u64| 100.0 * n as f64 / tally.games.max(1) as f64;
    let (games, seats, seed) = (thousands(tally.games), plan.seats(), plan.seed);
    let setting = paint(DIM, format_args!("{games} games, {seats} seats, seed {seed}"));
    writeln!(out, "{}  {setting}\n", paint(TITLE, plan.game.info().title))?;
    let heading =
        "  bot               wins     share       95 % interval      points a game    rating by wins";
    writeln!(out, "{}", paint(DIM, heading))?;
    for (i, bot) in plan.bots.iter().enumerate() {
        let (name, interval, rating) = (bot.to_string(), tally.interval(i), tally.ratings[i]);
        let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
        let (wins, share, score) = (percent(tally.wins[i]), 100.0 * tally.share(i), tally.scores[i].mean());
        let half = tally.scores[i].interval().width() / 2.0;
        let (mean, spread) = (rating.rating, 2.0 * rating.uncertainty);
        writeln!(
            out,
            "  {name:<14} {wins:>6.2} %  {share:>6.2} %  {low:>6.2} % – {high:>6.2} % {score:>9.2} ± {half:<5.2} {mean:>7.1} ± {spread:.1}"
        )?;
    }
    if let Some(line) = points_against_wins(plan, tally) {
        writeln!(out, "\n  {line}")?;
    }
    let seats: Vec<String> =
        tally.seat_wins[..plan.bots.len()].iter().map(|&n| format!("{:.1} %", percent(n))).collect();
    writeln!(out, "\n  wins by seat          {}", seats.join(", "))?;
    writeln!(out, "  draws (shared first)  {:.2} %", percent(tally.draws))?;
    if tally.nobody > 0 {
        writeln!(out, "  won by nobody         {:.2} %", percent(tally.nobody))?;
    }
    writeln!(out, "  ended at the cap      {:.2} %", percent(tally.capped))?;
    writeln!(out, "  decisions in a game   {:.1}", tally.decisions.mean())?;
    if plan.is_settled(tally) && tally.games < plan.games {
        writeln!(out, "  stopped early: every interval is narrow enough")?;
    }
    let Some(&RunFigures { resumed, time, threads }) = figures else { return Ok(()) };
    let (played, seconds) = (tally.games - resumed, time.as_secs_f64());
    let plural = if threads == 1 { "" } else { "s" };
    let rate = played as f64 / seconds.max(1e-9);
    writeln!(out, "\n  {seconds:.1} s on {threads} thread{plural}, {rate:.1} games a second")
}

/// Returns a sentence for games in which points and wins disagree, such as poker: the bot with the most points per
/// game (the last of equals) earns significantly more than all others, but does not win significantly more often.
/// `None` if they agree or nothing is significant. `tally` holds the results of the plan so far.
fn points_against_wins(plan: &TournamentPlan, tally: &TournamentTally) -> Option<String> {
    let bots = 0..plan.bots.len();
    let richest = bots.clone().max_by(|&a, &b| tally.scores[a].mean().total_cmp(&tally.scores[b].mean()))?;
    let (points, wins) = (tally.scores[richest].interval(), tally.interval(richest));
    let mut others = bots.filter(|&i| i != richest);
    let earns_more = others.clone().all(|i| tally.scores[i].interval().high < points.low);
    let wins_more = others.all(|i| tally.interval(i).high < wins.low);
    (earns_more && !wins_more).then(|| {
        format!(
            "{} earns the most points, though it does not win more games: the rating counts wins only",
            plan.bots[richest]
        )
    })
}
