//! Whole tables in one process.
#![allow(clippy::unwrap_used, clippy::panic)]

mod cheats;
mod honest;
mod wire;
