//! The hex grid: cells, directions, and sets of cells as bits.
//!
//! A [`Cell`] is a place in the largest possible map, the hexagon of radius 8, numbered in reading order (by
//! `r`, then by `q`). Land hexes of any map are numbered in the same order, so the "lowest id" of the rules
//! is the lower cell on every map, and neighbours and rotations are constant tables.

use hexx::Hex;
use pentarchy_engine::ParseError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr};

/// Maximum radius of a map.
pub const MAX_RADIUS: u32 = 8;

/// Number of cells of the largest map.
pub const CELLS: usize = Hex::range_count(MAX_RADIUS) as usize;

/// A place in the largest map, 0 to 216 in reading order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u8);

/// A direction. The order of variants is the order in which neighbours are listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// East.
    E,
    /// North-east.
    NE,
    /// North-west.
    NW,
    /// West.
    W,
    /// South-west.
    SW,
    /// South-east.
    SE,
}

impl Direction {
    /// All six directions, in their order.
    pub const ALL: [Direction; 6] = [Self::E, Self::NE, Self::NW, Self::W, Self::SW, Self::SE];
    /// The change of coordinates in each direction.
    const STEPS: [Hex; 6] =
        [Hex::new(1, 0), Hex::new(1, -1), Hex::new(0, -1), Hex::new(-1, 0), Hex::new(-1, 1), Hex::new(0, 1)];
    /// The words of the notation, by direction.
    const WORDS: [&str; 6] = ["e", "ne", "nw", "w", "sw", "se"];
    /// The names for people, by direction.
    const NAMES: [&str; 6] = ["east", "north-east", "north-west", "west", "south-west", "south-east"];

    /// Returns the name of the direction for people: `east`, `north-east`, `north-west`, `west`, `south-west`
    /// or `south-east`.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// Marks the absence of a cell.
const NOWHERE: u8 = u8::MAX;
/// Width of the square around the largest map.
const SPAN: usize = 2 * MAX_RADIUS as usize + 1;

/// The axial coordinates of every cell, in reading order.
const AT: [Hex; CELLS] = {
    let mut table = [Hex::new(0, 0); CELLS];
    let (reach, mut n, mut r) = (MAX_RADIUS as i32, 0, -(MAX_RADIUS as i32));
    while r <= reach {
        let mut q = -reach;
        while q <= reach {
            if Hex::new(q, r).length() <= reach {
                table[n] = Hex::new(q, r);
                n += 1;
            }
            q += 1;
        }
        r += 1;
    }
    table
};

/// The cell at each place of the square around the largest map, by row `r` and column `q`; [`NOWHERE`]
/// outside of the map.
const CELL_AT: [[u8; SPAN]; SPAN] = {
    let mut table = [[NOWHERE; SPAN]; SPAN];
    let mut n = 0;
    while n < CELLS {
        table[(AT[n].y + MAX_RADIUS as i32) as usize][(AT[n].x + MAX_RADIUS as i32) as usize] = n as u8;
        n += 1;
    }
    table
};

/// Returns the number of the cell at these coordinates; [`NOWHERE`] outside of the largest map. Coordinates
/// must be small enough not to overflow.
const fn cell_at(hex: Hex) -> u8 {
    if hex.length() > MAX_RADIUS as i32 {
        return NOWHERE;
    }
    CELL_AT[(hex.y + MAX_RADIUS as i32) as usize][(hex.x + MAX_RADIUS as i32) as usize]
}

/// The six neighbours of every cell, by direction; [`NOWHERE`] outside of the largest map.
const NEIGHBOURS: [[u8; 6]; CELLS] = {
    let mut table = [[NOWHERE; 6]; CELLS];
    let mut n = 0;
    while n < CELLS {
        let mut d = 0;
        while d < 6 {
            table[n][d] = cell_at(AT[n].const_add(Direction::STEPS[d]));
            d += 1;
        }
        n += 1;
    }
    table
};

/// The neighbours of every cell as a set.
static AROUND: [Cells; CELLS] = {
    let mut table = [Cells::NONE; CELLS];
    let mut n = 0;
    while n < CELLS {
        let mut d = 0;
        while d < 6 {
            let to = NEIGHBOURS[n][d];
            if to != NOWHERE {
                table[n].0[to as usize / 64] |= 1 << (to % 64);
            }
            d += 1;
        }
        n += 1;
    }
    table
};

/// The image of every cell under a rotation by 60°.
const ROTATED: [u8; CELLS] = {
    let mut table = [0; CELLS];
    let mut n = 0;
    while n < CELLS {
        table[n] = cell_at(AT[n].clockwise());
        n += 1;
    }
    table
};

impl Cell {
    /// Returns the cell at these axial coordinates; `None` outside of the largest map.
    pub fn at(q: i32, r: i32) -> Option<Self> {
        let reach = -(MAX_RADIUS as i32)..=MAX_RADIUS as i32;
        let near = reach.contains(&q) && reach.contains(&r);
        near.then(|| cell_at(Hex::new(q, r))).filter(|&c| c != NOWHERE).map(Cell)
    }

    /// Returns the axial coordinates: `x` is `q`, `y` is `r`.
    pub const fn hex(self) -> Hex {
        AT[self.index()]
    }

    /// Returns the number of the cell, 0 to 216 in reading order, as an array index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the neighbour in a direction; `None` outside of the largest map.
    #[inline(always)]
    pub const fn step(self, direction: Direction) -> Option<Cell> {
        let to = NEIGHBOURS[self.index()][direction as usize];
        if to == NOWHERE { None } else { Some(Cell(to)) }
    }

    /// Iterates over the neighbours in the order of directions: six, fewer at the edge of the largest map.
    /// Water is not excluded.
    #[inline(always)]
    pub fn neighbours(self) -> impl Iterator<Item = Cell> {
        NEIGHBOURS[self.index()].into_iter().filter(|&n| n != NOWHERE).map(Cell)
    }

    /// Returns the neighbours as a set: six, fewer at the edge of the largest map. Water is not excluded.
    #[inline(always)]
    pub fn around(self) -> &'static Cells {
        &AROUND[self.index()]
    }

    /// Returns the number of steps between two cells, water ignored; 0 for equal cells.
    pub const fn distance(self, other: Cell) -> u32 {
        self.hex().unsigned_distance_to(other.hex())
    }

    /// Returns the image of this cell under `turns` clockwise rotations by 60° around the middle.
    pub fn rotated(self, turns: u8) -> Cell {
        (0..turns).fold(self, |cell, _| Cell(ROTATED[cell.index()]))
    }
}

impl fmt::Display for Cell {
    /// Writes the axial coordinates, like `3,-1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.hex().x, self.hex().y)
    }
}

impl FromStr for Cell {
    type Err = ParseError;
    /// Reads axial coordinates like `3,-1`, without spaces, plus signs or leading zeros.
    ///
    /// # Errors
    ///
    /// Fails for any other text, or outside of the largest map.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.split_once(',')
            .and_then(|(q, r)| Cell::at(number(q)?, number(r)?))
            .ok_or_else(|| ParseError::new(text, "a hex like `3,-1`"))
    }
}

/// Parses an integer in canonical spelling: a minus sign is allowed, a plus sign or a leading zero is not;
/// `None` for other texts.
fn number(text: &str) -> Option<i32> {
    text.parse().ok().filter(|n: &i32| n.to_string() == text)
}

impl Serialize for Cell {
    /// Writes the coordinates as text to a readable format, else the number of the cell as one byte.
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        if s.is_human_readable() { s.collect_str(self) } else { s.serialize_u8(self.0) }
    }
}

impl<'de> Deserialize<'de> for Cell {
    /// Reads the coordinates as text, like `3,-1`, from a readable format, else the number of the cell as one
    /// byte.
    ///
    /// # Errors
    ///
    /// Fails for malformed coordinates, or if there is no such cell.
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        if d.is_human_readable() {
            return String::deserialize(d)?.parse().map_err(D::Error::custom);
        }
        let n = u8::deserialize(d)?;
        if usize::from(n) < CELLS { Ok(Cell(n)) } else { Err(D::Error::custom("there is no such cell")) }
    }
}

impl fmt::Display for Direction {
    /// Writes the direction as one or two letters, like `ne`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::WORDS[*self as usize])
    }
}

impl FromStr for Direction {
    type Err = ParseError;
    /// Reads a direction: `e`, `ne`, `nw`, `w`, `sw` or `se`.
    ///
    /// # Errors
    ///
    /// Fails for any other text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let found = Self::WORDS.iter().position(|&w| w == text);
        found.map(|d| Self::ALL[d]).ok_or_else(|| ParseError::new(text, "e, ne, nw, w, sw or se"))
    }
}

/// A set of cells: bit `n % 64` of word `n / 64` for cell `n`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cells([u64; 4]);

impl Cells {
    /// The empty set.
    pub const NONE: Cells = Cells([0; 4]);

    /// Returns all cells within this distance of the middle; all cells for 8 and above.
    pub fn ball(radius: u32) -> Self {
        (0..CELLS as u8).map(Cell).filter(|c| c.hex().ulength() <= radius).collect()
    }

    /// Returns whether the cell is in the set.
    #[inline(always)]
    pub const fn has(&self, cell: Cell) -> bool {
        self.0[cell.index() / 64] >> (cell.index() % 64) & 1 != 0
    }

    /// Adds a cell; no effect if it is in the set.
    #[inline(always)]
    pub const fn insert(&mut self, cell: Cell) {
        self.0[cell.index() / 64] |= 1 << (cell.index() % 64);
    }

    /// Removes a cell; no effect if it is not in the set.
    #[inline(always)]
    pub const fn remove(&mut self, cell: Cell) {
        self.0[cell.index() / 64] &= !(1 << (cell.index() % 64));
    }

    /// Returns the set without this cell.
    #[inline(always)]
    pub const fn without(mut self, cell: Cell) -> Self {
        self.remove(cell);
        self
    }

    /// Returns the number of cells.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    /// Returns whether the set is empty.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// Returns the cells that are in both sets, the intersection.
    #[inline(always)]
    pub fn and(&self, other: &Cells) -> Cells {
        Cells(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// Returns the cells that are in at least one of the sets, the union.
    #[inline(always)]
    pub fn or(&self, other: &Cells) -> Cells {
        Cells(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// Returns the cells of `self` that are not in `other`.
    #[inline(always)]
    pub fn minus(&self, other: &Cells) -> Cells {
        Cells(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Returns the lowest cell, the first in reading order; `None` if the set is empty.
    #[inline(always)]
    pub fn first(&self) -> Option<Cell> {
        self.iter().next()
    }

    /// Iterates over the cells in reading order.
    #[inline(always)]
    pub fn iter(&self) -> CellIter {
        CellIter { words: self.0, word: 0 }
    }

    /// Returns the set together with all neighbours of its cells.
    pub fn grown(&self) -> Cells {
        self.iter().fold(*self, |all, c| all.or(c.around()))
    }

    /// Returns all cells that can be reached from `start` without leaving the set, `start` included. `start`
    /// should be in the set; otherwise the parts of the set next to `start` are returned.
    pub fn component(&self, start: Cell) -> Cells {
        let mut reached = Cells::NONE;
        reached.insert(start);
        loop {
            let grown = reached.grown().and(self);
            if grown == reached {
                return reached;
            }
            reached = grown;
        }
    }

    /// Returns whether the set is connected; `true` for the empty set.
    pub fn connected(&self) -> bool {
        self.first().is_none_or(|start| self.component(start) == *self)
    }
}

impl FromIterator<Cell> for Cells {
    /// Collects cells into a set; repeated ones count once.
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Cells::NONE;
        cells.into_iter().for_each(|c| set.insert(c));
        set
    }
}

/// Iterator over the cells of a set in reading order: the bits still to visit, and the current word.
#[derive(Clone, Debug)]
pub struct CellIter {
    words: [u64; 4],
    word: usize,
}

impl Iterator for CellIter {
    type Item = Cell;
    /// Returns the next cell in reading order; `None` at the end.
    #[inline(always)]
    fn next(&mut self) -> Option<Cell> {
        while self.word < 4 {
            let bits = self.words[self.word];
            if bits != 0 {
                self.words[self.word] = bits & (bits - 1);
                return Some(Cell((self.word * 64) as u8 + bits.trailing_zeros() as u8));
            }
            self.word += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_numbered_in_reading_order() {
        assert_eq!(CELLS, 217);
        let all: Vec<Cell> = Cells::ball(MAX_RADIUS).iter().collect();
        assert_eq!(all.len(), CELLS);
        assert!(all.windows(2).all(|w| (w[0].hex().y, w[0].hex().x) < (w[1].hex().y, w[1].hex().x)));
        let sizes: Vec<u32> = (2..=8).map(|r| Cells::ball(r).len()).collect();
        assert_eq!(sizes, [19, 37, 61, 91, 127, 169, 217]);
    }

    #[test]
    fn coordinates_outside_of_the_largest_map_are_no_cells() {
        for (q, r) in
            [(i32::MIN, 0), (0, i32::MIN), (i32::MAX, i32::MAX), (i32::MIN, i32::MIN), (9, 0), (8, 1)]
        {
            assert_eq!(Cell::at(q, r), None);
            assert!(format!("{q},{r}").parse::<Cell>().is_err());
        }
        assert!(Cell::at(8, 0).is_some());
    }

    #[test]
    fn neighbours_and_rotations_follow_the_rules() {
        let names = |c: Cell| c.neighbours().map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
        let middle = Cell::at(0, 0).unwrap();
        assert_eq!(names(middle), "1,0 1,-1 0,-1 -1,0 -1,1 0,1");
        assert_eq!(names(Cell::at(8, -8).unwrap()), "7,-8 7,-7 8,-7");
        // One rotation by 60° maps (q, r) to (−r, q + r).
        for cell in Cells::ball(MAX_RADIUS).iter() {
            let Hex { x: q, y: r } = cell.hex();
            assert_eq!(cell.rotated(1), Cell::at(-r, q + r).unwrap());
            assert_eq!(cell.rotated(6), cell);
            assert_eq!(*cell.around(), cell.neighbours().collect());
            assert_eq!(cell.around().len(), cell.neighbours().count() as u32);
            assert!(cell.neighbours().all(|n| n.distance(cell) == 1));
        }
    }

    #[test]
    fn places_are_read_and_written() {
        for text in ["3,-1", "0,0", "-8,8"] {
            assert_eq!(text.parse::<Cell>().unwrap().to_string(), text);
        }
        for text in ["", "3", "9,0", "5,5", "+1,0", "01,0", "-0,0", "1,0,0", "1, 0", "99999999999,0"] {
            assert!(text.parse::<Cell>().is_err(), "{text}");
        }
    }

    #[test]
    fn sets_hang_together_or_not() {
        let ring = Cells::ball(2).minus(&Cells::ball(1));
        assert!(ring.connected() && Cells::NONE.connected());
        let broken = ring.without(Cell::at(2, 0).unwrap()).without(Cell::at(-2, 0).unwrap());
        assert!(!broken.connected());
        assert_eq!(broken.component(broken.first().unwrap()).len(), 5);
    }
}
