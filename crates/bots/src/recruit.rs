//! The player that makes human-like mistakes.

use crate::player::BotPlayer;
use crate::search::exp;
use pentarchy_engine::{Heuristic, Position, Rng, rate_actions};

/// Probability that an action is overlooked, in percent.
const OVERLOOKED: u32 = 20;
/// Probability of a careless decision, in percent.
const CARELESS: u32 = 12;
/// Temperature of the choice between good actions, as a share of the mean distance to the best rating.
const TEMPTATION: f32 = 0.25;

/// Knows the heuristic, but overlooks some options, sometimes prefers the second best, and occasionally acts
/// at random.
#[derive(Clone, Debug)]
pub struct Recruit {
    /// The generator of all its decisions.
    rng: Rng,
    /// A reusable buffer.
    ratings: Vec<i32>,
    /// A reusable buffer.
    weights: Vec<f32>,
}

impl Recruit {
    /// Creates the player; the seed determines all its draws.
    pub fn new(seed: u64) -> Self {
        Recruit { rng: Rng::new(seed), ratings: Vec::new(), weights: Vec::new() }
    }
}

impl<G: Heuristic> BotPlayer<G> for Recruit {
    /// Returns a random index. In 12 % of the decisions any action is equally likely. Otherwise each action
    /// is overlooked with 20 %, and better rated ones of the rest are more likely (softmax); in a game
    /// without advice all are rated equal. If all are overlooked, any action is equally likely. 0 without a
    /// draw if there is at most one action.
    fn choose(&mut self, view: &Position<G>, legal: &[G::Action]) -> usize {
        let n = legal.len() as u32;
        if n < 2 {
            return 0;
        }
        if self.rng.below(100) < CARELESS {
            return self.rng.below(n) as usize;
        }
        rate_actions(view, legal, &mut self.ratings);
        softmax(&self.ratings, TEMPTATION, &mut self.weights);
        for weight in &mut self.weights {
            if self.rng.below(100) < OVERLOOKED {
                *weight = 0.0;
            }
        }
        draw(&self.weights, &mut self.rng).unwrap_or_else(|| self.rng.below(n) as usize)
    }
}

/// Replaces `weights` by one weight per rating, on any scale of ratings; the weights add up to 1. An action
/// that lies `temper` times the mean distance below the best gets 1/e of the best weight. Empty for no
/// ratings.
pub(crate) fn softmax(ratings: &[i32], temper: f32, weights: &mut Vec<f32>) {
    weights.clear();
    let best = ratings.iter().copied().max().unwrap_or(0);
    let behind = |rating: i32| (i64::from(best) - i64::from(rating)) as f32;
    let mean = ratings.iter().map(|&r| behind(r)).sum::<f32>() / (ratings.len().max(2) - 1) as f32;
    let scale = 1.0 / (mean * temper).max(1e-6);
    weights.extend(ratings.iter().map(|&r| exp(-behind(r) * scale)));
    let all: f32 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= all);
}

/// Draws an index with probability proportional to the weights, which must not be negative; `None` if all are
/// 0 or there are none. Takes one number from `rng` in every case.
pub(crate) fn draw(weights: &[f32], rng: &mut Rng) -> Option<usize> {
    let all: f32 = weights.iter().sum();
    let mut left = all * (rng.bits() >> 40) as f32 / (1u32 << 24) as f32;
    let mut last = None;
    for (i, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        last = Some(i);
        left -= weight;
        if left < 0.0 {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_follow_ratings_on_any_scale() {
        let (mut weights, mut scaled) = (Vec::new(), Vec::new());
        softmax(&[3, 1, 2], 0.5, &mut weights);
        softmax(&[3_000, 1_000, 2_000], 0.5, &mut scaled);
        assert_eq!(weights, scaled);
        assert!(weights[0] > weights[2] && weights[2] > weights[1]);
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        softmax(&[i32::MAX, i32::MIN], 0.5, &mut weights);
        assert!(weights.iter().all(|w| w.is_finite()));
        softmax(&[5, 5, 5, 5], 0.5, &mut weights);
        assert_eq!(weights, [0.25; 4]);
    }

    #[test]
    fn places_are_drawn_as_their_weights_say() {
        let (mut rng, mut seen) = (Rng::new(1), [0; 3]);
        for _ in 0..10_000 {
            seen[draw(&[1.0, 0.0, 3.0], &mut rng).unwrap()] += 1;
        }
        assert!(seen[1] == 0 && (2_300..2_700).contains(&seen[0]), "{seen:?}");
        assert_eq!(draw(&[0.0, 0.0], &mut rng), None);
    }
}
