//! A real server on loopback, asked over real sockets.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

mod common;
mod http;
mod mail;
mod open_tables;
mod relay;
mod slow;
mod stopping;
