//! The search tree, in one flat arena. A node is the block of edges that follow an edge.

use super::maths::ln;
use pentarchy_engine::{Rng, Seat};

/// The edge that leads to the decision at the root.
pub(super) const ROOT: u32 = 0;

/// An action of the deciding seat, or an observation between two decisions, together with the node that it
/// leads to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    /// Hash of what the observer can tell of it.
    pub(super) key: u32,
    /// Visit count.
    pub(super) visits: u32,
    /// Availability count (ISMCTS): how often the action was legal when its node was visited.
    pub(super) availability: u32,
    /// Total reward of the seat that took it.
    pub(super) total_reward: f32,
    /// Prior from the heuristic.
    pub(super) prior: f32,
    /// Total reward of the seat that decides at the node behind this edge.
    child_reward: f32,
    /// The node's block of edges: start, length and capacity.
    first: u32,
    len: u16,
    capacity: u16,
}

/// One edge on the path of an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathEdge {
    /// The node, identified by the edge that leads to it.
    pub(super) node: u32,
    /// The edge that was taken.
    pub(super) edge: u32,
    /// The seat that took it; `None` for an observation.
    pub(super) seat: Option<Seat>,
}

/// The weights of edge selection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// Squared exploration constant.
    pub(super) exploration_squared: f32,
    /// Weight of the heuristic's priors.
    pub(super) bias: f32,
    /// How much lower the value of an untried action is assumed to be.
    pub(super) caution: f32,
}

/// The edges of all nodes.
#[derive(Debug)]
pub(super) struct Tree {
    /// The arena. The edges of a node follow each other; edge [`ROOT`] is the first.
    edges: Vec<Edge>,
    /// The observer's possible next decisions: hash of what the observer knows, and the edge that leads
    /// there.
    pub(super) anchors: Vec<(u64, u32)>,
}

/// Maximum number of edges of a node.
const MOST: usize = u16::MAX as usize;

impl Tree {
    /// Creates a tree with only the root.
    pub(super) fn new() -> Self {
        Tree { edges: vec![Edge::default()], anchors: Vec::new() }
    }

    /// Removes everything except an empty root.
    pub(super) fn clear(&mut self) {
        self.edges.clear();
        self.edges.push(Edge::default());
        self.anchors.clear();
    }

    /// Returns the number of edges in the arena, unused ones included.
    pub(super) fn len(&self) -> usize {
        self.edges.len()
    }

    /// Returns the edge with this index in the arena, which must exist.
    pub(super) fn edge(&self, edge: u32) -> &Edge {
        &self.edges[edge as usize]
    }

    /// Returns whether the node behind an edge, which must exist, has room for edges.
    #[inline(always)]
    pub(super) fn is_expanded(&self, edge: u32) -> bool {
        self.edges[edge as usize].capacity > 0
    }

    /// Returns the edges of a node, in the order of the list for the root; empty if it is not expanded.
    /// `node` is the edge that leads to it.
    pub(super) fn children(&self, node: u32) -> &[Edge] {
        &self.edges[self.span(node)]
    }

    /// Returns the range of a node's edges in the arena; empty if it is not expanded. `node` is the index of
    /// the edge that leads to it, which must exist.
    #[inline(always)]
    fn span(&self, node: u32) -> std::ops::Range<usize> {
        let Edge { first, len, .. } = self.edges[node as usize];
        first as usize..first as usize + len as usize
    }

    /// Gives a node one edge per prior, all without visits. Priors beyond [`MOST`] are ignored. Edges that it
    /// had before are lost.
    pub(super) fn expand(&mut self, node: u32, priors: &[f32]) {
        let priors = &priors[..priors.len().min(MOST)];
        let first = self.edges.len();
        self.edges.extend(priors.iter().map(|&prior| Edge { prior, ..Edge::default() }));
        let node = &mut self.edges[node as usize];
        (node.first, node.len, node.capacity) = (first as u32, priors.len() as u16, priors.len() as u16);
    }

    /// Adds an edge to a node and returns its index in the arena; `None` if the node has the maximum number
    /// of edges. If the node is full it moves to a larger block, which invalidates the indexes of its other
    /// edges; anchors are updated.
    pub(super) fn add(&mut self, node: u32, edge: Edge) -> Option<u32> {
        let Edge { first, len, capacity, .. } = self.edges[node as usize];
        if len as usize == MOST {
            return None;
        }
        let mut first = first as usize;
        if len == capacity {
            let to = self.edges.len();
            let wider = (2 * capacity as usize).clamp(4, MOST);
            self.edges.extend_from_within(first..first + len as usize);
            self.edges.resize(to + wider, Edge::default());
            for (_, anchor) in &mut self.anchors {
                if (first..first + len as usize).contains(&(*anchor as usize)) {
                    *anchor = (*anchor as usize - first + to) as u32;
                }
            }
            first = to;
            let node = &mut self.edges[node as usize];
            (node.first, node.capacity) = (to as u32, wider as u16);
        }
        let place = first + len as usize;
        self.edges[place] = edge;
        self.edges[node as usize].len = len + 1;
        Some(place as u32)
    }

    /// Returns the position of the edge with this key among the edges of a node; `None` if there is none.
    /// `guess` is tried first; any number is allowed.
    #[inline(always)]
    pub(super) fn find(&self, node: u32, key: u32, guess: usize) -> Option<usize> {
        let children = self.children(node);
        match children.get(guess) {
            Some(edge) if edge.key == key => Some(guess),
            _ => children.iter().position(|edge| edge.key == key),
        }
    }

    /// Returns the index in the arena of the edge at position `place` of a node. Not checked: that the node
    /// has such an edge.
    #[inline(always)]
    pub(super) fn at(&self, node: u32, place: usize) -> u32 {
        self.edges[node as usize].first + place as u32
    }

    /// Selects an edge of a node by UCB, for nodes at which all actions are legal at each visit. Returns its
    /// position among the edges of the node; the first of equal ones. Counts no visit and no availability.
    /// The node must have an edge.
    #[inline(always)]
    pub(super) fn select(&self, node: u32, weights: Weights) -> usize {
        let parent = &self.edges[node as usize];
        let (hope, trust) = parent.outlook(weights);
        let explore = weights.exploration_squared * ln((parent.visits + 1) as f32);
        let (mut best, mut place) = (f32::NEG_INFINITY, 0);
        for (i, edge) in self.children(node).iter().enumerate() {
            let score = edge.score(hope + trust * edge.prior, explore);
            if score > best {
                (best, place) = (score, i);
            }
        }
        place
    }

    /// Selects an entry of a list by UCB and returns its index; of equally good edges the first counts, and
    /// among the entries that share it one is drawn at random. 0 for an empty list. `places` are the
    /// positions of the entries' edges at the node; indistinguishable entries share one. `priors`, one per
    /// entry, replace those of the edges if given. Increments the availability count of the edge of each
    /// entry.
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
            edge.availability += 1;
            let explore = weights.exploration_squared * ln((edge.availability + 1) as f32);
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

    /// Backs up the rewards of an iteration, indexed by seat, along its path: counts a visit of the root and
    /// of each edge, and adds the reward of the seat that took an edge to that edge and to the node that the
    /// edge leaves. An edge without a seat (an observation) gets only the visit. Panics if `rewards` is empty
    /// and a seat took an edge.
    #[inline(always)]
    pub(super) fn back_up(&mut self, path: &[PathEdge], rewards: &[f32]) {
        self.edges[ROOT as usize].visits += 1;
        for step in path {
            let edge = &mut self.edges[step.edge as usize];
            edge.visits += 1;
            if let Some(seat) = step.seat {
                let reward = rewards[seat.index() % rewards.len()];
                edge.total_reward += reward;
                self.edges[step.node as usize].child_reward += reward;
            }
        }
    }

    /// Makes the node behind an edge, which must exist, the root and drops everything else, anchors included.
    /// Visits, rewards and priors of the kept edges stay; the indexes of all edges change.
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
            (edge.first, edge.capacity) = (to as u32, len);
            next += 1;
        }
    }
}

impl Edge {
    /// Creates an edge with this key and prior, without visits or a node behind it.
    pub(super) fn new(key: u32, prior: f32) -> Self {
        Edge { key, prior, ..Edge::default() }
    }

    /// Returns, for the node behind this edge, the assumed value of an untried action and the weight of
    /// priors, in this order. The value is the mean reward of its children per visit (0.5 without visits)
    /// less the caution; the weight is bias · √(visits + 1).
    #[inline(always)]
    fn outlook(&self, weights: Weights) -> (f32, f32) {
        let visits = self.visits as f32;
        let hope = if self.visits > 0 { self.child_reward / visits } else { 0.5 };
        (hope - weights.caution, weights.bias * (visits + 1.0).sqrt())
    }

    /// Returns the UCB score of this edge. Adds one virtual visit with the reward `expected`, so that an
    /// untried action counts about as much as the others and one with a low prior can wait. `explore` is the
    /// squared exploration constant times the logarithm of the parent's visits, or of this edge's
    /// availability.
    #[inline(always)]
    fn score(&self, expected: f32, explore: f32) -> f32 {
        let share = 1.0 / (self.visits + 1) as f32;
        (self.total_reward + expected) * share + (explore * share).sqrt()
    }
}
