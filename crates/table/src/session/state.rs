//! The state of the table that every contribution commits to.

use crate::cards::Cards;
use crate::hash::hash;
use pentarchy_engine::AnyPosition;
use pentarchy_fair::OperationError;

/// The position as this peer sees it, and the ciphertexts of all tokens.
pub(super) struct TableState {
    pub(super) rules: Box<dyn AnyPosition>,
    pub(super) cards: Cards,
}

impl TableState {
    /// Creates the state of a first position, in which all tokens but slips are public.
    ///
    /// # Errors
    ///
    /// Fails with `TooMany` if the game has more faces, backs or tokens than the cryptography supports.
    pub(super) fn new(rules: Box<dyn AnyPosition>) -> Result<Self, OperationError> {
        let cards = Cards::new(&*rules)?;
        Ok(TableState { rules, cards })
    }

    /// Returns the digest of the public state and all ciphertexts. It is equal for all peers with the same
    /// log.
    pub(super) fn digest(&mut self) -> [u8; 32] {
        hash("pentarchy table v1", &[&self.rules.digest().0, &self.cards.digest()])
    }
}
