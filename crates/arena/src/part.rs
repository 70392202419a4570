//! Part files: the results of a part of a run, from which another process joins the whole.
//!
//! A file is the magic number, a postcard of the header and the payload, and the BLAKE3 hash of everything
//! before it. The header says what was run, so that only parts of one run are joined.

use crate::play::AnyArena;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The first bytes of every part file; the last one is the version of the format.
const MAGIC: &[u8; 9] = b"PENTPART\x02";

/// Length of the hash at the end, in bytes.
const HASH: usize = 32;

/// Maximum number of parts of a run.
pub const MOST_PARTS: u32 = 100_000;

/// What a part belongs to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PartHeader {
    /// The command that wrote it, e.g. `lab`.
    pub command: String,
    /// The version of the program.
    pub program: String,
    /// The name of the game.
    pub game: String,
    /// The version of its rules.
    pub rules_version: u32,
    /// Seed of the run.
    pub seed: u64,
    /// Number of games of the whole run.
    pub games: u64,
    /// All parameters of the run as a JSON object, equal in all parts.
    pub plan: String,
    /// The command line of the whole run, for the report; may differ between parts.
    pub shown: String,
    /// The number of this part, from 1.
    pub part: u32,
    /// The number of parts.
    pub parts: u32,
}

/// Why parts cannot be joined. Every message is one line that names the file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// The file is no part file.
    #[error("{0} is no part of a run")]
    Foreign(String),
    /// The file is cut off or changed.
    #[error("{0} is damaged: its checksum is wrong")]
    Damaged(String),
    /// The part was written by another command.
    #[error("{file} is a part of `{found}`, not of `{wanted}`")]
    Command {
        /// The file.
        file: String,
        /// The command that wrote it.
        found: String,
        /// The command that joins.
        wanted: String,
    },
    /// Two parts belong to different runs; names what differs first.
    #[error("{file} and {first} are parts of different runs: the {what} differs")]
    Different {
        /// The file.
        file: String,
        /// The first file.
        first: String,
        /// What differs.
        what: String,
    },
    /// A part is there twice.
    #[error("part {part} is there twice: {first} and {second}")]
    Doubled {
        /// The number of the part.
        part: u32,
        /// The first file.
        first: String,
        /// The second file.
        second: String,
    },
    /// Parts are missing.
    #[error("of {parts} parts, {} {list}", if *.missing == 1 { "one is missing:".to_string() } else { format!("{} are missing:", .missing) })]
    Missing {
        /// Number of parts of the run.
        parts: u32,
        /// Number of missing parts.
        missing: usize,
        /// The first of the missing numbers, as text.
        list: String,
    },
    /// No files were given.
    #[error("there are no parts to join")]
    Nothing,
    /// The game of the parts is not known here.
    #[error("the parts are of the game {0}, which this program does not have")]
    UnknownGame(String),
    /// The parts were played by other rules.
    #[error(
        "the parts were played by version {found} of the rules of {game}; this program has version {here}"
    )]
    Rules {
        /// The name of the game.
        game: String,
        /// The version that played the parts.
        found: u32,
        /// The version of this program.
        here: u32,
    },
    /// Parts of one run that must agree do not.
    #[error("part {part} found something else than part 1: bots with a budget in time cannot be joined")]
    Diverged {
        /// The number of the first part that differs.
        part: usize,
    },
    /// The parameters of the run cannot be read.
    #[error("the parts were written by another version of the program")]
    Malformed,
}

impl PartHeader {
    /// Creates the header of part `part` of `parts` of a run of this command, with the version of this package and
    /// of the rules. `seed` and `games` are those of the whole run, `plan` holds all its parameters, `shown` is its
    /// command line. Nothing is checked.
    pub fn new(
        command: &str,
        game: &'static dyn AnyArena,
        (seed, games): (u64, u64),
        plan: &Value,
        shown: &str,
        (part, parts): (u32, u32),
    ) -> Self {
        let info = game.info();
        PartHeader {
            command: command.to_string(),
            program: env!("CARGO_PKG_VERSION").to_string(),
            game: info.name.to_string(),
            rules_version: info.rules_version,
            seed,
            games,
            plan: plan.to_string(),
            shown: shown.to_string(),
            part,
            parts,
        }
    }
}

/// All parts of a run.
pub struct JoinedParts<T> {
    /// The header of the first part.
    pub header: PartHeader,
    /// All parameters of the run.
    pub plan: Value,
    /// Its game.
    pub game: &'static dyn AnyArena,
    /// The payloads in the order of the parts.
    pub parts: Vec<T>,
}

impl<T: DeserializeOwned> JoinedParts<T> {
    /// Checks all parts (name and content) of a run of this command, given in any order. Returns their payloads in
    /// the order of their numbers, with the header of the first and its plan as JSON. The game is looked up in
    /// `arenas`. Whether the plan fits the command is not checked.
    ///
    /// # Errors
    ///
    /// Fails if a file is no part, is damaged or belongs to another command or run, if a part is missing or there
    /// twice, or if `arenas` does not have the game with these rules.
    pub fn new(
        files: &[(String, Vec<u8>)],
        command: &str,
        arenas: &[&'static dyn AnyArena],
    ) -> Result<Self, PartError> {
        let (header, parts) = join(files, command)?;
        let game = arenas.iter().copied().find(|arena| arena.info().name == header.game);
        let game = game.ok_or_else(|| PartError::UnknownGame(header.game.clone()))?;
        let (found, here) = (header.rules_version, game.info().rules_version);
        if found != here {
            return Err(PartError::Rules { game: header.game, found, here });
        }
        let plan = serde_json::from_str(&header.plan).map_err(|_| PartError::Malformed)?;
        Ok(JoinedParts { header, plan, game, parts })
    }
}

/// Returns the bytes of a part file: magic number, header, payload and hash.
///
/// # Errors
///
/// Fails if the payload cannot be encoded, e.g. because a list has no length.
pub fn encode<T: Serialize>(header: &PartHeader, payload: &T) -> Result<Vec<u8>, postcard::Error> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(postcard::to_allocvec(&(header, payload))?);
    let hash = blake3::hash(&bytes);
    bytes.extend(hash.as_bytes());
    Ok(bytes)
}

/// Checks the bytes of a part file by its hash and returns its header and payload. `file` names it in errors.
///
/// # Errors
///
/// Fails if it is no part, is damaged, or was written by another command than `command`.
fn decode<T: DeserializeOwned>(
    file: &str,
    bytes: &[u8],
    command: &str,
) -> Result<(PartHeader, T), PartError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| PartError::Foreign(file.to_string()))?;
    let damaged = || PartError::Damaged(file.to_string());
    let length = bytes.len().checked_sub(HASH).filter(|&n| n >= MAGIC.len()).ok_or_else(damaged)?;
    if blake3::hash(&bytes[..length]).as_bytes()[..] != bytes[length..] {
        return Err(damaged());
    }
    let body = &rest[..rest.len() - HASH];
    let (header, payload): (PartHeader, &[u8]) = postcard::take_from_bytes(body).map_err(|_| damaged())?;
    if header.command != command {
        let (found, wanted) = (header.command, command.to_string());
        return Err(PartError::Command { file: file.to_string(), found, wanted });
    }
    let payload = postcard::from_bytes(payload).map_err(|_| damaged())?;
    Ok((header, payload))
}

/// Checks the files (name and content) of one run of `command`, in any order, and returns the header of its
/// first part and the payloads in the order of the parts.
///
/// # Errors
///
/// Fails if a file is no part, is damaged or belongs to another command or run, or if a part is missing or
/// there twice.
fn join<T: DeserializeOwned>(
    files: &[(String, Vec<u8>)],
    command: &str,
) -> Result<(PartHeader, Vec<T>), PartError> {
    let mut found: BTreeMap<u32, (&str, PartHeader, T)> = BTreeMap::new();
    let mut first: Option<(&str, PartHeader)> = None;
    for (file, bytes) in files {
        let (header, payload) = decode::<T>(file, bytes, command)?;
        let (name, wanted) = first.get_or_insert_with(|| (file, header.clone()));
        if let Some(what) = difference(wanted, &header) {
            let (file, first) = (file.clone(), (*name).to_string());
            return Err(PartError::Different { file, first, what });
        }
        if header.part == 0 || header.part > header.parts || header.parts > MOST_PARTS {
            return Err(PartError::Damaged(file.clone()));
        }
        if let Some((other, header, _)) = found.get(&header.part) {
            let (first, second) = ((*other).to_string(), file.clone());
            return Err(PartError::Doubled { part: header.part, first, second });
        }
        found.insert(header.part, (file, header, payload));
    }
    let (_, header) = first.ok_or(PartError::Nothing)?;
    let missing: Vec<u32> = (1..=header.parts).filter(|part| !found.contains_key(part)).collect();
    if !missing.is_empty() {
        let shown: Vec<String> = missing.iter().take(8).map(ToString::to_string).collect();
        let dots = if missing.len() > shown.len() { ", …" } else { "" };
        let list = format!("{}{dots}", shown.join(", "));
        return Err(PartError::Missing { parts: header.parts, missing: missing.len(), list });
    }
    let header = found.values().next().map_or(header, |(_, first, _)| first.clone());
    Ok((header, found.into_values().map(|(_, _, payload)| payload).collect()))
}

/// Returns what differs first between the runs of two parts, in words: a field of the header, or the first
/// parameter of the plans by name. `None` if they are of one run. Commands, shown command lines and part
/// numbers are not compared.
fn difference(a: &PartHeader, b: &PartHeader) -> Option<String> {
    let fields = [
        (a.program != b.program, "version of the program"),
        (a.game != b.game, "game"),
        (a.rules_version != b.rules_version, "version of the rules"),
        (a.seed != b.seed, "seed"),
        (a.games != b.games, "number of games"),
        (a.parts != b.parts, "number of parts"),
    ];
    if let Some((_, what)) = fields.into_iter().find(|(differs, _)| *differs) {
        return Some(what.to_string());
    }
    if a.plan == b.plan {
        return None;
    }
    let read = |text: &str| serde_json::from_str::<BTreeMap<String, Value>>(text).unwrap_or_default();
    let (a, b) = (read(&a.plan), read(&b.plan));
    let field = a.keys().chain(b.keys()).find(|name| a.get(*name) != b.get(*name));
    Some(field.map_or("plan".to_string(), |name| name.replace('_', " ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(part: u32) -> PartHeader {
        PartHeader {
            command: "lab".into(),
            program: "1".into(),
            game: "kuhn".into(),
            rules_version: 1,
            seed: 2,
            games: 30,
            plan: r#"{"bots":["captain"],"rival_games":5}"#.into(),
            shown: format!("pentarchy lab {part}"),
            part,
            parts: 3,
        }
    }

    fn file(header: &PartHeader) -> (String, Vec<u8>) {
        let name = format!("{}.bin", header.part);
        (name, encode(header, &vec![header.part, 7]).unwrap())
    }

    fn joined(files: &[(String, Vec<u8>)]) -> Result<(PartHeader, Vec<Vec<u32>>), PartError> {
        join(files, "lab")
    }

    #[test]
    fn parts_join_in_any_order() {
        let files = [3, 1, 2].map(|part| file(&header(part)));
        assert_eq!(joined(&files), Ok((header(1), vec![vec![1, 7], vec![2, 7], vec![3, 7]])));
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_found() {
        let good = [1, 2, 3].map(|part| file(&header(part)));
        for at in 0..good[1].1.len() {
            let mut files = good.clone();
            files[1].1[at] ^= 1 << (at % 8);
            let wanted = if at < MAGIC.len() {
                PartError::Foreign("2.bin".into())
            } else {
                PartError::Damaged("2.bin".into())
            };
            assert_eq!(joined(&files), Err(wanted), "{at}");
            let mut files = good.clone();
            files[1].1.truncate(at);
            assert!(joined(&files).is_err());
        }
    }

    #[test]
    fn what_is_not_one_whole_run_is_refused() {
        let said = |headers: &[PartHeader]| {
            joined(&headers.iter().map(file).collect::<Vec<_>>()).unwrap_err().to_string()
        };
        assert_eq!(said(&[]), "there are no parts to join");
        assert_eq!(said(&[header(1), header(3)]), "of 3 parts, one is missing: 2");
        assert_eq!(said(&[header(2)]), "of 3 parts, 2 are missing: 1, 3");
        let twice = said(&[header(1), header(2), header(2)]);
        assert_eq!(twice, "part 2 is there twice: 2.bin and 2.bin");
        let differs = |change: fn(&mut PartHeader)| {
            let mut other = header(2);
            change(&mut other);
            said(&[header(1), other, header(3)])
        };
        let start = "2.bin and 1.bin are parts of different runs: the ";
        assert_eq!(differs(|h| h.seed = 3), format!("{start}seed differs"));
        assert_eq!(differs(|h| h.plan = h.plan.replace('5', "6")), format!("{start}rival games differs"));
        assert_eq!(differs(|h| h.game = "leduc".into()), format!("{start}game differs"));
        assert_eq!(differs(|h| h.command = "sim".into()), "2.bin is a part of `sim`, not of `lab`");
    }
}
