//! What a token shows when it lies face up, and sets of such faces.

use crate::notation::ParseError;
use crate::token::Back;
use std::fmt::{Debug, Display};
use std::marker::PhantomData;
use std::str::FromStr;

/// The kinds of faces of a game as small numbers. `Display` and `FromStr` are the notation: one word.
pub trait Face: Copy + Eq + Debug + Display + FromStr<Err = ParseError> + Send + Sync + 'static {
    /// An unsigned integer with at least `KINDS` bits.
    type Bits: Bits;
    /// How many kinds there are; at most 128.
    const KINDS: usize;
    /// The number of this kind, below `KINDS`.
    fn index(self) -> u8;
    /// The kind with this number; `index` is always below `KINDS`.
    fn nth(index: u8) -> Self;
    /// What the back of such a token tells: its category, in games whose backs tell one.
    #[inline(always)]
    fn back(self) -> Back {
        Back::PLAIN
    }
}

/// The face of games without tokens: there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoFace {}

impl Face for NoFace {
    type Bits = u8;
    const KINDS: usize = 0;
    fn index(self) -> u8 {
        match self {}
    }
    fn nth(_: u8) -> Self {
        unreachable!("no token has a face in this game")
    }
}

impl Display for NoFace {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {}
    }
}

impl FromStr for NoFace {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        Err(ParseError::new(text, "nothing: this game has no faces"))
    }
}

/// An unsigned integer as a set of small numbers.
pub trait Bits: Copy + Eq + Debug + Default + Send + Sync + 'static {
    /// The set of the numbers below `n`.
    fn below(n: usize) -> Self;
    /// The set of one number.
    fn only(i: u8) -> Self;
    /// Both sets together.
    fn or(self, other: Self) -> Self;
    /// What is in both.
    fn and(self, other: Self) -> Self;
    /// What is here and not there.
    fn minus(self, other: Self) -> Self;
    /// How many numbers are in the set.
    fn count(self) -> u32;
    /// The set as the widest integer.
    fn wide(self) -> u128;
    /// The set from the widest integer; bits beyond this type are dropped.
    fn narrow(wide: u128) -> Self;
}

macro_rules! integers_are_bit_sets {
    ($($int:ty),*) => {$(
        impl Bits for $int {
            #[inline]
            fn below(n: usize) -> Self {
                if n == 0 { 0 } else { <$int>::MAX >> (<$int>::BITS as usize - n) }
            }
            #[inline]
            fn only(i: u8) -> Self { 1 << i }
            #[inline]
            fn or(self, other: Self) -> Self { self | other }
            #[inline]
            fn and(self, other: Self) -> Self { self & other }
            #[inline]
            fn minus(self, other: Self) -> Self { self & !other }
            #[inline]
            fn count(self) -> u32 { self.count_ones() }
            #[inline]
            fn wide(self) -> u128 { self.into() }
            #[inline]
            fn narrow(wide: u128) -> Self { wide as $int }
        }
    )*};
}
integers_are_bit_sets!(u8, u16, u32, u64, u128);

/// A set of kinds of faces.
pub struct FaceSet<F: Face>(pub(crate) F::Bits, PhantomData<F>);

impl<F: Face> Clone for FaceSet<F> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<F: Face> Copy for FaceSet<F> {}
impl<F: Face> PartialEq for FaceSet<F> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<F: Face> Eq for FaceSet<F> {}
impl<F: Face> Debug for FaceSet<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<F: Face> FaceSet<F> {
    /// The set with these bits, bit i for `F::nth(i)`.
    #[inline]
    pub fn from_bits(bits: F::Bits) -> Self {
        FaceSet(bits.and(F::Bits::below(F::KINDS)), PhantomData)
    }

    /// The set as bits, bit i for `F::nth(i)`.
    #[inline]
    pub fn bits(self) -> F::Bits {
        self.0
    }

    /// No face.
    #[inline]
    pub fn none() -> Self {
        FaceSet(F::Bits::default(), PhantomData)
    }

    /// All faces of the game.
    #[inline]
    pub fn all() -> Self {
        FaceSet(F::Bits::below(F::KINDS), PhantomData)
    }

    /// Just this face.
    #[inline]
    pub fn only(face: F) -> Self {
        FaceSet(F::Bits::only(face.index()), PhantomData)
    }

    /// The faces for which the predicate holds.
    pub fn filter(holds: impl Fn(F) -> bool) -> Self {
        (0..F::KINDS as u8).map(F::nth).filter(|&f| holds(f)).collect()
    }

    /// Whether the face is in the set.
    #[inline]
    pub fn has(self, face: F) -> bool {
        self.has_number(face.index())
    }

    /// Whether the face with this number is in the set.
    #[inline(always)]
    pub(crate) fn has_number(self, face: u8) -> bool {
        self.0.and(F::Bits::only(face)) != F::Bits::default()
    }

    /// Both sets together.
    #[inline]
    pub fn or(self, other: Self) -> Self {
        FaceSet(self.0.or(other.0), PhantomData)
    }

    /// What is in both.
    #[inline]
    pub fn and(self, other: Self) -> Self {
        FaceSet(self.0.and(other.0), PhantomData)
    }

    /// What is here and not there.
    #[inline]
    pub fn minus(self, other: Self) -> Self {
        FaceSet(self.0.minus(other.0), PhantomData)
    }

    /// All faces that are not here.
    #[inline]
    pub fn complement(self) -> Self {
        Self::all().minus(self)
    }

    /// How many faces.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count() as usize
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == F::Bits::default()
    }

    /// The faces in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = F> {
        (0..F::KINDS as u8).map(F::nth).filter(move |&f| self.has(f))
    }
}

impl<F: Face> FromIterator<F> for FaceSet<F> {
    fn from_iter<I: IntoIterator<Item = F>>(faces: I) -> Self {
        faces.into_iter().fold(Self::none(), |set, f| set.or(Self::only(f)))
    }
}
