//! What a player is.

use pentarchy_engine::{Game, Position, Rng};

/// Somebody who plays at a seat.
pub trait Player<G: Game>: Send {
    /// The place in the list of the action that it takes. The view is that of the seat which decides (a
    /// player needs and gets no more), and the list is not empty.
    fn choose(&mut self, view: &Position<G>, legal: &[G::Action]) -> usize;
}

/// Takes any action.
#[derive(Clone, Debug)]
pub struct Random(Rng);

impl Random {
    /// The player of this seed.
    pub fn new(seed: u64) -> Self {
        Random(Rng::new(seed))
    }
}

impl<G: Game> Player<G> for Random {
    fn choose(&mut self, _view: &Position<G>, legal: &[G::Action]) -> usize {
        self.0.below(legal.len() as u32) as usize
    }
}
