//! The step `verifier`: tests the Python verifier of records against the program.

use std::process::Command;

use crate::{
    task_error::{Result, TaskError},
    tools,
    workspace::Workspace,
};

/// The tests, relative to the workspace.
const TESTS: &str = "verifier/tests/run.py";

/// Builds the program (a debug build) and returns the command that runs the tests of the Python verifier with it, in
/// the workspace's folder. It is not run.
///
/// # Errors
///
/// Fails if there is no Python 3.9 or newer, or the program cannot be built.
pub(crate) fn for_tests(workspace: &Workspace) -> Result<Command> {
    let recent = |name: &&str| {
        tools::quiet(Command::new(name).args(["-c", "import sys; assert sys.version_info >= (3, 9)"]))
    };
    let python = ["python3", "python"].into_iter().find(recent).ok_or_else(|| {
        TaskError::new(
            "the tests of verifier/ need Python 3.9 or newer and no packages: please install python3 \
             (Debian and Ubuntu: apt-get install python3; Fedora: dnf install python3; macOS: brew install python)",
        )
    })?;
    let program = tools::program(workspace)?;
    let mut command = Command::new(python);
    command.arg(TESTS).arg(program.get_program()).current_dir(workspace.root());
    Ok(command)
}
