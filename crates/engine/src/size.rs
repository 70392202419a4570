//! How many tokens and zones a game has: inline arrays, no heap.

use std::fmt::Debug;
use std::ops::{Index, IndexMut};

/// The numbers of tokens and zones of a game, and the arrays by them.
pub trait Size: Copy + Debug + Send + Sync + 'static {
    /// How many token numbers there are.
    const TOKENS: usize;
    /// How many zones there are.
    const ZONES: usize;
    /// An array by token.
    type Tok<X: Element>: Array<X>;
    /// An array by zone.
    type Zon<X: Element>: Array<X>;
    /// An array by token, filled.
    fn tok<X: Element>(x: X) -> Self::Tok<X>;
    /// An array by zone, filled.
    fn zon<X: Element>(x: X) -> Self::Zon<X>;
}

/// What such an array may hold.
pub trait Element: Copy + Debug + Send + Sync + 'static {}
impl<X: Copy + Debug + Send + Sync + 'static> Element for X {}

/// An inline array.
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
    type Tok<X: Element> = [X; T];
    type Zon<X: Element> = [X; Z];
    #[inline(always)]
    fn tok<X: Element>(x: X) -> [X; T] {
        [x; T]
    }
    #[inline(always)]
    fn zon<X: Element>(x: X) -> [X; Z] {
        [x; Z]
    }
}
