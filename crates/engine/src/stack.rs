//! An inline stack, for the agenda of a game and other short lists.

use crate::rejected::RuleError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::{Deref, DerefMut};

/// At most `N` small items in an inline array, without allocation. Derefs to a slice, the top last.
///
/// As an *agenda* it holds the tasks still to do: the first one is pushed last, `node` reads the top, and a
/// rule that cuts a turn short truncates to a remembered height.
#[derive(Clone, Copy, Debug)]
pub struct Stack<T, const N: usize> {
    /// The items from the bottom, then unused places.
    items: [T; N],
    /// Number of items. A `u32` rather than a smaller type: with a half word the compiler loads the padding
    /// too, and that load misses store forwarding after a push.
    len: u32,
}

impl<T: Copy + Default, const N: usize> Stack<T, N> {
    /// Creates an empty stack.
    #[inline]
    pub fn new() -> Self {
        Stack { items: [T::default(); N], len: 0 }
    }

    /// Pushes an item on top.
    ///
    /// # Errors
    ///
    /// Fails if the stack holds `N` items already; it is then unchanged.
    #[inline]
    pub fn push(&mut self, item: T) -> Result<(), RuleError> {
        match self.items.get_mut(self.len as usize) {
            Some(place) => *place = item,
            None => return Err(RuleError::new("more is pending than the game has room for")),
        }
        self.len += 1;
        Ok(())
    }

    /// Removes the top item and returns it; `None` if the stack is empty.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        let item = self.top()?;
        self.len -= 1;
        Some(item)
    }

    /// Replaces the top item; no effect on an empty stack.
    #[inline(always)]
    pub fn replace_top(&mut self, item: T) {
        if let Some(top) = self.last_mut() {
            *top = item;
        }
    }

    /// Returns a copy of the top item; `None` if the stack is empty.
    #[inline]
    pub fn top(&self) -> Option<T> {
        self.peek().copied()
    }

    /// Returns a reference to the top item, so that only the needed fields of a large item are read; `None`
    /// if the stack is empty.
    #[inline(always)]
    pub fn peek(&self) -> Option<&T> {
        self.items.get((self.len as usize).wrapping_sub(1))
    }

    /// Returns a reference to the top item without a bounds check; `N` must be a power of two, which is
    /// checked at compile time. For an empty stack returns the last place, which holds the default item
    /// unless the stack has been full before.
    #[inline(always)]
    pub fn peek_or_default(&self) -> &T {
        const { assert!(N.is_power_of_two()) };
        &self.items[(self.len as usize).wrapping_sub(1) & (N - 1)]
    }

    /// Returns the number of items, for a later [`truncate`](Self::truncate).
    #[inline]
    pub const fn height(&self) -> usize {
        self.len as usize
    }

    /// Removes all items above this height; no effect if there are not more.
    #[inline]
    pub fn truncate(&mut self, height: usize) {
        self.len = self.len.min(u32::try_from(height).unwrap_or(u32::MAX));
    }

    /// Removes all items.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Removes the item at index `place`, counted from the bottom, and returns it; `None` if there is none.
    /// The order of the others is kept.
    pub fn remove(&mut self, place: usize) -> Option<T> {
        let item = *self.get(place)?;
        self.copy_within(place + 1.., place);
        self.len -= 1;
        Some(item)
    }
}

impl<T: Copy + Default, const N: usize> Default for Stack<T, N> {
    /// Creates an empty stack.
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const N: usize> Deref for Stack<T, N> {
    type Target = [T];
    /// Returns the items, the bottom one first.
    #[inline]
    fn deref(&self) -> &[T] {
        &self.items[..self.len as usize]
    }
}

impl<T, const N: usize> DerefMut for Stack<T, N> {
    /// Returns the items, the bottom one first.
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..self.len as usize]
    }
}

impl<T: PartialEq, const N: usize> PartialEq for Stack<T, N> {
    /// Returns whether both stacks hold equal items in the same order; the unused part of the array does not
    /// count.
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
impl<T: Eq, const N: usize> Eq for Stack<T, N> {}

impl<T: Serialize, const N: usize> Serialize for Stack<T, N> {
    /// Writes the items as a list, the bottom item first.
    ///
    /// # Errors
    ///
    /// Fails if the serializer does.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>, const N: usize> Deserialize<'de> for Stack<T, N> {
    /// Reads a list, the bottom item first.
    ///
    /// # Errors
    ///
    /// Fails if the list has more than `N` items.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut stack = Self::new();
        for item in Vec::<T>::deserialize(deserializer)? {
            stack.push(item).map_err(serde::de::Error::custom)?;
        }
        Ok(stack)
    }
}
