//! Sentences about seats: `@0 buys it` becomes "Sena buys it", and "You buy it" for the player at this screen.

use crate::markup::{El, MarkupNode, Text, span};
use crate::ui::Ui;
use pentarchy_engine::Seat;

/// A part of a sentence.
enum Part {
    /// A text without seats.
    Text(String),
    /// A seat, and whether a sentence begins with it.
    Seat(Seat, bool),
    /// "@0's" of the player at this screen, and whether a sentence begins with it.
    Your(Seat, bool),
}

/// Returns a sentence of a game as nodes: `@0` becomes the name of the seat in its colour. The seat of `ui` is
/// addressed: "You buy", "attacks you", "your Block". Verbs whose subject it is get the form for "you" ([`VERBS`]). A
/// hyphen after a space becomes a minus sign. Line breaks stay.
pub fn told(text: &str, ui: &Ui) -> Vec<MarkupNode> {
    let node = |part: Part| match part {
        Part::Text(text) => MarkupNode::Text(Text::from(text)),
        Part::Seat(seat, starts) if Some(seat) == ui.seat => {
            let you = if starts { "You" } else { "you" };
            span(format!("who {}", ui.c(seat))).text(you).into()
        }
        Part::Seat(seat, _) => ui.who(seat).into(),
        Part::Your(seat, starts) => {
            span(format!("who {}", ui.c(seat))).text(if starts { "Your" } else { "your" }).into()
        }
    };
    split_seats(text, ui.seat).into_iter().map(node).collect()
}

/// Returns a sentence of a game as plain text on one line: `@0` becomes the name of the seat, and the seat of `ui` is
/// addressed as "you", with its verbs. A line break becomes `; `, or a space after a full stop. A hyphen after a
/// space becomes a minus sign.
pub fn plain(text: &str, ui: &Ui) -> String {
    let text: String = told(text, ui).iter().map(text_of).collect();
    text.replace(".\n", ". ").replace('\n', "; ")
}

/// Returns the sentences for a player who ended an online match: that it has no winner, and why. `late` are the names
/// of the players who were late; without any no reason is given.
pub fn ended_by_you(late: &[String]) -> String {
    match late {
        [] => "You ended the game. It has no winner.".to_string(),
        [one] => format!("You ended the game because {one} was late. It has no winner."),
        many => format!("You ended the game because {} were late. It has no winner.", and(many)),
    }
}

/// Returns the text of a node and its descendants, without separators. Attributes are ignored.
pub fn text_of(node: &MarkupNode) -> String {
    match node {
        MarkupNode::Text(text) => text.to_string(),
        MarkupNode::El(El { kids, .. }) => kids.iter().map(text_of).collect(),
    }
}

/// Splits a text at its seats (`@` and one digit) into parts, in order. `me` is the seat of the player at this
/// screen: verbs of [`VERBS`] whose subject it is get the form for "you", and its `@0's` becomes a [`Part::Your`]. An
/// `@` without a digit stays text.
fn split_seats(text: &str, me: Option<Seat>) -> Vec<Part> {
    let mut out = Vec::new();
    let mut rest = text;
    // Whether the subject of the sentence is the player at this screen.
    let mut about_me = false;
    while let Some(at) = rest.find('@') {
        let seat = rest[at + 1..].chars().next().and_then(|c| c.to_digit(10)).map(|d| Seat(d as u8));
        let Some(seat) = seat else {
            about_me = push_text(&mut out, &rest[..=at], about_me);
            rest = &rest[at + 1..];
            continue;
        };
        about_me = push_text(&mut out, &rest[..at], about_me);
        rest = &rest[at + 2..];
        let starts = match out.last() {
            None => true,
            Some(Part::Text(before)) => {
                before.trim_end().ends_with(['.', '!', '?']) || before.ends_with('\n')
            }
            Some(Part::Seat(..) | Part::Your(..)) => false,
        };
        if let Some(after) = rest.strip_prefix("'s").filter(|_| Some(seat) == me) {
            // The following words are about a possession of the player.
            about_me = false;
            rest = after;
            out.push(Part::Your(seat, starts));
            continue;
        }
        // A seat is the subject if the sentence begins with it or a verb follows; otherwise it is an object.
        if starts || rest.trim_start().split(' ').next().is_some_and(is_verb) {
            about_me = Some(seat) == me;
        }
        out.push(Part::Seat(seat, starts));
    }
    push_text(&mut out, rest, about_me);
    out
}

/// Appends a text to `out`, with a hyphen after a space written as a minus sign, and with its verbs in the
/// second person if `about_me`: if its subject is the player at this screen. Returns whether the words
/// after it still have that subject. An empty text is not appended, and `about_me` is returned.
fn push_text(out: &mut Vec<Part>, text: &str, about_me: bool) -> bool {
    if text.is_empty() {
        return about_me;
    }
    let text = text.replace(" -", " −");
    let (text, goes_on) = if about_me { second_person(&text) } else { (text, false) };
    out.push(Part::Text(text));
    goes_on
}

/// The verbs of the games' sentences, in the third person singular.
pub const VERBS: &[&str] = &[
    "activates",
    "adds",
    "aims",
    "answers",
    "asks",
    "attacks",
    "begins",
    "bets",
    "bids",
    "builds",
    "buys",
    "calls",
    "challenges",
    "changes",
    "checks",
    "chooses",
    "commits",
    "completes",
    "considers",
    "contributes",
    "declines",
    "defends",
    "destroys",
    "dies",
    "discards",
    "dismisses",
    "does",
    "draws",
    "drives",
    "drops",
    "earns",
    "empties",
    "ends",
    "expands",
    "explores",
    "falls",
    "fights",
    "flips",
    "folds",
    "forces",
    "gains",
    "gets",
    "gives",
    "goes",
    "has",
    "hides",
    "holds",
    "is",
    "joins",
    "keeps",
    "lays",
    "leaves",
    "locks",
    "looks",
    "loses",
    "marks",
    "makes",
    "marches",
    "mines",
    "mixes",
    "moves",
    "names",
    "offers",
    "orders",
    "owes",
    "passes",
    "pays",
    "picks",
    "places",
    "plays",
    "purchases",
    "puts",
    "raises",
    "rallies",
    "razes",
    "reacts",
    "refills",
    "regains",
    "removes",
    "replaces",
    "reshuffles",
    "restores",
    "retreats",
    "returns",
    "reveals",
    "rolls",
    "scores",
    "sells",
    "sends",
    "shows",
    "skips",
    "spends",
    "starts",
    "stands",
    "stations",
    "stays",
    "steals",
    "swaps",
    "takes",
    "trades",
    "turns",
    "uses",
    "votes",
    "wants",
    "was",
    "weakens",
    "wins",
    "withdraws",
];

/// Returns the text with the verbs of its first clause in the second person, and whether it is only one clause, so
/// that the text after it may belong to it. A clause ends with its sentence, its line, at a colon, or before "; the".
fn second_person(text: &str) -> (String, bool) {
    let end = text.char_indices().find_map(|(at, c)| {
        let ends = matches!(c, '.' | '!' | '?' | ':') && text[at + 1..].starts_with([' ', '\n']);
        (ends || c == '\n' || text[at..].starts_with("; the ")).then_some(at)
    });
    let (own, rest) = text.split_at(end.unwrap_or(text.len()));
    let words: Vec<String> = own.split(' ').map(to_second_person).collect();
    (words.join(" ") + rest, end.is_none())
}

/// Splits a word into the part up to its last ASCII letter and the punctuation after it.
fn split_punctuation(word: &str) -> (&str, &str) {
    word.split_at(word.trim_end_matches(|c: char| !c.is_ascii_alphabetic()).len())
}

/// Returns whether the word, without punctuation at its end, is one of [`VERBS`].
fn is_verb(word: &str) -> bool {
    VERBS.contains(&split_punctuation(word).0)
}

/// Returns a word in the second person if it is one of [`VERBS`] (`buys,` becomes `buy,`), otherwise unchanged.
/// Punctuation at its end stays.
fn to_second_person(word: &str) -> String {
    let (bare, tail) = split_punctuation(word);
    if VERBS.contains(&bare) { plural(bare) + tail } else { word.to_string() }
}

/// Returns a verb in the form that follows "you" and "they", from the third person singular: `is` becomes `are`,
/// `rallies` `rally`, `buys` `buy`. Not checked: whether the word is such a verb; of any other word only the last
/// letter, or the ending of `-es` and `-ies`, is changed. Panics if the word is empty.
pub fn plural(verb: &str) -> String {
    match verb {
        "is" => "are".to_string(),
        "has" => "have".to_string(),
        "does" => "do".to_string(),
        "goes" => "go".to_string(),
        "was" => "were".to_string(),
        "dies" => "die".to_string(),
        _ if verb.ends_with("ies") => format!("{}y", &verb[..verb.len() - 3]),
        _ if ["sses", "ches", "shes", "xes"].iter().any(|e| verb.ends_with(e)) => {
            verb[..verb.len() - 2].into()
        }
        _ => verb[..verb.len() - 1].to_string(),
    }
}

/// Returns the text with its first letter in upper case; the rest stays.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_uppercase().collect::<String>() + chars.as_str()).unwrap_or_default()
}

/// Joins names: `a, b and c`; empty without names.
pub fn and(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns whether the label already contains the words of the reason, in their order and without others between
/// them. Case and punctuation are ignored.
pub fn repeats(label: &str, reason: &str) -> bool {
    let words = |text: &str| -> String {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.fold(" ".to_string(), |all, word| all + &word.to_lowercase() + " ")
    };
    words(label).contains(&words(reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ui() -> Ui {
        let names = ["You", "Sena", "Ilex"].map(str::to_string).to_vec();
        Ui { seat: Some(Seat(0)), names, colours: vec![1, 2, 3], ..Ui::default() }
    }

    #[test]
    fn ending_a_match_names_the_late_players_if_there_are_any() {
        let says = |late: &[&str]| ended_by_you(&late.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(says(&[]), "You ended the game. It has no winner.");
        assert_eq!(says(&["Ben"]), "You ended the game because Ben was late. It has no winner.");
        assert_eq!(
            says(&["Ben", "Eve"]),
            "You ended the game because Ben and Eve were late. It has no winner."
        );
    }

    #[test]
    fn others_are_named_and_the_player_who_looks_is_addressed() {
        let said = |text: &str| plain(text, &ui());
        assert_eq!(said("@1 buys it for 3."), "Sena buys it for 3.");
        assert_eq!(said("@0 buys it and pays 3."), "You buy it and pay 3.");
        assert_eq!(said("@0 passes, @1 passes."), "You pass, Sena passes.");
        assert_eq!(said("@0 rallies. @0 is out. @1 has won."), "You rally. You are out. Sena has won.");
        assert_eq!(said("@1 attacks @0 with 5."), "Sena attacks you with 5.");
        assert_eq!(said("Round 2 begins. @0 earns 6."), "Round 2 begins. You earn 6.");
        assert_eq!(said("@1's turn. @0's Block pays 2."), "Sena's turn. Your Block pays 2.");
        assert_eq!(said("Cancel @0's card?"), "Cancel your card?");
    }

    #[test]
    fn verbs_agree_with_the_subject_of_their_sentence() {
        let said = |text: &str| plain(text, &ui());
        assert_eq!(said("@0 plays ICO on @1 and shows HR."), "You play ICO on Sena and show HR.");
        assert_eq!(said("@1 plays ICO on @0 and shows HR."), "Sena plays ICO on you and shows HR.");
        assert_eq!(said("STRONG: @0 wins the coin flip"), "STRONG: you win the coin flip");
        assert_eq!(
            said("@0 plays WHALE: each opponent loses HR."),
            "You play WHALE: each opponent loses HR."
        );
        assert_eq!(
            said("@0 buys it.\nThe Empire gains 3 VP.\n@0 loses 3."),
            "You buy it. The Empire gains 3 VP. You lose 3."
        );
        assert_eq!(said("@0 takes 5; the game is drawn."), "You take 5; the game is drawn.");
    }

    #[test]
    fn what_is_no_seat_stays_as_it_is() {
        let said = |text: &str| plain(text, &ui());
        assert_eq!(said("a@b, @x and @"), "a@b, @x and @");
        assert_eq!(said("@1 -3 = 4"), "Sena −3 = 4");
        assert_eq!(said("one\ntwo"), "one; two");
        assert_eq!(said("Round 2.\n@0 earns 6."), "Round 2. You earn 6.");
    }

    #[test]
    fn a_reason_that_the_label_contains_is_no_reason() {
        assert!(repeats("Play SAT: everybody loses a Coin", "Everybody loses a Coin."));
        assert!(!repeats("Play SAT: everybody loses a Coin", "Everybody loses a Coin and a Block."));
        assert!(!repeats("Attack Ilex", "Lex."));
    }

    #[test]
    fn lists_and_capitals() {
        let names = |list: &[&str]| and(&list.iter().map(|s| s.to_string()).collect::<Vec<_>>());
        assert_eq!(names(&[]), "");
        assert_eq!(names(&["a"]), "a");
        assert_eq!(names(&["a", "b", "c"]), "a, b and c");
        assert_eq!(capital("élan vital"), "Élan vital");
        assert_eq!(capital(""), "");
    }
}
