//! Information sets as hash chains over what a seat has observed.

use pentarchy_engine::{Action, Face, LoggedEvent, Seat};
use std::hash::{Hash, Hasher};

/// A running 64-bit hash of logged events; collisions are negligible among the information sets of a tiny
/// game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Chain(u64);

impl Chain {
    /// The chain before anything was observed.
    pub(super) const START: Chain = Chain(0x9E37_79B9_7F4A_7C15);

    /// Returns the hash of all that was observed so far. Does not change the chain.
    pub(super) fn value(self) -> u64 {
        self.0
    }

    /// Adds what `seat` observes of a logged event to the hash: the event, the faces and backs that it
    /// makes public, and of the annex for this seat the sealed choice and the learned faces. The order of a
    /// rearrangement is left out: the caller adds the faces with [`learn`](Self::learn).
    pub(super) fn observe<A: Action, F: Face>(&mut self, line: &LoggedEvent<A, F>, seat: Seat) {
        line.event.hash(self);
        for &(t, face) in &line.shown {
            (1u8, t, face.index()).hash(self);
        }
        for &(t, back) in &line.backs {
            (2u8, t, back).hash(self);
        }
        for annex in line.annexes.iter().filter(|annex| annex.to == Some(seat)) {
            annex.sealed.hash(self);
            annex.learned.iter().for_each(|&(t, face)| self.learn(t.0, face.index()));
        }
    }

    /// Adds to the hash that the seat learns the face (by number) of a token.
    pub(super) fn learn(&mut self, token: u16, face: u8) {
        (3u8, token, face).hash(self);
    }
}

impl Hasher for Chain {
    /// Mixes bytes into the chain, as words of up to 8 bytes with their length.
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let word = chunk.iter().fold(chunk.len() as u64, |word, &byte| word << 8 | u64::from(byte));
            self.write_u64(word);
        }
    }

    /// Mixes the number into the chain as one 64-bit word.
    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    /// Mixes the number into the chain as one 64-bit word.
    fn write_u16(&mut self, n: u16) {
        self.write_u64(n.into());
    }

    /// Mixes the number into the chain as one 64-bit word.
    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    /// Mixes a word into the chain with the finalizer of MurmurHash3.
    fn write_u64(&mut self, n: u64) {
        let mut x = self.0.rotate_left(23) ^ n;
        x = (x ^ x >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        x = (x ^ x >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        self.0 = x ^ x >> 33;
    }

    /// Mixes the number into the chain as one 64-bit word, on all platforms.
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    /// Mixes the number into the chain as one 64-bit word; enum discriminants are hashed this way.
    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }

    /// Returns the hash of all that was observed so far.
    fn finish(&self) -> u64 {
        self.0
    }
}
