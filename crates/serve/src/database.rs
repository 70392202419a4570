//! The arguments that name a database, and what to do if it cannot be used.

use crate::ServeError;
use pentarchy_storage::{DatabaseLocation, StorageError};
use std::path::PathBuf;

/// Where the database is.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct DatabaseArgs {
    /// The folder for the SQLite database; it is created if it does not exist. Without it: pentarchy/server in
    /// XDG_DATA_HOME, in .local/share of HOME, or in LOCALAPPDATA
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    /// A PostgreSQL database instead of the folder, like postgres://user:password@host/database. It must exist. The variable
    /// PENTARCHY_DATABASE does the same and keeps the password out of the list of processes
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    database: Option<String>,
}

/// Returns a variable of the environment as a path; `None` if it is not set or empty.
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

impl DatabaseArgs {
    /// Returns where the database is. In this order: at the address of `--database`, in the folder of `--data`, at the
    /// address in `PENTARCHY_DATABASE`, or in `pentarchy/server` in the usual data folder of this user
    /// (`XDG_DATA_HOME`, `.local/share` of `HOME`, `LOCALAPPDATA`). Nothing is opened or created.
    ///
    /// # Errors
    ///
    /// Fails if the address is none of PostgreSQL or this program cannot use it, and if no folder is named and the
    /// environment names no home.
    pub fn location(&self) -> Result<DatabaseLocation, ServeError> {
        let given = || variable("PENTARCHY_DATABASE").map(|value| value.to_string_lossy().into_owned());
        if let Some(address) = self.database.clone().or_else(|| given().filter(|_| self.data.is_none())) {
            return postgres(address);
        }
        let usual =
            || variable("XDG_DATA_HOME").or_else(|| variable("HOME").map(|home| home.join(".local/share")));
        let usual =
            || usual().or_else(|| variable("LOCALAPPDATA")).map(|folder| folder.join("pentarchy/server"));
        let folder = self.data.clone().or_else(usual).ok_or_else(|| ServeError {
            message: "there is no folder for the database: HOME is not set".to_owned(),
            hint: Some("name a folder with --data, or start with --mailbox off".to_owned()),
        })?;
        Ok(DatabaseLocation::Folder(folder))
    }
}

/// Returns the location of a PostgreSQL database, whose address must begin with `postgres://` or `postgresql://`. The
/// rest is not checked, and nothing is connected.
///
/// # Errors
///
/// Fails if the address is one of something else, or this program is built without PostgreSQL.
fn postgres(address: String) -> Result<DatabaseLocation, ServeError> {
    if !address.starts_with("postgres://") && !address.starts_with("postgresql://") {
        return Err(ServeError {
            message: "the address of a database begins with postgres://".to_owned(),
            hint: Some("for an SQLite database, name its folder with --data".to_owned()),
        });
    }
    #[cfg(feature = "postgres")]
    return Ok(DatabaseLocation::Postgres(address));
    #[cfg(not(feature = "postgres"))]
    return Err(ServeError {
        message: "this program has no PostgreSQL".to_owned(),
        hint: Some("use `pentarchy serve`, or a folder with --data".to_owned()),
    });
}

/// Converts an error of the database to one for the user of the command line: its text, and a hint that depends on
/// the kind of the error.
pub fn storage_error(error: &StorageError) -> ServeError {
    let hint = match error {
        StorageError::DiskFull(_) => "free space, or choose another folder with --data",
        StorageError::NotWritable(_) => "choose a folder that you can write with --data, or grant the rights",
        StorageError::Damaged(_) => {
            "restore a backup into a new folder (`pentarchy restore`), or move the file away and lose what it stores"
        }
        StorageError::NewerSchema(_) => "start that version, or choose another folder with --data",
        StorageError::Rejected(_) => "look at user, password and database in the address",
        StorageError::Unavailable(_) => {
            "look whether the database runs, and whether another program uses the file"
        }
    };
    ServeError {
        hint: Some(hint.to_owned()),
        ..ServeError::new(format_args!("the storage cannot be used: {error}"))
    }
}
