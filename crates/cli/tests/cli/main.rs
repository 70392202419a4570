//! The program as a user meets it: arguments, pipes, files, exit codes.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

mod arena;
mod commands;
mod common;
mod play;
mod records;
mod sim;
