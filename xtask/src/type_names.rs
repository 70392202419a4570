//! Part of the `words` check: outside the game crates, a public type name occurs once in the workspace.

use std::collections::BTreeMap;

use crate::words::{Finding, SourceFile};

/// Folders of sources that nobody outside uses: their type names do not count.
const PRIVATE_FOLDERS: &[&str] = &["/tests/", "/benches/", "/examples/"];

/// Game crates use the same names for the same parts (`Action`, `Options`, `Card`).
const GAMES: &str = "crates/games/";

/// Returns a finding for each definition of a public type whose name was defined before, in the order of the files;
/// empty if there is none. Only Rust sources outside of game crates, tests and benches count. A third definition is
/// compared with the first one.
pub(crate) fn duplicates(files: &[SourceFile]) -> Vec<Finding> {
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    let mut found = Vec::new();
    for file in files.iter().filter(|file| counts(&file.path)) {
        for (line, name) in public_types(&file.text) {
            let place = format!("{}:{line}", file.path);
            match first.get(&name) {
                Some(other) => found.push(Finding {
                    place,
                    message: format!("the public type name `{name}` is taken by {other}"),
                }),
                None => {
                    first.insert(name, place);
                }
            }
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

/// Returns line number (from 1) and name of each `pub struct`, `pub enum`, `pub trait`, `pub type` and `pub union` of a
/// source file, up to its test module, `unsafe` ones included. Types with restricted visibility (`pub(crate)`) and
/// associated types of an `impl` do not count. Only definitions whose first word on a line is `pub` are found.
fn public_types(text: &str) -> impl Iterator<Item = (usize, String)> {
    let shipped = text.lines().take_while(|line| line.trim() != "mod tests {");
    shipped.enumerate().filter_map(|(i, line)| {
        let rest = line.trim_start().strip_prefix("pub ")?;
        let rest = rest.strip_prefix("unsafe ").unwrap_or(rest);
        let (kind, rest) = rest.split_once(' ')?;
        if !["struct", "enum", "trait", "type", "union"].contains(&kind) {
            return None;
        }
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        Some((i + 1, name))
    })
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
}
