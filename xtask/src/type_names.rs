//! Part of the `words` check: outside the game crates, a public type name occurs once in the workspace.

use std::collections::BTreeMap;

use crate::words::{Finding, SourceFile};

/// Folders of sources that nobody outside uses: their type names do not count.
const PRIVATE_FOLDERS: &[&str] = &["/tests/", "/benches/", "/examples/"];

/// Game crates use the same names for the same parts (`Action`, `Options`, `Card`).
const GAMES: &str = "crates/games/";

/// Returns a finding for each definition of a public type whose name was defined before, and for each macro that hides
/// the name of a public type (see [`PublicType::Hidden`]), in the order of the files; empty if there is none. Only Rust
/// sources outside of game crates, tests and benches count. A third definition is compared with the first one.
pub(crate) fn duplicates(files: &[SourceFile]) -> Vec<Finding> {
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    let mut found = Vec::new();
    for file in files.iter().filter(|file| counts(&file.path)) {
        for (line, definition) in public_types(&file.text) {
            let place = format!("{}:{line}", file.path);
            let message = match definition {
                PublicType::Hidden => "the macro hides the name of a public type: match \
                    `$vis:vis struct $name:ident`, so that the call names it"
                    .to_owned(),
                PublicType::Named(name) => match first.get(name) {
                    Some(other) => format!("the public type name `{name}` is taken by {other}"),
                    None => {
                        first.insert(name.to_owned(), place);
                        continue;
                    }
                },
            };
            found.push(Finding { place, message });
        }
    }
    found
}

/// Returns whether the public types of this file count: Rust sources outside game crates, tests and benches.
fn counts(path: &str) -> bool {
    let is_private =
        PRIVATE_FOLDERS.iter().any(|folder| path.contains(folder)) || path.ends_with("/tests.rs");
    path.ends_with(".rs") && !path.starts_with(GAMES) && !is_private
}

/// The words that begin the definition of a type.
const KINDS: &[&str] = &["struct", "enum", "trait", "type", "union"];

/// A definition of a public type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PublicType<'a> {
    /// A definition with this name, also in the call of a macro.
    Named(&'a str),
    /// A definition in the body of a macro whose calls need not contain `pub`, the kind and the name of the type in
    /// this order, so that the name cannot be found at the call.
    Hidden,
}

/// Returns the line number (from 1) and the name, or that a macro hides it, of each public `struct`, `enum`, `trait`,
/// `type` and `union` of a source file, up to its test module. Line breaks, comments, `unsafe`, `auto` and `r#` make no
/// difference. Types with restricted visibility (`pub(crate)`), associated types and names of re-exports (`pub use …
/// as`) do not count.
fn public_types(text: &str) -> Vec<(usize, PublicType<'_>)> {
    let tokens = tokens(text);
    let words: Vec<&str> = tokens.iter().map(|token| token.1).collect();
    let end = words.windows(3).position(|w| w == ["mod", "tests", "{"]).unwrap_or(words.len());
    let shipped = words.get(..end).unwrap_or_default();
    let mut found = Vec::new();
    for (at, (line, _)) in tokens.iter().enumerate().take(end) {
        let definition = match shipped.get(at..).unwrap_or_default() {
            ["pub", "unsafe" | "auto", kind, rest @ ..] | ["pub", kind, rest @ ..]
                if KINDS.contains(kind) =>
            {
                match rest {
                    ["$", ..] => PublicType::Hidden,
                    [name, ..] => PublicType::Named(name),
                    [] => continue,
                }
            }
            ["$", vis, kind, "$", name, after, ..] if KINDS.contains(kind) && *after != ":" => {
                let matcher = ["$", vis, ":", "vis", kind, "$", name, ":", "ident"];
                if shipped.windows(matcher.len()).any(|w| w == matcher) {
                    continue;
                }
                PublicType::Hidden
            }
            _ => continue,
        };
        found.push((*line, definition));
    }
    found
}

/// Splits Rust code into words (identifiers without `r#`, keywords, numbers) and single other characters, each with its
/// line number from 1. White space, comments, strings, characters and lifetimes are left out.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(c) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (length, is_token) = if let Some(length) = skipped(rest) {
            (length, false)
        } else if word > 0 {
            (word, true)
        } else {
            (c.len_utf8(), !c.is_whitespace())
        };
        let (token, after) = rest.split_at(length.min(rest.len()));
        if is_token {
            found.push((line, token));
        }
        line += token.matches('\n').count();
        rest = after;
    }
    found
}

/// Returns the length in bytes of the comment, string, character, lifetime or `r#` that a text begins with, or
/// `None` if it begins with something else. What is not closed ends with the text.
fn skipped(text: &str) -> Option<usize> {
    let until = |from: usize, end: &str| {
        text.get(from..).and_then(|rest| rest.find(end)).map_or(text.len(), |at| from + at + end.len())
    };
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return Some(block_comment(text));
    }
    let unprefixed = text.trim_start_matches(['b', 'c']);
    let prefix = text.len() - unprefixed.len();
    if let Some(raw) = unprefixed.strip_prefix('r').filter(|_| prefix < 2) {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw.get(hashes..).is_some_and(|rest| rest.starts_with('"')) {
            return Some(until(prefix + hashes + 2, &format!("\"{}", "#".repeat(hashes))));
        }
        if text.starts_with("r#") {
            return Some(2);
        }
    }
    if prefix < 2 && unprefixed.starts_with('"') {
        return Some(quoted(text, prefix + 1, '"'));
    }
    let mut chars = unprefixed.strip_prefix('\'').filter(|_| prefix < 2)?.chars();
    let (first, second) = (chars.next(), chars.next());
    let is_character = first == Some('\\') || second == Some('\'');
    Some(if is_character { quoted(text, prefix + 1, '\'') } else { prefix + 1 })
}

/// Returns the byte index after the first quote at or after byte `from` that no backslash escapes: the end of a string
/// or character that began before. The length of the text if there is none.
fn quoted(text: &str, from: usize, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < from) {
        if c == quote && !is_escaped {
            return at + c.len_utf8();
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

/// Returns the length in bytes of the block comment that a text begins with; comments in it are nested. The length of
/// the text if the comment is not closed.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let step = if rest.starts_with("/*") {
            depth += 1;
            2
        } else if rest.starts_with("*/") {
            depth -= 1;
            2
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        at += step;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the places of duplicate type names in these files (path and text).
    fn duplicates_of(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<SourceFile> = files.iter().map(|(path, text)| SourceFile::new(path, text)).collect();
        duplicates(&files).into_iter().map(|finding| finding.place).collect()
    }

    #[test]
    fn a_second_public_type_of_a_name_is_found() {
        let files = [
            ("crates/a/src/lib.rs", "/// A step.\npub struct Step;"),
            ("crates/b/src/lib.rs", "pub enum Step<'a> {}\npub trait Other {}"),
            ("crates/b/src/other.rs", "mod inner {\n    pub type Other = u8;\n}"),
        ];
        assert_eq!(duplicates_of(&files), ["crates/b/src/lib.rs:1", "crates/b/src/other.rs:2"]);
    }

    #[test]
    fn names_that_only_begin_alike_differ() {
        let files = [("crates/a/src/lib.rs", "pub struct Step;\npub struct Steps;\npub struct StepError;")];
        assert_eq!(duplicates_of(&files), [""; 0]);
    }

    #[test]
    fn private_types_games_and_tests_do_not_count() {
        let files = [
            ("crates/a/src/lib.rs", "pub struct Card;"),
            ("crates/b/src/lib.rs", "struct Card;\npub(crate) struct Card;\npub fn card() {}"),
            ("crates/b/src/inner.rs", "#[cfg(test)]\nmod tests {\n    pub struct Card;\n}"),
            ("crates/b/tests/all.rs", "pub struct Card;"),
            ("crates/b/benches/all.rs", "pub struct Card;"),
            ("crates/games/x/src/lib.rs", "pub struct Card;"),
            ("docs/card.md", "pub struct Card;"),
        ];
        assert_eq!(duplicates_of(&files), [""; 0]);
    }

    /// Returns the names of the public types in a file with this text, with `-` for a hidden one.
    fn names(text: &str) -> Vec<&str> {
        let name = |(_, found)| match found {
            PublicType::Named(name) => name,
            PublicType::Hidden => "-",
        };
        public_types(text).into_iter().map(name).collect()
    }

    #[test]
    fn every_kind_of_type_is_found() {
        let text = "pub struct A;\npub enum B {}\npub trait C {}\npub type D = u8;\npub union E { a: u8 }\n\
            pub unsafe trait F {}\npub auto trait G {}\npub struct r#H<T>(T);\npub struct I where u8: Copy;";
        assert_eq!(names(text), ["A", "B", "C", "D", "E", "F", "G", "H", "I"]);
    }

    #[test]
    fn line_breaks_attributes_and_comments_make_no_difference() {
        let text = "#[derive(Clone)] pub\n    struct\n    A;\npub /* not B */ enum // not C\n D {}";
        assert_eq!(names(text), ["A", "D"]);
        let lines = public_types("\n/* one\n /* two */ */ \"\n\" pub struct A;");
        assert_eq!(lines, [(4, PublicType::Named("A"))]);
    }

    #[test]
    fn comments_strings_and_characters_define_nothing() {
        let text = r####"// pub struct A;
            /// pub struct B;
            const C: &str = "pub struct C; \\ \" pub struct D;";
            const E: &str = r#"pub struct E; " pub struct F;"#;
            const G: [char; 2] = ['"', '\''];
            fn h<'a>(b: &'a [u8]) -> &'a str { b"pub struct I;" }
            impl J { pub(super) type K = u8; pub fn structure() {} }
            pub struct L;"####;
        assert_eq!(names(text), ["L"]);
    }

    #[test]
    fn a_type_in_the_call_of_a_macro_is_found() {
        let text = "words! {\n    /// Doc.\n    pub enum A { B = 1 }\n}\nweights!(pub struct C { d = 1 });";
        assert_eq!(names(text), ["A", "C"]);
    }

    #[test]
    fn a_macro_that_hides_the_name_is_found() {
        assert_eq!(names("macro_rules! m { ($a:ident) => { pub struct $a; } }"), ["-"]);
        assert_eq!(names("macro_rules! m { ($v:vis $a:ident) => { $v struct $a; } }"), ["-"]);
        assert_eq!(names("macro_rules! m { ($v:vis struct $a:ident) => { $v struct $a; } }"), [""; 0]);
        assert_eq!(names("macro_rules! m { ($a:ident) => { struct $a; } }"), [""; 0]);
        let finding = duplicates(&[SourceFile::new("crates/a/src/lib.rs", "pub enum $a {}")]);
        assert_eq!(finding.first().map(|finding| finding.place.as_str()), Some("crates/a/src/lib.rs:1"));
    }
}
