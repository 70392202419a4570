//! Whole tables in one process.
#![allow(clippy::unwrap_used, clippy::panic)]

mod cheats;
mod honest;
mod private_dice;
mod rule_runs;
mod trust;
mod version1;
mod wire;
