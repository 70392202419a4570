//! Small known games: checked against published numbers, and the template for a new game.
//!
//! Start reading with [`tic_tac_toe`] (nothing hidden), then [`kuhn`] (a deal and a showdown).

pub mod connect_four;
pub mod kuhn;
pub mod leduc;
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
