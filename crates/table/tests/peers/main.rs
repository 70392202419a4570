//! Whole tables in one process.
#![allow(clippy::unwrap_used)]

mod honest;
