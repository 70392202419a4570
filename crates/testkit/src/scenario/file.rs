//! The format of a scenario file, with line numbers for messages.

use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use toml::Spanned;

/// One ruling as a runnable example.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The content of the file.
    pub(super) data: Data,
    /// The byte offsets of all line breaks of the file.
    lines: Vec<usize>,
}

/// A file that is not a valid scenario.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ScenarioError {
    /// Line number in the file, from 1.
    pub line: usize,
    /// The error in words.
    pub message: String,
}

impl Scenario {
    /// Parses a scenario. Whether game, zones and actions exist is not checked before it runs.
    ///
    /// # Errors
    ///
    /// Fails with the line of the first syntax error, unknown key or invalid value, or of a step that does
    /// and expects nothing.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        let lines: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let data: Data = toml::from_str(text).map_err(|e| ScenarioError {
            line: e.span().map_or(1, |span| line_of(&lines, span.start)),
            message: e.message().to_string(),
        })?;
        let scenario = Scenario { data, lines };
        match scenario.data.step.iter().find(|s| s.get_ref().is_empty()) {
            Some(step) => Err(ScenarioError {
                line: scenario.line(step),
                message: "this step does and expects nothing".to_string(),
            }),
            None => Ok(scenario),
        }
    }

    /// Returns the title: what the scenario shows, in one sentence.
    pub fn title(&self) -> &str {
        &self.data.title
    }

    /// Returns the name of the game.
    pub fn game(&self) -> &str {
        self.data.game.get_ref()
    }

    /// Returns the number of the line that names the game, from 1.
    pub fn game_line(&self) -> usize {
        self.line(&self.data.game)
    }

    /// Returns the numbers of the rules that the scenario shows, in the order of the file; may be empty.
    pub fn rules(&self) -> Vec<&str> {
        self.data.rule.iter().map(|r| r.get_ref().as_str()).collect()
    }

    /// Returns the number of the line on which a part of the file begins, from 1.
    pub(super) fn line<T>(&self, part: &Spanned<T>) -> usize {
        line_of(&self.lines, part.span().start)
    }
}

/// Returns the line number, from 1, of the byte offset `at`, given the offsets of all line breaks.
fn line_of(lines: &[usize], at: usize) -> usize {
    1 + lines.partition_point(|&end| end < at)
}

/// A table that keeps the positions of names and values in the file.
pub(super) type Table<T> = BTreeMap<Spanned<String>, T>;

/// The content of a scenario file. `docs/scenarios.md` describes every key.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Data {
    /// What the scenario shows, in one sentence.
    pub(super) title: String,
    /// The numbers of the rules that it shows.
    #[serde(default)]
    pub(super) rule: Texts,
    /// Additional explanation for the reader.
    #[serde(default)]
    pub(super) text: String,
    /// The name of the game.
    pub(super) game: Spanned<String>,
    /// Number of seats; the default of the game if it is not given.
    pub(super) seats: Option<Spanned<u8>>,
    /// The options that differ from the defaults.
    pub(super) options: Option<Spanned<Value>>,
    /// The seed of chance that the script leaves out.
    pub(super) seed: Option<u64>,
    /// The events before the tokens are laid out.
    pub(super) opening: Option<Texts>,
    /// Whether declarations, reveals and rearrangements that the script leaves out are resolved.
    #[serde(default = "yes")]
    pub(super) auto: bool,
    /// The piles that give and take tokens when zones are laid out.
    pub(super) rest: Option<Spanned<RestNames>>,
    /// Zones whose names begin with one of these words are emptied unless they are listed.
    #[serde(default)]
    pub(super) bare: Texts,
    /// The tokens of zones, from the top.
    #[serde(default)]
    pub(super) zones: Table<Texts>,
    /// Values of the readable state that differ from those after the opening.
    pub(super) position: Option<Spanned<Value>>,
    /// The steps.
    #[serde(default)]
    pub(super) step: Vec<Spanned<ScenarioStep>>,
}

/// Returns `true`: the default of a field that is on unless the file says otherwise.
const fn yes() -> bool {
    true
}

/// The pile that gives and takes tokens: one for all zones, or one per zone.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum RestNames {
    /// The pile of all zones.
    All(String),
    /// The piles of single zones, by the name of the zone.
    Each(BTreeMap<String, String>),
}

/// A step of a scenario: actions, then expectations.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScenarioStep {
    /// A remark for the reader.
    #[serde(default)]
    pub(super) note: String,
    /// The seat that must act for each action of this step.
    pub(super) by: Option<Spanned<u8>>,
    /// The actions and answers of nature that are applied.
    #[serde(default, rename = "do")]
    pub(super) does: Texts,
    /// Texts that must be rejected afterwards.
    #[serde(default)]
    pub(super) reject: Texts,
    /// A part of the reason for which they must be rejected.
    pub(super) because: Option<Spanned<String>>,
    /// The expected node, or its first words.
    pub(super) node: Option<Spanned<String>>,
    /// The expected legal actions.
    pub(super) legal: Option<Legal>,
    /// Expected values of the readable state, by their paths.
    #[serde(default)]
    pub(super) value: Table<Spanned<Value>>,
    /// Expected faces of zones, from the top.
    #[serde(default)]
    pub(super) zone: Table<Texts>,
    /// Expected faces of zones, in any order.
    #[serde(default)]
    pub(super) holds: Table<Texts>,
    /// Who is expected to know the tokens of zones, from the top.
    #[serde(default)]
    pub(super) known: Table<Texts>,
    /// Texts that the log of this step must contain.
    #[serde(default)]
    pub(super) log: Texts,
    /// The expected outcome.
    pub(super) outcome: Option<Spanned<Ending>>,
    /// Whether the game is expected to be over.
    pub(super) over: Option<Spanned<bool>>,
}

impl ScenarioStep {
    /// Returns whether the step neither acts nor expects anything. Its note, `by` and `because` do not
    /// count.
    fn is_empty(&self) -> bool {
        let silent = self.does.is_empty() && self.reject.is_empty() && self.log.is_empty();
        let tables = [self.value.len(), self.zone.len(), self.holds.len(), self.known.len()];
        let single = self.node.is_none() && self.legal.is_none();
        silent && single && tables == [0; 4] && self.outcome.is_none() && self.over.is_none()
    }
}

/// Expected legal actions, in spoken or canonical text.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Legal {
    /// Actions that must be legal.
    pub(super) has: Texts,
    /// Actions that must not be legal.
    pub(super) lacks: Texts,
    /// All legal actions, in any order.
    pub(super) is: Option<Texts>,
    /// Number of legal actions.
    pub(super) count: Option<Spanned<Counts>>,
}

/// Expected number of legal actions: of all, or by prefix.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Counts {
    /// Of all.
    All(usize),
    /// Of those with this text, or that begin with it if it ends in `*`.
    Each(BTreeMap<String, usize>),
}

/// An expected outcome; what is not given is not checked.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Ending {
    /// The rank of each seat, from 1.
    pub(super) ranks: Option<Vec<u8>>,
    /// The score of each seat.
    pub(super) scores: Option<Vec<i32>>,
    /// The winning seats, ascending.
    pub(super) winners: Option<Vec<u8>>,
    /// Whether the game ended at its cap.
    pub(super) capped: Option<bool>,
}

/// One text or a list of texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    /// The texts in the order of the file.
    items: Vec<Spanned<String>>,
    /// Byte offset of the list in the file.
    start: usize,
}

impl std::ops::Deref for Texts {
    type Target = [Spanned<String>];
    /// Returns the texts of the list in the order of the file.
    fn deref(&self) -> &Self::Target {
        &self.items
    }
}

impl Texts {
    /// Returns an empty value with the place where the whole list begins in the file, for the line of an
    /// expectation about all of it.
    pub(super) fn place(&self) -> Spanned<()> {
        Spanned::new(self.start..self.start, ())
    }
}

impl<'de> Deserialize<'de> for Texts {
    /// Reads a text or a list of texts, with their positions in the file.
    ///
    /// # Errors
    ///
    /// Fails for any other value.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts = Spanned::<OneOrMany>::deserialize(deserializer)?;
        let span = texts.span();
        let items = match texts.into_inner() {
            OneOrMany::One(text) => vec![Spanned::new(span.clone(), text)],
            OneOrMany::Many(items) => items,
        };
        Ok(Texts { items, start: span.start })
    }
}

/// What stands for a list of texts in a file.
enum OneOrMany {
    /// A single text.
    One(String),
    /// A list, each text with its position.
    Many(Vec<Spanned<String>>),
}

impl<'de> Deserialize<'de> for OneOrMany {
    /// Reads a text or a list of texts.
    ///
    /// # Errors
    ///
    /// Fails for any other value.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Accepts a text or a list.
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = OneOrMany;
            /// Writes what a valid value is, for error messages of serde.
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of texts")
            }
            /// Returns a single text.
            ///
            /// # Errors
            ///
            /// Never fails.
            fn visit_str<E: de::Error>(self, text: &str) -> Result<OneOrMany, E> {
                Ok(OneOrMany::One(text.to_string()))
            }
            /// Returns a list of texts.
            ///
            /// # Errors
            ///
            /// Fails if an entry is no text.
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<OneOrMany, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(OneOrMany::Many(items))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}
