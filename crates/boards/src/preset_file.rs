//! Preset files in the set-up: options that players load, and save for others.

use crate::games::GameListing;
use pentarchy_engine::PresetFile;
use serde_json::{Map, Value};

/// The options of a preset file.
#[derive(Clone, PartialEq, Debug)]
pub struct LoadedPreset {
    /// The name of the preset; may be empty.
    pub name: String,
    /// The options that differ from the defaults, by their dotted names.
    pub changes: Map<String, Value>,
}

impl GameListing {
    /// Reads a preset of this game from the text of a file: JSON if it begins with `{`, else TOML. All options are
    /// checked; their combination must fit at least one number of seats.
    ///
    /// # Errors
    ///
    /// Fails with a text for the player if the file is no preset or one of another game, if an option is unknown, or if
    /// its value is not allowed.
    pub fn read_preset(&self, text: &str) -> Result<LoadedPreset, String> {
        let content: Value = match text.trim_start().starts_with('{') {
            true => serde_json::from_str(text).map_err(|e| format!("it is no preset: {e}"))?,
            false => toml::from_str(text).map_err(|e| format!("it is no preset: {}", e.message()))?,
        };
        let name = content["name"].as_str().unwrap_or_default().trim().to_string();
        let given = PresetFile::options_for(content, &self.info).map_err(|e| e.to_string())?;
        let options = |seats| self.any.options(seats, &given, &[]).map_err(|e| e.to_string());
        let usual = options(self.info.default_seats);
        let others = self.info.min_seats..=self.info.max_seats;
        let all =
            usual.or_else(|error| others.into_iter().find_map(|seats| options(seats).ok()).ok_or(error))?;
        Ok(LoadedPreset { name, changes: self.changed_options(&all) })
    }

    /// Returns the text of a preset file of this game with this name and these options, JSON with a final line break.
    /// It says that it was saved in the set-up of a match. `changes` are the options that differ from the defaults,
    /// by their dotted names; they are not checked.
    pub fn preset_text(&self, name: &str, changes: &Map<String, Value>) -> String {
        let changes: Vec<(String, Value)> =
            changes.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let preset = PresetFile::new(&self.info, name, "Saved in the set-up of a match", &changes);
        serde_json::to_string_pretty(&preset).map_or_else(|e| e.to_string(), |text| text + "\n")
    }
}

#[cfg(test)]
mod tests {
    use crate::find;
    use serde_json::json;

    #[test]
    fn what_is_saved_is_loaded() {
        let game = find("vires").unwrap();
        let changes = json!({ "blocks": 4, "tuning.draw": 3 }).as_object().unwrap().clone();
        let loaded = game.read_preset(&game.preset_text("Short", &changes)).unwrap();
        assert_eq!((loaded.name.as_str(), loaded.changes), ("Short", changes));
    }

    #[test]
    fn files_of_the_terminal_are_read() {
        let game = find("vires").unwrap();
        let text = "game = \"vires\"\n[options]\nblocks = 4\n[options.tuning]\ndraw = 3\n";
        let loaded = game.read_preset(text).unwrap();
        assert_eq!(loaded.name, "");
        assert_eq!(Some(&loaded.changes), json!({ "blocks": 4, "tuning.draw": 3 }).as_object());
        // Values that equal the defaults are no changes.
        let usual = (game.defaults)()["blocks"].clone();
        let text = json!({ "game": "vires", "options": { "blocks": usual } }).to_string();
        assert!(game.read_preset(&text).unwrap().changes.is_empty());
    }

    #[test]
    fn bad_files_get_a_clear_message() {
        let game = find("vires").unwrap();
        let said = |text: &str| game.read_preset(text).unwrap_err();
        assert_eq!(said("game = \"hestia\"\n[options]\n"), "it is a preset of hestia, not of vires");
        assert!(said("[options]\n").starts_with("it is no preset: missing field `game`"));
        assert!(said("").starts_with("it is no preset"));
        assert!(said("{\"game\":").starts_with("it is no preset"));
        assert!(said("\u{0}\u{1}binary").starts_with("it is no preset"));
        let unknown = said("game = \"vires\"\n[options]\nblcks = 4\n");
        assert!(unknown.contains("`blcks`") && unknown.contains("did you mean `blocks`?"), "{unknown}");
        let wide = said("game = \"vires\"\n[options]\nblocks = 4000\n");
        assert!(wide.contains("`blocks`") || wide.contains("blocks"), "{wide}");
    }
}
