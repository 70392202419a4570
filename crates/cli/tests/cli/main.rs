//! The program as a user meets it: arguments, pipes, files, exit codes.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

mod arena;
mod club;
mod commands;
mod common;
mod consent;
mod engine_protocol;
mod identity;
mod notify;
mod online;
mod parts;
mod play;
mod records;
mod running;
mod scenario_command;
mod sim;
mod simulate;
mod tls;
mod tune;
mod verify_page;
