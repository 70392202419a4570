//! The engine's tests over Parlour, the small game that uses everything.

#![allow(clippy::panic, clippy::unwrap_used)] // Helpers of tests may do as tests do.

#[path = "../parlour/mod.rs"]
mod parlour;

mod laws;
mod lines;
mod mutants;
mod parts;
mod records;
mod snug;
mod worlds;
