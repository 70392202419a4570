//! All tests of the game in one program, so that the game is compiled once.

mod laws;
mod liars_dice;
mod published;
mod scenarios;
