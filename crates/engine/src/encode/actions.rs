//! Actions as numbers, without their texts: what an action feeds to a hasher is its structure.

use super::survey::{DEAD, PartName, ROOT, Visit};
use crate::game::Game;
use crate::token::Token;
use std::hash::{Hash, Hasher};

/// Visits the numbers of an action: discriminants and fields in the order in which its `Hash` writes them, as the
/// parts 0, 1, … of the root. Tokens count as token 0; returns the first [`MOST_NAMED`] of them, in the order in
/// which the action names them.
pub(super) fn visit_action<G: Game>(action: G::Action, visit: &mut impl Visit) -> NamedTokens {
    let mut named = NamedTokens::default();
    let plain = G::map_tokens(action, &mut |t| {
        named.push(t);
        Token(0)
    });
    plain.hash(&mut NumberSink { visit, next: 0 });
    named
}

/// Maximum number of tokens of an action that are encoded.
pub(super) const MOST_NAMED: usize = 2;

/// The first tokens that an action names.
#[derive(Default)]
pub(super) struct NamedTokens {
    /// The tokens, in their order.
    tokens: [Option<Token>; MOST_NAMED],
    /// Number of tokens.
    pub(super) count: usize,
}

impl NamedTokens {
    /// Adds a token; ignores it if there are [`MOST_NAMED`] already.
    fn push(&mut self, t: Token) {
        if let Some(place) = self.tokens.get_mut(self.count) {
            *place = Some(t);
            self.count += 1;
        }
    }

    /// Iterates over the tokens in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Token> + '_ {
        self.tokens.iter().flatten().copied()
    }
}

/// A hasher that hands every number that it gets to a visitor.
struct NumberSink<'v, V> {
    visit: &'v mut V,
    /// The key of the next number.
    next: u32,
}

impl<V: Visit> NumberSink<'_, V> {
    /// Visits a number as the next part of the root, unless the visitor returns [`DEAD`] for it.
    #[inline]
    fn take(&mut self, value: i64) {
        let key = self.next;
        self.next += 1;
        let place = self.visit.part(ROOT, key, PartName::Entry(key));
        if place != DEAD {
            self.visit.number(place, value);
        }
    }
}

/// Writes the methods of [`Hasher`] that get one integer.
macro_rules! take_integers {
    ($($name:ident($int:ty)),*) => {$(
        /// Visits the number.
        #[inline]
        fn $name(&mut self, n: $int) {
            self.take(n as i64);
        }
    )*};
}

impl<V: Visit> Hasher for NumberSink<'_, V> {
    take_integers!(
        write_u8(u8),
        write_u16(u16),
        write_u32(u32),
        write_u64(u64),
        write_usize(usize),
        write_i8(i8),
        write_i16(i16),
        write_i32(i32),
        write_i64(i64),
        write_isize(isize)
    );

    /// Visits each byte as a number of its own.
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.take(byte.into()));
    }

    /// Returns 0: nothing is hashed.
    fn finish(&self) -> u64 {
        0
    }
}
