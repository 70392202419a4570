//! `pentarchy rules GAME`: the rules on one page, and the options.

use crate::command_error::Outcome;
use crate::game_arg::GameArg;
use crate::games::{describe, seats};
use crate::style::{DIM, KEY, TITLE, paint, width, wrap};
use pentarchy_engine::{AnyGame, Field, options};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Show the rules of a game on one page, and its options
///
/// Besides the options that players choose, every number of the design (costs, counts, limits) can be
/// varied with `--set NAME=VALUE` or an options file; these are listed with their defaults and ranges.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game, as `pentarchy games` lists them
    #[arg(hide_possible_values = true)]
    game: GameArg,

    /// Print one JSON object: what the game is, its summary, every option with default and range
    #[arg(long)]
    json: bool,
}

/// Runs `pentarchy rules`: prints the rules, presets and options of a game as text, or with `--json` as one JSON
/// object. The JSON object has no presets. Defaults are those of the default number of seats.
///
/// # Errors
///
/// Fails if the output is closed.
pub(crate) fn run(args: &Args) -> Outcome {
    let mut out = anstream::stdout().lock();
    let (game, info) = (args.game.0, args.game.info());
    let defaults = game.options(info.default_seats, &Value::Null, &[])?;
    if args.json {
        let mut all = describe(game);
        all["summary"] = game.summary().into();
        all["options"] = game.fields().iter().map(|field| as_data(field, &defaults)).collect();
        writeln!(out, "{all}")?;
        return Ok(());
    }
    writeln!(out, "{}  {}", paint(TITLE, info.title), paint(DIM, seats(&info)))?;
    writeln!(out, "{}\n{}\n", info.pitch, paint(DIM, format_args!("Designer: {}", info.designer)))?;
    writeln!(out, "{}", game.summary().trim_end())?;
    let presets = game.presets();
    if !presets.is_empty() {
        writeln!(out, "\n{}  {}", paint(TITLE, "Presets"), paint(DIM, "--preset NAME"))?;
    }
    for preset in presets {
        writeln!(out, "  {}  {}", paint(KEY, preset.name), preset.about)?;
    }
    for (heading, tuning) in [("Options", false), ("Numbers of the design", true)] {
        print_options(&mut out, game, &defaults, heading, tuning)?;
    }
    Ok(())
}

/// Prints the options for players, or with `tuning` the tuning numbers, under a heading, with their names,
/// defaults (from `defaults`, all options), ranges and descriptions; nothing if there are none.
///
/// # Errors
///
/// Fails if the output is closed.
fn print_options(
    out: &mut impl Write,
    game: &'static dyn AnyGame,
    defaults: &Value,
    heading: &str,
    tuning: bool,
) -> io::Result<()> {
    let fields: Vec<&Field> = game.fields().iter().filter(|field| field.tuning == tuning).collect();
    if fields.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}  {}", paint(TITLE, heading), paint(DIM, "--set NAME=VALUE"))?;
    for field in fields {
        let default = format_value(options::get(defaults, field.name));
        let range = format!("{default} ({})", field.kind);
        writeln!(out, "  {} = {}", paint(KEY, field.name), paint(DIM, range))?;
        write!(out, "{}", wrap(field.doc, "      ", width()))?;
    }
    Ok(())
}

/// Formats the default of an option: a text without quotes, other values as JSON; `none` if it is
/// missing or null.
fn format_value(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "none".to_string(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// Returns an option as a JSON object with the keys `name`, `default`, `takes` (its range),
/// `tuning` and `doc`. `defaults` are the default values of all options.
fn as_data(field: &Field, defaults: &Value) -> Value {
    json!({
        "name": field.name, "default": options::get(defaults, field.name), "takes": field.kind.to_string(),
        "tuning": field.tuning, "doc": field.doc,
    })
}
