//! Where the database of a server is.

use crate::{SqlStorage, Storage as _, StorageError};
use std::path::PathBuf;
use tokio::runtime::Builder;

/// Where a database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseLocation {
    /// An SQLite database in this folder, which is created if it does not exist.
    Folder(PathBuf),
    /// A database at a PostgreSQL server, by an address like `postgres://user:password@host/database`.
    #[cfg(feature = "postgres")]
    Postgres(String),
}

impl DatabaseLocation {
    /// Opens the database, creates the folder and file of an SQLite database if they do not exist, and brings an older
    /// one up to date. Must be called within a tokio runtime, to which the storage is bound.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be reached, written or used, is damaged, or a newer version of the program has
    /// written it.
    pub async fn open(&self) -> Result<SqlStorage, StorageError> {
        match self {
            DatabaseLocation::Folder(folder) => SqlStorage::open_folder(folder).await,
            #[cfg(feature = "postgres")]
            DatabaseLocation::Postgres(address) => SqlStorage::open_postgres(address).await,
        }
    }

    /// Opens the database, runs `work` with it and closes it, for callers without an async runtime, in which it would
    /// panic. Returns the result of `work`, which may be an error of its own.
    ///
    /// # Errors
    ///
    /// Fails if no runtime can be started, or the database cannot be opened or closed; in the latter case `work` has
    /// run.
    pub fn run<T>(&self, work: impl AsyncFnOnce(&SqlStorage) -> T) -> Result<T, StorageError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StorageError::Unavailable(error.to_string()))?;
        runtime.block_on(async {
            let storage = self.open().await?;
            let result = work(&storage).await;
            storage.close().await?;
            Ok(result)
        })
    }
}
