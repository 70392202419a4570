//! All tests of the game in one program, so that the game is compiled once.

mod laws;
mod published;
mod scenarios;
