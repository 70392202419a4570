//! `cargo xtask test`: every check, one after the other.

use std::{
    env,
    path::Path,
    process::{Command, ExitCode},
    thread,
    time::{Duration, Instant},
};

use crate::{
    beside::{self, BesideResult},
    deny, e2e, layers, new, python,
    steps::{AheadJob, Step},
    table::{Table, duration},
    tally::{Runner, Tally},
    task_error::{Context, Result, TaskError},
    tools::{self, bold},
    verifier, web, words,
    workspace::Workspace,
};

/// Every step, the quick ones first. A new step is a line here.
const STEPS: &[Step] = &[
    Step::check("words", words::check),
    Step::check("licences", deny::check).hint("deny.toml says what a dependency may be"),
    Step::check("layers", layers::check).hint("ARCHITECTURE.md names the layers"),
    Step::cargo("format", &["fmt", "--all", "--check"]).hint("cargo fmt --all"),
    Step::check("web-format", web::format).needs(&["crates/web"]).hint("cd crates/web && cargo fmt"),
    Step::cargo("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    // Before everything that compiles the program, which embeds the page. It is compiled beside the steps above, which
    // use another target folder.
    Step::check("web", web::for_tests).needs(&["crates/web"]).ahead(web::compile_for_tests),
    Step::check("web-lints", web::lints).needs(&["crates/web"]),
    Step::either(
        "tests",
        [
            (Runner::Nextest, &["nextest", "run", "--workspace", "--no-fail-fast"]),
            // Not --all-targets: that would run whole benchmarks in a debug build.
            (Runner::CargoTest, &["test", "--workspace", "--tests", "--no-fail-fast"]),
        ],
    ),
    // These leave a core idle now and then, and so do browsers.
    Step::tests("doc-tests", Runner::CargoTest, &["test", "--workspace", "--doc", "--no-fail-fast"])
        .beside("page"),
    Step::cargo("docs", &["doc", "--workspace", "--no-deps"])
        .env(&[("RUSTDOCFLAGS", "-D warnings")])
        .beside("page"),
    Step::other("scenarios", scenarios).needs(&["crates/cli", "scenarios"]).beside("page"),
    Step::other("verifier", verifier::for_tests)
        .needs(&["crates/cli", "verifier"])
        .hint("python3 verifier/tests/run.py target/debug/pentarchy runs them again")
        .beside("page"),
    Step::other("python", python::for_tests)
        .needs(&["crates/python"])
        .requires(python::lack)
        .hint("target/python/venv/bin/python crates/python/tests/run.py -k PART-OF-A-NAME runs some of them again")
        .beside("page"),
    // After the others that run the program: it compiles the program with other games into the same target folder.
    Step::check("new", new::check)
        .needs(&["crates/cli"])
        .hint("docs/first-game.md describes cargo xtask new")
        .beside("page"),
    Step::other("page", e2e::for_tests)
        .needs(&["crates/web/e2e"])
        .hint("cargo xtask e2e PART-OF-A-NAME runs some of its tests"),
];

/// Builds the program (a debug build, with all tests) and returns the command that runs all scenarios with it. The
/// command is not run.
///
/// # Errors
///
/// Fails if the program cannot be built.
fn scenarios(workspace: &Workspace) -> Result<Command> {
    let mut command = tools::program(workspace)?;
    command.args(["scenario", "scenarios"]);
    Ok(command)
}

/// Run every check: words, licences, layers, format, lints, tests, docs, scenarios.
///
/// Ends with a table of the steps and, as the last line, `N passed, N failed`: the tests that the runners
/// counted. A step that fails without naming a failed test counts as one failure.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The steps to run [default: all]; `--list` names them
    #[arg(value_name = "STEP")]
    only: Vec<String>,

    /// Leave out this step; may be given more than once
    #[arg(long, value_name = "STEP")]
    skip: Vec<String>,

    /// Run all steps even if one fails, and fail at the end
    #[arg(long, short)]
    keep_going: bool,

    /// List the steps and their commands, and run none
    #[arg(long, short)]
    list: bool,
}

/// The result of a step.
enum Ended {
    /// It did its work without an error.
    Passed,
    /// It failed, or a test in it, for this reason.
    Failed(TaskError),
    /// It was not run, because this file, folder or program is missing.
    Skipped(&'static str),
    /// It was not run, because an earlier step failed.
    NotRun,
}

/// Runs the chosen steps in order, companions of a step beside it, and prints the table and the tally; with `--list`
/// only prints the steps. Starts the early parts of all chosen steps first, as processes without output, and ends those
/// that still run at the end. Returns a failing exit code if a step failed. Stops after the first failure unless
/// `--keep-going` is given; steps that were not run are in the table. A step that lacks what it needs is skipped, which
/// is no failure.
///
/// # Errors
///
/// Fails if a step does not exist, or the path of this program is unknown.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let steps = chosen(args)?;
    if args.list {
        let mut table = Table::new(&["step", "command"]);
        for step in &steps {
            table.row([step.name.to_owned(), step.about(workspace)]);
        }
        print!("{table}");
        return Ok(ExitCode::SUCCESS);
    }

    let begin = Instant::now();
    let mut tally = Tally::default();
    let mut ended: Vec<StepResult<'_>> = Vec::new();
    let mut stopped = false;
    // Ended when this function returns, also if a step has failed meanwhile.
    let _early: Vec<AheadJob> = steps.iter().filter_map(|step| step.start_ahead(workspace)).collect();
    let program = env::current_exe().context("cannot find this program")?;
    let runs_beside = |step: &Step| step.beside.filter(|name| steps.iter().any(|other| other.name == *name));
    for (i, &step) in steps.iter().enumerate() {
        if runs_beside(step).is_some() {
            continue;
        }
        let companions: Vec<&Step> =
            steps.iter().copied().filter(|other| runs_beside(other) == Some(step.name)).collect();
        if stopped {
            let not_run = |step| StepResult { step, end: Ended::NotRun, time: Duration::ZERO };
            ended.extend(companions.into_iter().chain([step]).map(not_run));
            continue;
        }
        println!(
            "\n{}",
            bold(&format!("[{}/{}] {}: {}", i + 1, steps.len(), step.name, step.about(workspace)))
        );
        let first = ended.len();
        run_together(&program, step, &companions, workspace, &mut tally, &mut ended);
        for StepResult { step, end, time } in &ended[first..] {
            match end {
                Ended::Passed => println!("{}: ok, {}", step.name, duration(*time)),
                Ended::Failed(trouble) => {
                    println!("{}: FAILED after {}: {trouble}", step.name, duration(*time));
                    stopped = !args.keep_going;
                }
                Ended::Skipped(lack) => println!("{}: skipped, there is no {lack}", step.name),
                Ended::NotRun => {}
            }
        }
    }
    Ok(print_summary(workspace, &ended, tally, begin.elapsed()))
}

/// Runs a step in this process, and at the same time its companions, one after the other and each in a process of its
/// own; returns when all have ended. Prepares the step first, because the companions take the locks of cargo. `program`
/// is this one, which runs the companions. Adds the results to `ended`, that of the step last: a step that lacks what
/// it needs is skipped, one whose preparation fails has failed, and the companions run in both cases. Adds the tests to
/// `tally`; a failure without a failed test counts as one failed test.
fn run_together<'a>(
    program: &Path,
    step: &'a Step,
    companions: &[&'a Step],
    workspace: &Workspace,
    tally: &mut Tally,
    ended: &mut Vec<StepResult<'a>>,
) {
    let start = Instant::now();
    let lack = step.lacks(workspace);
    let prepared = if lack.is_none() { step.prepare(workspace) } else { Ok(None) };
    thread::scope(|scope| {
        let job = scope.spawn(|| {
            let run =
                |step: &&'a Step| step.lacks(workspace).ok_or_else(|| beside::run(program, step, workspace));
            companions.iter().map(run).collect::<Vec<_>>()
        });
        let end = match lack {
            Some(lack) => Ended::Skipped(lack),
            None => run_step(tally, |tally| step.run(workspace, prepared?, tally)),
        };
        let time = start.elapsed();
        let others = job.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        for (&step, other) in companions.iter().zip(others) {
            ended.push(match other {
                Ok(lack) => StepResult { step, end: Ended::Skipped(lack), time: Duration::ZERO },
                Err(BesideResult { result, tally: counted, time }) => {
                    *tally += counted;
                    StepResult { step, end: result.map_or_else(Ended::Failed, |()| Ended::Passed), time }
                }
            });
        }
        ended.push(StepResult { step, end, time });
    });
}

/// Calls `work`, which does one step and adds its tests to the tally that it gets, and adds these tests to `tally`. A
/// failure without a failed test counts as one failed test. Returns how the step ended.
fn run_step(tally: &mut Tally, work: impl FnOnce(&mut Tally) -> Result<()>) -> Ended {
    let mut counted = Tally::default();
    let result = work(&mut counted);
    if result.is_err() && counted.failed == 0 {
        counted.failed = 1;
    }
    *tally += counted;
    result.map_or_else(Ended::Failed, |()| Ended::Passed)
}

/// How a step ended, and after which time.
struct StepResult<'a> {
    step: &'a Step,
    end: Ended,
    time: Duration,
}

/// Prints the table of steps with how they ended and their times, the failures with advice, and the tally as the last
/// line. `time` is that of all steps. Returns failure if a step failed. Skipped steps and those that were not run have
/// no time and are no failures.
fn print_summary(workspace: &Workspace, ended: &[StepResult<'_>], tally: Tally, time: Duration) -> ExitCode {
    let mut table = Table::new(&["step", "result", ">time"]);
    for StepResult { step, end, time } in ended {
        let result = match end {
            Ended::Passed => "ok".to_owned(),
            Ended::Failed(_) => "FAILED".to_owned(),
            Ended::Skipped(lack) => format!("skipped: no {lack}"),
            Ended::NotRun => "not run".to_owned(),
        };
        let ran = matches!(end, Ended::Passed | Ended::Failed(_));
        table.row([step.name.to_owned(), result, if ran { duration(*time) } else { String::new() }]);
    }
    table.row(["all".to_owned(), String::new(), duration(time)]);
    println!("\n{table}");

    let mut code = ExitCode::SUCCESS;
    for StepResult { step, end, .. } in ended {
        if let Ended::Failed(trouble) = end {
            println!("{} failed: {trouble}\n  {}\n", step.name, step.advice(workspace));
            code = ExitCode::FAILURE;
        }
    }
    println!("{tally}");
    code
}

/// Returns the steps that the arguments select, in the order of [`STEPS`]: the named ones, or all if they name none,
/// without the skipped ones. May be empty.
///
/// # Errors
///
/// Fails if a named or skipped step does not exist.
fn chosen(args: &Args) -> Result<Vec<&'static Step>> {
    for name in args.only.iter().chain(&args.skip) {
        if !STEPS.iter().any(|step| step.name == name) {
            let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
            return Err(TaskError::new(format!(
                "there is no step `{name}`; the steps are {}",
                names.join(", ")
            )));
        }
    }
    let wanted = |step: &&Step| {
        let named = |names: &[String]| names.iter().any(|name| name == step.name);
        (args.only.is_empty() || named(&args.only)) && !named(&args.skip)
    };
    Ok(STEPS.iter().filter(wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names of the steps that these arguments select.
    ///
    /// # Errors
    ///
    /// Fails if a step does not exist.
    fn names(only: &[&str], skip: &[&str]) -> Result<Vec<&'static str>> {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let args = Args { only: owned(only), skip: owned(skip), keep_going: false, list: false };
        Ok(chosen(&args)?.into_iter().map(|step| step.name).collect())
    }

    #[test]
    fn steps_are_chosen_by_name_and_keep_their_order() {
        assert_eq!(names(&["tests", "format"], &[]).unwrap(), ["format", "tests"]);
        assert_eq!(names(&[], &["tests"]).unwrap().len(), STEPS.len() - 1);
    }

    #[test]
    fn an_unknown_step_is_answered_with_the_list() {
        let trouble = names(&["test"], &[]).unwrap_err().to_string();
        assert!(trouble.contains("no step `test`") && trouble.contains("doc-tests"), "{trouble}");
    }

    #[test]
    fn a_failed_step_without_a_failed_test_counts_as_one() {
        let workspace = Workspace::find().unwrap();
        let mut tally = Tally { passed: 4, failed: 0 };
        let step = Step::check("broken", |_| Err(TaskError::new("broken")));
        let mut ended = Vec::new();
        run_together(Path::new("true"), &step, &[], &workspace, &mut tally, &mut ended);
        assert!(matches!(ended[..], [StepResult { end: Ended::Failed(_), .. }]));
        assert_eq!(tally, Tally { passed: 4, failed: 1 });
    }

    #[test]
    fn a_step_for_which_the_machine_lacks_something_is_skipped() {
        let workspace = Workspace::find().unwrap();
        let later = Step::check("later", |_| Err(TaskError::new("ran"))).requires(|| Some("snake"));
        let now = Step::check("now", |_| Ok(())).requires(|| None);
        let (mut tally, mut ended) = (Tally::default(), Vec::new());
        for step in [&later, &now] {
            run_together(Path::new("true"), step, &[], &workspace, &mut tally, &mut ended);
        }
        assert!(matches!(
            ended[..],
            [StepResult { end: Ended::Skipped("snake"), .. }, StepResult { end: Ended::Passed, .. }]
        ));
    }

    #[test]
    fn a_step_without_what_it_needs_is_skipped() {
        let workspace = Workspace::find().unwrap();
        let mut tally = Tally::default();
        let step =
            Step::check("later", |_| Err(TaskError::new("ran"))).needs(&["Cargo.toml", "no-such-folder"]);
        let mut ended = Vec::new();
        run_together(Path::new("true"), &step, &[], &workspace, &mut tally, &mut ended);
        assert!(matches!(ended[..], [StepResult { end: Ended::Skipped("no-such-folder"), .. }]));
        assert_eq!(tally, Tally::default());
    }

    #[test]
    fn companions_come_before_the_step_beside_which_they_run() {
        for (i, step) in STEPS.iter().enumerate() {
            let Some(other) = step.beside else { continue };
            let at = STEPS.iter().position(|step| step.name == other);
            assert!(at.is_some_and(|at| at > i), "{} comes before {other}", step.name);
        }
    }

    #[test]
    fn the_failure_of_a_companion_counts_and_the_step_itself_passes() {
        let workspace = Workspace::find().unwrap();
        let (mut tally, mut ended) = (Tally::default(), Vec::new());
        let (step, companion) =
            (Step::check("main", |_| Ok(())), Step::check("companion", |_| Ok(())).beside("main"));
        run_together(Path::new("false"), &step, &[&companion], &workspace, &mut tally, &mut ended);
        assert!(matches!(
            ended[..],
            [StepResult { end: Ended::Failed(_), .. }, StepResult { end: Ended::Passed, .. }]
        ));
        assert_eq!(tally, Tally { passed: 0, failed: 1 });
    }
}
