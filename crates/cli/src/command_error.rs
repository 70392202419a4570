//! Errors of commands: one line, with a hint what to do.

use pentarchy_engine::{AnyError, OptionsError};
use pentarchy_serve::ServeError;
use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// The result of a command.
pub(crate) type Outcome<T = ()> = Result<T, CommandError>;

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// The command line, a file or an option is invalid (exit code 2): a clause without a full stop, and what to do
    /// about it.
    Usage { message: String, hint: Option<String> },
    /// A check failed (exit code 1): the reason, without a full stop.
    Check(String),
    /// The input ended before the match did (exit code 3).
    Ended(String),
    /// The reader of the output has closed it, which is no error (exit code 0).
    Closed,
}

impl CommandError {
    /// Creates a usage error (exit code 2) without a hint. `message` is a clause without a full stop.
    pub(crate) fn usage(message: impl Display) -> Self {
        CommandError::Usage { message: message.to_string(), hint: None }
    }

    /// Adds a hint to a usage error, or replaces it; other errors are returned unchanged.
    pub(crate) fn hint(self, hint: impl Display) -> Self {
        match self {
            CommandError::Usage { message, .. } => {
                CommandError::Usage { message, hint: Some(hint.to_string()) }
            }
            other => other,
        }
    }

    /// Creates the usage error "cannot `what` `path`: `error`"; `what` is a verb, e.g. `read`.
    pub(crate) fn file(what: &str, path: &Path, error: impl Display) -> Self {
        CommandError::usage(format_args!("cannot {what} {}: {error}", path.display()))
    }

    /// Prints the error and its hint to stderr, and returns the exit code of the program: 1 for a failed check, 2 for
    /// bad usage, 3 if the input ended before the match. A closed output is no error: it prints nothing and returns 0.
    pub(crate) fn report(self) -> ExitCode {
        ExitCode::from(self.report_code())
    }

    /// Prints the error and its hint to stderr, and returns the exit code as a number: 1 for a failed check, 2 for bad
    /// usage, 3 if the input ended before the match. If the output was closed, prints nothing and returns 0.
    pub(crate) fn report_code(self) -> u8 {
        let red = anstyle::AnsiColor::Red.on_default().bold();
        let (message, hint, code) = match self {
            CommandError::Closed => return 0,
            CommandError::Usage { message, hint } => (message, hint, 2),
            CommandError::Check(message) => (message, None, 1),
            CommandError::Ended(message) => (message, None, 3),
        };
        anstream::eprintln!("{red}error{red:#}: {message}");
        if let Some(hint) = hint {
            anstream::eprintln!("  hint: {hint}");
        }
        code
    }
}

impl From<io::Error> for CommandError {
    /// Converts a broken pipe to a closed output, and every other error to a usage error with its text and without a
    /// hint.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => CommandError::Closed,
            _ => CommandError::usage(error),
        }
    }
}

impl From<AnyError> for CommandError {
    /// Converts an error of the engine to a usage error without a hint.
    fn from(error: AnyError) -> Self {
        CommandError::usage(error)
    }
}

impl From<ServeError> for CommandError {
    /// Converts an error of the server to a usage error with its hint.
    fn from(error: ServeError) -> Self {
        CommandError::Usage { message: error.message, hint: error.hint }
    }
}

impl From<OptionsError> for CommandError {
    /// Converts an error in options to a usage error without a hint.
    fn from(error: OptionsError) -> Self {
        CommandError::usage(error)
    }
}
