//! Notifications with real parts on loopback: a server with its database, a mail server, webhooks and a push service.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

mod channels;
mod common;
mod restarts;
mod sinks;
