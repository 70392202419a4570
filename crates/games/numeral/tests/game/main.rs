//! All tests of the game in one program, so that the game is compiled once.

#![expect(clippy::panic, clippy::unwrap_used, reason = "helpers of tests")]

mod battles;
mod facts;
mod fingerprints;
mod laws;
mod limits;
mod maps;
mod scenarios;
mod strength;
