//! Games between players who follow the advice of a game and players who choose at random.

use pentarchy_engine::{Heuristic, Node, Outcome, Position, Rng, RuleError, Seat, best_rated, rate_actions};

/// Plays `position`, the simulator's, on to its end. A seat for which `is_advised` returns `true` plays one of the
/// actions that [`Heuristic::rate`] rates best, any other seat any legal action; both at random with `rng`, which also
/// makes all chance. Calls `watch` at each decision with the position, the list and the chosen action. Returns the
/// outcome. Equal arguments give equal games.
///
/// # Errors
///
/// Fails if a list is empty, the rules reject a listed action, or the game ends without an outcome. The position must
/// then be discarded.
pub fn play_advised<G: Heuristic>(
    position: &mut Position<G>,
    is_advised: impl Fn(Seat) -> bool,
    rng: &mut Rng,
    mut watch: impl FnMut(&Position<G>, &[G::Action], G::Action),
) -> Result<Outcome, RuleError> {
    let (mut list, mut ratings) = (Vec::new(), Vec::new());
    loop {
        position.settle(rng, &mut list)?;
        let Node::Decide(seat) = position.node() else { break };
        position.legal(&mut list)?;
        let chosen = if is_advised(seat) {
            rate_actions(position, &list, &mut ratings);
            best_rated(&ratings, rng).and_then(|index| list.get(index))
        } else {
            rng.choose(&list)
        };
        let action = *chosen.ok_or(RuleError::new("a list of actions is empty"))?;
        watch(position, &list, action);
        position.play(action)?;
    }
    position.outcome().ok_or(RuleError::new("it is over without an outcome"))
}
