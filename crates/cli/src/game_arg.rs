//! Arguments that name a game and its options.

use crate::command_error::{CommandError, Outcome};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use pentarchy_engine::{AnyError, AnyGame, Preset, PresetFile};
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
    /// Returns the game that the argument names, so that its methods can be called on the argument.
    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl clap::builder::ValueParserFactory for GameArg {
    type Parser = GameParser;
    /// Returns the parser of clap for the name of a game.
    fn value_parser() -> GameParser {
        GameParser
    }
}

/// Parses the name of a game. Its possible values are what shells complete.
#[derive(Clone)]
pub(crate) struct GameParser;

impl TypedValueParser for GameParser {
    type Value = GameArg;

    /// Parses the name of a game for clap, with invalid UTF-8 replaced. `command` is for the text of the error.
    ///
    /// # Errors
    ///
    /// Fails if there is no such game; the message suggests a similar name.
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

    /// Returns the names of all games with their pitches, for completions and help; never `None`.
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(GAMES.iter().map(|game| {
            let info = game.info();
            PossibleValue::new(info.name).help(info.pitch)
        })))
    }
}

/// The options of a game on the command line.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct Settings {
    /// Set an option or a tuning number, as `pentarchy rules GAME` lists them; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_pair)]
    pub(crate) set: Vec<(String, String)>,

    /// Start from a preset: a name that `pentarchy rules GAME` lists, or a preset file (.toml or .json)
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) preset: Option<String>,

    /// Read options from a TOML or JSON file that names those which differ from their defaults
    #[arg(long, value_name = "FILE")]
    pub(crate) options: Option<PathBuf>,
}

impl Settings {
    /// Returns all options of the game for this number of seats: defaults, preset, file and `--set`, each
    /// overriding the ones before. All are checked.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read, the preset is unknown or of another game, or an option or the number of
    /// seats is invalid.
    pub(crate) fn resolve(&self, game: &'static dyn AnyGame, seats: u8) -> Outcome<Value> {
        let given = self.given(game)?;
        game.options(seats, &given, &self.set).map_err(|e| options_error(e, game))
    }

    /// Returns the options that the preset and the file name as a JSON object, where the file overrides the preset,
    /// without `--set`; null if there is neither. Names and values are not checked.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read, or the preset is unknown or of another game.
    pub(crate) fn given(&self, game: &'static dyn AnyGame) -> Outcome<Value> {
        let given = self.options.as_deref().map_or(Ok(Value::Null), read)?;
        match &self.preset {
            Some(name) => Ok(overlaid(preset(game, name)?, given)),
            None => Ok(given),
        }
    }
}

/// Creates the usage error for options or a number of seats that the game does not allow, with the hint where they are
/// listed.
pub(crate) fn options_error(error: AnyError, game: &'static dyn AnyGame) -> CommandError {
    let hint = format!("`pentarchy rules {}` lists the seats and options", game.info().name);
    CommandError::from(error).hint(hint)
}

/// Returns the options of a preset of the game as a JSON object with those that differ from their defaults: of the
/// preset file `name` if that is a path or ends with `.toml` or `.json`, else of the preset with this name.
///
/// # Errors
///
/// Fails if the file cannot be read or is no preset of this game, or if there is no preset of this name.
fn preset(game: &'static dyn AnyGame, name: &str) -> Outcome<Value> {
    let is_file = name.contains(['/', '\\']) || name.ends_with(".toml") || name.ends_with(".json");
    if !is_file {
        return Ok((Preset::find(game.presets(), name)?.options)());
    }
    let path = Path::new(name);
    PresetFile::options_for(read(path)?, &game.info()).map_err(|e| CommandError::file("use", path, e))
}

/// Returns `under` overridden by `over`. Two tables are merged recursively: entries of `over` are added or replaced.
/// Any other `over` replaces `under` as a whole, except null, which changes nothing.
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

/// Parses `NAME=VALUE` at the first `=` into name and value, in this order, without surrounding spaces. Either may be
/// empty. Whether a game has such an option is not checked.
///
/// # Errors
///
/// Fails if there is no `=`.
fn parse_pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it takes a name and a value, like `tuning.draw=3`")?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}

/// Reads options from the file at `path`, as a JSON value (an object for TOML): JSON if it begins with `{`, else TOML.
/// Names and values are not checked. Spaces before the `{` are ignored.
///
/// # Errors
///
/// Fails if the file cannot be read or parsed.
fn read(path: &Path) -> Outcome<Value> {
    let text = std::fs::read_to_string(path).map_err(|e| CommandError::file("read", path, e))?;
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(&text).map_err(|e| CommandError::file("read", path, e));
    }
    toml::from_str(&text).map_err(|e| CommandError::file("read", path, e.message()))
}
