//! One iteration of the search: descent, playout, backup.

use super::keys::{self, Mix};
use super::playout::{Rewards, final_rewards};
use super::tree::{Edge, PathEdge, ROOT, Weights};
use super::{Scratch, Search};
use crate::recruit::softmax;
use pentarchy_engine::{Chance, Heuristic, MAX_SEATS, Node, Position, RuleError, Seat, Size, rate_actions};

/// The index of an edge that does not exist.
const MISSING: u32 = u32::MAX;

/// The error of a decision with an empty list, which the rules never produce.
const NO_ACTION: RuleError = RuleError::new("a decision without a legal action");

impl<G: Heuristic> Search<G> {
    /// Whether the game has no hidden information: a node then has the same list at each visit.
    const OPEN: bool = <G::Size as Size>::TOKENS == 0;

    /// Runs one iteration: determinizes the view, descends the tree, plays out, and adds a visit and the
    /// rewards to all edges on the path. If the rules fail on the way, all seats get 0.5. Does not increment
    /// the count of iterations. The root must have an edge.
    pub(super) fn iterate(&mut self) {
        let mut whole = self.view.determinize_likely(&mut self.rng);
        self.scratch.path.clear();
        // A game that breaks its own rules must not stop the search; this iteration is lost.
        let rewards = self.walk(&mut whole).unwrap_or([0.5; MAX_SEATS]);
        self.tree.back_up(&self.scratch.path, &rewards);
    }

    /// Returns the weights of edge selection: the search hints, converted from percent to shares, with the
    /// exploration constant squared.
    fn weights(&self) -> Weights {
        let hints = self.settings.hints;
        let [exploration, bias, caution] =
            [hints.exploration, hints.bias, hints.caution].map(|share| f32::from(share) / 100.0);
        Weights { exploration_squared: exploration * exploration, bias, caution }
    }

    /// Descends the tree from the root in `whole`, a determinization, and plays out. Adds edges on the way.
    /// Returns the rewards; the path is in the scratch buffers, also after an error. The root must have an
    /// edge.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject an event, a decision has no legal action, or the game ends without an
    /// outcome.
    fn walk(&mut self, whole: &mut Position<G>) -> Result<Rewards, RuleError> {
        let weights = self.weights();
        let mut node = ROOT;
        // Hash of what the observer saw since the last decision.
        let mut seen: Option<Mix> = None;
        loop {
            match whole.node() {
                Node::Decide(seat) => {
                    if let Some(seen) = seen.take() {
                        match self.observe(node, seen.key()) {
                            Some(edge) => node = edge,
                            None => return self.playout(whole),
                        }
                    }
                    if node == ROOT {
                        let place = self.tree.select(ROOT, weights);
                        let action = self.list[place];
                        node = self.take_edge(ROOT, place, seat);
                        whole.play(action)?;
                        continue;
                    }
                    whole.legal(&mut self.scratch.list)?;
                    if self.scratch.list.len() < 2 && (Self::OPEN || seat == self.seat) {
                        whole.play(*self.scratch.list.first().ok_or(NO_ACTION)?)?;
                        continue;
                    }
                    if !self.tree.is_expanded(node) {
                        let seldom = self.tree.edge(node).visits < self.settings.hints.expand_at.into();
                        if seldom || self.is_full() {
                            return self.playout(whole);
                        }
                    } else if seat == self.seat && self.settings.reuse {
                        self.anchor(node, whole);
                    }
                    let (entry, place) = self.choose(node, seat, whole, weights);
                    node = self.take_edge(node, place, seat);
                    whole.play(self.scratch.list[entry])?;
                }
                Node::Over => return final_rewards(whole, self.settings.hints.stakes),
                awaited => {
                    let observation =
                        if self.settings.hints.branches { self.observation(whole, awaited) } else { None };
                    self.resolve(whole)?;
                    if let Some(observation) = observation {
                        seen.get_or_insert(Mix::new(0)).add(observation);
                    }
                }
            }
        }
    }

    /// Returns the hash of what the observer will see when `awaited`, the node of `whole`, is resolved;
    /// `None` for a shuffle, a rearrangement, a reveal to another seat, and a declaration that the rules do
    /// not list. Of a cast it is the hash of the observer's own dice. Does not advance the generator: the
    /// caller must resolve the node next, with the same generator.
    fn observation(&mut self, whole: &Position<G>, awaited: Node) -> Option<u64> {
        match awaited {
            Node::Reveal { set, to, side } => keys::revealed(whole, self.seat, set, to, side),
            // The clone draws the number that the generator will draw next.
            Node::Chance(Chance::Roll { sides: n } | Chance::Pick { of: n }) => {
                Some(self.rng.clone().below(n).into())
            }
            Node::Chance(Chance::Cast { set, sides, .. }) => {
                let (state, mut rng) = (whole.state(), self.rng.clone());
                let mut own = Mix::new(0);
                for t in state.tokens().set(set) {
                    let side = rng.below(sides.into());
                    if state.owner(state.tokens().zone(t)) == Some(self.seat) {
                        own.add(side.into());
                    }
                }
                Some(own.key().into())
            }
            Node::Declare(seat) => {
                let duty = whole.duty(seat, &mut self.scratch.list).ok()?;
                Some(keys::action(whole, self.seat, seat, duty).into())
            }
            _ => None,
        }
    }

    /// Adds the edge at position `place` of a node, taken by `seat`, to the path of the iteration and returns
    /// its index in the arena. The edge must exist; that is not checked. Visits are counted later, when the
    /// path is backed up.
    fn take_edge(&mut self, node: u32, place: usize, seat: Seat) -> u32 {
        let edge = self.tree.at(node, place);
        self.scratch.path.push(PathEdge { node, edge, seat: Some(seat) });
        edge
    }

    /// Adds the edge of the observation `key` below `node` to the path and returns it; creates it if it is
    /// new. Returns `None`, without a change, for a new one if the tree is full, or if the node has 8 or
    /// more and the square of their number exceeds 4 times its visits; the caller then plays out. This
    /// progressive widening keeps few observations at first where most occur once.
    fn observe(&mut self, node: u32, key: u32) -> Option<u32> {
        let edge = match self.tree.find(node, key, usize::MAX) {
            Some(place) => self.tree.at(node, place),
            None => {
                let known = self.tree.children(node).len() as u32;
                let many = known >= 8 && known * known > 4 * self.tree.edge(node).visits;
                if many || self.is_full() {
                    return None;
                }
                self.tree.add(node, Edge::new(key, 0.0))?
            }
        };
        self.scratch.path.push(PathEdge { node, edge, seat: None });
        Some(edge)
    }

    /// Returns whether the tree has its maximum size, so that no edge may be added.
    fn is_full(&self) -> bool {
        self.tree.len() >= self.settings.most_edges as usize
    }

    /// Selects an entry of the list in the scratch buffers, the actions of `seat` in `whole`, by UCB. Returns
    /// the index of the entry in the list and the position of its edge at the node. Adds missing edges, and
    /// counts the availability of all; the list must not be empty.
    fn choose(&mut self, node: u32, seat: Seat, whole: &Position<G>, weights: Weights) -> (usize, usize) {
        if Self::OPEN && self.settings.hints.branches {
            if !self.tree.is_expanded(node) {
                self.advise(whole);
                self.tree.expand(node, &self.scratch.priors);
            }
            let place = self.tree.select(node, weights);
            return (place, place);
        }
        // The priors of other seats depend on what they hold in this determinization; those of the observer do
        // not.
        let minds = seat != self.seat;
        let fresh = self.find_edges(node, seat, whole);
        if fresh || minds {
            self.advise(whole);
        }
        if fresh {
            self.add_edges(node, minds);
        }
        let priors = minds.then_some(self.scratch.priors.as_slice());
        let entry = self.tree.select_among(node, &self.scratch.places, priors, weights, &mut self.rng);
        (entry, self.scratch.places[entry] as usize)
    }

    /// Replaces the keys and the positions in the scratch buffers by those of all entries of the list there,
    /// which must be the actions of `seat` in `whole`: the key of each, and the position of its edge at the
    /// node, or [`MISSING`] if there is none. Returns whether some edges are missing. The tree does not change.
    fn find_edges(&mut self, node: u32, seat: Seat, whole: &Position<G>) -> bool {
        let Scratch { list, keys, places, .. } = &mut self.scratch;
        keys.clear();
        keys.extend(list.iter().map(|&action| keys::action(whole, self.seat, seat, action)));
        places.clear();
        places.extend(
            keys.iter()
                .enumerate()
                .map(|(i, &key)| self.tree.find(node, key, i).map_or(MISSING, |place| place as u32)),
        );
        places.contains(&MISSING)
    }

    /// Adds the edges whose positions are [`MISSING`], with their keys and priors, and writes their
    /// positions. With `minds` (another seat decides), indistinguishable entries share an edge; the
    /// observer's own list has no two such entries. An entry for which the node has no room gets the first
    /// edge.
    fn add_edges(&mut self, node: u32, minds: bool) {
        let Scratch { keys, places, priors, .. } = &mut self.scratch;
        for i in 0..keys.len() {
            if places[i] == MISSING {
                let alike = self.tree.find(node, keys[i], i).filter(|_| minds);
                let place = alike.map(|place| place as u32).or_else(|| {
                    let edge = self.tree.add(node, Edge::new(keys[i], priors[i]))?;
                    Some(edge - self.tree.at(node, 0))
                });
                places[i] = place.unwrap_or(0);
            }
        }
    }

    /// Replaces the priors in the scratch buffers by those of the list there, from the game's heuristic for
    /// the seat that decides in `whole`; they add up to 1. All are 0 if the settings give priors no weight.
    pub(super) fn advise(&mut self, whole: &Position<G>) {
        let Scratch { list, ratings, priors, .. } = &mut self.scratch;
        if self.settings.hints.bias == 0 {
            priors.clear();
            priors.resize(list.len(), 0.0);
            return;
        }
        rate_actions(whole, list, ratings);
        softmax(ratings, f32::from(self.settings.hints.temper) / 100.0, priors);
    }
}
