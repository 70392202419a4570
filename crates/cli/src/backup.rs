//! `pentarchy backup FILE` and `pentarchy restore FILE`: the database of a server as one file.

use crate::command_error::{CommandError, Outcome};
use pentarchy_serve::{DatabaseArgs, storage_error};
use pentarchy_storage::BackupError;
use std::path::PathBuf;

/// Write everything that a server stores to one file
///
/// Also while the server runs: the file has everything as it is at one moment. It can be restored into SQLite and
/// PostgreSQL, no matter which of them it is from. Only you can read the file.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy backup monday.backup
  pentarchy backup monday.backup --data /var/lib/pentarchy
  pentarchy backup monday.backup --database postgres://pentarchy@localhost/pentarchy")]
pub(crate) struct BackupArgs {
    /// The file to write; an existing one is replaced when the new one is complete
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    database: DatabaseArgs,
}

/// Restore a backup into an empty database
///
/// The whole file is checked before anything is changed, and everything is stored at once or not at all. The database
/// must be empty: name a new folder, or a new database of PostgreSQL. Stop the server first.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy restore monday.backup --data /var/lib/pentarchy
  pentarchy restore monday.backup --database postgres://pentarchy@localhost/pentarchy")]
pub(crate) struct RestoreArgs {
    /// The file to restore
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    database: DatabaseArgs,
}

/// Runs `pentarchy backup`: writes everything that the database stores to the file, and prints the number of rows. An
/// existing file is replaced once the new one is complete.
///
/// # Errors
///
/// Fails if the database cannot be read or the file cannot be written.
pub(crate) fn back_up(args: &BackupArgs) -> Outcome {
    let location = args.database.location()?;
    let work = location.run(async |storage| storage.back_up(&args.file).await);
    let rows =
        work.map_err(|error| storage_error(&error))?.map_err(|error| explain(args.file.clone(), error))?;
    anstream::println!("{rows} rows are in {}", args.file.display());
    Ok(())
}

/// Runs `pentarchy restore`: checks the file, stores everything that it holds in the empty database, all at once or
/// nothing, and prints the number of rows.
///
/// # Errors
///
/// Fails without a change if the file cannot be read or is damaged, or the database is not empty or cannot be used.
pub(crate) fn restore(args: &RestoreArgs) -> Outcome {
    let location = args.database.location()?;
    let work = location.run(async |storage| storage.restore(&args.file).await);
    let rows =
        work.map_err(|error| storage_error(&error))?.map_err(|error| explain(args.file.clone(), error))?;
    anstream::println!("{rows} rows are restored from {}", args.file.display());
    Ok(())
}

/// Converts an error of a backup or of a restore from `file` to bad usage. A database that is not empty, a damaged file
/// and a file of a newer version get a hint what to do instead; an error of the storage gets that of [`storage_error`].
fn explain(file: PathBuf, error: BackupError) -> CommandError {
    let shown = file.display();
    match error {
        BackupError::Storage(error) => storage_error(&error).into(),
        BackupError::File(error) => CommandError::usage(format_args!("cannot use {shown}: {error}")),
        BackupError::NotEmpty(_) => CommandError::usage(error)
            .hint("name a new folder with --data, or a new database with --database"),
        BackupError::Damaged(_) => CommandError::usage(format_args!("{shown}: {error}"))
            .hint("nothing was changed; take an older backup"),
        BackupError::Newer(_) => CommandError::usage(format_args!("{shown}: {error}"))
            .hint("nothing was changed; use that version"),
    }
}
