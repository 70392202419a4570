//! `cargo xtask play`: build the game and start it.

use std::{ffi::OsString, process::ExitCode};

use crate::{
    tools,
    trouble::Result,
    workspace::{PROGRAM, Workspace},
};

/// Build the game and play: starts the picker of games in this terminal.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Handed to `pentarchy play`: a game, and options as `pentarchy play --help` lists them
    #[arg(value_name = "GAME [OPTIONS]", trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

/// Builds the program in release and starts it at this terminal.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    workspace.need_program()?;
    // First by itself, so that a long build is seen to go on, and nothing but the game is seen afterwards.
    tools::must(tools::cargo(workspace).args(["build", "--release", "-p", PROGRAM.0]))?;
    let mut cargo = tools::cargo(workspace);
    cargo.args(["run", "--release", "--quiet", "-p", PROGRAM.0, "--", "play"]).args(&args.rest);
    let status = tools::status(&mut cargo)?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[cfg(test)]
impl Args {
    /// What is handed on.
    pub(crate) fn rest(&self) -> &[OsString] {
        &self.rest
    }
}
