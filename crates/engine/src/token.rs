//! Names of things that can lie face down, and of the places where they lie.

use crate::notation::ParseError;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Something that can lie face down: a card, a block, a sealed vote. The number says nothing about the face.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Token(pub u16);

impl Token {
    /// The token as an index into an array by token.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

impl FromStr for Token {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.strip_prefix('#')
            .filter(|n| n.bytes().all(|b| b.is_ascii_digit()))
            .and_then(|n| n.parse().ok())
            .map(Token)
            .ok_or_else(|| ParseError::new(text, "a token, like #17"))
    }
}

/// A place where tokens lie in an order: a deck, a hand, a slot. The first token is its top.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Zone(pub u8);

impl Zone {
    /// Where tokens are that take no part in this game.
    pub const NOWHERE: Zone = Zone(u8::MAX);

    /// The zone as an index into an array by zone.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the back of a token shows: its category.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Back(pub u8);

impl Back {
    /// The back of every token in a game without categories.
    pub const PLAIN: Back = Back(0);
    /// The category is not public.
    pub const HIDDEN: Back = Back(u8::MAX);
}
