//! Small known games: checked against published numbers, and the template for a new game.
//!
//! Start with [`tic_tac_toe`] (nothing hidden), then read [`kuhn`] (a deal and a showdown) and [`liars_dice`]
//! (private dice, options, facts).

pub mod connect_four;
pub mod grid;
pub mod kuhn;
pub mod leduc;
pub mod liars_dice;
mod metrics;
pub mod poker;
pub mod tic_tac_toe;

pub use connect_four::ConnectFour;
pub use kuhn::Kuhn;
pub use leduc::Leduc;
pub use liars_dice::LiarsDice;
pub use tic_tac_toe::TicTacToe;
