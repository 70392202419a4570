//! Arguments that name a game and say how it is set up.

use crate::failure::{Failure, Outcome};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use pentarchy_engine::{AnyGame, Preset};
use pentarchy_registry::{GAMES, find};
use serde_json::Value;
use std::ffi::OsStr;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// A game named on the command line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameArg(pub(crate) &'static dyn AnyGame);

impl Deref for GameArg {
    type Target = dyn AnyGame;
    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl clap::builder::ValueParserFactory for GameArg {
    type Parser = GameParser;
    fn value_parser() -> GameParser {
        GameParser
    }
}

/// Reads the name of a game; its possible values are what shells complete.
#[derive(Clone)]
pub(crate) struct GameParser;

impl TypedValueParser for GameParser {
    type Value = GameArg;

    fn parse_ref(
        &self,
        command: &clap::Command,
        _argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<GameArg, clap::Error> {
        find(&value.to_string_lossy()).map(GameArg).map_err(|unknown| {
            let mut error = clap::Error::raw(ErrorKind::ValueValidation, format!("{unknown}\n"));
            error = error.with_cmd(command);
            error.insert(ContextKind::InvalidValue, ContextValue::String(value.to_string_lossy().into()));
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(GAMES.iter().map(|game| {
            let info = game.info();
            PossibleValue::new(info.name).help(info.pitch)
        })))
    }
}

/// How a game is set up.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct Settings {
    /// Set an option or a number of the design, as `pentarchy rules GAME` lists them; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) set: Vec<(String, String)>,

    /// Start from a named set of options, as `pentarchy rules GAME` lists them
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<String>,

    /// Read options from a TOML or JSON file that names those which differ from their defaults
    #[arg(long, value_name = "FILE")]
    pub(crate) options: Option<PathBuf>,
}

impl Settings {
    /// All options of the game, checked.
    pub(crate) fn resolve(&self, game: &'static dyn AnyGame, seats: u8) -> Outcome<Value> {
        let mut given = self.options.as_deref().map_or(Ok(Value::Null), read)?;
        if let Some(name) = &self.preset {
            let preset = (Preset::find(game.presets(), name)?.options)();
            given = overlaid(preset, given);
        }
        let hint = format!("`pentarchy rules {}` lists the seats and options", game.info().name);
        game.options(seats, &given, &self.set).map_err(|e| Failure::from(e).hint(hint))
    }
}

/// The first value with all that the second one says.
fn overlaid(under: Value, over: Value) -> Value {
    match (under, over) {
        (Value::Object(mut under), Value::Object(over)) => {
            for (name, value) in over {
                let merged = overlaid(under.remove(&name).unwrap_or(Value::Null), value);
                under.insert(name, merged);
            }
            Value::Object(under)
        }
        (under, Value::Null) => under,
        (_, over) => over,
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it takes a name and a value, like `tuning.draw=3`")?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}

fn read(path: &Path) -> Outcome<Value> {
    let text = std::fs::read_to_string(path).map_err(|e| Failure::file("read", path, e))?;
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(&text).map_err(|e| Failure::file("read", path, e));
    }
    toml::from_str(&text).map_err(|e| Failure::file("read", path, e.message()))
}
