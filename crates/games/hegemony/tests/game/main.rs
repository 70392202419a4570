//! What the game is held to, in one program: each part would compile the whole game anew.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

mod golden;
mod heuristic;
mod laws;
mod playouts;
mod scenarios;
mod words;
