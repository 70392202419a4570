//! The rotation under which a map looks the same.

use crate::map::{Cell, Cells};

/// A map looks the same after `6 / k` rotations by 60°; `k` is its order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symmetry(u8);

impl Symmetry {
    /// The symmetry of a map for so many players.
    pub(crate) fn of(seats: u8, on: bool) -> Self {
        Symmetry(match seats {
            _ if !on => 1,
            2 | 4 => 2,
            3 => 3,
            6 => 6,
            _ => 1,
        })
    }

    /// How often the map repeats itself around the middle.
    pub(crate) fn order(self) -> usize {
        usize::from(self.0)
    }

    /// The hexes that rotations make of this one, beginning with it.
    pub(crate) fn orbit(self, cell: Cell) -> Vec<Cell> {
        let mut orbit = vec![cell];
        let mut next = cell.rotated(6 / self.0);
        while next != cell {
            orbit.push(next);
            next = next.rotated(6 / self.0);
        }
        orbit
    }

    /// The orbits of a set that is made of whole ones, by their lowest hex.
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
