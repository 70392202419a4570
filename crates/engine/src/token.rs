//! Tokens, zones and backs: the numbers by which rules refer to them.

use crate::notation::ParseError;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Something that can lie face down: a card, a block, a sealed vote. The number is independent of the face.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Token(pub u16);

impl Token {
    /// Returns the token as an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Token {
    /// Writes `#` and the number: `#17`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

impl FromStr for Token {
    type Err = ParseError;
    /// Parses `#` followed by decimal digits, e.g. `#17`. Does not check that the game has such a token.
    ///
    /// # Errors
    ///
    /// Fails for any other text, and for a number above 65,535.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.strip_prefix('#')
            .filter(|n| n.bytes().all(|b| b.is_ascii_digit()))
            .and_then(|n| n.parse().ok())
            .map(Token)
            .ok_or_else(|| ParseError::new(text, "a token, like #17"))
    }
}

/// An ordered list of tokens: a deck, a hand, a slot. The first token is the top.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Zone(pub u8);

impl Zone {
    /// The zone of tokens that do not take part in this game.
    pub const NOWHERE: Zone = Zone(u8::MAX);

    /// Returns the zone as an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The category that the back of a token shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Back(pub u8);

impl Back {
    /// The back of all tokens in a game without categories.
    pub const PLAIN: Back = Back(0);
    /// The category is not public.
    pub const HIDDEN: Back = Back(u8::MAX);
}
