//! `cargo xtask advisories`: check the packages of all lock files for known vulnerabilities.

use std::process::{Command, ExitCode};

use crate::{
    task_error::{Result, TaskError},
    tools,
    workspace::Workspace,
};

/// Check all lock files against the RustSec database. Needs cargo-deny and the network.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// Runs `cargo deny check advisories` for each lock file of the repository, with the rules of deny.toml, and prints its
/// output. All lock files are checked even if one fails. Passes without a check if git lists no lock file.
///
/// # Errors
///
/// Fails if cargo-deny is not installed, git cannot list the lock files, or cargo-deny reports a vulnerability; the
/// message names the lock files.
pub(crate) fn run(workspace: &Workspace, _: &Args) -> Result<ExitCode> {
    if !tools::has_cargo(workspace, "deny") {
        return Err(TaskError::new("cargo-deny is not installed: run `cargo install --locked cargo-deny`"));
    }
    let mut failed = Vec::new();
    for folder in lock_folders(workspace)? {
        let manifest = workspace.root().join(&folder).join("Cargo.toml");
        let mut deny = tools::cargo(workspace);
        deny.args(["deny", "--manifest-path"]).arg(manifest).args(["check", "--config"]);
        deny.arg(workspace.root().join("deny.toml")).arg("advisories");
        println!("{}", tools::bold(if folder.is_empty() { "." } else { &folder }));
        if !tools::status(&mut deny)?.success() {
            failed.push(if folder.is_empty() { "Cargo.lock".into() } else { format!("{folder}/Cargo.lock") });
        }
    }
    if failed.is_empty() {
        Ok(ExitCode::SUCCESS)
    } else {
        Err(TaskError::new(format!("look at {}", failed.join(", "))))
    }
}

/// Returns the folders in which git tracks a `Cargo.lock`, relative to the workspace; the empty text for the root. No
/// folders if git reports an error.
///
/// # Errors
///
/// Fails if git cannot be started.
fn lock_folders(workspace: &Workspace) -> Result<Vec<String>> {
    let mut git = Command::new("git");
    git.current_dir(workspace.root()).args(["ls-files", "--", "Cargo.lock", "*/Cargo.lock"]);
    let files = git.output().map_err(|error| TaskError::new(format!("git does not run: {error}")))?.stdout;
    let files = String::from_utf8_lossy(&files).into_owned();
    let folder = |file: &str| file.trim_end_matches("Cargo.lock").trim_end_matches('/').to_owned();
    Ok(files.lines().map(folder).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workspace_of_the_repository_is_checked() {
        let workspace = Workspace::find().unwrap();
        let folders = lock_folders(&workspace).unwrap();
        for folder in ["", "crates/web"] {
            assert!(folders.iter().any(|other| other == folder), "{folder} is not in {folders:?}");
        }
    }
}
