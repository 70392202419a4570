//! The code of docs/first-game.md, applied to a new game as a reader would.
//!
//! The page writes an edit as a sentence and fenced blocks: *In `FILE`, replace* (block) *with* (block), or
//! *Create `FILE`:* (block). Other blocks are not applied.

use std::{fs, path::Path};

use crate::task_error::{Context, Result, TaskError};

/// The tutorial.
pub(super) const PAGE: &str = "docs/first-game.md";
/// The game that it makes, and the classic that it copies.
pub(super) const GAME: (&str, &str) = ("swap-poker", "kuhn");

/// One change that the tutorial asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edit {
    /// The file, relative to the folder of the game.
    file: String,
    /// The text to replace; `None` creates the file.
    old: Option<String>,
    /// The new text.
    new: String,
}

/// Returns the edits that the text of the tutorial asks for, in their order. Blocks after other sentences are skipped.
/// Whether an edit can be applied is not checked.
///
/// # Errors
///
/// Fails if an edit lacks a block or the word between its blocks.
pub(super) fn edits(page: &str) -> Result<Vec<Edit>> {
    let mut edits = Vec::new();
    let mut parts = page.split("```");
    // Text and blocks alternate; a block begins with its language.
    while let Some(text) = parts.next() {
        let sentence = text.trim_end();
        let file = sentence.rsplit('`').nth(1).unwrap_or_default().to_owned();
        let mut block = |what: &str| {
            let block =
                parts.next().and_then(|block| block.split_once('\n')).map(|(_, code)| code.to_owned());
            block.ok_or_else(|| TaskError::new(format!("{PAGE}: an edit of {file} has no {what}")))
        };
        if sentence.ends_with("`, replace") {
            let old = block("text to replace")?;
            block("word `with`")?;
            edits.push(Edit { old: Some(old), new: block("new text")?, file });
        } else if sentence.ends_with(&format!("Create `{file}`:")) {
            edits.push(Edit { old: None, new: block("text")?, file });
        } else {
            parts.next();
        }
    }
    Ok(edits)
}

/// Applies the edits to the game in this folder, in order. A block whose text does not occur is tried without its last
/// line ends. An edit that creates a file replaces an existing one.
///
/// # Errors
///
/// Fails at the first edit whose file cannot be read or written, or whose text to replace does not occur exactly once.
/// Earlier edits stay applied.
pub(super) fn apply(edits: &[Edit], folder: &Path) -> Result<()> {
    for edit in edits {
        let path = folder.join(&edit.file);
        let new = match &edit.old {
            None => edit.new.clone(),
            Some(old) => {
                let text = fs::read_to_string(&path).context(format!("{PAGE}: cannot read {}", edit.file))?;
                // Without the last line end, a block may end in the middle of a line.
                let (old, new) = match text.contains(old.as_str()) {
                    true => (old.as_str(), edit.new.as_str()),
                    false => (old.trim_end_matches('\n'), edit.new.trim_end_matches('\n')),
                };
                if text.matches(old).count() != 1 {
                    return Err(TaskError::new(format!(
                        "{PAGE}: {} must have this text once, and has it {} times:\n{old}",
                        edit.file,
                        text.matches(old).count()
                    )));
                }
                text.replace(old, new)
            }
        };
        fs::write(&path, new).context(format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_read_from_sentences_and_blocks() {
        let page = "Text.\n\n```sh\nrun\n```\n\nMore. In `a.rs`, replace\n\n```rust\nold\n```\n\nwith\n\n```rust\nnew\n```\n\n\
                    Create `b.toml`:\n\n```toml\nx = 1\n```\n\nThe end.\n";
        let edit = |file: &str, old: Option<&str>, new: &str| Edit {
            file: file.to_owned(),
            old: old.map(str::to_owned),
            new: new.to_owned(),
        };
        let expected = [edit("a.rs", Some("old\n"), "new\n"), edit("b.toml", None, "x = 1\n")];
        assert_eq!(edits(page).unwrap(), expected);
        assert!(edits("In `a.rs`, replace\n\n```rust\nold\n```\n").is_err());
    }

    /// Returns the text without the white space at the begin and end of lines.
    fn trimmed(text: &str) -> String {
        text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
    }

    /// The blocks of the page about hidden information are compiled where they come from. An empty line separates two
    /// quotations.
    #[test]
    fn the_code_of_the_page_about_hiding_is_quoted_from_games() {
        let workspace = crate::workspace::Workspace::find().unwrap();
        let sources = [
            "crates/engine/tests/engine/parlour/mod.rs",
            "crates/engine/tests/engine/parlour/rules.rs",
            "crates/games/classics/src/liars_dice/mod.rs",
        ];
        let sources = sources.map(|path| trimmed(&workspace.read(path).unwrap()));
        let page = workspace.read("docs/hiding.md").unwrap();
        let blocks: Vec<&str> = page.split("```").skip(1).step_by(2).collect();
        assert!(blocks.len() >= 5);
        for block in blocks {
            let code = block.strip_prefix("rust,ignore\n").expect("a block of code in Rust");
            for quotation in trimmed(code.trim_end()).split("\n\n") {
                assert!(sources.iter().any(|source| source.contains(quotation)), "in no game:\n{quotation}");
            }
        }
    }

    #[test]
    fn the_tutorial_makes_the_game_that_it_names_and_has_edits() {
        let page = crate::workspace::Workspace::find().unwrap().read(PAGE).unwrap();
        assert!(page.contains(&format!("cargo xtask new {} --like {}", GAME.0, GAME.1)));
        let edits = edits(&page).unwrap();
        assert_eq!((edits.len(), edits.iter().filter(|edit| edit.old.is_none()).count()), (23, 1));
    }
}
