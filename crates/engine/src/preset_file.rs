//! Preset files: options of a game that people save, pass on and load in any program.

use crate::game::GameInfo;
use crate::options::OptionsError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The content of a preset file, in JSON or TOML:
///
/// ```toml
/// game = "vires"
/// rules_version = 1
/// name = "Balanced"
/// about = "Shorter games"
///
/// [options.tuning]
/// draw = 3
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PresetFile {
    /// The name of the game.
    pub game: String,
    /// The version of the rules for which it was made. Options are checked by name and range when it is
    /// loaded, so a newer version may still accept it.
    #[serde(default)]
    pub rules_version: u32,
    /// The name of the preset, for people.
    #[serde(default)]
    pub name: String,
    /// The purpose, in one sentence.
    #[serde(default)]
    pub about: String,
    /// The options that differ from the defaults.
    pub options: Map<String, Value>,
}

impl PresetFile {
    /// Creates the preset of a game, for the current version of its rules. `changes` has options by their
    /// full names, such as `tuning.draw`, with their values; they become nested tables. Of two values for one
    /// name the last counts. Names and values are not checked.
    pub fn new(info: &GameInfo, name: &str, about: &str, changes: &[(String, Value)]) -> Self {
        let mut options = Map::new();
        for (path, value) in changes {
            insert(&mut options, path, value.clone());
        }
        PresetFile {
            game: info.name.to_owned(),
            rules_version: info.rules_version,
            name: name.to_owned(),
            about: about.to_owned(),
            options,
        }
    }

    /// Reads a preset of this game from the content of a file that has been parsed as JSON or TOML, and
    /// returns its options as a JSON object. Names and values of options and the version of the rules are not
    /// checked.
    ///
    /// # Errors
    ///
    /// Fails if it is no preset, or one of another game.
    pub fn options_for(content: Value, info: &GameInfo) -> Result<Value, OptionsError> {
        let preset: PresetFile = serde_json::from_value(content)
            .map_err(|e| OptionsError::new(format!("it is no preset: {e}")))?;
        if preset.game != info.name {
            return Err(OptionsError::new(format!(
                "it is a preset of {}, not of {}",
                preset.game, info.name
            )));
        }
        Ok(Value::Object(preset.options))
    }
}

/// Sets the value at a dotted path, also if there is one already. Missing tables are added, and a value that
/// is no table on the way is replaced by one.
fn insert(table: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => drop(table.insert(path.to_owned(), value)),
        Some((first, rest)) => {
            let inner = table.entry(first).or_insert_with(|| Value::Object(Map::new()));
            if !inner.is_object() {
                *inner = Value::Object(Map::new());
            }
            if let Value::Object(inner) = inner {
                insert(inner, rest, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn changes_are_nested_by_their_names() {
        let mut table = Map::new();
        insert(&mut table, "tuning.cards.archer", json!(3));
        insert(&mut table, "tuning.draw", json!(2));
        insert(&mut table, "rounds", json!(9));
        let nested = json!({ "tuning": { "cards": { "archer": 3 }, "draw": 2 }, "rounds": 9 });
        assert_eq!(Value::Object(table), nested);
    }
}
