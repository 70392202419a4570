//! What the game is held to, in one program: each part would compile the whole game anew.

#![expect(clippy::panic, clippy::unwrap_used, reason = "helpers of tests")]

mod battles;
mod fingerprints;
mod laws;
mod limits;
mod maps;
mod scenarios;
mod strength;
