//! What can be chosen before the game, and the numbers a designer may vary.

use pentarchy_engine::{Field, Kind, Options};
use serde::{Deserialize, Serialize};

/// How many spaces armies march.
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

/// What becomes of an army that cannot retreat far enough.
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
            "the last year is at the latest the one after this",
        ),
        Field::option("extra_years", Kind::Int { min: 0, max: 9 }, "years played on after a tie"),
        Field::option("tokens", Kind::Int { min: 4, max: 14 }, "influence tokens of each player"),
        Field::option(
            "logistics",
            Kind::Choice(&["graduated", "simple"]),
            "graduated: up to 4 blocks march 3 spaces, 6 march 2, 8 march 1; simple: up to 4 march 3, more march 1",
        ),
        Field::option(
            "neutral",
            Kind::Choice(&["strict", "open"]),
            "strict: no token may be placed where the enemy has an active one; open: it may",
        ),
        Field::option(
            "influence_loss",
            Kind::Choice(&["none", "overturn"]),
            "overturn: a token that becomes active turns the enemy's there face down",
        ),
        Field::option(
            "retreat",
            Kind::Choice(&["longest", "exact"]),
            "longest: an army retreats as far as it can; exact: it is destroyed if that is not far enough",
        ),
        Field::tuning("first_hand", 1, 15, "cards dealt at the start"),
        Field::tuning("year_draw", 1, 12, "cards drawn each new year"),
        Field::tuning("orders", 1, 9, "orders for one card"),
        Field::tuning("army_limit", 1, 8, "the most blocks in an army, with graduated logistics"),
        Field::tuning("die", 1, 6, "sides of the dice"),
    ];
}
