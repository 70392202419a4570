//! The interface of players.

use pentarchy_engine::{Game, Position, Rng};

/// Chooses actions for a seat.
pub trait BotPlayer<G: Game>: Send {
    /// Returns the index of the chosen action in `legal`. `view` must be that of the deciding seat and hold
    /// nothing that the seat does not know; `legal` must be its list there and not empty. The player may
    /// store what it learns for the next decision of the same match, so it must not be used for another match
    /// or seat.
    fn choose(&mut self, view: &Position<G>, legal: &[G::Action]) -> usize;
}

/// Takes random actions.
#[derive(Clone, Debug)]
pub struct Random(Rng);

impl Random {
    /// Creates the player; the seed determines all its choices.
    pub fn new(seed: u64) -> Self {
        Random(Rng::new(seed))
    }
}

impl<G: Game> BotPlayer<G> for Random {
    /// Returns a uniformly random index into the list; 0 for an empty one. Does not look at the position.
    fn choose(&mut self, _view: &Position<G>, legal: &[G::Action]) -> usize {
        self.0.below(legal.len() as u32) as usize
    }
}
