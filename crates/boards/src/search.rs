//! Finding words in a page of rules.

/// Searches a page of rules in HTML for the words of `wanted`, separated by spaces, in any case and as parts of
/// words. Returns the HTML of the sections (from an `h2` or `h3` to the next) that contain all of them, with the
/// words in `<mark>`, and a text for the number of sections: `Nothing is said about this.`, `1 section`,
/// `2 sections`. Without words, returns the page unchanged and an empty text.
pub fn search(text: &str, wanted: &str) -> (String, String) {
    let words: Vec<String> = wanted.split_whitespace().map(str::to_lowercase).collect();
    if words.is_empty() {
        return (text.to_string(), String::new());
    }
    let mut sections: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(next) = next_heading(rest) {
        sections.push(&rest[..next]);
        rest = &rest[next..];
    }
    sections.push(rest);
    let has = |section: &&&str| {
        let plain = without_tags(section).to_lowercase();
        words.iter().all(|word| plain.contains(word.as_str()))
    };
    let hits: Vec<String> =
        sections.iter().filter(has).map(|section| mark_section(section, &words)).collect();
    let said = match hits.len() {
        0 => "Nothing is said about this.".to_string(),
        1 => "1 section".to_string(),
        n => format!("{n} sections"),
    };
    (hits.concat(), said)
}

/// Returns the byte offset of the next `<h2` or `<h3` after the first byte, where the next section begins; `None` in
/// the last one.
fn next_heading(text: &str) -> Option<usize> {
    ["<h2", "<h3"].iter().filter_map(|tag| text.get(1..)?.find(tag).map(|at| at + 1)).min()
}

/// Returns HTML text without its tags. Entities stay as they are; a `>` outside of a tag is dropped, and so
/// is everything after a `<` that is not closed.
fn without_tags(text: &str) -> String {
    let mut inside = false;
    let keep = |c: &char| {
        match c {
            '<' => inside = true,
            '>' => {
                inside = false;
                return false;
            }
            _ => {}
        }
        !inside
    };
    text.chars().filter(keep).collect()
}

/// Returns the HTML of a section with the words in `<mark>`, outside of tags. `words` must be in lower case.
fn mark_section(section: &str, words: &[String]) -> String {
    let mut out = String::with_capacity(section.len());
    for piece in section.split_inclusive('>') {
        let (text, tag) = piece.find('<').map_or((piece, ""), |at| piece.split_at(at));
        out.push_str(&mark_words(text, words));
        out.push_str(tag);
    }
    out
}

/// Puts the words into `<mark>` in a text without tags, in any case and as parts of words. `words` must be in lower
/// case and not empty. Of words that overlap, the one that begins first is marked, of those the shortest. Returns the
/// text unchanged if its lower case has another length in bytes.
fn mark_words(text: &str, words: &[String]) -> String {
    let lower = text.to_lowercase();
    // Skip texts whose lower case has another length: the offsets would not match.
    if lower.len() != text.len() {
        return text.to_string();
    }
    let (mut out, mut at) = (String::new(), 0);
    while let Some((start, length)) =
        words.iter().filter_map(|word| lower[at..].find(word.as_str()).map(|i| (at + i, word.len()))).min()
    {
        if !text.is_char_boundary(start) || !text.is_char_boundary(start + length) {
            break;
        }
        out.push_str(&text[at..start]);
        out.push_str("<mark>");
        out.push_str(&text[start..start + length]);
        out.push_str("</mark>");
        at = start + length;
    }
    out + &text[at..]
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<h1>Game</h1><p>Intro.</p><h2 id=\"a\">Income</h2><p>Land pays <b>income</b>.</p><h3>War</h3><p>No pay.</p>";

    #[test]
    fn only_sections_with_all_words_are_left_and_the_words_are_marked() {
        let (text, said) = search(PAGE, "PAY income");
        assert_eq!(said, "1 section");
        assert!(text.starts_with("<h2 id=\"a\"><mark>Income</mark></h2>"), "{text}");
        assert!(text.contains("<b><mark>income</mark></b>") && text.contains("<mark>pay</mark>s"), "{text}");
        assert!(!text.contains("War"));
        assert_eq!(search(PAGE, "pay").1, "2 sections");
    }

    #[test]
    fn tags_are_never_searched_or_marked() {
        assert_eq!(search(PAGE, "id=").1, "Nothing is said about this.");
        assert_eq!(search(PAGE, "  "), (PAGE.to_string(), String::new()));
        let (text, _) = search("<h2>Ünder</h2><p>ÜNDER b</p>", "b");
        assert!(text.contains("<mark>b</mark></p>"), "{text}");
    }
}
