//! Connections and transactions of both databases.
//!
//! All statements are written once: both databases take parameters as `$1`, and the types of all columns are `BIGINT`,
//! `TEXT` and `BLOB`, which PostgreSQL calls `BYTEA`.

use super::{SqlRow, SqlValue};
use sqlx::pool::PoolConnection;
use sqlx::{SqlSafeStr, Sqlite, query};

/// A connection of a pool. It returns to the pool when it is dropped.
pub(crate) enum SqlConnection {
    /// To a file.
    Sqlite(PoolConnection<Sqlite>),
    /// To a server.
    #[cfg(feature = "postgres")]
    Postgres(PoolConnection<sqlx::Postgres>),
}

/// Creates a query with all its parameters.
macro_rules! bound {
    ($sql:expr, $values:expr) => {
        $values.iter().fold(query($sql), |query, value| match value {
            SqlValue::Integer(value) => query.bind(*value),
            SqlValue::Text(value) => query.bind(value.as_str()),
            SqlValue::Bytes(value) => query.bind(&value[..]),
        })
    };
}

impl SqlConnection {
    /// Runs a statement with `values` as its parameters `$1`, `$2`, …, and returns all its rows in order.
    ///
    /// # Errors
    ///
    /// Fails if the database does, or a value has a type that no column has.
    pub(crate) async fn rows(
        &mut self,
        sql: impl SqlSafeStr,
        values: &[SqlValue],
    ) -> Result<Vec<SqlRow>, sqlx::Error> {
        match self {
            SqlConnection::Sqlite(connection) => {
                let rows = bound!(sql, values).fetch_all(&mut **connection).await?;
                rows.into_iter().map(SqlRow::try_from).collect()
            }
            #[cfg(feature = "postgres")]
            SqlConnection::Postgres(connection) => {
                let rows = bound!(sql, values).fetch_all(&mut **connection).await?;
                rows.into_iter().map(SqlRow::try_from).collect()
            }
        }
    }

    /// Runs a statement with `values` as its parameters and returns its first row; `None` if there is none. All rows
    /// are read: limit the statement.
    ///
    /// # Errors
    ///
    /// Fails if the database does, or a value has a type that no column has.
    pub(crate) async fn row(
        &mut self,
        sql: impl SqlSafeStr,
        values: &[SqlValue],
    ) -> Result<Option<SqlRow>, sqlx::Error> {
        Ok(self.rows(sql, values).await?.into_iter().next())
    }

    /// Runs a statement with `values` as its parameters `$1`, `$2`, …, and returns how many rows it has
    /// changed. Rows that it selects are dropped.
    ///
    /// # Errors
    ///
    /// Fails if the database does.
    pub(crate) async fn execute(
        &mut self,
        sql: impl SqlSafeStr,
        values: &[SqlValue],
    ) -> Result<u64, sqlx::Error> {
        match self {
            SqlConnection::Sqlite(connection) => {
                Ok(bound!(sql, values).execute(&mut **connection).await?.rows_affected())
            }
            #[cfg(feature = "postgres")]
            SqlConnection::Postgres(connection) => {
                Ok(bound!(sql, values).execute(&mut **connection).await?.rows_affected())
            }
        }
    }

    /// Marks the connection, so that dropping it closes it instead of returning it to the pool.
    fn close_on_drop(&mut self) {
        match self {
            SqlConnection::Sqlite(connection) => connection.close_on_drop(),
            #[cfg(feature = "postgres")]
            SqlConnection::Postgres(connection) => connection.close_on_drop(),
        }
    }
}

/// A transaction. Unless it is committed, its connection is closed when it is dropped, and the database undoes
/// everything. So it does not matter where a future is cancelled, nor whether SQLite has ended the transaction by itself,
/// as it does on a full disk.
pub(crate) struct SqlTransaction {
    connection: SqlConnection,
    is_open: bool,
}

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransactionKind {
    /// To write. No other one can start before it ends, in any process.
    Write,
    /// To read everything as it is at one moment.
    Snapshot,
    /// To write rows that its statements lock, while others write other rows.
    #[cfg(feature = "postgres")]
    LockRows,
}

/// The number of the lock that writing transactions of PostgreSQL hold.
#[cfg(feature = "postgres")]
const WRITE_LOCK: i64 = 0x70_656e_7461_7263;

impl SqlTransaction {
    /// Starts a transaction on a connection. One that writes waits until no other one writes, in any process. If
    /// starting fails, the connection is closed.
    ///
    /// # Errors
    ///
    /// Fails if the database does, or another process does not end its transaction before the timeout.
    pub(crate) async fn begin(connection: SqlConnection, kind: TransactionKind) -> Result<Self, sqlx::Error> {
        let mut transaction = Self { connection, is_open: true };
        match (&transaction.connection, kind) {
            #[cfg(feature = "postgres")]
            (SqlConnection::Sqlite(_), TransactionKind::LockRows) => {
                transaction.execute("BEGIN IMMEDIATE", &[]).await?;
            }
            (SqlConnection::Sqlite(_), TransactionKind::Write) => {
                transaction.execute("BEGIN IMMEDIATE", &[]).await?;
            }
            (SqlConnection::Sqlite(_), TransactionKind::Snapshot) => {
                transaction.execute("BEGIN", &[]).await?;
            }
            #[cfg(feature = "postgres")]
            (SqlConnection::Postgres(_), TransactionKind::Write) => {
                transaction.execute("BEGIN", &[]).await?;
                let lock = "SELECT 1::BIGINT FROM pg_advisory_xact_lock($1)";
                transaction.execute(lock, &[SqlValue::Integer(WRITE_LOCK)]).await?;
            }
            #[cfg(feature = "postgres")]
            (SqlConnection::Postgres(_), TransactionKind::LockRows) => {
                transaction.execute("BEGIN", &[]).await?;
            }
            #[cfg(feature = "postgres")]
            (SqlConnection::Postgres(_), TransactionKind::Snapshot) => {
                transaction.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", &[]).await?;
            }
        }
        Ok(transaction)
    }

    /// Commits the transaction. Everything that it has written is durable then, and the connection returns
    /// to the pool.
    ///
    /// # Errors
    ///
    /// Fails if the database does. Then it may have been committed or not.
    pub(crate) async fn commit(mut self) -> Result<(), sqlx::Error> {
        self.execute("COMMIT", &[]).await?;
        self.is_open = false;
        Ok(())
    }
}

impl std::ops::Deref for SqlTransaction {
    type Target = SqlConnection;

    /// Returns the connection.
    fn deref(&self) -> &SqlConnection {
        &self.connection
    }
}

impl std::ops::DerefMut for SqlTransaction {
    /// Returns the connection.
    fn deref_mut(&mut self) -> &mut SqlConnection {
        &mut self.connection
    }
}

impl Drop for SqlTransaction {
    /// Closes the connection if the transaction is still open.
    fn drop(&mut self) {
        if self.is_open {
            self.connection.close_on_drop();
        }
    }
}
