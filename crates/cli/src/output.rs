//! Files that are there whole or not at all.

use crate::failure::{Failure, Outcome};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is written beside its place and moved there when it is finished. It is begun before the work
/// whose results it takes, so that nobody waits for what cannot be written. Left unfinished, it vanishes.
pub(crate) struct Output {
    path: PathBuf,
    part: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Output {
    /// Begins the file.
    pub(crate) fn begin(path: &Path) -> Outcome<Output> {
        let name = path.file_name().ok_or_else(|| Failure::file("write", path, "it names no file"))?;
        if path.is_dir() {
            return Err(Failure::file("write", path, "it is a folder"));
        }
        let mut part = name.to_os_string();
        part.push(".part");
        let part = path.with_file_name(part);
        let file = File::create(&part).map_err(|e| Failure::file("write", path, e))?;
        Ok(Output { path: path.to_path_buf(), part, file: Some(BufWriter::new(file)) })
    }

    /// The file, if one is wanted.
    pub(crate) fn maybe(path: Option<&Path>) -> Outcome<Option<Output>> {
        path.map(Output::begin).transpose()
    }

    /// Adds to it.
    pub(crate) fn write(&mut self, text: &str) -> Outcome {
        let written = self.file.as_mut().map_or(Ok(()), |file| file.write_all(text.as_bytes()));
        written.map_err(|e| Failure::file("write", &self.path, e))
    }

    /// Moves it to its place.
    pub(crate) fn finish(mut self) -> Outcome {
        let finish = |file: BufWriter<File>| -> io::Result<()> {
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            fs::rename(&self.part, &self.path)
        };
        let finished = self.file.take().map_or(Ok(()), finish);
        finished.map_err(|e| {
            let _ = fs::remove_file(&self.part);
            Failure::file("write", &self.path, e)
        })
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = fs::remove_file(&self.part);
        }
    }
}
