//! Runs other programs.

use std::{
    env,
    ffi::OsString,
    io::{self, BufRead, BufReader, IsTerminal, Write},
    process::{Command, ExitStatus, Stdio},
};

use crate::{
    task_error::{Context, Result, TaskError},
    workspace::{PROGRAM, Workspace},
};

/// The output stream that is parsed; the other one goes to the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// Returns a cargo command without arguments in the workspace's folder, with the toolchain that runs this program
/// (`CARGO`, else `cargo`) and without the variables by which cargo describes this package. It is not run.
pub(crate) fn cargo(workspace: &Workspace) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(workspace.root());
    // Cargo describes our own package in variables. Passed on, they would make build scripts that watch them run
    // again.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Builds the `pentarchy` program as a debug build, together with all tests of the workspace, and returns the command
/// that runs it in the workspace's folder. Built alone it would have other features, and be compiled twice.
///
/// # Errors
///
/// Fails if it cannot be built.
pub(crate) fn program(workspace: &Workspace) -> Result<Command> {
    must(cargo(workspace).args(["test", "--workspace", "--tests", "--no-run", "--quiet"]))?;
    let mut command = Command::new(workspace.metadata()?.target_directory.join("debug").join(PROGRAM.0));
    command.current_dir(workspace.root());
    Ok(command)
}

/// Returns the command as text for a person: the variables that it sets (but not `CARGO_TERM_COLOR`), the program
/// without its folder, and its arguments, separated by spaces. Values and arguments with spaces are in double quotes.
/// Runs nothing.
pub(crate) fn typed(command: &Command) -> String {
    let mut words = Vec::new();
    for (name, value) in command.get_envs() {
        if let Some(value) = value.filter(|_| name != "CARGO_TERM_COLOR") {
            words.push(format!("{}={}", name.to_string_lossy(), quoted(&value.to_string_lossy())));
        }
    }
    let program = command.get_program().to_string_lossy();
    words.push(program.rsplit(['/', '\\']).next().unwrap_or(&program).to_owned());
    words.extend(command.get_args().map(|word| quoted(&word.to_string_lossy())));
    words.join(" ")
}

/// Returns a word, in double quotes if it has spaces. Quotes inside are not escaped.
fn quoted(word: &str) -> String {
    if word.contains(' ') { format!("\"{word}\"") } else { word.to_owned() }
}

/// Returns whether this cargo subcommand is installed: whether `cargo SUBCOMMAND --version` succeeds.
pub(crate) fn has_cargo(workspace: &Workspace, subcommand: &str) -> bool {
    quiet(cargo(workspace).args([subcommand, "--version"]))
}

/// Runs a command to its end without input; its output is dropped. Returns whether it succeeded; `false` if it cannot
/// be started. Whatever the command says about its streams is overridden.
pub(crate) fn quiet(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

/// Runs a command to its end with its output on the terminal, unless the command says otherwise, and returns its exit
/// status, which may be a failure.
///
/// # Errors
///
/// Fails if it cannot be started.
pub(crate) fn status(command: &mut Command) -> Result<ExitStatus> {
    command.status().context(format!("cannot start `{}`", typed(command)))
}

/// Runs a command to its end with its output on the terminal. A command that does not succeed is an error.
///
/// # Errors
///
/// Fails if it cannot be started or its exit code is not 0.
pub(crate) fn must(command: &mut Command) -> Result<()> {
    let status = status(command)?;
    if status.success() {
        Ok(())
    } else {
        Err(TaskError::new(format!("`{}` failed ({status})", typed(command))))
    }
}

/// Runs a command to its end and calls `each` with every line of one of its streams, without colours and trailing
/// spaces. A line is printed, with its colours, if `each` returns true; the other stream goes to the terminal. Asks
/// cargo for colours if standard error is a terminal and `NO_COLOR` is not set. Invalid UTF-8 is replaced for `each`.
/// Returns the exit status, which may be a failure.
///
/// # Errors
///
/// Fails if it cannot be started or its output cannot be read.
pub(crate) fn listen(
    command: &mut Command,
    stream: Stream,
    mut each: impl FnMut(&str) -> bool,
) -> Result<ExitStatus> {
    if io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    match stream {
        Stream::Out => command.stdout(Stdio::piped()),
        Stream::Err => command.stderr(Stdio::piped()),
    };
    let what = typed(command);
    let mut child = command.spawn().context(format!("cannot start `{what}`"))?;
    let pipe: Box<dyn io::Read> = match (child.stdout.take(), child.stderr.take()) {
        (Some(pipe), _) => Box::new(pipe),
        (_, Some(pipe)) => Box::new(pipe),
        _ => return Err(TaskError::new(format!("cannot read what `{what}` says"))),
    };
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    while pipe.read_until(b'\n', &mut line).context(format!("cannot read what `{what}` says"))? > 0 {
        let text = plain(&String::from_utf8_lossy(&line));
        if each(text.trim_end()) {
            // A closed terminal does not stop the program.
            match stream {
                Stream::Out => io::stdout().write_all(&line).and_then(|()| io::stdout().flush()).ok(),
                Stream::Err => io::stderr().write_all(&line).ok(),
            };
        }
        line.clear();
    }
    child.wait().context(format!("cannot wait for `{what}`"))
}

/// Returns the text without ANSI escape sequences: from each escape character to the next ASCII
/// letter.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            // ESC [ parameters letter
            for c in chars.by_ref() {
                if c.is_ascii_alphabetic() {
                    break;
                }
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Returns the text in bold if standard output is a terminal and `NO_COLOR` is not set; else unchanged.
pub(crate) fn bold(text: &str) -> String {
    if io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none() {
        format!("\u{1b}[1m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_removed() {
        assert_eq!(plain("\u{1b}[32;1m     Summary\u{1b}[0m [   0.1s]"), "     Summary [   0.1s]");
    }

    #[test]
    fn commands_are_shown_as_typed() {
        let mut command = Command::new("/a/bin/cargo");
        command.args(["doc", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings").env_remove("CARGO_PKG_NAME");
        assert_eq!(typed(&command), "RUSTDOCFLAGS=\"-D warnings\" cargo doc --no-deps");
    }

    #[cfg(unix)]
    #[test]
    fn every_line_is_heard_even_without_a_final_newline() {
        let mut heard = Vec::new();
        let mut command = Command::new("printf");
        command.arg("one\\ntwo");
        let status = listen(&mut command, Stream::Out, |line| {
            heard.push(line.to_owned());
            false
        });
        assert!(status.unwrap().success());
        assert_eq!(heard, ["one", "two"]);
    }
}
