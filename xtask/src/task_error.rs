//! The error type of all tasks.

use std::fmt;

/// A sentence that says what failed and, where possible, what to do.
#[derive(Debug)]
pub(crate) struct TaskError(String);

/// The result of a task.
pub(crate) type Result<T> = std::result::Result<T, TaskError>;

impl TaskError {
    /// Creates an error whose message is this sentence, without a full stop.
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl fmt::Display for TaskError {
    /// Writes the message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Converts errors of other types.
pub(crate) trait Context<T> {
    /// Returns the value of a success as it is, and an error of any type as a task error with the text `WHAT: ERROR`.
    ///
    /// # Errors
    ///
    /// Fails exactly if `self` is an error.
    fn context(self, what: impl fmt::Display) -> Result<T>;
}

impl<T, E: fmt::Display> Context<T> for std::result::Result<T, E> {
    /// Puts `what: ` in front of the text of an error of any type; a success stays as it is.
    fn context(self, what: impl fmt::Display) -> Result<T> {
        self.map_err(|error| TaskError(format!("{what}: {error}")))
    }
}
