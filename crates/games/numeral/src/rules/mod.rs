//! The rules, one file for each part of a round.

mod attacking;
mod ending;
mod home;
mod income;
mod placing;
mod turns;

/// A number for a sentence.
fn short(n: u32) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}
