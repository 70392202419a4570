//! Information-set Monte Carlo tree search with a single observer.
//!
//! Each iteration fills in what the observer does not know (`imagine`), walks down the one tree by what
//! the observer can tell apart, adds a node, plays on to the end or for a while, and counts for every
//! decision on the way what came of it for the seat that made it. P. I. Cowling, E. J. Powley, D. Whitehouse:
//! "Information Set Monte Carlo Tree Search", 2012; the tree is their SO-ISMCTS.

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
pub use settings::Settings;

use pentarchy_engine::{Heuristic, Position, Rng, Seat};
use tree::{ROOT, Tree};

/// A search under way: it can be run in slices, asked at any time, and stopped by not running it on.
#[derive(Debug)]
pub struct Search<G: Heuristic> {
    view: Position<G>,
    seat: Seat,
    settings: Settings,
    rng: Rng,
    tree: Tree,
    /// In its stead, where to be predictable is to lose.
    mixed: Option<Box<mixed::Mixed<G>>>,
    list: Vec<G::Action>,
    iterations: u32,
    /// How many iterations the tree held before, from the decision before this one.
    inherited: u32,
    room: Room<G>,
}

/// Space that every iteration uses anew.
#[derive(Debug)]
struct Room<G: Heuristic> {
    list: Vec<G::Action>,
    ratings: Vec<i32>,
    priors: Vec<f32>,
    keys: Vec<u32>,
    places: Vec<u32>,
    path: Vec<tree::Step>,
}

/// What the search thinks of an action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ranked {
    /// Its place in the list.
    pub index: usize,
    /// How often the search took it.
    pub visits: u32,
    /// What it came to on average, from 0 (last) to 1 (alone in front).
    pub value: f32,
    /// How strongly the game's own advice is for it: all actions of the list add up to 1.
    pub advised: f32,
}

impl<G: Heuristic> Search<G> {
    /// A search for the seat that decides in this view. Of a position in which nobody decides it finds
    /// nothing.
    pub fn new(view: &Position<G>, settings: Settings, seed: u64) -> Self {
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
            room: Room {
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
        search.begin(view);
        search
    }

    /// Begins anew from this view.
    fn begin(&mut self, view: &Position<G>) {
        self.seat = view.actor().unwrap_or_default();
        self.view = view.view(self.seat);
        if self.view.legal(&mut self.list).is_err() {
            self.list.clear();
        }
        self.tree.clear();
        (self.iterations, self.inherited) = (0, 0);
        self.room.list.clone_from(&self.list);
        self.advise(&view.view(self.seat));
        self.tree.expand(ROOT, &self.room.priors);
    }

    /// Runs for so many iterations.
    pub fn run(&mut self, iterations: u32) {
        if let Some(mixed) = &mut self.mixed {
            (0..iterations).for_each(|_| mixed.iterate(&mut self.rng));
        } else if self.list.len() > 1 {
            (0..iterations).for_each(|_| self.iterate());
        }
        self.iterations = self.iterations.saturating_add(iterations);
    }

    /// How many iterations there were since this decision came up.
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// How many iterations were taken over from the decision before this one.
    pub fn inherited(&self) -> u32 {
        self.inherited
    }

    /// What the seat that decides sees.
    pub fn view(&self) -> &Position<G> {
        &self.view
    }

    /// The seat that decides.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The list of what it may do.
    pub fn legal(&self) -> &[G::Action] {
        &self.list
    }

    /// The place in the list of the action that has proved best so far.
    pub fn best(&self) -> usize {
        best_of(&self.counts())
    }

    /// Whether so many iterations more could not change which action is best, whatever they find.
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

    /// All actions, the best first.
    pub fn ranked(&self) -> Vec<Ranked> {
        rank(self.counts())
    }

    /// The best three so far, the best first, in words for a person.
    pub fn hints(&self) -> Vec<crate::Hint> {
        crate::hint::hints(self.counts(), self.view.seats())
    }

    /// All actions in the order of the list.
    pub(crate) fn counts(&self) -> Vec<Ranked> {
        if let Some(mixed) = &self.mixed {
            return mixed.counts(&self.view, self.seat, self.list.len());
        }
        let children = self.tree.children(ROOT);
        let count = |(index, edge): (usize, &tree::Edge)| Ranked {
            index,
            visits: edge.visits,
            value: if edge.visits > 0 { edge.sum / edge.visits as f32 } else { 0.5 },
            advised: edge.prior,
        };
        children.iter().enumerate().map(count).collect()
    }
}

/// The best first: what was taken most often; among equals what did better, then what is advised.
pub(crate) fn rank(mut counts: Vec<Ranked>) -> Vec<Ranked> {
    counts.sort_by(|a, b| {
        let visits = b.visits.cmp(&a.visits);
        visits.then(b.value.total_cmp(&a.value)).then(b.advised.total_cmp(&a.advised))
    });
    counts
}

/// The place in the list of the best one.
pub(crate) fn best_of(counts: &[Ranked]) -> usize {
    rank(counts.to_vec()).first().map_or(0, |first| first.index)
}
