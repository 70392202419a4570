//! The options of a match, and the numbers a designer may vary.

use pentarchy_engine::{Field, OptionKind};
use serde::{Deserialize, Serialize};

/// How many moves an army has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the table of fields below says what they mean")]
pub enum Logistics {
    #[default]
    Graduated,
    Simple,
}

/// Where a token may be placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the table of fields below says what they mean")]
pub enum Neutral {
    #[default]
    Strict,
    Open,
}

/// Whether a token can be turned back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the table of fields below says what they mean")]
pub enum InfluenceLoss {
    #[default]
    None,
    Overturn,
}

/// What happens to an army that cannot retreat far enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the table of fields below says what they mean")]
pub enum Retreat {
    #[default]
    Longest,
    Exact,
}

/// The options of The Hestian Civil Wars.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "the table of fields below says what each one is")]
pub struct Options {
    pub trigger_year: u8,
    pub extra_years: u8,
    pub tokens: u8,
    pub logistics: Logistics,
    pub neutral: Neutral,
    pub influence_loss: InfluenceLoss,
    pub retreat: Retreat,
    pub first_hand: u8,
    pub year_draw: u8,
    pub orders: u8,
    pub army_limit: u8,
    pub die: u8,
}

impl Default for Options {
    /// Returns the options of a normal game: the end at the latest after year 6 (and up to 3 extra years
    /// after ties), 8 tokens, no variant; the table of fields below explains each.
    fn default() -> Self {
        Options {
            trigger_year: 5,
            extra_years: 3,
            tokens: 8,
            logistics: Logistics::default(),
            neutral: Neutral::default(),
            influence_loss: InfluenceLoss::default(),
            retreat: Retreat::default(),
            first_hand: 7,
            year_draw: 5,
            orders: 3,
            army_limit: 8,
            die: 3,
        }
    }
}

impl pentarchy_engine::Options for Options {
    const FIELDS: &'static [Field] = &[
        Field::option(
            "trigger_year",
            OptionKind::Int { min: 1, max: 15 },
            "The game ends at the latest one year after this year.",
        ),
        Field::option("extra_years", OptionKind::Int { min: 0, max: 9 }, "Extra years after a tie."),
        Field::option("tokens", OptionKind::Int { min: 4, max: 14 }, "Influence tokens of each player."),
        Field::option(
            "logistics",
            OptionKind::Choice(&["graduated", "simple"]),
            "Graduated: 1–4 blocks have 3 moves, 5–6 have 2, 7–8 have 1. Simple: 1–4 blocks have 3 moves, more have 1.",
        ),
        Field::option(
            "neutral",
            OptionKind::Choice(&["strict", "open"]),
            "Strict: you cannot place a token where the enemy has an active one. Open: you can.",
        ),
        Field::option(
            "influence_loss",
            OptionKind::Choice(&["none", "overturn"]),
            "Overturn: a token that becomes active makes an active enemy token in the same city-state inactive. None: both stay active.",
        ),
        Field::option(
            "retreat",
            OptionKind::Choice(&["longest", "exact"]),
            "If an army cannot retreat the full distance: it retreats as far as it can (longest), or it is destroyed (exact).",
        ),
        Field::tuning("first_hand", 1, 15, "Cards dealt to each player at the start."),
        Field::tuning("year_draw", 1, 12, "Cards that each player draws each year, from year 2."),
        Field::tuning("orders", 1, 9, "Orders for one card."),
        Field::tuning("army_limit", 1, 8, "Most blocks in an army, with graduated logistics."),
        Field::tuning("die", 1, 6, "Sides of the die."),
    ];
}
