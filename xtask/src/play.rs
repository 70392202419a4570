//! `cargo xtask play`: build the games and start them, in the browser or at this terminal.

use std::{ffi::OsString, process::ExitCode};

use crate::{
    task_error::Result,
    tools, web,
    workspace::{PROGRAM, Workspace},
};

/// Build the games and serve them at http://localhost:7878; or, with --terminal or a game, play at this terminal.
///
/// What follows is handed to `pentarchy serve` (e.g. `--port 8080`, `--open`) or, if there is a game or --terminal, to
/// `pentarchy play` (e.g. `cargo xtask play kuhn --seed 7`).
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Play at this terminal: picks a game from a list
    #[arg(long, short)]
    terminal: bool,

    /// Arguments of `pentarchy serve`, or a game and arguments of `pentarchy play`
    #[arg(value_name = "GAME|OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

/// Builds the program in release, and the page if it is served, and runs it until it ends. Returns success
/// exactly if the program does.
///
/// # Errors
///
/// Fails if there is no program in this tree, a build fails, or the program cannot be started.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    workspace.need_program()?;
    let command = args.command();
    if command == "serve" {
        // Before the program, which embeds the page.
        web::build(workspace, false, None)?;
    }
    // Built by a separate command, so that the progress of the build is visible and `run` prints nothing.
    tools::must(tools::cargo(workspace).args(["build", "--release", "-p", PROGRAM.0]))?;
    let mut cargo = tools::cargo(workspace);
    cargo.args(["run", "--release", "--quiet", "-p", PROGRAM.0, "--", command]).args(&args.rest);
    let status = tools::status(&mut cargo)?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Args {
    /// Returns the command of the program: `play` if there is a game or `--terminal`, else `serve`.
    pub(crate) fn command(&self) -> &'static str {
        let is_game = self.rest.first().is_some_and(|word| !word.to_string_lossy().starts_with('-'));
        if self.terminal || is_game { "play" } else { "serve" }
    }

    /// Returns the arguments that are handed to the program.
    #[cfg(test)]
    pub(crate) fn rest(&self) -> &[OsString] {
        &self.rest
    }
}
