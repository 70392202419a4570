//! The parameters of a lab run as JSON, for the header of its parts.

use crate::lab::{Lab, Setting};
use crate::play::AnyArena;
use pentarchy_bots::Spec;
use serde_json::{Value, json};

impl Lab {
    /// Returns all parameters of the run but the game as a JSON object with the names of the fields of
    /// [`Lab`], bots as texts. [`from_plan`](Self::from_plan) reads it.
    pub fn as_plan(&self) -> Value {
        let names = |bots: &[Spec]| bots.iter().map(ToString::to_string).collect::<Vec<_>>();
        let setting = |s: &Setting| json!({ "name": s.name, "options": s.options });
        json!({
            "bots": names(&self.bots),
            "seed": self.seed,
            "games": self.games,
            "settings": self.settings.iter().map(setting).collect::<Vec<_>>(),
            "rivals": names(&self.rivals),
            "rival_games": self.rival_games,
            "restrict_games": self.restrict_games,
            "until": self.until,
        })
    }

    /// Reads the parameters that [`as_plan`](Self::as_plan) has written; `None` if a field is missing or
    /// malformed. Options are checked when games are played.
    pub fn from_plan(game: &'static dyn AnyArena, plan: &Value) -> Option<Lab> {
        let bots = |value: &Value| -> Option<Vec<Spec>> {
            value.as_array()?.iter().map(|bot| bot.as_str()?.parse().ok()).collect()
        };
        let setting = |value: &Value| {
            let name = value["name"].as_str()?.to_string();
            Some(Setting { name, options: value["options"].clone() })
        };
        Some(Lab {
            game,
            bots: bots(&plan["bots"])?,
            seed: plan["seed"].as_u64()?,
            games: plan["games"].as_u64()?,
            settings: plan["settings"].as_array()?.iter().map(setting).collect::<Option<_>>()?,
            rivals: bots(&plan["rivals"])?,
            rival_games: plan["rival_games"].as_u64()?,
            restrict_games: plan["restrict_games"].as_u64()?,
            until: match &plan["until"] {
                Value::Null => None,
                until => Some(until.as_f64()?),
            },
        })
    }
}
