//! `cargo xtask golden`: rewrite the golden files.

use std::process::{Command, ExitCode};

use crate::{
    tally::{Runner, Tally},
    task_error::{Result, TaskError},
    tools::{self, Stream},
    workspace::Workspace,
};

/// Rewrite the golden playthroughs, and show what changed.
///
/// Runs the tests with `golden` in their names and `UPDATE_GOLDEN=1` in the environment: such a test
/// then writes its file instead of comparing with it. Read the difference before you commit it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only tests whose names contain this
    #[arg(default_value = "golden")]
    filter: String,
}

/// Runs the tests of the workspace whose names contain the filter with `UPDATE_GOLDEN=1`, so that they write their
/// files, then prints their number and the files that differ from the last commit (`git status --short`), also those
/// that differed before.
///
/// # Errors
///
/// Fails if a test or git fails, or if no test has the filter in its name.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let mut tally = Tally::default();
    let mut cargo = tools::cargo(workspace);
    cargo
        .args(["test", "--workspace", "--tests", "--no-fail-fast", "--", &args.filter])
        .env("UPDATE_GOLDEN", "1");
    let status = tools::listen(&mut cargo, Stream::Out, |line| {
        let counted = Tally::read(Runner::CargoTest, line);
        tally += counted.unwrap_or_default();
        // Most test binaries have no golden test: their empty reports are noise.
        !(line.is_empty() || line == "running 0 tests" || counted == Some(Tally::default()))
    })?;
    if !status.success() {
        return Err(TaskError::new("a golden test failed while it was to write its file"));
    }
    if tally == Tally::default() {
        return Err(TaskError::new(format!("no test has `{}` in its name", args.filter)));
    }
    println!(
        "Golden tests that ran: {}. The working tree now differs from the last commit by:",
        tally.passed
    );
    tools::must(Command::new("git").current_dir(workspace.root()).args(["status", "--short"]))?;
    Ok(ExitCode::SUCCESS)
}
