//! The cards: HashRates, the 42 special cards as one table, and the two sides of a ballot.

use pentarchy_engine::{Back, Face, FaceSet, ParseError};
use std::{fmt, str::FromStr};

/// When a card is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Not played: spent on Blocks, kept as Coins.
    HashRate,
    /// In the player's own main phase (FLIP in the end phase).
    Action,
    /// An Action that costs Coins.
    Paid,
    /// As a reaction, in a window.
    Flash,
    /// Immediately when it is drawn.
    Event,
    /// Not a card: the choice of a secret ballot.
    Ballot,
}

impl Kind {
    /// Returns the word for players: `HashRate`, `Action`, `Paid Action`, `Flash`, `Event` or `vote`.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::HashRate => "HashRate",
            Kind::Action => "Action",
            Kind::Paid => "Paid Action",
            Kind::Flash => "Flash",
            Kind::Event => "Event",
            Kind::Ballot => "vote",
        }
    }
}

/// The family that is printed on a card. It has no effect on the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// Harms other players.
    Attack,
    /// Decided by the flip of a coin.
    Challenge,
    /// Acts of authorities.
    Central,
    /// A reaction.
    Flash,
    /// Gains from the Pool.
    Gift,
    /// Good or bad, depending on the market.
    Market,
    /// Changes the next Block.
    Mining,
    /// Exchanges one thing for another.
    Trade,
}

/// What the player must name when they play a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aims {
    /// Nothing.
    Nothing,
    /// An opponent.
    Foe,
    /// `gain` or `attack`.
    Mode,
    /// A party of the challenge.
    Party,
}

/// A row of the card table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The word in the notation.
    pub word: &'static str,
    /// The printed name.
    pub name: &'static str,
    /// When it is played.
    pub kind: Kind,
    /// The printed family.
    pub tag: Tag,
    /// What must be named.
    pub aims: Aims,
    /// The effect, with the printed numbers.
    pub text: &'static str,
}

/// Defines [`Card`], [`ROWS`] and the options of the copies from the lines of the card table.
macro_rules! cards {
    ($($card:ident $word:literal $name:literal $kind:ident $tag:ident $aims:ident $text:literal;)*) => {
        /// The face of a token.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Card {
            /// A HashRate. In a Bank it is a Coin, in a Chain a Block.
            Hr,
            $(#[doc = concat!($name, ": ", $text)] $card,)*
            /// A ballot for one Coin each.
            VoteCoin,
            /// A ballot for one HashRate each.
            VoteHr,
        }

        /// All faces in the order of their numbers: HR, the special cards, the two sides of a ballot.
        const CARDS: [Card; KINDS] = [Card::Hr, $(Card::$card,)* Card::VoteCoin, Card::VoteHr];

        /// The rows of all faces, in the order of their numbers: HR, the special cards, the two sides of a
        /// ballot.
        pub const ROWS: [Row; KINDS] = [
            Row { word: "hr", name: "HashRate", kind: Kind::HashRate, tag: Tag::Mining, aims: Aims::Nothing,
                  text: "Pays for Blocks. A Block costs as many HR as your Chain has Blocks." },
            $(Row { word: $word, name: $name, kind: Kind::$kind, tag: Tag::$tag, aims: Aims::$aims,
                    text: $text },)*
            Row { word: "vote-b", name: "vote for Coins", kind: Kind::Ballot, tag: Tag::Gift,
                  aims: Aims::Nothing, text: "Everybody gets 1 Coin." },
            Row { word: "vote-hr", name: "vote for HashRates", kind: Kind::Ballot, tag: Tag::Gift,
                  aims: Aims::Nothing, text: "Everybody gets 1 HR." },
        ];

        /// The options that say how many copies of each special card there are.
        pub(crate) const COPIES: [pentarchy_engine::Field; SPECIALS] = [
            $(pentarchy_engine::Field::tuning(
                concat!("copies.", $word), 0, crate::options::MOST_COPIES as i64,
                concat!("Copies of ", $word, "."),
            ),)*
        ];
    };
}

/// Number of special cards.
pub const SPECIALS: usize = 42;
/// Number of faces: HR, the special cards, and the two sides of a ballot.
const KINDS: usize = SPECIALS + 3;

/// The column [`Row::kind`] as an array of its own, for the hot path.
const WHEN: [Kind; KINDS] = {
    let mut column = [Kind::HashRate; KINDS];
    let mut i = 0;
    while i < KINDS {
        column[i] = ROWS[i].kind;
        i += 1;
    }
    column
};
/// Whether each face is an Action, paid or not: computed from [`Row::kind`], for the hot path.
const PLAYED: [bool; KINDS] = {
    let mut column = [false; KINDS];
    let mut i = 0;
    while i < KINDS {
        column[i] = matches!(ROWS[i].kind, Kind::Action | Kind::Paid);
        i += 1;
    }
    column
};
/// The column [`Row::aims`] as an array of its own, for the hot path.
const WHAT: [Aims; KINDS] = {
    let mut column = [Aims::Nothing; KINDS];
    let mut i = 0;
    while i < KINDS {
        column[i] = ROWS[i].aims;
        i += 1;
    }
    column
};

cards! {
    // card   word      printed    when   family    names   what it does
    Attack51 "51%"     "51%"      Paid   Attack    Foe     "The target loses their latest Block and 1 Coin to the Pool.";
    Agree    "agree"   "AGREE."   Flash  Flash     Nothing "When you are about to lose a Block, keep it and its Coin.";
    Ath      "ath"     "ATH"      Event  Challenge Nothing "Flip a coin. Heads: everybody gets 1 HR. Tails: nothing happens.";
    Atl      "atl"     "ATL"      Event  Challenge Nothing "Flip a coin. Heads: nothing happens. Tails: everybody loses 1 HR.";
    Bear     "bear"    "BEAR"     Action Attack    Foe     "The target loses 1 HR to the Pool.";
    Bot      "bot"     "BOT"      Action Challenge Foe     "Show 1 HR. The target flips a coin. Tails: they give you 1 HR. Heads: you give them 1 HR.";
    Btfd     "btfd"    "BTFD"     Event  Challenge Nothing "You get 1 HR. Each opponent flips a coin. Heads: they get 1 HR too.";
    Bull     "bull"    "BULL"     Action Gift      Nothing "Get 2 HR from the Pool.";
    Byz      "byz"     "BYZ."     Event  Gift      Nothing "Everybody votes in secret for Coins or HR. If all agree, everybody gets 1 of it.";
    Cex      "cex"     "CEX"      Action Central   Nothing "Turn 1 HR from your hand into a Coin.";
    Dca      "dca"     "DCA"      Action Trade     Nothing "Pay 1 Coin and get 2 HR.";
    Dex      "dex"     "DEX"      Action Trade     Foe     "Offer a hidden card from your hand. The target must trade 2 HR for it.";
    DiffDown "diff--"  "DIFF--"   Action Mining    Nothing "Your next Block costs 1 HR less.";
    DiffUp   "diff++"  "DIFF++"   Action Mining    Foe     "The target's next Block costs 1 HR more.";
    Double   "double"  "DOUBLE"   Action Gift      Nothing "Your next paid card this turn is free.";
    Fees     "fees"    "FEES"     Action Mining    Nothing "Your next Block pays 1 more Coin.";
    Fiat     "fiat"    "FIAT"     Action Central   Nothing "Does nothing, but STABLE needs it.";
    Flip     "flip"    "FLIP"     Action Trade     Foe     "At the end of your turn: swap hands with the target. Nothing can prevent it.";
    Fork     "fork"    "FORK"     Paid   Attack    Foe     "Steal the target's latest Block as your Block of this turn. They also lose 1 Coin.";
    Half     "half"    "HALF"     Action Attack    Foe     "The target's next Block pays 1 Coin less.";
    Hodl     "hodl"    "HODL"     Flash  Flash     Nothing "When you are about to lose HR or a Coin, keep them. When you are about to lose a Block, keep its Coin.";
    Ico      "ico"     "ICO"      Action Challenge Foe     "Show 1 HR. The target flips a coin. Tails: they give you 2 HR. Heads: you give them 1 HR.";
    Kyc      "kyc"     "KYC"      Event  Central   Nothing "Show your hand and draw the rest face up, or skip your turn.";
    Margin   "margin"  "MARGIN"   Action Attack    Foe     "The target loses 1 Coin to the Pool.";
    Miner    "miner"   "MINER"    Action Mining    Foe     "Pay the target 1 Coin for all HR in their hand (at least 1).";
    NoCoin   "no-coin" "NO-COIN"  Event  Gift      Nothing "Everybody with the fewest Coins gets 1 Coin.";
    Nonce    "nonce"   "NONCE"    Paid   Mining    Nothing "Mine a Block with HR from the Pool instead of your hand.";
    Offline  "offline" "OFFLINE"  Flash  Flash     Nothing "When you are about to lose HR, keep them all.";
    Oracle   "oracle"  "ORACLE"   Action Central   Foe     "Look at the target's hand.";
    Pump     "p&d"     "P&D"      Event  Challenge Nothing "Flip a coin. Heads: each opponent loses 1 HR, then you get 1. Tails: you lose 1 HR, then each opponent gets 1.";
    Pos      "pos"     "PoS"      Event  Gift      Nothing "Everybody who shows an HR gets 1 more.";
    Ponzi    "ponzi"   "PONZI"    Action Challenge Nothing "Each opponent flips a coin and gives you a Coin or an HR. The winner of the flip chooses which.";
    Rekt     "rekt"    "REKT"     Paid   Attack    Foe     "The target loses all HR in their hand to the Pool.";
    Sat      "sat"     "SAT"      Action Gift      Nothing "Get 1 Coin from the Pool.";
    Scam     "scam"    "SCAM"     Action Attack    Foe     "Steal 2 HR from the target.";
    Stable   "stable"  "STABLE"   Action Gift      Nothing "Get 2 HR. Needs FIAT: in the Garbage, or in your hand to discard it.";
    Strong   "strong"  "STRONG"   Flash  Flash     Party   "Before a coin flip, choose who wins it.";
    Sybil    "sybil"   "SYBIL"    Event  Attack    Nothing "Everybody loses their latest Block and 1 Coin. Genesis stays.";
    TimeLock "t-l"     "T-L"      Action Attack    Foe     "In the turn after their next Block, the target cannot mine or play cards.";
    Test     "test"    "TEST"     Flash  Flash     Nothing "Cancel the card just played. It returns to its owner, who cannot play it again this turn.";
    Weak     "weak"    "WEAK"     Flash  Flash     Party   "Before a coin flip, choose who loses it.";
    Whale    "whale"   "WHALE"    Action Market    Mode    "Get 2 HR, or each opponent loses 1 HR.";
}

/// The Flash cards, in the order in which the state counts their copies.
pub const FLASH: [Card; 6] = [Card::Agree, Card::Hodl, Card::Offline, Card::Strong, Card::Test, Card::Weak];

/// The back of an Event. All other cards share one back.
pub(crate) const EVENT: Back = Back(1);

impl Card {
    /// Iterates over the 42 special cards in the order of the table; HR and ballots are not among them.
    pub fn specials() -> impl Iterator<Item = Card> {
        CARDS[1..=SPECIALS].iter().copied()
    }

    /// Returns the card's row of the table: word, name, kind, family, aims and text.
    #[inline(always)]
    pub const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns when the card is played. Equals `row().kind`, read from a smaller table.
    #[inline(always)]
    pub const fn kind(self) -> Kind {
        WHEN[self as usize]
    }

    /// Returns whether the card is an Action, paid or not; FLIP is one too.
    #[inline(always)]
    pub const fn is_played(self) -> bool {
        PLAYED[self as usize]
    }

    /// Returns what the player must name when the card is played: nothing, an opponent, a mode of WHALE, or a
    /// party of the challenge.
    #[inline(always)]
    pub const fn aims(self) -> Aims {
        WHAT[self as usize]
    }

    /// Returns the printed name, like `51%`, `AGREE.` or `HashRate`.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the set that contains only this face.
    #[inline(always)]
    pub(crate) fn only(self) -> FaceSet<Card> {
        FaceSet::only(self)
    }
}

impl Face for Card {
    type Bits = u64;
    const KINDS: usize = KINDS;
    /// Returns the number of the face: 0 for HR, then the special cards, then the two ballots.
    #[inline(always)]
    fn index(self) -> u8 {
        self as u8
    }
    /// Returns the face of a number below `KINDS`; a higher one panics.
    #[inline(always)]
    fn nth(index: u8) -> Self {
        CARDS[index as usize]
    }
    /// Returns the back: Events have their own, all other cards share the plain one.
    #[inline(always)]
    fn back(self) -> Back {
        if matches!(self.kind(), Kind::Event) { EVENT } else { Back::PLAIN }
    }
}

impl fmt::Display for Card {
    /// Writes the word of the notation, like `51%`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().word)
    }
}

impl FromStr for Card {
    type Err = ParseError;
    /// Reads a card by its word of the notation, in upper or lower case.
    ///
    /// # Errors
    ///
    /// Fails for any other text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        CARDS
            .into_iter()
            .find(|c| c.row().word.eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseError::new(text, "a card, like hr, bear or 51%"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_printed_totals() {
        let count = |kind| Card::specials().filter(|c| c.kind() == kind).count();
        assert_eq!(Card::specials().count(), 42);
        let kinds = [Kind::Action, Kind::Paid, Kind::Flash, Kind::Event].map(count);
        assert_eq!(kinds, [23, 4, 6, 9]);
        for card in CARDS {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(Card::nth(card.index()), card);
        }
    }
}
