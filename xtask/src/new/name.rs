//! The name of a new game.

use std::path::Path;

use super::{GAMES, LIST, template};
use crate::task_error::{Context, Result, TaskError};

/// The longest name.
const LONGEST: usize = 24;

/// Names that a crate or a module cannot have: keywords of Rust, and crates of the compiler.
const RESERVED: &str = "abstract alloc as async await become box break const continue core crate do dyn else enum \
                        extern false final fn for gen if impl in let loop macro match mod move mut override priv \
                        proc-macro pub ref return self static std struct super test trait true try type typeof \
                        unsafe unsized use virtual where while yield";

/// A well-formed name of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GameName(String);

impl GameName {
    /// Parses a name: words of `a` to `z`, separated by single hyphens, together at most 24 characters. Keywords of
    /// Rust and names of crates of the compiler are not allowed as the whole name. Whether the name is taken is not
    /// checked.
    ///
    /// # Errors
    ///
    /// Fails with a sentence about the first thing that is wrong.
    pub(super) fn parse(name: &str) -> Result<Self> {
        let reject = |why: &str| Err(TaskError::new(format!("`{name}` cannot be the name of a game: {why}")));
        let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
        if !name.split('-').all(is_word) {
            return reject("use words of the letters a to z with hyphens between them, as in `river-trade`");
        }
        if name.len() > LONGEST {
            return reject(&format!("it has {} characters, {LONGEST} are allowed", name.len()));
        }
        if RESERVED.split_whitespace().any(|word| word == name) {
            return reject("the word has a meaning in Rust");
        }
        Ok(GameName(name.to_owned()))
    }

    /// Checks that no folder of a game or crate, no classic and no line of the registry (dependency or feature) of the
    /// workspace at `root` has this name.
    ///
    /// # Errors
    ///
    /// Fails if one has it, or the lists of classics or games cannot be read.
    pub(super) fn check_free(&self, root: &Path) -> Result<()> {
        let name = self.kebab();
        let taken = |by: &str| Err(TaskError::new(format!("the name `{name}` is taken: {by}")));
        for folder in [format!("{GAMES}/{name}"), format!("crates/{name}")] {
            if root.join(&folder).exists() {
                return taken(&format!("there is a folder {folder}"));
            }
        }
        if template::classics(root)?.iter().any(|classic| classic == name) {
            return taken("it is one of the classics");
        }
        let manifest = std::fs::read_to_string(root.join(LIST)).context(format!("cannot read {LIST}"))?;
        let key = format!("{name} = ");
        if manifest.lines().any(|line| line.starts_with(&key)) {
            return taken(&format!("{LIST} has a line for it"));
        }
        Ok(())
    }

    /// Returns the name as it was given: `river-trade`.
    pub(super) fn kebab(&self) -> &str {
        &self.0
    }

    /// Returns the name as an identifier: `river_trade`.
    pub(super) fn snake(&self) -> String {
        self.0.replace('-', "_")
    }

    /// Returns the name as a type: `RiverTrade`.
    pub(super) fn camel(&self) -> String {
        self.0.split('-').map(capital).collect()
    }

    /// Returns the name as a title: `River trade`.
    pub(super) fn title(&self) -> String {
        capital(&self.0.replace('-', " "))
    }
}

/// Returns the text with its first letter in upper case if it is ASCII; empty for an empty text.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn a_name_has_four_forms() {
        let name = GameName::parse("river-trade").unwrap();
        let forms = (name.kebab(), &*name.snake(), &*name.camel(), &*name.title());
        assert_eq!(forms, ("river-trade", "river_trade", "RiverTrade", "River trade"));
    }

    #[test]
    fn bad_names_are_rejected_with_the_reason() {
        let malformed =
            ["", "-", "a-", "-a", "a--b", "River", "river_trade", "river trade", "chess960", "ähre", "a/b"];
        for name in malformed {
            assert!(GameName::parse(name).unwrap_err().to_string().contains("letters a to z"), "{name}");
        }
        for name in ["match", "self", "core", "try"] {
            assert!(GameName::parse(name).unwrap_err().to_string().contains("meaning in Rust"), "{name}");
        }
        assert!(GameName::parse(&"a".repeat(25)).unwrap_err().to_string().contains("24 are allowed"));
        assert!(GameName::parse(&"a".repeat(24)).is_ok());
    }

    #[test]
    fn names_of_games_crates_and_features_are_taken() {
        let root = Workspace::find().unwrap().root().to_path_buf();
        for name in
            ["vires", "kuhn", "tic-tac-toe", "classics", "arena", "web", "default", "all-games", "tests"]
        {
            let trouble = GameName::parse(name).unwrap().check_free(&root).unwrap_err();
            assert!(trouble.to_string().starts_with(&format!("the name `{name}` is taken: ")), "{trouble}");
        }
        assert!(GameName::parse("river-trade").unwrap().check_free(&root).is_ok());
    }
}
