//! The files of a new game, made from the source of a classic.
//!
//! A classic is a module of the crate `classics`: `src/kuhn.rs`, or a folder with `mod.rs`. It becomes `src/lib.rs` of
//! the new crate. The shared modules that it names as `crate::poker` are copied beside it. So a new game is always a
//! copy of code that compiles and is tested.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{GAMES, name::GameName};
use crate::task_error::{Context, Result, TaskError};

/// What to change about the state, above the first structure of `lib.rs`.
const STATE_MARK: (&str, &str) =
    ("pub struct ", "the public state. What can lie face down is a token, never a field");
/// What to change, by the beginning of the item that it stands above.
const MARKS: [(&str, &str); 12] = [
    ("const INFO:", "title, pitch, designer, seats and minutes. The name must stay that of the folder"),
    ("fn new(", "the set-up. All tokens begin face up; a shuffle hides them"),
    ("fn node(", "what the game waits for next: a decision, chance, a reveal, or nothing more"),
    ("fn legal(", "the list of actions. It may read what the deciding seat knows, and nothing else hidden"),
    ("fn apply(", "the rules. Check everything first, then change the state"),
    ("fn outcome(", "who has won, or the points of all seats"),
    ("impl Describe for", "the texts: the rules in short, the table in a terminal, the log"),
    ("const MOST_ACTIONS:", "the longest list of legal actions. Leave it out if you do not know"),
    ("impl Heuristic for", "advice for bots. Without `rate_with` Captain tries each action in random games"),
    ("actions! {", "the actions and how they are written: words, and fields in braces"),
    ("numbered! {", "the values that an action names, and how they are written"),
    ("words! {", "the actions, each with the word that is written for it"),
];

/// A file of the new game: its path in the folder of the game, and its text.
type File = (PathBuf, String);

/// Returns the names of the classics, as the manifest of their crate lists them: `tic-tac-toe`, …. Empty if the
/// manifest has no such list.
///
/// # Errors
///
/// Fails if the manifest cannot be read.
pub(crate) fn classics(root: &Path) -> Result<Vec<String>> {
    let manifest = read(&root.join(GAMES).join("classics/Cargo.toml"))?;
    let list = manifest.split_once("games = [").and_then(|(_, rest)| rest.split_once(']'));
    let types = list.map_or("", |(types, _)| types).split('"').skip(1).step_by(2);
    Ok(types.map(|kind| separated(kind, '-')).collect())
}

/// Returns the files of the game `name` as a copy of the classic `like` of the workspace at `root`, by path in its
/// folder and text: manifest, sources, tests, a scenario and a page of rules. The source is not formatted. Writes
/// nothing. Only the files of the classic itself get marks of what to change.
///
/// # Errors
///
/// Fails if there is no such classic, its source or scenario cannot be read, or the type of the new game would have a
/// name that the source already uses.
pub(super) fn files(root: &Path, name: &GameName, like: &str) -> Result<Vec<File>> {
    let known = classics(root)?;
    if !known.iter().any(|classic| classic == like) {
        return Err(TaskError::new(format!("there is no classic `{like}`; there are {}", known.join(", "))));
    }
    let crate_folder = root.join(GAMES).join("classics");
    let Module { files: mut sources, own } = module(&crate_folder.join("src"), &like.replace('-', "_"))?;
    let kind: String = like.split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect();
    if sources.iter().any(|(_, text)| words(text).any(|(_, word)| word == name.camel())) {
        return Err(TaskError::new(format!(
            "`{}` cannot be the name of a game: {like} uses the word {} for something else",
            name.kebab(),
            name.camel()
        )));
    }
    if let Some((_, lib)) = sources.first_mut()
        && !lib.contains("impl Metrics for")
    {
        lib.push_str(&format!("\nimpl pentarchy_engine::Metrics for {kind} {{}}\n"));
    }

    let title = sources.iter().find_map(|(_, text)| text.split_once("title: \"")?.1.split('"').next());
    let title = title.unwrap_or(like).to_owned();
    let rename = Rename { name, like, kind: &kind, title: &title };
    let rules = rules(root, like, &sources, &rename)?;
    let mut files = vec![(PathBuf::from("Cargo.toml"), manifest(&crate_folder, name)?)];
    for (i, (path, text)) in sources.into_iter().enumerate() {
        let text = rename.apply(&without_classic(&text));
        files.push((Path::new("src").join(path), if i < own { marked(&text, i == 0) } else { text }));
    }
    files.push(("tests/game.rs".into(), tests(name)));
    files.push(scenario(root, like, &rename)?);
    files.push(("rules.md".into(), rules));
    Ok(files)
}

/// Returns the source without the constant `CLASSIC`, by which a game says that it is one of the classics; unchanged if
/// it has none.
fn without_classic(source: &str) -> String {
    source.replace("    const CLASSIC: bool = true;\n\n", "")
}

/// A module of the classics as the source of a crate.
struct Module {
    /// Its files, `lib.rs` first, then the shared ones that it uses.
    files: Vec<File>,
    /// How many of the files are its own.
    own: usize,
}

/// Reads the module `name` of the classics from their folder `src`, a file or a folder with `mod.rs`, and the shared
/// modules that it uses by paths that begin with `crate::`. Paths of the module become those of a crate, and `lib.rs`
/// declares the shared modules.
///
/// # Errors
///
/// Fails if a file cannot be read.
fn module(src: &Path, name: &str) -> Result<Module> {
    let single = src.join(format!("{name}.rs"));
    let mut files = if single.exists() {
        vec![(PathBuf::from("lib.rs"), read(&single)?)]
    } else {
        let mut files = vec![(PathBuf::from("lib.rs"), read(&src.join(name).join("mod.rs"))?)];
        for path in listed(&src.join(name))? {
            let file = PathBuf::from(path.file_name().unwrap_or_default());
            if file != Path::new("mod.rs") {
                files.push((file, read(&path)?));
            }
        }
        files
    };
    let own_path = format!("crate::{name}::");
    files.iter_mut().for_each(|(_, text)| *text = text.replace(&own_path, "crate::"));

    let own = files.len();
    let root = read(&src.join("lib.rs"))?;
    let declared = root.lines().filter(|line| line.starts_with("mod ") || line.starts_with("pub mod "));
    let mut declarations = String::new();
    for line in declared {
        let Some(shared) = line.split_whitespace().last().map(|word| word.trim_end_matches(';')) else {
            continue;
        };
        let uses = |text: &str| text.contains(&format!("crate::{shared}::"));
        if shared != name && files.iter().any(|(_, text)| uses(text)) {
            files.push((format!("{shared}.rs").into(), read(&src.join(format!("{shared}.rs")))?));
            declarations.push_str(&format!("{line}\n"));
        }
    }
    if let Some((_, lib)) = files.first_mut() {
        let after_docs =
            lib.lines().take_while(|line| line.starts_with("//!")).map(|line| line.len() + 1).sum();
        let (docs, code) = lib.split_at(after_docs);
        *lib = format!("{docs}\n{declarations}{code}");
    }
    Ok(Module { files, own })
}

/// How the names of a classic become those of the new game.
struct Rename<'a> {
    /// The name of the new game.
    name: &'a GameName,
    /// Name of the classic, as `tic-tac-toe`.
    like: &'a str,
    /// Its type, as `TicTacToe`.
    kind: &'a str,
    /// Its title, as `Tic-tac-toe`.
    title: &'a str,
}

impl Rename<'_> {
    /// Returns the text with title (also in capitals), quoted name and type of the classic replaced by those of the new
    /// game; also types that begin with that type. A word after an initial is a person's name (`H. W. Kuhn`) and stays.
    fn apply(&self, text: &str) -> String {
        let title = self.name.title();
        let text = text.replace(self.title, &title);
        let text = text.replace(&self.title.to_uppercase(), &title.to_uppercase());
        let text = text.replace(&format!("\"{}\"", self.like), &format!("\"{}\"", self.name.kebab()));
        let mut out = String::new();
        let mut done = 0;
        for (at, word) in words(&text) {
            // The type itself, or one that is named after it: `LiarsDiceOptions`.
            let rest = word.strip_prefix(self.kind);
            let is_type = rest.is_some_and(|rest| rest.chars().next().is_none_or(char::is_uppercase));
            if is_type && !text[..at].ends_with(". ") {
                out.push_str(&text[done..at]);
                out.push_str(&self.name.camel());
                done = at + self.kind.len();
            }
        }
        out.push_str(&text[done..]);
        out
    }
}

/// Iterates over the words of letters, digits and underscores of a text, with the byte indexes at which they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c: char| !is_part(c))
        .map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word))
        .filter(|(_, word)| !word.is_empty())
}

/// Returns the source with a comment above the first occurrence of each item of [`MARKS`] that says what to change,
/// before its doc comment and attributes; with `state` also [`STATE_MARK`]. Items that do not occur are skipped.
fn marked(source: &str, state: bool) -> String {
    let lines: Vec<&str> = source.lines().collect();
    let mut out: Vec<String> = Vec::new();
    let mut unused: Vec<_> = MARKS.into_iter().chain(state.then_some(STATE_MARK)).collect();
    for line in lines {
        let item = line.trim_start();
        if let Some(found) = unused.iter().position(|(begin, _)| item.starts_with(begin)) {
            let (_, what) = unused.remove(found);
            let above = out.iter().rev().take_while(|line| {
                let line = line.trim_start();
                line.starts_with("///") || line.starts_with("#[")
            });
            let at = out.len() - above.count();
            let indent = &line[..line.len() - item.len()];
            out.insert(at, format!("{indent}// Change: {what}."));
        }
        out.push(line.to_owned());
    }
    out.join("\n") + "\n"
}

/// Returns the text of the manifest of the new crate, `pentarchy-NAME`, with the dependencies of the classics, whose
/// crate is in the folder `classics`.
///
/// # Errors
///
/// Fails if the manifest of the classics cannot be read.
fn manifest(classics: &Path, name: &GameName) -> Result<String> {
    let theirs = read(&classics.join("Cargo.toml"))?;
    let dependencies = theirs.split_once("[dependencies]\n").map_or("", |(_, rest)| rest);
    let dependencies = dependencies.split("\n[").next().unwrap_or_default().trim_end();
    Ok(format!(
        "[package]
name = \"pentarchy-{}\"
description = \"{}\"
version.workspace = true
edition.workspace = true
rust-version.workspace = true
license.workspace = true
publish.workspace = true

[lib]
test = false

[dependencies]
{dependencies}

[dev-dependencies]
pentarchy-testkit.workspace = true

[lints]
workspace = true
",
        name.kebab(),
        name.title()
    ))
}

/// Returns the source of the test program of the new game: it checks the laws of games, that the game's advice beats
/// chance, and its scenarios.
fn tests(name: &GameName) -> String {
    let (snake, camel) = (name.snake(), name.camel());
    format!(
        "//! All tests of the game in one program, so that it is compiled once.

use pentarchy_{snake}::{camel};
use pentarchy_testkit::conformance::{{self, ConformancePlan}};
use pentarchy_testkit::scenario::{{self, CoverageError}};

#[test]
fn keeps_the_laws() {{
    conformance::check::<{camel}>(&ConformancePlan::quick());
}}

#[test]
fn its_advice_beats_chance() {{
    conformance::beats_random::<{camel}>();
}}

// Change: name the rules that must have a scenario, by the words that scenarios have in `rule`.
#[test]
fn scenarios_pass() -> Result<(), CoverageError> {{
    scenario::check_dir::<{camel}>(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/scenarios\"), &[])
}}
"
    )
}

/// Returns the first scenario of the classic by file name as one of the new game, renamed and with a mark: its path
/// below `scenarios` and its text.
///
/// # Errors
///
/// Fails if the classic has none, or it cannot be read.
fn scenario(root: &Path, like: &str, rename: &Rename<'_>) -> Result<File> {
    let folders = ["scenarios/classics", "scenarios"].map(|folder| root.join(folder).join(like));
    let folder = folders.iter().find(|folder| folder.is_dir());
    let folder = folder.ok_or_else(|| TaskError::new(format!("{like} has no scenarios")))?;
    let files = listed(folder)?;
    let first = files.first().ok_or_else(|| TaskError::new(format!("{} is empty", folder.display())))?;
    let mark =
        "# Change: one file for each worked example of the rules; docs/scenarios.md describes the format.\n";
    let file = Path::new("scenarios").join(first.file_name().unwrap_or_default());
    Ok((file, format!("{mark}{}", rename.apply(&read(first)?))))
}

/// Returns the page of rules with a mark and the names of the new game: that of the classic in `docs/rules`, or else
/// its summary in the source (empty if there is none).
///
/// # Errors
///
/// Fails if the page cannot be read.
fn rules(root: &Path, like: &str, sources: &[File], rename: &Rename<'_>) -> Result<String> {
    let mark = "<!-- Change: the whole rules in your own words, with credit to the designer. -->\n\n";
    let page = root.join(format!("docs/rules/{like}.md"));
    if page.exists() {
        return Ok(format!("{mark}{}", rename.apply(&read(&page)?)));
    }
    let summary = sources.iter().find_map(|(_, text)| {
        text.split_once("const SUMMARY: &'static str = \"\\\n")?.1.split_once("\";").map(|(text, _)| text)
    });
    let summary = rename.apply(summary.unwrap_or_default());
    Ok(format!("{mark}# {}\n\n```text\n{summary}```\n", rename.name.title()))
}

/// Returns the paths of the files in a folder, sorted; folders in it, and entries that cannot be read, are left out.
///
/// # Errors
///
/// Fails if it cannot be read.
fn listed(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).context(format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.retain(|path| path.is_file());
    files.sort();
    Ok(files)
}

/// Returns the text of a file.
///
/// # Errors
///
/// Fails with its path if it cannot be read.
fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).context(format!("cannot read {}", path.display()))
}

/// Returns a type name as lower-case words with this separator: `TicTacToe` with `-` as `tic-tac-toe`. Each capital
/// begins a word.
fn separated(kind: &str, separator: char) -> String {
    let mut name = String::new();
    for c in kind.chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push(separator);
        }
        name.extend(c.to_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;

    /// Returns the folder of this workspace.
    fn root() -> PathBuf {
        Workspace::find().unwrap().root().to_path_buf()
    }

    /// Parses a well-formed name of a game.
    fn game(name: &str) -> GameName {
        GameName::parse(name).unwrap()
    }

    #[test]
    fn every_classic_is_a_template_of_at_most_eight_files() {
        for like in classics(&root()).unwrap() {
            let files = files(&root(), &game("river-trade"), &like).unwrap();
            // Besides the manifest, in which nothing has to be changed.
            assert!(files.len() <= 9, "{like}: {} files", files.len());
            let all: String = files.iter().map(|(_, text)| text.as_str()).collect();
            assert!(
                all.contains("name: \"river-trade\"") && all.contains("impl Game for RiverTrade"),
                "{like}"
            );
            assert!(!all.contains(&format!("\"{like}\"")), "{like} is still named");
            let marks = all.matches("Change: ").count();
            assert!((8..=16).contains(&marks), "{like}: {marks} places are marked");
            for (path, text) in files {
                assert!(text.lines().count() < 450, "{like}: {} is long", path.display());
            }
        }
    }

    #[test]
    fn names_of_people_stay() {
        let (name, title) = (game("river-trade"), "Kuhn poker".to_owned());
        let rename = Rename { name: &name, like: "kuhn", kind: "Kuhn", title: &title };
        let text = "//! Kuhn poker. H. W. Kuhn, 1950.\nKuhn { name: \"kuhn\" }, KuhnOptions // KUHN POKER";
        let expected = "//! River trade. H. W. Kuhn, 1950.\nRiverTrade { name: \"river-trade\" }, RiverTradeOptions // RIVER TRADE";
        assert_eq!(rename.apply(text), expected);
    }

    #[test]
    fn a_name_that_the_source_uses_is_rejected() {
        for name in ["game", "stage", "vec", "option"] {
            let trouble = files(&root(), &game(name), "kuhn").unwrap_err().to_string();
            assert!(trouble.contains("for something else"), "{trouble}");
        }
        let trouble = files(&root(), &game("river-trade"), "chess").unwrap_err().to_string();
        assert!(trouble.starts_with("there is no classic `chess`; there are tic-tac-toe, "), "{trouble}");
    }

    #[test]
    fn marks_stand_above_doc_comments() {
        let source = "impl X {\n    /// Doc.\n    #[inline]\n    fn apply(&self) {}\n}\n";
        let expected = "impl X {\n    // Change: the rules. Check everything first, then change the state.\n    /// Doc.\n    \
                        #[inline]\n    fn apply(&self) {}\n}\n";
        assert_eq!(marked(source, true), expected);
        // Only the first structure of `lib.rs` is the state.
        assert!(marked("pub struct A;\n", true).starts_with("// Change: the public state"));
        assert_eq!(marked("pub struct A;\n", false), "pub struct A;\n");
    }
}
