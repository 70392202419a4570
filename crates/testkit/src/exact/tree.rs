//! Explicit game trees of two-player zero-sum games.

use super::history::{History, TreeTurn};
use pentarchy_engine::{Game, Position, RuleError, Seat};
use std::collections::BTreeMap;
use std::ops::Range;

/// All histories of a game, grouped into information sets. A parent comes before its children.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The histories; the first is the empty one.
    pub(super) branches: Vec<Branch>,
    /// The edges of all branches; those of one branch follow each other.
    pub(super) edges: Vec<Edge>,
    /// The information sets of both seats.
    pub(super) sets: Vec<InformationSet>,
    /// Total number of actions over all information sets.
    pub(super) actions: usize,
}

/// A history as a node of the tree.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    /// What the history waits for.
    pub(super) kind: Kind,
    /// The range of its children in the list of edges.
    pub(super) edges: Range<usize>,
}

/// What a history waits for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// A result of chance.
    Chance,
    /// A decision in this information set.
    Decision(usize),
    /// A leaf with the score of seat 0.
    Over(f64),
}

/// An edge to a longer history.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The index of the longer history.
    pub(super) to: usize,
    /// Probability at a chance node; unused at a decision.
    pub(super) chance: f64,
}

/// The histories that a seat cannot tell apart when it decides.
#[derive(Clone, Debug)]
pub(super) struct InformationSet {
    /// The deciding seat.
    pub(super) seat: Seat,
    /// The range of its actions in the tables of a strategy.
    pub(super) actions: Range<usize>,
    /// The histories in it.
    pub(super) branches: Vec<usize>,
}

impl Tree {
    /// Builds the tree of all histories of a two-player game from this position. Uses memory for
    /// each history.
    ///
    /// # Errors
    ///
    /// Fails if there are more than `limit` histories, if the game is not a two-player zero-sum
    /// game, if the position is not the simulator's, or if the rules contradict themselves.
    pub fn new<G: Game>(position: &Position<G>, limit: usize) -> Result<Self, RuleError> {
        if position.seats() != 2 {
            return Err(RuleError::new("a game tree is for two seats"));
        }
        let mut tree = Tree { branches: Vec::new(), edges: Vec::new(), sets: Vec::new(), actions: 0 };
        let mut names = BTreeMap::new();
        tree.grow(&History::new(position)?, limit, &mut names)?;
        Ok(tree)
    }

    /// Returns the number of histories of the tree: its root, all inner ones and all that are over.
    pub fn histories(&self) -> usize {
        self.branches.len()
    }

    /// Returns the number of information sets of both seats together.
    pub fn information_sets(&self) -> usize {
        self.sets.len()
    }

    /// Adds a history and all its continuations, depth first. Returns the index of its branch. `names` maps a
    /// seat and the hash of its observations to the index of its information set, and gets the new ones.
    ///
    /// # Errors
    ///
    /// Fails if the tree gets more than `limit` histories, if lists of an information set differ in length,
    /// if the scores do not add up to 0, or if the rules contradict themselves.
    fn grow<G: Game>(
        &mut self,
        history: &History<G>,
        limit: usize,
        names: &mut BTreeMap<(Seat, u64), usize>,
    ) -> Result<usize, RuleError> {
        let place = self.branches.len();
        if place >= limit {
            return Err(RuleError::new("the game tree is larger than allowed"));
        }
        let turn = history.turn()?;
        let (kind, chances) = match &turn {
            TreeTurn::Chance(steps) => {
                let all: f64 = steps.iter().map(|&(_, weight)| f64::from(weight)).sum();
                (Kind::Chance, steps.iter().map(|&(_, weight)| f64::from(weight) / all).collect())
            }
            TreeTurn::Decision(seat, list) => {
                let set = *names.entry((*seat, history.observed(*seat))).or_insert_with(|| {
                    let actions = self.actions..self.actions + list.len();
                    self.actions = actions.end;
                    self.sets.push(InformationSet { seat: *seat, actions, branches: Vec::new() });
                    self.sets.len() - 1
                });
                if self.sets[set].actions.len() != list.len() {
                    return Err(RuleError::new("a seat has different lists after equal observations"));
                }
                self.sets[set].branches.push(place);
                (Kind::Decision(set), vec![1.0; list.len()])
            }
            TreeTurn::Over(outcome) => {
                let [first, second] = [Seat(0), Seat(1)].map(|seat| outcome.score(seat));
                if first + second != 0 {
                    return Err(RuleError::new("the scores do not add up to nothing"));
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
