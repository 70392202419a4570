//! Sentences about seats: `@0 buys it` becomes "Sena buys it", and "You buy it" for whoever looks.

use crate::markup::{El, Node, Text, span};
use crate::ui::Ui;
use pentarchy_engine::Seat;

/// A piece of a sentence.
enum Part {
    Text(String),
    /// A seat, and whether a sentence begins with it.
    Seat(Seat, bool),
    /// "@0's" of whoever looks, and whether a sentence begins with it.
    Your(Seat, bool),
}

/// A sentence as nodes, with the names in their colours.
pub fn told(text: &str, ui: &Ui) -> Vec<Node> {
    let node = |part: Part| match part {
        Part::Text(text) => Node::Text(Text::from(text)),
        Part::Seat(seat, starts) if Some(seat) == ui.seat => {
            let you = if starts { "You" } else { "you" };
            span(format!("who {}", ui.c(seat))).text(you).into()
        }
        Part::Seat(seat, _) => ui.who(seat).into(),
        Part::Your(seat, starts) => {
            span(format!("who {}", ui.c(seat))).text(if starts { "Your" } else { "your" }).into()
        }
    };
    parts(text, ui.seat).into_iter().map(node).collect()
}

/// A sentence as plain text.
pub fn plain(text: &str, ui: &Ui) -> String {
    told(&text.replace('\n', "; "), ui).iter().map(text_of).collect()
}

/// The text of a node and all in it.
pub fn text_of(node: &Node) -> String {
    match node {
        Node::Text(text) => text.to_string(),
        Node::El(El { kids, .. }) => kids.iter().map(text_of).collect(),
    }
}

fn parts(text: &str, me: Option<Seat>) -> Vec<Part> {
    let mut out = Vec::new();
    let mut rest = text;
    // Whether the words that follow are about whoever looks.
    let mut about_me = false;
    while let Some(at) = rest.find('@') {
        let seat = rest[at + 1..].chars().next().and_then(|c| c.to_digit(10)).map(|d| Seat(d as u8));
        let Some(seat) = seat else {
            push(&mut out, &rest[..=at], about_me);
            rest = &rest[at + 1..];
            continue;
        };
        push(&mut out, &rest[..at], about_me);
        rest = &rest[at + 2..];
        let starts = match out.last() {
            None => true,
            Some(Part::Text(before)) => {
                before.trim_end().ends_with(['.', '!', '?']) || before.ends_with('\n')
            }
            Some(Part::Seat(..) | Part::Your(..)) => false,
        };
        if let Some(after) = rest.strip_prefix("'s").filter(|_| Some(seat) == me) {
            // What follows is about what they own, not about them.
            about_me = false;
            rest = after;
            out.push(Part::Your(seat, starts));
            continue;
        }
        about_me = Some(seat) == me && starts;
        out.push(Part::Seat(seat, starts));
    }
    push(&mut out, rest, about_me);
    out
}

fn push(out: &mut Vec<Part>, text: &str, about_me: bool) {
    if !text.is_empty() {
        let text = text.replace(" -", " −");
        out.push(Part::Text(if about_me { second_person(&text) } else { text }));
    }
}

/// The verbs that the games' sentences have, as they stand beside a name.
const VERBS: &[&str] = &[
    "activates",
    "adds",
    "aims",
    "answers",
    "asks",
    "attacks",
    "begins",
    "bids",
    "builds",
    "buys",
    "calls",
    "changes",
    "chooses",
    "commits",
    "completes",
    "contributes",
    "declines",
    "defends",
    "destroys",
    "discards",
    "dismisses",
    "does",
    "draws",
    "drives",
    "earns",
    "empties",
    "ends",
    "expands",
    "explores",
    "falls",
    "fights",
    "flips",
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
    "regains",
    "removes",
    "replaces",
    "reshuffles",
    "restores",
    "retreats",
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

/// The sentence with its verbs as they follow "you"; it ends at the first full stop.
fn second_person(text: &str) -> String {
    let (own, rest) = text.split_once(". ").map_or((text, None), |(own, rest)| (own, Some(rest)));
    let words: Vec<String> = own.split(' ').map(verb).collect();
    match rest {
        Some(rest) => format!("{}. {rest}", words.join(" ")),
        None => words.join(" "),
    }
}

fn verb(word: &str) -> String {
    let bare = word.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let tail = &word[bare.len()..];
    if bare == "its" {
        return "your".to_string() + tail;
    }
    if !VERBS.contains(&bare) {
        return word.to_string();
    }
    let plain = match bare {
        "is" => "are".to_string(),
        "has" => "have".to_string(),
        "does" => "do".to_string(),
        "goes" => "go".to_string(),
        "was" => "were".to_string(),
        _ if bare.ends_with("ies") => format!("{}y", &bare[..bare.len() - 3]),
        _ if ["sses", "ches", "shes", "xes"].iter().any(|e| bare.ends_with(e)) => {
            bare[..bare.len() - 2].into()
        }
        _ => bare[..bare.len() - 1].to_string(),
    };
    plain + tail
}

/// The text with a capital letter in front.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_uppercase().collect::<String>() + chars.as_str()).unwrap_or_default()
}

/// "a, b and c".
pub fn and(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ui() -> Ui {
        let names = ["You", "Sena", "Ilex"].map(str::to_string).to_vec();
        Ui { seat: Some(Seat(0)), names, colours: vec![1, 2, 3], ..Ui::default() }
    }

    #[test]
    fn others_are_named_and_whoever_looks_is_spoken_to() {
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
    fn what_is_no_seat_stays_as_it_is() {
        let said = |text: &str| plain(text, &ui());
        assert_eq!(said("a@b, @x and @"), "a@b, @x and @");
        assert_eq!(said("@1 -3 = 4"), "Sena −3 = 4");
        assert_eq!(said("one\ntwo"), "one; two");
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
