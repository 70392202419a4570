//! Small known games: checked against published numbers, and the template for a new game.
//!
//! Start reading with [`tic_tac_toe`] (nothing hidden), then [`kuhn`] (a deal and a showdown).

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

/// How the log of a board game ends the sentence that tells of the last move.
fn ending(outcome: Option<pentarchy_engine::Outcome>) -> &'static str {
    match outcome.map(|outcome| outcome.winner()) {
        Some(Some(_)) => " and wins",
        Some(None) => "; the game is drawn",
        None => "",
    }
}

/// For every set of small numbers, as bits, the numbers in order and how many they are: so a list of legal
/// actions is copied, not searched for.
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
