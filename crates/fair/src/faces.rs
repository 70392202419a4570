//! Faces and backs as points, and the tables that turn points into numbers again.

use crate::error::OperationError;
use crate::primitives::{Element, hash_to_group};
use alloc::vec::Vec;

/// The number of kinds of faces (backs) a game can have.
pub const MAX_KINDS: usize = 65_536;

/// A kind of face. Identical copies of a card are one kind: were they told apart, they could be followed
/// through a shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FacePoint {
    /// Its number in the game's table.
    index: u32,
    /// Its point.
    element: Element,
}

/// A category that a back shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackPoint {
    /// Its number in the game's table.
    index: u32,
    /// Its point.
    element: Element,
}

/// What both kinds of table share.
trait Kind: Copy {
    /// Creates the kind with this number.
    fn kind(index: u32) -> Self;
    /// Returns the point of the kind.
    fn element(&self) -> &Element;
}

/// Implements a kind: its point is the hash of its number under the label.
macro_rules! kind {
    ($kind:ident, $label:literal) => {
        impl $kind {
            /// Creates the kind with number `index`. Its point is a hash of the number, so it is the same in
            /// every game and on every machine; the number is not compared with a table.
            pub fn new(index: u32) -> Self {
                Self { index, element: hash_to_group($label, &index.to_le_bytes()) }
            }

            /// Returns the number of the kind in the game's table.
            pub fn index(&self) -> u32 {
                self.index
            }

            /// Returns the canonical 32-byte encoding of the kind's point.
            pub fn bytes(&self) -> &[u8; 32] {
                self.element.bytes()
            }

            /// Returns the kind's point.
            pub(crate) fn element(&self) -> &Element {
                &self.element
            }
        }

        impl Kind for $kind {
            /// Creates the kind with this number, which is hashed to its point.
            fn kind(index: u32) -> Self {
                Self::new(index)
            }

            /// Returns the kind's point.
            fn element(&self) -> &Element {
                &self.element
            }
        }
    };
}

kind!(FacePoint, "face");
kind!(BackPoint, "back");

/// All kinds of one game, found by number or by point.
struct Table<K> {
    /// The kinds in the order of their numbers.
    kinds: Vec<K>,
    /// Numbers in the order of the encodings of their points.
    sorted: Vec<u32>,
}

impl<K: Kind> Table<K> {
    /// Builds the table of kinds `0..kinds`. `0` gives an empty table.
    ///
    /// # Errors
    ///
    /// Fails with `TooMany` if there are more than [`MAX_KINDS`].
    fn new(kinds: u32) -> Result<Self, OperationError> {
        if kinds as usize > MAX_KINDS {
            return Err(OperationError::TooMany { limit: MAX_KINDS, found: kinds as usize });
        }
        let kinds: Vec<K> = (0..kinds).map(K::kind).collect();
        let mut sorted: Vec<u32> = (0..kinds.len() as u32).collect();
        sorted.sort_unstable_by_key(|i| *kinds[*i as usize].element().bytes());
        Ok(Self { kinds, sorted })
    }

    /// Returns the kind whose point has this encoding, by binary search.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if there is none.
    fn find(&self, bytes: &[u8; 32]) -> Result<&K, OperationError> {
        let found = self.sorted.binary_search_by(|i| self.kinds[*i as usize].element().bytes().cmp(bytes));
        match found {
            Ok(i) => Ok(&self.kinds[self.sorted[i] as usize]),
            Err(_) => Err(OperationError::NoFace),
        }
    }
}

/// The faces of a game.
pub struct FaceTable(Table<FacePoint>);

/// The backs (categories) of a game.
pub struct BackTable(Table<BackPoint>);

/// Implements the public table of a kind.
macro_rules! table {
    ($table:ident, $kind:ident) => {
        impl $table {
            /// Builds the table of kinds `0..kinds`; `0` gives an empty table. It hashes one point per kind,
            /// so build it once per game.
            ///
            /// # Errors
            ///
            /// Fails with `TooMany` if there are more than [`MAX_KINDS`].
            pub fn new(kinds: u32) -> Result<Self, OperationError> {
                Table::new(kinds).map(Self)
            }

            /// Returns the kind with this number; `None` if the number is not below the size of the table.
            pub fn get(&self, index: u32) -> Option<&$kind> {
                self.0.kinds.get(index as usize)
            }

            /// Returns all kinds in the order of their numbers: `all()[i]` has the index `i`.
            pub fn all(&self) -> &[$kind] {
                &self.0.kinds
            }

            /// Returns the kind that has this point.
            ///
            /// # Errors
            ///
            /// Fails with `NoFace` if the point is not in the table.
            pub(crate) fn find(&self, element: &Element) -> Result<&$kind, OperationError> {
                self.0.find(element.bytes())
            }
        }
    };
}

table!(FaceTable, FacePoint);
table!(BackTable, BackPoint);
