//! Options of a game, and the numbers of the design.

use crate::cards::{COPIES, Card, SPECIALS};
use crate::state::{MOST_CARDS, MOST_SEATS};
use pentarchy_engine::{Face, Field, OptionKind, OptionsError};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Maximum copies of one special card.
pub const MOST_COPIES: u8 = 2;

/// Where the Coin goes that is lost with a Block stolen by FORK.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ForkReward {
    /// To the Pool.
    #[default]
    Pool,
    /// To the thief's Bank.
    Thief,
}

/// Which players lose a Block with SYBIL.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sybil {
    /// All players.
    #[default]
    All,
    /// The players with the longest Chain.
    Leaders,
}

/// The options of Vires In Numeris.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Number of HashRates; `None`: the printed number for the number of players.
    pub hashrates: Option<u8>,
    /// Required length of a Chain; `None`: the printed number for the number of players.
    pub blocks: Option<u8>,
    /// Number of the last round; `None`: 200 divided by the number of players.
    pub max_rounds: Option<u16>,
    /// Whether the first Coin is safe in the first round.
    pub first_coin: bool,
    /// Maximum number of ballots of BYZ.
    pub byz_ballots: u8,
    /// Where the Coin goes that is lost with a stolen Block.
    pub fork_reward: ForkReward,
    /// Which players lose a Block with SYBIL.
    pub sybil: Sybil,
    /// The numbers of the design.
    pub tuning: Tuning,
    /// The number of copies of each special card.
    pub copies: Copies,
}

impl Default for Options {
    /// Returns the options of a normal game: the printed numbers, a protected first Coin, one ballot, one
    /// copy of each special card, and no variant.
    fn default() -> Self {
        Options {
            hashrates: None,
            blocks: None,
            max_rounds: None,
            first_coin: true,
            byz_ballots: 1,
            fork_reward: ForkReward::Pool,
            sybil: Sybil::All,
            tuning: Tuning::default(),
            copies: Copies::default(),
        }
    }
}

/// Defines [`Tuning`], its defaults and the table `TUNING` from lines of name, printed value, range and
/// documentation.
macro_rules! tuning {
    ($($name:ident = $value:literal, $min:literal..=$max:literal, $doc:literal;)*) => {
        /// The numbers of the design; the defaults are the printed values.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Tuning {
            $(#[doc = $doc] pub $name: u8,)*
        }

        impl Default for Tuning {
            /// Returns the printed numbers.
            fn default() -> Self {
                Tuning { $($name: $value,)* }
            }
        }

        /// The tuning numbers with their ranges; their names begin with `tuning.`.
        const TUNING: [Field; [$($value,)*].len()] =
            [$(Field::tuning(concat!("tuning.", stringify!($name)), $min, $max, $doc),)*];
    };
}

tuning! {
    // name       printed range   what it is
    draw        = 2, 1..=4, "Cards drawn at the start of a turn.";
    draw_empty  = 3, 1..=5, "Cards drawn with an empty hand.";
    pool        = 1, 0..=2, "HR in the Pool per player, at the start and after a reshuffle.";
    coins       = 1, 0..=2, "Coins per player at the start.";
    cost        = 0, 0..=3, "HR added to the cost of every Block.";
    reward      = 1, 0..=3, "Coins paid by a mined Block.";
    block_coin  = 1, 0..=2, "Coins lost with a Block.";
    price_51    = 1, 0..=3, "Price of 51% in Coins.";
    price_fork  = 1, 0..=3, "Price of FORK in Coins.";
    price_nonce = 1, 0..=3, "Price of NONCE in Coins.";
    price_rekt  = 1, 0..=3, "Price of REKT in Coins.";
    ath         = 1, 1..=3, "HR given by ATH.";
    atl         = 1, 1..=3, "HR lost to ATL.";
    bear        = 1, 1..=4, "HR lost to BEAR.";
    bot         = 1, 1..=4, "HR at stake for the target of BOT.";
    btfd        = 1, 1..=3, "HR given by BTFD.";
    bull        = 2, 1..=5, "HR given by BULL.";
    byz         = 1, 1..=3, "Coins or HR given by BYZ.";
    dca         = 2, 1..=5, "HR given by DCA.";
    dex         = 2, 1..=5, "HR traded for a card by DEX.";
    diff_down   = 1, 1..=3, "HR saved by DIFF--.";
    diff_up     = 1, 1..=3, "HR added by DIFF++.";
    fees        = 1, 1..=3, "Coins added by FEES.";
    half        = 1, 1..=3, "Coins taken by HALF.";
    ico         = 2, 1..=4, "HR at stake for the target of ICO.";
    miner       = 1, 0..=3, "Least HR taken by MINER.";
    no_coin     = 1, 1..=3, "Coins given by NO-COIN.";
    pump        = 1, 1..=3, "HR lost and given by P&D.";
    pos         = 1, 1..=3, "HR given by PoS.";
    sat         = 1, 1..=3, "Coins given by SAT.";
    scam        = 2, 1..=5, "HR stolen by SCAM.";
    stable      = 2, 1..=5, "HR given by STABLE.";
    whale_gain  = 2, 1..=5, "HR given by WHALE.";
    whale_loss  = 1, 1..=3, "HR lost by each opponent to WHALE.";
}

/// The options that players choose, as opposed to tuning numbers.
const PLAIN: [Field; 7] = [
    Field::option(
        "hashrates",
        OptionKind::Maybe { min: 10, max: 120 },
        "HR cards in the game, at least 5 per player. More HR make Blocks easier. Normally 50, 56, 64, 64, 64 for 2 to 6 players.",
    ),
    Field::option(
        "blocks",
        OptionKind::Maybe { min: 2, max: 15 },
        "Blocks in a Chain that end the game, Genesis included. Fewer Blocks make a shorter game. Normally 10, 8, 7, 6, 5 for 2 to 6 players.",
    ),
    Field::option(
        "max_rounds",
        OptionKind::Maybe { min: 1, max: u16::MAX as i64 },
        "The last round: normally 200 divided by the number of players.",
    ),
    Field::option("first_coin", OptionKind::Flag, "Nobody can take your first Coin in round 1."),
    Field::option("byz_ballots", OptionKind::Int { min: 1, max: 3 }, "Number of ballots for BYZ."),
    Field::option(
        "fork_reward",
        OptionKind::Choice(&["pool", "thief"]),
        "The Coin lost to FORK goes to the Pool, or to the player who steals the Block.",
    ),
    Field::option(
        "sybil",
        OptionKind::Choice(&["all", "leaders"]),
        "SYBIL takes a Block from everybody, or from those with the longest Chain.",
    ),
];

/// Number of all fields: options, tuning numbers, copies of the special cards.
const ALL: usize = PLAIN.len() + TUNING.len() + SPECIALS;

/// All fields: options, tuning numbers, copies of the special cards, in this order.
const FIELDS: [Field; ALL] = {
    let mut all = [PLAIN[0]; ALL];
    let mut i = 0;
    while i < ALL {
        all[i] = if i < PLAIN.len() {
            PLAIN[i]
        } else if i < PLAIN.len() + TUNING.len() {
            TUNING[i - PLAIN.len()]
        } else {
            COPIES[i - PLAIN.len() - TUNING.len()]
        };
        i += 1;
    }
    all
};

impl pentarchy_engine::Options for Options {
    const FIELDS: &'static [Field] = &FIELDS;

    /// Checks that there are at least 5 HashRates per seat and that all cards fit. The ranges of single
    /// options and the number of seats are not checked here.
    ///
    /// # Errors
    ///
    /// Fails if there are too few HashRates, or more cards than `MOST_CARDS`.
    fn check(&self, seats: u8) -> Result<(), OptionsError> {
        let least = 5 * seats;
        if self.hashrates.is_some_and(|h| h < least) {
            return Err(OptionsError(format!("{seats} players need at least {least} HashRates")));
        }
        let cards = usize::from(self.hashrates(seats)) + self.copies.total();
        if cards > MOST_CARDS {
            return Err(OptionsError(format!(
                "{cards} cards are more than the {MOST_CARDS} there is room for"
            )));
        }
        Ok(())
    }
}

/// The printed numbers of HashRates for 2, 3, 4, 5, 6 players.
const HASHRATES: [u8; MOST_SEATS - 1] = [50, 56, 64, 64, 64];
/// The printed lengths of a complete Chain for 2, 3, 4, 5, 6 players.
const BLOCKS: [u8; MOST_SEATS - 1] = [10, 8, 7, 6, 5];
/// Number of turns after which a game without a chosen limit ends.
const TURNS: u16 = 200;

/// Returns the entry of `numbers` for 2 to 6 players, the first for 2; also the first one for any other
/// number.
fn printed(numbers: [u8; MOST_SEATS - 1], seats: u8) -> u8 {
    numbers.get(usize::from(seats).saturating_sub(2)).copied().unwrap_or(numbers[0])
}

impl Options {
    /// Returns the number of HashRates in a game with `seats` players: the option, or the printed number (50,
    /// 56, 64, 64, 64 for 2 to 6; 50 for any other number).
    pub fn hashrates(&self, seats: u8) -> u8 {
        self.hashrates.unwrap_or_else(|| printed(HASHRATES, seats))
    }

    /// Returns the length of a Chain that ends a game with `seats` players, Genesis included: the option, or
    /// the printed number (10, 8, 7, 6, 5 for 2 to 6; 10 for any other number).
    pub fn blocks(&self, seats: u8) -> u8 {
        self.blocks.unwrap_or_else(|| printed(BLOCKS, seats))
    }

    /// Returns the number of the last round: the option, or 200 divided by the number of players, rounded
    /// down (0 players count as 1).
    pub fn max_rounds(&self, seats: u8) -> u16 {
        self.max_rounds.unwrap_or(TURNS / u16::from(seats.max(1)))
    }
}

/// The number of copies of each special card, by the words of the cards: `copies.test`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Copies([u8; SPECIALS]);

impl Default for Copies {
    /// Returns one copy of each special card.
    fn default() -> Self {
        Copies([1; SPECIALS])
    }
}

impl Copies {
    /// Returns the number of copies of a special card; 0 for HR and ballots.
    pub fn of(&self, card: Card) -> u8 {
        self.0.get(usize::from(card.index()).wrapping_sub(1)).copied().unwrap_or(0)
    }

    /// Returns the number of all special cards, copies included.
    fn total(&self) -> usize {
        self.0.iter().map(|&n| usize::from(n)).sum()
    }
}

impl Serialize for Copies {
    /// Writes a table from the word of each special card to its number of copies.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Card::specials().map(|c| (c.row().word, self.of(c))))
    }
}

impl<'de> Deserialize<'de> for Copies {
    /// Reads a table from words of special cards to numbers of copies; cards that are not named keep one
    /// copy. The numbers are checked elsewhere.
    ///
    /// # Errors
    ///
    /// Fails if a word is no special card, or a value is no number from 0 to 255.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Visitor of a table from words of cards to numbers of copies.
        struct ByWord;
        impl<'de> Visitor<'de> for ByWord {
            type Value = Copies;
            /// Writes what is expected, for error messages of the deserializer.
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("numbers of copies by card")
            }
            /// Reads numbers of copies by card; cards that are not named keep one copy.
            ///
            /// # Errors
            ///
            /// Fails if a word is no special card, or a value is no number from 0 to 255.
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Copies, M::Error> {
                let mut copies = Copies::default();
                while let Some((word, n)) = map.next_entry::<String, u8>()? {
                    let card: Card = word.parse().map_err(M::Error::custom)?;
                    let place = copies.0.get_mut(usize::from(card.index()).wrapping_sub(1));
                    *place.ok_or_else(|| M::Error::custom(format!("`{word}` is no special card")))? = n;
                }
                Ok(copies)
            }
        }
        deserializer.deserialize_map(ByWord)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarchy_engine::Options as _;
    use pentarchy_engine::options;

    #[test]
    fn every_field_is_in_the_struct_and_within_its_range() {
        for seats in 2..=6 {
            assert_eq!(options::validate(&Options::default(), seats), Ok(()));
        }
        let all = options::to_value(&Options::default()).unwrap();
        for field in Options::FIELDS {
            assert!(options::get(&all, field.name).is_some(), "{}", field.name);
        }
        let mut set = Options::default();
        options::set(&mut set, "copies.51%", "2").unwrap();
        options::set(&mut set, "tuning.draw", "4").unwrap();
        options::set(&mut set, "sybil", "leaders").unwrap();
        assert_eq!((set.copies.of(Card::Attack51), set.tuning.draw, set.sybil), (2, 4, Sybil::Leaders));
    }

    #[test]
    fn the_supply_has_limits() {
        let few = Options { hashrates: Some(29), ..Default::default() };
        assert!(few.check(5).is_ok() && few.check(6).is_err());
        let printed = |n| {
            let o = Options::default();
            (o.hashrates(n), o.blocks(n), o.max_rounds(n))
        };
        assert_eq!(
            [2, 3, 4, 5, 6].map(printed),
            [(50, 10, 100), (56, 8, 66), (64, 7, 50), (64, 6, 40), (64, 5, 33)]
        );
    }

    /// The largest possible round number ends the game instead of overflowing.
    #[test]
    fn the_largest_number_of_rounds_is_playable() {
        use pentarchy_engine::{Describe, Game, Node, Position, Rng};
        let mut long = Options::default();
        options::set(&mut long, "max_rounds", "65535").unwrap();
        assert_eq!(options::validate(&long, 2), Ok(()));
        assert!(options::set(&mut Options::default(), "max_rounds", "65536").is_err());
        let (mut rng, mut list) = (Rng::new(5), Vec::new());
        let start = Position::<crate::Vires>::new(2, &long).unwrap();
        for (round, last) in [(1u16, false), (u16::MAX - 1, false), (u16::MAX, true)] {
            let mut game = start.clone();
            game.settle(&mut rng, &mut list).unwrap();
            let arranged = serde_json::json!({ "round": round, "active": 1, "phase": "end" });
            // The hand of the second player is empty, so the turn ends immediately.
            let state = crate::Vires::arranged(game.state(), &arranged).unwrap();
            let over = state.node() == Node::Over || state.phase() == crate::Phase::Over;
            assert_eq!(over, last, "round {round}");
            assert_eq!(state.round(), if last { u16::MAX } else { round + 1 });
        }
    }
}
