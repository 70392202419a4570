//! The program as a user meets it: arguments, pipes, files, exit codes.

mod commands;
mod common;
mod play;
mod records;
mod sim;
