//! A tournament that can be interrupted: every finished game is a line of a file, from which it goes on.
//!
//! The first line says what is played. Every line ends with a checksum over itself and all before it, so that
//! a damaged file is noticed. A last line without its end is what an interruption leaves: it is played again.

use crate::tournament::{Plan, Row};
use pentarchy_engine::Outcome;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// How much may be lost if the machine stops.
const FLUSH_AFTER: Duration = Duration::from_millis(200);

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// It is no journal, or a damaged one.
    #[error("line {line} is damaged")]
    Damaged {
        /// Counted from 1.
        line: u64,
    },
    /// It is of something else.
    #[error("it is of another tournament: its {0} differ")]
    Other(&'static str),
}

/// A line of a game: number, decisions, outcome.
#[derive(Serialize, Deserialize)]
struct Line(u64, u32, Outcome);

/// The file, open for the next game.
#[derive(Debug)]
pub struct Journal {
    file: BufWriter<File>,
    sum: u64,
    flushed: Instant,
}

impl Journal {
    /// Opens the journal of this tournament, or begins it; `each` gets the games that are in it.
    pub fn open(path: &Path, plan: &Plan, mut each: impl FnMut(&Row)) -> Result<Journal, Unusable> {
        let heading = heading(plan);
        // Not emptied: what is in it is read first.
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut reader = BufReader::new(&mut file);
        let (mut sum, mut length, mut number, mut games) = (0, 0, 0, 0);
        let mut text = Vec::new();
        loop {
            text.clear();
            let read = reader.read_until(b'\n', &mut text)? as u64;
            if text.last() != Some(&b'\n') {
                // Cut off in the middle; but something that never was a journal is not overwritten.
                if number == 0 && read > 0 && !heading.as_bytes().starts_with(&text[..text.len().min(8)]) {
                    return Err(Unusable::Damaged { line: 1 });
                }
                break;
            }
            number += 1;
            let damaged = Unusable::Damaged { line: number };
            let line = std::str::from_utf8(&text).ok().and_then(|t| t.trim_end().rsplit_once(' '));
            let Some((line, check)) = line else { return Err(damaged) };
            sum = checksum(sum, line);
            if check != format!("{sum:016x}") {
                return Err(damaged);
            }
            if number == 1 {
                if let Some(what) = differs(line, &heading) {
                    return Err(what.map_or(damaged, Unusable::Other));
                }
            } else {
                let Ok(Line(game, decisions, outcome)) = serde_json::from_str(line) else {
                    return Err(damaged);
                };
                if game != games || outcome.seats() != plan.seats() {
                    return Err(damaged);
                }
                games += 1;
                each(&Row { game, outcome, decisions });
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

    /// Keeps a game.
    pub fn keep(&mut self, row: &Row) -> io::Result<()> {
        let line = serde_json::to_string(&Line(row.game, row.decisions, row.outcome))?;
        self.write(&line)?;
        if self.flushed.elapsed() > FLUSH_AFTER {
            self.finish()?;
        }
        Ok(())
    }

    /// Writes what is left.
    pub fn finish(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        self.file.flush()
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        self.sum = checksum(self.sum, line);
        writeln!(self.file, "{line} {:016x}", self.sum)
    }
}

/// What is played. How many games does not belong to it: more can be added later.
fn heading(plan: &Plan) -> String {
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

/// What differs between two headings, if anything; something unreadable differs in nothing that has a name.
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

/// Fowler, Noll and Vo's hash (1a) of a line, begun with that of the lines before it.
fn checksum(before: u64, line: &str) -> u64 {
    let start = before ^ 0xcbf2_9ce4_8422_2325;
    line.bytes().fold(start, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
