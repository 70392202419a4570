//! What a sensible player looks at: the only place where a game says what is good.

use crate::game::{Game, Own};
use crate::seat::Seat;

/// A game's own advice, used by bots as a player, as a bias of the search and in its playouts. It sees what
/// the deciding seat sees and nothing more.
pub trait Heuristic: Game {
    /// Rates each action of the list, the higher the better, on any scale; `out` is empty at first.
    fn rate(&self, _own: &Own<'_, Self>, list: &[Self::Action], out: &mut Vec<i32>) {
        out.resize(list.len(), 0);
    }

    /// What the position promises a seat, from 0 (surely last) to 1000 (surely first).
    fn evaluate(&self, _own: &Own<'_, Self>, _seat: Seat) -> i32 {
        500
    }

    /// How a search should go about this game, where the defaults are not the best.
    fn search_hints() -> SearchHints {
        SearchHints::DEFAULT
    }
}

/// How a search should go about a game: found by measuring which plays best. Shares are in hundredths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchHints {
    /// The weight of actions tried seldom against those that did well.
    pub exploration: u16,
    /// The weight of the game's advice in the tree, fading as an action is tried more often than others.
    pub bias: u16,
    /// By how much an action never tried is expected to fall behind those that were.
    pub caution: u16,
    /// How far an action may fall behind the best-rated one and still be advised, as a share of the mean
    /// distance to it.
    pub temper: u16,
    /// For so many decisions a playout follows the game's advice; beyond them it is random.
    pub rated: u16,
    /// How often it takes any action instead.
    pub careless: u16,
    /// After so many decisions a playout breaks off, and the game evaluates the position.
    pub plies: u16,
    /// An action tried so often gets a node of its own in the tree.
    pub expand_at: u16,
    /// Whether the tree branches on what chance and revelations show. Where they show a great deal, it does
    /// better to count together what an action leads to.
    pub branches: bool,
    /// Where a game is about its score rather than its ranking, as poker is: the most that can be won or lost.
    /// Nothing: the ranking counts.
    pub stakes: u16,
}

impl SearchHints {
    /// Random playouts to the end.
    pub const DEFAULT: SearchHints = SearchHints {
        exploration: 70,
        bias: 30,
        caution: 0,
        temper: 50,
        rated: 0,
        careless: 10,
        plies: u16::MAX,
        expand_at: 1,
        branches: true,
        stakes: 0,
    };

    /// Short playouts by the game's advice, and its evaluation: for a game that knows itself well. Nothing is
    /// tried for long that its advice is against.
    pub const ADVISED: SearchHints = SearchHints {
        exploration: 20,
        bias: 60,
        caution: 10,
        temper: 40,
        rated: 30,
        careless: 5,
        plies: 30,
        ..SearchHints::DEFAULT
    };
}
