//! Equilibria of game trees by CFR+, and how far a strategy is from one by exact best responses.
//!
//! O. Tammelin, "Solving large imperfect information games using CFR+", 2014: regrets never fall below
//! nothing, the seats are updated in turn, and the average strategy weighs each round by its number.

use super::history::{History, Turn};
use super::tree::{Branch, Kind, Tree};
use crate::game::Game;
use crate::position::Position;
use crate::rejected::Rejected;
use crate::seat::Seat;

/// For each information set how likely each action is.
#[derive(Clone, PartialEq, Debug)]
pub struct Strategy(Vec<f64>);

/// What [`solve`] found.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// A strategy for both seats.
    pub strategy: Strategy,
    /// What it gains seat 0 against itself.
    pub value: f64,
    /// What it gains seat 0 at least, against any opponent. The value of the game is not less.
    pub at_least: f64,
    /// What seat 0 can gain at most against it. The value of the game is not more.
    pub at_most: f64,
}

impl Solution {
    /// How much the strategy loses on average against a best response.
    pub fn exploitability(&self) -> f64 {
        (self.at_most - self.at_least) / 2.0
    }
}

/// Improves a strategy for this many rounds.
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
    let strategy = tree.normal(&cfr.sum);
    Solution {
        value: tree.value(&strategy),
        at_least: -tree.best_response(Seat(1), &strategy),
        at_most: tree.best_response(Seat(0), &strategy),
        strategy,
    }
}

struct Cfr<'t> {
    tree: &'t Tree,
    regret: Vec<f64>,
    /// What each action would have gained in this round.
    gain: Vec<f64>,
    now: Strategy,
    /// The strategies of all rounds, weighted.
    sum: Vec<f64>,
}

impl Cfr<'_> {
    fn update(&mut self, seat: Seat, weight: f64) {
        self.gain.fill(0.0);
        self.visit(0, seat, weight, 1.0);
        for (regret, gain) in self.regret.iter_mut().zip(&self.gain) {
            *regret = (*regret + gain).max(0.0);
        }
        self.now = self.tree.normal(&self.regret);
    }

    /// What this branch is worth to the seat. `own` is the weight of the round times how likely the seat
    /// plays here, `others` how likely everybody else does.
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

/// The score of seat 0 as this seat sees it.
fn for_seat(score: f64, seat: Seat) -> f64 {
    if seat == Seat(0) { score } else { -score }
}

impl Tree {
    /// The strategy of somebody who says at each information set how likely he takes each entry of the list,
    /// seen from one history in it. The tree is that of the same position.
    pub fn strategy<G: Game>(
        &self,
        position: &Position<G>,
        mut says: impl FnMut(&History<G>, Seat, &[G::Action]) -> Vec<f64>,
    ) -> Result<Strategy, Rejected> {
        let mut weights = vec![0.0; self.actions];
        let mut asked = vec![false; self.sets.len()];
        // Histories are visited in the order of the branches.
        let mut place = 0;
        super::walk(position, &mut |history, turn| {
            if let (Turn::Decision(seat, list), Some(Kind::Decision(set))) =
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
        Ok(self.normal(&weights))
    }

    /// How much a strategy loses on average against a best response.
    pub fn exploitability(&self, strategy: &Strategy) -> f64 {
        (self.best_response(Seat(0), strategy) + self.best_response(Seat(1), strategy)) / 2.0
    }

    /// All actions of an information set equally likely.
    pub fn uniform(&self) -> Strategy {
        self.normal(&vec![0.0; self.actions])
    }

    /// Scales the weights of each information set to probabilities; without any, all are equally likely.
    fn normal(&self, weights: &[f64]) -> Strategy {
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

    /// How likely each edge of this branch is when both play the strategy.
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

    /// What the strategy gains seat 0 against itself.
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

    /// What a seat gains that answers the strategy of the other as well as possible.
    pub fn best_response(&self, seat: Seat, strategy: &Strategy) -> f64 {
        // How likely nature and the other seat let it come to each branch.
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

/// A best response, worked out from the end of the game.
struct Best<'t> {
    tree: &'t Tree,
    seat: Seat,
    strategy: &'t Strategy,
    reach: Vec<f64>,
    value: Vec<Option<f64>>,
}

impl Best<'_> {
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

    /// Takes the action that is best over all branches of an information set. It has perfect recall, so
    /// none of them lies below another.
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
