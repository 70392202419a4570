//! What a search can be told.

use pentarchy_engine::{Heuristic, SearchHints};

/// How a search goes about its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How it goes about this game.
    pub hints: SearchHints,
    /// How many actions the tree may hold; from then on it only counts.
    pub most_edges: u32,
    /// Whether what was found before one decision serves for the next.
    pub reuse: bool,
}

impl Settings {
    /// As the game advises.
    pub fn of<G: Heuristic>() -> Self {
        Settings { hints: G::search_hints(), most_edges: 1 << 23, reuse: true }
    }
}
