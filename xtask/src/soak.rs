//! `cargo xtask soak`: many random games with every check on, in search of the one that breaks.

use std::{ffi::OsString, process::ExitCode};

use crate::{
    tools,
    trouble::Result,
    workspace::{PROGRAM, Workspace},
};

/// Play very many random games with all checks on, and stop at the first that breaks a law.
///
/// The seed of a game that breaks is printed: it is the bug report.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Handed to `pentarchy soak`: a game [default: all], and options as `pentarchy soak --help` lists them
    #[arg(value_name = "GAME [OPTIONS]", trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

/// Builds the program in release, with overflow checks and assertions, and lets it play.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    workspace.need_program()?;
    let mut cargo = tools::cargo(workspace);
    cargo.args(["run", "--profile", "soak", "-p", PROGRAM.0, "--", "soak"]).args(&args.rest);
    tools::must(&mut cargo)?;
    Ok(ExitCode::SUCCESS)
}
