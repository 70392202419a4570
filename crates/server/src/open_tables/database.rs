//! A store in a database, which several processes share.

use super::{ListedTable, Listing, StoreError, StoreFuture, StoreLimits, TableStore};
use pentarchy_net::TableId;
use pentarchy_storage::{OpenTableRow, PutOutcome, SqlStorage, StorageError};
use std::sync::Arc;

/// The list of open tables of a server with several processes.
pub(crate) struct DatabaseStore(pub(crate) Arc<SqlStorage>);

/// Converts an error of the database.
fn unavailable(error: StorageError) -> StoreError {
    StoreError::Unavailable(error.to_string())
}

/// Converts a row of the database to an entry.
///
/// # Errors
///
/// Fails with `Unavailable` if its description cannot be read.
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

    fn get(&self, table: TableId, now: u64) -> StoreFuture<'_, Option<ListedTable>> {
        Box::pin(
            async move { self.0.open_table(table, now).await.map_err(unavailable)?.map(entry).transpose() },
        )
    }

    fn remove(&self, table: TableId, now: u64) -> StoreFuture<'_, bool> {
        Box::pin(async move { self.0.remove_open_table(table, now).await.map_err(unavailable) })
    }

    fn list(&self, game: Option<String>, limit: usize, now: u64) -> StoreFuture<'_, Vec<ListedTable>> {
        Box::pin(async move {
            let rows = self.0.open_tables(game, limit, now).await.map_err(unavailable)?;
            rows.into_iter().map(entry).collect()
        })
    }

    fn sweep(&self, now: u64) -> StoreFuture<'_, usize> {
        Box::pin(async move { Ok(self.0.sweep_open_tables(now).await.map_err(unavailable)? as usize) })
    }
}
