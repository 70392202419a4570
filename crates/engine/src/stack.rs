//! An inline stack: the agenda of what is to happen, a list of seats, a pile of small things.

use crate::rejected::Rejected;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::{Deref, DerefMut};

/// At most `N` small items on top of each other, without heap. Reads like a slice, the top last.
///
/// As an *agenda* it holds the steps still to come: what is to happen first is pushed last, the node is
/// read off the top, and a rule that cuts a turn short truncates to a remembered height.
#[derive(Clone, Copy, Debug)]
pub struct Stack<T, const N: usize> {
    items: [T; N],
    /// Read as often as written, and in whole words: of a half word the compiler reads the padding too, and
    /// then waits until what was just written has reached the memory.
    len: u32,
}

impl<T: Copy + Default, const N: usize> Stack<T, N> {
    /// Nothing on it.
    #[inline]
    pub fn new() -> Self {
        Stack { items: [T::default(); N], len: 0 }
    }

    /// Puts an item on top.
    #[inline]
    pub fn push(&mut self, item: T) -> Result<(), Rejected> {
        match self.items.get_mut(self.len as usize) {
            Some(place) => *place = item,
            None => return Err(Rejected::new("more is pending than the game has room for")),
        }
        self.len += 1;
        Ok(())
    }

    /// Takes the top item off.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        let item = self.top()?;
        self.len -= 1;
        Some(item)
    }

    /// The top item.
    #[inline]
    pub fn top(&self) -> Option<T> {
        self.peek().copied()
    }

    /// The top item where it lies: of a large one only what is asked for is read.
    #[inline(always)]
    pub fn peek(&self) -> Option<&T> {
        self.items.get((self.len as usize).wrapping_sub(1))
    }

    /// The same for an agenda that ends with an item of its own, and is asked all the time. Of an empty stack
    /// it gives what lies in the last place: the default item, if the stack has never been full.
    #[inline(always)]
    pub fn peek_or_default(&self) -> &T {
        const { assert!(N.is_power_of_two()) };
        &self.items[(self.len as usize).wrapping_sub(1) & (N - 1)]
    }

    /// How many items there are: what `truncate` takes.
    #[inline]
    pub const fn height(&self) -> usize {
        self.len as usize
    }

    /// Drops everything above this height.
    #[inline]
    pub fn truncate(&mut self, height: usize) {
        self.len = self.len.min(u32::try_from(height).unwrap_or(u32::MAX));
    }

    /// Drops everything.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Takes out the item at this place, keeping the order of the others.
    pub fn remove(&mut self, place: usize) -> Option<T> {
        let item = *self.get(place)?;
        self.copy_within(place + 1.., place);
        self.len -= 1;
        Some(item)
    }
}

impl<T: Copy + Default, const N: usize> Default for Stack<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const N: usize> Deref for Stack<T, N> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.items[..self.len as usize]
    }
}

impl<T, const N: usize> DerefMut for Stack<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..self.len as usize]
    }
}

impl<T: PartialEq, const N: usize> PartialEq for Stack<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
impl<T: Eq, const N: usize> Eq for Stack<T, N> {}

impl<T: Serialize, const N: usize> Serialize for Stack<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>, const N: usize> Deserialize<'de> for Stack<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut stack = Self::new();
        for item in Vec::<T>::deserialize(deserializer)? {
            stack.push(item).map_err(serde::de::Error::custom)?;
        }
        Ok(stack)
    }
}
