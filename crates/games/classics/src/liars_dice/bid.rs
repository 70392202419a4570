//! Dice, bids and actions, and their notation.

use pentarchy_engine::{ParseError, faces};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

faces! {
    /// A side of a die.
    pub enum Pip: u16 {
        /// One.
        One = "1",
        /// Two.
        Two = "2",
        /// Three.
        Three = "3",
        /// Four.
        Four = "4",
        /// Five.
        Five = "5",
        /// Six.
        Six = "6",
        /// Seven.
        Seven = "7",
        /// Eight.
        Eight = "8",
        /// Nine.
        Nine = "9",
        /// Ten.
        Ten = "10",
    }
}

/// "At least `count` dice show `face`." Bids are ordered by count, then by face.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Bid {
    /// The number of dice.
    pub count: u8,
    /// The side, from 1.
    pub face: u8,
}

impl fmt::Display for Bid {
    /// Writes count and face: `3 5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.count, self.face)
    }
}

/// An action of the player whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Make a higher bid: `bid 3 5`.
    Bid(Bid),
    /// Challenge the last bid: `liar`.
    Liar,
}

impl fmt::Display for Action {
    /// Writes `bid 3 5` or `liar`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Bid(bid) => write!(f, "bid {bid}"),
            Action::Liar => f.write_str("liar"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseError;
    /// Reads `liar`, or `bid`, a count and a face, both from 0 to 255. Any white space separates the words,
    /// and numbers may have a `+` or leading zeros. Whether the bid is possible is not checked.
    ///
    /// # Errors
    ///
    /// Fails for any other text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let unreadable = || ParseError::new(text, "`bid`, a count and a face, like `bid 3 5`, or `liar`");
        let words: Vec<&str> = text.split_whitespace().collect();
        let number = |word: &str| word.parse().map_err(|_| unreadable());
        match words[..] {
            ["liar"] => Ok(Action::Liar),
            ["bid", count, face] => Ok(Action::Bid(Bid { count: number(count)?, face: number(face)? })),
            _ => Err(unreadable()),
        }
    }
}
