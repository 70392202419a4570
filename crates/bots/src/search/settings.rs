//! Settings of a search.

use pentarchy_engine::{Heuristic, SearchHints};

/// Settings of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Parameters of the search for this game.
    pub hints: SearchHints,
    /// Maximum number of edges in the tree; beyond it no node is added.
    pub most_edges: u32,
    /// Whether the tree is reused for the next decision.
    pub reuse: bool,
}

impl Settings {
    /// Returns the settings that the game recommends.
    pub fn of<G: Heuristic>() -> Self {
        Settings { hints: G::search_hints(), most_edges: 1 << 23, reuse: true }
    }
}
