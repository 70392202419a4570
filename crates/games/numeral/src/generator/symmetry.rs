//! The rotational symmetry of a map.

use crate::map::{Cell, Cells};

/// The symmetry of a map: it is invariant under rotation by 360° / `k`, where `k` is its order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symmetry(u8);

impl Symmetry {
    /// Returns the symmetry of a map for this number of players; order 1 if `on` is false.
    pub(crate) fn of(seats: u8, on: bool) -> Self {
        Symmetry(match seats {
            _ if !on => 1,
            2 | 4 => 2,
            3 => 3,
            6 => 6,
            _ => 1,
        })
    }

    /// Returns the order of the symmetry.
    pub(crate) fn order(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the orbit of a hex under the rotations, starting with the hex.
    pub(crate) fn orbit(self, cell: Cell) -> Vec<Cell> {
        let mut orbit = vec![cell];
        let mut next = cell.rotated(6 / self.0);
        while next != cell {
            orbit.push(next);
            next = next.rotated(6 / self.0);
        }
        orbit
    }

    /// Splits a set that is a union of orbits into its orbits, ordered by their lowest hex.
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
