//! `pentarchy completions` and `pentarchy man`.

use crate::Cli;
use crate::command_error::{CommandError, Outcome};
use clap::CommandFactory;
use std::io::{self, Write};
use std::path::PathBuf;

/// Print the completions for a shell
///
/// For example: `pentarchy completions bash > ~/.local/share/bash-completion/completions/pentarchy`
#[derive(clap::Args)]
pub(crate) struct Completions {
    /// The shell
    shell: clap_complete::Shell,
}

/// Print the manual page, or write one page for each command into a folder
#[derive(clap::Args)]
pub(crate) struct Man {
    /// The folder for the pages, e.g. ~/.local/share/man/man1
    folder: Option<PathBuf>,
}

/// Prints the script to standard output by which the shell of the arguments completes commands, options and names of
/// games.
///
/// # Errors
///
/// Fails if the output is closed.
pub(crate) fn completions(args: &Completions) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "pentarchy", &mut script);
    Ok(io::stdout().write_all(&script)?)
}

/// Prints the manual page of the program to standard output, or writes one page per command to a folder,
/// which is created if it does not exist.
///
/// # Errors
///
/// Fails if the output is closed or the folder cannot be written.
pub(crate) fn man(args: &Man) -> Outcome {
    let Some(folder) = &args.folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        return Ok(io::stdout().write_all(&page)?);
    };
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
        .map_err(|e| CommandError::file("write", folder, e))
}
