//! Part of the `words` check: the files and folders that Markdown pages name exist, and so do the targets of their
//! links.

use std::collections::BTreeSet;

use crate::words::{Finding, SourceFile};

/// A code span is checked if it begins with one of these folders.
const FOLDERS: &[&str] =
    &["crates/", "docs/", "examples/", "fuzz/", "playthroughs/", "scenarios/", "verifier/", "xtask/"];

/// Parts of paths that stand for a name which the reader chooses, and the names of what a tutorial makes.
const PLACEHOLDERS: &[&str] =
    &["NAME", "GAME", "swap-poker", "a-bluff-wins-the-ante", "a-swapped-card-stays-hidden"];

/// Lists of sentences that players read; they link to nothing.
const PLAYER_TEXTS: &str = "docs/texts/";

/// Returns a finding for each path in a code span, and each relative link, of a Markdown page that names no file or
/// folder of `files`, or no heading of the page that it links to. Blocks of code, links to other sites and paths with
/// placeholders are not checked; a path may be followed by `::` and the name of a test, which is not checked.
pub(crate) fn find(files: &[SourceFile]) -> Vec<Finding> {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for file in files {
        let mut path = file.path.as_str();
        known.insert(path);
        while let Some((folder, _)) = path.rsplit_once('/') {
            known.insert(folder);
            path = folder;
        }
    }
    let pages =
        files.iter().filter(|file| file.path.ends_with(".md") && !file.path.starts_with(PLAYER_TEXTS));
    let mut found = Vec::new();
    for page in pages {
        for (number, line) in prose(&page.text) {
            let spans = line.split('`').skip(1).step_by(2).filter_map(named_path);
            let spans =
                spans.filter(|path| !known.contains(path)).map(|path| format!("there is no `{path}`"));
            let links = link_targets(line).filter(|target| !is_reached(page, target, &known, files));
            let links = links.map(|target| format!("the link `{target}` leads nowhere"));
            let place = || format!("{}:{number}", page.path);
            found.extend(spans.chain(links).map(|message| Finding { place: place(), message }));
        }
    }
    found
}

/// Iterates over the lines of a page outside of fenced blocks, with their numbers from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().zip(1..).filter_map(move |(line, number)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((number, line))
    })
}

/// Returns the path that a code span names, without the test after it; `None` if it names none of [`FOLDERS`], has
/// other characters than a path, or has a placeholder.
fn named_path(span: &str) -> Option<&str> {
    let path = span.split("::").next().unwrap_or(span).trim_end_matches('/');
    let is_path = FOLDERS.iter().any(|folder| path.starts_with(folder))
        && path.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c))
        && !path.split(['/', '.']).any(|part| PLACEHOLDERS.contains(&part));
    is_path.then_some(path)
}

/// Iterates over the targets of the Markdown links of a line that name no other site, as they are written. Code spans
/// with brackets and parentheses next to each other count as links, except those without a dot, a slash or a `#`.
fn link_targets(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://") && target.contains(['.', '/', '#']))
}

/// Returns whether a link of a page leads to a file or folder of `known` and, with `#`, to a heading of that page,
/// which must be in `files`. A PNG image without `#` always counts as reached, and so does the root of the repository.
fn is_reached(page: &SourceFile, target: &str, known: &BTreeSet<&str>, files: &[SourceFile]) -> bool {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { page.path.clone() } else { resolved(&page.path, file) };
    let target = files.iter().find(|other| other.path == path);
    match (anchor, target) {
        // Images are no text files, so they are not among `files`.
        ("", None) => known.contains(path.as_str()) || path.ends_with(".png") || path.is_empty(),
        ("", Some(_)) => true,
        (anchor, Some(page)) => prose(&page.text).any(|(_, line)| anchor_of(line).as_deref() == Some(anchor)),
        (_, None) => false,
    }
}

/// Returns the path to which a relative link of the page `from` leads, relative to the repository, with `.` and `..`
/// resolved. A `..` above the root is ignored. Whether the path exists is not checked.
fn resolved(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.trim_end_matches('/').split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the anchor of a line that is a heading: lower case, hyphens for spaces, no punctuation; `None` for other
/// lines. Of a link in the heading only the text counts.
fn anchor_of(line: &str) -> Option<String> {
    let heading = line.trim_start_matches('#');
    let title = heading.strip_prefix(' ').filter(|_| heading.len() < line.len())?;
    let title = title.split('[').map(|part| part.split_once("](").map_or(part, |(text, _)| text));
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    let text: String = title.collect::<String>().chars().filter(kept).collect();
    Some(text.trim().to_lowercase().replace(' ', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the findings in a page `docs/a.md` with this text, beside a few other files.
    fn found(text: &str) -> Vec<String> {
        let files = [
            SourceFile::new("docs/a.md", text),
            SourceFile::new("docs/b.md", "# One\n\n## Two words, here\n"),
            SourceFile::new("crates/x/src/lib.rs", ""),
        ];
        find(&files).into_iter().map(|finding| format!("{} {}", finding.place, finding.message)).collect()
    }

    #[test]
    fn paths_in_code_spans_must_exist() {
        assert_eq!(
            found("See `crates/x`, `crates/x/src/`, `crates/x/src/lib.rs::test` and `docs/b.md`."),
            [""; 0]
        );
        assert_eq!(found("one\n`crates/x/src/main.rs`"), ["docs/a.md:2 there is no `crates/x/src/main.rs`"]);
        assert_eq!(found("| `crates/y` | `crates/x` |"), ["docs/a.md:1 there is no `crates/y`"]);
    }

    #[test]
    fn placeholders_commands_and_blocks_of_code_are_not_checked() {
        let text =
            "`crates/games/NAME/rules.md`, `crates/<game>`, `crates/y x`, `src/y.rs`\n```\n`crates/y`\n```\n";
        assert_eq!(found(text), [""; 0]);
    }

    #[test]
    fn links_must_lead_to_a_file_and_a_heading() {
        let text = "[b](b.md), [here](b.md#two-words-here), [up](../crates/x), [own](#own)\n# Own\n[web](https://x.org/y.md)";
        assert_eq!(found(text), [""; 0]);
        assert_eq!(
            found("[c](c.md) [d](b.md#three) [e](#four)"),
            [
                "docs/a.md:1 the link `c.md` leads nowhere",
                "docs/a.md:1 the link `b.md#three` leads nowhere",
                "docs/a.md:1 the link `#four` leads nowhere"
            ]
        );
    }
}
