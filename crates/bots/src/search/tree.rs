//! The tree, in one flat arena. A node is the block of edges that lead on from an edge.

use super::maths::ln;
use pentarchy_engine::{Rng, Seat};

/// The edge that leads to the decision the search is about.
pub(super) const ROOT: u32 = 0;

/// An action of the seat that decides, or what the observer saw between two decisions; and the node it leads
/// to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    /// What the observer can tell it by.
    pub(super) key: u32,
    /// How often it was taken.
    pub(super) visits: u32,
    /// How often it could have been.
    pub(super) available: u32,
    /// What came of it for the seat that took it, added up.
    pub(super) sum: f32,
    /// The game's advice.
    pub(super) prior: f32,
    /// What came of all visits for the seat that decides next, added up.
    inner: f32,
    /// Where the node begins, how many edges it has, and for how many there is room.
    first: u32,
    len: u16,
    room: u16,
}

/// A step of an iteration down the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The node, by the edge that leads to it.
    pub(super) node: u32,
    /// The edge that was taken.
    pub(super) edge: u32,
    /// Who took it; nobody if it is what the observer saw.
    pub(super) seat: Option<Seat>,
}

/// The weights of the choice among edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// Of what was tried seldom, squared.
    pub(super) exploration: f32,
    /// Of the game's advice.
    pub(super) bias: f32,
    /// What an action never tried is expected to fall behind.
    pub(super) caution: f32,
}

/// The edges of all nodes.
#[derive(Debug)]
pub(super) struct Tree {
    edges: Vec<Edge>,
    /// The decisions of the observer that may come up next: what they are known by, and their edges.
    pub(super) anchors: Vec<(u64, u32)>,
}

/// Nodes can have this many edges.
const MOST: usize = u16::MAX as usize;

impl Tree {
    pub(super) fn new() -> Self {
        Tree { edges: vec![Edge::default()], anchors: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.edges.clear();
        self.edges.push(Edge::default());
        self.anchors.clear();
    }

    /// How many edges there are.
    pub(super) fn len(&self) -> usize {
        self.edges.len()
    }

    pub(super) fn edge(&self, edge: u32) -> &Edge {
        &self.edges[edge as usize]
    }

    /// Whether the node behind an edge has been laid out.
    #[inline(always)]
    pub(super) fn is_expanded(&self, edge: u32) -> bool {
        self.edges[edge as usize].room > 0
    }

    /// The edges of a node.
    pub(super) fn children(&self, node: u32) -> &[Edge] {
        &self.edges[self.span(node)]
    }

    #[inline(always)]
    fn span(&self, node: u32) -> std::ops::Range<usize> {
        let Edge { first, len, .. } = self.edges[node as usize];
        first as usize..first as usize + len as usize
    }

    /// Lays out a node with an edge for each of these pieces of advice.
    pub(super) fn expand(&mut self, node: u32, priors: &[f32]) {
        let priors = &priors[..priors.len().min(MOST)];
        let first = self.edges.len();
        self.edges.extend(priors.iter().map(|&prior| Edge { prior, ..Edge::default() }));
        let node = &mut self.edges[node as usize];
        (node.first, node.len, node.room) = (first as u32, priors.len() as u16, priors.len() as u16);
    }

    /// Adds an edge to a node, which moves to where there is room. Nothing if there is none.
    pub(super) fn add(&mut self, node: u32, edge: Edge) -> Option<u32> {
        let Edge { first, len, room, .. } = self.edges[node as usize];
        if len as usize == MOST {
            return None;
        }
        let mut first = first as usize;
        if len == room {
            let to = self.edges.len();
            let wider = (2 * room as usize).clamp(4, MOST);
            self.edges.extend_from_within(first..first + len as usize);
            self.edges.resize(to + wider, Edge::default());
            for (_, anchor) in &mut self.anchors {
                if (first..first + len as usize).contains(&(*anchor as usize)) {
                    *anchor = (*anchor as usize - first + to) as u32;
                }
            }
            first = to;
            let node = &mut self.edges[node as usize];
            (node.first, node.room) = (to as u32, wider as u16);
        }
        let place = first + len as usize;
        self.edges[place] = edge;
        self.edges[node as usize].len = len + 1;
        Some(place as u32)
    }

    /// The place among the edges of a node of the one with this key. It is probably where it is guessed.
    #[inline(always)]
    pub(super) fn find(&self, node: u32, key: u32, guess: usize) -> Option<usize> {
        let children = self.children(node);
        match children.get(guess) {
            Some(edge) if edge.key == key => Some(guess),
            _ => children.iter().position(|edge| edge.key == key),
        }
    }

    /// The edge at this place of a node.
    #[inline(always)]
    pub(super) fn at(&self, node: u32, place: usize) -> u32 {
        self.edges[node as usize].first + place as u32
    }

    /// Chooses among all edges of a node, each of which could always be taken.
    #[inline(always)]
    pub(super) fn select(&self, node: u32, weights: Weights) -> usize {
        let parent = &self.edges[node as usize];
        let (hope, trust) = parent.outlook(weights);
        let explore = weights.exploration * ln((parent.visits + 1) as f32);
        let (mut best, mut place) = (f32::NEG_INFINITY, 0);
        for (i, edge) in self.children(node).iter().enumerate() {
            let score = edge.score(hope + trust * edge.prior, explore);
            if score > best {
                (best, place) = (score, i);
            }
        }
        place
    }

    /// The entry of a list that is chosen, given the places of its edges (entries that look alike have the
    /// same) and the game's advice, where it is given anew. All of them are counted as available.
    pub(super) fn select_among(
        &mut self,
        node: u32,
        places: &[u32],
        priors: Option<&[f32]>,
        weights: Weights,
        rng: &mut Rng,
    ) -> usize {
        let parent = self.edges[node as usize];
        let first = parent.first;
        let (hope, trust) = parent.outlook(weights);
        let (mut best, mut chosen, mut alike) = (f32::NEG_INFINITY, 0, 0);
        for (i, &place) in places.iter().enumerate() {
            let edge = &mut self.edges[(first + place) as usize];
            edge.available += 1;
            let explore = weights.exploration * ln((edge.available + 1) as f32);
            let prior = priors.map_or(edge.prior, |priors| priors[i]);
            let score = edge.score(hope + trust * prior, explore);
            if score > best {
                (best, chosen, alike) = (score, i, 1);
            } else if score == best && places[chosen] == place {
                alike += 1;
                if rng.below(alike) == 0 {
                    chosen = i;
                }
            }
        }
        chosen
    }

    /// Counts what came of an iteration.
    #[inline(always)]
    pub(super) fn count(&mut self, path: &[Step], rewards: &[f32]) {
        self.edges[ROOT as usize].visits += 1;
        for step in path {
            let edge = &mut self.edges[step.edge as usize];
            edge.visits += 1;
            if let Some(seat) = step.seat {
                let reward = rewards[seat.index() % rewards.len()];
                edge.sum += reward;
                self.edges[step.node as usize].inner += reward;
            }
        }
    }

    /// Makes the node behind an edge the root, and drops all that does not lie below it.
    pub(super) fn reroot(&mut self, edge: u32) {
        let old = std::mem::replace(self, Tree::new());
        let root = old.edges[edge as usize];
        self.edges.reserve(old.edges.len() / 4);
        self.edges[0] = Edge { key: 0, ..root };
        let mut next = 0;
        while next < self.edges.len() {
            let Edge { first, len, .. } = self.edges[next];
            let to = self.edges.len();
            self.edges.extend_from_slice(&old.edges[first as usize..first as usize + len as usize]);
            let edge = &mut self.edges[next];
            (edge.first, edge.room) = (to as u32, len);
            next += 1;
        }
    }
}

impl Edge {
    /// An edge that has just been seen for the first time.
    pub(super) fn new(key: u32, prior: f32) -> Self {
        Edge { key, prior, ..Edge::default() }
    }

    /// What the node behind it promises whoever decides there, and the weight of advice.
    #[inline(always)]
    fn outlook(&self, weights: Weights) -> (f32, f32) {
        let visits = self.visits as f32;
        let hope = if self.visits > 0 { self.inner / visits } else { 0.5 };
        (hope - weights.caution, weights.bias * (visits + 1.0).sqrt())
    }

    /// One visit more than there were, which came to what is expected: so an action never tried is worth
    /// about as much as the others, and one that is advised against can wait.
    #[inline(always)]
    fn score(&self, expected: f32, explore: f32) -> f32 {
        let share = 1.0 / (self.visits + 1) as f32;
        (self.sum + expected) * share + (explore * share).sqrt()
    }
}
