//! Record files: reading, and atomic writing.

use crate::command_error::{CommandError, Outcome};
use pentarchy_engine::AnyGame;
use pentarchy_engine::record::Record;
use pentarchy_registry::find;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

/// Reads the record in the file at `path`, as JSON lines, and finds its game in the registry. Returns both. The record
/// is parsed but not replayed, so whether its events are legal is not checked.
///
/// # Errors
///
/// A file that cannot be read, a signed record and evidence are usage errors; a file that is not a valid record, or of
/// an unknown game, is a failed check.
pub(crate) fn read(path: &Path) -> Outcome<(Record, &'static dyn AnyGame)> {
    let file = File::open(path).map_err(|e| CommandError::file("read", path, e))?;
    let mut file = BufReader::new(file);
    let start = file.fill_buf().map_err(|e| CommandError::file("read", path, e))?;
    if pentarchy_table::TableRecord::is_record(start) {
        let what = "it is the signed record of a table with others";
        return Err(CommandError::file("resume", path, what).hint("`pentarchy replay` shows it"));
    }
    if pentarchy_table::Evidence::is_evidence(start) {
        let what = "it is evidence of cheating, not a record";
        return Err(CommandError::file("show", path, what).hint("`pentarchy verify` judges it"));
    }
    let record = Record::read(file).map_err(|e| unsound(path, &e))?;
    let game = find(&record.header.game).map_err(|e| unsound(path, &format_args!("line 1: {e}")))?;
    Ok((record, game))
}

/// Creates the failed check (exit code 1) with the text `PATH: WHAT`, for a file that can be read but is not valid.
pub(crate) fn unsound(path: &Path, what: &dyn Display) -> CommandError {
    CommandError::Check(format!("{}: {what}", path.display()))
}

/// Writes a record to the file at `path`, in place of an existing one. Writes a temporary file (`.part`), syncs it and
/// renames it, so that the file is always complete.
///
/// # Errors
///
/// Fails if the path names no file, or if the file cannot be written; a file that was there is then unchanged.
pub(crate) fn write(record: &Record, path: &Path) -> Outcome {
    let name = path.file_name().ok_or_else(|| CommandError::file("write", path, "it names no file"))?;
    let mut part = name.to_os_string();
    part.push(".part");
    let part = path.with_file_name(part);
    let written = File::create(&part)
        .and_then(|mut file| file.write_all(record.text().as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&part, path));
    written.map_err(|e| {
        // Delete the partial file.
        let _ = fs::remove_file(&part);
        CommandError::file("write", path, e)
    })
}
