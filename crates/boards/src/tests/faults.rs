//! Faults of texts that a program can find: a wrong number or person of a verb, coordinates, placeholders.

use super::texts::{Heading, PLAYERS};
use crate::words::{VERBS, plural};

/// Nouns that are counted. Their plurals end in `s` or are listed with them.
const NOUNS: &[(&str, &str)] = &[
    ("army", "armies"),
    ("block", "blocks"),
    ("Block", "Blocks"),
    ("building", "buildings"),
    ("card", "cards"),
    ("city", "cities"),
    ("city-state", "city-states"),
    ("Coin", "Coins"),
    ("hex", "hexes"),
    ("move", "moves"),
    ("opponent", "opponents"),
    ("order", "orders"),
    ("player", "players"),
    ("point", "points"),
    ("purchase", "purchases"),
    ("round", "rounds"),
    ("sector", "sectors"),
    ("ship", "ships"),
    ("slot", "slots"),
    ("soldier", "soldiers"),
    ("token", "tokens"),
    ("year", "years"),
];

/// Verbs that follow a number of people or things: "1 stays", "2 stay".
const COUNTED: &[&str] = &["defends", "dies", "goes", "holds", "stays"];

/// Returns what is wrong with a text; `None` if it is fine.
pub(crate) fn fault(heading: Heading, text: &str) -> Option<String> {
    for bad in ["  ", " .", " ,", "..", "?.", "()", "{", "}", "Some(", "null"] {
        if text.contains(bad) && !text.contains("…") {
            return Some(format!("contains {bad:?}"));
        }
    }
    if has_seat(text) {
        return Some("a seat instead of a name".to_string());
    }
    if has_coordinates(text) {
        return Some("coordinates instead of a place".to_string());
    }
    if let Some(fault) = form(heading, text) {
        return Some(fault.to_string());
    }
    number(text).or_else(|| person(text))
}

/// Returns whether a text has a seat like `@0`.
fn has_seat(text: &str) -> bool {
    text.split('@').skip(1).any(|after| after.starts_with(|c: char| c.is_ascii_digit()))
}

/// Returns whether the text has coordinates: `3,-1` without a space.
fn has_coordinates(text: &str) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    text.match_indices(',').any(|(at, _)| {
        let after = text[at + 1..].trim_start_matches(['-', '−']);
        digit(text[..at].chars().last()) && digit(after.chars().next())
    })
}

/// Checks capitals and full stops, and the length of a step of the guide. Returns the fault; `None` if there is
/// none.
fn form(heading: Heading, text: &str) -> Option<&'static str> {
    let starts = text.trim_start_matches(|c: char| !c.is_alphabetic());
    let lower = starts.starts_with(char::is_lowercase) && text.starts_with(char::is_alphabetic);
    let ends = |ends: &[char]| text.ends_with(ends);
    match heading {
        Heading::Guide if text.split_whitespace().count() > 26 => Some("more than 25 words"),
        Heading::Board | Heading::Spoken | Heading::Panel | Heading::Report | Heading::Card => None,
        _ if lower => Some("begins with a small letter"),
        Heading::Prompt if ends(&['.', ' ']) => Some("an instruction ends with a full stop"),
        Heading::Prompt if text.chars().count() > 48 => Some("an instruction of more than 48 characters"),
        Heading::Others
        | Heading::Log
        | Heading::Merit
        | Heading::WhyNot
        | Heading::End
        | Heading::Options
            if !ends(&['.', '…', '!']) =>
        {
            Some("a sentence without a full stop")
        }
        _ => None,
    }
}

/// Returns a noun or verb that does not agree with the number before it; `None` if all agree.
fn number(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split([' ', '\n']).collect();
    words.windows(2).find_map(|pair| {
        let n = pair[0].trim_start_matches(['(', '+', '−', '[']);
        if n.is_empty() || !n.chars().all(|c| c.is_ascii_digit()) {
            return None;
        }
        let word = bare(pair[1]);
        let one = n == "1";
        let wrong_noun = NOUNS.iter().any(|&(single, many)| word == if one { many } else { single });
        let wrong_verb =
            COUNTED.iter().any(|&verb| word == if one { plural(verb) } else { verb.to_string() });
        (wrong_noun || wrong_verb).then(|| format!("{n} {word}"))
    })
}

/// Returns a verb that does not agree with the person before it; `None` if all agree.
fn person(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split([' ', '\n']).collect();
    words.windows(2).enumerate().find_map(|(i, pair)| {
        let (who, word) = (pair[0], bare(pair[1]));
        let several = i > 0 && words[i - 1] == "and";
        let you = matches!(who, "You" | "you");
        let one = PLAYERS[1..].contains(&who)
            || ["Everybody", "Nobody", "card", "hex", "opponent"].contains(&who)
            || who == "Empire" && i > 0 && words[i - 1] == "The";
        let third = VERBS.contains(&word);
        let base = || VERBS.iter().any(|verb| plural(verb) == word);
        let wrong = if several { one && third } else { you && third || one && base() };
        wrong.then(|| format!("{who} {word}"))
    })
}

/// Removes punctuation from the end of a word.
fn bare(word: &str) -> &str {
    word.trim_end_matches(|c: char| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_found() {
        let found = |text: &str| fault(Heading::Log, text).unwrap_or_default();
        assert_eq!(found("You gains 3 VP."), "You gains");
        assert_eq!(found("Sena attack you."), "Sena attack");
        assert_eq!(found("The Empire gain 2 VP."), "Empire gain");
        assert_eq!(found("You play WHALE: each opponent lose HR."), "opponent lose");
        assert_eq!(found("You and Sena loses 1 HR."), "Sena loses");
        assert_eq!(found("Sena draws 1 cards."), "1 cards");
        assert_eq!(found("Sena draws 2 card."), "2 card");
        assert_eq!(found("3 against 2: 1 stay."), "1 stay");
        assert_eq!(found("Sena builds at 3,-1."), "coordinates instead of a place");
        assert_eq!(found("@1 builds."), "a seat instead of a name");
        assert_eq!(found("Sena builds"), "a sentence without a full stop");
        assert_eq!(found("sena builds."), "begins with a small letter");
    }

    #[test]
    fn good_texts_have_no_faults() {
        for text in [
            "You gain 3 VP (now 25).",
            "You and Sena lose 1 Block and 1 Coin.",
            "Sena moves 11 soldiers: 1 stays, 10 go.",
            "The Empire gains 1 VP.",
            "Sena places a token in Maudret.",
        ] {
            assert_eq!(fault(Heading::Log, text), None);
        }
    }
}
