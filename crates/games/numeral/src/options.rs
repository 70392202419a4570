//! Options of a game: the map, the start, the variants, and the numbers of the design.

use pentarchy_engine::{Field, OptionKind, Options as Table, OptionsError, Preset};
use serde::{Deserialize, Serialize};

/// Defines an enum of option values whose words in files are the variants in lower case.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum $name { $($(#[$vdoc])* $variant),* }
    };
}

choice!(
    /// The size of the map.
    Size {
        /// By the number of players.
        #[default]
        Auto,
        /// Radius 3.
        Small,
        /// Radius 4.
        Medium,
        /// Radius 5.
        Large,
        /// Radius 6.
        Huge,
        /// The radius is given by the option `radius`.
        Custom,
    }
);
choice!(
    /// The shape of the land.
    Shape {
        /// An irregular coast and lakes.
        #[default]
        Island,
        /// The whole hexagon.
        Hexagon,
        /// Land masses separated by straits and joined by land bridges.
        Continents,
    }
);
choice!(
    /// The distribution of land at the start.
    Start {
        /// Each player has the land around their Home.
        #[default]
        Homestead,
        /// All land is distributed.
        Scattered,
    }
);
choice!(
    /// Which seat leads a round.
    TurnOrder {
        /// The next seat every round.
        #[default]
        Rotate,
        /// Always seat 0.
        Fixed,
    }
);
choice!(
    /// The order of seats in the Attacking phase.
    AttackOrder {
        /// As in the Placing phase.
        #[default]
        Same,
        /// The reverse order.
        Reversed,
    }
);
choice!(
    /// Where a captured Home may move.
    HomeRefuge {
        /// To any hex of its owner.
        #[default]
        Any,
        /// To a hex without an upgrade, as long as there is one.
        Open,
    }
);
choice!(
    /// What happens to buildings on captured hexes.
    CaptureBuildings {
        /// They stay and work for the captor.
        #[default]
        Keep,
        /// They are destroyed.
        Raze,
    }
);
choice!(
    /// Which soldiers are lost when the income is negative.
    Starve {
        /// The smallest army first.
        #[default]
        Smallest,
        /// The largest army first.
        Largest,
        /// The storage, then the smallest army.
        Storage,
    }
);
choice!(
    /// What happens when a Home is captured.
    HomeLoss {
        /// It moves to another hex.
        #[default]
        Move,
        /// Its owner is eliminated.
        Eliminate,
    }
);

/// The options of Numeral Empire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Number of the last round; 0 for no limit.
    pub round_limit: u16,
    /// The size of the map.
    pub size: Size,
    /// The radius of a map of custom size.
    pub radius: u8,
    /// The shape of the land.
    pub shape: Shape,
    /// Whether the map is the same from every seat, as far as the number of players allows.
    pub symmetry: bool,
    /// The map seed; `None`: drawn at the start.
    pub map_seed: Option<u32>,
    /// The distribution of land at the start.
    pub start: Start,
    /// Radius of the land around a Home at the start.
    pub start_radius: u8,
    /// Storage of every Home at the start.
    pub start_storage: u8,
    /// Soldiers on every hex of a scattered start.
    pub scatter_garrison: u8,
    /// Additional storage for each seat that comes later in round 1; −1: the default of the start.
    pub order_bonus: i8,
    /// Which seat leads a round.
    pub turn_order: TurnOrder,
    /// The order of seats in the Attacking phase.
    pub attack_order: AttackOrder,
    /// Where a captured Home may move.
    pub home_refuge: HomeRefuge,
    /// What happens to buildings on captured hexes.
    pub capture_buildings: CaptureBuildings,
    /// Which soldiers are lost when the income is negative.
    pub starve: Starve,
    /// What happens when a Home is captured.
    pub home_loss: HomeLoss,
    /// Cost of a Tower.
    pub tower_cost: u8,
    /// The other numbers of the design.
    pub tuning: Tuning,
}

/// The numbers of the design that are not options of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tuning {
    /// Yield of a hex without an upgrade.
    pub plain_yield: u8,
    /// Yield of the hex of the Home.
    pub home_yield: u8,
    /// Cost of a Farm.
    pub farm_cost: u8,
    /// Yield of a hex with a Farm.
    pub farm_yield: u8,
    /// Cost of a Market.
    pub market_cost: u8,
    /// Yield of a hex with a Market.
    pub market_yield: u8,
    /// Cost of a Bank.
    pub bank_cost: u8,
    /// Yield of a hex with a Bank.
    pub bank_yield: u8,
    /// Cost of a Highrise.
    pub highrise_cost: u8,
    /// Yield of a hex with a Highrise.
    pub highrise_yield: u8,
    /// Cost of an Archology.
    pub archology_cost: u8,
    /// Yield of a hex with an Archology.
    pub archology_yield: u8,
    /// Yield of a hex with a Tower.
    pub tower_yield: u8,
    /// Number of soldiers outside the Home that cost 1 per round.
    pub soldiers_per_upkeep: u8,
    /// Number of the last round of a game without a limit.
    pub round_cap: u16,
    /// Default order bonus of the homestead start.
    pub homestead_bonus: u8,
    /// Default order bonus of the scattered start.
    pub scattered_bonus: u8,
    /// Percentage of an island that erosion removes from its coast.
    pub coast_percent: u8,
    /// Percentage of an island that becomes lakes.
    pub lake_percent: u8,
    /// Percentage of continents that erosion removes from their coast.
    pub strait_percent: u8,
}

impl Default for Options {
    /// Returns the options of the designer's game: no round limit, an island of a size by the number of
    /// players, the homestead start, and no variant.
    fn default() -> Self {
        Options {
            round_limit: 0,
            size: Size::Auto,
            radius: 4,
            shape: Shape::Island,
            symmetry: true,
            map_seed: None,
            start: Start::Homestead,
            start_radius: 1,
            start_storage: 10,
            scatter_garrison: 1,
            order_bonus: -1,
            turn_order: TurnOrder::Rotate,
            attack_order: AttackOrder::Same,
            home_refuge: HomeRefuge::Any,
            capture_buildings: CaptureBuildings::Keep,
            starve: Starve::Smallest,
            home_loss: HomeLoss::Move,
            tower_cost: 15,
            tuning: Tuning::default(),
        }
    }
}

impl Default for Tuning {
    /// Returns the printed numbers of the design.
    fn default() -> Self {
        Tuning {
            plain_yield: 1,
            home_yield: 1,
            farm_cost: 3,
            farm_yield: 2,
            market_cost: 9,
            market_yield: 3,
            bank_cost: 12,
            bank_yield: 4,
            highrise_cost: 15,
            highrise_yield: 5,
            archology_cost: 20,
            archology_yield: 6,
            tower_yield: 0,
            soldiers_per_upkeep: 2,
            round_cap: 200,
            homestead_bonus: 0,
            scattered_bonus: 4,
            coast_percent: 16,
            lake_percent: 6,
            strait_percent: 8,
        }
    }
}

/// Creates the field of an option with a choice of words; `doc` is its explanation for players.
const fn pick(name: &'static str, words: &'static [&'static str], doc: &'static str) -> Field {
    Field::option(name, OptionKind::Choice(words), doc)
}

impl Table for Options {
    #[rustfmt::skip]
    const FIELDS: &'static [Field] = &[
        Field::option("round_limit", OptionKind::Int { min: 0, max: 65_535 }, "The game ends after this round. The most soldiers and gold win. 0: no limit."),
        pick("size", &["auto", "small", "medium", "large", "huge", "custom"], "Size of the map: radius 3 to 6, by the number of players (auto), or `radius` (custom)."),
        Field::option("radius", OptionKind::Int { min: 2, max: 8 }, "Radius of a map of custom size; 2 is for two or three players."),
        pick("shape", &["island", "hexagon", "continents"], "An island with lakes, the whole hexagon, or land masses joined by land bridges."),
        Field::option("symmetry", OptionKind::Flag, "The map looks the same from every Home, as far as the number of players allows."),
        Field::option("map_seed", OptionKind::Maybe { min: 0, max: u32::MAX as i64 }, "The seed of the map; drawn at the start if none is given."),
        pick("start", &["homestead", "scattered"], "Everybody starts with the land around the Home, or all land is dealt out."),
        Field::tuning("start_radius", 0, 2, "Radius of the land around a Home at the start."),
        Field::tuning("start_storage", 0, 99, "Gold in every Home at the start."),
        Field::tuning("scatter_garrison", 0, 9, "Soldiers on every hex that is dealt out."),
        Field::tuning("order_bonus", -1, 20, "Extra gold of a seat for each seat that plays after it in round 1; -1: automatic."),
        pick("turn_order", &["rotate", "fixed"], "Each round starts with the next player, or always with the first."),
        pick("attack_order", &["same", "reversed"], "The Attacking phase uses the order of the Placing phase, or the reverse."),
        pick("home_refuge", &["any", "open"], "A captured Home moves to any hex of its owner, or to one without a building if there is one."),
        pick("capture_buildings", &["keep", "raze"], "Buildings on captured hexes stay, or are destroyed."),
        pick("starve", &["smallest", "largest", "storage"], "What pays a negative income first: the smallest army, the largest army, or the gold."),
        pick("home_loss", &["move", "eliminate"], "A captured Home moves to another hex, or its owner is out."),
        Field::tuning("tower_cost", 1, 99, "Cost of a Tower."),
        Field::tuning("tuning.plain_yield", 0, 20, "Income of a hex without a building."),
        Field::tuning("tuning.home_yield", 0, 20, "Income of the Home."),
        Field::tuning("tuning.farm_cost", 1, 99, "Cost of a Farm."),
        Field::tuning("tuning.farm_yield", 0, 20, "Income of a hex with a Farm."),
        Field::tuning("tuning.market_cost", 1, 99, "Cost of a Market."),
        Field::tuning("tuning.market_yield", 0, 20, "Income of a hex with a Market."),
        Field::tuning("tuning.bank_cost", 1, 99, "Cost of a Bank."),
        Field::tuning("tuning.bank_yield", 0, 20, "Income of a hex with a Bank."),
        Field::tuning("tuning.highrise_cost", 1, 99, "Cost of a Highrise."),
        Field::tuning("tuning.highrise_yield", 0, 20, "Income of a hex with a Highrise."),
        Field::tuning("tuning.archology_cost", 1, 99, "Cost of an Archology."),
        Field::tuning("tuning.archology_yield", 0, 20, "Income of a hex with an Archology."),
        Field::tuning("tuning.tower_yield", 0, 20, "Income of a hex with a Tower."),
        Field::tuning("tuning.soldiers_per_upkeep", 1, 20, "Soldiers outside the Home per 1 gold of upkeep; the total is rounded down."),
        Field::tuning("tuning.round_cap", 1, 200, "A game without a round limit ends after this round."),
        Field::tuning("tuning.homestead_bonus", 0, 20, "Automatic order bonus of the homestead start."),
        Field::tuning("tuning.scattered_bonus", 0, 20, "Automatic order bonus of the scattered start."),
        Field::tuning("tuning.coast_percent", 0, 40, "Percentage of an island that becomes sea at the coast."),
        Field::tuning("tuning.lake_percent", 0, 20, "Percentage of an island that becomes lakes."),
        Field::tuning("tuning.strait_percent", 0, 30, "Percentage of continents that becomes sea at the coast."),
    ];

    const PRESETS: &'static [Preset] = &[
        Preset {
            name: "Standard",
            about: "Medium map, 12 rounds.",
            options: || serde_json::json!({ "size": "medium", "round_limit": 12 }),
        },
        Preset {
            name: "Classic",
            about: "The designer's numbers: larger map, no round limit.",
            options: || serde_json::json!({}),
        },
    ];

    /// Checks that the map is large enough for the number of seats. The ranges of single options are checked
    /// elsewhere.
    ///
    /// # Errors
    ///
    /// Fails if a map of radius 2 is chosen for more than three seats.
    fn check(&self, seats: u8) -> Result<(), OptionsError> {
        if self.map_radius(seats) < 3 && seats > 3 {
            return Err(OptionsError::new("a map of radius 2 is for two or three players"));
        }
        Ok(())
    }
}

impl Options {
    /// Returns the radius of the map for this number of seats, in hexes from the middle: 3 to 6 for the sizes
    /// small to huge, `radius` for custom. Automatic is 6 for six seats, 4 for three (and for two with a
    /// scattered start), else 5.
    pub fn map_radius(&self, seats: u8) -> u8 {
        match self.size {
            Size::Auto => match (seats, self.start) {
                (2, Start::Scattered) | (3, _) => 4,
                (6, _) => 6,
                _ => 5,
            },
            Size::Small => 3,
            Size::Medium => 4,
            Size::Large => 5,
            Size::Huge => 6,
            Size::Custom => self.radius,
        }
    }

    /// Returns the gold that a seat gets at the start for each seat that plays after it in round 1. A
    /// negative `order_bonus` means the default of the chosen start.
    pub fn bonus(&self) -> u32 {
        let automatic = match self.start {
            Start::Homestead => self.tuning.homestead_bonus,
            Start::Scattered => self.tuning.scattered_bonus,
        };
        u32::try_from(self.order_bonus).unwrap_or(u32::from(automatic))
    }

    /// Returns the number of the last round, and whether that is a chosen limit (`true`) or the cap of a game
    /// without one (`false`).
    pub fn last_round(&self) -> (u16, bool) {
        if self.round_limit > 0 { (self.round_limit, true) } else { (self.tuning.round_cap, false) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarchy_engine::options::{set, validate};

    #[test]
    fn the_defaults_are_within_their_ranges_and_the_table_is_complete() {
        for seats in 2..=6 {
            validate(&Options::default(), seats).unwrap();
        }
        let value = serde_json::to_value(Options::default()).unwrap();
        let tuning = value["tuning"].as_object().unwrap().len();
        assert_eq!(Options::FIELDS.len(), value.as_object().unwrap().len() - 1 + tuning);
    }

    #[test]
    fn a_tiny_map_is_for_few() {
        let mut options = Options::default();
        set(&mut options, "size", "custom").unwrap();
        set(&mut options, "radius", "2").unwrap();
        assert!(validate(&options, 3).is_ok());
        assert!(validate(&options, 4).unwrap_err().to_string().contains("two or three"));
        assert!(set(&mut options, "radius", "9").is_err());
    }

    #[test]
    fn the_automatic_radius_follows_the_number_of_players() {
        let options = Options::default();
        assert_eq!([2, 3, 4, 5, 6].map(|n| options.map_radius(n)), [5, 4, 5, 5, 6]);
        let scattered = Options { start: Start::Scattered, ..options };
        assert_eq!([2, 3, 4, 5, 6].map(|n| scattered.map_radius(n)), [4, 4, 5, 5, 6]);
        assert_eq!((options.bonus(), scattered.bonus()), (0, 4));
        assert_eq!(Options { order_bonus: 0, ..scattered }.bonus(), 0);
    }
}
