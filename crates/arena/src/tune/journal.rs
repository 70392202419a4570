//! The journal of a tuning run: the sums of every finished batch of games, from which an interrupted run resumes.
//!
//! The optimiser is deterministic, so a resumed run asks for the same batches in the same order; those in the journal are
//! not played again. The first line says what is tuned. Every line ends with a checksum over itself and all lines
//! before it. An incomplete last line is the trace of an interruption; that batch is played again.

use crate::journal::checksum;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Why the journal of a tuning run cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TuneJournalError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The file is not a journal, or is damaged.
    #[error("line {line} is damaged")]
    Damaged {
        /// Line number, from 1.
        line: u64,
    },
    /// The journal belongs to a run with other arguments; names the first that differs.
    #[error("it belongs to another run; what differs: {0}")]
    Other(String),
}

/// The line of a batch: what was played, and its sums.
#[derive(Serialize, Deserialize)]
struct Batch(String, Vec<u64>);

/// A journal that is open for the next batch. Without a file it stores nothing.
#[derive(Debug, Default)]
pub struct TuneJournal {
    /// The stored batches that have not been taken, in order: what was played, and its sums.
    finished: VecDeque<(String, Vec<u64>)>,
    /// The number of the last line that was taken or written, from 1.
    line: u64,
    /// The checksum of all lines in the file.
    sum: u64,
    /// The file, open for appending.
    file: Option<File>,
}

impl TuneJournal {
    /// Creates a journal without a file: it holds no batches, and new ones are not stored.
    pub fn in_memory() -> Self {
        TuneJournal::default()
    }

    /// Opens the journal of the run with this heading, a JSON object, and reads its batches, or creates the file.
    /// Cuts off an incomplete last line.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or written, is damaged or no journal, or has another heading. Its content is not
    /// changed then.
    pub fn open(path: &Path, heading: &Value) -> Result<Self, TuneJournalError> {
        let mut content = match std::fs::read(path) {
            Ok(content) => content,
            Err(e) if e.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(e) => return Err(e.into()),
        };
        let complete = content.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        // An incomplete first line is an interruption only if it begins as the heading does; else the file never was a
        // journal, and is not overwritten.
        let first = format!("{heading} {:016x}", checksum(0, &heading.to_string()));
        if complete == 0 && !first.as_bytes().starts_with(&content) {
            return Err(TuneJournalError::Damaged { line: 1 });
        }
        content.truncate(complete);
        let mut journal = TuneJournal::default();
        let mut number = 0;
        for text in content.split_inclusive(|&byte| byte == b'\n') {
            number += 1;
            let damaged = || TuneJournalError::Damaged { line: number };
            let line = std::str::from_utf8(text).ok().and_then(|t| t.trim_end().rsplit_once(' '));
            let (line, check) = line.ok_or_else(damaged)?;
            journal.sum = checksum(journal.sum, line);
            if check != format!("{:016x}", journal.sum) {
                return Err(damaged());
            }
            if number == 1 {
                let found: Value = serde_json::from_str(line).map_err(|_| damaged())?;
                if let Some(name) = first_difference(&found, heading) {
                    return Err(TuneJournalError::Other(name));
                }
            } else {
                let Batch(key, sums) = serde_json::from_str(line).map_err(|_| damaged())?;
                journal.finished.push_back((key, sums));
            }
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        file.set_len(complete as u64)?;
        journal.file = Some(file);
        journal.line = 1;
        if number == 0 {
            journal.write(&heading.to_string())?;
        }
        Ok(journal)
    }

    /// Returns the number of stored batches that have not been taken.
    pub fn stored(&self) -> usize {
        self.finished.len()
    }

    /// Returns the sums of the batch `key`: the next stored ones, which are then taken, or those that `play`
    /// computes, which are then stored. `play` is not called for a stored batch.
    ///
    /// # Errors
    ///
    /// Fails if `play` does, if the file cannot be written, or if the next stored batch is another one: then
    /// the journal was not written by this run and must not be used.
    pub fn batch<E: From<TuneJournalError>>(
        &mut self,
        key: &str,
        play: impl FnOnce() -> Result<Vec<u64>, E>,
    ) -> Result<Vec<u64>, E> {
        self.line += 1;
        if let Some((stored, sums)) = self.finished.pop_front() {
            let same = stored == key;
            return same.then_some(sums).ok_or_else(|| TuneJournalError::Damaged { line: self.line }.into());
        }
        let sums = play()?;
        if self.file.is_some() {
            let line = serde_json::to_string(&Batch(key.to_owned(), sums.clone()));
            let line = line.map_err(|e| TuneJournalError::File(e.into()))?;
            self.write(&line).map_err(TuneJournalError::File)?;
        }
        Ok(sums)
    }

    /// Adds a line, which must not contain a line break, to the checksum and appends it with that to the
    /// file, if there is one.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written. The journal must not be used then.
    fn write(&mut self, line: &str) -> io::Result<()> {
        self.sum = checksum(self.sum, line);
        let sum = self.sum;
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(format!("{line} {sum:016x}\n").as_bytes()))
    }
}

/// Returns the name of the first field of `wanted`, a JSON object, in the order of the names, that `found`
/// lacks or has with another value. `fields` if they differ otherwise, e.g. because `found` has more; `None`
/// if they are equal.
fn first_difference(found: &Value, wanted: &Value) -> Option<String> {
    let names =
        wanted.as_object().map(|fields| fields.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
    let differs = names.into_iter().find(|name| found.get(name) != wanted.get(name));
    differs.or_else(|| (found != wanted).then(|| "fields".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn batch(journal: &mut TuneJournal, key: &str, value: u64) -> Result<Vec<u64>, TuneJournalError> {
        journal.batch(key, || Ok(vec![value]))
    }

    #[test]
    fn a_resumed_run_takes_stored_batches_and_any_damage_is_found() {
        let folder = std::env::temp_dir().join(format!("pentarchy-tune-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("journal");
        let _ = std::fs::remove_file(&path);
        let heading = json!({ "tune": 1, "game": "x", "seed": 3 });
        let mut first = TuneJournal::open(&path, &heading).unwrap();
        assert_eq!(batch(&mut first, "a", 7).unwrap(), [7]);
        assert_eq!(batch(&mut first, "b", 8).unwrap(), [8]);
        drop(first);
        let whole = std::fs::read(&path).unwrap();
        // Any prefix resumes; what is stored is not played again.
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut again = TuneJournal::open(&path, &heading).unwrap();
            let stored = again.stored();
            assert_eq!(batch(&mut again, "a", 70).unwrap(), [if stored > 0 { 7 } else { 70 }]);
            assert_eq!(batch(&mut again, "b", 80).unwrap(), [if stored > 1 { 8 } else { 80 }]);
        }
        // Any changed byte of a complete line is an error, and the file stays as it is.
        for at in 0..whole.len() - 1 {
            let mut broken = whole.clone();
            broken[at] ^= 1;
            std::fs::write(&path, &broken).unwrap();
            assert!(TuneJournal::open(&path, &heading).is_err(), "byte {at}");
            assert_eq!(std::fs::read(&path).unwrap(), broken);
        }
        std::fs::write(&path, &whole).unwrap();
        let other = TuneJournal::open(&path, &json!({ "tune": 1, "game": "x", "seed": 4 })).unwrap_err();
        assert_eq!(other.to_string(), "it belongs to another run; what differs: seed");
        let mut swapped = TuneJournal::open(&path, &heading).unwrap();
        assert_eq!(batch(&mut swapped, "b", 1).unwrap_err().to_string(), "line 2 is damaged");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
