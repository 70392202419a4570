//! The player that follows the game's heuristic.

use crate::one_ply::best_by_playouts;
use crate::player::BotPlayer;
use pentarchy_engine::{Heuristic, Position, Rng, WeightTable, best_rated};

/// Takes the action that the heuristic rates highest; ties are broken at random. In a game without advice it
/// takes the one after which random games end best.
#[derive(Clone, Debug)]
pub struct Captain {
    /// Breaks ties and draws random games.
    rng: Rng,
    /// A reusable buffer.
    ratings: Vec<i32>,
}

impl Captain {
    /// Creates the player; the seed determines how it breaks ties, and the random games without advice.
    pub fn new(seed: u64) -> Self {
        Captain { rng: Rng::new(seed), ratings: Vec::new() }
    }
}

impl<G: Heuristic> BotPlayer<G> for Captain {
    /// Returns the index of the action that the heuristic rates highest; ties are broken at random. In a game
    /// without advice returns that of the action after which random games end best. 0 without a draw if there
    /// is at most one action or no seat decides.
    fn choose(&mut self, view: &Position<G>, legal: &[G::Action]) -> usize {
        follow_advice(view, &G::Weights::SHIPPED, legal, &mut self.ratings, &mut self.rng)
    }
}

/// Returns the index of the action that the heuristic rates highest with these weights, with what the seat
/// knows; ties are broken at random. Actions beyond the ratings that it gives count as 0. If it rates none,
/// returns the index of the action after which random games end best. 0 without a draw if there is at most
/// one action or no seat decides. Draws only from `rng`; `ratings` is a buffer that is overwritten.
fn follow_advice<G: Heuristic>(
    view: &Position<G>,
    weights: &G::Weights,
    legal: &[G::Action],
    ratings: &mut Vec<i32>,
    rng: &mut Rng,
) -> usize {
    let Some(seat) = view.actor().filter(|_| legal.len() > 1) else { return 0 };
    ratings.clear();
    view.state().rate_with(&view.own(seat), weights, legal, ratings);
    if ratings.is_empty() {
        return best_by_playouts(view, seat, legal, rng);
    }
    ratings.resize(legal.len(), 0);
    best_rated(ratings, rng).unwrap_or(0)
}

/// A [`Captain`] with weights of its own instead of the shipped ones. With the shipped weights and the same
/// seed it makes the same choices.
#[derive(Clone, Debug)]
pub struct WeightedCaptain<G: Heuristic> {
    /// Breaks ties and draws random games.
    rng: Rng,
    /// A reusable buffer.
    ratings: Vec<i32>,
    /// The weights of the ratings.
    weights: G::Weights,
}

impl<G: Heuristic> WeightedCaptain<G> {
    /// Creates the player; the seed determines how it breaks ties, and the random games without advice.
    pub fn new(seed: u64, weights: G::Weights) -> Self {
        WeightedCaptain { rng: Rng::new(seed), ratings: Vec::new(), weights }
    }
}

impl<G: Heuristic> BotPlayer<G> for WeightedCaptain<G> {
    /// Returns the index of the action that the heuristic rates highest with these weights; ties are broken
    /// at random. In a game without advice returns that of the action after which random games end best. 0
    /// without a draw if there is at most one action or no seat decides.
    fn choose(&mut self, view: &Position<G>, legal: &[G::Action]) -> usize {
        follow_advice(view, &self.weights, legal, &mut self.ratings, &mut self.rng)
    }
}
