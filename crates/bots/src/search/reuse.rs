//! Reuse of the tree from one decision to the next.

use super::Search;
use super::tree::ROOT;
use pentarchy_engine::{Face, Heuristic, Position, Seat};

/// Minimum visits of a node whose subtree is kept.
const WORTH_KEEPING: u32 = 32;

impl<G: Heuristic> Search<G> {
    /// Moves to a later decision of the same seat. `view` must be that of the simulator or of the seat, and
    /// of the same match; neither is checked. Keeps the subtree of that decision if the settings allow reuse
    /// and the search reached it at least 32 times as the seat's next decision; else restarts with an empty
    /// tree, also if another seat is to act. The count of iterations starts at 0;
    /// [`inherited`](Self::inherited) says what was kept. A mixed strategy is always kept.
    pub fn advance(&mut self, view: &Position<G>) {
        if let Some(rounds) = self.mixed.as_ref().map(|mixed| mixed.rounds()) {
            self.restart(view);
            self.inherited = rounds;
            return;
        }
        let found = if self.settings.reuse { self.anchored(view) } else { None };
        let Some(edge) = found else { return self.restart(view) };
        self.view = view.view(self.seat);
        if self.view.legal(&mut self.list).is_err() || self.list.len() != self.tree.children(edge).len() {
            return self.restart(view);
        }
        self.tree.reroot(edge);
        self.iterations = 0;
        self.inherited = self.tree.edge(ROOT).visits;
    }

    /// Returns the index of the edge that leads to the decision of `view`, if [`anchor`](Self::anchor)
    /// recorded it; `None` otherwise, and if another seat decides.
    fn anchored(&self, view: &Position<G>) -> Option<u32> {
        if view.actor() != Some(self.seat) {
            return None;
        }
        let name = knowledge_hash(view, self.seat);
        self.tree.anchors.iter().find(|anchor| anchor.0 == name).map(|anchor| anchor.1)
    }

    /// Records `node`, at which the observer decides in `whole`, so that [`advance`](Self::advance) can find
    /// it by what the observer knows there. Does so only if it is the observer's first decision after the
    /// root, and only when its visit count is exactly 32, so that each node is recorded once. The path of the
    /// iteration must not be empty.
    pub(super) fn anchor(&mut self, node: u32, whole: &Position<G>) {
        let first = !self.scratch.path[1..].iter().any(|step| step.seat == Some(self.seat));
        if first && self.tree.edge(node).visits == WORTH_KEEPING {
            self.tree.anchors.push((knowledge_hash(whole, self.seat), node));
        }
    }
}

/// Returns a 64-bit hash of what a seat knows of a position: all public information (by the digest of the
/// public state), and the private faces that both the seat and this position know. Equal knowledge gives
/// equal hashes, also in positions of other observers that know these faces; other knowledge gives another
/// hash, up to collisions.
pub(super) fn knowledge_hash<G: Heuristic>(position: &Position<G>, seat: Seat) -> u64 {
    let mut digest = [0; 8];
    digest.copy_from_slice(&position.digest().0[..8]);
    let tokens = position.state().tokens();
    let known = tokens.all().filter(|&t| !tokens.is_public(t) && tokens.known(t).to(seat));
    known.fold(u64::from_le_bytes(digest), |name, t| {
        let face = position.face(t).map_or(u64::MAX, |face| face.index().into());
        (name.rotate_left(7) ^ face ^ u64::from(t.0) << 8).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}
