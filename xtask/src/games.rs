//! The games, as the program lists them.

use std::process::Stdio;

use serde::Deserialize;

use crate::{
    task_error::{Context, Result, TaskError},
    tools,
    workspace::{PROGRAM, Workspace},
};

/// A game of the registry; the fields are those of `pentarchy games --json`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ListedGame {
    /// Its name on the command line.
    pub(crate) name: String,
    /// The smallest number of seats.
    pub(crate) min_seats: u8,
    /// The largest number of seats.
    pub(crate) max_seats: u8,
    /// Whether it is one of the small known games.
    pub(crate) classic: bool,
}

/// Builds the program in this profile of cargo, runs `pentarchy games --json`, and returns all games in the order of
/// the registry. Errors of the build go to standard error.
///
/// # Errors
///
/// Fails if the program cannot be built or run, or its list cannot be read.
pub(crate) fn list(workspace: &Workspace, profile: &str) -> Result<Vec<ListedGame>> {
    let mut cargo = tools::cargo(workspace);
    cargo.args(["run", "--quiet", "--profile", profile, "-p", PROGRAM.0, "--", "games", "--json"]);
    let output = cargo.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    if !output.status.success() {
        return Err(TaskError::new(format!("`{}` failed ({})", tools::typed(&cargo), output.status)));
    }
    serde_json::from_slice(&output.stdout).context("cannot read the list of games")
}
