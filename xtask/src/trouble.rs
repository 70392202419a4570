//! What went wrong, as a sentence for the person at the keyboard that says what to do.

use std::fmt;

/// A sentence that says what went wrong and, where it can, what to do.
#[derive(Debug)]
pub(crate) struct Trouble(String);

/// The result of anything here that can go wrong.
pub(crate) type Result<T> = std::result::Result<T, Trouble>;

impl Trouble {
    /// From a sentence.
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Says what was being done when an error of another kind came.
pub(crate) trait Context<T> {
    /// `what: error`.
    fn context(self, what: impl fmt::Display) -> Result<T>;
}

impl<T, E: fmt::Display> Context<T> for std::result::Result<T, E> {
    fn context(self, what: impl fmt::Display) -> Result<T> {
        self.map_err(|error| Trouble(format!("{what}: {error}")))
    }
}
