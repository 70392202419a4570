//! Storage in an SQLite database: one file, nothing to set up.
//!
//! The journal is a write-ahead log with `synchronous=FULL`: a transaction is on the disk before its result is returned.
//! One connection writes; others read at the same time.

use crate::memory::EXPIRED_AT_ONCE;
use crate::{
    AppendOutcome, MailLimits, MailPage, MailUsage, NewPacket, PAGE_BYTES, PAGE_PACKETS, Storage,
    StorageError, StorageFuture, StoredPacket, date_packet, latest_date,
};
use pentarchy_net::{MailCursor, TableId};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow, SqliteSynchronous,
};
use sqlx::{Connection as _, Row as _, SqlSafeStr as _, Sqlite, SqliteConnection, Transaction, query};
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of the database in the data folder of a server.
pub const DATABASE_FILE: &str = "pentarchy.db";

/// Connections that read.
const READERS: u32 = 4;
/// How long a connection waits for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The migrations in order: version, name, and SQL.
const MIGRATIONS: [(i64, &str, &str); 1] = [(1, "mail", include_str!("../migrations/sqlite/0001_mail.sql"))];

/// Storage in a file.
pub struct SqliteStorage {
    path: PathBuf,
    writer: SqlitePool,
    readers: SqlitePool,
}

impl SqliteStorage {
    /// Opens the database in a folder. Creates both if they do not exist, and brings an older database up to
    /// date.
    ///
    /// # Errors
    ///
    /// Fails with `NotWritable` if the folder or the file cannot be created or written, `DiskFull`, `Damaged`
    /// if the file is no database or damaged, `NewerSchema` if a newer version of the program has written it,
    /// and `Unavailable` for another failure, for example because another process writes for longer than 5
    /// seconds.
    pub async fn open(folder: &Path) -> Result<Self, StorageError> {
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
        let migrations = MIGRATIONS.map(|(version, name, sql)| {
            Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
        });
        Migrator::with_migrations(migrations.into())
            .run(&writer)
            .await
            .map_err(|error| explain_migration(&path, error))?;
        let readers = SqlitePoolOptions::new().max_connections(READERS).connect_lazy_with(options);
        let storage = Self { path, writer, readers };
        storage.check_writable().await?;
        Ok(storage)
    }

    /// Checks that the database can be written: a file that is read-only opens without an error. Changes
    /// nothing.
    ///
    /// # Errors
    ///
    /// Fails if a write does.
    async fn check_writable(&self) -> Result<(), StorageError> {
        let mut connection = self.writer().await?;
        let result = write_nothing(&mut connection).await;
        self.finish(connection, result)
    }

    /// Makes writes fail as on a full disk when the database has this number of pages. Lasts until the
    /// connection that writes is replaced, which happens after a failure. For tests.
    ///
    /// # Errors
    ///
    /// Fails if the database does not answer.
    #[doc(hidden)]
    pub async fn limit_pages(&self, pages: u32) -> Result<(), StorageError> {
        let pragma = sqlx::AssertSqlSafe(format!("PRAGMA max_page_count = {pages}"));
        query(pragma).execute(&self.writer).await.map_err(|error| self.explain(error))?;
        Ok(())
    }

    /// Marks the database as written by a version with one more migration. For tests.
    ///
    /// # Errors
    ///
    /// Fails if the database does not answer.
    #[doc(hidden)]
    pub async fn pretend_newer(&self) -> Result<(), StorageError> {
        let insert = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
            VALUES (9999, 'of a later version', TRUE, x'00', 0)";
        query(insert).execute(&self.writer).await.map_err(|error| self.explain(error))?;
        Ok(())
    }

    /// Waits for the only connection that writes. It is free again when the result is dropped.
    ///
    /// # Errors
    ///
    /// Fails with `Unavailable` if the connection does not become free in time or cannot be opened again.
    async fn writer(&self) -> Result<PoolConnection<Sqlite>, StorageError> {
        self.writer.acquire().await.map_err(|error| self.explain(error))
    }

    /// Gives the connection that writes back to its pool, and converts the result. After a failure the
    /// connection is closed instead: SQLite ends a transaction by itself on a full disk, and the connection
    /// would not notice.
    ///
    /// # Errors
    ///
    /// Fails if `result` is an error, with [`explain`] of it.
    fn finish<T>(
        &self,
        mut connection: PoolConnection<Sqlite>,
        result: Result<T, sqlx::Error>,
    ) -> Result<T, StorageError> {
        if result.is_err() {
            connection.close_on_drop();
        }
        result.map_err(|error| self.explain(error))
    }

    /// Converts an error of this database; see [`explain`].
    fn explain(&self, error: sqlx::Error) -> StorageError {
        explain(&self.path, error)
    }

    /// Stores packets in one transaction; see [`Storage::append_mail`].
    ///
    /// # Errors
    ///
    /// Fails if the database does. Nothing was stored.
    async fn append(
        &self,
        batch: Vec<NewPacket>,
        limits: MailLimits,
        now: u64,
    ) -> Result<Vec<AppendOutcome>, StorageError> {
        let mut connection = self.writer().await?;
        let result = append_all(&mut connection, &batch, &limits, now).await;
        self.finish(connection, result)
    }

    /// Reads a page; see [`Storage::read_mail`]. All statements read one snapshot, so that no packet
    /// follows the end of the mailbox.
    ///
    /// # Errors
    ///
    /// Fails if the database does, or a number in it is negative or too large.
    async fn read(&self, table: TableId, after: MailCursor) -> Result<MailPage, sqlx::Error> {
        let mut read = self.readers.begin().await?;
        let Some(mailbox) = find_mailbox(&mut read, &table).await? else { return Ok(MailPage::default()) };
        let from = if after.mailbox == mailbox.number { after.number } else { 0 };
        let sizes =
            "SELECT number, bytes FROM mail WHERE table_id = $1 AND number > $2 ORDER BY number LIMIT $3";
        let sizes = query(sizes)
            .bind(&table.bytes()[..])
            .bind(i64::from(from))
            .bind(i64::from(PAGE_PACKETS))
            .fetch_all(&mut *read)
            .await?;
        // The page ends with the packet that fills it.
        let (mut bytes, mut to) = (0, i64::from(from));
        for row in sizes {
            if bytes >= PAGE_BYTES {
                break;
            }
            to = row.try_get(0)?;
            bytes += unsigned::<usize>(&row, 1)?;
        }
        let packets = "SELECT number, sealed FROM mail WHERE table_id = $1 AND number > $2 AND number <= $3 ORDER BY number";
        let rows = query(packets)
            .bind(&table.bytes()[..])
            .bind(i64::from(from))
            .bind(to)
            .fetch_all(&mut *read)
            .await?;
        let packet =
            |row: SqliteRow| Ok(StoredPacket { number: unsigned(&row, 0)?, sealed: row.try_get(1)? });
        let packets = rows.into_iter().map(packet).collect::<Result<_, sqlx::Error>>()?;
        read.commit().await?;
        Ok(MailPage { mailbox: mailbox.number, packets, last: mailbox.packets })
    }

    /// Removes old mailboxes in one transaction and returns their number; see [`Storage::expire_mail`].
    ///
    /// # Errors
    ///
    /// Fails if the database does. Nothing was removed.
    async fn expire(&self, before: u64, now: u64) -> Result<u64, StorageError> {
        let mut connection = self.writer().await?;
        let result = expire_all(&mut connection, before, latest_date(now)).await;
        self.finish(connection, result)
    }

    /// Returns the sums over all mailboxes; see [`Storage::mail_usage`].
    ///
    /// # Errors
    ///
    /// Fails if the database does, or a sum is negative.
    async fn usage(&self) -> Result<MailUsage, sqlx::Error> {
        let sums =
            "SELECT packets, bytes, (SELECT COUNT(*) FROM mailboxes) FROM mail_totals WHERE row_number = 1";
        let row = query(sums).fetch_one(&self.readers).await?;
        Ok(MailUsage { packets: unsigned(&row, 0)?, bytes: unsigned(&row, 1)?, tables: unsigned(&row, 2)? })
    }
}

/// Starts a transaction that writes. No other one can start before it ends. It is rolled back if it is
/// dropped without a commit.
///
/// # Errors
///
/// Fails if the database is read-only, or another process writes for longer than [`BUSY_TIMEOUT`].
async fn begin(connection: &mut SqliteConnection) -> Result<Transaction<'_, Sqlite>, sqlx::Error> {
    connection.begin_with("BEGIN IMMEDIATE").await
}

/// Writes a row without changing it, in a transaction.
///
/// # Errors
///
/// Fails if the database cannot be written.
async fn write_nothing(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let mut write = begin(connection).await?;
    let unchanged = "UPDATE mail_totals SET packets = packets WHERE row_number = 1";
    query(unchanged).execute(&mut *write).await?;
    write.commit().await
}

/// Stores packets in one transaction and returns their outcomes in order.
///
/// # Errors
///
/// Fails if the database does. The transaction is rolled back.
async fn append_all(
    connection: &mut SqliteConnection,
    batch: &[NewPacket],
    limits: &MailLimits,
    now: u64,
) -> Result<Vec<AppendOutcome>, sqlx::Error> {
    let mut write = begin(connection).await?;
    let mut outcomes = Vec::with_capacity(batch.len());
    for packet in batch {
        outcomes.push(append_one(&mut write, packet, limits, now).await?);
    }
    write.commit().await?;
    Ok(outcomes)
}

/// A row of `mailboxes`.
struct MailboxRow {
    number: u64,
    packets: u32,
    bytes: u64,
}

/// Reads the row of a table's mailbox; `None` if it has none.
///
/// # Errors
///
/// Fails if the database does, or a number in the row is negative or too large.
async fn find_mailbox(
    connection: &mut SqliteConnection,
    table: &TableId,
) -> Result<Option<MailboxRow>, sqlx::Error> {
    let find = "SELECT mailbox, packets, bytes FROM mailboxes WHERE table_id = $1";
    let Some(row) = query(find).bind(&table.bytes()[..]).fetch_optional(&mut *connection).await? else {
        return Ok(None);
    };
    let number: i64 = row.try_get(0)?;
    Ok(Some(MailboxRow { number: number as u64, packets: unsigned(&row, 1)?, bytes: unsigned(&row, 2)? }))
}

/// Stores a packet within a transaction, unless its table has stored it before or a limit is reached; see
/// [`Storage::append_mail`]. `now` is in seconds since 1970.
///
/// # Errors
///
/// Fails if the database does. The caller must roll the transaction back.
async fn append_one(
    write: &mut SqliteConnection,
    packet: &NewPacket,
    limits: &MailLimits,
    now: u64,
) -> Result<AppendOutcome, sqlx::Error> {
    let (table, id) = (&packet.table.bytes()[..], packet.id());
    let len = packet.sealed.len() as u64;
    let found = find_mailbox(write, &packet.table).await?;
    let is_new = found.is_none();
    let old = found.unwrap_or(MailboxRow { number: packet.new_mailbox, packets: 0, bytes: 0 });
    let twin = "SELECT number FROM mail WHERE table_id = $1 AND packet_id = $2";
    if let Some(row) = query(twin).bind(table).bind(&id[..]).fetch_optional(&mut *write).await? {
        let number = unsigned(&row, 0)?;
        return Ok(AppendOutcome::Duplicate(MailCursor { mailbox: old.number, number }));
    }
    let totals = "SELECT bytes, newest FROM mail_totals WHERE row_number = 1";
    let totals = query(totals).fetch_one(&mut *write).await?;
    let (total, newest) = (unsigned::<u64>(&totals, 0)?, unsigned::<u64>(&totals, 1)?);
    if old.packets >= limits.table_packets
        || old.bytes + len > limits.table_bytes
        || total + len > limits.total_bytes
    {
        return Ok(AppendOutcome::Full);
    }
    let (date, number) = (date_packet(now, newest), old.packets + 1);
    let insert = "INSERT INTO mail (table_id, number, packet_id, bytes, sealed) VALUES ($1, $2, $3, $4, $5)";
    query(insert)
        .bind(table)
        .bind(i64::from(number))
        .bind(&id[..])
        .bind(len as i64)
        .bind(&packet.sealed[..])
        .execute(&mut *write)
        .await?;
    let change = if is_new {
        "INSERT INTO mailboxes (table_id, mailbox, packets, bytes, last_stored) VALUES ($1, $2, $3, $4, $5)"
    } else {
        "UPDATE mailboxes SET mailbox = $2, packets = $3, bytes = $4, last_stored = $5 WHERE table_id = $1"
    };
    query(change)
        .bind(table)
        .bind(old.number as i64)
        .bind(i64::from(number))
        .bind((old.bytes + len) as i64)
        .bind(date as i64)
        .execute(&mut *write)
        .await?;
    let sums =
        "UPDATE mail_totals SET packets = packets + 1, bytes = bytes + $1, newest = $2 WHERE row_number = 1";
    query(sums).bind(len as i64).bind(date as i64).execute(&mut *write).await?;
    Ok(AppendOutcome::Stored(MailCursor { mailbox: old.number, number }))
}

/// Removes at most [`EXPIRED_AT_ONCE`] mailboxes whose last packet was stored before `before`, the oldest
/// first, in one transaction. Mailboxes with a date after `latest` get that date first. Returns the number of
/// removed mailboxes.
///
/// # Errors
///
/// Fails if the database does. The transaction is rolled back.
async fn expire_all(connection: &mut SqliteConnection, before: u64, latest: u64) -> Result<u64, sqlx::Error> {
    let mut write = begin(connection).await?;
    for bound in [
        "UPDATE mailboxes SET last_stored = $1 WHERE last_stored > $1",
        "UPDATE mail_totals SET newest = $1 WHERE newest > $1",
    ] {
        query(bound).bind(i64::try_from(latest).unwrap_or(i64::MAX)).execute(&mut *write).await?;
    }
    let old =
        "SELECT table_id, packets, bytes FROM mailboxes WHERE last_stored < $1 ORDER BY last_stored LIMIT $2";
    let before = i64::try_from(before).unwrap_or(i64::MAX);
    let old = query(old).bind(before).bind(EXPIRED_AT_ONCE as i64).fetch_all(&mut *write).await?;
    for row in &old {
        let (table, packets, bytes): (Vec<u8>, i64, i64) =
            (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        query("DELETE FROM mail WHERE table_id = $1").bind(&table[..]).execute(&mut *write).await?;
        query("DELETE FROM mailboxes WHERE table_id = $1").bind(&table[..]).execute(&mut *write).await?;
        let sums = "UPDATE mail_totals SET packets = packets - $1, bytes = bytes - $2 WHERE row_number = 1";
        query(sums).bind(packets).bind(bytes).execute(&mut *write).await?;
    }
    write.commit().await?;
    Ok(old.len() as u64)
}

/// Reads a column that must not be negative. `column` counts from 0.
///
/// # Errors
///
/// Fails with a decoding error if the value is negative or too large for the type, or if the column is not an
/// integer.
fn unsigned<T: TryFrom<i64>>(row: &SqliteRow, column: usize) -> Result<T, sqlx::Error> {
    let value: i64 = row.try_get(column)?;
    T::try_from(value).map_err(|_| sqlx::Error::Decode(format!("{value} in column {column}").into()))
}

impl Storage for SqliteStorage {
    fn append_mail(
        &self,
        batch: Vec<NewPacket>,
        limits: MailLimits,
        now: u64,
    ) -> StorageFuture<'_, Vec<AppendOutcome>> {
        Box::pin(self.append(batch, limits, now))
    }

    fn read_mail(&self, table: TableId, after: MailCursor) -> StorageFuture<'_, MailPage> {
        Box::pin(async move { self.read(table, after).await.map_err(|error| self.explain(error)) })
    }

    fn expire_mail(&self, before: u64, now: u64) -> StorageFuture<'_, u64> {
        Box::pin(self.expire(before, now))
    }

    fn mail_usage(&self) -> StorageFuture<'_, MailUsage> {
        Box::pin(async move { self.usage().await.map_err(|error| self.explain(error)) })
    }

    fn close(&self) -> StorageFuture<'_, ()> {
        Box::pin(async move {
            self.readers.close().await;
            // The last connection moves the write-ahead log into the file.
            self.writer.close().await;
            Ok(())
        })
    }
}

/// Returns the error `NotWritable` for a path, with the reason `why`.
fn not_writable(path: &Path, why: impl Display) -> StorageError {
    StorageError::NotWritable(format!("{}: {why}", path.display()))
}

/// Converts an error of a migration: `NewerSchema` if the database has a migration that this program does not
/// know, the error of the database if a migration could not be executed, and `Damaged` otherwise.
fn explain_migration(path: &Path, error: MigrateError) -> StorageError {
    match error {
        MigrateError::VersionMissing(_) => StorageError::NewerSchema(path.display().to_string()),
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => explain(path, error),
        other => StorageError::Damaged(format!("{}: {other}", path.display())),
    }
}

/// Converts an error of the database at `path`, by its SQLite result code: `DiskFull`, `NotWritable`,
/// `Damaged` (also for a value that cannot be decoded), or `Unavailable` for all others.
fn explain(path: &Path, error: sqlx::Error) -> StorageError {
    let shown = path.display();
    if let sqlx::Error::Decode(why) | sqlx::Error::ColumnDecode { source: why, .. } = &error {
        return StorageError::Damaged(format!("{shown}: {why}"));
    }
    let code = error.as_database_error().and_then(|error| error.code()).and_then(|code| code.parse().ok());
    let why = error.as_database_error().map_or_else(|| error.to_string(), |error| error.message().to_owned());
    // The low byte of an extended result code is the primary one: https://www.sqlite.org/rescode.html
    match code.map(|code: i32| code & 0xff) {
        Some(13) => StorageError::DiskFull(format!("{shown} cannot grow")),
        Some(3 | 8 | 14 | 23) => not_writable(path, why),
        Some(11 | 26) => StorageError::Damaged(format!("{shown}: {why}")),
        _ => StorageError::Unavailable(format!("{shown}: {why}")),
    }
}
