//! The player that follows the game's heuristic.

use crate::player::BotPlayer;
use pentarchy_engine::{Heuristic, Position, Rng, best_rated, rate_actions};

/// Takes the action that the heuristic rates highest; ties are broken at random.
#[derive(Clone, Debug)]
pub struct Captain {
    rng: Rng,
    ratings: Vec<i32>,
}

impl Captain {
    /// Creates the player; the seed determines how it breaks ties.
    pub fn new(seed: u64) -> Self {
        Captain { rng: Rng::new(seed), ratings: Vec::new() }
    }
}

impl<G: Heuristic> BotPlayer<G> for Captain {
    /// Returns the index of the action that the heuristic rates highest; ties are broken at random. 0 without
    /// a draw if there is at most one action.
    fn choose(&mut self, view: &Position<G>, legal: &[G::Action]) -> usize {
        if legal.len() < 2 {
            return 0;
        }
        rate_actions(view, legal, &mut self.ratings);
        best_rated(&self.ratings, &mut self.rng).unwrap_or(0)
    }
}
