//! `pentarchy scenario`: rules as runnable examples.

use std::process::ExitCode;

/// Run rules as examples
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args) -> ExitCode {
    ExitCode::SUCCESS
}
