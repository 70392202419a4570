//! The rules, one file for each part of a round.

mod attacking;
mod ending;
mod home;
mod income;
mod placing;
mod turns;
