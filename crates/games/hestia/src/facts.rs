//! Facts: what the rules did while they applied an event. The log and the reports are written from them.

use crate::blocks::Unit;
use crate::face::Shown;
use crate::map::Place;
use crate::view::Fought;
use pentarchy_engine::{Cx, Seat, Token};

/// The context of the rules.
pub(crate) type Context<'a> = Cx<'a, Shown, Fact>;

/// What a rule of The Hestian Civil Wars did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// The bid for the first turn was decided.
    BidSettled {
        /// The bid of each seat.
        scores: [u8; 2],
        /// The seat that moves first.
        first: Seat,
    },
    /// A battle began.
    BattleBegan(Place),
    /// A seat rolled a die.
    Rolled(Seat, u32),
    /// The last die of a clash was rolled: the scores, and the strength that each side loses.
    ClashScored(Fought),
    /// A block was destroyed.
    Destroyed(Token, Unit),
    /// An army left the battle for this place.
    Retreated(Seat, Place),
    /// A seat won a city-state.
    CityWon(Seat, Place),
    /// A seat lost a city-state.
    CityLost(Seat, Place),
    /// The last year is known now.
    LastYearFixed(u8),
    /// A year began.
    YearBegan(u8),
    /// A seat drew this number of cards.
    Drew(Seat, u8),
}
