//! The player that follows the game's heuristic.

use crate::player::BotPlayer;
use pentarchy_engine::{Heuristic, Position, Rng};

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
        rate(view, legal, &mut self.ratings);
        best(&self.ratings, &mut self.rng)
    }
}

/// Replaces `ratings` by one rating per action of the list, in the same order, with what the deciding seat
/// knows. An action that the heuristic leaves out gets 0, and so do all if no seat is to act.
pub(crate) fn rate<G: Heuristic>(position: &Position<G>, legal: &[G::Action], ratings: &mut Vec<i32>) {
    ratings.clear();
    if let Some(seat) = position.actor() {
        position.state().rate(&position.own(seat), legal, ratings);
    }
    // A missing rating must not become the best or the worst.
    ratings.resize(legal.len(), 0);
}

/// Returns the index of the highest rating; ties are broken at random. 0 for an empty list.
pub(crate) fn best(ratings: &[i32], rng: &mut Rng) -> usize {
    let (mut best, mut place, mut equal) = (i32::MIN, 0, 0);
    for (i, &rating) in ratings.iter().enumerate() {
        if rating > best {
            (best, place, equal) = (rating, i, 1);
        } else if rating == best {
            equal += 1;
            if rng.below(equal) == 0 {
                place = i;
            }
        }
    }
    place
}
