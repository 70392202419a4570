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
}
