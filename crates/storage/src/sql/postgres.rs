//! Storage at a PostgreSQL server, which several processes can share.
//!
//! A server that is gone is tried again for [`CONNECT_TIMEOUT`]; then the operation fails, and the next one tries again.

use super::{SqlPools, SqlStorage, explain_migration, migrator};
use crate::StorageError;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use std::str::FromStr as _;
use std::time::Duration;

/// Maximum connections of one process. One of them listens.
const CONNECTIONS: u32 = 9;
/// How long an operation waits for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long an operation may take.
const OPERATION_TIMEOUT: Duration = Duration::from_secs(20);
/// What each connection sets: a transaction is on the disk before its result is returned, whatever the server's
/// configuration says, and the transaction of a process that died does not hold up others.
const SETTINGS: [(&str, &str); 3] =
    [("synchronous_commit", "on"), ("lock_timeout", "10s"), ("idle_in_transaction_session_timeout", "30s")];

impl SqlStorage {
    /// Opens the database at a PostgreSQL server, by an address like `postgres://user:password@host/database`. The
    /// database must exist. Brings an older one up to date. Writes to it once, to check that it can be written.
    ///
    /// # Errors
    ///
    /// Fails if the address is malformed, the server cannot be reached or rejects the connection, the database cannot
    /// be written, or a newer version of the program has written it.
    pub async fn open_postgres(address: &str) -> Result<Self, StorageError> {
        let options = PgConnectOptions::from_str(address).map_err(|error| {
            StorageError::Rejected(format!("this is not the address of a PostgreSQL database: {error}"))
        })?;
        let options = options.application_name("pentarchy").options(SETTINGS);
        let name = shown(&options);
        let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(CONNECT_TIMEOUT);
        let fail = |error| explain(&name, error);
        let pool = pool.connect_with(options).await.map_err(fail)?;
        let migrated = migrator("BYTEA").run(&pool).await;
        migrated.map_err(|error| explain_migration(&name, error, fail))?;
        let storage = Self { pools: SqlPools::Postgres { name, pool } };
        storage.write_nothing().await.map_err(|error| storage.explain(error))?;
        Ok(storage)
    }
}

/// Waits for an operation on the database `name` for [`OPERATION_TIMEOUT`], and returns its result. An operation that
/// takes longer is dropped; it may have been done or not.
///
/// # Errors
///
/// Fails with `Unavailable` if it takes longer.
pub(super) async fn bounded<T>(name: &str, operation: impl Future<Output = T>) -> Result<T, StorageError> {
    let late = |_| {
        let seconds = OPERATION_TIMEOUT.as_secs();
        StorageError::Unavailable(format!("{name}: no answer in {seconds} s"))
    };
    tokio::time::timeout(OPERATION_TIMEOUT, operation).await.map_err(late)
}

/// Returns the address of a database for people: user, host, port and database (the user's name if none is named),
/// without the password.
fn shown(options: &PgConnectOptions) -> String {
    let (user, database) = (options.get_username(), options.get_database());
    let database = database.unwrap_or(user);
    format!("postgres://{user}@{}:{}/{database}", options.get_host(), options.get_port())
}

/// Converts an error of the database by its code (<https://www.postgresql.org/docs/current/errcodes-appendix.html>):
/// `DiskFull`, `NotWritable`, `Damaged`, `Rejected` for a failed login or a missing database, and `Unavailable` for all
/// others. A value that cannot be decoded is `Damaged`, a wrong configuration or TLS error `Rejected`. `name` is that
/// of the database, which begins the text.
pub(super) fn explain(name: &str, error: sqlx::Error) -> StorageError {
    let why = match &error {
        sqlx::Error::Decode(why) | sqlx::Error::ColumnDecode { source: why, .. } => {
            return StorageError::Damaged(format!("{name}: {why}"));
        }
        sqlx::Error::PoolTimedOut => format!("no connection in {} s", CONNECT_TIMEOUT.as_secs()),
        sqlx::Error::Database(error) => error.message().to_owned(),
        other => other.to_string(),
    };
    let told = format!("{name}: {why}");
    let code = error.as_database_error().and_then(|error| error.code()).unwrap_or_default();
    match (code.get(..2), code.as_ref()) {
        (_, "53100") => StorageError::DiskFull(told),
        (_, "42501" | "25006") => StorageError::NotWritable(told),
        (Some("XX"), "XX001" | "XX002") => StorageError::Damaged(told),
        (Some("28" | "3D"), _) => StorageError::Rejected(told),
        _ => match error {
            sqlx::Error::Configuration(_) | sqlx::Error::Tls(_) => StorageError::Rejected(told),
            _ => StorageError::Unavailable(told),
        },
    }
}
