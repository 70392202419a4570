//! The choice of a player whose game gives no advice: each action is tried in random games.

use crate::search::rewards;
use pentarchy_engine::{Heuristic, Position, Rng, Seat};

/// Number of random games for all actions of a decision together, if each gets at least [`LEAST`].
const GAMES: usize = 240;

/// Minimum number of random games per action.
const LEAST: usize = 6;

/// Returns the index of the action after which random games end best for `seat`, which must decide in
/// `position`; the first of equal ones. Reads only what the seat knows: each round determinizes the position
/// once and tries all actions in it, about 240 random games in total, at least 6 per action. An action that
/// fails in a determinization counts as a loss there. 0 for an empty list.
pub(crate) fn best_by_playouts<G: Heuristic>(
    position: &Position<G>,
    seat: Seat,
    legal: &[G::Action],
    rng: &mut Rng,
) -> usize {
    let (view, stakes) = (position.view(seat), G::search_hints().stakes);
    let mut sums = vec![0.0; legal.len()];
    let mut list = Vec::new();
    for _ in 0..(GAMES / legal.len().max(1)).max(LEAST) {
        let world = view.determinize_likely(rng);
        for (sum, &action) in sums.iter_mut().zip(legal) {
            let mut end = world.clone();
            let played = end.play(action).and_then(|_| end.playout(rng, &mut list));
            *sum += played.map_or(0.0, |(outcome, _)| rewards(&outcome, stakes)[seat.index()]);
        }
    }
    let best = sums.iter().copied().fold(0.0, f32::max);
    sums.iter().position(|&sum| sum >= best).unwrap_or(0)
}
