//! The sides of the game, and the zones of cards.

use crate::state::{MOST_EMPIRE_SLOTS, MOST_SEATS, MOST_SLOTS};
use pentarchy_engine::{Seat, Zone};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A player, or the Empire: the number of the seat from 0 to 5, or 6 for the Empire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Side(pub u8);

impl Side {
    /// The United Empire.
    pub const EMPIRE: Side = Side(MOST_SEATS as u8);

    /// Returns whether this is the Empire.
    #[inline]
    pub const fn is_empire(self) -> bool {
        self.0 == Side::EMPIRE.0
    }

    /// Returns the seat of a player's side; `None` for the Empire.
    #[inline]
    pub const fn seat(self) -> Option<Seat> {
        if self.is_empire() { None } else { Some(Seat(self.0)) }
    }

    /// Returns the side as an array index: the seat, or 6 for the Empire.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<Seat> for Side {
    /// Returns the side of a seat. The seat must be below 6: 6 is the Empire.
    #[inline]
    fn from(seat: Seat) -> Self {
        Side(seat.0)
    }
}

impl fmt::Display for Side {
    /// Writes the number of the seat, or `e` for the Empire.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seat() {
            Some(seat) => seat.fmt(f),
            None => f.write_str("e"),
        }
    }
}

/// The deck of the common pool.
pub const POOL_DECK: Zone = Zone(0);
/// The common pool: the cards for sale this round.
pub const COMMON: Zone = Zone(1);
/// Discarded cards that are shuffled into the pool deck when it is empty.
pub const POOL_DISCARD: Zone = Zone(2);
/// Cards outside the game, for promotions.
pub const RESERVE: Zone = Zone(3);
/// The two cards that an Offer exchanges: first the one taken, then the one given.
pub const ASIDE: Zone = Zone(4);
/// Zone number of the Empire's deck.
const EMPIRE_DECK: u8 = 5;
/// Zone number of the Empire's discard pile.
const EMPIRE_DISCARD: u8 = 6;
/// Zone number of the Empire's slot 0; its other slots follow.
const FIRST_EMPIRE_SLOT: u8 = 7;
/// Zone number of seat 0's deck; the zones of all players follow, seat by seat.
const FIRST_OF_PLAYERS: u8 = FIRST_EMPIRE_SLOT + MOST_EMPIRE_SLOTS;
/// Number of zones of each player: deck, discard pile, hand and slots.
const PER_PLAYER: u8 = 3 + MOST_SLOTS;

/// Returns a zone of a player: `what` is 0 for the deck, 1 for the discard pile, 2 for the hand, 3 and more
/// for slot `what - 3`. Neither number is checked.
const fn of_player(seat: u8, what: u8) -> Zone {
    Zone(FIRST_OF_PLAYERS + seat * PER_PLAYER + what)
}

/// Returns the zone of a side's draw deck. The side is not checked: a number above 6 gives a zone that does
/// not exist.
#[inline]
pub const fn deck(side: Side) -> Zone {
    if side.is_empire() { Zone(EMPIRE_DECK) } else { of_player(side.0, 0) }
}

/// Returns the zone of a side's discard pile. The side is not checked: a number above 6 gives a zone that
/// does not exist.
#[inline]
pub const fn discard(side: Side) -> Zone {
    if side.is_empire() { Zone(EMPIRE_DISCARD) } else { of_player(side.0, 1) }
}

/// Returns the zone of a player's hand. The seat is not checked: a number above 5 gives a zone that does not
/// exist.
#[inline]
pub const fn hand(seat: Seat) -> Zone {
    of_player(seat.0, 2)
}

/// Returns the zone of slot `i` of a side, counted from 0. The base card is its top. `i` is not checked.
#[inline]
pub const fn slot(side: Side, i: u8) -> Zone {
    if side.is_empire() { Zone(FIRST_EMPIRE_SLOT + i) } else { of_player(side.0, 3 + i) }
}

/// The kind of a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The pool deck, the common pool, the pool discard, the reserve, or the cards set aside.
    Table,
    /// A side's deck.
    Deck(Side),
    /// A side's discard pile.
    Discard(Side),
    /// A player's hand.
    Hand(Seat),
    /// A slot of a side.
    Slot(Side, u8),
}

/// Returns the kind of a zone, and its owner. The zone must exist; any other number gives a slot or pile of a
/// side that does not exist.
#[inline]
pub const fn place(zone: Zone) -> Place {
    match zone.0 {
        EMPIRE_DECK => Place::Deck(Side::EMPIRE),
        EMPIRE_DISCARD => Place::Discard(Side::EMPIRE),
        z if z < FIRST_EMPIRE_SLOT => Place::Table,
        z if z < FIRST_OF_PLAYERS => Place::Slot(Side::EMPIRE, z - FIRST_EMPIRE_SLOT),
        z => {
            let (seat, what) = ((z - FIRST_OF_PLAYERS) / PER_PLAYER, (z - FIRST_OF_PLAYERS) % PER_PLAYER);
            match what {
                0 => Place::Deck(Side(seat)),
                1 => Place::Discard(Side(seat)),
                2 => Place::Hand(Seat(seat)),
                i => Place::Slot(Side(seat), i - 3),
            }
        }
    }
}

/// Returns the name of a zone in the notation: `pool deck`, `common pool`, `pool discard`, `reserve`,
/// `aside`, or `deck`, `discard`, `hand` or `slot` with a side (and slot number): `slot e 3`. The zone must
/// exist.
pub(crate) fn zone_name(zone: Zone) -> String {
    match (zone, place(zone)) {
        (POOL_DECK, _) => "pool deck".to_string(),
        (COMMON, _) => "common pool".to_string(),
        (POOL_DISCARD, _) => "pool discard".to_string(),
        (RESERVE, _) => "reserve".to_string(),
        (_, Place::Table) => "aside".to_string(),
        (_, Place::Deck(side)) => format!("deck {side}"),
        (_, Place::Discard(side)) => format!("discard {side}"),
        (_, Place::Hand(seat)) => format!("hand {seat}"),
        (_, Place::Slot(side, i)) => format!("slot {side} {i}"),
    }
}

/// Number of zones.
pub const ZONES: usize = FIRST_OF_PLAYERS as usize + MOST_SEATS * PER_PLAYER as usize;
