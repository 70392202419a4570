//! The number of tokens and zones of a game as types, for inline arrays without allocation.

use std::fmt::Debug;
use std::ops::{Index, IndexMut};

/// The number of tokens and zones of a game, and array types of these lengths.
pub trait Size: Copy + Debug + Send + Sync + 'static {
    /// Number of token numbers.
    const TOKENS: usize;
    /// Number of zones.
    const ZONES: usize;
    /// An array with one entry per token.
    type Tok<X: ArrayElement>: Array<X>;
    /// An array with one entry per zone.
    type Zon<X: ArrayElement>: Array<X>;
    /// Returns an array with one entry per token, each equal to `x`.
    fn tok<X: ArrayElement>(x: X) -> Self::Tok<X>;
    /// Returns an array with one entry per zone, each equal to `x`.
    fn zon<X: ArrayElement>(x: X) -> Self::Zon<X>;
}

/// A type that such an array may hold.
pub trait ArrayElement: Copy + Debug + Send + Sync + 'static {}
impl<X: Copy + Debug + Send + Sync + 'static> ArrayElement for X {}

/// An inline array of a fixed length.
pub trait Array<X>:
    Copy + Debug + Send + Sync + AsRef<[X]> + AsMut<[X]> + Index<usize, Output = X> + IndexMut<usize>
{
}
impl<X, A> Array<X> for A where
    A: Copy + Debug + Send + Sync + AsRef<[X]> + AsMut<[X]> + Index<usize, Output = X> + IndexMut<usize>
{
}

/// `T` tokens in `Z` zones. `Sz<0, 0>` is the size of a game without hidden information.
#[derive(Clone, Copy, Debug)]
pub struct Sz<const T: usize, const Z: usize>;

impl<const T: usize, const Z: usize> Size for Sz<T, Z> {
    const TOKENS: usize = T;
    const ZONES: usize = Z;
    type Tok<X: ArrayElement> = [X; T];
    type Zon<X: ArrayElement> = [X; Z];
    /// Returns `T` copies of `x`.
    #[inline(always)]
    fn tok<X: ArrayElement>(x: X) -> [X; T] {
        [x; T]
    }
    /// Returns `Z` copies of `x`.
    #[inline(always)]
    fn zon<X: ArrayElement>(x: X) -> [X; Z] {
        [x; Z]
    }
}
