//! Simulation of many games, typed and fast, for the command `sim`.

use super::AnyError;
use super::bot::{BasicBot, pick};
use crate::game::Game;
use crate::heuristic::Heuristic;
use crate::node::Node;
use crate::outcome::Outcome;
use crate::position::Position;
use crate::rejected::RuleError;
use crate::rng::Rng;
use crate::seat::MAX_SEATS;
use serde_json::Value;

/// The parameters of a simulation.
#[derive(Clone, Debug)]
pub struct SimulationPlan {
    /// Number of seats.
    pub seats: u8,
    /// The options that differ from the defaults.
    pub options: Value,
    /// The bot of each seat; seats beyond the list are random.
    pub bots: Vec<BasicBot>,
    /// Seed of the simulation.
    pub seed: u64,
}

/// Results of a number of games. All fields are sums, so tallies of parts can be merged in any order.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct SimulationTally {
    /// Number of games.
    pub games: u64,
    /// Number of games that each seat won alone.
    pub wins: [u64; MAX_SEATS],
    /// Number of games with a shared victory.
    pub draws: u64,
    /// Number of games that all seats lost.
    pub unwon: u64,
    /// Number of games that ended at their limit.
    pub capped: u64,
    /// Total number of decisions.
    pub decisions: u64,
    /// Sum of the scores of each seat.
    pub scores: [i64; MAX_SEATS],
    /// Histogram of the number of decisions per game; the last entry counts all longer games.
    pub lengths: Vec<u64>,
}

/// Longest game in the histogram; longer ones are counted as this.
const LONGEST: usize = 1 << 20;

impl SimulationTally {
    /// Adds the result of one game, with its number of decisions, to all counts.
    pub fn add(&mut self, outcome: &Outcome, decisions: u32) {
        self.games += 1;
        match outcome.winner() {
            Some(seat) => self.wins[seat.index()] += 1,
            None if outcome.is_won() => self.draws += 1,
            None => self.unwon += 1,
        }
        self.capped += u64::from(outcome.is_capped());
        self.decisions += u64::from(decisions);
        for (sum, &score) in self.scores.iter_mut().zip(outcome.scores()) {
            *sum += i64::from(score);
        }
        let length = (decisions as usize).min(LONGEST);
        if self.lengths.len() <= length {
            self.lengths.resize(length + 1, 0);
        }
        self.lengths[length] += 1;
    }

    /// Adds all counts of another tally of the same plan. The games of the two must be different ones.
    pub fn merge(&mut self, other: &SimulationTally) {
        self.games += other.games;
        self.draws += other.draws;
        self.unwon += other.unwon;
        self.capped += other.capped;
        self.decisions += other.decisions;
        for seat in 0..MAX_SEATS {
            self.wins[seat] += other.wins[seat];
            self.scores[seat] += other.scores[seat];
        }
        if self.lengths.len() < other.lengths.len() {
            self.lengths.resize(other.lengths.len(), 0);
        }
        for (sum, n) in self.lengths.iter_mut().zip(&other.lengths) {
            *sum += n;
        }
    }

    /// Returns the given percentile (0 to 100) of the number of decisions per game: 50 gives the median. 0 if
    /// there are no games; games longer than 2^20 decisions count as that long.
    pub fn length_at(&self, percent: u64) -> usize {
        let wanted = (self.games * percent).div_ceil(100).max(1);
        let mut seen = 0;
        let reached = self.lengths.iter().position(|&n| {
            seen += n;
            seen >= wanted
        });
        reached.unwrap_or(0)
    }
}

/// Plays the games with these numbers from `start`, the initial position of the plan, and adds the results to
/// `tally`. Game number i uses stream i of the plan's seed.
///
/// # Errors
///
/// Fails with the number of the game if the rules reject an event; earlier games have been added then.
pub(super) fn simulate<G: Game + Heuristic>(
    start: &Position<G>,
    plan: &SimulationPlan,
    games: std::ops::Range<u64>,
    tally: &mut SimulationTally,
) -> Result<(), AnyError> {
    let (mut list, mut rates) = (Vec::new(), Vec::new());
    let only_random = plan.bots.iter().all(|&bot| bot == BasicBot::Random);
    for game in games {
        let mut rng = Rng::stream(plan.seed, game);
        let mut position = start.clone();
        let played = if only_random {
            position.playout(&mut rng, &mut list)
        } else {
            play(&mut position, plan, &mut rng, &mut list, &mut rates)
        };
        let (outcome, decisions) =
            played.map_err(|reason| AnyError::Broken { seed: plan.seed, game, reason })?;
        tally.add(&outcome, decisions);
    }
    Ok(())
}

/// Plays one game from `position` to its end with the bots of the plan. Returns the outcome and the number of
/// decisions. `list` and `rates` are reusable buffers.
///
/// # Errors
///
/// Fails if the rules reject an event, or the game ends without an outcome.
fn play<G: Game + Heuristic>(
    position: &mut Position<G>,
    plan: &SimulationPlan,
    rng: &mut Rng,
    list: &mut Vec<G::Action>,
    rates: &mut Vec<i32>,
) -> Result<(Outcome, u32), RuleError> {
    let mut decisions = 0;
    loop {
        position.settle(rng, list)?;
        let Node::Decide(seat) = position.node() else {
            let outcome = position.outcome().ok_or(RuleError::new("the game is over without an outcome"))?;
            return Ok((outcome, decisions));
        };
        position.legal(list)?;
        let bot = plan.bots.get(seat.index()).copied().unwrap_or(BasicBot::Random);
        let action = pick(position, bot, rng, list, rates)?;
        position.play(action)?;
        decisions += 1;
    }
}
