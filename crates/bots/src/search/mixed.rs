//! Mixed strategies for small games in which predictable play loses: searches the whole game from its start,
//! with one strategy per information set.
//!
//! A tree for one observer cannot learn to bluff, because what opponents believe depends on what the observer
//! would have done with other cards. Here each iteration deals again, lets one seat try all its actions
//! against the current strategies of the others, and shifts weight to actions with positive regret. The
//! average strategy converges to an equilibrium. M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling: "Monte Carlo
//! Sampling for Regret Minimization in Extensive Games", 2009 (external sampling).

use super::Ranked;
use super::playout::final_rewards;
use super::reuse::knowledge_hash;
use pentarchy_engine::options::Options;
use pentarchy_engine::{Heuristic, Node, Position, Rng, RuleError, Seat};
use std::collections::BTreeMap;

/// The error of a decision with an empty list, which the rules never produce.
const NOTHING: RuleError = RuleError::new("a decision without a legal action");

/// The strategies of all seats for the whole game.
#[derive(Debug)]
pub(super) struct Mixed<G: Heuristic> {
    /// The initial position, of the simulator.
    start: Position<G>,
    /// The largest win or loss; 0 if the ranking counts.
    stakes: u16,
    /// Information sets, by a hash of what the deciding seat knows.
    decisions: BTreeMap<u64, Decision>,
    /// Number of iterations so far.
    rounds: u32,
}

/// Statistics of an information set, with one entry per action.
#[derive(Debug)]
struct Decision {
    /// Sum of the regrets of all iterations.
    regrets: Vec<f32>,
    /// Sum of the strategies of all iterations.
    done: Vec<f32>,
    /// Total reward of each action, and the number of iterations that tried all of them.
    sums: Vec<f32>,
    tried: u32,
}

impl Decision {
    /// Creates the statistics of an information set with this number of actions, with all sums 0.
    fn new(entries: usize) -> Self {
        let none = || vec![0.0; entries];
        Decision { regrets: none(), done: none(), sums: none(), tried: 0 }
    }

    /// Returns the current strategy, one probability per action: proportional to positive regret, uniform
    /// without any.
    fn now(&self) -> Vec<f32> {
        shares(self.regrets.iter().map(|regret| regret.max(0.0)).collect())
    }
}

/// Normalises weights, which must not be negative, to a sum of 1; uniform if all are 0.
fn shares(mut weights: Vec<f32>) -> Vec<f32> {
    let (sum, even) = (weights.iter().sum::<f32>(), 1.0 / weights.len().max(1) as f32);
    weights.iter_mut().for_each(|weight| *weight = if sum > 0.0 { *weight / sum } else { even });
    weights
}

impl<G: Heuristic> Mixed<G> {
    /// Creates the search from the start of a game with this number of seats. `stakes` is the largest win or
    /// loss (0: ranks count). `None` for a game with options, because those of the current match are unknown
    /// here, and for a number of seats that the game does not allow.
    pub(super) fn new(seats: u8, stakes: u16) -> Option<Self> {
        let start = Position::new(seats, &G::Options::default()).ok();
        let start = start.filter(|_| G::Options::FIELDS.is_empty())?;
        Some(Mixed { start, stakes, decisions: BTreeMap::new(), rounds: 0 })
    }

    /// Returns the number of iterations since the search was created, over all decisions.
    pub(super) fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Deals a game from its start and plays it once: one seat tries all its actions at each of its
    /// decisions, the others follow their current strategies. Updates the strategies on the way. The seats
    /// take turns by the number of iterations. All chance and choices are drawn from `rng`. An iteration in
    /// which the rules fail is counted, but part of its results is lost.
    pub(super) fn iterate(&mut self, rng: &mut Rng) {
        let hero = Seat((self.rounds % u32::from(self.start.seats().max(1))) as u8);
        self.rounds = self.rounds.saturating_add(1);
        // A game that breaks its own rules must not stop the search; this iteration is lost.
        let _ = self.play(self.start.clone(), hero, rng);
    }

    /// Plays on from `whole`, a complete position, and returns the reward for `hero`, the seat that tries all
    /// its actions; the others draw theirs by their current strategies, which are added to their averages. A
    /// decision with a single action is played without statistics. Chance is drawn from `rng`.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event, a decision has no legal action, or the game ends without an
    /// outcome. Strategies that were updated before stay.
    fn play(&mut self, mut whole: Position<G>, hero: Seat, rng: &mut Rng) -> Result<f32, RuleError> {
        let mut list = Vec::new();
        loop {
            match whole.node() {
                Node::Decide(seat) => {
                    whole.legal(&mut list)?;
                    let mut choice = 0;
                    if list.len() > 1 {
                        let (name, entries) = (knowledge_hash(&whole, seat), list.len());
                        let decision = self.decisions.entry(name).or_insert_with(|| Decision::new(entries));
                        let now = decision.now();
                        if seat == hero {
                            return self.try_all(&whole, &list, name, &now, hero, rng);
                        }
                        decision.done.iter_mut().zip(&now).for_each(|(done, share)| *done += share);
                        choice = draw(&now, rng);
                    }
                    whole.play(*list.get(choice).ok_or(NOTHING)?)?;
                }
                Node::Over => return Ok(final_rewards(&whole, self.stakes)?[hero.index()]),
                _ => {
                    whole.advance(rng, &mut list)?;
                }
            }
        }
    }

    /// Plays on once after each action of `list` for `hero`, who decides in `whole`, with chance from `rng`.
    /// Adds the rewards and regrets to the statistics of information set `name`, and returns the expected
    /// reward of its current strategy `now` (one share per action).
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event, a decision has no legal action, or the game ends without an
    /// outcome; the regrets are then unchanged at this decision.
    fn try_all(
        &mut self,
        whole: &Position<G>,
        list: &[G::Action],
        name: u64,
        now: &[f32],
        hero: Seat,
        rng: &mut Rng,
    ) -> Result<f32, RuleError> {
        let mut values = Vec::with_capacity(list.len());
        for &action in list {
            let mut next = whole.clone();
            next.play(action)?;
            values.push(self.play(next, hero, rng)?);
        }
        let mean = values.iter().zip(now).map(|(value, share)| value * share).sum::<f32>();
        if let Some(decision) = self.decisions.get_mut(&name) {
            decision.tried += 1;
            for (i, &value) in values.iter().enumerate().take(decision.regrets.len()) {
                decision.regrets[i] += value - mean;
                decision.sums[i] += value;
            }
        }
        Ok(mean)
    }

    /// Returns the average strategy of the decision of `seat` in `view`, in the order of its list of
    /// `entries` actions: each action gets its share of all iterations as visits. The visits add up to the
    /// iterations, and the advice is uniform. The strategy is uniform if the decision was reached in no
    /// iteration of another seat; the values are 0.5 if it was reached in none of `seat`'s own.
    pub(super) fn counts(&self, view: &Position<G>, seat: Seat, entries: usize) -> Vec<Ranked> {
        let unknown = Decision::new(entries);
        let decision = self.decisions.get(&knowledge_hash(view, seat)).filter(|d| d.done.len() == entries);
        let decision = decision.unwrap_or(&unknown);
        let done = shares(decision.done.clone());
        let mut left = self.rounds;
        let mut counts: Vec<Ranked> = (0..entries)
            .map(|index| {
                let visits = ((done[index] * self.rounds as f32) as u32).min(left);
                left -= visits;
                let tried = decision.tried.max(1) as f32;
                let value = if decision.tried > 0 { decision.sums[index] / tried } else { 0.5 };
                Ranked { index, visits, value, advised: 1.0 / entries as f32 }
            })
            .collect();
        // The rounding error goes to the most frequent action.
        if let Some(most) = counts.iter_mut().max_by_key(|r| r.visits) {
            most.visits += left;
        }
        counts
    }
}

/// Draws an index with these probabilities, which must add up to about 1; the last one if rounding leaves a
/// rest. 0 for an empty list. Takes one number from `rng` in every case.
fn draw(shares: &[f32], rng: &mut Rng) -> usize {
    let mut at = rng.below(1 << 24) as f32 / (1 << 24) as f32;
    let place = shares.iter().position(|share| {
        at -= share;
        at < 0.0
    });
    place.unwrap_or(shares.len().saturating_sub(1))
}

/// Draws the position of an entry of `counts` (not its `index`), with probability proportional to its visits;
/// uniformly if none has visits. 0 for an empty list. Takes one number from `rng` in every case.
pub(crate) fn in_proportion(counts: &[Ranked], rng: &mut Rng) -> usize {
    draw(&shares(counts.iter().map(|r| r.visits as f32).collect()), rng)
}
