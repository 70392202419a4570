//! `pentarchy peers GAME`: simulates tables of peers in one process, with network faults and cheaters.

use crate::command_error::{CommandError, Outcome};
use crate::game_arg::{GameArg, Settings};
use crate::number::number;
use crate::parallel;
use crate::style::thousands;
use pentarchy_arena::RunError;
use pentarchy_bots::{Level, UnknownBotError};
use pentarchy_engine::AnyGame;
use pentarchy_registry::GAMES;
use pentarchy_table::Recovery;
use pentarchy_table::sim::{CHEATS, Cheat, Faults, SimPlan, judge, run as simulate};
use serde_json::{Value, json};
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::PathBuf;

/// Simulate tables of peers: signed logs, joint dice, proven shuffles, a bad network, cheaters
///
/// Each seed is a whole game of independent clients that only exchange messages. Honest peers must agree at every
/// event and finish; a cheater must end as the attack catalogue says, and no honest peer may be accused.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy peers vires --seats 4 --seeds 0..10
  pentarchy peers kuhn --seeds 0..1000 --faults
  pentarchy peers leduc --seeds 0..20 --cheat swap-cards
  pentarchy peers hegemony --seats 3 --seeds 0..5 --leave 40   a bot takes the seat
  pentarchy peers list                       the cheats

A seed that fails prints the command that plays it again.

With --json one object is printed: game, seats, seeds, faults, cheat, games,
events, messages, bytes, lost, crashes, calmed (games that stood still until
cables and peers held for a while), evidence, stalls, cheated (games in which the
cheater could cheat), vacated (games in which a bot took a seat), cut (games that
the simulation stopped).")]
pub(crate) struct Args {
    /// The game, as `pentarchy games` lists them; or `list` for the cheats
    #[arg(value_parser = parse_which)]
    game: Which,

    /// Number of seats [default: as the game says]
    #[arg(long, value_name = "N", value_parser = number::<u8>)]
    seats: Option<u8>,

    /// The seeds, from the first up to but not including the last
    #[arg(long, value_name = "A..B", value_parser = parse_seeds, default_value = "0..10")]
    seeds: Range<u64>,

    /// Delay, lose, repeat and reorder messages, break cables, crash and restart peers
    #[arg(long)]
    faults: bool,

    /// Break the network for longer than the others wait for a seat
    #[arg(long, conflicts_with = "faults")]
    split: bool,

    /// With `--faults` or `--split`: a peer crashes about once per this number of messages, 0 for never [default:
    /// 400 or 2000]
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    crashes: Option<u32>,

    /// One seat cheats in this way; `all` tries every one that fits the game
    #[arg(long, value_name = "NAME")]
    cheat: Option<String>,

    /// One seat leaves for good after this number of events
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    leave: Option<u32>,

    /// This many of the last seats are bots of the first: one machine with one vote and one share
    #[arg(long, value_name = "N", value_parser = number::<u8>)]
    hosted: Option<u8>,

    /// What the others do about a seat that is out: `end` the game; `escrow`: go on with a bot in the seat, all
    /// machines together opening its cards; `escrow:T`: T of them
    #[arg(long, value_name = "HOW")]
    recovery: Option<String>,

    /// Who plays: random or captain
    #[arg(long, value_name = "BOT", default_value_t = Level::Random, value_parser = parse_quick_bot)]
    bot: Level,

    /// Stop a game after this number of events
    #[arg(long, value_name = "N", default_value_t = u32::MAX, value_parser = number::<u32>)]
    events: u32,

    #[command(flatten)]
    settings: Settings,

    /// Write the signed record of the last game to this file, also if the game was stopped before its end
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Write the evidence of the last game with any to this file
    #[arg(long, value_name = "FILE")]
    evidence: Option<PathBuf>,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What the first argument names.
#[derive(Clone)]
enum Which {
    /// A game to simulate.
    Game(GameArg),
    /// The attack catalogue.
    List,
}

/// Parses the exact name of a game, or `list`, which asks for the attack catalogue instead of a simulation.
///
/// # Errors
///
/// Fails if the game is unknown.
fn parse_which(name: &str) -> Result<Which, String> {
    if name == "list" {
        return Ok(Which::List);
    }
    pentarchy_registry::find(name).map(|game| Which::Game(GameArg(game))).map_err(|e| e.to_string())
}

/// Parses a range of seeds, `FIRST..END`; END is not part of it.
///
/// # Errors
///
/// Fails with a sentence if the text has another form or the range is empty.
pub(crate) fn parse_seeds(text: &str) -> Result<Range<u64>, String> {
    let wrong = || format!("`{text}` is not a range of seeds like 0..100");
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    let range = from.parse().map_err(|_| wrong())?..to.parse().map_err(|_| wrong())?;
    if range.is_empty() { Err(wrong()) } else { Ok(range) }
}

/// Totals of all games.
#[derive(Default)]
struct Sums {
    /// Number of games.
    games: u64,
    /// Number of events.
    events: u64,
    /// Number of messages sent.
    messages: u64,
    /// Their bytes.
    bytes: u64,
    /// Number of messages that the network lost.
    lost: u64,
    /// Number of crashes of peers.
    crashes: u64,
    /// Number of games that stood still until the faults paused.
    calmed: u64,
    /// Number of pieces of evidence.
    evidence: u64,
    /// Number of reports of peers that a seat is late.
    stalls: u64,
    /// Number of games in which the cheater could cheat.
    cheated: u64,
    /// Number of games in which a bot took a seat.
    vacated: u64,
    /// Number of games that the simulation stopped.
    cut: u64,
    /// The last signed record, encoded.
    record: Option<Vec<u8>>,
    /// The first piece of evidence of the last game that has one, encoded.
    proof: Option<Vec<u8>>,
    /// The lowest seed that failed, and why. The other sums are then those of lower seeds.
    failed: Option<(u64, String)>,
}

/// Runs `pentarchy peers`: simulates the tables of all seeds, once for each cheat that the arguments choose, and prints
/// the results; `list` prints the attack catalogue instead. `--cheat all` tries each cheat that fits the game. Stops at
/// the first cheat whose runs fail. The files of `--record` and `--evidence` are written for each cheat, the last one
/// overwriting the others.
///
/// # Errors
///
/// Fails if an argument is invalid, a file cannot be written, a run violates what is expected or panics, a cheat that
/// was named had no occasion, or the output is closed.
pub(crate) fn run(args: &Args) -> Outcome {
    let game = match &args.game {
        Which::Game(game) => game.0,
        Which::List => return print_cheats(),
    };
    let seats = args.seats.unwrap_or(game.info().default_seats);
    let options = args.settings.resolve(game, seats)?;
    let cheats: Vec<Option<&'static Cheat>> = match args.cheat.as_deref() {
        None => vec![None],
        Some("all") => CHEATS.iter().filter(|cheat| can_be_tried(cheat, game, seats)).map(Some).collect(),
        Some(name) => {
            let found = Cheat::find(name).ok_or_else(|| {
                CommandError::usage(format_args!("there is no cheat `{name}`"))
                    .hint("`pentarchy peers list` lists them")
            })?;
            vec![Some(found)]
        }
    };
    let hosted = args.hosted.unwrap_or(0);
    if hosted >= seats {
        return Err(CommandError::usage(format_args!(
            "{hosted} of {seats} seats cannot be bots of the first"
        )));
    }
    let machines = seats - hosted;
    let recovery = match args.recovery.as_deref() {
        None => Recovery::for_machines(machines),
        Some(word) => Recovery::named(word, machines).ok_or_else(|| {
            CommandError::usage(format_args!("`--recovery {word}` is not possible with {machines} machines"))
                .hint("use `end`, `escrow`, or `escrow:T` for T machines out of the others")
        })?,
    };
    let named = args.cheat.as_deref().is_some_and(|name| name != "all");
    for cheat in cheats {
        let sums = play_all(game, seats, &options, recovery, cheat, args)?;
        report(game, seats, cheat, args, &sums)?;
        if let Some(cheat) = cheat.filter(|_| named && sums.cheated == 0) {
            return Err(no_occasion_error(cheat, game, seats, &sums));
        }
    }
    Ok(())
}

/// Parses the level of the players, `random` or `captain`: one that needs no search.
///
/// # Errors
///
/// Fails if there is no such level, or if it is neither random nor captain.
fn parse_quick_bot(text: &str) -> Result<Level, String> {
    match text.parse().map_err(|unknown: UnknownBotError| unknown.to_string())? {
        level @ (Level::Random | Level::Captain) => Ok(level),
        other => Err(format!("peers are played by random or captain bots, not by `{other}`")),
    }
}

/// Returns whether a match of a game with this number of seats has what a cheat needs: enough seats, and hidden cards
/// if it needs them. Whether an occasion occurs depends on the match.
fn can_be_tried(cheat: &Cheat, game: &dyn AnyGame, seats: u8) -> bool {
    cheat.seats <= seats && (game.hides() || !cheat.hidden)
}

/// Creates the failed check for a cheat that was never tried in the runs of `sums` and so has proved nothing. Its
/// advice is to play more seeds or, if games were cut, more events. If the game cannot offer the cheat, it says what
/// the cheat needs and which games have that.
fn no_occasion_error(cheat: &Cheat, game: &dyn AnyGame, seats: u8, sums: &Sums) -> CommandError {
    let (name, n) = (game.info().name, sums.games);
    let advice = if can_be_tried(cheat, game, seats) {
        let longer = if sums.cut > 0 { ", more --events" } else { "" };
        format!("try more seeds{longer} or another game")
    } else {
        let seats = (cheat.seats > seats).then(|| format!("{} seats", cheat.seats));
        let cards = (cheat.hidden && !game.hides()).then(|| "hidden cards".to_owned());
        let needs = seats.into_iter().chain(cards).collect::<Vec<_>>().join(" and ");
        let games = GAMES.iter().filter(|game| can_be_tried(cheat, **game, game.info().max_seats));
        let games: Vec<&str> = games.map(|game| game.info().name).collect();
        format!("it needs {needs}, as there can be in {}", games.join(", "))
    };
    let games = if n == 1 { "this game" } else { &format!("these {n} games") };
    let why =
        format!("`{}` had no occasion in {games} of {name} with {seats}: nothing is proved", cheat.name);
    CommandError::Check(format!("{why}\n  {advice}"))
}

/// Prints the attack catalogue to standard output, one cheat per line: its name, its row in the catalogue of
/// docs/fair-play.md, what the cheater does, and how the match is expected to end.
///
/// # Errors
///
/// Fails if the output is closed.
fn print_cheats() -> Outcome {
    let mut out = anstream::stdout().lock();
    for cheat in CHEATS {
        let Cheat { name, rows, what, expect, .. } = cheat;
        writeln!(out, "{name:<16} row {rows:<8} {what}: {}", format!("{expect:?}").to_lowercase())?;
    }
    Ok(())
}

/// Builds the plan of the run of `seed` from the arguments. `recovery` and `options` are those of the table. The
/// cheater (if there is a `cheat`) or the player who leaves is at seat `seed` modulo the number of seats. `--faults`
/// takes precedence over `--split`; without either the network has no faults. `--crashes` replaces their rate of
/// crashes. The other seats play at random, or with `--bot captain` by advice. Nothing is simulated yet.
fn plan(
    seed: u64,
    seats: u8,
    options: &Value,
    recovery: Recovery,
    cheat: Option<&'static Cheat>,
    args: &Args,
) -> SimPlan {
    let mut plan = SimPlan::new(seats, seed);
    plan.options = options.clone();
    plan.hosted = args.hosted.unwrap_or(0);
    plan.recovery = recovery;
    plan.advised = args.bot == Level::Captain;
    plan.most_events = args.events;
    let seat = (seed % u64::from(seats.max(1))) as u8;
    if args.faults {
        plan.faults = Faults::BAD;
    } else if args.split {
        plan.faults = Faults::SPLIT;
    }
    plan.faults.crashes = args.crashes.unwrap_or(plan.faults.crashes);
    plan.leaver = args.leave.map(|after| (seat, after));
    match cheat {
        Some(cheat) => plan.cheating(seat, cheat),
        None => plan,
    }
}

/// Simulates the seeds of the arguments on several threads with a progress bar, and returns the sums over all seeds, or
/// over those before the first that fails, which is in [`Sums::failed`]. Its `record` is that of the last game that has
/// one, its `proof` the first of the last game that has evidence; `None` if there were none. The table has these seats,
/// options and recovery, and one seat cheats if there is a `cheat`. A seed fails if its simulation does or if its
/// report is not as the cheat and the plan demand ([`judge`]).
///
/// # Errors
///
/// Fails if a game panicked, unless a lower seed failed.
fn play_all(
    game: &'static dyn AnyGame,
    seats: u8,
    options: &Value,
    recovery: Recovery,
    cheat: Option<&'static Cheat>,
    args: &Args,
) -> Outcome<Sums> {
    let mut sums = Sums::default();
    let work = |seed| {
        let plan = plan(seed, seats, options, recovery, cheat, args);
        let played = simulate(game, plan.clone()).map_err(|e| e.to_string());
        played.and_then(|report| judge(game, &plan, &report).map(|()| report)).map_err(|why| (seed, why))
    };
    let threads = parallel::thread_count(args.threads);
    let ended = parallel::each(args.seeds.clone(), threads, "games", work, |_, report| {
        sums.games += 1;
        sums.events += u64::from(report.events);
        sums.messages += report.messages;
        sums.bytes += report.bytes;
        sums.lost += report.lost;
        sums.crashes += u64::from(report.crashes);
        sums.calmed += u64::from(report.calmed > 0);
        sums.evidence += report.evidence.len() as u64;
        sums.stalls += report.stalls.len() as u64;
        sums.cheated += u64::from(report.cheated > 0);
        sums.vacated += u64::from(report.taken_over.iter().any(|seats| !seats.is_empty()));
        sums.cut += u64::from(report.cut);
        sums.record = report.record.map(|record| record.encode()).or(sums.record.take());
        let proof = report.evidence.first().map(|(_, evidence)| evidence.encode());
        sums.proof = proof.or(sums.proof.take());
    });
    match ended {
        Ok(()) => Ok(sums),
        Err(RunError::Failed(failed)) => Ok(Sums { failed: Some(failed), ..sums }),
        Err(RunError::Panicked) => Err(parallel::panic_error()),
    }
}

/// Returns the command `pentarchy peers …` that simulates this seed of the game alone again, with the same seats, cheat
/// and settings. Files of records and evidence, `--threads` and `--json` are left out. `seed` must be below `u64::MAX`.
fn replay_command(game: &str, seats: u8, seed: u64, cheat: Option<&Cheat>, args: &Args) -> String {
    let mut again = format!("pentarchy peers {game} --seats {seats} --seeds {seed}..{}", seed + 1);
    let mut add = |name: &str, value: Option<String>| {
        again += &value.map_or(String::new(), |value| format!(" --{name}{value}"));
    };
    add("faults", args.faults.then(String::new));
    add("split", args.split.then(String::new));
    add("crashes", args.crashes.map(|n| format!(" {n}")));
    add("cheat", cheat.map(|cheat| format!(" {}", cheat.name)));
    add("hosted", args.hosted.map(|bots| format!(" {bots}")));
    add("leave", args.leave.map(|after| format!(" {after}")));
    add("recovery", args.recovery.as_ref().map(|how| format!(" {how}")));
    add("bot", (args.bot != Level::Random).then(|| format!(" {}", args.bot)));
    add("events", (args.events != u32::MAX).then(|| format!(" {}", args.events)));
    add("options", args.settings.options.as_ref().map(|file| format!(" '{}'", file.display())));
    add("preset", args.settings.preset.as_ref().map(|name| format!(" '{name}'")));
    for (name, value) in &args.settings.set {
        add("set", Some(format!(" '{name}={value}'")));
    }
    again
}

/// Prints the sums of the runs as text or JSON, and writes the last record and evidence to the files of the arguments.
/// If a run failed, prints and writes nothing. `cheat` is the one that was tried, for the output.
///
/// # Errors
///
/// Fails with a failed check that names the first failed run and the command that repeats it, if a file cannot be
/// written, or if the output is closed.
fn report(
    game: &'static dyn AnyGame,
    seats: u8,
    cheat: Option<&'static Cheat>,
    args: &Args,
    sums: &Sums,
) -> Outcome {
    let name = game.info().name;
    if let Some((seed, why)) = &sums.failed {
        let again = replay_command(name, seats, *seed, cheat, args);
        return Err(CommandError::Check(format!("seed {seed}: {why}\n  again: {again}")));
    }
    for (path, bytes) in [(&args.record, &sums.record), (&args.evidence, &sums.proof)] {
        if let (Some(path), Some(bytes)) = (path, bytes) {
            std::fs::write(path, bytes).map_err(|e| CommandError::file("write", path, e))?;
        }
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        let data = json!({
            "game": name, "seats": seats, "seeds": [args.seeds.start, args.seeds.end],
            "faults": args.faults, "cheat": cheat.map(|cheat| cheat.name), "games": sums.games,
            "events": sums.events, "messages": sums.messages, "bytes": sums.bytes, "lost": sums.lost,
            "crashes": sums.crashes, "calmed": sums.calmed, "evidence": sums.evidence, "stalls": sums.stalls,
            "cheated": sums.cheated, "vacated": sums.vacated, "cut": sums.cut,
        });
        writeln!(out, "{data}")?;
        return Ok(());
    }
    let [games, events, messages, kilobytes] =
        [sums.games, sums.events, sums.messages, sums.bytes >> 10].map(thousands);
    write!(out, "{name} with {seats}: {games} games, {events} events agreed by all, {messages} messages")?;
    write!(out, " ({kilobytes} kB)")?;
    if args.faults || args.split {
        write!(out, ", {} lost, {} crashes", thousands(sums.lost), thousands(sums.crashes))?;
    }
    if sums.calmed > 0 {
        write!(out, ", {} stood still until the network held", thousands(sums.calmed))?;
    }
    if let Some(cheat) = cheat {
        let (tried, found) = (thousands(sums.cheated), thousands(sums.evidence));
        write!(out, "; {}: tried in {tried}, {found} times proved", cheat.name)?;
    }
    if sums.stalls > 0 {
        write!(out, ", {} stalls told", thousands(sums.stalls))?;
    }
    if sums.vacated > 0 {
        write!(out, ", {} with a bot in a vacant seat", thousands(sums.vacated))?;
    }
    if sums.cut > 0 {
        write!(out, ", {} not played to the end", thousands(sums.cut))?;
    }
    writeln!(out)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn the_command_that_plays_a_seed_again_leaves_nothing_out() {
        for more in [
            "",
            " --faults --events 400",
            " --split --leave 7 --recovery escrow:2 --bot captain",
            " --cheat swap-cards --options 'a.toml' --set 'deck=1' --set 'draw=2'",
        ] {
            let line = format!("pentarchy peers leduc --seats 3 --seeds 4..5{more}");
            let words = line.split(' ').filter(|word| *word != "peers").map(|word| word.trim_matches('\''));
            let Line { args } = Line::parse_from(words);
            let cheat = args.cheat.as_deref().and_then(Cheat::find);
            assert_eq!(replay_command("leduc", 3, 4, cheat, &args), line);
        }
    }
}
