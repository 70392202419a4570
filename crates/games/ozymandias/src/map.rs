//! The galaxy: hexes where sectors lie, and corners where cities stand.

use pentarchy_engine::ParseError;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A place for a sector, in axial coordinates; the first sector lies at (0, 0).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Hex {
    /// The column, to the east.
    pub q: i8,
    /// The row, to the south.
    pub r: i8,
}

/// A corner of the grid: the north (k = 0) or the south (k = 1) corner of a hex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Corner {
    /// The column of the hex.
    pub q: i8,
    /// The row of the hex.
    pub r: i8,
    /// 0 for its north corner, 1 for its south corner.
    pub k: u8,
}

/// Creates a hex from its column and row.
const fn hex(q: i8, r: i8) -> Hex {
    Hex { q, r }
}

/// Creates the corner of the hex in column `q` and row `r`: `k` is 0 for its north corner, 1 for its south
/// corner.
const fn corner(q: i8, r: i8, k: u8) -> Corner {
    Corner { q, r, k }
}

impl Hex {
    /// Returns the hex as an integer for one comparison. Equal hexes have equal numbers; their order has no
    /// meaning.
    #[inline]
    pub(crate) const fn number(self) -> u16 {
        u16::from_ne_bytes([self.q as u8, self.r as u8])
    }

    /// Returns the six hexes around, clockwise from east, whether or not sectors lie there.
    pub fn neighbours(self) -> [Hex; 6] {
        let Hex { q, r } = self;
        [hex(q + 1, r), hex(q, r + 1), hex(q - 1, r + 1), hex(q - 1, r), hex(q, r - 1), hex(q + 1, r - 1)]
    }

    /// Returns the six corners of the hex, clockwise from north.
    pub fn corners(self) -> [Corner; 6] {
        let Hex { q, r } = self;
        [
            corner(q, r, 0),
            corner(q + 1, r - 1, 1),
            corner(q, r + 1, 0),
            corner(q, r, 1),
            corner(q - 1, r + 1, 0),
            corner(q, r - 1, 1),
        ]
    }
}

impl Corner {
    /// Returns the three hexes that meet here, whether or not sectors lie there; the hex that names the
    /// corner first.
    pub fn hexes(self) -> [Hex; 3] {
        let Corner { q, r, k } = self;
        if k == 0 {
            [hex(q, r), hex(q + 1, r - 1), hex(q, r - 1)]
        } else {
            [hex(q, r), hex(q, r + 1), hex(q - 1, r + 1)]
        }
    }

    /// Returns the three corners one edge away, whether or not they are on the map.
    pub fn neighbours(self) -> [Corner; 3] {
        let Corner { q, r, k } = self;
        if k == 0 {
            [corner(q + 1, r - 1, 1), corner(q, r - 1, 1), corner(q + 1, r - 2, 1)]
        } else {
            [corner(q, r + 1, 0), corner(q - 1, r + 1, 0), corner(q - 1, r + 2, 0)]
        }
    }

    /// Returns the corner as an integer; the integers have the order of the corners.
    #[inline]
    pub(crate) const fn number(self) -> u32 {
        ((self.q as i32 + 128) << 16 | (self.r as i32 + 128) << 8) as u32 | self.k as u32
    }

    /// Returns the corner of an integer from [`number`](Self::number); the result for other integers is
    /// unspecified.
    #[inline]
    pub(crate) const fn numbered(number: u32) -> Self {
        let (q, r) = ((number >> 16 & 0xff) as i32 - 128, (number >> 8 & 0xff) as i32 - 128);
        corner(q as i8, r as i8, (number & 0xff) as u8)
    }

    /// Returns whether this corner is one of the six corners of `hex`.
    #[inline]
    pub fn touches(self, hex: Hex) -> bool {
        let (q, r) = self.towards(hex.q, hex.r);
        (q == 0 && r == 0) || (r == -1 && (q == 0 || q == 1))
    }

    /// Returns whether the other corner is this one or one edge away, so that not both may have a stack.
    #[inline]
    pub fn crowds(self, other: Corner) -> bool {
        let (q, r) = self.towards(other.q, other.r);
        if self.k == other.k {
            q == 0 && r == 0
        } else {
            (r == -1 && (q == 0 || q == 1)) || (r == -2 && q == 1)
        }
    }

    /// Returns the hex (`q`, `r`) relative to this corner's. For a south corner the map is rotated by 180°,
    /// so that it looks like one for a north corner.
    #[inline]
    const fn towards(self, q: i8, r: i8) -> (i8, i8) {
        let (q, r) = (q.wrapping_sub(self.q), r.wrapping_sub(self.r));
        if self.k == 0 { (q, r) } else { (q.wrapping_neg(), r.wrapping_neg()) }
    }
}

impl fmt::Display for Hex {
    /// Writes the coordinates, like `1,-1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.q, self.r)
    }
}

impl fmt::Display for Corner {
    /// Writes the coordinates of the hex and `k`, like `0,1,0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.q, self.r, self.k)
    }
}

/// Highest absolute value of a coordinate in the notation: far outside of any map, and small enough for sums.
const FAR: i8 = 60;

/// Parses `N` numbers from -60 to 60 separated by commas, spaces around them allowed; `None` if the text has
/// another form or a number is out of range.
fn numbers<const N: usize>(text: &str) -> Option<[i8; N]> {
    let mut out = [0; N];
    let mut parts = text.split(',');
    for place in &mut out {
        *place = parts.next()?.trim().parse().ok().filter(|n: &i8| (-FAR..=FAR).contains(n))?;
    }
    parts.next().is_none().then_some(out)
}

impl FromStr for Hex {
    type Err = ParseError;
    /// Reads a hex, like `1,-1`.
    ///
    /// # Errors
    ///
    /// Fails for any other text, or if a coordinate is beyond 60.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        numbers(text).map(|[q, r]| Hex { q, r }).ok_or_else(|| ParseError::new(text, "a hex, like 1,-1"))
    }
}

impl FromStr for Corner {
    type Err = ParseError;
    /// Reads a corner, like `0,1,0`.
    ///
    /// # Errors
    ///
    /// Fails for any other text, if a coordinate is beyond 60, or if `k` is neither 0 nor 1.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        match numbers(text) {
            Some([q, r, k @ 0..=1]) => Ok(Corner { q, r, k: k as u8 }),
            _ => Err(ParseError::new(text, "a corner, like 0,1,0")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geometry_agrees_with_itself() {
        for q in -3..3 {
            for r in -3..3 {
                for c in hex(q, r).corners() {
                    assert!(c.touches(hex(q, r)), "{c} touches {q},{r}");
                    assert!(c.neighbours().iter().all(|n| n.neighbours().contains(&c)));
                    assert_eq!(c.to_string().parse(), Ok(c));
                    assert_eq!(Corner::numbered(c.number()), c);
                    let around = (-6..6).flat_map(|q| (-6..6).map(move |r| hex(q, r)));
                    for h in around {
                        assert_eq!(c.touches(h), c.hexes().contains(&h), "{c} and {h}");
                        for other in h.corners() {
                            let near = other == c || c.neighbours().contains(&other);
                            assert_eq!(c.crowds(other), near, "{c} and {other}");
                        }
                    }
                    // Corners one edge apart share exactly two hexes.
                    for n in c.neighbours() {
                        assert_eq!(c.hexes().iter().filter(|h| n.touches(**h)).count(), 2);
                    }
                }
                assert!(hex(q, r).neighbours().iter().all(|n| n.neighbours().contains(&hex(q, r))));
            }
        }
    }
}
