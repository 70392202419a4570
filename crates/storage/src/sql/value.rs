//! Values and rows of both databases.

use serde::{Deserialize, Serialize};
use sqlx::{Column as _, Row as _, TypeInfo as _, ValueRef as _};

/// A value of a column. No column may be NULL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum SqlValue {
    /// A `BIGINT`.
    Integer(i64),
    /// A `TEXT`.
    Text(String),
    /// A `BLOB` of SQLite, a `BYTEA` of PostgreSQL.
    Bytes(Vec<u8>),
}

/// Implements `From` for integers that fit.
macro_rules! from_integers {
    ($($kind:ty),*) => {
        $(impl From<$kind> for SqlValue {
            /// Returns the integer.
            fn from(value: $kind) -> Self {
                SqlValue::Integer(i64::from(value))
            }
        })*
    };
}

from_integers!(bool, u8, u32, i64);

impl From<u64> for SqlValue {
    /// Returns the integer, or the largest one if it does not fit.
    fn from(value: u64) -> Self {
        SqlValue::Integer(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<&str> for SqlValue {
    /// Returns the text.
    fn from(value: &str) -> Self {
        SqlValue::Text(value.to_owned())
    }
}

impl From<&[u8]> for SqlValue {
    /// Returns the bytes.
    fn from(value: &[u8]) -> Self {
        SqlValue::Bytes(value.to_vec())
    }
}

impl<const N: usize> From<&[u8; N]> for SqlValue {
    /// Returns the bytes.
    fn from(value: &[u8; N]) -> Self {
        SqlValue::Bytes(value.to_vec())
    }
}

/// Creates a list of values for the parameters `$1`, `$2`, … of a query.
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::sql::SqlValue::from($value)),*] };
}
pub(crate) use values;

/// A row of a result.
#[derive(Debug)]
pub(crate) struct SqlRow(pub(crate) Vec<SqlValue>);

/// Creates the decoding error for a column with an unexpected value; `None` is a column that does not exist.
fn unexpected(column: usize, value: Option<&SqlValue>) -> sqlx::Error {
    sqlx::Error::Decode(format!("{value:?} in column {column}").into())
}

impl SqlRow {
    /// Returns the integer in this column, from 0.
    ///
    /// # Errors
    ///
    /// Fails with a decoding error if the column has another type or does not exist.
    pub(crate) fn integer(&self, column: usize) -> Result<i64, sqlx::Error> {
        match self.0.get(column) {
            Some(SqlValue::Integer(value)) => Ok(*value),
            other => Err(unexpected(column, other)),
        }
    }

    /// Returns the integer in this column, from 0, as an unsigned type.
    ///
    /// # Errors
    ///
    /// Fails with a decoding error if it is negative or too large for the type, or the column has another type or does
    /// not exist.
    pub(crate) fn unsigned<T: TryFrom<i64>>(&self, column: usize) -> Result<T, sqlx::Error> {
        T::try_from(self.integer(column)?).map_err(|_| unexpected(column, self.0.get(column)))
    }

    /// Returns a copy of the text in this column, from 0.
    ///
    /// # Errors
    ///
    /// Fails with a decoding error if the column has another type or does not exist.
    pub(crate) fn text(&self, column: usize) -> Result<String, sqlx::Error> {
        match self.0.get(column) {
            Some(SqlValue::Text(value)) => Ok(value.clone()),
            other => Err(unexpected(column, other)),
        }
    }

    /// Returns a copy of the bytes in this column, from 0.
    ///
    /// # Errors
    ///
    /// Fails with a decoding error if the column has another type or does not exist.
    pub(crate) fn bytes(&self, column: usize) -> Result<Vec<u8>, sqlx::Error> {
        match self.0.get(column) {
            Some(SqlValue::Bytes(value)) => Ok(value.clone()),
            other => Err(unexpected(column, other)),
        }
    }

    /// Returns the bytes in this column, from 0, which must be `N`.
    ///
    /// # Errors
    ///
    /// Fails with a decoding error if the column has another type or length or does not exist.
    pub(crate) fn array<const N: usize>(&self, column: usize) -> Result<[u8; N], sqlx::Error> {
        let wrong = |_| unexpected(column, self.0.get(column));
        <[u8; N]>::try_from(self.bytes(column)?).map_err(wrong)
    }
}

/// Implements the conversion from the rows of one database.
macro_rules! from_row {
    ($row:ty) => {
        impl TryFrom<$row> for SqlRow {
            type Error = sqlx::Error;

            /// Decodes all columns by their types.
            ///
            /// # Errors
            ///
            /// Fails with a decoding error for a column of another type, or NULL.
            fn try_from(row: $row) -> Result<Self, sqlx::Error> {
                let value = |column: usize| {
                    let kind = row.try_get_raw(column)?.type_info().name().to_owned();
                    Ok(match kind.as_str() {
                        "INTEGER" | "INT8" => SqlValue::Integer(row.try_get(column)?),
                        "TEXT" => SqlValue::Text(row.try_get(column)?),
                        "BLOB" | "BYTEA" => SqlValue::Bytes(row.try_get(column)?),
                        other => return Err(sqlx::Error::Decode(format!("type {other}").into())),
                    })
                };
                row.columns().iter().map(|column| value(column.ordinal())).collect::<Result<_, _>>().map(Self)
            }
        }
    };
}

from_row!(sqlx::sqlite::SqliteRow);
#[cfg(feature = "postgres")]
from_row!(sqlx::postgres::PgRow);
