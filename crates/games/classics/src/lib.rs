//! Small known games: checked against published numbers, and the template for a new game.
//!
//! Start with [`tic_tac_toe`] (nothing hidden), then read [`kuhn`] (a deal and a showdown).

pub mod connect_four;
pub mod kuhn;
pub mod leduc;
mod metrics;
pub mod poker;
pub mod tic_tac_toe;

pub use connect_four::ConnectFour;
pub use kuhn::Kuhn;
pub use leduc::Leduc;
pub use tic_tac_toe::TicTacToe;

/// Returns the end of the log sentence about the last move of a board game: ` and wins`, `; the game is
/// drawn`, or nothing if `outcome` is `None` (the game goes on).
fn ending(outcome: Option<pentarchy_engine::Outcome>) -> &'static str {
    match outcome.map(|outcome| outcome.winner()) {
        Some(Some(_)) => " and wins",
        Some(None) => "; the game is drawn",
        None => "",
    }
}

/// Builds a table of legal actions: entry `s` has the numbers of the bit set `s` in ascending order, padded
/// with 0 to length `N`, and their count. `SETS` must be at most 2 to the power of `N`. Copying from the
/// table replaces a search per position.
const fn lists<const N: usize, const SETS: usize>() -> [([u8; N], u8); SETS] {
    let mut lists = [([0; N], 0); SETS];
    let mut set = 0;
    while set < SETS {
        let mut i = 0;
        while i < N {
            if set >> i & 1 != 0 {
                let (list, count) = &mut lists[set];
                list[*count as usize] = i as u8;
                *count += 1;
            }
            i += 1;
        }
        set += 1;
    }
    lists
}
