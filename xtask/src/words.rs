//! The `words` check: what must not be written in the project's files.

use std::process::Command;

use crate::{
    trouble::{Context, Result, Trouble},
    workspace::Workspace,
};

/// Something that must not be written. The texts are glued together from pieces, so that this file
/// passes its own check.
struct Forbidden {
    text: &'static str,
    why: &'static str,
    place: Place,
}

/// Where a text counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Anywhere.
    Anywhere,
    /// Only at the start of a path: not after a letter, a digit, a dot or the like.
    PathStart,
    /// Only in Rust code.
    Code,
}

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

/// The files of this name are written by cargo, which has to name the registry.
const EXCEPT: &str = "Cargo.lock";

const fn code(text: &'static str, why: &'static str) -> Forbidden {
    Forbidden { text, why, place: Place::Code }
}

const fn path(text: &'static str) -> Forbidden {
    Forbidden {
        text,
        why: "a path of one machine: use one relative to the repository",
        place: Place::PathStart,
    }
}

const fn host(text: &'static str) -> Forbidden {
    Forbidden { text, why: "a host of a registry: name the package, not the place", place: Place::Anywhere }
}

impl Forbidden {
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

/// Looks through every file that is tracked or could be.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let mut git = Command::new("git");
    git.current_dir(workspace.root()).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let output = git.output().context("cannot start git, which lists the files to look at")?;
    if !output.status.success() {
        return Err(Trouble::new(format!(
            "git cannot list the files to look at: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )));
    }
    let listed = String::from_utf8_lossy(&output.stdout);
    let (mut files, mut found) = (0, 0);
    for file in listed.split('\0').filter(|file| !file.is_empty() && !file.ends_with(EXCEPT)) {
        // Pictures and other files that are no text, and files just deleted, have no words.
        let Ok(text) = workspace.read(file) else { continue };
        files += 1;
        for (number, word) in forbidden(file, &text) {
            println!("{file}:{number}: `{}`: {}", word.text, word.why);
            found += 1;
        }
    }
    if found > 0 {
        return Err(Trouble::new(format!(
            "{found} lines in {files} files hold what must not be written there"
        )));
    }
    println!("nothing forbidden in {files} files");
    Ok(())
}

/// The forbidden texts in a file, with the numbers of their lines.
fn forbidden<'a>(file: &'a str, text: &'a str) -> impl Iterator<Item = (usize, &'static Forbidden)> + 'a {
    text.lines().enumerate().flat_map(move |(i, line)| {
        FORBIDDEN.iter().filter(move |word| word.is_in(file, line)).map(move |word| (i + 1, word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(file: &str, text: &str) -> Vec<usize> {
        forbidden(file, text).map(|(line, _)| line).collect()
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
