//! The rules, one file per part of a round.

mod attacking;
mod ending;
mod home;
mod income;
mod placing;
mod turns;

pub use ending::{EndReason, Ending, TieBreak};

/// Converts a number for an error message; numbers above 31 bits become `i32::MAX`.
fn short(n: u32) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}
