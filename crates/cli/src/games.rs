//! `pentarchy games`: lists the games.

use crate::command_error::Outcome;
use crate::style::{DIM, KEY, TITLE, paint, width, wrap};
use pentarchy_engine::{AnyGame, GameInfo};
use pentarchy_registry::GAMES;
use serde_json::{Value, json};
use std::io::Write;

/// List the games
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print one JSON list
    #[arg(long)]
    json: bool,
}

/// Runs `pentarchy games`: prints name, title, seats and pitch of all games as text in the order of the registry, then
/// how to go on, or with `--json` all games as one JSON list ([`describe`]).
///
/// # Errors
///
/// Fails if the output is closed.
pub(crate) fn run(args: &Args) -> Outcome {
    let mut out = anstream::stdout().lock();
    if args.json {
        let all: Vec<Value> = GAMES.iter().map(|&game| describe(game)).collect();
        writeln!(out, "{}", Value::from(all))?;
        return Ok(());
    }
    let widest = GAMES.iter().map(|game| game.info().name.len()).max().unwrap_or(0);
    for game in GAMES {
        let info = game.info();
        let (indent, name) = (" ".repeat(widest + 2), format!("{:widest$}", info.name));
        let heading = paint(TITLE, info.title);
        writeln!(out, "{}  {heading}  {}", paint(KEY, name), paint(DIM, seats(&info)))?;
        write!(out, "{}", wrap(info.pitch, &indent, width()))?;
    }
    writeln!(
        out,
        "\n{}",
        paint(DIM, "`pentarchy rules GAME` tells the rules, `pentarchy play GAME` starts.")
    )?;
    Ok(())
}

/// Returns the possible numbers of seats, in words: `2 seats` if there is only one, else a range such as `2–4 seats`.
pub(crate) fn seats(info: &GameInfo) -> String {
    let (min, max) = (info.min_seats, info.max_seats);
    if min == max { format!("{min} seats") } else { format!("{min}–{max} seats") }
}

/// Returns a game as a JSON object with the keys `name`, `title`, `pitch`, `designer`, `min_seats`,
/// `max_seats`, `default_seats`, `rules_version` and `classic` (whether it is one of the small known games).
pub(crate) fn describe(game: &dyn AnyGame) -> Value {
    let info = game.info();
    json!({
        "name": info.name, "title": info.title, "pitch": info.pitch, "designer": info.designer,
        "min_seats": info.min_seats, "max_seats": info.max_seats, "default_seats": info.default_seats,
        "rules_version": info.rules_version, "classic": game.is_classic(),
    })
}
