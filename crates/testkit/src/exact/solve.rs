//! Equilibria of game trees by CFR+, and exploitability by exact best responses.
//!
//! O. Tammelin, "Solving large imperfect information games using CFR+", 2014: regrets are floored at zero,
//! the seats are updated alternately, and the average strategy weighs each iteration by its number.

use super::history::{History, TreeTurn};
use super::tree::{Branch, Kind, Tree};
use pentarchy_engine::{Game, Position, RuleError, Seat};

/// The probability of each action in each information set of a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Strategy(Vec<f64>);

/// The result of [`solve`].
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// The average strategy of both seats.
    pub strategy: Strategy,
    /// Expected score of seat 0 if both seats follow the strategy.
    pub value: f64,
    /// Expected score of seat 0 against a best response: a lower bound of the value of the game.
    pub at_least: f64,
    /// Expected score of a best response of seat 0: an upper bound of the value of the game.
    pub at_most: f64,
}

impl Solution {
    /// Returns the mean loss of the strategy against best responses, in points of the score; 0 for an
    /// equilibrium.
    pub fn exploitability(&self) -> f64 {
        (self.at_most - self.at_least) / 2.0
    }
}

/// Runs CFR+ on the tree for this number of iterations (`rounds`) from the uniform strategy.
/// Returns the average strategy, its value, and bounds of the value by best responses. Without iterations the
/// strategy is the uniform one.
pub fn solve(tree: &Tree, rounds: u32) -> Solution {
    let mut cfr = Cfr {
        tree,
        regret: vec![0.0; tree.actions],
        gain: vec![0.0; tree.actions],
        now: tree.uniform(),
        sum: vec![0.0; tree.actions],
    };
    for round in 1..=rounds {
        for seat in [Seat(0), Seat(1)] {
            cfr.update(seat, f64::from(round));
        }
    }
    let strategy = tree.normalised(&cfr.sum);
    Solution {
        value: tree.value(&strategy),
        at_least: -tree.best_response(Seat(1), &strategy),
        at_most: tree.best_response(Seat(0), &strategy),
        strategy,
    }
}

/// CFR+ in progress. The lists have one entry per action of the tree.
struct Cfr<'t> {
    /// The tree that is solved.
    tree: &'t Tree,
    /// Sum of the regrets of each action, never negative.
    regret: Vec<f64>,
    /// Counterfactual regret of each action in this iteration.
    gain: Vec<f64>,
    /// The current strategy.
    now: Strategy,
    /// Weighted sum of the strategies of all iterations.
    sum: Vec<f64>,
}

impl Cfr<'_> {
    /// Runs one iteration for a seat, whose strategy counts with `weight` in the average: traverses the
    /// tree, adds the gains to the regrets, which are floored at zero, and sets the current strategy in
    /// proportion to them.
    fn update(&mut self, seat: Seat, weight: f64) {
        self.gain.fill(0.0);
        self.visit(0, seat, weight, 1.0);
        for (regret, gain) in self.regret.iter_mut().zip(&self.gain) {
            *regret = (*regret + gain).max(0.0);
        }
        self.now = self.tree.normalised(&self.regret);
    }

    /// Returns the counterfactual value of the branch at index `place` for `seat`, and adds gains and
    /// strategy sums on the way. `own` is the weight of the iteration times the reach probability of the
    /// seat, `others` the reach probability of chance and the opponent.
    fn visit(&mut self, place: usize, seat: Seat, own: f64, others: f64) -> f64 {
        let Branch { kind, edges } = self.tree.branches[place].clone();
        let set = match kind {
            Kind::Over(score) => return for_seat(score, seat),
            Kind::Chance => {
                return self.tree.edges[edges]
                    .iter()
                    .map(|edge| edge.chance * self.visit(edge.to, seat, own, others * edge.chance))
                    .sum();
            }
            Kind::Decision(set) => &self.tree.sets[set],
        };
        let mine = set.seat == seat;
        let mut value = 0.0;
        for (edge, action) in self.tree.edges[edges].iter().zip(set.actions.clone()) {
            let chance = self.now.0[action];
            if mine {
                let gain = self.visit(edge.to, seat, own * chance, others);
                self.gain[action] += others * gain;
                self.sum[action] += own * chance;
                value += chance * gain;
            } else {
                value += chance * self.visit(edge.to, seat, own, others * chance);
            }
        }
        if mine {
            for action in set.actions.clone() {
                self.gain[action] -= others * value;
            }
        }
        value
    }
}

/// Converts the score of seat 0 to the score of this seat in a zero-sum game: negated unless it is
/// seat 0.
fn for_seat(score: f64, seat: Seat) -> f64 {
    if seat == Seat(0) { score } else { -score }
}

impl Tree {
    /// Builds a strategy from `says`, which returns a weight for each legal action, given one history of each
    /// information set. Weights are normalised, and uniform where all are 0; negative ones count as 0,
    /// missing ones too. `position` must be the one that the tree was built from.
    ///
    /// # Errors
    ///
    /// Fails if the rules contradict themselves.
    pub fn strategy<G: Game>(
        &self,
        position: &Position<G>,
        mut says: impl FnMut(&History<G>, Seat, &[G::Action]) -> Vec<f64>,
    ) -> Result<Strategy, RuleError> {
        let mut weights = vec![0.0; self.actions];
        let mut asked = vec![false; self.sets.len()];
        // Histories are visited in the order of the branches.
        let mut place = 0;
        super::walk(position, &mut |history, turn| {
            if let (TreeTurn::Decision(seat, list), Some(Kind::Decision(set))) =
                (turn, self.branches.get(place).map(|branch| branch.kind))
                && !std::mem::replace(&mut asked[set], true)
            {
                let said = says(history, *seat, list);
                for (weight, said) in weights[self.sets[set].actions.clone()].iter_mut().zip(said) {
                    *weight = said.max(0.0);
                }
            }
            place += 1;
        })?;
        Ok(self.normalised(&weights))
    }

    /// Returns the mean loss of a strategy against best responses, in points of the score; 0 for an
    /// equilibrium.
    pub fn exploitability(&self, strategy: &Strategy) -> f64 {
        (self.best_response(Seat(0), strategy) + self.best_response(Seat(1), strategy)) / 2.0
    }

    /// Returns the strategy that takes all actions of each information set with equal probability.
    pub fn uniform(&self) -> Strategy {
        self.normalised(&vec![0.0; self.actions])
    }

    /// Normalises the weights, one per action of the tree, to probabilities within each information set;
    /// uniform where all weights are 0.
    fn normalised(&self, weights: &[f64]) -> Strategy {
        let mut strategy = vec![0.0; self.actions];
        for set in &self.sets {
            let all: f64 = weights[set.actions.clone()].iter().sum();
            let equal = 1.0 / set.actions.len() as f64;
            for action in set.actions.clone() {
                strategy[action] = if all > 0.0 { weights[action] / all } else { equal };
            }
        }
        Strategy(strategy)
    }

    /// Iterates over the children of this branch: the index of the branch, and the probability that the
    /// game goes there, by chance or by the strategy of the seat that decides.
    fn chances<'a>(
        &'a self,
        branch: &Branch,
        strategy: &'a Strategy,
    ) -> impl Iterator<Item = (usize, f64)> + 'a {
        let first = match branch.kind {
            Kind::Decision(set) => Some(self.sets[set].actions.start),
            _ => None,
        };
        self.edges[branch.edges.clone()]
            .iter()
            .enumerate()
            .map(move |(i, edge)| (edge.to, first.map_or(edge.chance, |first| strategy.0[first + i])))
    }

    /// Returns the expected score of seat 0 if both seats follow the strategy, which must be of this tree.
    pub fn value(&self, strategy: &Strategy) -> f64 {
        let mut value = vec![0.0; self.branches.len()];
        for (place, branch) in self.branches.iter().enumerate().rev() {
            value[place] = match branch.kind {
                Kind::Over(score) => score,
                _ => self.chances(branch, strategy).map(|(to, chance)| chance * value[to]).sum(),
            };
        }
        value.first().copied().unwrap_or(0.0)
    }

    /// Returns the expected score of `seat` (0 or 1) if it plays a best response to the other seat's part of
    /// the strategy, which must be of this tree. The own part of the strategy is ignored.
    pub fn best_response(&self, seat: Seat, strategy: &Strategy) -> f64 {
        // Reach probability of each branch, from chance and the other seat.
        let mut reach = vec![1.0; self.branches.len()];
        for (place, branch) in self.branches.iter().enumerate() {
            let mine = matches!(branch.kind, Kind::Decision(set) if self.sets[set].seat == seat);
            for (to, chance) in self.chances(branch, strategy) {
                reach[to] = if mine { reach[place] } else { reach[place] * chance };
            }
        }
        let mut best = Best { tree: self, seat, strategy, reach, value: vec![None; self.branches.len()] };
        best.value(0)
    }
}

/// A best response, computed from the leaves.
struct Best<'t> {
    /// The tree.
    tree: &'t Tree,
    /// The responding seat.
    seat: Seat,
    /// The strategy that it responds to.
    strategy: &'t Strategy,
    /// Reach probability of each branch, from chance and the other seat.
    reach: Vec<f64>,
    /// The value of each branch for the responding seat, as far as it is computed.
    value: Vec<Option<f64>>,
}

impl Best<'_> {
    /// Returns the value of the branch at index `place` for the responding seat, and caches it. Chooses the
    /// actions of this seat's information sets on the way.
    fn value(&mut self, place: usize) -> f64 {
        if let Some(value) = self.value[place] {
            return value;
        }
        let tree = self.tree;
        let branch = &tree.branches[place];
        let value = match branch.kind {
            Kind::Over(score) => for_seat(score, self.seat),
            Kind::Decision(set) if tree.sets[set].seat == self.seat => {
                self.choose(set);
                return self.value[place].unwrap_or(0.0);
            }
            _ => tree.chances(branch, self.strategy).map(|(to, chance)| chance * self.value(to)).sum(),
        };
        self.value[place] = Some(value);
        value
    }

    /// Fixes the action that is best for the responding seat over all branches of its information set
    /// number `set` (the first of equal ones), weighted by their reach, and stores the values of these
    /// branches under it. With perfect recall none of them lies below another.
    fn choose(&mut self, set: usize) {
        let tree = self.tree;
        let set = &tree.sets[set];
        let after = |place: usize, i: usize| tree.edges[tree.branches[place].edges.start + i].to;
        let mut best = (f64::NEG_INFINITY, 0);
        for i in 0..set.actions.len() {
            let gain =
                set.branches.iter().map(|&place| self.reach[place] * self.value(after(place, i))).sum();
            if gain > best.0 {
                best = (gain, i);
            }
        }
        for &place in &set.branches {
            self.value[place] = Some(self.value(after(place, best.1)));
        }
    }
}
