//! Faces of tokens, and sets of faces.

use crate::notation::ParseError;
use crate::token::Back;
use std::fmt::{Debug, Display};
use std::marker::PhantomData;
use std::str::FromStr;

/// The kinds of faces of a game, numbered from 0. `Display` and `FromStr` are the notation: one word.
pub trait Face: Copy + Eq + Debug + Display + FromStr<Err = ParseError> + Send + Sync + 'static {
    /// An unsigned integer with at least `KINDS` bits, used for sets of faces.
    type Bits: Bits;
    /// Number of kinds; at most 128.
    const KINDS: usize;
    /// Returns the number of this kind, below `KINDS`.
    fn index(self) -> u8;
    /// Returns the kind with this number. The caller guarantees `index < KINDS`; other numbers may panic.
    fn nth(index: u8) -> Self;
    /// Returns the category that the back of such a token shows, in games whose backs differ. The default is
    /// one back for all.
    #[inline(always)]
    fn back(self) -> Back {
        Back::PLAIN
    }
}

/// The face type of games without tokens; it has no values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoFace {}

impl Face for NoFace {
    type Bits = u8;
    const KINDS: usize = 0;
    /// Is never called: the type has no values.
    fn index(self) -> u8 {
        match self {}
    }
    /// Panics: no number is below `KINDS`, which is 0.
    fn nth(_: u8) -> Self {
        unreachable!("no token has a face in this game")
    }
}

impl Display for NoFace {
    /// Is never called: the type has no values.
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {}
    }
}

impl FromStr for NoFace {
    type Err = ParseError;
    /// Parses nothing.
    ///
    /// # Errors
    ///
    /// Fails for every text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        Err(ParseError::new(text, "nothing: this game has no faces"))
    }
}

/// A bit set of small numbers in an unsigned integer.
pub trait Bits: Copy + Eq + Debug + Default + Send + Sync + 'static {
    /// Returns the set of the numbers below `n`, which must not exceed the bits of the type.
    fn below(n: usize) -> Self;
    /// Returns the set that contains only `i`, which must be below the number of bits of the type.
    fn only(i: u8) -> Self;
    /// Returns the union.
    fn or(self, other: Self) -> Self;
    /// Returns the intersection.
    fn and(self, other: Self) -> Self;
    /// Returns the elements of `self` that are not in `other`.
    fn minus(self, other: Self) -> Self;
    /// Returns the number of elements.
    fn count(self) -> u32;
    /// Returns the set as a `u128`, bit for bit.
    fn wide(self) -> u128;
    /// Returns the low bits of a `u128` as a set; those that the type has no room for are dropped.
    fn narrow(wide: u128) -> Self;
}

/// Implements [`Bits`] for unsigned integers: bit i says whether the number i is in the set.
macro_rules! integers_are_bit_sets {
    ($($int:ty),*) => {$(
        impl Bits for $int {
            /// Returns the set of the numbers below `n`; panics in debug builds if the type has fewer bits.
            #[inline]
            fn below(n: usize) -> Self {
                if n == 0 { 0 } else { <$int>::MAX >> (<$int>::BITS as usize - n) }
            }
            /// Returns the set of `i` alone; panics in debug builds if the type has no such bit.
            #[inline]
            fn only(i: u8) -> Self { 1 << i }
            /// Returns the union.
            #[inline]
            fn or(self, other: Self) -> Self { self | other }
            /// Returns the intersection.
            #[inline]
            fn and(self, other: Self) -> Self { self & other }
            /// Returns the difference.
            #[inline]
            fn minus(self, other: Self) -> Self { self & !other }
            /// Returns the number of elements.
            #[inline]
            fn count(self) -> u32 { self.count_ones() }
            /// Returns the same bits as a `u128`.
            #[inline]
            fn wide(self) -> u128 { self.into() }
            /// Returns the low bits; those that the type has no room for are dropped.
            #[inline]
            fn narrow(wide: u128) -> Self { wide as $int }
        }
    )*};
}
integers_are_bit_sets!(u8, u16, u32, u64, u128);

/// A set of kinds of faces: bit i for `F::nth(i)`, and no bit from `KINDS` on.
pub struct FaceSet<F: Face>(pub(crate) F::Bits, PhantomData<F>);

impl<F: Face> Clone for FaceSet<F> {
    /// Returns a copy.
    fn clone(&self) -> Self {
        *self
    }
}
impl<F: Face> Copy for FaceSet<F> {}
impl<F: Face> PartialEq for FaceSet<F> {
    /// Returns whether both sets contain the same faces.
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<F: Face> Eq for FaceSet<F> {}
impl<F: Face> Debug for FaceSet<F> {
    /// Writes the faces in the order of their numbers: `{Jack, King}`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<F: Face> FaceSet<F> {
    /// Creates a set from bits, bit i for `F::nth(i)`. Bits from `KINDS` on are dropped.
    #[inline]
    pub fn from_bits(bits: F::Bits) -> Self {
        FaceSet(bits.and(F::Bits::below(F::KINDS)), PhantomData)
    }

    /// Returns the set as bits, bit i for `F::nth(i)`.
    #[inline]
    pub fn bits(self) -> F::Bits {
        self.0
    }

    /// Returns the empty set.
    #[inline]
    pub fn none() -> Self {
        FaceSet(F::Bits::default(), PhantomData)
    }

    /// Returns the set of all faces of the game.
    #[inline]
    pub fn all() -> Self {
        FaceSet(F::Bits::below(F::KINDS), PhantomData)
    }

    /// Returns the set that contains only `face`.
    #[inline]
    pub fn only(face: F) -> Self {
        FaceSet(F::Bits::only(face.index()), PhantomData)
    }

    /// Returns the set of all faces for which the predicate holds.
    pub fn filter(holds: impl Fn(F) -> bool) -> Self {
        (0..F::KINDS as u8).map(F::nth).filter(|&f| holds(f)).collect()
    }

    /// Returns whether the face is in the set.
    #[inline]
    pub fn has(self, face: F) -> bool {
        self.has_number(face.index())
    }

    /// Returns whether the face with this number is in the set. The number must be below the bits of
    /// `F::Bits`, so `UNKNOWN` is not allowed.
    #[inline(always)]
    pub(crate) fn has_number(self, face: u8) -> bool {
        self.0.and(F::Bits::only(face)) != F::Bits::default()
    }

    /// Returns the union.
    #[inline]
    pub fn or(self, other: Self) -> Self {
        FaceSet(self.0.or(other.0), PhantomData)
    }

    /// Returns the intersection.
    #[inline]
    pub fn and(self, other: Self) -> Self {
        FaceSet(self.0.and(other.0), PhantomData)
    }

    /// Returns the faces of `self` that are not in `other`.
    #[inline]
    pub fn minus(self, other: Self) -> Self {
        FaceSet(self.0.minus(other.0), PhantomData)
    }

    /// Returns all faces of the game that are not in the set.
    #[inline]
    pub fn complement(self) -> Self {
        Self::all().minus(self)
    }

    /// Returns the number of faces in the set.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count() as usize
    }

    /// Returns whether the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == F::Bits::default()
    }

    /// Iterates over the faces in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = F> {
        (0..F::KINDS as u8).map(F::nth).filter(move |&f| self.has(f))
    }
}

impl<F: Face> FromIterator<F> for FaceSet<F> {
    /// Collects the faces; repeated ones count once.
    fn from_iter<I: IntoIterator<Item = F>>(faces: I) -> Self {
        faces.into_iter().fold(Self::none(), |set, f| set.or(Self::only(f)))
    }
}
