//! The storage of a server, in memory, in a file and at a real PostgreSQL server.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

mod backup;
mod club;
mod common;
mod notify;
mod postgres;
mod sqlite;
mod suite;
mod tournaments;
