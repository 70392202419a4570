//! The engine's tests over Parlour, the small game that uses everything.

#![allow(clippy::unwrap_used)] // Helpers of tests may unwrap as tests do.

#[path = "../parlour/mod.rs"]
mod parlour;

mod laws;
mod mutants;
mod snug;
