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
    /// Opens the database, and brings an older one up to date. Must be called within a tokio runtime, to which
    /// the storage is bound.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be reached or used.
    pub async fn open(&self) -> Result<SqlStorage, StorageError> {
        match self {
            DatabaseLocation::Folder(folder) => SqlStorage::open_folder(folder).await,
            #[cfg(feature = "postgres")]
            DatabaseLocation::Postgres(address) => SqlStorage::open_postgres(address).await,
        }
    }

    /// Opens the database, runs `work` with it and closes it, for callers without an async runtime. Returns the
    /// result of `work`.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be opened, or no runtime can be started.
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
