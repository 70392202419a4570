//! A store in a database, which several processes share.

use super::{ListedTable, Listing, StoreError, StoreFuture, StoreLimits, TableStore};
use pentarchy_net::TableId;
use pentarchy_storage::{OpenTableRow, PutOutcome, SqlStorage, StorageError};
use std::sync::Arc;

/// The list of open tables of a server with several processes.
pub(crate) struct DatabaseStore(pub(crate) Arc<SqlStorage>);

/// Converts an error of the database to `Unavailable` with its text.
fn unavailable(error: StorageError) -> StoreError {
    StoreError::Unavailable(error.to_string())
}

/// Converts a row of the database to an entry, whose description is stored as JSON.
///
/// # Errors
///
/// Fails with `Unavailable` if the description cannot be read.
fn entry(row: OpenTableRow) -> Result<ListedTable, StoreError> {
    let listing: Listing = serde_json::from_str(&row.listing)
        .map_err(|error| StoreError::Unavailable(format!("an entry cannot be read: {error}")))?;
    Ok(ListedTable {
        table: row.table,
        listing,
        source: row.source,
        members: row.members,
        since: row.listed,
        until: row.expires,
    })
}

impl TableStore for DatabaseStore {
    /// Adds an entry, or renews that of the same table; resolves to whether it is new at `now`. Fails with `Full` or
    /// `TooMany` if a new entry would exceed the limits, and with `Unavailable` if the database does.
    fn put(&self, entry: ListedTable, limits: StoreLimits, now: u64) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            let listing = serde_json::to_string(&entry.listing)
                .map_err(|error| StoreError::Unavailable(format!("an entry cannot be written: {error}")))?;
            let row = OpenTableRow {
                table: entry.table,
                source: entry.source,
                game: entry.listing.game,
                listing,
                members: entry.members,
                listed: entry.since,
                expires: entry.until,
            };
            let put = self.0.put_open_table(row, limits.entries, limits.per_source, now).await;
            match put.map_err(unavailable)? {
                PutOutcome::New => Ok(true),
                PutOutcome::Renewed => Ok(false),
                PutOutcome::Full => Err(StoreError::Full),
                PutOutcome::TooMany => Err(StoreError::TooMany),
            }
        })
    }

    /// Resolves to the entry of a table; `None` if it is not listed or has expired at `now`. Fails with `Unavailable` if
    /// the database does, or the entry cannot be read.
    fn get(&self, table: TableId, now: u64) -> StoreFuture<'_, Option<ListedTable>> {
        Box::pin(
            async move { self.0.open_table(table, now).await.map_err(unavailable)?.map(entry).transpose() },
        )
    }

    /// Removes the entry of a table. Resolves to whether there was one that has not expired at `now`. Fails with
    /// `Unavailable` if the database does.
    fn remove(&self, table: TableId, now: u64) -> StoreFuture<'_, bool> {
        Box::pin(async move { self.0.remove_open_table(table, now).await.map_err(unavailable) })
    }

    /// Resolves to at most `limit` entries of one game, or of all for `None`, that have not expired at `now`, the newest
    /// first. Fails with `Unavailable` if the database does, or an entry cannot be read.
    fn list(&self, game: Option<String>, limit: usize, now: u64) -> StoreFuture<'_, Vec<ListedTable>> {
        Box::pin(async move {
            let rows = self.0.open_tables(game, limit, now).await.map_err(unavailable)?;
            rows.into_iter().map(entry).collect()
        })
    }

    /// Removes the entries that have expired at `now`. Resolves to the number of those that remain. Fails with
    /// `Unavailable` if the database does.
    fn sweep(&self, now: u64) -> StoreFuture<'_, usize> {
        Box::pin(async move { Ok(self.0.sweep_open_tables(now).await.map_err(unavailable)? as usize) })
    }
}
