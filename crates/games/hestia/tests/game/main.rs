//! All tests of the game in one program, so that the game is compiled once.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

mod conformance;
mod facts;
mod fog;
mod golden;
mod heuristic;
mod movement;
mod naive;
mod retreats;
mod scenarios;
mod soak;
