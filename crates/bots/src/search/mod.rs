//! Information-set Monte Carlo tree search with a single observer (SO-ISMCTS).
//!
//! Each iteration determinizes the position, descends one tree whose edges are what the observer can tell
//! apart, adds a node, plays out the game to its end or for some decisions, and backs up for every decision
//! on the path the reward of the seat that made it. P. I. Cowling, E. J. Powley, D. Whitehouse: "Information
//! Set Monte Carlo Tree Search", 2012.

mod keys;
mod maths;
mod mixed;
mod playout;
mod reuse;
mod settings;
mod tree;
mod walk;

pub(crate) use maths::exp;
pub(crate) use mixed::in_proportion;
pub(crate) use playout::rewards;
pub use settings::SearchSettings;

use pentarchy_engine::sorting::sort_by;
use pentarchy_engine::{Heuristic, Position, Rng, Seat};
use tree::{ROOT, Tree};

/// A search in progress. It can be run in slices and queried at any time, and stops when it is no longer run.
#[derive(Debug)]
pub struct Search<G: Heuristic> {
    /// The position as the deciding seat knows it.
    view: Position<G>,
    /// The deciding seat, the observer of the search.
    seat: Seat,
    /// The settings.
    settings: SearchSettings,
    /// The generator of all draws.
    rng: Rng,
    /// The tree; its root is the decision of `view`.
    tree: Tree,
    /// Replaces the tree in games that need a mixed strategy.
    mixed: Option<Box<mixed::Mixed<G>>>,
    /// The legal actions of the decision.
    list: Vec<G::Action>,
    /// Number of iterations since the search moved to this decision.
    iterations: u32,
    /// Visits of the root from earlier decisions; for a mixed strategy, its earlier rounds.
    inherited: u32,
    /// Reusable buffers.
    scratch: Scratch<G>,
}

/// Buffers that every iteration reuses.
#[derive(Debug)]
struct Scratch<G: Heuristic> {
    /// The legal actions of the current decision of the iteration. The next four lists have an entry for
    /// each.
    list: Vec<G::Action>,
    /// The ratings of the heuristic.
    ratings: Vec<i32>,
    /// The priors.
    priors: Vec<f32>,
    /// The keys of the edges.
    keys: Vec<u32>,
    /// The positions of the edges at their node.
    places: Vec<u32>,
    /// The edges that the iteration has taken.
    path: Vec<tree::PathEdge>,
}

/// The result of the search for one action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ranked {
    /// Its index in the list.
    pub index: usize,
    /// Number of visits.
    pub visits: u32,
    /// Mean reward, from 0 (last) to 1 (sole winner); 0.5 without visits.
    pub value: f32,
    /// The weight of the heuristic's advice; the weights of all actions add up to 1, or are all 0 if the
    /// settings give advice no weight.
    pub advised: f32,
}

impl<G: Heuristic> Search<G> {
    /// Creates a search for the seat that decides or declares in `view`, without iterations. `view` must be
    /// that of the simulator or of that seat; only what the seat knows is read. The seed makes it
    /// reproducible. In a position in which no seat decides, the list is empty and nothing is found. With
    /// `hints.mixed` of the settings it searches a mixed strategy from the start of the game, unless the game
    /// has options.
    pub fn new(view: &Position<G>, settings: SearchSettings, seed: u64) -> Self {
        let mut search = Search {
            view: view.clone(),
            seat: view.actor().unwrap_or_default(),
            settings,
            rng: Rng::new(seed),
            tree: Tree::new(),
            mixed: None,
            list: Vec::new(),
            iterations: 0,
            inherited: 0,
            scratch: Scratch {
                list: Vec::new(),
                ratings: Vec::new(),
                priors: Vec::new(),
                keys: Vec::new(),
                places: Vec::new(),
                path: Vec::new(),
            },
        };
        if settings.hints.mixed {
            search.mixed = mixed::Mixed::new(view.seats(), settings.hints.stakes).map(Box::new);
        }
        search.restart(view);
        search
    }

    /// Restarts from this view, that of the simulator or of the seat to act, with an empty tree: sets the
    /// seat, the legal list, the root and its priors, and both counts of iterations to 0. The list is empty
    /// if no seat is to act. Strategies of a mixed search, the settings and the generator are kept.
    fn restart(&mut self, view: &Position<G>) {
        self.seat = view.actor().unwrap_or_default();
        self.view = view.view(self.seat);
        if self.view.legal(&mut self.list).is_err() {
            self.list.clear();
        }
        self.tree.clear();
        (self.iterations, self.inherited) = (0, 0);
        self.scratch.list.clone_from(&self.list);
        self.advise(&view.view(self.seat));
        self.tree.expand(ROOT, &self.scratch.priors);
    }

    /// Runs this number of iterations and adds them to the count. A decision with a single action is only
    /// counted, not searched, unless strategies are mixed.
    pub fn run(&mut self, iterations: u32) {
        if let Some(mixed) = &mut self.mixed {
            (0..iterations).for_each(|_| mixed.iterate(&mut self.rng));
        } else if self.list.len() > 1 {
            (0..iterations).for_each(|_| self.iterate());
        }
        self.iterations = self.iterations.saturating_add(iterations);
    }

    /// Returns the number of iterations since the search moved to this decision, those included that were
    /// only counted. Inherited visits are not in it.
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Returns how much of the search of earlier decisions was kept: the visits that the new root had when the
    /// search moved to it, or 0 if the tree was not reused. A mixed strategy is always kept; its number of
    /// rounds is returned.
    pub fn inherited(&self) -> u32 {
        self.inherited
    }

    /// Returns the position that is searched now, with only what the seat to act knows.
    pub fn view(&self) -> &Position<G> {
        &self.view
    }

    /// Returns the deciding seat; seat 0 if no seat decides.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Returns the legal actions of the decision in the order of the rules; empty if no seat decides.
    pub fn legal(&self) -> &[G::Action] {
        &self.list
    }

    /// Returns the index in the list of the best action so far: by visits, then value, then advice; the first
    /// of equal ones. 0 if there are no actions.
    pub fn best(&self) -> usize {
        best_of(&self.counts())
    }

    /// Returns whether `left` further iterations could not change the best action, whatever their results.
    /// Always `true` with fewer than two actions, and otherwise `false` for a mixed strategy.
    pub fn is_clear(&self, left: u32) -> bool {
        let (mut most, mut second) = (0, 0);
        for edge in self.tree.children(ROOT) {
            if edge.visits > most {
                (most, second) = (edge.visits, most);
            } else {
                second = second.max(edge.visits);
            }
        }
        self.list.len() < 2 || self.mixed.is_none() && most - second > left
    }

    /// Returns the results of all actions, the best first: by visits, then by value, then by advice. Empty if
    /// no seat decides.
    pub fn ranked(&self) -> Vec<Ranked> {
        rank(self.counts())
    }

    /// Returns up to three actions so far, the best first, with texts for people; only actions that were
    /// tried, or the only one. Empty before the first iteration, unless there is only one action.
    pub fn hints(&self) -> Vec<crate::Hint> {
        crate::hint::hints(self.counts())
    }

    /// Returns the results of all actions in the order of the list; 0.5 is the value of an action without
    /// visits. For a mixed strategy the visits are its probabilities, scaled to all iterations, the inherited
    /// ones included.
    pub(crate) fn counts(&self) -> Vec<Ranked> {
        if let Some(mixed) = &self.mixed {
            return mixed.counts(&self.view, self.seat, self.list.len());
        }
        let children = self.tree.children(ROOT);
        let count = |(index, edge): (usize, &tree::Edge)| Ranked {
            index,
            visits: edge.visits,
            value: if edge.visits > 0 { edge.total_reward / edge.visits as f32 } else { 0.5 },
            advised: edge.prior,
        };
        children.iter().enumerate().map(count).collect()
    }
}

/// Sorts results, the best first: by visits, then by value, then by advice. Equal ones keep their order.
pub(crate) fn rank(mut counts: Vec<Ranked>) -> Vec<Ranked> {
    sort_by(&mut counts, |a, b| {
        let visits = b.visits.cmp(&a.visits);
        visits.then(b.value.total_cmp(&a.value)).then(b.advised.total_cmp(&a.advised))
    });
    counts
}

/// Returns the `index` of the best result: by visits, then by value, then by advice; the first of equal ones.
/// 0 if there are none.
pub(crate) fn best_of(counts: &[Ranked]) -> usize {
    rank(counts.to_vec()).first().map_or(0, |first| first.index)
}
