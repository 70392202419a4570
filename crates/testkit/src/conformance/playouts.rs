//! Check that a playout, which uses shortcuts, gives the same game as event-by-event play.

use super::{LawResult, demand, trial::unexpected};
use pentarchy_engine::{Game, Node, Outcome, Position, Rng};

/// A playout to the end of a game.
pub(super) struct FinishedPlayout<G: Game> {
    /// The last position.
    position: Position<G>,
    /// The generator afterwards.
    rng: Rng,
    /// The outcome.
    outcome: Outcome,
    /// Number of decisions.
    decisions: u32,
}

impl<G: Game> FinishedPlayout<G> {
    /// Plays a copy of `first` to the end as a playout, with a copy of `rng`.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event.
    pub(super) fn play(first: &Position<G>, rng: &Rng) -> LawResult<Self> {
        let (mut position, mut rng) = (first.clone(), rng.clone());
        let played = position.playout(&mut rng, &mut Vec::new());
        let (outcome, decisions) = played.map_err(|e| unexpected("a playout does not go on", e))?;
        Ok(FinishedPlayout { position, rng, outcome, decisions })
    }

    /// Compares the playout with the same game played event by event, of which `game` is the last position,
    /// `decisions` the number of decisions and `rng` the generator afterwards: outcome, decisions, digest,
    /// hidden faces and the state of the generator.
    ///
    /// # Errors
    ///
    /// Fails with [`Law::Playout`](super::Law) if something differs.
    pub(super) fn compare(&self, game: &Position<G>, decisions: u32, rng: &Rng) -> LawResult {
        let own = self.decisions;
        demand!(own == decisions, Playout, "it has {own} decisions, the game {decisions}");
        demand!(self.rng == *rng, Playout, "it draws other numbers than the game");
        demand!(Some(self.outcome) == game.outcome(), Playout, "it has another outcome");
        demand!(self.position.digest() == game.digest(), Playout, "it ends in another state");
        let same = self.position.raw_faces() == game.raw_faces();
        demand!(same, Playout, "it ends with other hidden faces");
        Ok(())
    }
}

/// Plays the game from `first` to its end as a playout and event by event, both with the same generator of `seed`,
/// and compares the two.
///
/// # Errors
///
/// Fails if they differ in outcome, decisions, state, hidden faces or drawn numbers, or if the rules reject an event.
pub(super) fn check<G: Game>(first: &Position<G>, seed: u64) -> LawResult {
    let (mut rng, mut list) = (Rng::stream(seed, 3), Vec::new());
    let playout = FinishedPlayout::play(first, &rng)?;
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
        let decisions = playout.decisions;
        demand!(count <= decisions, Playout, "it ends after {decisions} decisions, the game does not");
    }
    playout.compare(&steps, count, &rng)
}
