//! Small known games: checked against published numbers, and the template for a new game.
//!
//! Start reading with [`tic_tac_toe`] (nothing hidden), then [`kuhn`] (a deal and a showdown).

pub mod connect_four;
pub mod kuhn;
pub mod tic_tac_toe;

pub use connect_four::ConnectFour;
pub use kuhn::Kuhn;
pub use tic_tac_toe::TicTacToe;
