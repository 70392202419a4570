//! From a leaf of the tree to a result.

use super::Search;
use crate::captain::{best, rate};
use pentarchy_engine::{Heuristic, MAX_SEATS, Node, Outcome, Position, Rejected, Seat};

/// What a game came to for each seat, from 0 to 1.
pub(super) type Rewards = [f32; MAX_SEATS];

impl<G: Heuristic> Search<G> {
    /// Plays on as the hints say.
    pub(super) fn playout(&mut self, whole: &mut Position<G>) -> Result<Rewards, Rejected> {
        let hints = self.settings.hints;
        if hints.rated == 0 && hints.plies == u16::MAX {
            return whole
                .playout(&mut self.rng, &mut self.room.list)
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
                    let action = self.room.list.get(pick).copied();
                    whole.play(action.ok_or(Rejected::new("a decision without a legal action"))?)?;
                    plies = plies.saturating_add(u16::from(self.room.list.len() > 1));
                }
                Node::Over => return over(whole, hints.stakes),
                _ => self.resolve(whole)?,
            }
        }
    }

    /// The place in the list of what is done next.
    fn pick(&mut self, whole: &Position<G>, rated: bool) -> Result<usize, Rejected> {
        whole.legal(&mut self.room.list)?;
        let n = self.room.list.len() as u32;
        if n < 2 {
            return Ok(0);
        }
        if !rated || self.rng.below(100) < self.settings.hints.careless.into() {
            return Ok(self.rng.below(n) as usize);
        }
        rate(whole, &self.room.list, &mut self.room.ratings);
        Ok(best(&self.room.ratings, &mut self.rng))
    }

    /// Resolves what nobody decides.
    pub(super) fn resolve(&mut self, whole: &mut Position<G>) -> Result<(), Rejected> {
        match whole.node() {
            Node::Declare(_) => {
                whole.legal(&mut self.room.list)?;
                let duty = self.room.list.first().copied();
                whole.play(duty.ok_or(Rejected::new("a duty without an entry"))?)
            }
            _ => whole.resolve(&mut self.rng),
        }
    }
}

/// What the end of a game is worth.
pub(super) fn over<G: Heuristic>(whole: &Position<G>, stakes: u16) -> Result<Rewards, Rejected> {
    let outcome = whole.outcome().ok_or(Rejected::new("the game is over without an outcome"))?;
    Ok(rewards(&outcome, stakes))
}

fn rewards(outcome: &Outcome, stakes: u16) -> Rewards {
    let mut rewards = [0.0; MAX_SEATS];
    for (seat, reward) in (0..outcome.seats()).map(Seat).zip(&mut rewards) {
        *reward = match stakes {
            0 => standing(outcome, seat),
            all => (0.5 + 0.5 * outcome.score(seat) as f32 / f32::from(all)).clamp(0.0, 1.0),
        };
    }
    rewards
}

/// How little the places behind the first are worth: enough not to give them away.
const PLACES: f32 = 0.1;

/// What a ranking is worth to a seat: the victory, or its part of a shared one, and a little for who is beaten.
fn standing(outcome: &Outcome, seat: Seat) -> f32 {
    if outcome.seats() < 3 {
        return outcome.reward(seat);
    }
    let wins = outcome.is_won() && outcome.rank(seat) == 1;
    let victory = if wins { 1.0 / outcome.winners().count().max(1) as f32 } else { 0.0 };
    (1.0 - PLACES) * victory + PLACES * outcome.reward(seat)
}

/// What a position promises each seat, as it sees it.
fn evaluated<G: Heuristic>(whole: &Position<G>) -> Rewards {
    let mut rewards = [0.0; MAX_SEATS];
    for (seat, reward) in (0..whole.seats()).map(Seat).zip(&mut rewards) {
        *reward = whole.state().evaluate(&whole.own(seat), seat).clamp(0, 1000) as f32 / 1000.0;
    }
    rewards
}
