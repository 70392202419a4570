//! Sentences about seats: `@0 buys it` becomes "Sena buys it", and "You buy it" for whoever looks.

use crate::markup::{El, Node, Text, span};
use crate::ui::Ui;
use pentarchy_engine::Seat;

/// A piece of a sentence.
enum Part {
    Text(String),
    /// A seat, and whether a sentence begins with it.
    Seat(Seat, bool),
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
    };
    parts(text, ui.seat).into_iter().map(node).collect()
}

/// A sentence as plain text.
pub fn plain(text: &str, ui: &Ui) -> String {
    told(text, ui).iter().map(node_text).collect()
}

fn node_text(node: &Node) -> String {
    match node {
        Node::Text(text) => text.to_string(),
        Node::El(El { kids, .. }) => kids.iter().map(node_text).collect(),
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
            Some(Part::Seat(..)) => false,
        };
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
    "asks",
    "attacks",
    "begins",
    "bids",
    "builds",
    "buys",
    "calls",
    "chooses",
    "declines",
    "defends",
    "discards",
    "dismisses",
    "does",
    "draws",
    "earns",
    "explores",
    "flips",
    "forces",
    "gains",
    "gets",
    "has",
    "holds",
    "is",
    "keeps",
    "lays",
    "leaves",
    "looks",
    "loses",
    "makes",
    "marches",
    "mines",
    "mixes",
    "moves",
    "owes",
    "passes",
    "pays",
    "places",
    "plays",
    "puts",
    "raises",
    "rallies",
    "reacts",
    "retreats",
    "reveals",
    "rolls",
    "scores",
    "sells",
    "sends",
    "shows",
    "skips",
    "spends",
    "stations",
    "takes",
    "trades",
    "turns",
    "uses",
    "wins",
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
    if !VERBS.contains(&bare) {
        return word.to_string();
    }
    let plain = match bare {
        "is" => "are".to_string(),
        "has" => "have".to_string(),
        "does" => "do".to_string(),
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
