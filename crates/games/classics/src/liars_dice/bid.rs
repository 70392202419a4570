//! Dice, bids and actions, and their notation.

use pentarchy_engine::{actions, faces};
use serde::{Deserialize, Serialize};

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

actions! {
    /// "At least `count` dice show `face`." Bids are ordered by count, then by face.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    pub struct Bid {
        /// The number of dice.
        pub count: u8,
        /// The side, from 1.
        pub face: u8,
    } = "{count} {face}"
}

actions! {
    /// An action of the player whose turn it is.
    pub enum Action {
        /// Make a higher bid: `bid 3 5`.
        Bid(bid: Bid) = "bid {bid}",
        /// Challenge the last bid: `liar`.
        Liar = "liar",
    }
}
