//! Seats, sets of seats, and who knows a face.

use crate::notation::ParseError;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Maximum number of seats of any game.
pub const MAX_SEATS: usize = 7;

/// A place at the table, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// Returns the seat as an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the next seat clockwise at a table of `seats` seats; seat 0 after the last one, and for a seat
    /// that the table does not have.
    #[inline]
    pub const fn next(self, seats: u8) -> Seat {
        if self.0 + 1 >= seats { Seat(0) } else { Seat(self.0 + 1) }
    }

    /// Iterates once over all seats of a table of `seats` seats clockwise, starting with this one, which must
    /// be one of them.
    pub fn ring(self, seats: u8) -> impl Iterator<Item = Seat> {
        (0..seats).map(move |i| Seat(if self.0 + i < seats { self.0 + i } else { self.0 + i - seats }))
    }
}

impl fmt::Display for Seat {
    /// Writes the number of the seat, from 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Seat {
    type Err = ParseError;
    /// Reads the number of a seat, from 0 to 255. Whether the seat exists is checked by the rules.
    ///
    /// # Errors
    ///
    /// Fails if the text is no such number.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.parse().map(Seat).map_err(|_| ParseError::new(text, "the number of a seat"))
    }
}

/// A set of seats: bit i for seat i. The number of a seat must be below 8 in all methods; else they panic in
/// debug builds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatSet(pub u8);

impl SeatSet {
    /// The empty set.
    pub const NONE: SeatSet = SeatSet(0);

    /// Returns the set of the seats 0 … n − 1. `n` must be at most 8.
    #[inline]
    pub const fn first(n: u8) -> SeatSet {
        SeatSet(((1u16 << n) - 1) as u8)
    }

    /// Returns the set that contains only `seat`, whose number must be below 8.
    #[inline]
    pub const fn only(seat: Seat) -> SeatSet {
        SeatSet(1 << seat.0)
    }

    /// Returns whether the seat is in the set. The seat must be below 8.
    #[inline]
    pub const fn has(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 != 0
    }

    /// Adds a seat; no effect if it is in the set already.
    #[inline]
    pub const fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.0;
    }

    /// Removes a seat; no effect if it is not in the set.
    #[inline]
    pub const fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat.0);
    }

    /// Returns the number of seats in the set.
    #[inline]
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Returns whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether every seat of `other` is in this set; `true` for an empty `other`.
    #[inline]
    pub const fn has_all(self, other: SeatSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// Returns whether the sets have a seat in common.
    #[inline]
    pub const fn meets(self, other: SeatSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the next seat of the set clockwise after `seat`, which need not be in it: `seat` itself if it
    /// is the only one, `None` if the set is empty. A game that drops seats keeps those in play as a set, and
    /// passes the turn with this.
    pub fn next_after(self, seat: Seat) -> Option<Seat> {
        self.iter().find(|next| next.0 > seat.0).or_else(|| self.iter().next())
    }

    /// Iterates over the seats of the set in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..8).map(Seat).filter(move |&s| self.has(s))
    }
}

impl std::ops::BitOr for SeatSet {
    type Output = SeatSet;

    /// Returns the union.
    fn bitor(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for SeatSet {
    /// Adds all seats of `other`.
    fn bitor_assign(&mut self, other: SeatSet) {
        self.0 |= other.0;
    }
}

impl std::ops::BitAnd for SeatSet {
    type Output = SeatSet;

    /// Returns the intersection.
    fn bitand(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & other.0)
    }
}

impl std::ops::Sub for SeatSet {
    type Output = SeatSet;

    /// Returns the difference: the seats of `self` that are not in `other`.
    fn sub(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & !other.0)
    }
}

impl std::ops::SubAssign for SeatSet {
    /// Removes all seats of `other`; those that are not in the set are ignored.
    fn sub_assign(&mut self, other: SeatSet) {
        self.0 &= !other.0;
    }
}

impl FromIterator<Seat> for SeatSet {
    /// Collects the seats; repeated ones count once.
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        seats.into_iter().fold(SeatSet::NONE, |set, seat| set | SeatSet::only(seat))
    }
}

impl fmt::Display for SeatSet {
    /// Writes the numbers of the seats, ascending, separated by spaces; nothing for the empty set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, seat) in self.iter().enumerate() {
            write!(f, "{}{seat}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// Who knows a token's face: a set of seats, or all observers including spectators. The number of a seat must
/// be below 7 ([`MAX_SEATS`]) in all methods.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Known(u8);

impl Known {
    /// The bit of a public face; lower bits stand for seats.
    const PUBLIC_BIT: u8 = 0x80;
    /// No seat knows the face.
    pub const NOBODY: Known = Known(0);
    /// The face is public: known to all seats and to spectators.
    pub const PUBLIC: Known = Known(Self::PUBLIC_BIT);

    /// Returns the knowledge of a face that only `seat` knows.
    #[inline]
    pub const fn only(seat: Seat) -> Known {
        Known(1 << seat.0)
    }

    /// Returns whether the face is public, so that rules may read it.
    #[inline]
    pub const fn is_public(self) -> bool {
        self.0 & Self::PUBLIC_BIT != 0
    }

    /// Returns whether `seat` knows the face, because it is public or privately.
    #[inline]
    pub const fn to(self, seat: Seat) -> bool {
        self.0 & (Self::PUBLIC_BIT | 1 << seat.0) != 0
    }

    /// Returns this knowledge with `seat` added; a public face stays public.
    #[inline]
    pub const fn and(self, seat: Seat) -> Known {
        Known(self.0 | 1 << seat.0)
    }

    /// Returns the seats that know the face privately; empty for a public face.
    #[inline]
    pub const fn seats(self) -> SeatSet {
        if self.is_public() { SeatSet::NONE } else { SeatSet(self.0) }
    }

    /// Returns whether any observer other than `seat` knows the face; `true` for every public face.
    #[inline]
    pub const fn beyond(self, seat: Seat) -> bool {
        self.0 & !(1 << seat.0) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turn_passes_clockwise_among_the_seats_of_a_set() {
        for bits in 0..=u8::MAX {
            let set = SeatSet(bits);
            for seat in (0..8).map(Seat) {
                let expected = seat.next(8).ring(8).find(|&next| set.has(next));
                assert_eq!(set.next_after(seat), expected, "{set} after {seat}");
            }
        }
    }
}
