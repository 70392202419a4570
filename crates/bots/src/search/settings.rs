//! Settings of a search.

use pentarchy_engine::{Heuristic, SearchHints};

/// Settings of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchSettings {
    /// Parameters of the search for this game.
    pub hints: SearchHints,
    /// Maximum number of edges in the tree; beyond it no node is added.
    pub most_edges: u32,
    /// Whether the tree is reused for the next decision.
    pub reuse: bool,
}

impl SearchSettings {
    /// Returns the settings that the game recommends, with at most 2^23 edges and with reuse of the tree.
    pub fn of<G: Heuristic>() -> Self {
        SearchSettings { hints: G::search_hints(), most_edges: 1 << 23, reuse: true }
    }
}
