//! The club over HTTP, with records that real sessions have signed and a real database.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

mod archive;
mod common;
mod players;
mod records;
mod tournament_rules;
mod tournaments;
