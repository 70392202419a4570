//! The digest of a position: equal for all observers and on all platforms.

use crate::game::Game;
use crate::position::Position;
use std::{fmt, str::FromStr};

/// BLAKE3 hash of the canonical encoding of the public state: zones, who knows which face, backs, possible
/// faces, groups with their sorted multisets, marks, all numbers, and the faces of public tokens.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    /// Writes 64 lower-case hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    /// Writes 64 lower-case hexadecimal digits, like `Display`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Digest {
    type Err = crate::notation::ParseError;
    /// Parses 64 lower-case hexadecimal digits, as `Display` writes them.
    ///
    /// # Errors
    ///
    /// Fails for any other text.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || crate::notation::ParseError::new(text, "a digest of 64 hexadecimal digits");
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)) {
            return Err(wrong());
        }
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).map_err(|_| wrong())?;
        }
        Ok(Digest(bytes))
    }
}

impl<G: Game> Position<G> {
    /// Returns the canonical encoding of the public state in postcard's format, which uses variable-length
    /// integers and so is equal on 32 and 64 bits. [`Tokens`](crate::Tokens) encode each group as a sorted
    /// multiset. Empty only if the state's `Serialize` fails, which a derived one does not.
    pub fn encode(&self) -> Vec<u8> {
        // Only a hand-written `Serialize` could fail here; games derive theirs.
        postcard::to_allocvec(&self.state).unwrap_or_default()
    }

    /// Returns the digest of the public state: equal for all observers of equal positions, on all platforms.
    /// Encodes the whole state; nothing is cached.
    pub fn digest(&self) -> Digest {
        Digest(*blake3::hash(&self.encode()).as_bytes())
    }
}
