//! The options of a match, and the numbers a designer may vary.

use pentarchy_engine::{Field, Kind, Options};
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
pub struct Settings {
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

impl Default for Settings {
    fn default() -> Self {
        Settings {
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

impl Options for Settings {
    const FIELDS: &'static [Field] = &[
        Field::option(
            "trigger_year",
            Kind::Int { min: 1, max: 15 },
            "the game ends at the latest one year after this year",
        ),
        Field::option("extra_years", Kind::Int { min: 0, max: 9 }, "extra years after a tie"),
        Field::option("tokens", Kind::Int { min: 4, max: 14 }, "influence tokens per player"),
        Field::option(
            "logistics",
            Kind::Choice(&["graduated", "simple"]),
            "graduated: 1–4 blocks have 3 moves, 5–6 have 2, 7–8 have 1; simple: 1–4 blocks have 3 moves, more have 1",
        ),
        Field::option(
            "neutral",
            Kind::Choice(&["strict", "open"]),
            "strict: you cannot place a token where the enemy has an active one; open: you can",
        ),
        Field::option(
            "influence_loss",
            Kind::Choice(&["none", "overturn"]),
            "overturn: a token that becomes active turns an enemy token in the same city-state face down",
        ),
        Field::option(
            "retreat",
            Kind::Choice(&["longest", "exact"]),
            "an army that cannot retreat the full distance: longest: it retreats as far as it can; exact: it is destroyed",
        ),
        Field::tuning("first_hand", 1, 15, "cards dealt at the start"),
        Field::tuning("year_draw", 1, 12, "cards drawn each year from year 2"),
        Field::tuning("orders", 1, 9, "orders for one card"),
        Field::tuning("army_limit", 1, 8, "maximum number of blocks in an army (graduated logistics)"),
        Field::tuning("die", 1, 6, "sides of the die"),
    ];
}
