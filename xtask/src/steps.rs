//! A step of `cargo xtask test`: a cargo command or a check of our own.

use std::process::{Child, Command, Stdio};

use crate::{
    tally::{Runner, Tally},
    task_error::{Result, TaskError},
    tools::{self, Stream},
    workspace::Workspace,
};

/// A step, a line of the list in `test.rs`.
pub(crate) struct Step {
    /// The name on the command line and in the table.
    pub(crate) name: &'static str,
    /// What it does.
    work: Work,
    /// Environment variables of its cargo command, as name and value.
    env: &'static [(&'static str, &'static str)],
    /// Files or folders, relative to the workspace, without which it is skipped.
    needs: &'static [&'static str],
    /// Returns what the machine lacks for it, if anything; it is then skipped.
    requires: Option<fn() -> Option<&'static str>>,
    /// Advice for a failure; empty for none.
    hint: &'static str,
    /// Returns the command of its early part, which runs beside earlier steps.
    ahead: Option<fn(&Workspace) -> Result<Command>>,
    /// The step beside which this one runs, if that is run too.
    pub(crate) beside: Option<&'static str>,
}

/// What a step does.
enum Work {
    /// Runs cargo with these arguments; it must succeed.
    Cargo(&'static [&'static str]),
    /// Runs cargo with these arguments, and counts the tests that it reports.
    Tests(Runner, &'static [&'static str]),
    /// Runs the first command if its cargo subcommand is installed, else the second; counts the tests.
    Either([(Runner, &'static [&'static str]); 2]),
    /// Runs another program and counts the tests that it reports.
    Other(fn(&Workspace) -> Result<Command>),
    /// Runs a function of this program, which prints its findings.
    Check(fn(&Workspace) -> Result<()>),
}

impl Step {
    /// Creates a step with this name and work, without environment, needs, requirement, hint and early part, and beside
    /// no other step.
    const fn new(name: &'static str, work: Work) -> Self {
        Self { name, work, env: &[], needs: &[], requires: None, hint: "", ahead: None, beside: None }
    }

    /// Creates a step that runs cargo with these arguments; it must succeed. Its output is not
    /// searched for tests.
    pub(crate) const fn cargo(name: &'static str, args: &'static [&'static str]) -> Self {
        Self::new(name, Work::Cargo(args))
    }

    /// Creates a step that runs cargo with these arguments; it must succeed. The tests that it
    /// reports in the format of `runner` are counted.
    pub(crate) const fn tests(name: &'static str, runner: Runner, args: &'static [&'static str]) -> Self {
        Self::new(name, Work::Tests(runner, args))
    }

    /// Creates a step from two cargo commands whose reported tests count: the first if its cargo subcommand (its first
    /// argument) is installed when the step runs, else the second.
    pub(crate) const fn either(name: &'static str, choices: [(Runner, &'static [&'static str]); 2]) -> Self {
        Self::new(name, Work::Either(choices))
    }

    /// Creates a step that runs another program: `command` builds what that needs and returns its command, when the
    /// step is prepared. The lines `3 passed, 0 failed` of its standard output are counted as tests.
    pub(crate) const fn other(name: &'static str, command: fn(&Workspace) -> Result<Command>) -> Self {
        Self::new(name, Work::Other(command))
    }

    /// Creates a step that calls the function `check` of this program, which prints its findings and fails if there are
    /// any. It has no tests that count.
    pub(crate) const fn check(name: &'static str, check: fn(&Workspace) -> Result<()>) -> Self {
        Self::new(name, Work::Check(check))
    }

    /// Returns this step with these environment variables (name, value) for its cargo command, in
    /// place of earlier ones. A check or another program does not get them.
    pub(crate) const fn env(mut self, env: &'static [(&'static str, &'static str)]) -> Self {
        self.env = env;
        self
    }

    /// Returns this step with the files or folders, relative to the workspace, without which it is
    /// skipped. Replaces earlier ones.
    pub(crate) const fn needs(mut self, paths: &'static [&'static str]) -> Self {
        self.needs = paths;
        self
    }

    /// Returns this step with a function that names what the machine lacks for it, or returns `None`; if it names
    /// something, the step is skipped. Replaces an earlier one.
    pub(crate) const fn requires(mut self, lack: fn() -> Option<&'static str>) -> Self {
        self.requires = Some(lack);
        self
    }

    /// Returns this step with a sentence of advice that is printed if it fails, in place of the command that repeats
    /// it. Replaces an earlier one.
    pub(crate) const fn hint(mut self, hint: &'static str) -> Self {
        self.hint = hint;
        self
    }

    /// Returns this step with a function that returns a command; it does a part of the work of the step and may run
    /// beside all earlier steps. The step itself must do the part again, so that it finds it done and reports its
    /// errors.
    pub(crate) const fn ahead(mut self, command: fn(&Workspace) -> Result<Command>) -> Self {
        self.ahead = Some(command);
        self
    }

    /// Returns this step, to be run at the same time as the step named `other`, in a process of its own. `other` must
    /// come later in the list of steps; a unit test checks that. It is run in its turn if `other` is not run.
    pub(crate) const fn beside(mut self, other: &'static str) -> Self {
        self.beside = Some(other);
        self
    }

    /// Prepares a step that runs another program: builds what it needs. Returns its command; `None` for steps of other
    /// kinds, which have nothing to prepare. Does not check what the step needs.
    ///
    /// # Errors
    ///
    /// Fails if the preparation does.
    pub(crate) fn prepare(&self, workspace: &Workspace) -> Result<Option<Command>> {
        match &self.work {
            Work::Other(command) => command(workspace).map(Some),
            _ => Ok(None),
        }
    }

    /// Starts the early part of the step, without input and output, and does not wait for it. Dropping the result ends
    /// it. Returns `None` if the step has no early part or lacks what it needs, or if the command cannot be made or
    /// started.
    pub(crate) fn start_ahead(&self, workspace: &Workspace) -> Option<AheadJob> {
        let command = self.ahead.filter(|_| self.lacks(workspace).is_none())?;
        let mut command = command(workspace).ok()?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().ok().map(AheadJob)
    }

    /// Returns the first needed file or folder that does not exist, or what the machine lacks; `None` if all is there.
    /// The machine is looked at only if all files are there.
    pub(crate) fn lacks(&self, workspace: &Workspace) -> Option<&'static str> {
        let missing = self.needs.iter().copied().find(|path| !workspace.has(path));
        missing.or_else(|| self.requires.and_then(|lack| lack()))
    }

    /// Returns the command that runs just this step as text, for lists and headings: the cargo command, or `cargo xtask
    /// test NAME` for a check or another program. May run cargo to see which subcommand is installed.
    pub(crate) fn about(&self, workspace: &Workspace) -> String {
        match &self.work {
            Work::Check(_) | Work::Other(_) => format!("cargo xtask test {}", self.name),
            Work::Cargo(args) | Work::Tests(_, args) => tools::typed(&self.command(workspace, args)),
            Work::Either(choices) => tools::typed(&self.command(workspace, choice(workspace, choices).1)),
        }
    }

    /// Returns the advice for a failure: the hint of the step, or "to see it again: " and the
    /// command.
    pub(crate) fn advice(&self, workspace: &Workspace) -> String {
        if self.hint.is_empty() {
            format!("to see it again: {}", self.about(workspace))
        } else {
            self.hint.to_owned()
        }
    }

    /// Runs the step with what [`prepare`](Self::prepare) returned, and adds the tests that it reported to `tally`,
    /// even if it fails. Does not check what the step needs. A step that runs another program does nothing without a
    /// prepared command.
    ///
    /// # Errors
    ///
    /// Fails if the command or the function fails, or if a test failed.
    pub(crate) fn run(
        &self,
        workspace: &Workspace,
        prepared: Option<Command>,
        tally: &mut Tally,
    ) -> Result<()> {
        match &self.work {
            Work::Check(check) => check(workspace),
            Work::Cargo(args) => tools::must(&mut self.command(workspace, args)),
            Work::Tests(runner, args) => count(&mut self.command(workspace, args), *runner, tally),
            Work::Either(choices) => {
                let (runner, args) = choice(workspace, choices);
                count(&mut self.command(workspace, args), runner, tally)
            }
            Work::Other(_) => prepared.map_or(Ok(()), |mut command| count(&mut command, Runner::Own, tally)),
        }
    }

    /// Returns a cargo command in the folder of the workspace with these arguments and the environment of the step. It
    /// is not run.
    fn command(&self, workspace: &Workspace, args: &[&str]) -> Command {
        let mut command = tools::cargo(workspace);
        command.args(args).envs(self.env.iter().copied());
        command
    }
}

/// The early part of a step, which runs beside other steps. Dropping it ends it if it still runs.
pub(crate) struct AheadJob(Child);

impl Drop for AheadJob {
    /// Ends the process and waits for it. It has usually ended by itself.
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// Runs a command with its output on the terminal, and adds the tests that it reports in the format of `runner` to
/// `tally`. Nextest reports on standard error, the others on standard output. The tests of a failed command count too.
///
/// # Errors
///
/// Fails if the command cannot be started, its output cannot be read or it fails, or if a test failed.
fn count(command: &mut Command, runner: Runner, tally: &mut Tally) -> Result<()> {
    let stream = match runner {
        Runner::Nextest => Stream::Err,
        Runner::CargoTest | Runner::Own => Stream::Out,
    };
    let mut heard = Tally::default();
    let status = tools::listen(command, stream, |line| {
        heard += Tally::read(runner, line).unwrap_or_default();
        true
    })?;
    *tally += heard;
    match (status.success(), heard.failed) {
        (true, 0) => Ok(()),
        (_, 0) => Err(TaskError::new(format!("`{}` failed ({status})", tools::typed(command)))),
        (_, 1) => Err(TaskError::new("1 test failed")),
        (_, failed) => Err(TaskError::new(format!("{failed} tests failed"))),
    }
}

/// Returns the runner and arguments of the first choice if its cargo subcommand is installed, otherwise those of the
/// second. Runs cargo to see that. The first argument of a choice is its subcommand.
fn choice(
    workspace: &Workspace,
    choices: &[(Runner, &'static [&'static str]); 2],
) -> (Runner, &'static [&'static str]) {
    let [first, second] = *choices;
    match first.1 {
        [subcommand, ..] if tools::has_cargo(workspace, subcommand) => first,
        _ => second,
    }
}
