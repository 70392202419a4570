//! The rotational symmetry of a map.

use crate::map::{Cell, Cells};

/// The symmetry of a map: it is invariant under rotation by 360° / `k`, where `k` is its order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symmetry(u8);

impl Symmetry {
    /// Returns the symmetry of a map for this number of players: order 2 for 2 and 4, 3 for 3, 6 for 6; order
    /// 1, no symmetry, for other numbers or if `on` is false.
    pub(crate) fn of(seats: u8, on: bool) -> Self {
        Symmetry(match seats {
            _ if !on => 1,
            2 | 4 => 2,
            3 => 3,
            6 => 6,
            _ => 1,
        })
    }

    /// Returns the order of the symmetry: 1, 2, 3 or 6.
    pub(crate) fn order(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the orbit of a hex under the rotations, each hex once, starting with `cell`. The middle is
    /// alone.
    pub(crate) fn orbit(self, cell: Cell) -> Vec<Cell> {
        let mut orbit = vec![cell];
        let mut next = cell.rotated(6 / self.0);
        while next != cell {
            orbit.push(next);
            next = next.rotated(6 / self.0);
        }
        orbit
    }

    /// Splits a set into its orbits, ordered by their lowest hex, which is the first of each. The set must be
    /// a union of orbits.
    pub(crate) fn orbits(self, set: &Cells) -> Vec<Vec<Cell>> {
        let mut left = *set;
        let mut orbits = Vec::new();
        while let Some(cell) = left.first() {
            let orbit = self.orbit(cell);
            orbit.iter().for_each(|&c| left.remove(c));
            orbits.push(orbit);
        }
        orbits
    }
}
