//! An explicit game tree of a game for two whose scores add up to nothing.

use super::history::{History, Turn};
use crate::game::Game;
use crate::position::Position;
use crate::rejected::Rejected;
use crate::seat::Seat;
use std::collections::BTreeMap;
use std::ops::Range;

/// All histories of a game, and which of them a seat cannot tell apart. A parent comes before its children.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) branches: Vec<Branch>,
    pub(super) edges: Vec<Edge>,
    pub(super) sets: Vec<InformationSet>,
    /// How many actions there are over all information sets.
    pub(super) actions: usize,
}

/// A history.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub(super) kind: Kind,
    /// Where its continuations stand among the edges.
    pub(super) edges: Range<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Chance,
    /// A decision in this information set.
    Decision(usize),
    /// The end, with the score of seat 0.
    Over(f64),
}

/// How a history goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: usize,
    /// How likely nature takes it; of a decision it means nothing.
    pub(super) chance: f64,
}

/// What a seat can have observed when it decides.
#[derive(Clone, Debug)]
pub(super) struct InformationSet {
    pub(super) seat: Seat,
    /// The places of its actions in the tables of a strategy.
    pub(super) actions: Range<usize>,
    /// The histories in it.
    pub(super) branches: Vec<usize>,
}

impl Tree {
    /// The tree of all histories that begin here, if there are at most `limit` of them.
    pub fn new<G: Game>(position: &Position<G>, limit: usize) -> Result<Self, Rejected> {
        if position.seats() != 2 {
            return Err(Rejected::new("a game tree is for two seats"));
        }
        let mut tree = Tree { branches: Vec::new(), edges: Vec::new(), sets: Vec::new(), actions: 0 };
        let mut names = BTreeMap::new();
        tree.grow(&History::new(position)?, limit, &mut names)?;
        Ok(tree)
    }

    /// How many histories there are.
    pub fn histories(&self) -> usize {
        self.branches.len()
    }

    /// How many information sets there are.
    pub fn information_sets(&self) -> usize {
        self.sets.len()
    }

    fn grow<G: Game>(
        &mut self,
        history: &History<G>,
        limit: usize,
        names: &mut BTreeMap<(Seat, u64), usize>,
    ) -> Result<usize, Rejected> {
        let place = self.branches.len();
        if place >= limit {
            return Err(Rejected::new("the game tree is larger than allowed"));
        }
        let turn = history.turn()?;
        let (kind, chances) = match &turn {
            Turn::Chance(steps) => {
                let all: f64 = steps.iter().map(|&(_, weight)| f64::from(weight)).sum();
                (Kind::Chance, steps.iter().map(|&(_, weight)| f64::from(weight) / all).collect())
            }
            Turn::Decision(seat, list) => {
                let set = *names.entry((*seat, history.observed(*seat))).or_insert_with(|| {
                    let actions = self.actions..self.actions + list.len();
                    self.actions = actions.end;
                    self.sets.push(InformationSet { seat: *seat, actions, branches: Vec::new() });
                    self.sets.len() - 1
                });
                if self.sets[set].actions.len() != list.len() {
                    return Err(Rejected::new("a seat has different lists after equal observations"));
                }
                self.sets[set].branches.push(place);
                (Kind::Decision(set), vec![1.0; list.len()])
            }
            Turn::Over(outcome) => {
                let [first, second] = [Seat(0), Seat(1)].map(|seat| outcome.score(seat));
                if first + second != 0 {
                    return Err(Rejected::new("the scores do not add up to nothing"));
                }
                (Kind::Over(f64::from(first)), Vec::new())
            }
        };
        let edges = self.edges.len()..self.edges.len() + chances.len();
        self.branches.push(Branch { kind, edges: edges.clone() });
        self.edges.extend(chances.into_iter().map(|chance| Edge { to: 0, chance }));
        for (edge, step) in edges.zip(turn.steps()) {
            self.edges[edge].to = self.grow(&history.after(step)?, limit, names)?;
        }
        Ok(place)
    }
}
