//! What went wrong, in one line, with a hint what to do about it.

use pentarchy_engine::{AnyError, OptionsError};
use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// What a command gives.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something cannot be used: the command line, a file, an option.
    Usage { message: String, hint: Option<String> },
    /// A check failed.
    Check(String),
    /// The input ended before the game did.
    Ended(String),
    /// Nobody reads what is printed any more.
    Closed,
}

impl Failure {
    /// Something cannot be used.
    pub(crate) fn usage(message: impl Display) -> Self {
        Failure::Usage { message: message.to_string(), hint: None }
    }

    /// The same failure with a hint.
    pub(crate) fn hint(self, hint: impl Display) -> Self {
        match self {
            Failure::Usage { message, .. } => Failure::Usage { message, hint: Some(hint.to_string()) },
            other => other,
        }
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(what: &str, path: &Path, error: impl Display) -> Self {
        Failure::usage(format_args!("cannot {what} {}: {error}", path.display()))
    }

    /// Tells the person at the terminal and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        ExitCode::from(self.report_code())
    }

    /// The same, with the exit code as a number.
    pub(crate) fn report_code(self) -> u8 {
        let red = anstyle::AnsiColor::Red.on_default().bold();
        let (message, hint, code) = match self {
            Failure::Closed => return 0,
            Failure::Usage { message, hint } => (message, hint, 2),
            Failure::Check(message) => (message, None, 1),
            Failure::Ended(message) => (message, None, 3),
        };
        anstream::eprintln!("{red}error{red:#}: {message}");
        if let Some(hint) = hint {
            anstream::eprintln!("  hint: {hint}");
        }
        code
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::usage(error),
        }
    }
}

impl From<AnyError> for Failure {
    fn from(error: AnyError) -> Self {
        Failure::usage(error)
    }
}

impl From<OptionsError> for Failure {
    fn from(error: OptionsError) -> Self {
        Failure::usage(error)
    }
}
