//! `pentarchy replay FILE`: replays a record.

use crate::command_error::{CommandError, Outcome};
use crate::number::number;
use crate::play::{names, ranking};
use crate::records;
use crate::signed::Signed;
use crate::style::{DIM, TITLE, paint};
use pentarchy_engine::record::{Record, RecordKind};
use pentarchy_engine::{AnyGame, AnyPosition, Observer, Seat};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;

/// Replay a recorded game, or show the position at any point of it
///
/// Every line is verified. The view is that of the record: everything for a full record, one seat's for that seat's
/// record, a spectator's for a public one. You can ask for a view that shows less. The signed record of an online
/// table is verified first and shown as a spectator sees it: cards that were never shown are not in it.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy replay game.jsonl                  the whole story
  pentarchy replay game.jsonl --at 0           the table before the first event
  pentarchy replay game.jsonl --at 12 --seat 1 what seat 1 saw after event 12
  pentarchy replay game.jsonl --json           one JSON object for each event
  pentarchy replay vires.table                 a game between machines, with its signatures

With --at and --json one object is printed: n, node, awaited, digest, outcome,
state (as the game writes it for scripts) and position (what the `load` of
`pentarchy engine` reads).")]
pub(crate) struct Args {
    /// The record
    file: PathBuf,

    /// Show the position after this number of events
    #[arg(long, value_name = "N", value_parser = number::<usize>)]
    at: Option<usize>,

    /// Show the view of this seat
    #[arg(long, value_name = "S", conflicts_with = "spectator", value_parser = number::<u8>)]
    seat: Option<u8>,

    /// Show the view of a spectator
    #[arg(long)]
    spectator: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `pentarchy replay`: prints the events of a record and its last table, or with `--at` the table at one point, as
/// text or JSON. Signed records are verified first. With `--json` and without `--at` prints one object per event and no
/// table. The view is that of the record unless `--seat` or `--spectator` asks for less. Events before an unsound one
/// are printed.
///
/// # Errors
///
/// Fails if the file cannot be read or is not a sound record, if it lacks the wanted seat, view or event, or if the
/// output is closed.
pub(crate) fn run(args: &Args) -> Outcome {
    let signed = Signed::read(&args.file)?;
    let (record, game, names, told) = match signed {
        Some(signed) => {
            let told = signed.summary();
            (signed.verdict.public, signed.game, signed.names, Some(told))
        }
        None => {
            let (record, game) = records::read(&args.file)?;
            // Seats have no names in such a record.
            let names = (0..record.header.seats).map(|seat| format!("Seat {seat}")).collect();
            (record, game, names, None)
        }
    };
    let kind = match args.seat {
        Some(seat) => RecordKind::Seat(Seat(seat)),
        None if args.spectator => RecordKind::Public,
        None => record.header.kind,
    };
    let (events, file) = (record.entries.len(), args.file.display());
    if let Some(seat) = args.seat.filter(|&seat| seat >= record.header.seats) {
        let seats = record.header.seats;
        return Err(CommandError::usage(format_args!("{file} has the seats 0 to {}, not {seat}", seats - 1)));
    }
    if !record.header.kind.covers(kind) {
        let missing = match args.seat {
            Some(seat) => format!("what seat {seat} saw"),
            None => "the hidden information".to_string(),
        };
        let failure = CommandError::usage(format_args!("{file} does not hold {missing}"));
        let hint = "a signed record holds public information only; --seat needs the record of that seat";
        return Err(if told.is_some() { failure.hint(hint) } else { failure });
    }
    if let Some(at) = args.at.filter(|&at| at > events) {
        return Err(CommandError::usage(format_args!("{file} has {events} events, not {at}")));
    }
    let mut out = anstream::stdout().lock();
    let story = args.at.is_none();
    let mut printed = Ok(());
    if story && !args.json {
        print_heading(&mut out, &record, game)?;
        if let Some(told) = &told {
            writeln!(out, "{}", paint(DIM, told))?;
        }
    }
    let mut number = 0;
    let end = game.replay(&record, kind, args.at.unwrap_or(events), &mut |position| {
        if story && number > 0 && printed.is_ok() {
            printed = print_event(&mut out, number, position, &names, args.json);
        }
        number += 1;
    });
    printed?;
    let end = end.map_err(|e| records::unsound(&args.file, &e))?;
    match (args.json, story) {
        (true, true) => {}
        (true, false) => writeln!(out, "{}", data(number - 1, &*end))?,
        (false, _) => print_table(&mut out, &*end, &names)?,
    }
    Ok(())
}

/// Prints a line to `out`: the title of the game, the number of seats and events, and the seed if the record has one.
///
/// # Errors
///
/// Fails if the output is closed.
fn print_heading(out: &mut impl Write, record: &Record, game: &'static dyn AnyGame) -> io::Result<()> {
    let seed = record.header.seed.map_or(String::new(), |seed| format!(", seed {seed}"));
    let what = format!("{} seats, {} events{seed}", record.header.seats, record.entries.len());
    writeln!(out, "{}  {}", paint(TITLE, game.info().title), paint(DIM, what))
}

/// Prints the event that led to a position as number `number`, as text for the observer of the position or, if `json`,
/// as one line of JSON. `position` is the one after the event. `names` are by seat. The JSON has `n`, `event`, `text`,
/// `node` and `digest`. An event without a text is printed in its notation; in JSON its `text` is null.
///
/// # Errors
///
/// Fails if the output is closed.
fn print_event(
    out: &mut impl Write,
    number: usize,
    position: &dyn AnyPosition,
    names: &[String],
    json: bool,
) -> io::Result<()> {
    let event = position.last_event().unwrap_or_default();
    let text = position.last_log(position.observer());
    let text = text.map(|text| names::in_sentence(&text, names));
    if json {
        let text = text.map(|text| anstream::adapter::strip_str(&text).to_string());
        let (node, digest) = (position.node_text(), position.digest().to_string());
        return writeln!(
            out,
            "{}",
            json!({ "n": number, "event": event, "text": text, "node": node, "digest": digest })
        );
    }
    let number = paint(DIM, format_args!("{number:>5}"));
    match text {
        Some(text) => writeln!(out, "{number}  {}", text.replace('\n', "\n       ")),
        None => writeln!(out, "{number}  {}", paint(DIM, event)),
    }
}

/// Prints the table as the observer of the position sees it, what is awaited, and at the end of the
/// game the ranking. `names` are by seat.
///
/// # Errors
///
/// Fails if the output is closed.
fn print_table(out: &mut impl Write, position: &dyn AnyPosition, names: &[String]) -> io::Result<()> {
    writeln!(out, "\n{}\n", names::in_table(position.table().trim_end(), names))?;
    writeln!(out, "{}", names::in_sentence(&position.awaited(), names))?;
    match position.outcome() {
        Some(outcome) => write!(out, "{}", ranking(&outcome, names)),
        None => Ok(()),
    }
}

/// Returns the position after `number` events as one JSON object with the keys `n` (the number), `observer`,
/// `node`, `awaited` (in words), `digest`, `outcome` (ranks and scores by seat, or null), `state` (what the
/// observer sees, readable) and `position` (data for `load` of the engine protocol).
fn data(number: usize, position: &dyn AnyPosition) -> Value {
    let observer = match position.observer() {
        Observer::All => json!("all"),
        Observer::Seat(seat) => json!({ "seat": seat }),
        Observer::Spectator => json!("spectator"),
    };
    json!({
        "n": number,
        "observer": observer,
        "node": position.node_text(),
        "awaited": position.awaited(),
        "digest": position.digest().to_string(),
        "outcome": position.outcome().map(|o| json!({ "ranks": o.ranks(), "scores": o.scores() })),
        "state": position.picture(),
        "position": position.save(),
    })
}
