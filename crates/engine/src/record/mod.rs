//! Records: a game as JSON Lines that anybody can replay and verify offline.
//!
//! The first line is the [`Header`]; then comes one [`RecordEntry`] for each event: its number, its canonical
//! text, the faces and backs it turned up, the digest after it, and last the private annexes.
//!
//! ```text
//! {"pentarchy":1,"game":"kuhn","rules":1,"seats":2,"options":{},"kind":"full","seed":7}
//! {"n":1,"event":"shuffle: deck","digest":"5f…","annexes":[{"to":null,"order":[2,0,1]}]}
//! {"n":2,"event":"reveal: hand 0 to 0","digest":"e1…","annexes":[{"to":0,"learned":["king#0"]}]}
//! {"n":3,"event":"bet","digest":"09…"}
//! ```
//!
//! A *public* record has no annexes, a *seat's* record has that seat's, a *full* record has all. Annexes are
//! the last field of a line: cutting them out of a full record gives the public record byte for byte. The
//! seed determines every shuffle, so only a full record has it.

mod replay;

pub use replay::{Replay, VerifiedGame, verify};

use crate::digest::Digest;
use crate::game::Game;
use crate::line::{Annex, LoggedEvent};
use crate::node::Node;
use crate::notation::{ParseError, event_text, parse_event};
use crate::options::{self, OptionsError};
use crate::position::LoggedEventOf;
use crate::seat::Seat;
use crate::token::{Back, Token};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::io::{BufRead, Read as _, Write};

/// Version of the format.
pub const FORMAT: u32 = 1;
/// Maximum length of a line, in bytes.
pub const LONGEST_LINE: u64 = 1 << 20;
/// Maximum number of events.
pub const MOST_ENTRIES: usize = 1 << 20;

/// The first line of a record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Version of the format.
    pub pentarchy: u32,
    /// The name of the game.
    pub game: String,
    /// Version of the game's rules.
    pub rules: u32,
    /// Number of seats.
    pub seats: u8,
    /// All options, tuning included.
    pub options: Value,
    /// Which annexes the record contains.
    pub kind: RecordKind,
    /// Seed of the simulation that produced the game, if any; only in a full record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

impl Header {
    /// Creates the header of a game by the current format and rules. The seed is dropped unless the record is
    /// full. Seats and options are not checked.
    ///
    /// # Errors
    ///
    /// Fails if the options cannot be serialised.
    pub fn of<G: Game>(
        seats: u8,
        options: &G::Options,
        kind: RecordKind,
        seed: Option<u64>,
    ) -> Result<Self, OptionsError> {
        Ok(Header {
            pentarchy: FORMAT,
            game: G::INFO.name.to_string(),
            rules: G::INFO.rules_version,
            seats,
            options: options::to_value(options)?,
            kind,
            seed: seed.filter(|_| kind == RecordKind::Full),
        })
    }
}

/// The annexes that a record contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordKind {
    /// None.
    Public,
    /// Only those of this seat.
    Seat(Seat),
    /// All annexes.
    Full,
}

impl RecordKind {
    /// Returns whether a record of this kind contains all annexes that a reader of the other kind needs.
    pub fn covers(self, other: RecordKind) -> bool {
        self == RecordKind::Full || self == other || other == RecordKind::Public
    }

    /// Returns whether a record of this kind contains the annex for this reader (`None`: the order of a
    /// shuffle).
    fn has_annex_for(self, to: Option<Seat>) -> bool {
        match self {
            RecordKind::Public => false,
            RecordKind::Seat(seat) => to == Some(seat),
            RecordKind::Full => true,
        }
    }
}

/// One event of a record, as text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordEntry {
    /// Number of the event, from 1.
    pub n: u32,
    /// Canonical text of the event.
    pub event: String,
    /// Faces that became public, each as `archer#17`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
    /// Backs that became public, each as `2#17`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub backs: Vec<String>,
    /// Digest of the position after the event.
    pub digest: String,
    /// Private parts of the event.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub annexes: Vec<PrivatePart>,
}

/// The private part of an event, for one reader.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivatePart {
    /// The seat that may read it; null for the order of a shuffle, which only the simulator knows.
    pub to: Option<Seat>,
    /// The permutation of a mix, tokens ascending: the i-th gets the face that the `order[i]`-th had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<u16>,
    /// Faces that the seat learned, each as `archer#17`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learned: Vec<String>,
    /// The action with its secret choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sealed: Option<String>,
}

impl RecordEntry {
    /// Creates entry number `n` (from 1) from a logged event, with all of its annexes. `node` is the node
    /// that the event resolved, `digest` that of the position after it; neither is checked.
    pub fn of<G: Game>(n: u32, node: Node, line: &LoggedEventOf<G>, digest: Digest) -> Self {
        let named = |faces: &[(Token, G::Face)]| faces.iter().map(|(t, f)| format!("{f}{t}")).collect();
        let private = |a: &Annex<G::Action, G::Face>| PrivatePart {
            to: a.to,
            order: a.order.clone(),
            learned: named(&a.learned),
            sealed: a.sealed.map(|action| action.to_string()),
        };
        RecordEntry {
            n,
            event: event_text::<G>(node, line.event),
            shown: named(&line.shown),
            backs: line.backs.iter().map(|(t, b)| format!("{}{t}", b.0)).collect(),
            digest: digest.to_string(),
            annexes: line.annexes.iter().map(private).collect(),
        }
    }

    /// Parses the entry into a logged event. Neither the rules nor the digest are checked.
    ///
    /// # Errors
    ///
    /// Fails if a text is not an event, a face or a back of this game.
    pub fn line<G: Game>(&self) -> Result<LoggedEventOf<G>, ParseError> {
        let faces = |texts: &[String]| texts.iter().map(|text| face::<G>(text)).collect::<Result<_, _>>();
        let private = |p: &PrivatePart| -> Result<_, ParseError> {
            Ok(Annex {
                to: p.to,
                order: p.order.clone(),
                learned: faces(&p.learned)?,
                sealed: p.sealed.as_ref().map(|text| text.parse()).transpose()?,
            })
        };
        Ok(LoggedEvent {
            event: parse_event::<G>(&self.event)?,
            shown: faces(&self.shown)?,
            backs: self.backs.iter().map(|text| back(text)).collect::<Result<_, _>>()?,
            annexes: self.annexes.iter().map(private).collect::<Result<_, _>>()?,
        })
    }

    /// Returns a copy without the annexes that a record of this kind does not contain.
    pub fn cut(&self, kind: RecordKind) -> Self {
        let mut entry = self.clone();
        entry.annexes.retain(|a| kind.has_annex_for(a.to));
        entry
    }
}

/// Parses a face with its token: `archer#17`. Whether the game has this token is not checked.
///
/// # Errors
///
/// Fails if the text is malformed or there is no such face.
fn face<G: Game>(text: &str) -> Result<(Token, G::Face), ParseError> {
    let (word, token) = split(text)?;
    Ok((token, word.parse()?))
}

/// Parses a token with its back: `2#17`. Whether the game has this token or back is not checked.
///
/// # Errors
///
/// Fails if the text is malformed, or the number of the back is above 255.
fn back(text: &str) -> Result<(Token, Back), ParseError> {
    let (word, token) = split(text)?;
    let back = word.parse().map_err(|_| ParseError::new(text, "a back with its token, like 2#17"))?;
    Ok((token, Back(back)))
}

/// Splits `word#17` at the last `#` into the word, which may be empty, and the token.
///
/// # Errors
///
/// Fails if there is no `#`, or no number up to 65,535 after it.
fn split(text: &str) -> Result<(&str, Token), ParseError> {
    let at = text.rfind('#').ok_or_else(|| ParseError::new(text, "a face with its token, like archer#17"))?;
    Ok((&text[..at], text[at..].parse()?))
}

/// A record as text. Parsing does not check that the game is legal; [`verify`] and [`Replay`] do.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The first line.
    pub header: Header,
    /// The events in order.
    pub entries: Vec<RecordEntry>,
}

impl Record {
    /// Creates a full record without events. `seed` is that of the simulation that will produce the game, if
    /// any; it is stored in the header. Seats and options are not checked.
    ///
    /// # Errors
    ///
    /// Fails if the options cannot be serialised.
    pub fn new<G: Game>(seats: u8, options: &G::Options, seed: Option<u64>) -> Result<Self, OptionsError> {
        Ok(Record { header: Header::of::<G>(seats, options, RecordKind::Full, seed)?, entries: Vec::new() })
    }

    /// Appends an event with the next number, without the annexes that a record of this kind does not
    /// contain. `node` is the node that it resolved, `digest` that of the position after it; neither is
    /// checked.
    pub fn push<G: Game>(&mut self, node: Node, line: &LoggedEventOf<G>, digest: Digest) {
        let n = self.entries.len() as u32 + 1;
        self.entries.push(RecordEntry::of::<G>(n, node, line, digest).cut(self.header.kind));
    }

    /// Returns the record of this kind of the same game: a copy without the annexes and the seed that such a
    /// record does not contain; its header names the kind.
    ///
    /// # Errors
    ///
    /// Fails if this record lacks annexes that such a record needs: only a full record can be cut to a full
    /// one, and only a full one or that of the seat to a seat's.
    pub fn cut(&self, kind: RecordKind) -> Result<Self, RecordError> {
        if !self.header.kind.covers(kind) {
            return Err(RecordError::at(1, "this record does not have the annexes of that seat"));
        }
        let mut header = self.header.clone();
        header.kind = kind;
        header.seed = header.seed.filter(|_| kind == RecordKind::Full);
        Ok(Record { header, entries: self.entries.iter().map(|e| e.cut(kind)).collect() })
    }

    /// Writes the record: one line for the header and one per event.
    ///
    /// # Errors
    ///
    /// Fails if `out` does; a part of the record may have been written then.
    pub fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        write_line(out, &self.header)?;
        self.entries.iter().try_for_each(|entry| write_line(out, entry))
    }

    /// Returns the record as text, a JSON object per line, as [`write`](Self::write) writes it.
    pub fn text(&self) -> String {
        let mut out = Vec::new();
        // Writing to memory does not fail, and JSON is UTF-8.
        let _ = self.write(&mut out);
        String::from_utf8(out).unwrap_or_default()
    }

    /// Parses a record strictly, in bounded space (at most [`MOST_ENTRIES`] events of [`LONGEST_LINE`]
    /// bytes). Does not check that the game is legal; [`verify`] does.
    ///
    /// # Errors
    ///
    /// Fails with the number of the first line that cannot be read, is malformed, too long, out of sequence,
    /// has foreign annexes or is not in canonical spelling; also if the record is empty, of another format,
    /// or has too many events.
    pub fn read(mut input: impl BufRead) -> Result<Self, RecordError> {
        let first = next_line(&mut input, 1)?.ok_or_else(|| RecordError::at(1, "the record is empty"))?;
        let header: Header = parse(&first, 1)?;
        if header.pentarchy != FORMAT {
            let found = header.pentarchy;
            return Err(RecordError::at(1, format!("this is format {found}; format {FORMAT} is understood")));
        }
        if header.kind != RecordKind::Full && header.seed.is_some() {
            return Err(RecordError::at(1, "only a full record may tell the seed"));
        }
        let (kind, mut entries) = (header.kind, Vec::new());
        while let Some(line) = next_line(&mut input, entries.len() + 2)? {
            let number = entries.len() + 2;
            if entries.len() == MOST_ENTRIES {
                return Err(RecordError::at(number, "the record has more events than are read"));
            }
            let entry: RecordEntry = parse(&line, number)?;
            if entry.n as usize != number - 1 {
                let expected = number - 1;
                return Err(RecordError::at(
                    number,
                    format!("event {} stands where {expected} should", entry.n),
                ));
            }
            if let Some(alien) = entry.annexes.iter().find(|a| !kind.has_annex_for(a.to)) {
                let whose = alien.to.map_or("nature".to_string(), |seat| format!("seat {seat}"));
                return Err(RecordError::at(
                    number,
                    format!("an annex for {whose} does not belong in this record"),
                ));
            }
            // Each event has one spelling, so that the public part is equal byte for byte in all records of a
            // game.
            if serde_json::to_string(&entry).is_ok_and(|canonical| canonical != line) {
                return Err(RecordError::at(number, "the line is not written as a record is written"));
            }
            entries.push(entry);
        }
        Ok(Record { header, entries })
    }

    /// Returns the line number of an event in the file, from 1; the header is line 1.
    pub(crate) fn line_of(entry: &RecordEntry) -> usize {
        entry.n as usize + 1
    }
}

/// Writes an item as one line of JSON, with the line break.
///
/// # Errors
///
/// Fails if `out` does or the item cannot be serialised.
fn write_line(out: &mut impl Write, item: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, item)?;
    out.write_all(b"\n")
}

/// Reads a line of at most [`LONGEST_LINE`] bytes, the line break included, and returns it without the line
/// break; `None` at the end of the file. `number` is its number for errors. The last line needs no line
/// break.
///
/// # Errors
///
/// Fails if the line cannot be read, is too long, or is not UTF-8.
fn next_line(input: &mut impl BufRead, number: usize) -> Result<Option<String>, RecordError> {
    let mut bytes = Vec::new();
    let unreadable = |e: std::io::Error| RecordError::at(number, format!("cannot be read: {e}"));
    input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes).map_err(unreadable)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
        return Err(RecordError::at(number, "the line is too long"));
    }
    let mut text = String::from_utf8(bytes).map_err(|_| RecordError::at(number, "the line is not UTF-8"))?;
    if text.ends_with('\n') {
        text.pop();
    }
    Ok(Some(text))
}

/// Parses a line of JSON; `number` is its number in the file for errors.
///
/// # Errors
///
/// Fails with the number of the line if it is malformed.
fn parse<T: serde::de::DeserializeOwned>(line: &str, number: usize) -> Result<T, RecordError> {
    serde_json::from_str(line).map_err(|e| {
        let what = if e.is_eof() { "the line breaks off".to_string() } else { e.to_string() };
        RecordError::at(number, what)
    })
}

/// An error in a record, with its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// Line number in the file, from 1.
    pub line: usize,
    /// The error in words.
    pub what: String,
}

impl RecordError {
    /// Creates an error for a line of the file, counted from 1.
    pub(crate) fn at(line: usize, what: impl Into<String>) -> Self {
        RecordError { line, what: what.into() }
    }
}

impl fmt::Display for RecordError {
    /// Writes the number of the line and the error: `line 3: …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}
impl std::error::Error for RecordError {}
