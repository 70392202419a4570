//! Real processes of the server: several at once, and one on a bad day.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

mod cluster;
mod full_disk;
mod member;
mod processes;
