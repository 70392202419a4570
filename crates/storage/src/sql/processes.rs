//! What several processes of a server share: the list of open tables, and which process has the room of a table.

use super::{SqlConnection, SqlPools, SqlRow, SqlStorage, values};
use crate::StorageFuture;
use pentarchy_net::TableId;
use std::sync::Arc;
use tokio::sync::Notify;

/// The channel on which PostgreSQL announces that a room was opened.
#[cfg(feature = "postgres")]
const CHANNEL: &str = "pentarchy_rooms";
/// How many openings of rooms are kept. A process reads them within a minute.
const OPENINGS_KEPT: u64 = 100_000;
/// Maximum openings that are read at once.
const OPENINGS_READ: u32 = 1_000;

/// An entry of the list of open tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTableRow {
    /// The table.
    pub table: TableId,
    /// The address that listed it, as a number.
    pub source: u64,
    /// The name of the game, by which lists are filtered.
    pub game: String,
    /// The description by the host, in a form that the storage does not read.
    pub listing: String,
    /// How many members its room had when the entry was last renewed.
    pub members: u32,
    /// When it was first listed.
    pub listed: u64,
    /// When it expires.
    pub expires: u64,
}

/// The result of putting an entry into the list of open tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutOutcome {
    /// The table was not listed.
    New,
    /// The table was listed, and keeps the time of that.
    Renewed,
    /// It is not listed: the list is full.
    Full,
    /// It is not listed: its source has too many entries.
    TooMany,
}

/// A process has opened the room of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoomOpening {
    /// Its number: later openings have higher ones.
    pub number: u64,
    /// The table.
    pub table: TableId,
    /// The number of the process.
    pub process: u64,
}

/// Reads the unsigned integer in the first column of the first row of a query; 0 if there is no row.
///
/// # Errors
///
/// Fails if the database does, or the value is no unsigned integer.
async fn count(
    connection: &mut SqlConnection,
    sql: &'static str,
    parameters: &[super::SqlValue],
) -> Result<u64, sqlx::Error> {
    connection.row(sql, parameters).await?.map_or(Ok(0), |row| row.unsigned(0))
}

/// Reads the identifier of a table (16 bytes) from a column, from 0.
///
/// # Errors
///
/// Fails with a decoding error if the column holds anything else.
fn table_in(row: &SqlRow, column: usize) -> Result<TableId, sqlx::Error> {
    let bytes: Result<[u8; 16], _> = row.bytes(column)?.try_into();
    let bytes = bytes.map_err(|_| sqlx::Error::Decode("a table with another length".into()))?;
    Ok(TableId::from_bytes(bytes))
}

/// Reads an entry from a row with all columns of `open_tables`, in the order of the migration.
///
/// # Errors
///
/// Fails if a column has an unexpected value.
fn entry_in(row: &SqlRow) -> Result<OpenTableRow, sqlx::Error> {
    Ok(OpenTableRow {
        table: table_in(row, 0)?,
        source: row.integer(1)? as u64,
        game: row.text(2)?,
        listing: row.text(3)?,
        members: row.unsigned(4)?,
        listed: row.unsigned(5)?,
        expires: row.unsigned(6)?,
    })
}

impl SqlStorage {
    /// Returns whether other processes may use the database at the same time: `true` for PostgreSQL.
    pub fn is_shared(&self) -> bool {
        match &self.pools {
            SqlPools::Sqlite { .. } => false,
            #[cfg(feature = "postgres")]
            SqlPools::Postgres { .. } => true,
        }
    }

    /// Lists an open table, or renews its entry, which keeps the time when it was first listed if that is
    /// earlier. Resolves to which of them it was, or why the table is not listed. A new entry needs fewer
    /// than `entries` others, and fewer than `per_source` of its source; a renewal is always accepted.
    /// First removes entries that have expired at `now`, and those of other tables that expire later than
    /// this one: they were listed while the clock was ahead.
    ///
    /// # Errors
    ///
    /// The future fails with the reason if the database cannot be written. Nothing was changed, unless it
    /// failed while it committed.
    pub fn put_open_table(
        &self,
        entry: OpenTableRow,
        entries: usize,
        per_source: usize,
        now: u64,
    ) -> StorageFuture<'_, PutOutcome> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let table = &entry.table.bytes()[..];
            let stale = "DELETE FROM open_tables WHERE expires <= $1 OR (expires > $2 AND table_id <> $3)";
            write.execute(stale, values![now, entry.expires, table]).await?;
            let listed = "SELECT COUNT(*) FROM open_tables WHERE table_id = $1";
            let is_listed = count(&mut write, listed, values![table]).await? > 0;
            if !is_listed {
                let all = count(&mut write, "SELECT COUNT(*) FROM open_tables", &[]).await?;
                let of_source = "SELECT COUNT(*) FROM open_tables WHERE source = $1";
                let of_source = count(&mut write, of_source, values![entry.source as i64]).await?;
                if all >= entries as u64 || of_source >= per_source as u64 {
                    write.commit().await?;
                    let is_full = all >= entries as u64;
                    return Ok(if is_full { PutOutcome::Full } else { PutOutcome::TooMany });
                }
            }
            let change = if is_listed {
                "UPDATE open_tables SET source = $2, game = $3, listing = $4, members = $5,
                    listed = CASE WHEN listed < $6 THEN listed ELSE $6 END, expires = $7
                 WHERE table_id = $1"
            } else {
                "INSERT INTO open_tables (table_id, source, game, listing, members, listed, expires)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)"
            };
            let (game, listing) = (entry.game.as_str(), entry.listing.as_str());
            let row = values![
                table,
                entry.source as i64,
                game,
                listing,
                entry.members,
                entry.listed,
                entry.expires
            ];
            write.execute(change, row).await?;
            write.commit().await?;
            Ok(if is_listed { PutOutcome::Renewed } else { PutOutcome::New })
        })
    }

    /// Resolves to the entry of an open table; `None` if it is not listed or has expired at `now`.
    ///
    /// # Errors
    ///
    /// The future fails with the reason if the database cannot be read.
    pub fn open_table(&self, table: TableId, now: u64) -> StorageFuture<'_, Option<OpenTableRow>> {
        self.bounded(async move {
            let find = "SELECT table_id, source, game, listing, members, listed, expires FROM open_tables
                        WHERE table_id = $1 AND expires > $2";
            let row = self.read().await?.row(find, values![&table.bytes()[..], now]).await?;
            row.as_ref().map(entry_in).transpose()
        })
    }

    /// Removes the entry of an open table. Resolves to whether there was one that has not expired at `now`.
    ///
    /// # Errors
    ///
    /// The future fails with the reason if the database cannot be written.
    pub fn remove_open_table(&self, table: TableId, now: u64) -> StorageFuture<'_, bool> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let remove = "DELETE FROM open_tables WHERE table_id = $1 AND expires > $2";
            let removed = write.execute(remove, values![&table.bytes()[..], now]).await?;
            write.commit().await?;
            Ok(removed > 0)
        })
    }

    /// Resolves to at most `limit` open tables of one game, or of all for `None`, that have not expired at `now`, the
    /// newest first.
    ///
    /// # Errors
    ///
    /// The future fails with the reason if the database cannot be read.
    pub fn open_tables(
        &self,
        game: Option<String>,
        limit: usize,
        now: u64,
    ) -> StorageFuture<'_, Vec<OpenTableRow>> {
        self.bounded(async move {
            let list = "SELECT table_id, source, game, listing, members, listed, expires FROM open_tables
                        WHERE expires > $1 AND ($2 = '' OR game = $2) ORDER BY listed DESC, table_id LIMIT $3";
            // No game has an empty name.
            let game = game.unwrap_or_default();
            let values = values![now, game.as_str(), limit as u64];
            self.read().await?.rows(list, values).await?.iter().map(entry_in).collect()
        })
    }

    /// Removes the open tables that have expired at `now`. Resolves to the number of those that remain.
    ///
    /// # Errors
    ///
    /// The future fails with the reason if the database cannot be written.
    pub fn sweep_open_tables(&self, now: u64) -> StorageFuture<'_, u64> {
        self.bounded(async move {
            let mut write = self.write().await?;
            write.execute("DELETE FROM open_tables WHERE expires <= $1", values![now]).await?;
            let left = count(&mut write, "SELECT COUNT(*) FROM open_tables", &[]).await?;
            write.commit().await?;
            Ok(left)
        })
    }

    /// Notes that a process has opened the rooms of these tables, in this order and after all earlier openings, and wakes
    /// the processes that [`SqlStorage::listen`]. Only the last 100,000 openings are kept.
    ///
    /// # Errors
    ///
    /// The future fails with the reason if the database cannot be written. Nothing was noted, unless it failed while it
    /// committed.
    pub fn open_rooms(&self, process: u64, tables: Vec<TableId>) -> StorageFuture<'_, ()> {
        self.bounded(async move {
            let mut write = self.write().await?;
            let mut last =
                count(&mut write, "SELECT COALESCE(MAX(number), 0) FROM room_openings", &[]).await?;
            let insert = "INSERT INTO room_openings (number, table_id, process) VALUES ($1, $2, $3)";
            for table in &tables {
                last += 1;
                write.execute(insert, values![last, &table.bytes()[..], process as i64]).await?;
            }
            let old = last.saturating_sub(OPENINGS_KEPT);
            write.execute("DELETE FROM room_openings WHERE number <= $1", values![old]).await?;
            #[cfg(feature = "postgres")]
            if self.is_shared() {
                write.execute("SELECT pg_notify($1, '')", values![CHANNEL]).await?;
            }
            write.commit().await
        })
    }

    /// Resolves to the number of the last opening of a room; 0 if there is none.
    ///
    /// # Errors
    ///
    /// The future fails with the reason if the database cannot be read.
    pub fn last_room_opening(&self) -> StorageFuture<'_, u64> {
        self.bounded(async {
            let last = "SELECT COALESCE(MAX(number), 0) FROM room_openings";
            count(&mut self.read().await?, last, &[]).await
        })
    }

    /// Resolves to the openings of rooms whose numbers are above `after`, in ascending order, at most
    /// 1,000. The caller asks again from the last one on.
    ///
    /// # Errors
    ///
    /// The future fails with the reason if the database cannot be read.
    pub fn room_openings(&self, after: u64) -> StorageFuture<'_, Vec<RoomOpening>> {
        self.bounded(async move {
            let list = "SELECT number, table_id, process FROM room_openings WHERE number > $1
                        ORDER BY number LIMIT $2";
            let rows = self.read().await?.rows(list, values![after, OPENINGS_READ]).await?;
            let opening = |row: &SqlRow| {
                Ok(RoomOpening {
                    number: row.unsigned(0)?,
                    table: table_in(row, 1)?,
                    process: row.integer(2)? as u64,
                })
            };
            rows.iter().map(opening).collect()
        })
    }

    /// Wakes `wake` whenever a process has opened rooms, and whenever such a message may have been lost.
    /// The future never ends; drop it to stop. It keeps one connection of the pool, and connects again a
    /// second after that fails. For SQLite, which one process uses, it wakes nothing.
    pub async fn listen(&self, wake: Arc<Notify>) {
        match &self.pools {
            SqlPools::Sqlite { .. } => {
                drop(wake);
                std::future::pending::<()>().await;
            }
            #[cfg(feature = "postgres")]
            SqlPools::Postgres { pool, .. } => loop {
                if let Ok(mut listener) = sqlx::postgres::PgListener::connect_with(pool).await
                    && listener.listen(CHANNEL).await.is_ok()
                {
                    wake.notify_one();
                    // `None` is a lost connection: messages may be lost, too.
                    while listener.try_recv().await.is_ok() {
                        wake.notify_one();
                    }
                }
                tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            },
        }
    }
}
