//! Sentences of texts, and the template that similar sentences share.

use crate::markup::{El, MarkupNode};

/// Returns the text of an element on one line, with a space between its parts.
pub(crate) fn line_of(el: &El) -> String {
    let mut out = String::new();
    for kid in &el.kids {
        let text = match kid {
            MarkupNode::Text(text) => text.to_string(),
            MarkupNode::El(kid) => line_of(kid),
        };
        let is_glued = text.starts_with(['.', ',', ':', '\'', ' ']) || out.ends_with([' ', '\n']);
        if !is_glued && !text.is_empty() && !out.is_empty() {
            out.push(' ');
        }
        out += &text;
    }
    out
}

/// Splits a text into sentences.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    loop {
        let ends = rest.char_indices().find_map(|(at, c)| {
            let next = &rest[at + c.len_utf8()..];
            let begins = |c: char| c.is_uppercase() || c.is_ascii_digit() || "+−[".contains(c);
            let after = next.strip_prefix(' ').is_some_and(|next| next.starts_with(begins));
            (matches!(c, '.' | '!' | '?') && after).then_some(at + c.len_utf8())
        });
        let Some(at) = ends else { break };
        out.push(&rest[..at]);
        rest = rest[at..].trim_start();
    }
    out.push(rest);
    out
}

/// Returns the sentence with its variable parts replaced: numbers, and names of people and things. Lists are
/// reduced to one part.
pub(crate) fn template(text: &str, names: &[String]) -> String {
    let mut text = text.to_string();
    for name in names {
        text = text.replace(name.as_str(), "X");
    }
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '0'..='9' if out.ends_with('N') => {}
            '0'..='9' => out.push('N'),
            '−' => out.push('+'),
            c => out.push(c),
        }
    }
    const SAME: [(&str, &str); 24] = [
        ("X (N)", "X"),
        ("X and you", "X"),
        ("X, you", "X"),
        ("You and X", "X"),
        ("You, X", "X"),
        ("X = 0", "X"),
        ("N × X", "X"),
        ("+ N", "N"),
        ("+N", "N"),
        ("N N", "N"),
        ("N, N", "N"),
        ("N and N", "N"),
        ("XN", "X"),
        ("X N", "X"),
        ("N X", "X"),
        ("X X", "X"),
        ("X, X", "X"),
        ("X; X", "X"),
        ("X and X", "X"),
        ("X + X", "X"),
        ("X, and X", "X"),
        ("X (X)", "X"),
        ("X = N", "X"),
        ("X = X", "X"),
    ];
    while let Some((many, one)) = SAME.into_iter().find(|(many, _)| out.contains(many)) {
        out = out.replace(many, one);
    }
    out
}

/// Directions on a map of hexes.
const DIRECTIONS: [&str; 8] =
    ["north-east", "south-east", "south-west", "north-west", "north", "east", "south", "west"];

/// Returns the names of a game that count as variable besides those of its items.
pub(super) fn variable_names(game: &str) -> Vec<&'static str> {
    match game {
        "hegemony" => vec!["the Empire", "The Empire"],
        #[cfg(feature = "hestia")]
        "hestia" => {
            let places = pentarchy_hestia::map::Place::all().map(|place| place.spot().name);
            let troops = ["Lenisia", "Hathea", "Elites", "Levy", "Navy", "Guard", "Militia", "Mercenaries"];
            places.chain(troops).chain(["Rasser", "Dadrim", "Agsand", "Sigheir"]).collect()
        }
        "numeral" => DIRECTIONS.to_vec(),
        #[cfg(feature = "ozymandias")]
        "ozymandias" => {
            let tiles = pentarchy_ozymandias::cards::TILES.iter().map(|tile| tile.title);
            let colours = ["red", "white", "blue", "black", "Red", "White", "Blue", "Black"];
            tiles.chain(DIRECTIONS).chain(colours).collect()
        }
        "vires" => vec!["AGREE", "BYZ", "HR"],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_differ_in_names_and_numbers_have_one_template() {
        let names = ["Sena", "Ilex", "Archer"].map(str::to_string);
        let same = |a: &str, b: &str| template(a, &names) == template(b, &names);
        assert!(same("Sena draws 2 cards.", "Ilex draws 15 cards."));
        assert!(same("Revealed: Archer.", "Revealed: 3 × Archer, Archer and Archer."));
        assert!(same("Roll − 5 Archer = −5", "Roll + 3 Archer + 2 Archer = 5"));
        assert!(!same("Sena draws 1 card.", "Sena draws 2 cards."));
        assert!(!same("You draw 2 cards.", "Sena draws 2 cards."));
    }

    #[test]
    fn texts_are_split_into_sentences() {
        assert_eq!(
            sentences("Sena rolls 3. 2 die! Why? It ends."),
            ["Sena rolls 3.", "2 die!", "Why?", "It ends."]
        );
        assert_eq!(sentences("Play AGREE. now"), ["Play AGREE. now"]);
    }
}
