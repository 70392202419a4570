//! Options of a game, and the numbers a designer may vary.

use pentarchy_engine::{Field, OptionKind};
use serde::{Deserialize, Serialize};

/// The options of Ozymandias.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "the table of fields below says what each one is")]
pub struct Options {
    pub final_buy: bool,
    pub round_cap: u8,
    pub hand_size: u8,
    pub start_influence: u8,
    pub seat_purse: u8,
    pub cities: u8,
    pub vault_rank_bonus: u8,
    pub pilgrim_discount: u8,
    pub cultists_take: u8,
    pub stone_cap: u8,
    pub quest_cap: u8,
    pub harvest_cap: u8,
    pub vaults_cap: u8,
    pub pays: Pays,
}

/// What cards with another effect pay in addition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "one field a card; the table of fields below names them")]
pub struct Pays {
    pub wanderers: u8,
    pub berserkers: u8,
    pub pilgrims: u8,
    pub discovery: u8,
    pub wreckage: u8,
    pub thezal: u8,
    pub nightmare: u8,
    pub treaty: u8,
    pub fires: u8,
    pub coup: u8,
    pub rhetoric: u8,
    pub tewell: u8,
    pub pools: u8,
    pub resistance: u8,
    pub whispers: u8,
    pub crusade: u8,
    pub uprising: u8,
    pub formula: u8,
    pub nesimm: u8,
    pub fleet: u8,
}

impl Default for Pays {
    /// Returns what the cards with another effect pay in addition in a normal game, in influence.
    fn default() -> Self {
        Pays {
            wanderers: 5,
            berserkers: 5,
            pilgrims: 5,
            discovery: 5,
            wreckage: 5,
            thezal: 4,
            nightmare: 4,
            treaty: 4,
            fires: 3,
            coup: 3,
            rhetoric: 3,
            tewell: 3,
            pools: 3,
            resistance: 3,
            whispers: 3,
            crusade: 2,
            uprising: 4,
            formula: 3,
            nesimm: 3,
            fleet: 3,
        }
    }
}

impl Default for Options {
    /// Returns the options of a normal game: purchases in the last turn, at most 30 rounds, 5 cards each, no
    /// starting influence, 6 cities per faction; the table of fields below explains each.
    fn default() -> Self {
        Options {
            final_buy: true,
            round_cap: 30,
            hand_size: 5,
            start_influence: 0,
            seat_purse: 0,
            cities: 6,
            vault_rank_bonus: 6,
            pilgrim_discount: 4,
            cultists_take: 3,
            stone_cap: 8,
            quest_cap: 9,
            harvest_cap: 7,
            vaults_cap: 10,
            pays: Pays::default(),
        }
    }
}

impl pentarchy_engine::Options for Options {
    const FIELDS: &'static [Field] = &[
        Field::option(
            "final_buy",
            OptionKind::Flag,
            "Players still buy cards in the turn that ends the game.",
        ),
        Field::option("round_cap", OptionKind::Int { min: 1, max: 100 }, "The last round."),
        Field::tuning(
            "hand_size",
            1,
            9,
            "Cards dealt to each player. A player with fewer cards must buy one.",
        ),
        Field::tuning("start_influence", 0, 100, "Influence of each player at the start."),
        Field::tuning(
            "seat_purse",
            0,
            20,
            "Extra influence at the start for each seat after the first: 0, k, 2k and so on.",
        ),
        Field::tuning("cities", 1, 12, "Cities of each faction."),
        Field::tuning(
            "vault_rank_bonus",
            0,
            12,
            "A vault card also scores this number minus its rank, at least 0.",
        ),
        Field::tuning("pilgrim_discount", 0, 6, "Discount of Pilgrims of Chera."),
        Field::tuning("cultists_take", 0, 20, "The most that Hanian Cultists take."),
        Field::tuning("stone_cap", 4, 30, "The most that Blood from a Stone pays."),
        Field::tuning("quest_cap", 3, 30, "The most that Quest for Ancient Earth pays."),
        Field::tuning("harvest_cap", 2, 30, "The most that Xin Harvest pays."),
        Field::tuning("vaults_cap", 2, 30, "The most that Vaults of Atif pays."),
        Field::tuning("pays.wanderers", 0, 20, "Gain of Thani Wanderers."),
        Field::tuning("pays.berserkers", 0, 20, "Gain of Berserkers of Grotl."),
        Field::tuning("pays.pilgrims", 0, 20, "Gain of Xin Pilgrims."),
        Field::tuning("pays.discovery", 0, 20, "Gain of Maengali's Discovery."),
        Field::tuning("pays.wreckage", 0, 20, "Gain of Wreckage of the Xyri, plus the sector's value."),
        Field::tuning("pays.thezal", 0, 20, "Gain of Spymaster Hury Thezal."),
        Field::tuning("pays.nightmare", 0, 20, "Gain of Rafia's Nightmare."),
        Field::tuning("pays.treaty", 0, 20, "Gain of Treaty of Cheng-Huang."),
        Field::tuning("pays.fires", 0, 20, "Gain of Fires at Night."),
        Field::tuning("pays.coup", 0, 20, "Gain of Gemini Coup."),
        Field::tuning("pays.rhetoric", 0, 20, "Gain of Shield Rhetoric."),
        Field::tuning("pays.tewell", 0, 20, "Gain of Tewell, Historian Adept."),
        Field::tuning("pays.pools", 0, 20, "Gain of Tidal Pools."),
        Field::tuning("pays.resistance", 0, 20, "Gain of Hanio's Resistance."),
        Field::tuning("pays.whispers", 0, 20, "Gain of Whispers in the Deep."),
        Field::tuning("pays.crusade", 0, 20, "Gain of Crusade of the Sun."),
        Field::tuning("pays.uprising", 0, 20, "Gain of Silver Sword Uprising."),
        Field::tuning("pays.formula", 0, 20, "Gain of Zele Shield Formula."),
        Field::tuning("pays.nesimm", 0, 20, "Gain of Spymaster Ather Nesimm."),
        Field::tuning("pays.fleet", 0, 20, "Gain of Crusader Fleet, plus the value of the card sold."),
    ];
}
