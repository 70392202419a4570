//! A real server on loopback, asked over real sockets.

mod common;
mod http;
mod lobby;
mod relay;
mod stopping;
