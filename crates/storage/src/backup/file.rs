//! The file of a backup.

use super::{BackupError, MAGIC};
use crate::sql::SqlValue;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Bytes of the hash at the end.
const HASH: usize = 32;
/// Maximum bytes of a frame.
const LONGEST: u32 = 256 * 1024 * 1024;

/// A part of a backup.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Frame {
    /// The following rows are of this table and have these columns.
    Table { name: String, columns: Vec<String> },
    /// A row.
    Row(Vec<SqlValue>),
    /// The end, with the number of rows of all tables.
    End { rows: u64 },
}

/// Creates the error that a file is damaged, with the reason in words.
fn damaged(why: impl std::fmt::Display) -> BackupError {
    BackupError::Damaged(why.to_string())
}

/// A backup that is being written, beside the file that it replaces in the end.
pub(super) struct BackupWriter {
    path: PathBuf,
    part: PathBuf,
    out: BufWriter<File>,
    hash: blake3::Hasher,
}

impl BackupWriter {
    /// Creates the temporary file, named like `path` with `.part` at the end and readable by this user only, and writes
    /// the first bytes. Overwrites such a file. A file at `path` is unchanged until [`finish`](Self::finish). The
    /// temporary file is not deleted if the writer is dropped.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let mut part = OsString::from(path);
        part.push(".part");
        let part = PathBuf::from(part);
        let out = BufWriter::new(private_file(&part)?);
        let mut writer = Self { path: path.to_owned(), part, out, hash: blake3::Hasher::new() };
        writer.put(MAGIC)?;
        Ok(writer)
    }

    /// Writes bytes through the buffer and adds them to the hash of the file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.out.write_all(bytes)
    }

    /// Writes a frame: its length, then its encoding.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written or the frame is longer than [`LONGEST`].
    pub(super) fn write(&mut self, frame: &Frame) -> io::Result<()> {
        let bytes = postcard::to_allocvec(frame).map_err(io::Error::other)?;
        let len = u32::try_from(bytes.len()).ok().filter(|len| *len <= LONGEST);
        let len = len.ok_or_else(|| io::Error::other("a row is too long"))?;
        self.put(&len.to_le_bytes())?;
        self.put(&bytes)
    }

    /// Writes the hash, makes the file durable and renames it to its path, in place of an existing file. The caller
    /// must have written the end.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written or renamed.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let hash = self.hash.finalize();
        self.out.write_all(hash.as_bytes())?;
        self.out.flush()?;
        self.out.get_ref().sync_all()?;
        fs::rename(&self.part, &self.path)
    }
}

/// Creates a file, or empties an existing one, for writing. A new one can be read by this user only: a backup names
/// players. An existing one keeps its rights.
///
/// # Errors
///
/// Fails if it cannot be opened.
fn private_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Reads a whole file and compares its hash, which is at its end. The frames are not checked.
///
/// # Errors
///
/// Fails with `Damaged` if the file is too short, does not begin like a backup or has another hash, and with `File` if
/// it cannot be read.
pub(super) fn check_hash(path: &Path) -> Result<(), BackupError> {
    let file = File::open(path)?;
    let len = file.metadata()?.len();
    let Some(body) = len.checked_sub((MAGIC.len() + HASH) as u64) else {
        return Err(damaged("it is too short"));
    };
    let mut input = BufReader::new(file);
    let mut magic = vec![0; MAGIC.len()];
    input.read_exact(&mut magic)?;
    if magic != MAGIC {
        return Err(damaged("it does not begin like a backup"));
    }
    let mut hash = blake3::Hasher::new();
    hash.update(MAGIC);
    let mut rest = input.by_ref().take(body);
    let mut part = vec![0; 1 << 16];
    loop {
        let len = rest.read(&mut part)?;
        if len == 0 {
            break;
        }
        hash.update(&part[..len]);
    }
    let mut told = [0; HASH];
    input.read_exact(&mut told)?;
    if hash.finalize() == told { Ok(()) } else { Err(damaged("its checksum is wrong")) }
}

/// Reads the frames of a file whose hash was checked.
pub(super) struct BackupReader {
    input: io::Take<BufReader<File>>,
    is_over: bool,
}

impl BackupReader {
    /// Opens a file at its first frame. The caller must have checked it with [`check_hash`].
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read or is too short.
    pub(super) fn open(path: &Path) -> Result<Self, BackupError> {
        let file = File::open(path)?;
        let body = file.metadata()?.len().saturating_sub(HASH as u64);
        let mut input = BufReader::new(file).take(body);
        input.read_exact(&mut vec![0; MAGIC.len()])?;
        Ok(Self { input, is_over: false })
    }

    /// Reads the next frame. Returns `None` after the end frame if nothing but the hash follows.
    ///
    /// # Errors
    ///
    /// Fails with `Damaged` if the file breaks off or cannot be read, a frame is not well-formed or too
    /// long, or something follows the end.
    pub(super) fn next(&mut self) -> Result<Option<Frame>, BackupError> {
        if self.is_over {
            return match self.input.limit() {
                0 => Ok(None),
                _ => Err(damaged("something follows its end")),
            };
        }
        let mut len = [0; 4];
        self.input.read_exact(&mut len).map_err(damaged)?;
        let len = u32::from_le_bytes(len);
        if len > LONGEST || u64::from(len) > self.input.limit() {
            return Err(damaged("it breaks off"));
        }
        let mut bytes = vec![0; len as usize];
        self.input.read_exact(&mut bytes).map_err(damaged)?;
        let frame = postcard::from_bytes(&bytes).map_err(damaged)?;
        self.is_over = matches!(frame, Frame::End { .. });
        Ok(Some(frame))
    }
}
