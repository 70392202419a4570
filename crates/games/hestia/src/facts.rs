//! Facts: what the rules did while they applied an event. The log and the reports are written from them.

use crate::blocks::Unit;
use crate::face::{Mode, Shown};
use crate::map::Place;
use crate::view::Fought;
use pentarchy_engine::{Cx, Seat, Token};

/// The context of the rules.
pub(crate) type Context<'a> = Cx<'a, Shown, Fact>;

/// What a rule of The Hestian Civil Wars did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    // --- what a seat does
    /// A seat played this card face down as its bid.
    Bid(Seat, Token),
    /// A seat added this card to its bid or to its card in a clash.
    Added(Seat, Token),
    /// A seat discarded a card of its hand.
    Discarded(Seat, Token, Purpose),
    /// A seat chose how many cards to spend on movement.
    MovementPaid(Seat, u8),
    /// A seat that does not move has exchanged this number of cards.
    Exchanged(Seat, u8),
    /// A seat activated an army at this place.
    ArmyActivated(Seat, Place),
    /// A seat rallied blocks at this place, a sea for ships.
    Rallied(Seat, Place),
    /// A block of the pool came onto the map.
    Raised(Token, Unit),
    /// An army moved to a place.
    Marched {
        /// The owner of the army.
        seat: Seat,
        /// Where it went.
        to: Place,
        /// The blocks of the army before the move.
        blocks: u8,
    },
    /// The army of a seat placed an influence token.
    TokenPlaced(Seat, Place),
    /// The army of a seat left a block behind.
    LeftBlock(Seat, Place),
    /// A seat played a card face down in a clash. Whether it fights or covers a retreat is sealed.
    SealedCardPlayed(Seat, Token),
    /// A seat played a card to fight an attacker who has none.
    FightCardPlayed(Seat, Token),
    /// A seat without cards made its sealed choice to stand or to withdraw.
    HeldWithoutCard(Seat),
    /// A block in a battle lost or regained strength, by choice or because no other could. A block that loses
    /// its last strength is `Destroyed` instead.
    StrengthChanged {
        /// The block.
        unit: Unit,
        /// Its strength before.
        was: u8,
        /// Its strength after.
        is: u8,
    },

    // --- shuffles and reveals
    /// The discard pile of a seat became its deck, after the first year.
    Reshuffled(Seat),
    /// The card that a seat has bid became public.
    BidShown(Seat, Token),
    /// The blocks of both armies in a battle became public.
    ArmiesShown {
        /// The attacker.
        attacker: Seat,
        /// Where the armies are.
        place: Place,
    },
    /// The sealed choice of a seat in a clash became public.
    ModeShown(Seat, Mode),
    /// The card that a seat plays in a clash became public.
    CardShown(Seat, Token),
    /// The blocks that count at the end became public.
    BlocksShown,

    // --- what follows
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
    /// A year that is not the last one ended, with the influence tokens of each seat.
    YearEnded(u8, [TokenCount; 2]),
    /// A year began.
    YearBegan(u8),
    /// A seat drew this number of cards.
    Drew(Seat, u8),
}

/// Influence tokens of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TokenCount {
    /// The active ones: each wins a city-state.
    pub active: u8,
    /// The inactive ones on the map.
    pub inactive: u8,
    /// Those that are still to be placed.
    pub left: u8,
}

/// Why a card was discarded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// For the turn of the year; more cards follow.
    Half,
    /// For the turn of the year; half of the hand is gone now.
    HalfComplete,
    /// To pay for movement.
    Movement,
    /// For a new card.
    Exchange,
    /// For a forced march.
    ForcedMarch,
}
