//! Files that are written completely or not at all.

use crate::command_error::{CommandError, Outcome};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is written under a temporary name and moved to its path when it is finished. It is created before
/// the work whose results it takes, so that an unwritable path fails early. Dropped unfinished, it is deleted.
pub(crate) struct Output {
    /// Where the finished file goes.
    path: PathBuf,
    /// Its temporary name: that of the file with `.part`.
    part: PathBuf,
    /// The temporary file; `None` once it is finished.
    file: Option<BufWriter<File>>,
}

impl Output {
    /// Creates an empty temporary file beside `path`, named like it with `.part` at the end; a file at `path` stays
    /// until [`finish`](Self::finish). Overwrites a temporary file that is there.
    ///
    /// # Errors
    ///
    /// Fails if the path names no file or is a folder, or if the file cannot be created.
    pub(crate) fn begin(path: &Path) -> Outcome<Output> {
        let name = path.file_name().ok_or_else(|| CommandError::file("write", path, "it names no file"))?;
        if path.is_dir() {
            return Err(CommandError::file("write", path, "it is a folder"));
        }
        let mut part = name.to_os_string();
        part.push(".part");
        let part = path.with_file_name(part);
        let file = File::create(&part).map_err(|e| CommandError::file("write", path, e))?;
        Ok(Output { path: path.to_path_buf(), part, file: Some(BufWriter::new(file)) })
    }

    /// Creates an empty temporary file beside `path`, which [`finish`](Self::finish) moves there; returns
    /// `None` and creates nothing without a path.
    ///
    /// # Errors
    ///
    /// Fails if the path names no file or is a folder, or if the file cannot be created.
    pub(crate) fn begin_optional(path: Option<&Path>) -> Outcome<Option<Output>> {
        path.map(Output::begin).transpose()
    }

    /// Appends text to the temporary file, with a buffer: an error may show up only in a later call or in
    /// [`finish`](Self::finish).
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub(crate) fn write(&mut self, text: &str) -> Outcome {
        self.write_bytes(text.as_bytes())
    }

    /// Appends bytes to the temporary file, with a buffer: an error may show up only in a later call or in
    /// [`finish`](Self::finish).
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> Outcome {
        let written = self.file.as_mut().map_or(Ok(()), |file| file.write_all(bytes));
        written.map_err(|e| CommandError::file("write", &self.path, e))
    }

    /// Writes everything to the temporary file, syncs it to the disk, and renames it to its path, replacing an existing
    /// file there.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written or moved. It is then deleted, and a file at the path is unchanged.
    pub(crate) fn finish(mut self) -> Outcome {
        let finish = |file: BufWriter<File>| -> io::Result<()> {
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            fs::rename(&self.part, &self.path)
        };
        let finished = self.file.take().map_or(Ok(()), finish);
        finished.map_err(|e| {
            let _ = fs::remove_file(&self.part);
            CommandError::file("write", &self.path, e)
        })
    }
}

impl Drop for Output {
    /// Deletes the temporary file unless it was finished.
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = fs::remove_file(&self.part);
        }
    }
}
