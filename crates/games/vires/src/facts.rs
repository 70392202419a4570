//! Facts: what the rules did while they applied an event. The log is written from them.

use crate::cards::Card;
use pentarchy_engine::{Cx, Seat};

/// The context of the rules.
pub(crate) type Context<'a> = Cx<'a, Card, Fact>;

/// What a rule of Vires In Numeris did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// A card was cancelled.
    Cancelled(Card),
    /// A reaction saved a player from a loss.
    Kept {
        /// The player.
        seat: Seat,
        /// What was kept.
        what: Kept,
        /// Whether the trade of a DEX was called off.
        no_trade: bool,
    },
    /// A player did not cover the stake of this card's challenge and lost it.
    Uncovered(Seat, Card),
    /// A challenge was decided.
    Decided {
        /// The challenged player.
        seat: Seat,
        /// The card that demanded the challenge.
        card: Card,
        /// Whether the challenged player won.
        won: bool,
        /// Whether a coin was flipped; otherwise a reaction decided.
        flipped: bool,
        /// Whether nothing follows from the result.
        idle: bool,
    },
}

/// What a reaction saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// The Block and the Coin that goes with it.
    BlockAndCoin,
    /// The Coin.
    Coin,
    /// All HR.
    Hr,
}
