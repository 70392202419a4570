//! All tests of the game in one program, so that the game is compiled once.

mod conformance;
mod facts;
mod geometry;
mod golden;
mod heuristic;
mod scenarios;
mod soak;
