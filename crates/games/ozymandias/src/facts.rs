//! Facts: what the rules did while they applied an event. The log, the crisis report and the lab are written
//! from them.
//!
//! A fact holds public information only. A card that may be hidden is named by its token; the observer's
//! position knows whether it may be named.

use crate::actions::Target;
use crate::cards::{FACTIONS, Faction, Factions, Myth, Thing};
use crate::forecast::CrisisResult;
use crate::map::{Corner, Hex};
use pentarchy_engine::{Cx, Seat, Token};

/// The context of the rules.
pub(crate) type Context<'a> = Cx<'a, Thing, Fact>;

/// What a rule of Ozymandias did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    // --- the turn of a player
    /// A seat takes the first turn of the game.
    Started(Seat),
    /// A seat explored: it sold a card to the market for this influence.
    Explored {
        /// The seller.
        seat: Seat,
        /// The card.
        card: Token,
        /// The influence gained.
        price: i32,
    },
    /// A seat expanded: it put this card in its tableau.
    Expanded(Seat, Token),
    /// A seat called a crisis. It may still take back cards before it names the sector.
    CrisisCalled(Seat),
    /// A seat without another action took back its tableau.
    Withdrew(Seat),
    /// A seat placed the new sector.
    Placed {
        /// The explorer.
        seat: Seat,
        /// Where the sector lies.
        hex: Hex,
        /// Its value.
        value: i32,
    },
    /// A seat built a city to expand.
    Built {
        /// The builder.
        seat: Seat,
        /// Where the city stands.
        corner: Corner,
        /// Its faction, which rules the stack now.
        faction: Faction,
        /// The cities of the stack, the new one included.
        cities: usize,
    },

    // --- cards of the tableau, and targets
    /// A seat used a card of its tableau.
    Used {
        /// The owner of the card.
        seat: Seat,
        /// The card.
        card: Myth,
        /// Whether the effect waits for a target, which the next decision names.
        aims: bool,
    },
    /// A seat named a target for its card, and the effect took place.
    Aimed {
        /// The owner of the card.
        seat: Seat,
        /// The card.
        card: Myth,
        /// The target; [`Target::None`] if the seat declined.
        target: Target,
        /// Whether the card asks for another target before anything happens.
        first: bool,
    },

    // --- crises
    /// A seat took back a card of its tableau before a crisis.
    TookBack(Seat, Token),
    /// A seat took back its whole tableau before a crisis.
    TookBackAll(Seat),
    /// A seat started a crisis at a sector.
    CrisisBegan(Seat, Hex),
    /// A seat contributed a card face down.
    Contributed(Seat, Token),
    /// A seat contributed nothing.
    Abstained(Seat),
    /// The crisis has no effect, because nobody contributed.
    NobodyContributed,
    /// The contribution of a seat was turned face up.
    ContributionRevealed(Seat, Token),
    /// A crisis was decided.
    CrisisDecided(Box<CrisisResult>),
    /// A card went to the vault of a seat.
    Locked(Seat, Token),

    // --- purchases
    /// A seat bought a card of the market at the end of a turn.
    Bought {
        /// The buyer.
        seat: Seat,
        /// The card.
        card: Token,
        /// The price.
        price: i32,
    },
    /// A seat bought the top card of the deck for this price.
    BoughtFromDeck(Seat, i32),

    // --- what changes for all to see
    /// Cards were turned face up; the line of the event names them.
    Revealed(Reveal),
    /// The influence of a seat changed by this amount.
    Influence(Seat, i32),
    /// The value of a faction changed.
    ValueMoved {
        /// The faction.
        faction: Faction,
        /// The value before.
        from: i32,
        /// The value after.
        to: i32,
    },
    /// This number of cities of a faction went back to the supply.
    CitiesDestroyed(Faction, u8),
    /// The game is over, except that vaults may still have to be opened.
    Ended(EndReason),
}

/// Which cards were turned face up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reveal {
    /// The new cards of the market.
    Market,
    /// The hidden cards of the vaults, at the end of the game.
    Vaults,
}

/// Why the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndReason {
    /// A seat had to buy a card and could not pay.
    Bankrupt {
        /// The seat.
        seat: Seat,
        /// Its influence.
        influence: i32,
        /// The price of the cheapest card.
        cheapest: i32,
    },
    /// The last round that the options allow is over.
    Cap,
    /// A faction has reached the end of the track.
    History {
        /// The factions that are there now.
        factions: Factions,
        /// The value at the end of the track.
        value: i32,
    },
}

/// Returns how a crisis was decided in these facts, the first if there are several; `None` if none was.
pub fn crisis_result(facts: &[Fact]) -> Option<&CrisisResult> {
    facts.iter().find_map(|fact| match fact {
        Fact::CrisisDecided(result) => Some(&**result),
        _ => None,
    })
}

/// Returns the number of cities that these facts destroyed, by `Faction::index`.
pub fn destroyed(facts: &[Fact]) -> [u8; 4] {
    let of = |wanted: Faction| {
        let cities = facts.iter().map(|fact| match *fact {
            Fact::CitiesDestroyed(faction, cities) if faction == wanted => cities,
            _ => 0,
        });
        cities.sum()
    };
    FACTIONS.map(of)
}
