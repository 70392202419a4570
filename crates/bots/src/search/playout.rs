//! Playouts: from a leaf of the tree to a reward per seat.

use super::Search;
use pentarchy_engine::{
    Heuristic, MAX_SEATS, Node, Outcome, Position, RuleError, Seat, best_rated, rate_actions,
};

/// The reward of each seat, from 0 to 1.
pub(crate) type Rewards = [f32; MAX_SEATS];

impl<G: Heuristic> Search<G> {
    /// Plays `whole`, a complete position, on as the search hints say, and returns the reward of each seat:
    /// by the outcome, or by the heuristic's evaluation of the first settled position
    /// ([`Heuristic::settled`]) after the maximum number of decisions. Decisions with a single action do not
    /// count.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event, a decision has no legal action, or the game ends without an
    /// outcome.
    pub(super) fn playout(&mut self, whole: &mut Position<G>) -> Result<Rewards, RuleError> {
        let hints = self.settings.hints;
        if hints.rated == 0 && hints.plies == u16::MAX {
            return whole
                .playout(&mut self.rng, &mut self.scratch.list)
                .map(|(outcome, _)| rewards(&outcome, hints.stakes));
        }
        let (mut plies, mut last) = (0, None);
        loop {
            match whole.node() {
                Node::Decide(seat) => {
                    if plies >= hints.plies && whole.state().settled(seat, last) {
                        return Ok(evaluated(whole));
                    }
                    last = Some(seat);
                    let pick = self.pick(whole, plies < hints.rated)?;
                    let action = self.scratch.list.get(pick).copied();
                    whole.play(action.ok_or(RuleError::new("a decision without a legal action"))?)?;
                    plies = plies.saturating_add(u16::from(self.scratch.list.len() > 1));
                }
                Node::Over => return final_rewards(whole, hints.stakes),
                _ => self.resolve(whole)?,
            }
        }
    }

    /// Replaces the list in the scratch buffers by the legal actions and returns the index of the next one:
    /// a random one, or the best by the heuristic if `rated`, though then with a chance of `careless`
    /// percent a random one too. Ties of the heuristic are broken at random. An empty list gives 0.
    ///
    /// # Errors
    ///
    /// Fails if no seat decides, or this observer may not list its actions.
    fn pick(&mut self, whole: &Position<G>, rated: bool) -> Result<usize, RuleError> {
        whole.legal(&mut self.scratch.list)?;
        let n = self.scratch.list.len() as u32;
        if n < 2 {
            return Ok(0);
        }
        if !rated || self.rng.below(100) < self.settings.hints.careless.into() {
            return Ok(self.rng.below(n) as usize);
        }
        rate_actions(whole, &self.scratch.list, &mut self.scratch.ratings);
        Ok(best_rated(&self.scratch.ratings, &mut self.rng).unwrap_or(0))
    }

    /// Resolves the awaited node of `whole` in place: plays the only legal action of a declaration, draws
    /// chance from the generator of the search, or carries out a reveal or rearrangement. No effect at a
    /// decision or at the end. Overwrites the list in the scratch buffers.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject the event or list no declaration. The position must then be discarded.
    pub(super) fn resolve(&mut self, whole: &mut Position<G>) -> Result<(), RuleError> {
        whole.advance(&mut self.rng, &mut self.scratch.list).map(|_| ())
    }
}

/// Returns the reward of each seat at the end of a game. `stakes` is the largest possible win or loss; 0 if
/// the ranking counts.
///
/// # Errors
///
/// Fails if the game has no outcome, as before its end.
pub(super) fn final_rewards<G: Heuristic>(whole: &Position<G>, stakes: u16) -> Result<Rewards, RuleError> {
    let outcome = whole.outcome().ok_or(RuleError::new("the game is over without an outcome"))?;
    Ok(rewards(&outcome, stakes))
}

/// Converts an outcome into rewards from 0 to 1: by score relative to `stakes` if that is not 0 (a score of 0
/// gives 0.5), else by rank. Seats that did not take part get 0.
pub(crate) fn rewards(outcome: &Outcome, stakes: u16) -> Rewards {
    let mut rewards = [0.0; MAX_SEATS];
    for (seat, reward) in (0..outcome.seats()).map(Seat).zip(&mut rewards) {
        *reward = match stakes {
            0 => standing(outcome, seat),
            all => (0.5 + 0.5 * outcome.score(seat) as f32 / f32::from(all)).clamp(0.0, 1.0),
        };
    }
    rewards
}

/// Weight of the ranks below the first, so that they are not given away.
const PLACES: f32 = 0.1;

/// Returns the reward of a seat, from 0 to 1. With one or two seats it is [`Outcome::reward`]; with two a
/// draw is worth 0.5. With more it is the seat's share of the victory (1 divided by the number of winners,
/// 0 for others) by 1 − `PLACES`, and [`Outcome::reward`] by `PLACES`.
fn standing(outcome: &Outcome, seat: Seat) -> f32 {
    if outcome.seats() < 3 {
        return outcome.reward(seat);
    }
    let wins = outcome.is_won() && outcome.rank(seat) == 1;
    let victory = if wins { 1.0 / outcome.winners().count().max(1) as f32 } else { 0.0 };
    (1.0 - PLACES) * victory + PLACES * outcome.reward(seat)
}

/// Returns the heuristic's evaluation of a position for each seat, from 0 to 1, with what that seat knows.
/// Seats that do not take part get 0.
fn evaluated<G: Heuristic>(whole: &Position<G>) -> Rewards {
    let mut rewards = [0.0; MAX_SEATS];
    for (seat, reward) in (0..whole.seats()).map(Seat).zip(&mut rewards) {
        *reward = whole.state().evaluate(&whole.own(seat), seat).clamp(0, 1000) as f32 / 1000.0;
    }
    rewards
}
