//! Mutants of inputs, drawn from a fixed seed.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Bytes at which lengths, numbers and encodings change their meaning.
const EDGES: [u8; 8] = [0, 1, 2, 0x10, 0x7f, 0x80, 0xf0, 0xff];
/// The longest piece that is inserted, removed or copied: a point and a scalar.
const MAX_PIECE: usize = 64;
/// The longest mutant.
const MAX_LEN: usize = 1 << 16;

/// Draws mutants.
pub struct Mutator(Xoshiro256PlusPlus);

impl Mutator {
    /// Creates the mutator of a target. Equal names give equal sequences of mutants.
    pub fn new(target: &str) -> Self {
        let seed = target.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Draws a number below `n`, nearly uniform; 0 if `n` is 0. Takes one number of the generator in either
    /// case.
    fn below(&mut self, n: usize) -> usize {
        // The small bias of the remainder does not matter here.
        (self.0.next_u64() % n.max(1) as u64) as usize
    }

    /// Returns a copy of one of the inputs with one to four changes, some of which take a piece of another input; at
    /// most 65,536 bytes. Without inputs it starts from an empty one. Advances the mutator, so that each call returns
    /// another mutant.
    pub fn mutant(&mut self, inputs: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = inputs.get(self.below(inputs.len())).cloned().unwrap_or_default();
        for _ in 0..=self.below(4) {
            self.change(&mut bytes, inputs);
        }
        bytes.truncate(MAX_LEN);
        bytes
    }

    /// Applies one random change to an input in place: a flipped bit, an edge value, an increment, or a piece
    /// that is inserted, filled, removed, cut off, copied within the input or taken from `inputs`. An empty
    /// input only gets new bytes.
    fn change(&mut self, bytes: &mut Vec<u8>, inputs: &[Vec<u8>]) {
        let at = self.below(bytes.len());
        let end = (at + 1 + self.below(MAX_PIECE)).min(bytes.len());
        match self.below(9) {
            // An insertion is the only change of an empty input.
            0 => {
                let piece: Vec<u8> = (0..=self.below(8)).map(|_| self.0.next_u64() as u8).collect();
                bytes.splice(at..at, piece);
            }
            _ if bytes.is_empty() => bytes.push(self.0.next_u64() as u8),
            1 => bytes[at] ^= 1 << self.below(8),
            2 => bytes[at] = EDGES[self.below(EDGES.len())],
            3 => bytes[at] = bytes[at].wrapping_add(1),
            4 => bytes[at..end].fill(EDGES[self.below(EDGES.len())]),
            5 => drop(bytes.drain(at..end)),
            6 => bytes.truncate(at),
            7 => {
                let to = self.below(bytes.len());
                let piece = bytes[at..end].to_vec();
                let over = (to + piece.len()).min(bytes.len());
                bytes.splice(to..over, piece);
            }
            _ => {
                let other = inputs.get(self.below(inputs.len())).map_or(&[][..], Vec::as_slice);
                let from = self.below(other.len());
                let piece = &other[from..(from + end - at).min(other.len())];
                bytes.splice(at..end, piece.iter().copied());
            }
        }
    }
}
