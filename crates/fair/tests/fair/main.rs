//! What the cryptography is held to.

#![allow(clippy::unwrap_used, unreachable_pub, reason = "a helper of a test fails as a test does")]
#![allow(
    clippy::large_types_passed_by_value,
    clippy::needless_range_loop,
    reason = "formulas read as they are written"
)]

mod bytes;
mod catalogue;
mod cheats;
mod common;
mod escrow;
mod honest;
mod properties;
mod shuffle_cheats;
mod statistics;
mod wasm;
