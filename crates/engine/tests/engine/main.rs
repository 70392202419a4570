//! The engine's tests over small games that between them use everything: Parlour, Pantry, Snug.

#![allow(clippy::panic, clippy::unwrap_used)] // Helpers of tests may do as tests do.

mod arrange;
mod dice;
mod exact;
mod facts;
mod laws;
mod lines;
mod mutants;
mod pantry;
mod parlour;
mod parts;
mod records;
mod scenario;
mod snug;
mod tumble;
mod worlds;
