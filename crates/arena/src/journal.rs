//! The journal of a tournament: every finished game is a line of a file, from which an interrupted tournament
//! resumes.
//!
//! The first line says what is played. Every line ends with a checksum over itself and all lines before it, so
//! that damage is detected. An incomplete last line is the trace of an interruption; that game is played again.

use crate::tournament::{GameResult, TournamentPlan};
use pentarchy_engine::Outcome;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Time after which finished games are written: the maximum loss if the machine stops.
const FLUSH_AFTER: Duration = Duration::from_millis(200);

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TournamentJournalError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The file is not a journal, or is damaged.
    #[error("line {line} is damaged")]
    Damaged {
        /// Line number, from 1.
        line: u64,
    },
    /// The journal belongs to another tournament; names what differs.
    #[error("it belongs to another tournament; what differs: {0}")]
    Other(&'static str),
}

/// The line of a game: number, decisions, outcome.
#[derive(Serialize, Deserialize)]
struct Line(u64, u32, Outcome);

/// A journal that is open for the next game.
#[derive(Debug)]
pub struct Journal {
    /// The file, open for appending.
    file: BufWriter<File>,
    /// The checksum of all lines so far.
    sum: u64,
    /// When the buffer was last written to the file.
    flushed: Instant,
}

impl Journal {
    /// Opens the journal of this tournament, or creates it with its heading. Calls `each` for every game in
    /// it, in order, and cuts off an incomplete last line. More games than the plan has may be in it.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or written, is damaged or no journal, or belongs to another
    /// tournament. `each` may have been called then; the content of a file that cannot be used is not
    /// changed.
    pub fn open(
        path: &Path,
        plan: &TournamentPlan,
        mut each: impl FnMut(&GameResult),
    ) -> Result<Journal, TournamentJournalError> {
        let heading = heading(plan);
        // Not truncated: its content is read first.
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut reader = BufReader::new(&mut file);
        let (mut sum, mut length, mut number, mut games) = (0, 0, 0, 0);
        let mut text = Vec::new();
        loop {
            text.clear();
            let read = reader.read_until(b'\n', &mut text)? as u64;
            if text.last() != Some(&b'\n') {
                // Incomplete heading: an interruption, unless the file never was a journal; then it is not
                // overwritten.
                if number == 0 && read > 0 && !heading.as_bytes().starts_with(&text[..text.len().min(8)]) {
                    return Err(TournamentJournalError::Damaged { line: 1 });
                }
                break;
            }
            number += 1;
            let damaged = TournamentJournalError::Damaged { line: number };
            let line = std::str::from_utf8(&text).ok().and_then(|t| t.trim_end().rsplit_once(' '));
            let Some((line, check)) = line else { return Err(damaged) };
            sum = checksum(sum, line);
            if check != format!("{sum:016x}") {
                return Err(damaged);
            }
            if number == 1 {
                if let Some(what) = differs(line, &heading) {
                    return Err(what.map_or(damaged, TournamentJournalError::Other));
                }
            } else {
                let Ok(Line(game, decisions, outcome)) = serde_json::from_str(line) else {
                    return Err(damaged);
                };
                if game != games || outcome.seats() != plan.seats() {
                    return Err(damaged);
                }
                games += 1;
                each(&GameResult { game, outcome, decisions });
            }
            length += read;
        }
        drop(reader);
        file.set_len(length)?;
        let file = OpenOptions::new().append(true).open(path)?;
        let mut journal = Journal { file: BufWriter::new(file), sum, flushed: Instant::now() };
        if number == 0 {
            journal.write(&heading)?;
            journal.finish()?;
        }
        Ok(journal)
    }

    /// Appends a game, which must be the next one in order; that is not checked. Games are buffered; a call
    /// that comes more than 200 ms after the last write to the file writes them all. Call
    /// [`finish`](Self::finish) after the last one.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written. The journal must not be used then.
    pub fn append(&mut self, row: &GameResult) -> io::Result<()> {
        let line = serde_json::to_string(&Line(row.game, row.decisions, row.outcome))?;
        self.write(&line)?;
        if self.flushed.elapsed() > FLUSH_AFTER {
            self.finish()?;
        }
        Ok(())
    }

    /// Writes all buffered games to the file. More may follow.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written. The journal must not be used then.
    pub fn finish(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        self.file.flush()
    }

    /// Adds a line, which must not contain a line break, to the checksum and appends it with that to the
    /// buffer.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written. The journal must not be used then.
    fn write(&mut self, line: &str) -> io::Result<()> {
        self.sum = checksum(self.sum, line);
        writeln!(self.file, "{line} {:016x}", self.sum)
    }
}

/// Returns the heading for a plan as one line of JSON. The number of games is not part of it, so that more
/// can be added later.
fn heading(plan: &TournamentPlan) -> String {
    let info = plan.game.info();
    let bots: Vec<String> = plan.bots.iter().map(ToString::to_string).collect();
    json!({
        "arena": 1,
        "game": info.name,
        "rules_version": info.rules_version,
        "bots": bots,
        "seed": plan.seed,
        "options": plan.options,
    })
    .to_string()
}

/// Compares two headings, each a line of JSON. Returns `None` if they are equal, `Some(None)` if one cannot
/// be parsed, else the word for the first field that differs: `format`, `game`, `rules`, `bots`, `seed` or
/// `options`.
fn differs(line: &str, heading: &str) -> Option<Option<&'static str>> {
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    let (Some(found), Some(wanted)) = (read(line), read(heading)) else { return Some(None) };
    let names = [
        ("arena", "format"),
        ("game", "game"),
        ("rules_version", "rules"),
        ("bots", "bots"),
        ("seed", "seed"),
    ];
    let named = names.into_iter().chain([("options", "options")]);
    named.into_iter().find(|(field, _)| found[field] != wanted[field]).map(|(_, name)| Some(name))
}

/// Returns the FNV-1a hash of a line, chained to `before`, the hash of the lines before it (0 for the first
/// line).
pub(crate) fn checksum(before: u64, line: &str) -> u64 {
    let start = before ^ 0xcbf2_9ce4_8422_2325;
    line.bytes().fold(start, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
