//! Options of Liar's dice.

use pentarchy_engine::{Field, OptionKind, Options, Preset};
use serde::{Deserialize, Serialize};

/// The options of Liar's dice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LiarsDiceOptions {
    /// The dice of each player at the start.
    pub dice: u8,
    /// The sides of each die.
    pub sides: u8,
    /// The side that counts as every other one.
    pub wild: Wild,
}

/// The side of a die that counts as every other one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wild {
    /// The one.
    Ones,
    /// The highest side.
    Highest,
    /// None.
    None,
}

impl Default for LiarsDiceOptions {
    /// Returns five dice with six sides each, where ones are wild.
    fn default() -> Self {
        LiarsDiceOptions { dice: 5, sides: 6, wild: Wild::Ones }
    }
}

impl Options for LiarsDiceOptions {
    const FIELDS: &'static [Field] = &[
        Field::option("dice", OptionKind::Int { min: 1, max: 6 }, "Dice of each player at the start."),
        Field::option("sides", OptionKind::Int { min: 2, max: 10 }, "Sides of each die."),
        Field::option(
            "wild",
            OptionKind::Choice(&["ones", "highest", "none"]),
            "The side that counts as every other one.",
        ),
    ];

    const PRESETS: &'static [Preset] = &[
        Preset {
            name: "Standard",
            about: "Five dice each, ones are wild.",
            options: || serde_json::json!({}),
        },
        Preset {
            name: "One-round",
            about: "One die each, and the six is wild: the game that OpenSpiel calls liars_dice.",
            options: || serde_json::json!({ "dice": 1, "wild": "highest" }),
        },
    ];
}
