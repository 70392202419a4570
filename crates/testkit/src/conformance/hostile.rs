//! Hostile texts: whatever a peer, a record or a typing mistake puts in place of a notation, nothing panics.

use super::trial::Trial;
use super::{LawResult, demand};
use pentarchy_engine::Game;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What replaces a number: the ends of the integer types, their neighbours outside, and spellings that are no integers.
const NUMBERS: [&str; 20] = [
    "-1",
    "0",
    "-0",
    "255",
    "256",
    "65535",
    "65536",
    "-2147483648",
    "2147483647",
    "4294967295",
    "-2147483649",
    "-9223372036854775808",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "999999999999999999999",
    "+1",
    "1e9",
    "NaN",
    "٣",
];

/// What is inserted before, after, and in place of the last character of a text: characters of several bytes, control
/// characters, and separators of the notation.
const PIECES: [&str; 10] = ["é", "𝟛", "\u{202e}", "\0", "\n", " ", ",", "#", "@", ":"];

/// How often a long text repeats the notation.
const REPETITIONS: usize = 200;

impl<G: Game> Trial<'_, G> {
    /// Checks that texts made from the notation of a listed action never panic when they are parsed, as canonical and as
    /// spoken text: with each number replaced by extreme ones, with pieces inserted, cut off anywhere, and very long. An
    /// action that such a text names gets the checks of a candidate. Does nothing for a text that differs only in its
    /// numbers from one checked before. `before` is the encoded state; the game does not change.
    ///
    /// # Errors
    ///
    /// Fails with the violated law.
    pub(super) fn check_hostile_texts(&mut self, action: G::Action, before: &[u8]) -> LawResult {
        for text in [action.to_string(), self.full.format_action(action)] {
            if !self.pool.note_shape(shape(&text)) {
                continue;
            }
            for hostile in hostile_texts(&text) {
                let read = catch_unwind(AssertUnwindSafe(|| {
                    let spoken = self.full.parse_legal(&hostile).is_ok();
                    (hostile.parse::<G::Action>().ok(), spoken)
                }));
                let shown: String = hostile.chars().take(200).collect();
                demand!(read.is_ok(), NoPanic, "reading the text `{}` panics", shown.escape_debug());
                if let Ok((Some(named), _)) = read {
                    self.check_candidate(named, before)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the text with every number replaced by one `0`.
fn shape(text: &str) -> String {
    let mut rest = text;
    let mut shape = String::new();
    while let Some((start, end)) = next_number(rest) {
        shape += &rest[..start];
        shape.push('0');
        rest = &rest[end..];
    }
    shape + rest
}

/// Returns the byte range (start and end) of the first run of ASCII digits; `None` if there is none.
fn next_number(text: &str) -> Option<(usize, usize)> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let length = text[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - start);
    Some((start, start + length))
}

/// Returns the hostile texts made from a notation, in no particular order: with each number replaced by extreme ones,
/// cut at each character, with pieces at its ends and in place of its spaces, and very long. Some may be valid
/// notations.
fn hostile_texts(text: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut from = 0;
    while let Some((start, end)) = next_number(&text[from..]) {
        let (start, end) = (from + start, from + end);
        // With and without the sign of the replaced number.
        let unsigned = text[..start].strip_suffix('-').unwrap_or(&text[..start]);
        for number in NUMBERS {
            texts.push(format!("{}{number}{}", &text[..start], &text[end..]));
            texts.push(format!("{unsigned}{number}{}", &text[end..]));
        }
        from = end;
    }
    let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    texts.extend(ends.flat_map(|at| [text[..at].to_owned(), text[at..].to_owned()]));
    let last = text.char_indices().next_back().map_or(0, |(at, _)| at);
    for piece in PIECES {
        texts.extend([
            format!("{piece}{text}"),
            format!("{text}{piece}"),
            format!("{}{piece}", &text[..last]),
            text.replace(' ', piece),
        ]);
    }
    texts.extend([text.repeat(REPETITIONS), format!("{text} ").repeat(REPETITIONS), "9".repeat(10_000)]);
    if let Some((start, end)) = next_number(text) {
        texts.push(format!("{}{}{}", &text[..start], "9".repeat(10_000), &text[end..]));
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_a_notation_is_replaced() {
        let texts = hostile_texts("move 3,-1 to #17");
        let has = |text: &str| texts.iter().any(|t| t == text);
        for text in [
            "move -2147483648,-1 to #17",
            "move 3,-2147483648 to #17",
            "move 3,-1 to #18446744073709551615",
            "move 3,-1 to #1é",
            "move 3,-",
        ] {
            assert!(has(text), "{text}");
        }
        assert!(texts.iter().any(|text| text.len() > 10_000));
        assert_eq!(shape("move 3,-1 to #17"), "move 0,-0 to #0");
        assert_eq!(shape("pass"), "pass");
    }
}
