//! The cards: HashRates, the 42 special cards as one table, and the two sides of a ballot.

use pentarchy_engine::{Back, Face, FaceSet, ParseError};
use std::{fmt, str::FromStr};

/// When a card is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Not played: spent on Blocks, kept as Coins.
    HashRate,
    /// In one's own main phase (FLIP in the end phase).
    Action,
    /// An Action that costs Coins.
    Paid,
    /// As a reaction, in a window.
    Flash,
    /// The moment it is drawn.
    Event,
    /// Not a card: the choice of a secret ballot.
    Ballot,
}

impl Kind {
    /// The word for people.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::HashRate => "HashRate",
            Kind::Action => "Action",
            Kind::Paid => "paid Action",
            Kind::Flash => "Flash",
            Kind::Event => "Event",
            Kind::Ballot => "vote",
        }
    }
}

/// The family that is printed on a card. It has no effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// Hurts somebody.
    Attack,
    /// Decided by the flip of a coin.
    Challenge,
    /// Everything that authorities do.
    Central,
    /// A reaction.
    Flash,
    /// From the Pool.
    Gift,
    /// Two-sided.
    Market,
    /// About the next Block.
    Mining,
    /// One thing for another.
    Trade,
}

/// What must be named when a card is played.
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

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The word in notation.
    pub word: &'static str,
    /// The name as printed.
    pub name: &'static str,
    /// When it is played.
    pub kind: Kind,
    /// The printed family.
    pub tag: Tag,
    /// What must be named.
    pub aims: Aims,
    /// What it does, in our own words and with the printed numbers.
    pub text: &'static str,
}

macro_rules! cards {
    ($($card:ident $word:literal $name:literal $kind:ident $tag:ident $aims:ident $text:literal;)*) => {
        /// What a token shows.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Card {
            /// A HashRate; turned over it is a Coin in a Bank or a Block in a Chain.
            Hr,
            $(#[doc = concat!($name, ": ", $text)] $card,)*
            /// A ballot for one Coin each.
            VoteCoin,
            /// A ballot for one HashRate each.
            VoteHr,
        }

        const CARDS: [Card; KINDS] = [Card::Hr, $(Card::$card,)* Card::VoteCoin, Card::VoteHr];

        /// All faces, in the order of their numbers.
        pub const ROWS: [Row; KINDS] = [
            Row { word: "hr", name: "HashRate", kind: Kind::HashRate, tag: Tag::Mining, aims: Aims::Nothing,
                  text: "Spend as many as your Chain is long to mine a Block." },
            $(Row { word: $word, name: $name, kind: Kind::$kind, tag: Tag::$tag, aims: Aims::$aims,
                    text: $text },)*
            Row { word: "vote-b", name: "vote for Coins", kind: Kind::Ballot, tag: Tag::Gift,
                  aims: Aims::Nothing, text: "Everybody should get a Coin." },
            Row { word: "vote-hr", name: "vote for HashRates", kind: Kind::Ballot, tag: Tag::Gift,
                  aims: Aims::Nothing, text: "Everybody should get a HashRate." },
        ];

        /// The rows of the options that say how many copies of each special card there are.
        pub(crate) const COPIES: [pentarchy_engine::Field; SPECIALS] = [
            $(pentarchy_engine::Field::tuning(
                concat!("copies.", $word), 0, crate::options::MOST_COPIES as i64,
                concat!("copies of ", $name),
            ),)*
        ];
    };
}

/// How many special cards there are.
pub const SPECIALS: usize = 42;
const KINDS: usize = SPECIALS + 3;

/// The columns of the table that are looked up all the time, each as a list of its own.
const WHEN: [Kind; KINDS] = {
    let mut column = [Kind::HashRate; KINDS];
    let mut i = 0;
    while i < KINDS {
        column[i] = ROWS[i].kind;
        i += 1;
    }
    column
};
const PLAYED: [bool; KINDS] = {
    let mut column = [false; KINDS];
    let mut i = 0;
    while i < KINDS {
        column[i] = matches!(ROWS[i].kind, Kind::Action | Kind::Paid);
        i += 1;
    }
    column
};
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
    Attack51 "51%"     "51%"      Paid   Attack    Foe     "The target loses the latest Block, and a Coin with it, to the Pool.";
    Agree    "agree"   "AGREE."   Flash  Flash     Nothing "When you are about to lose a Block: keep it, and its Coin.";
    Ath      "ath"     "ATH"      Event  Challenge Nothing "The drawer flips. Won: everybody gets 1 HR.";
    Atl      "atl"     "ATL"      Event  Challenge Nothing "The drawer flips. Lost: everybody loses 1 HR.";
    Bear     "bear"    "BEAR"     Action Attack    Foe     "The target loses 1 HR.";
    Bot      "bot"     "BOT"      Action Challenge Foe     "Challenge an opponent: your 1 HR against 1 HR of his. You need an HR in your Hand, and show it.";
    Btfd     "btfd"    "BTFD"     Event  Challenge Nothing "The drawer gets 1 HR. Then each other player flips for himself: won, he gets as much.";
    Bull     "bull"    "BULL"     Action Gift      Nothing "Get 2 HR from the Pool.";
    Byz      "byz"     "BYZ."     Event  Gift      Nothing "All vote in secret for Coins or HR. If all agree, everybody gets 1 of that kind.";
    Cex      "cex"     "CEX"      Action Central   Nothing "Turn 1 HR of your Hand (shown) over: it becomes a Coin of your Bank.";
    Dca      "dca"     "DCA"      Action Trade     Nothing "Drop 1 of your Coins into the Pool and get 2 HR.";
    Dex      "dex"     "DEX"      Action Trade     Foe     "Offer a card of your Hand, unseen: an opponent must trade 2 HR for it.";
    DiffDown "diff--"  "DIFF--"   Action Mining    Nothing "Your next Block costs 1 HR less.";
    DiffUp   "diff++"  "DIFF++"   Action Mining    Foe     "The target's next Block costs 1 HR more.";
    Double   "double"  "DOUBLE"   Action Gift      Nothing "Your next paid Action of this turn is free.";
    Fees     "fees"    "FEES"     Action Mining    Nothing "Your next Block pays 1 Coin more.";
    Fiat     "fiat"    "FIAT"     Action Central   Nothing "Does nothing at all. But see STABLE.";
    Flip     "flip"    "FLIP"     Action Trade     Foe     "At the end of your turn: exchange your whole Hand with an opponent's. Nothing can prevent it.";
    Fork     "fork"    "FORK"     Paid   Attack    Foe     "Steal the target's latest Block: it is your Block of this turn. The target loses a Coin with it.";
    Half     "half"    "HALF"     Action Attack    Foe     "The target's next Block pays 1 Coin less.";
    Hodl     "hodl"    "HODL"     Flash  Flash     Nothing "When you are about to lose HR: keep them all. A Coin: keep it. A Block: keep the Coin that goes with it.";
    Ico      "ico"     "ICO"      Action Challenge Foe     "Challenge an opponent: your 1 HR against 2 HR of his. You need an HR in your Hand, and show it.";
    Kyc      "kyc"     "KYC"      Event  Central   Nothing "The drawer shows the Hand and draws openly for the rest of the turn, or skips the turn.";
    Margin   "margin"  "MARGIN"   Action Attack    Foe     "The target loses 1 Coin to the Pool.";
    Miner    "miner"   "MINER"    Action Mining    Foe     "Pay the target 1 Coin for all HR of its Hand (at least 1).";
    NoCoin   "no-coin" "NO-COIN"  Event  Gift      Nothing "Whoever has the fewest Coins gets 1; all of them, if several have.";
    Nonce    "nonce"   "NONCE"    Paid   Mining    Nothing "Mine a Block with the HR of the Pool instead of your own.";
    Offline  "offline" "OFFLINE"  Flash  Flash     Nothing "When you are about to lose HR: keep them all.";
    Oracle   "oracle"  "ORACLE"   Action Central   Foe     "Look at the target's Hand, once and alone.";
    Pump     "p&d"     "P&D"      Event  Challenge Nothing "The drawer flips. Won: the others lose 1 HR each, then he gets as much. Lost: he loses it, then the others get it each.";
    Pos      "pos"     "PoS"      Event  Gift      Nothing "Whoever holds an HR shows it and gets 1 more.";
    Ponzi    "ponzi"   "PONZI"    Action Challenge Nothing "Challenge each opponent in turn. Every one must give you a Coin or an HR: the winner chooses which.";
    Rekt     "rekt"    "REKT"     Paid   Attack    Foe     "The target drops all HR of its Hand into the Pool.";
    Sat      "sat"     "SAT"      Action Gift      Nothing "Get 1 Coin from the Pool.";
    Scam     "scam"    "SCAM"     Action Attack    Foe     "Steal 2 HR from the target.";
    Stable   "stable"  "STABLE"   Action Gift      Nothing "Get 2 HR, if FIAT is in the Garbage or in your Hand (shown, and used up).";
    Strong   "strong"  "STRONG"   Flash  Flash     Party   "Before a flip: a party of the challenge that you name wins it.";
    Sybil    "sybil"   "SYBIL"    Event  Attack    Nothing "Everybody loses the latest Block, and a Coin with it.";
    TimeLock "t-l"     "T-L"      Action Attack    Foe     "In the turn after its next Block the target can neither mine nor play a card.";
    Test     "test"    "TEST"     Flash  Flash     Nothing "Cancel the card just played: it goes back to its Hand and cannot be played again this turn.";
    Weak     "weak"    "WEAK"     Flash  Flash     Party   "Before a flip: a party of the challenge that you name loses it.";
    Whale    "whale"   "WHALE"    Action Market    Mode    "Gain: get 2 HR. Attack: each opponent loses 1 HR.";
}

/// The Flash cards, in the order in which the state counts their copies.
pub const FLASH: [Card; 6] = [Card::Agree, Card::Hodl, Card::Offline, Card::Strong, Card::Test, Card::Weak];

/// The back of an Event. (All others look alike from behind.)
pub(crate) const EVENT: Back = Back(1);

impl Card {
    /// The special cards in the order of the table.
    pub fn specials() -> impl Iterator<Item = Card> {
        CARDS[1..=SPECIALS].iter().copied()
    }

    /// The card's row of the table.
    #[inline(always)]
    pub const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// When it is played.
    #[inline(always)]
    pub const fn kind(self) -> Kind {
        WHEN[self as usize]
    }

    /// Whether it is an Action, paid or not.
    #[inline(always)]
    pub const fn is_played(self) -> bool {
        PLAYED[self as usize]
    }

    /// What must be named when it is played.
    #[inline(always)]
    pub const fn aims(self) -> Aims {
        WHAT[self as usize]
    }

    /// The name as printed.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Just this face.
    #[inline(always)]
    pub(crate) fn only(self) -> FaceSet<Card> {
        FaceSet::only(self)
    }
}

impl Face for Card {
    type Bits = u64;
    const KINDS: usize = KINDS;
    #[inline(always)]
    fn index(self) -> u8 {
        self as u8
    }
    #[inline(always)]
    fn nth(index: u8) -> Self {
        CARDS[index as usize]
    }
    #[inline(always)]
    fn back(self) -> Back {
        if matches!(self.kind(), Kind::Event) { EVENT } else { Back::PLAIN }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().word)
    }
}

impl FromStr for Card {
    type Err = ParseError;
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
