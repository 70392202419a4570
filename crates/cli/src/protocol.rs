//! `pentarchy engine`: the games for programs in other languages.

use std::process::ExitCode;

/// Serve the games to another program, line by line
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args) -> ExitCode {
    ExitCode::SUCCESS
}
