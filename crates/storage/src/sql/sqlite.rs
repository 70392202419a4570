//! Storage in an SQLite database: one file, nothing to set up.
//!
//! The journal is a write-ahead log with `synchronous=FULL`: a transaction is on the disk before its result is returned.

use super::{SqlPools, SqlStorage, explain_migration, migrator};
use crate::StorageError;
use sqlx::query;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The name of the database in the data folder of a server.
pub const DATABASE_FILE: &str = "pentarchy.db";

/// Connections that read.
const READERS: u32 = 4;
/// How long a connection waits for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

impl SqlStorage {
    /// Opens the SQLite database in a folder. Creates both if they do not exist, and brings an older database up to
    /// date. Writes to the file once, to check that it can be written.
    ///
    /// # Errors
    ///
    /// Fails if the folder or the file cannot be written, the disk is full, the file is no database or damaged, or a
    /// newer version of the program has written it.
    pub async fn open_folder(folder: &Path) -> Result<Self, StorageError> {
        let path = folder.join(DATABASE_FILE);
        let failed = |error: std::io::Error| not_writable(folder, error);
        fs::create_dir_all(folder).map_err(failed)?;
        let options = SqliteConnectOptions::new()
            .filename(&path)
            .busy_timeout(BUSY_TIMEOUT)
            .synchronous(SqliteSynchronous::Full)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal);
        let fail = |error| explain(&path, error);
        let writer =
            SqlitePoolOptions::new().max_connections(1).connect_with(options.clone()).await.map_err(fail)?;
        let migrated = migrator("BLOB").run(&writer).await;
        migrated.map_err(|error| explain_migration(&path.display().to_string(), error, fail))?;
        let readers = SqlitePoolOptions::new().max_connections(READERS).connect_lazy_with(options);
        let storage = Self { pools: SqlPools::Sqlite { path, writer, readers } };
        // A file that is read-only opens without an error.
        storage.write_nothing().await.map_err(|error| storage.explain(error))?;
        Ok(storage)
    }

    /// Makes an SQLite database fail as on a full disk when it has this number of pages. Holds while the storage is
    /// open; no effect on a PostgreSQL database. For tests.
    ///
    /// # Errors
    ///
    /// Fails if the database does not answer.
    #[doc(hidden)]
    pub async fn limit_pages(&self, pages: u32) -> Result<(), StorageError> {
        let pragma = sqlx::AssertSqlSafe(format!("PRAGMA max_page_count = {pages}"));
        match &self.pools {
            SqlPools::Sqlite { writer, .. } => {
                query(pragma).execute(writer).await.map_err(|error| self.explain(error))?;
            }
            #[cfg(feature = "postgres")]
            SqlPools::Postgres { .. } => {}
        }
        Ok(())
    }
}

/// The result code for a file that cannot be opened.
const CANNOT_OPEN: i32 = 14;
/// The extended result codes for writing, synchronizing and truncating a file.
const REFUSED_WRITES: [i32; 3] = [778, 1034, 1546];

/// Creates the error `NotWritable` for a path, with the reason.
fn not_writable(path: &Path, why: impl Display) -> StorageError {
    StorageError::NotWritable(format!("{}: {why}", path.display()))
}

/// Converts an error of the database in the file `path` by its result code: `DiskFull`, `NotWritable` (no rights,
/// read-only, cannot be opened, or the system refuses to write, for example beyond a quota), `Damaged` (also for a
/// value that cannot be decoded), and `Unavailable` for all others.
pub(super) fn explain(path: &Path, error: sqlx::Error) -> StorageError {
    let shown = path.display();
    if let sqlx::Error::Decode(why) | sqlx::Error::ColumnDecode { source: why, .. } = &error {
        return StorageError::Damaged(format!("{shown}: {why}"));
    }
    let code = error.as_database_error().and_then(|error| error.code()).and_then(|code| code.parse().ok());
    let why = error.as_database_error().map_or_else(|| error.to_string(), |error| error.message().to_owned());
    // The low byte of an extended result code is the primary one: https://www.sqlite.org/rescode.html
    match code.map(|code: i32| if REFUSED_WRITES.contains(&code) { CANNOT_OPEN } else { code & 0xff }) {
        Some(13) => StorageError::DiskFull(format!("{shown} cannot grow")),
        Some(3 | 8 | 14 | 23) => not_writable(path, why),
        Some(11 | 26) => StorageError::Damaged(format!("{shown}: {why}")),
        _ => StorageError::Unavailable(format!("{shown}: {why}")),
    }
}
