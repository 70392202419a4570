//! `cargo xtask play`: build the games and start them, in the browser or at this terminal.

use std::{
    ffi::OsString,
    fs,
    path::PathBuf,
    process::{Command, ExitCode},
};

use crate::{
    build_progress::BuildJob,
    task_error::{Context, Result},
    tools,
    web::{self, PageBuild},
    workspace::{PROGRAM, Workspace},
};

/// The package of the server alone, which links no game.
const SERVER: &str = "pentarchy-serve";

/// Build the games and serve them at http://localhost:7878; or, with --terminal or a game, play at this terminal.
///
/// What follows is handed to `pentarchy serve` (e.g. `--port 8080`, `--open`) or, if there is a game or --terminal, to
/// `pentarchy play` (e.g. `cargo xtask play kuhn --seed 7`).
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Play at this terminal: picks a game from a list
    #[arg(long, short)]
    terminal: bool,

    /// Serve the build that is shipped: smaller and faster, but it takes many minutes
    #[arg(long, short)]
    release: bool,

    /// Arguments of `pentarchy serve`, or a game and arguments of `pentarchy play`
    #[arg(value_name = "GAME|OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

/// Builds what is needed and runs the program until it ends, with the remaining arguments. Serves a quickly built page
/// with the small server, unless a game, `--terminal` or `--release` is given: then uses the release build of the whole
/// program. Returns success exactly if the program succeeded.
///
/// # Errors
///
/// Fails if the program is not in this tree, a build fails, or the program cannot be started.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    workspace.need_program()?;
    let command = args.command();
    let mut program = if command == "serve" && !args.release {
        quick_server(workspace)?
    } else {
        shipped(workspace, command)?
    };
    let status = tools::status(program.args(&args.rest))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the debug build of the server without games and without a page in it, and the path of its program. Nothing
/// is built or run; an empty folder is created in the target folder.
///
/// # Errors
///
/// Fails if cargo does not know the target folder, or a folder cannot be created.
pub(crate) fn server(workspace: &Workspace) -> Result<(BuildJob, PathBuf)> {
    let target = workspace.metadata()?.target_directory;
    let none = target.join("web/none");
    // An empty folder: a missing one would count as changed at every build.
    fs::create_dir_all(&none).context(format!("cannot create {}", none.display()))?;
    let mut build = tools::cargo(workspace);
    // The page is served from its folder: embedded, each change of it would compile the server again.
    build.args(["build", "--package", SERVER]).env("PENTARCHY_WEB_DIST", none);
    let mut packages = tools::cargo(workspace);
    packages.args(["tree", "--quiet", "--prefix", "none", "--edges", "normal,build", "--package", SERVER]);
    Ok((BuildJob { name: "the server", build, packages }, target.join("debug").join(SERVER)))
}

/// Builds the page quickly and the server without games at the same time, with progress. Returns the command that
/// serves the page from its folder. The page is in `web/play` of the target folder.
///
/// # Errors
///
/// Fails if a build fails.
fn quick_server(workspace: &Workspace) -> Result<Command> {
    let dist = workspace.metadata()?.target_directory.join("web/play");
    let (job, program) = server(workspace)?;
    web::build_beside(workspace, job, &dist)?;
    let mut server = Command::new(program);
    server.current_dir(workspace.root()).arg("--page").arg(dist);
    Ok(server)
}

/// Builds the whole program in release. `command` is "play" or "serve"; for "serve" the shipped
/// page is built first, and the program embeds it. Returns the command that runs the program with
/// this command.
///
/// # Errors
///
/// Fails if a build fails.
fn shipped(workspace: &Workspace, command: &str) -> Result<Command> {
    if command == "serve" {
        // Before the program, which embeds the page.
        web::build(workspace, PageBuild::Shipped, None)?;
    }
    // Built by a separate command, so that the progress of the build is visible and `run` prints nothing.
    tools::must(tools::cargo(workspace).args(["build", "--release", "-p", PROGRAM.0]))?;
    let mut cargo = tools::cargo(workspace);
    cargo.args(["run", "--release", "--quiet", "-p", PROGRAM.0, "--", command]);
    Ok(cargo)
}

impl Args {
    /// Returns the command of the program: "play" if `--terminal` is set or the first remaining
    /// argument is a game (does not begin with `-`), else "serve".
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
