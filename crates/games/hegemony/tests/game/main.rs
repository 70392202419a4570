//! All tests of the game in one program, so that the game is compiled once.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

mod facts;
mod golden;
mod heuristic;
mod laws;
mod playouts;
mod scenarios;
mod words;
