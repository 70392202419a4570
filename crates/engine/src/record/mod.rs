//! Records: a game as JSON Lines that anybody can replay and verify offline.
//!
//! The first line is the [`Header`]; then comes one [`Entry`] for each event: its number, its canonical text,
//! the faces and backs it turned up, the digest after it, and last the private annexes.
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
//! seed tells every shuffle, so only a full record has it.

mod replay;

pub use replay::{Replay, Verdict, verify};

use crate::digest::Digest;
use crate::game::Game;
use crate::line::{Annex, Line};
use crate::node::Node;
use crate::notation::{ParseError, event_text, parse_event};
use crate::options::{self, OptionsError};
use crate::position::LineOf;
use crate::seat::Seat;
use crate::token::{Back, Token};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::io::{BufRead, Read as _, Write};

/// The version of the format.
pub const FORMAT: u32 = 1;
/// The longest line that is read, in bytes.
pub const LONGEST_LINE: u64 = 1 << 20;
/// The most events that are read.
pub const MOST_ENTRIES: usize = 1 << 20;

/// The first line of a record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the format.
    pub pentarchy: u32,
    /// The name of the game.
    pub game: String,
    /// The version of its rules.
    pub rules: u32,
    /// How many seats play.
    pub seats: u8,
    /// All options, tuning included.
    pub options: Value,
    /// Whose annexes the record has.
    pub kind: Kind,
    /// The seed of the simulator that played the game, if there was one; only in a full record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

impl Header {
    /// The header of a game.
    pub fn of<G: Game>(
        seats: u8,
        options: &G::Options,
        kind: Kind,
        seed: Option<u64>,
    ) -> Result<Self, OptionsError> {
        Ok(Header {
            pentarchy: FORMAT,
            game: G::INFO.name.to_string(),
            rules: G::INFO.rules_version,
            seats,
            options: options::to_value(options)?,
            kind,
            seed: seed.filter(|_| kind == Kind::Full),
        })
    }
}

/// Whose annexes a record has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Nobody's.
    Public,
    /// This seat's.
    Seat(Seat),
    /// All.
    Full,
}

impl Kind {
    /// Whether such a record has what the other kind needs.
    pub fn covers(self, other: Kind) -> bool {
        self == Kind::Full || self == other || other == Kind::Public
    }

    fn keeps(self, to: Option<Seat>) -> bool {
        match self {
            Kind::Public => false,
            Kind::Seat(seat) => to == Some(seat),
            Kind::Full => true,
        }
    }
}

/// One event of a record, as text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its number, from 1.
    pub n: u32,
    /// Its canonical text.
    pub event: String,
    /// The faces that became public, each as `archer#17`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
    /// The backs that became public, each as `2#17`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub backs: Vec<String>,
    /// The digest after it.
    pub digest: String,
    /// What only some may know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub annexes: Vec<Private>,
}

/// The private part of an event for one reader.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Private {
    /// For which seat; null for the order of a shuffle, which nobody at the table knows.
    pub to: Option<Seat>,
    /// How faces were permuted, tokens ascending: the i-th got the face that the `order[i]`-th had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<u16>,
    /// The faces that the seat learned, each as `archer#17`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learned: Vec<String>,
    /// The action with its secret choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sealed: Option<String>,
}

impl Entry {
    /// The entry of a line: `node` was awaited before it, `digest` is that of the position after it.
    pub fn of<G: Game>(n: u32, node: Node, line: &LineOf<G>, digest: Digest) -> Self {
        let named = |faces: &[(Token, G::Face)]| faces.iter().map(|(t, f)| format!("{f}{t}")).collect();
        let private = |a: &Annex<G::Action, G::Face>| Private {
            to: a.to,
            order: a.order.clone(),
            learned: named(&a.learned),
            sealed: a.sealed.map(|action| action.to_string()),
        };
        Entry {
            n,
            event: event_text::<G>(node, line.event),
            shown: named(&line.shown),
            backs: line.backs.iter().map(|(t, b)| format!("{}{t}", b.0)).collect(),
            digest: digest.to_string(),
            annexes: line.annexes.iter().map(private).collect(),
        }
    }

    /// The line that this entry tells of.
    pub fn line<G: Game>(&self) -> Result<LineOf<G>, ParseError> {
        let faces = |texts: &[String]| texts.iter().map(|text| face::<G>(text)).collect::<Result<_, _>>();
        let private = |p: &Private| -> Result<_, ParseError> {
            Ok(Annex {
                to: p.to,
                order: p.order.clone(),
                learned: faces(&p.learned)?,
                sealed: p.sealed.as_ref().map(|text| text.parse()).transpose()?,
            })
        };
        Ok(Line {
            event: parse_event::<G>(&self.event)?,
            shown: faces(&self.shown)?,
            backs: self.backs.iter().map(|text| back(text)).collect::<Result<_, _>>()?,
            annexes: self.annexes.iter().map(private).collect::<Result<_, _>>()?,
        })
    }

    /// The same without the annexes that a record of this kind does not have.
    pub fn cut(&self, kind: Kind) -> Self {
        let mut entry = self.clone();
        entry.annexes.retain(|a| kind.keeps(a.to));
        entry
    }
}

fn face<G: Game>(text: &str) -> Result<(Token, G::Face), ParseError> {
    let (word, token) = split(text)?;
    Ok((token, word.parse()?))
}

fn back(text: &str) -> Result<(Token, Back), ParseError> {
    let (word, token) = split(text)?;
    let back = word.parse().map_err(|_| ParseError::new(text, "a back with its token, like 2#17"))?;
    Ok((token, Back(back)))
}

fn split(text: &str) -> Result<(&str, Token), ParseError> {
    let at = text.rfind('#').ok_or_else(|| ParseError::new(text, "a face with its token, like archer#17"))?;
    Ok((&text[..at], text[at..].parse()?))
}

/// A whole record, as text: what it says is checked by [`verify`] and [`Replay`].
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The first line.
    pub header: Header,
    /// The events.
    pub entries: Vec<Entry>,
}

impl Record {
    /// A full record of a game in which nothing has happened yet.
    pub fn new<G: Game>(seats: u8, options: &G::Options, seed: Option<u64>) -> Result<Self, OptionsError> {
        Ok(Record { header: Header::of::<G>(seats, options, Kind::Full, seed)?, entries: Vec::new() })
    }

    /// Adds an event: `node` was awaited before it, `digest` is that of the position after it.
    pub fn push<G: Game>(&mut self, node: Node, line: &LineOf<G>, digest: Digest) {
        let n = self.entries.len() as u32 + 1;
        self.entries.push(Entry::of::<G>(n, node, line, digest).cut(self.header.kind));
    }

    /// The record that somebody may have who is entitled to these annexes only.
    pub fn cut(&self, kind: Kind) -> Result<Self, RecordError> {
        if !self.header.kind.covers(kind) {
            return Err(RecordError::at(1, "this record does not have the annexes of that seat"));
        }
        let mut header = self.header.clone();
        header.kind = kind;
        header.seed = header.seed.filter(|_| kind == Kind::Full);
        Ok(Record { header, entries: self.entries.iter().map(|e| e.cut(kind)).collect() })
    }

    /// Writes the record, one line for the header and one for each event.
    pub fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        write_line(out, &self.header)?;
        self.entries.iter().try_for_each(|entry| write_line(out, entry))
    }

    /// The record as text.
    pub fn text(&self) -> String {
        let mut out = Vec::new();
        // Writing to memory does not fail, and JSON is UTF-8.
        let _ = self.write(&mut out);
        String::from_utf8(out).unwrap_or_default()
    }

    /// Reads a record: strictly, in bounded space, naming the line of an error. Whether the game went as it
    /// says is for [`verify`].
    pub fn read(mut input: impl BufRead) -> Result<Self, RecordError> {
        let first = next_line(&mut input, 1)?.ok_or_else(|| RecordError::at(1, "the record is empty"))?;
        let header: Header = parse(&first, 1)?;
        if header.pentarchy != FORMAT {
            let found = header.pentarchy;
            return Err(RecordError::at(1, format!("this is format {found}; format {FORMAT} is understood")));
        }
        if header.kind != Kind::Full && header.seed.is_some() {
            return Err(RecordError::at(1, "only a full record may tell the seed"));
        }
        let (kind, mut entries) = (header.kind, Vec::new());
        while let Some(line) = next_line(&mut input, entries.len() + 2)? {
            let number = entries.len() + 2;
            if entries.len() == MOST_ENTRIES {
                return Err(RecordError::at(number, "the record has more events than are read"));
            }
            let entry: Entry = parse(&line, number)?;
            if entry.n as usize != number - 1 {
                let expected = number - 1;
                return Err(RecordError::at(
                    number,
                    format!("event {} stands where {expected} should", entry.n),
                ));
            }
            if let Some(alien) = entry.annexes.iter().find(|a| !kind.keeps(a.to)) {
                let whose = alien.to.map_or("nature".to_string(), |seat| format!("seat {seat}"));
                return Err(RecordError::at(
                    number,
                    format!("an annex for {whose} does not belong in this record"),
                ));
            }
            // One spelling for each event: so the public part is the same, byte for byte, for all.
            if serde_json::to_string(&entry).is_ok_and(|canonical| canonical != line) {
                return Err(RecordError::at(number, "the line is not written as a record is written"));
            }
            entries.push(entry);
        }
        Ok(Record { header, entries })
    }

    /// The number of the line of an event in the file.
    pub(crate) fn line_of(entry: &Entry) -> usize {
        entry.n as usize + 1
    }
}

fn write_line(out: &mut impl Write, item: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, item)?;
    out.write_all(b"\n")
}

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

fn parse<T: serde::de::DeserializeOwned>(line: &str, number: usize) -> Result<T, RecordError> {
    serde_json::from_str(line).map_err(|e| {
        let what = if e.is_eof() { "the line breaks off".to_string() } else { e.to_string() };
        RecordError::at(number, what)
    })
}

/// What is wrong with a record, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// The number of the line in the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

impl RecordError {
    pub(crate) fn at(line: usize, what: impl Into<String>) -> Self {
        RecordError { line, what: what.into() }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}
impl std::error::Error for RecordError {}
