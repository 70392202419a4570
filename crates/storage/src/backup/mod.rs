//! Backups: everything that is stored, in one file that both databases can restore.
//!
//! A file is [`MAGIC`], then frames, each with its length (4 bytes, little-endian), then the BLAKE3 hash of everything
//! before. A table is a frame with its name and columns, followed by one frame per row.

mod file;
mod tables;

use crate::sql::{SqlTransaction, SqlValue, TransactionKind};
use crate::{SqlStorage, StorageError};
use file::{BackupReader, BackupWriter, Frame};
use sqlx::AssertSqlSafe;
use std::io;
use std::path::Path;
use tables::{BackupTable, TABLES};

/// The first bytes of a backup.
const MAGIC: &[u8] = b"pentarchy backup 1\n";

/// Why a backup cannot be written or restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database fails.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The file cannot be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
    /// The file is no backup, or not as it was written. Nothing has changed.
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    /// The file has tables or columns that this version does not know. Nothing has changed.
    #[error("a newer version of Pentarchy has written the backup: {0}")]
    Newer(String),
    /// The database has contents. Nothing has changed.
    #[error("the database is not empty: {0}")]
    NotEmpty(String),
}

impl SqlStorage {
    /// Writes everything that is stored to a file, as it is at one moment, also while servers use the database. An
    /// existing file is replaced when the new one is complete. Returns the number of rows. A failed backup may leave
    /// its temporary file (`.part`) behind.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read or the file cannot be written.
    pub async fn back_up(&self, path: &Path) -> Result<u64, BackupError> {
        let mut out = BackupWriter::create(path)?;
        let fail = |error| self.explain(error);
        let read = self.read().await.map_err(fail)?;
        let mut read = SqlTransaction::begin(read, TransactionKind::Snapshot).await.map_err(fail)?;
        let mut rows = 0;
        for table in TABLES {
            let columns = table.columns.iter().map(|column| (*column).to_owned()).collect();
            out.write(&Frame::Table { name: table.name.to_owned(), columns })?;
            let mut last: Option<Vec<SqlValue>> = None;
            loop {
                let sql = AssertSqlSafe(table.page_sql(last.is_some()));
                let page = read.rows(sql, last.as_deref().unwrap_or_default()).await.map_err(fail)?;
                let Some(row) = page.last() else { break };
                last = Some(row.0.iter().take(table.key).cloned().collect());
                for row in page {
                    out.write(&Frame::Row(row.0))?;
                    rows += 1;
                }
            }
        }
        read.commit().await.map_err(fail)?;
        out.write(&Frame::End { rows })?;
        out.finish()?;
        Ok(rows)
    }

    /// Restores a backup into this database, which must be empty: no table may have rows, and totals must
    /// be zero. The whole file is checked first; then everything is stored in one transaction. Returns the
    /// number of rows. Blocks the thread while it reads the file.
    ///
    /// # Errors
    ///
    /// Fails without a change if the file cannot be read, is damaged or of a newer version, or the database
    /// is not empty or fails. If the database fails while it commits, everything or nothing is stored.
    pub async fn restore(&self, path: &Path) -> Result<u64, BackupError> {
        let expected = check_file(path)?;
        let fail = |error| BackupError::from(self.explain(error));
        let mut write = self.write().await.map_err(fail)?;
        for table in TABLES {
            let has_rows = AssertSqlSafe(format!(
                "SELECT {} FROM {} {} LIMIT 1",
                table.columns[0], table.name, table.only_used
            ));
            if write.row(has_rows, &[]).await.map_err(fail)?.is_some() {
                return Err(BackupError::NotEmpty(self.name()));
            }
            write.execute(AssertSqlSafe(format!("DELETE FROM {}", table.name)), &[]).await.map_err(fail)?;
        }
        let mut input = BackupReader::open(path)?;
        let (mut insert, mut rows) = (String::new(), 0);
        while let Some(frame) = input.next()? {
            match frame {
                Frame::Table { name, columns } => insert = insert_sql(&name, &columns),
                Frame::Row(values) => {
                    write.execute(AssertSqlSafe(insert.clone()), &values).await.map_err(fail)?;
                    rows += 1;
                }
                Frame::End { .. } => {}
            }
        }
        // The file was read twice: it must have been the same.
        if rows != expected {
            return Err(BackupError::Damaged("it has changed while it was restored".into()));
        }
        for table in TABLES.iter().filter(|table| !table.only_used.is_empty()) {
            fill_totals(&mut write, table).await.map_err(fail)?;
        }
        write.commit().await.map_err(fail)?;
        Ok(rows)
    }
}

/// Inserts the row of a table of totals with zeros if the table has no row: a backup of a version without this table
/// does not have it. `table` must be a table of totals. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
async fn fill_totals(write: &mut SqlTransaction, table: &BackupTable) -> Result<(), sqlx::Error> {
    let count = AssertSqlSafe(format!("SELECT row_number FROM {}", table.name));
    if write.row(count, &[]).await?.is_none() {
        let zeros = table.columns.iter().skip(1).map(|_| ", 0").collect::<String>();
        let (name, columns) = (table.name, table.columns.join(", "));
        let insert = AssertSqlSafe(format!("INSERT INTO {name} ({columns}) VALUES (1{zeros})"));
        write.execute(insert, &[]).await?;
    }
    Ok(())
}

/// Returns the statement that inserts a row with these columns as numbered parameters, in their order. The names must
/// be those of a known table: they are not escaped.
fn insert_sql(name: &str, columns: &[String]) -> String {
    let parameters: Vec<String> = (1..=columns.len()).map(|i| format!("${i}")).collect();
    format!("INSERT INTO {name} ({}) VALUES ({})", columns.join(", "), parameters.join(", "))
}

/// Reads a whole file and checks it: the hash, the frames, and that all tables and columns are known. Returns the
/// number of rows.
///
/// # Errors
///
/// Fails with `File` or `Damaged` if the file cannot be read or is damaged, also if rows are missing or do not fit
/// their table, and with `Newer` if it has an unknown table or column.
fn check_file(path: &Path) -> Result<u64, BackupError> {
    file::check_hash(path)?;
    let mut input = BackupReader::open(path)?;
    let (mut columns, mut rows, mut end) = (None, 0, None);
    while let Some(frame) = input.next()? {
        match frame {
            Frame::Table { name, columns: named } => {
                let known = TABLES.iter().find(|table| table.name == name);
                let known = known.ok_or_else(|| BackupError::Newer(format!("it has the table {name:?}")))?;
                if let Some(column) = named.iter().find(|column| !known.columns.contains(&column.as_str())) {
                    return Err(BackupError::Newer(format!("{name} has the column {column:?}")));
                }
                columns = Some(named.len());
            }
            Frame::Row(row) if Some(row.len()) == columns => rows += 1,
            Frame::Row(_) => return Err(BackupError::Damaged("a row does not fit its table".into())),
            Frame::End { rows } => end = Some(rows),
        }
    }
    if end == Some(rows) { Ok(rows) } else { Err(BackupError::Damaged("rows are missing".into())) }
}
