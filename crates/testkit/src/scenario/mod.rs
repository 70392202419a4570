//! Scenarios: rulings as runnable examples, one TOML file each.
//!
//! A file names its game, lays out a position, plays a script of actions and of nature's answers, and states
//! expectations along the way. `docs/scenarios.md` explains the format with a complete example. The command
//! `pentarchy scenario` and the tests of each game run the same files.

mod coverage;
mod expect;
mod file;
mod run;
mod values;

pub use coverage::{CoverageError, check_dir, files_in};
pub use file::{Scenario, ScenarioError};
pub use run::run;

/// The result of a scenario.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScenarioReport {
    /// A log of the run, step by step.
    pub told: Vec<String>,
    /// Failed expectations; empty if the scenario passed.
    pub failures: Vec<ExpectationError>,
}

impl ScenarioReport {
    /// Returns whether the scenario passed, that is, the report has no failures.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }

    /// Creates the report of a scenario that could not start, with one failure at this line of the file.
    pub fn failed(line: usize, message: impl Into<String>) -> Self {
        let failure = ExpectationError { line, step: None, message: message.into() };
        ScenarioReport { told: Vec::new(), failures: vec![failure] }
    }
}

/// A failed expectation of a scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectationError {
    /// Line number in the file, from 1.
    pub line: usize,
    /// Number of the step, from 1; `None` before the first.
    pub step: Option<usize>,
    /// What was expected, and what was there.
    pub message: String,
}

impl std::fmt::Display for ExpectationError {
    /// Writes the line, the step if there is one, and the message.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(step) = self.step {
            write!(f, ", step {step}")?;
        }
        write!(f, ": {}", self.message)
    }
}
