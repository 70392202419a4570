//! The fingerprint of a position: equal for all observers and on every platform.

use crate::game::Game;
use crate::position::Position;
use std::{fmt, str::FromStr};

/// BLAKE3 over the canonical encoding of the public state: zones, who knows what, backs, assurances, groups
/// with their sorted multisets, marks, all numbers, and the face of every public token.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Digest {
    type Err = crate::notation::ParseError;
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
    /// The canonical encoding of the public state: postcard's format (variable-length integers, so the same
    /// on 32 and 64 bits), in which [`Tokens`](crate::Tokens) write themselves without their arrangement.
    pub fn encode(&self) -> Vec<u8> {
        // Only a `Serialize` that refuses by itself can fail here, and a game's derived one does not.
        postcard::to_allocvec(&self.state).unwrap_or_default()
    }

    /// The fingerprint of the public state.
    pub fn digest(&self) -> Digest {
        Digest(*blake3::hash(&self.encode()).as_bytes())
    }
}
