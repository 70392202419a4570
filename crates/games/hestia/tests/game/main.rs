//! What the game is held to, in one program: each part would compile the whole game anew.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

mod conformance;
mod fog;
mod golden;
mod heuristic;
mod movement;
mod naive;
mod retreats;
mod scenarios;
mod soak;
