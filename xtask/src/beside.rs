//! Steps of `cargo xtask test` that run beside another one: each in a process of its own, one after the other.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    steps::Step,
    tally::{Runner, Tally},
    task_error::{Context, Result, TaskError},
    workspace::Workspace,
};

/// How a step that ran beside another one ended.
pub(crate) struct BesideResult {
    /// Success, or why it failed.
    pub(crate) result: Result<()>,
    /// The tests that it reported. A failure without a failed test counts as one.
    pub(crate) tally: Tally,
    /// How long it took.
    pub(crate) time: Duration,
}

/// Runs a step as `cargo xtask test NAME` does, by the program at the path `program`, in a process of its own, and
/// waits for its end. Then prints all of its output at once, so that it does not mix with that of other steps. The
/// program must be this one. Does not check what the step needs. `time` includes the start of the process. If the
/// process cannot be started, nothing is printed.
pub(crate) fn run(program: &Path, step: &Step, workspace: &Workspace) -> BesideResult {
    let start = Instant::now();
    let (result, mut tally) = match run_process(program, step, workspace) {
        Ok((text, success)) => {
            println!("\n{}", text.trim_end());
            let tally = closing_tally(&text);
            (if success { Ok(()) } else { Err(TaskError::new(reason(tally))) }, tally)
        }
        Err(trouble) => (Err(trouble), Tally::default()),
    };
    if result.is_err() && tally.failed == 0 {
        tally.failed = 1;
    }
    BesideResult { result, tally, time: start.elapsed() }
}

/// Runs the step in a process of its own without input, in the folder of the workspace, and waits for its end. Returns
/// what it printed, standard error after standard output, and whether it succeeded.
///
/// # Errors
///
/// Fails if the program cannot be started.
fn run_process(program: &Path, step: &Step, workspace: &Workspace) -> Result<(String, bool)> {
    let mut command = Command::new(program);
    command.current_dir(workspace.root()).args(["test", step.name]).stdin(Stdio::null());
    let output = command.output().context(format!("cannot start the step {}", step.name))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    Ok((text, output.status.success()))
}

/// Returns the tally in the last line `N passed, N failed` of this output, with which `cargo xtask test` ends; zeros if
/// there is no such line.
fn closing_tally(text: &str) -> Tally {
    text.lines().rev().find_map(|line| Tally::read(Runner::Own, line)).unwrap_or_default()
}

/// Returns why a step with this tally failed, in words: a reference to its output, with the number of failed tests if
/// there are several.
fn reason(tally: Tally) -> String {
    match tally.failed {
        0 | 1 => "see its output above".to_owned(),
        failed => format!("{failed} tests failed; see its output above"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_tally_of_the_output_counts() {
        let text = "2 passed, 0 failed\nstep result\n7 passed, 1 failed\nwarning: something on stderr\n";
        assert_eq!(closing_tally(text), Tally { passed: 7, failed: 1 });
        assert_eq!(closing_tally("nothing"), Tally::default());
    }

    #[test]
    fn the_exit_code_of_the_process_decides() {
        let (step, workspace) = (Step::check("a step", |_| Ok(())), Workspace::find().unwrap());
        let passed = run(Path::new("true"), &step, &workspace);
        assert!(passed.result.is_ok());
        assert_eq!(passed.tally, Tally::default());
        for program in ["false", "/no/such/program"] {
            let failed = run(Path::new(program), &step, &workspace);
            assert!(failed.result.is_err(), "{program}");
            assert_eq!(failed.tally, Tally { passed: 0, failed: 1 }, "{program}");
        }
    }
}
