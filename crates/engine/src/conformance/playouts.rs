//! Check that a playout, which uses shortcuts, gives the same game as event-by-event play.

use super::{LawResult, demand, trial::unexpected};
use crate::game::Game;
use crate::node::Node;
use crate::position::Position;
use crate::rng::Rng;

/// Plays the game as a playout and event by event with the same seed, and compares outcome, decisions, digest,
/// hidden faces and the state of the generator.
///
/// # Errors
///
/// Fails with the violated law.
pub(super) fn check<G: Game>(first: &Position<G>, seed: u64) -> LawResult {
    let (mut rng, mut list) = (Rng::stream(seed, 3), Vec::new());
    let (mut swift, mut numbers) = (first.clone(), rng.clone());
    let played = swift.playout(&mut numbers, &mut list);
    let (outcome, decisions) = played.map_err(|e| unexpected("a playout does not go on", e))?;
    let (mut steps, mut count) = (first.clone(), 0);
    loop {
        steps.settle(&mut rng, &mut list).map_err(|e| unexpected("the game does not go on", e))?;
        if steps.node() == Node::Over {
            break;
        }
        steps.legal(&mut list).map_err(|e| unexpected("there is no list", e))?;
        let Some(&action) = rng.choose(&list) else { break };
        steps.play(action).map_err(|e| unexpected(&format!("the listed `{action}` is refused"), e))?;
        count += 1;
        demand!(count <= decisions, Playout, "it ends after {decisions} decisions, the game does not");
    }
    demand!(count == decisions, Playout, "it has {decisions} decisions, the game {count}");
    demand!(numbers == rng, Playout, "it draws other numbers than the game");
    demand!(Some(outcome) == steps.outcome(), Playout, "it has another outcome");
    demand!(swift.digest() == steps.digest(), Playout, "it ends in another state");
    let same = swift.faces.face.as_ref() == steps.faces.face.as_ref();
    demand!(same, Playout, "it ends with other hidden faces");
    Ok(())
}
