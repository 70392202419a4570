//! Rules as runnable examples: one TOML file is one ruling.
//!
//! A file names its game, lays out a position, plays a script of actions and of nature's answers, and says
//! what must be true along the way. `docs/scenarios.md` explains the format with a complete example; the
//! command `pentarchy scenario` and the tests of each game run the same files.

mod coverage;
mod expect;
mod file;
mod run;
mod values;

pub use coverage::{Failed, check_dir, files_in};
pub use file::{Scenario, ScenarioError};
pub use run::run;

/// What became of a scenario.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// What happened, step by step, in words.
    pub told: Vec<String>,
    /// What was not as it should be; nothing if the scenario passed.
    pub failures: Vec<Failure>,
}

impl Report {
    /// Whether everything was as it should be.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }

    /// The report of a scenario that could not even begin.
    pub fn failed(line: usize, message: impl Into<String>) -> Self {
        let failure = Failure { line, step: None, message: message.into() };
        Report { told: Vec::new(), failures: vec![failure] }
    }
}

/// Something that was not as a scenario says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The line in the file.
    pub line: usize,
    /// The number of the step, counted from 1; none before the first.
    pub step: Option<usize>,
    /// What was expected, and what was there.
    pub message: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(step) = self.step {
            write!(f, ", step {step}")?;
        }
        write!(f, ": {}", self.message)
    }
}
