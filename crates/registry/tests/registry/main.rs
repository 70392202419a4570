//! What holds of all games alike.

#![allow(clippy::unwrap_used, unreachable_pub, reason = "a helper of a test fails as a test does")]

mod any;
mod names;
mod wasm;
