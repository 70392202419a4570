//! The generators that permutations are committed with.

use super::MAX_PILE;
use crate::error::OperationError;
use crate::primitives::{Element, hash_to_group};
use alloc::boxed::Box;
use alloc::vec::Vec;
use curve25519_dalek::ristretto::{RistrettoBasepointTable, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;

/// H and h_0, h_1, …: hashed from fixed labels, never taken from a player or a random generator. A prover who
/// knew a logarithm between them could prove false shuffles. Computed once and shared by all shuffles.
pub struct Generators {
    /// H.
    pub(super) chain: RistrettoPoint,
    /// Multiples of H.
    pub(super) chain_table: Box<RistrettoBasepointTable>,
    /// h_i.
    pub(super) cards: Vec<RistrettoPoint>,
    /// h_i / 2, for encoding many commitments at once.
    pub(super) halves: Vec<RistrettoPoint>,
}

impl Generators {
    /// Computes the generators for piles of up to `cards` entries. They are the same for everybody; compute
    /// them once and share them among all shuffles.
    ///
    /// # Errors
    ///
    /// Fails with `TooMany` if `cards` exceeds [`MAX_PILE`].
    pub fn new(cards: usize) -> Result<Self, OperationError> {
        if cards > MAX_PILE {
            return Err(OperationError::TooMany { limit: MAX_PILE, found: cards });
        }
        let chain = *Self::chain().point();
        let cards: Vec<RistrettoPoint> = (0..cards as u32).map(|i| *Self::card(i).point()).collect();
        let half = Scalar::ONE.div_by_2();
        Ok(Self {
            chain,
            chain_table: Box::new(RistrettoBasepointTable::create(&chain)),
            halves: cards.iter().map(|card| card * half).collect(),
            cards,
        })
    }

    /// Returns the size of the largest pile that these generators serve.
    #[expect(clippy::len_without_is_empty, reason = "without generators there is nothing to prove with")]
    pub fn len(&self) -> usize {
        self.cards.len()
    }

    /// Returns H, the start of the chain.
    pub(crate) fn chain() -> Element {
        hash_to_group("shuffle H", &[])
    }

    /// Returns h_i, the generator for entry number `i` of a pile.
    pub(crate) fn card(i: u32) -> Element {
        hash_to_group("shuffle h", &i.to_le_bytes())
    }
}
