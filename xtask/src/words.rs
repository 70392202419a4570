//! The `words` check: texts that must not occur in any file, banned phrases, duplicate type names, names of error
//! types, paths and links in documentation, and the length of commit subjects.

use std::process::Command;

use crate::{
    doc_paths, error_names, phrases, subjects,
    task_error::{Context, Result, TaskError},
    type_names,
    workspace::Workspace,
};

/// A text that must not occur in a file. The texts are concatenated from pieces, so that this file passes its own
/// check.
struct Forbidden {
    /// The text; case counts.
    text: &'static str,
    /// What is wrong with it, or what to write instead.
    why: &'static str,
    /// Where it is forbidden.
    place: Place,
}

/// Where a text is forbidden.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Anywhere.
    Anywhere,
    /// Only at the start of a path: not after a letter, a digit, a dot or another character of a path.
    PathStart,
    /// Only in Rust code.
    Code,
}

/// All forbidden texts.
const FORBIDDEN: &[Forbidden] = &[
    code(concat!("todo", "!"), "write it, or leave it out"),
    code(concat!("unimplemented", "!"), "write it, or leave it out"),
    path(concat!("/wo", "rk/")),
    path(concat!("/ro", "ot/")),
    path(concat!("/ho", "me/")),
    path(concat!("/Us", "ers/")),
    host(concat!("crates", ".io")),
    host(concat!("pypi", ".org")),
    host(concat!("python", "hosted.org")),
    host(concat!("npm", "js.org")),
    host(concat!("npm", "js.com")),
    host(concat!("static.rust", "-lang.org")),
    host(concat!("deb.debian", ".org")),
];

/// Files of this name are written by cargo, which names the registry.
const EXCEPT: &str = "Cargo.lock";

/// Creates the rule that forbids a text anywhere in Rust files, comments included; `why` is shown
/// with a finding.
const fn code(text: &'static str, why: &'static str) -> Forbidden {
    Forbidden { text, why, place: Place::Code }
}

/// Creates the rule that forbids the text, a path of one machine, at the start of a path in any
/// file.
const fn path(text: &'static str) -> Forbidden {
    Forbidden {
        text,
        why: "a path of one machine: use one relative to the repository",
        place: Place::PathStart,
    }
}

/// Creates the rule that forbids the text, a host of a registry, anywhere in any file.
const fn host(text: &'static str) -> Forbidden {
    Forbidden { text, why: "a host of a registry: name the package, not the place", place: Place::Anywhere }
}

impl Forbidden {
    /// Returns whether the forbidden text occurs in a line of the file with path `file`, at the place that the rule
    /// names. Case counts.
    fn is_in(&self, file: &str, line: &str) -> bool {
        let starts_path = |at: usize| {
            let before = line.get(..at).and_then(|text| text.chars().next_back());
            !before.is_some_and(|c| c.is_alphanumeric() || "._-~}>".contains(c))
        };
        match self.place {
            Place::Anywhere => line.contains(self.text),
            Place::PathStart => line.match_indices(self.text).any(|(at, _)| starts_path(at)),
            Place::Code => file.ends_with(".rs") && line.contains(self.text),
        }
    }
}

/// A text file of the repository.
pub(crate) struct SourceFile {
    /// Its path, relative to the root of the repository.
    pub(crate) path: String,
    /// Its content.
    pub(crate) text: String,
}

impl SourceFile {
    /// Creates a file from its path and content.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }
}

/// Something that breaks a rule of docs/style.md or of this file.
pub(crate) struct Finding {
    /// `FILE:LINE`, or the commit.
    pub(crate) place: String,
    /// What is wrong there.
    pub(crate) message: String,
}

/// Checks all text files that are tracked or not ignored for forbidden texts, banned phrases, duplicate type names,
/// error types with other names, and paths and links of pages that lead nowhere; and the subjects of new commits for
/// their length. Prints each finding, or that there is none.
///
/// # Errors
///
/// Fails if there is a finding, or if git cannot list files or commits.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let files = text_files(workspace)?;
    let phrases = phrases::banned(&workspace.read(phrases::STYLE_PAGE)?)?;
    let mut found: Vec<Finding> = files.iter().flat_map(forbidden).collect();
    found.extend(files.iter().flat_map(|file| phrases::find(file, &phrases)));
    found.extend(type_names::duplicates(&files));
    found.extend(files.iter().flat_map(error_names::find));
    found.extend(doc_paths::find(&files));
    found.extend(subjects::check(workspace)?);
    for finding in &found {
        println!("{}: {}", finding.place, finding.message);
    }
    let files = files.len();
    if !found.is_empty() {
        return Err(TaskError::new(format!("{} findings in {files} files and new commits", found.len())));
    }
    println!("nothing forbidden in {files} files and new commits");
    Ok(())
}

/// Returns all files that git tracks or would add, with paths relative to the workspace, in the order of git, except
/// lock files and files that cannot be read as UTF-8 text. A path that is listed twice is returned twice.
///
/// # Errors
///
/// Fails if git cannot list the files.
fn text_files(workspace: &Workspace) -> Result<Vec<SourceFile>> {
    let mut git = Command::new("git");
    git.current_dir(workspace.root()).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let output = git.output().context("cannot start git, which lists the files")?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(TaskError::new(format!("git cannot list the files: {}", reason.trim())));
    }
    let listed = String::from_utf8_lossy(&output.stdout);
    let paths = listed.split('\0').filter(|path| !path.is_empty() && !path.ends_with(EXCEPT));
    // Images and deleted files cannot be read as text; they have no words.
    Ok(paths.filter_map(|path| Some(SourceFile::new(path, &workspace.read(path).ok()?))).collect())
}

/// Returns a finding with its line (from 1) for each forbidden text in a file, one per text and line; empty if there is
/// none.
fn forbidden(file: &SourceFile) -> Vec<Finding> {
    let lines = file.text.lines().enumerate();
    let hits = lines.flat_map(|(i, line)| {
        FORBIDDEN.iter().filter(move |word| word.is_in(&file.path, line)).map(move |word| (i + 1, word))
    });
    hits.map(|(line, word)| Finding {
        place: format!("{}:{line}", file.path),
        message: format!("`{}`: {}", word.text, word.why),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the numbers of the lines with a forbidden text in a file with this path and text, in order.
    fn lines(path: &str, text: &str) -> Vec<usize> {
        let found = forbidden(&SourceFile::new(path, text));
        let numbers = found.iter().filter_map(|finding| finding.place.rsplit(':').next());
        numbers.map(|number| number.parse().unwrap()).collect()
    }

    #[test]
    fn unfinished_code_is_found_in_code_only() {
        let text = concat!("fn f() {\n    to", "do!()\n}");
        assert_eq!(lines("a.rs", text), [2]);
        assert_eq!(lines("a.md", text), [0; 0]);
    }

    #[test]
    fn machine_paths_are_found_where_a_path_starts() {
        assert_eq!(lines("a.md", concat!("cd /wo", "rk/x\n\"/ro", "ot/y\"")), [1, 2]);
        assert_eq!(lines("a.md", concat!("docs/wo", "rk/x\n../wo", "rk/y\n$HOME/wo", "rk/z")), [0; 0]);
    }

    #[test]
    fn hosts_are_found_anywhere() {
        assert_eq!(lines("run.sh", concat!("one\ncurl index.crates", ".io/config.json")), [2]);
    }

    #[test]
    fn this_file_passes() {
        assert_eq!(lines("words.rs", include_str!("words.rs")), [0; 0]);
    }
}
