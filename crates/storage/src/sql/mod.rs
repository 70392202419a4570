//! Storage in a database: a file of SQLite, or a PostgreSQL server.

mod club;
mod connection;
mod mail;
mod notify;
#[cfg(feature = "postgres")]
mod postgres;
mod processes;
mod sqlite;
mod value;

pub use processes::{OpenTableRow, PutOutcome, RoomOpening};
pub use sqlite::DATABASE_FILE;

pub(crate) use connection::{SqlConnection, SqlTransaction, TransactionKind};
pub(crate) use value::{SqlRow, SqlValue, values};

use crate::{StorageError, StorageFuture};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::SqlitePool;
use sqlx::{AssertSqlSafe, SqlSafeStr as _};
use std::future::Future;
use std::path::PathBuf;

/// The migrations in order: version, name, and SQL.
pub(crate) const MIGRATIONS: [(i64, &str, &str); 5] = [
    (1, "mail", include_str!("../../migrations/0001_mail.sql")),
    (2, "club", include_str!("../../migrations/0002_club.sql")),
    (3, "notify", include_str!("../../migrations/0003_notify.sql")),
    (4, "processes", include_str!("../../migrations/0004_processes.sql")),
    (5, "tournaments", include_str!("../../migrations/0005_tournaments.sql")),
];

/// The connections to a database.
enum SqlPools {
    /// To a file: one connection that writes, and others that read at the same time.
    Sqlite { path: PathBuf, writer: SqlitePool, readers: SqlitePool },
    /// To a server.
    #[cfg(feature = "postgres")]
    Postgres { name: String, pool: sqlx::PgPool },
}

/// Storage in a database. What it has acknowledged survives a crash.
pub struct SqlStorage {
    pools: SqlPools,
}

impl SqlStorage {
    /// Waits for a free connection of those that read, and returns it. Statements on it are not in one transaction.
    ///
    /// # Errors
    ///
    /// Fails if there is none in time, or the database cannot be reached.
    pub(crate) async fn read(&self) -> Result<SqlConnection, sqlx::Error> {
        Ok(match &self.pools {
            SqlPools::Sqlite { readers, .. } => SqlConnection::Sqlite(readers.acquire().await?),
            #[cfg(feature = "postgres")]
            SqlPools::Postgres { pool, .. } => SqlConnection::Postgres(pool.acquire().await?),
        })
    }

    /// Starts a transaction that writes. No other one can start before it ends, in any process. It must be committed:
    /// else everything is undone.
    ///
    /// # Errors
    ///
    /// Fails if there is no connection in time, the database does not answer, or another process does not end its
    /// transaction.
    pub(crate) async fn write(&self) -> Result<SqlTransaction, sqlx::Error> {
        let connection = match &self.pools {
            SqlPools::Sqlite { writer, .. } => SqlConnection::Sqlite(writer.acquire().await?),
            #[cfg(feature = "postgres")]
            SqlPools::Postgres { pool, .. } => SqlConnection::Postgres(pool.acquire().await?),
        };
        SqlTransaction::begin(connection, TransactionKind::Write).await
    }

    /// Starts a transaction that takes messages out of the outbox. At a PostgreSQL server others can write at the same time:
    /// the caller must lock the rows that it changes. It must be committed: else everything is undone.
    ///
    /// # Errors
    ///
    /// Fails if there is no connection in time, the database does not answer, or another process does not end its
    /// transaction on the file.
    async fn take(&self) -> Result<SqlTransaction, sqlx::Error> {
        match &self.pools {
            SqlPools::Sqlite { .. } => self.write().await,
            #[cfg(feature = "postgres")]
            SqlPools::Postgres { pool, .. } => {
                let connection = SqlConnection::Postgres(pool.acquire().await?);
                SqlTransaction::begin(connection, TransactionKind::LockRows).await
            }
        }
    }

    /// Returns the future of an operation, with its error converted for people. At a PostgreSQL server it fails with
    /// `Unavailable` after a timeout, because the network may lose the answer; it may have been done then. An operation
    /// on a file has no timeout.
    fn bounded<'a, T, F>(&'a self, operation: F) -> StorageFuture<'a, T>
    where
        T: Send + 'a,
        F: Future<Output = Result<T, sqlx::Error>> + Send + 'a,
    {
        Box::pin(async move {
            let result = match &self.pools {
                SqlPools::Sqlite { .. } => operation.await,
                #[cfg(feature = "postgres")]
                SqlPools::Postgres { name, .. } => postgres::bounded(name, operation).await?,
            };
            result.map_err(|error| self.explain(error))
        })
    }

    /// Returns the name of the database for people: the path of the file, or the address of the server without the
    /// password.
    pub(crate) fn name(&self) -> String {
        match &self.pools {
            SqlPools::Sqlite { path, .. } => path.display().to_string(),
            #[cfg(feature = "postgres")]
            SqlPools::Postgres { name, .. } => name.clone(),
        }
    }

    /// Converts an error of the database to one for people, by its kind. Its text names the database,
    /// without the password.
    pub(crate) fn explain(&self, error: sqlx::Error) -> StorageError {
        match &self.pools {
            SqlPools::Sqlite { path, .. } => sqlite::explain(path, error),
            #[cfg(feature = "postgres")]
            SqlPools::Postgres { name, .. } => postgres::explain(name, error),
        }
    }

    /// Waits until the connections in use are returned, and closes all of them. Later operations fail.
    async fn close_pools(&self) {
        match &self.pools {
            SqlPools::Sqlite { writer, readers, .. } => {
                readers.close().await;
                // The last connection moves the write-ahead log into the file.
                writer.close().await;
            }
            #[cfg(feature = "postgres")]
            SqlPools::Postgres { pool, .. } => pool.close().await,
        }
    }

    /// Commits a transaction that sets a column of the totals of mail to its own value, to check that the
    /// database can be written.
    ///
    /// # Errors
    ///
    /// Fails if it cannot.
    async fn write_nothing(&self) -> Result<(), sqlx::Error> {
        let mut write = self.write().await?;
        let unchanged = "UPDATE mail_totals SET packets = packets WHERE row_number = 1";
        write.execute(unchanged, &[]).await?;
        write.commit().await
    }

    /// Marks the database as written by a version with one more migration. For tests. It cannot be opened again
    /// afterwards.
    ///
    /// # Errors
    ///
    /// Fails if the database does not answer.
    #[doc(hidden)]
    pub async fn pretend_newer(&self) -> Result<(), StorageError> {
        let insert = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
            VALUES (9999, 'of a later version', TRUE, $1, 0)";
        let change = async {
            let mut write = self.write().await?;
            write.execute(insert, values![&[0u8; 4]]).await?;
            write.commit().await
        };
        change.await.map_err(|error| self.explain(error))
    }
}

/// Returns the runner of all [`MIGRATIONS`], which brings a database up to date. They are written for SQLite;
/// `binary` is the database's name of the type `BLOB`, which replaces it.
fn migrator(binary: &str) -> Migrator {
    let migrations = MIGRATIONS.map(|(version, name, sql)| {
        let sql = AssertSqlSafe(sql.replace(" BLOB ", &format!(" {binary} "))).into_sql_str();
        Migration::new(version, name.into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.into())
}

/// Converts an error of a migration: `NewerSchema` if the database has a migration that this program does not know, the
/// result of `explain` for an error of the database, else `Damaged`. `name` is that of the database.
fn explain_migration(
    name: &str,
    error: MigrateError,
    explain: impl Fn(sqlx::Error) -> StorageError,
) -> StorageError {
    match error {
        MigrateError::VersionMissing(_) => StorageError::NewerSchema(name.to_owned()),
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => explain(error),
        other => StorageError::Damaged(format!("{name}: {other}")),
    }
}
