//! The upgrades of hexes, as a table.

use crate::options::Options;
use pentarchy_engine::ParseError;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// What stands on a hex; at most one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Upgrade {
    /// No upgrade.
    #[default]
    None,
    /// The Home of a player: the number on its hex is the player's gold.
    Home,
    /// The cheapest building.
    Farm,
    /// A building, better than a Farm.
    Market,
    /// A building, better than a Market.
    Bank,
    /// A building, better than a Bank.
    Highrise,
    /// The best building. Spelt as the designer spells it.
    Archology,
    /// Yields nothing by default; its soldiers also defend the neighbouring hexes of its owner.
    Tower,
}

/// One row per upgrade, by index: the word of the notation, the name, the mark on a text map.
const TABLE: [(Upgrade, &str, &str, char); 8] = [
    (Upgrade::None, "none", "nothing", ' '),
    (Upgrade::Home, "home", "Home", '*'),
    (Upgrade::Farm, "farm", "Farm", 'f'),
    (Upgrade::Market, "market", "Market", 'm'),
    (Upgrade::Bank, "bank", "Bank", 'b'),
    (Upgrade::Highrise, "highrise", "Highrise", 'h'),
    (Upgrade::Archology, "archology", "Archology", 'a'),
    (Upgrade::Tower, "tower", "Tower", 't'),
];

impl Upgrade {
    /// Number of upgrades, `None` included.
    pub const KINDS: usize = TABLE.len();

    /// The upgrades that can be bought, in the order of the list of actions.
    pub const FOR_SALE: [Upgrade; 6] =
        [Self::Farm, Self::Market, Self::Bank, Self::Highrise, Self::Archology, Self::Tower];

    /// Returns the index in the table, 0 for `None` to 7 for `Tower`, which is also the number in
    /// fingerprints of maps.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the name, as people write it: `Home`, `Farm`, `Market`, `Bank`, `Highrise`, `Archology`,
    /// `Tower`, or `nothing` for `None`.
    pub const fn name(self) -> &'static str {
        TABLE[self.index()].2
    }

    /// Returns the mark on a text map: a letter, `*` for a Home, a space for none.
    pub const fn mark(self) -> char {
        TABLE[self.index()].3
    }

    /// Returns whether the upgrade can be bought: all but `None` and `Home`.
    #[inline(always)]
    pub const fn for_sale(self) -> bool {
        !matches!(self, Upgrade::None | Upgrade::Home)
    }
}

/// Costs and yields of the upgrades in a game, by [`Upgrade::index`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Prices {
    /// Costs in gold; 0 for what is not for sale.
    pub(crate) cost: [u8; Upgrade::KINDS],
    /// Gold per round of a hex with this upgrade.
    pub(crate) yields: [u8; Upgrade::KINDS],
}

impl Prices {
    /// Creates the costs and yields of a game from its options; no upgrade and the Home cost 0.
    pub(crate) fn new(options: &Options) -> Self {
        let t = &options.tuning;
        Prices {
            cost: [
                0,
                0,
                t.farm_cost,
                t.market_cost,
                t.bank_cost,
                t.highrise_cost,
                t.archology_cost,
                options.tower_cost,
            ],
            yields: [
                t.plain_yield,
                t.home_yield,
                t.farm_yield,
                t.market_yield,
                t.bank_yield,
                t.highrise_yield,
                t.archology_yield,
                t.tower_yield,
            ],
        }
    }
}

impl fmt::Display for Upgrade {
    /// Writes the word of the notation, like `farm`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(TABLE[self.index()].1)
    }
}

impl FromStr for Upgrade {
    type Err = ParseError;
    /// Reads an upgrade by its word of the notation; `none` and `home` are accepted too.
    ///
    /// # Errors
    ///
    /// Fails for any other text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let row = TABLE.iter().find(|row| row.1 == text);
        row.map(|row| row.0).ok_or_else(|| {
            ParseError::new(text, "an upgrade: farm, market, bank, highrise, archology or tower")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        for (i, row) in TABLE.iter().enumerate() {
            assert_eq!(row.0.index(), i);
            assert_eq!(row.1.parse(), Ok(row.0));
            assert_eq!(row.0.for_sale(), Upgrade::FOR_SALE.contains(&row.0));
        }
    }

    #[test]
    fn the_default_prices_are_those_of_the_rules() {
        let prices = Prices::new(&Options::default());
        assert_eq!(prices.cost, [0, 0, 3, 9, 12, 15, 20, 15]);
        assert_eq!(prices.yields, [1, 1, 2, 3, 4, 5, 6, 0]);
    }
}
