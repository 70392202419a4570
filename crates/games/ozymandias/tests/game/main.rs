//! What the game is held to, in one program: each part would compile the whole game anew.

mod conformance;
mod geometry;
mod golden;
mod heuristic;
mod scenarios;
mod soak;
