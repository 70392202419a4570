//! The cards, as a table with one line per card.

use pentarchy_engine::{Back, Face, FaceSet, ParseError};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The category of a card. The backs of cards in the Empire's deck show it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Troops, engines and their buildings; always face down.
    Military,
    /// Income, discounts and civil buildings; always face up.
    Trade,
    /// Tricks and treaties; discarded after use.
    Diplomacy,
}

/// All categories.
pub const CATEGORIES: [Category; 3] = [Category::Military, Category::Trade, Category::Diplomacy];

/// The printed numbers of a card, and the number of copies in each starting pile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Printed {
    /// The name, as people write it.
    pub title: &'static str,
    /// The name in one word, as the notation writes it.
    pub word: &'static str,
    /// Attack, for Military cards.
    pub attack: i32,
    /// Defence, for Military cards.
    pub defence: i32,
    /// Cost in Victory Points.
    pub cost: i32,
    /// Copies in the deck of the common pool.
    pub pool: i32,
    /// Copies in each player's starting deck.
    pub start: i32,
    /// Copies in the Empire's starting deck.
    pub empire: i32,
}

/// Passes the whole table to another macro, so that cards, tuning numbers and their documentation come from
/// the same lines. Columns: card, field, word, title; attack, defence, cost; copies in the pool deck, in a
/// player's deck, in the Empire's deck; maximum copies that tuning allows.
macro_rules! with_cards {
    ($then:ident) => {
        $then! {
            Military {
                Conscript           conscript            "conscript"            "Conscript"                  1 1  0  8 2 1  8;
                Partisan            partisan             "partisan"             "Partisan"                   1 2  0  0 0 0  0;
                Archer              archer               "archer"               "Archer"                     1 3  2  5 3 1  8;
                Mercenary           mercenary            "mercenary"            "Mercenary"                  3 1  3  4 0 3  8;
                ProfessionalSoldier professional_soldier "professional-soldier" "Professional Soldier"       3 3  5  3 0 2  8;
                Cavalry             cavalry              "cavalry"              "Cavalry"                    4 1  5  3 0 3  8;
                Scout               scout                "scout"                "Scout"                      0 1  5  3 0 0  8;
                SiegeTower          siege_tower          "siege-tower"          "Siege Tower"                4 0  8  2 0 1  8;
                Catapult            catapult             "catapult"             "Catapult"                   3 1  8  2 0 1  8;
                Barracks            barracks             "barracks"             "Barracks"                   0 0 10  2 0 0  8;
                Fortification       fortification        "fortification"        "Fortification"              0 5 10  2 0 0  8;
                General             general              "general"              "General"                    5 5 15  2 0 1  8;
            }
            Trade {
                Laborer             laborer              "laborer"              "Laborer"                    0 0  0  8 4 3  8;
                CargoShip           cargo_ship           "cargo-ship"           "Cargo Ship"                 0 0  2  5 1 2  8;
                Middleman           middleman            "middleman"            "Middleman"                  0 0  3  2 0 0  8;
                Grifter             grifter              "grifter"              "Grifter"                    0 0  3  4 0 0  8;
                Scalper             scalper              "scalper"              "Scalper"                    0 0  3  4 0 0  8;
                Manager             manager              "manager"              "Manager"                    0 0  4  3 0 0  8;
                InsiderTrading      insider_trading      "insider-trading"      "Insider Trading"            0 0  5  3 0 1  8;
                Lobbyist            lobbyist             "lobbyist"             "Lobbyist"                   0 0  5  3 0 0  8;
                Market              market               "market"               "Market"                     0 0  5  3 0 1  8;
                Factory             factory              "factory"              "Factory"                    0 0  5  3 0 0  8;
                TradeRoute          trade_route          "trade-route"          "Trade Route"                0 0  5  3 0 1  8;
                Apprenticeship      apprenticeship       "apprenticeship"       "Apprenticeship"             0 0  8  2 0 1  8;
            }
            Diplomacy {
                Diplomat            diplomat             "diplomat"             "Diplomat"                   0 0  1  5 2 2  8;
                SecretAgent         secret_agent         "secret-agent"         "Secret Agent"               0 0  2  5 0 0  8;
                Sabotage            sabotage             "sabotage"             "Sabotage"                   0 0  3  4 0 1  8;
                PityParty           pity_party           "pity-party"           "Pity Party"                 0 0  3  4 0 1  8;
                FalseFlag           false_flag           "false-flag"           "False Flag"                 0 0  3  4 0 0  8;
                UnholyUnion         unholy_union         "unholy-union"         "Unholy Union"               0 0  4  3 0 1  8;
                Offer               offer                "offer"                "An Offer You Can't Refuse"  0 0  4  3 0 0  8;
                Sanctions           sanctions            "sanctions"            "Sanctions"                  0 0  4  3 0 1  8;
                CollateralDamage    collateral_damage    "collateral-damage"    "Collateral Damage"          0 0  5  3 0 0  8;
                Embargo             embargo              "embargo"              "Embargo"                    0 0  5  3 0 1  8;
                Gridlock            gridlock             "gridlock"             "Gridlock"                   0 0  5  3 0 1  8;
                Assassin            assassin             "assassin"             "Assassin"                   0 0  8  2 0 0  8;
            }
        }
    };
}
pub(crate) use with_cards;

/// Defines [`Card`], [`CARDS`] and the table of printed numbers from the lines of `with_cards!`.
macro_rules! define_cards {
    ($($category:ident { $($card:ident $field:ident $word:literal $title:literal
        $attack:literal $defence:literal $cost:literal
        $pool:literal $start:literal $empire:literal $most:literal;)* })*) => {
        /// A kind of card: the face of a token.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Card {
            $($(#[doc = $title] $card,)*)*
        }

        /// All cards: twelve of each category, in the order of the rules.
        pub const CARDS: [Card; KINDS] = [$($(Card::$card,)*)*];

        /// The printed numbers, in the order of [`CARDS`].
        const PRINTED: [Printed; KINDS] = [$($(Printed {
            title: $title, word: $word, attack: $attack, defence: $defence, cost: $cost,
            pool: $pool, start: $start, empire: $empire,
        },)*)*];
    };
}

/// Number of kinds of cards.
pub const KINDS: usize = 36;
/// Number of kinds of cards in each category.
const PER_CATEGORY: u8 = 12;
/// Number of the first Diplomacy card in [`CARDS`].
const TWICE: u8 = 2 * PER_CATEGORY;

with_cards!(define_cards);

impl Category {
    /// Returns the word of the notation: `military`, `trade` or `diplomacy`.
    pub const fn word(self) -> &'static str {
        match self {
            Category::Military => "military",
            Category::Trade => "trade",
            Category::Diplomacy => "diplomacy",
        }
    }

    /// Returns the name, as people write it: `Military`, `Trade` or `Diplomacy`.
    pub const fn title(self) -> &'static str {
        match self {
            Category::Military => "Military",
            Category::Trade => "Trade",
            Category::Diplomacy => "Diplomacy",
        }
    }

    /// Returns the back of cards of this category, which players can tell apart face down: number 1, 2 or 3.
    pub const fn back(self) -> Back {
        Back(self as u8 + 1)
    }

    /// Returns the set of cards with this back; all cards for a back of no category.
    #[inline]
    pub(crate) fn shown_by(back: Back) -> FaceSet<Card> {
        let of = |category: Category| if category.back() == back { category.bits() } else { 0 };
        let bits = CATEGORIES.into_iter().fold(0, |bits, category| bits | of(category));
        if bits == 0 { FaceSet::all() } else { FaceSet::from_bits(bits) }
    }

    /// Returns the set of cards of this category.
    #[inline]
    pub fn set(self) -> FaceSet<Card> {
        FaceSet::from_bits(self.bits())
    }

    /// Returns the cards of this category as a card set, bit `card as u8` for each.
    #[inline]
    pub(crate) const fn bits(self) -> u64 {
        0xfff << (self as u8 * PER_CATEGORY)
    }
}

/// Returns these cards as a card set, bit `card as u8` for each; 0 for an empty list.
const fn bits(cards: &[Card]) -> u64 {
    let (mut set, mut i) = (0, 0);
    while i < cards.len() {
        set |= 1 << cards[i] as u8;
        i += 1;
    }
    set
}

/// Soldiers: the Military cards that fit behind a Siege Tower.
pub(crate) const SOLDIERS: u64 = bits(&[
    Card::Conscript,
    Card::Partisan,
    Card::Archer,
    Card::Mercenary,
    Card::ProfessionalSoldier,
    Card::Cavalry,
    Card::Scout,
    Card::General,
]);
/// Buildings: an Assassin cannot remove them.
pub(crate) const BUILDINGS: u64 = bits(&[Card::Barracks, Card::Fortification, Card::Factory, Card::Market]);
/// The Diplomacy cards that may lie face down.
pub(crate) const COVERT: u64 =
    bits(&[Card::SecretAgent, Card::Sabotage, Card::FalseFlag, Card::CollateralDamage, Card::Assassin]);
/// The Diplomacy cards that are used in the owner's upkeep.
pub(crate) const UPKEEP: u64 = bits(&[
    Card::SecretAgent,
    Card::FalseFlag,
    Card::Offer,
    Card::Sanctions,
    Card::Embargo,
    Card::Gridlock,
    Card::Assassin,
]);
/// The Diplomacy cards that the Empire uses in its turn.
pub(crate) const INTRIGUES: u64 = bits(&[Card::Sanctions, Card::Embargo, Card::Gridlock, Card::Assassin]);
/// The Trade cards that bring income.
pub(crate) const EARNERS: u64 = bits(&[Card::Laborer, Card::CargoShip, Card::Apprenticeship]);
/// The Trade cards that change prices or purchases of their owner.
pub(crate) const BARGAINS: u64 =
    bits(&[Card::Grifter, Card::Market, Card::InsiderTrading, Card::Manager, Card::Lobbyist]);
/// The Military cards that lower a Hegemony roll.
pub(crate) const WARLIKE: u64 = bits(&[Card::SiegeTower, Card::Barracks, Card::General]);
/// The Diplomacy cards that raise a Hegemony roll.
pub(crate) const COURTLY: u64 = bits(&[Card::Diplomat, Card::PityParty, Card::UnholyUnion]);
/// The Trade cards that raise a Hegemony roll.
pub(crate) const LIFTS: u64 = bits(&[Card::Market, Card::TradeRoute]);
/// All cards that modify a Hegemony roll.
pub(crate) const SWAYS: u64 = WARLIKE | COURTLY | LIFTS;
/// The Military cards that others can be stationed behind.
pub(crate) const QUARTERS: u64 = bits(&[Card::SiegeTower, Card::Barracks, Card::Fortification]);

/// All cards that others can be stationed behind.
pub(crate) const ROOMY: u64 = QUARTERS | bits(&[Card::Factory]);

impl Card {
    /// Returns the printed numbers of the card: names, attack, defence, cost and copies. A game may vary them
    /// by its options.
    #[inline]
    pub const fn printed(self) -> &'static Printed {
        &PRINTED[self as usize]
    }

    /// Returns the name, as people write it, like `Cargo Ship`. One name includes its article: `An Offer You
    /// Can't Refuse`.
    pub const fn title(self) -> &'static str {
        self.printed().title
    }

    /// Returns the category of the card: Military, Trade or Diplomacy.
    #[inline]
    pub const fn category(self) -> Category {
        match self as u8 {
            ..PER_CATEGORY => Category::Military,
            PER_CATEGORY..TWICE => Category::Trade,
            _ => Category::Diplomacy,
        }
    }

    /// Returns whether the card is in this card set, which has bit `card as u8` for each card.
    #[inline]
    pub(crate) const fn is_in(self, set: u64) -> bool {
        set >> self as u8 & 1 != 0
    }

    /// Returns whether the card is a Diplomacy card that may be placed face down. `false` for Military cards,
    /// which always lie face down.
    pub const fn is_covert(self) -> bool {
        self.is_in(COVERT)
    }

    /// Returns whether the card is a soldier: it fits behind a Siege Tower.
    pub const fn is_soldier(self) -> bool {
        self.is_in(SOLDIERS)
    }

    /// Returns whether the card is a building, which an Assassin cannot remove: Barracks, Fortification,
    /// Factory or Market.
    pub const fn is_building(self) -> bool {
        self.is_in(BUILDINGS)
    }
}

impl Face for Card {
    type Bits = u64;
    const KINDS: usize = KINDS;
    /// Returns the position of the card in [`CARDS`], from 0 to 35.
    #[inline(always)]
    fn index(self) -> u8 {
        self as u8
    }
    /// Returns the card of a number below `KINDS`; a higher one panics.
    #[inline(always)]
    fn nth(index: u8) -> Self {
        CARDS[index as usize]
    }
    /// Returns the back of the card's category.
    #[inline(always)]
    fn back(self) -> Back {
        self.category().back()
    }
}

impl fmt::Display for Card {
    /// Writes the word of the notation, like `cargo-ship`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.printed().word)
    }
}

impl FromStr for Card {
    type Err = ParseError;
    /// Reads a card by its word of the notation, like `cargo-ship`.
    ///
    /// # Errors
    ///
    /// Fails for any other text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        CARDS
            .into_iter()
            .find(|c| c.printed().word == text)
            .ok_or_else(|| ParseError::new(text, "a card, like archer or cargo-ship"))
    }
}

impl fmt::Display for Category {
    /// Writes `military`, `trade` or `diplomacy`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Category {
    type Err = ParseError;
    /// Reads `military`, `trade` or `diplomacy`.
    ///
    /// # Errors
    ///
    /// Fails for any other text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        CATEGORIES
            .into_iter()
            .find(|c| c.word() == text)
            .ok_or_else(|| ParseError::new(text, "military, trade or diplomacy"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_piles_have_the_sizes_of_the_rules() {
        let sum = |of: fn(&Printed) -> i32, c: Option<Category>| -> i32 {
            CARDS.iter().filter(|k| c.is_none_or(|c| k.category() == c)).map(|k| of(k.printed())).sum()
        };
        let by_category = |of: fn(&Printed) -> i32| CATEGORIES.map(|c| sum(of, Some(c)));
        assert_eq!(by_category(|p| p.pool), [36, 43, 42]);
        assert_eq!(sum(|p| p.start, None), 12);
        assert_eq!(by_category(|p| p.empire), [13, 9, 8]);
    }

    #[test]
    fn copies_follow_cost() {
        for card in CARDS.into_iter().filter(|c| !matches!(c, Card::Partisan | Card::Middleman)) {
            let p = card.printed();
            let copies = match p.cost {
                0 => 8,
                1..=2 => 5,
                3 => 4,
                4..=5 => 3,
                _ => 2,
            };
            assert_eq!(p.pool, copies, "{card}");
        }
    }

    #[test]
    fn names_read_back() {
        for card in CARDS {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(Card::nth(card.index()), card);
        }
    }
}
