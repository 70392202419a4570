//! Seats, sets of seats, and the place in the log that a proof is bound to.

use crate::primitives::digest;
use core::fmt;

/// The number of seats a table can have, stewards of an escrow included.
pub const MAX_SEATS: u8 = 32;

/// A seat at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeatIndex(u8);

impl SeatIndex {
    /// Creates the index of a seat, counted from 0; `None` if it is not below [`MAX_SEATS`].
    pub const fn new(index: u8) -> Option<Self> {
        if index < MAX_SEATS { Some(Self(index)) } else { None }
    }

    /// Returns the number of the seat, from 0 to `MAX_SEATS − 1`.
    pub const fn index(self) -> u8 {
        self.0
    }
}

impl fmt::Display for SeatIndex {
    /// Writes the number of the seat, from 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of seats, iterated in seat order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Seats(u32);

impl Seats {
    /// No seat.
    pub const EMPTY: Self = Self(0);

    /// Creates a set of one seat.
    pub const fn one(seat: SeatIndex) -> Self {
        Self(1 << seat.0)
    }

    /// Creates the set of seats `0..n`. An `n` above [`MAX_SEATS`] counts as [`MAX_SEATS`].
    pub const fn first(n: u8) -> Self {
        if n >= MAX_SEATS { Self(u32::MAX) } else { Self((1 << n) - 1) }
    }

    /// Returns whether `seat` is in the set.
    pub const fn contains(self, seat: SeatIndex) -> bool {
        self.0 & (1 << seat.0) != 0
    }

    /// Returns a copy of the set that also contains `seat`. `self` does not change.
    #[must_use]
    pub const fn with(self, seat: SeatIndex) -> Self {
        Self(self.0 | 1 << seat.0)
    }

    /// Returns a copy of the set without `seat`. It need not be in the set; `self` does not change.
    #[must_use]
    pub const fn without(self, seat: SeatIndex) -> Self {
        Self(self.0 & !(1 << seat.0))
    }

    /// Returns the seats in this set that are not in `other`.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the number of seats.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the seat of a set with exactly one; `None` for an empty set and for two seats or more.
    pub fn single(self) -> Option<SeatIndex> {
        if self.len() == 1 { self.iter().next() } else { None }
    }

    /// Iterates over the seats in ascending order.
    pub fn iter(self) -> impl Iterator<Item = SeatIndex> {
        (0..MAX_SEATS).map(SeatIndex).filter(move |seat| self.contains(*seat))
    }
}

impl FromIterator<SeatIndex> for Seats {
    /// Returns the set of these seats; repeated ones count once.
    fn from_iter<I: IntoIterator<Item = SeatIndex>>(seats: I) -> Self {
        seats.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Display for Seats {
    /// Writes the seats in ascending order, such as `{0, 2}`; `{}` for none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (i, seat) in self.iter().enumerate() {
            write!(f, "{}{seat}", if i == 0 { "" } else { ", " })?;
        }
        f.write_str("}")
    }
}

/// The identifier of a game: the hash of its descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameId(pub [u8; 32]);

impl GameId {
    /// Computes the identifier of a game from the canonical bytes of its descriptor. Equal bytes give equal
    /// identifiers on every machine.
    pub fn of(descriptor: &[u8]) -> Self {
        Self(digest("pentarchy game v1", &[descriptor]))
    }
}

/// The identifier of a phase of a step of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PhaseId(pub [u8; 32]);

/// A place in the log of one game. Every proof is bound to it and to its maker's seat: moved elsewhere it
/// fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Phase {
    /// The game.
    pub game: GameId,
    /// The phase.
    pub id: PhaseId,
}

impl Phase {
    /// Returns the bytes that a proof is bound to: `game_id ‖ phase_id ‖ u8(seat)`, where `seat` makes the
    /// proof.
    pub(crate) fn context(&self, seat: SeatIndex) -> [u8; 65] {
        let mut context = [0; 65];
        context[..32].copy_from_slice(&self.game.0);
        context[32..64].copy_from_slice(&self.id.0);
        context[64] = seat.0;
        context
    }
}
