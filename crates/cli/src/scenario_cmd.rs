//! `pentarchy scenario FILE|DIR…`: rules as runnable examples.

use crate::command_error::{CommandError, Outcome};
use crate::style::{BAD, DIM, TITLE, paint};
use pentarchy_registry::tests_of;
use pentarchy_testkit::scenario::{Scenario, ScenarioReport, files_in};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Run rules as examples: each file lays out a position, plays a script and says what must be true
///
/// A file is one ruling in TOML; a directory stands for all `.toml` files in it and below. Each file is
/// played by the rules of the game it names. docs/scenarios.md explains the format.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy scenario scenarios                all of them
  pentarchy scenario -v scenarios/classics/kuhn/a-bluff-wins-the-ante.toml

The last line is `N passed, N failed`; the exit code is 1 if one failed, 2 if a file cannot be read.")]
pub(crate) struct Args {
    /// Scenario files, or directories of them
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,

    /// Show the events of each step
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,

    /// Show a dot for each file that passes, and what fails
    #[arg(short, long)]
    quiet: bool,
}

/// Runs `pentarchy scenario`. Returns exit code 0 if all scenarios pass or the output is closed, 1 if one fails, 2 if a
/// file cannot be read or a folder has no scenario. Prints the results, and an error to stderr.
pub(crate) fn run(args: &Args) -> ExitCode {
    match run_all(args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(failure) => failure.report(),
    }
}

/// Runs all files in order and prints the result of each and the counts; if `--quiet`, a dot or `F` per file and only
/// the failures. Returns whether all passed. Files are looked for in all paths before the first is run.
///
/// # Errors
///
/// Fails at the first file that cannot be read, if a folder has no scenario, or if the output is closed.
fn run_all(args: &Args) -> Outcome<bool> {
    let mut files = Vec::new();
    for path in &args.paths {
        files.extend(scenarios_at(path)?);
    }
    let mut out = anstream::stdout().lock();
    let (mut passed, mut failed) = (0, Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).map_err(|e| CommandError::file("read", &file, e))?;
        let (title, report) = play(&text);
        let words = Words { file: &file, title: &title, report: &report, verbose: args.verbose };
        if args.quiet {
            write!(out, "{}", if report.passed() { "." } else { "F" })?;
            out.flush()?;
        } else {
            words.print_to(&mut out)?;
        }
        if report.passed() {
            passed += 1;
        } else {
            failed.push((file, title, report));
        }
    }
    if args.quiet {
        writeln!(out)?;
        for (file, title, report) in &failed {
            Words { file, title, report, verbose: false }.print_to(&mut out)?;
        }
    }
    let style = if failed.is_empty() { TITLE } else { BAD };
    writeln!(out, "{}", paint(style, format_args!("{passed} passed, {} failed", failed.len())))?;
    Ok(failed.is_empty())
}

/// Returns the scenario files at a path: the path itself if it is no folder (whether it exists is not checked), else
/// all `.toml` files in the folder and below.
///
/// # Errors
///
/// Fails if the folder cannot be read or has no scenario.
fn scenarios_at(path: &Path) -> Outcome<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let files = files_in(path).map_err(|e| CommandError::file("read", path, e))?;
    if files.is_empty() {
        return Err(CommandError::usage(format_args!("there is no scenario in {}", path.display()))
            .hint("a scenario is a `.toml` file; docs/scenarios.md explains the format"));
    }
    Ok(files)
}

/// Runs the scenario in this text by the rules of its game. Returns its title with the rulings that it shows, for a
/// terminal, and its report. A text that is no scenario, or of an unknown game, gives a failed report.
fn play(text: &str) -> (String, ScenarioReport) {
    let scenario = match Scenario::parse(text) {
        Ok(scenario) => scenario,
        Err(e) => return ("not a scenario file".to_string(), ScenarioReport::failed(e.line, e.message)),
    };
    let rules = scenario.rules().join(" ");
    let rules = if rules.is_empty() { rules } else { format!(" ({rules})") };
    let title = format!("{}{}", scenario.title(), paint(DIM, rules));
    let report = match tests_of(scenario.game()) {
        Ok(tests) => tests.scenario(&scenario),
        Err(unknown) => ScenarioReport::failed(scenario.game_line(), unknown.to_string()),
    };
    (title, report)
}

/// The output for one file.
struct Words<'a> {
    /// The file.
    file: &'a Path,
    /// The title of the scenario, for a terminal.
    title: &'a str,
    /// Its result.
    report: &'a ScenarioReport,
    /// Whether its steps are printed.
    verbose: bool,
}

impl Words<'_> {
    /// Prints the result of a scenario: a line with `ok` or `FAIL`, the file and its title, then its steps in words if
    /// `verbose`, then its failures, each on a line.
    ///
    /// # Errors
    ///
    /// Fails if the output is closed.
    fn print_to(&self, out: &mut impl Write) -> io::Result<()> {
        let (style, word) = if self.report.passed() { (DIM, "ok  ") } else { (BAD, "FAIL") };
        writeln!(out, "{} {}: {}", paint(style, word), self.file.display(), self.title)?;
        for line in self.report.told.iter().filter(|_| self.verbose) {
            writeln!(out, "       {line}")?;
        }
        for failure in &self.report.failures {
            writeln!(out, "     {}", paint(BAD, failure))?;
        }
        Ok(())
    }
}
