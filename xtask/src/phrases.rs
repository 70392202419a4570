//! Part of the `words` check: the phrases that docs/style.md bans, in comments and documentation.

use crate::{
    task_error::{Result, TaskError},
    words::{Finding, SourceFile},
};

/// The page that lists the banned phrases. It quotes them, so it is not checked itself.
pub(crate) const STYLE_PAGE: &str = "docs/style.md";

/// Lists of sentences that players read, written by the golden tests.
const PLAYER_TEXTS: &str = "docs/texts/";
/// The folder of the games, and the list of sentences that a game has in its own folder until it is shipped.
const GAMES: &str = "crates/games/";
const OWN_TEXTS: &str = "/texts.md";

/// The changelog, of which only the unreleased entries are checked.
const CHANGELOG: &str = "CHANGELOG.md";

/// Returns the banned phrases from the text of the style page, in lower case and in their order. Empty lines and fences
/// do not count.
///
/// # Errors
///
/// Fails if the page has no list of phrases between its two markers, or an empty one.
pub(crate) fn banned(style: &str) -> Result<Vec<String>> {
    let block = style.split("<!-- banned-phrases:begin -->").nth(1);
    let block = block.and_then(|rest| rest.split("<!-- banned-phrases:end -->").next()).unwrap_or_default();
    let lines = block.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("```"));
    let phrases: Vec<String> = lines.map(str::to_lowercase).collect();
    if phrases.is_empty() {
        return Err(TaskError::new(format!("{STYLE_PAGE} has no list of banned phrases")));
    }
    Ok(phrases)
}

/// Returns a finding with its line for each occurrence of a banned phrase in the prose of a file: whole pages of
/// Markdown, and comments of Rust and JavaScript. A phrase is found across line ends, at word boundaries, without
/// regard to case; `phrases` must be in lower case. Empty for files without prose. Findings are ordered by paragraph,
/// then by phrase.
pub(crate) fn find(file: &SourceFile, phrases: &[String]) -> Vec<Finding> {
    let mut found = Vec::new();
    for paragraph in paragraphs(file) {
        for phrase in phrases {
            for at in occurrences(&paragraph.text, phrase) {
                let line =
                    paragraph.starts.iter().rev().find(|(start, _)| *start <= at).map_or(0, |start| start.1);
                found.push(Finding {
                    place: format!("{}:{line}", file.path),
                    message: format!("`{phrase}` is banned by {STYLE_PAGE}"),
                });
            }
        }
    }
    found
}

/// Adjacent lines of prose, joined by spaces, in lower case.
#[derive(Default)]
struct Paragraph {
    /// The lines, each with a space after it.
    text: String,
    /// Where each line starts in `text`, and its number in the file.
    starts: Vec<(usize, usize)>,
}

/// Splits the prose of a file into paragraphs of lower-case text, with their line numbers from 1. Lines without prose
/// separate them; some paragraphs may be empty. Released versions of the changelog and everything after them are left
/// out.
fn paragraphs(file: &SourceFile) -> Vec<Paragraph> {
    let mut paragraphs = vec![Paragraph::default()];
    for (i, line) in file.text.lines().enumerate() {
        if file.path == CHANGELOG && is_released_version(line) {
            break;
        }
        match prose(&file.path, line).map(str::trim).filter(|text| !text.is_empty()) {
            None => paragraphs.push(Paragraph::default()),
            Some(text) => {
                if let Some(last) = paragraphs.last_mut() {
                    last.starts.push((last.text.len(), i + 1));
                    last.text.push_str(&text.to_lowercase());
                    last.text.push(' ');
                }
            }
        }
    }
    paragraphs
}

/// Returns whether this line of the changelog is the heading of a released version (`## [`, but not `## [Unreleased]`),
/// from which on nothing is checked.
fn is_released_version(line: &str) -> bool {
    line.starts_with("## [") && !line.starts_with("## [Unreleased]")
}

/// Returns the prose of a line: a whole line of Markdown, or the comment in a line of code; `None` if there
/// is none, or the file is exempt or of another kind.
fn prose<'a>(path: &str, line: &'a str) -> Option<&'a str> {
    let is_players = path.starts_with(PLAYER_TEXTS) || path.starts_with(GAMES) && path.ends_with(OWN_TEXTS);
    if path == STYLE_PAGE || is_players {
        return None;
    }
    match path.rsplit('.').next()? {
        "md" => Some(line),
        "rs" => comment(line, &['"']),
        "js" | "mjs" => {
            let trimmed = line.trim_start();
            let in_block = trimmed.starts_with("/*") || trimmed.starts_with("* ");
            if in_block { Some(trimmed) } else { comment(line, &['"', '\'', '`']) }
        }
        _ => None,
    }
}

/// Returns the text after the first `//` of a line that is not inside a string; `None` if there is none. `quotes` are
/// the characters that begin and end strings. Slashes and exclamation marks at its beginning are cut off. A string that
/// began on an earlier line is not recognised.
fn comment<'a>(line: &'a str, quotes: &[char]) -> Option<&'a str> {
    let mut open = None;
    let mut previous = ' ';
    for (at, c) in line.char_indices() {
        match open {
            Some(quote) if c == quote && previous != '\\' => open = None,
            Some(_) => {}
            // A quote between apostrophes is a character, not the beginning of a string.
            None if quotes.contains(&c) && previous != '\'' => open = Some(c),
            None if c == '/' && previous == '/' => {
                return line.get(at + 1..).map(|text| text.trim_start_matches(['/', '!']));
            }
            None => {}
        }
        previous = if previous == '\\' && c == '\\' { ' ' } else { c };
    }
    None
}

/// Iterates over the byte offsets at which a phrase occurs in a text at word boundaries. Case counts.
fn occurrences<'a>(text: &'a str, phrase: &'a str) -> impl Iterator<Item = usize> + 'a {
    let in_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(phrase).map(|(at, _)| at).filter(move |&at| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + phrase.len()..).and_then(|text| text.chars().next());
        !in_word(before) && !in_word(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the places of `bananas` and `two words` in the prose of a file with this path and text.
    fn places(path: &str, text: &str) -> Vec<String> {
        let phrases = ["bananas".to_string(), "two words".to_string()];
        find(&SourceFile::new(path, text), &phrases).into_iter().map(|finding| finding.place).collect()
    }

    #[test]
    fn phrases_are_found_in_comments_and_not_in_code() {
        let text = "/// Bananas first.\nfn bananas() {} // no bananas\nlet a = \"bananas // bananas\";";
        assert_eq!(places("a.rs", text), ["a.rs:1", "a.rs:2"]);
        assert_eq!(places("a.mjs", "const a = '//'; // bananas\n/*\n * bananas */"), ["a.mjs:1", "a.mjs:3"]);
        assert_eq!(places("a.toml", "# bananas"), [""; 0]);
    }

    #[test]
    fn characters_and_escapes_do_not_hide_a_comment() {
        assert_eq!(places("a.rs", "let a = '\"'; // bananas"), ["a.rs:1"]);
        assert_eq!(places("a.rs", r#"let a = "\\"; // bananas"#), ["a.rs:1"]);
        assert_eq!(places("a.rs", r#"let a = "\" // bananas";"#), [""; 0]);
    }

    #[test]
    fn phrases_are_found_across_line_ends_at_word_boundaries() {
        assert_eq!(places("a.md", "one\nthese two\nwords.\n"), ["a.md:2"]);
        assert_eq!(places("a.rs", "// these two\n// words."), ["a.rs:1"]);
        assert_eq!(places("a.md", "two wordsmiths; two\n\nwords"), [""; 0]);
    }

    #[test]
    fn quotes_player_texts_and_released_versions_are_exempt() {
        assert_eq!(places(STYLE_PAGE, "bananas"), [""; 0]);
        assert_eq!(places("docs/texts/a.md", "bananas"), [""; 0]);
        assert_eq!(places("crates/games/a/texts.md", "bananas"), [""; 0]);
        let changelog = "## [Unreleased]\nbananas\n\n## [0.1.0] - 2026-11-20\nbananas";
        assert_eq!(places(CHANGELOG, changelog), ["CHANGELOG.md:2"]);
    }

    /// Sentences that must be found, each with the only banned phrase in it.
    const ARCHAIC: &[(&str, &str)] = &[
        ("what became of", "Returns what became of the message."),
        ("what becomes of", "Says what becomes of the card."),
        ("what came of", "// What came of a run."),
        ("what comes of", "Look at what comes of it."),
        ("for ever", "The peer waits for ever."),
        ("the like", "Battles, rolls and the like are reports."),
        ("thereby", "The message is thereby sent again."),
        ("in vain", "Two tabs try in vain."),
        ("is of use", "The item is of use to others."),
        ("as said above", "The token is public, as said above."),
        ("however many", "The result is equal, however many threads there are."),
        ("however much", "The queue is bounded, however much is sent."),
        ("these eyes", "Draws what these eyes see."),
        ("no way for", "This is no way for two machines to continue."),
        ("whoever", "Whoever moves first wins."),
        ("is told", "The player is told the result."),
        ("so many", "The seat votes so many times."),
        ("goes on as", "The task goes on as another."),
    ];

    #[test]
    fn archaic_sentences_are_found_and_plain_ones_are_not() {
        let phrases = banned(include_str!("../../docs/style.md")).unwrap();
        for (phrase, text) in ARCHAIC {
            let found = find(&SourceFile::new("a.md", text), &phrases);
            let messages: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
            assert_eq!(messages, [format!("`{phrase}` is banned by {STYLE_PAGE}")], "{text}");
        }
        let plain = "Returns the result of the message. The peer waits forever. Whatever the number of threads, \
            the result is equal. Use the likely option. It is useful to others; there is no way around it.";
        assert!(find(&SourceFile::new("a.md", plain), &phrases).is_empty());
    }

    #[test]
    fn the_style_page_lists_the_phrases() {
        let phrases = banned(include_str!("../../docs/style.md")).unwrap();
        assert!(phrases.len() > 20 && phrases.iter().all(|phrase| !phrase.is_empty()), "{phrases:?}");
        assert!(!phrases.iter().any(|phrase| phrase.contains('`')), "{phrases:?}");
        assert!(banned("no list").is_err());
    }
}
