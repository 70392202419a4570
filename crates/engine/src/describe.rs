//! Words and pictures for people: what a terminal, a log and a script need of a game.

use crate::game::Game;
use crate::node::{Chance, Node, Side, To};
use crate::position::{LineOf, Position};
use crate::seat::Seat;
use serde_json::Value;

/// What a game says of itself to people. All texts are seen with the eyes of the position's observer.
///
/// Seats are written `@0`, `@1`, … ([`who`]); whoever shows a text puts the players' names in
/// ([`with_names`]). Texts may hold ANSI colours; whoever prints them strips these where they do not belong.
pub trait Describe: Game {
    /// The rules on one page, in plain text of at most 80 columns.
    const SUMMARY: &'static str;

    /// The table as lines of text.
    fn table(view: &Position<Self>) -> String;

    /// What an action does, for a person who has read the summary.
    fn label(view: &Position<Self>, action: Self::Action) -> String {
        view.say(action)
    }

    /// The heading under which a long list shows this action.
    fn kind(_action: Self::Action) -> &'static str {
        "Actions"
    }

    /// What is awaited, and from whom: one sentence.
    fn awaited(view: &Position<Self>) -> String {
        awaited_plainly::<Self>(view.node())
    }

    /// What happened, for the log; nothing for events that need no line.
    fn log(before: &Position<Self>, line: &LineOf<Self>, after: &Position<Self>) -> Option<String>;

    /// The text of a card (or block, or tile), in our own words.
    fn card_text(_face: Self::Face) -> Option<String> {
        None
    }

    /// The public state as readable data, for scripts and other programs. Paths into it, like
    /// `players.0.storage`, are what scenarios expect values of.
    fn picture(&self) -> Value {
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// This state with some differences, given as readable data by a scenario. Unless a game knows better:
    /// the data is laid over the serialised state.
    fn arranged(&self, differences: &Value) -> Result<Self, String> {
        let mut all = serde_json::to_value(self).map_err(|e| e.to_string())?;
        overlay(&mut all, differences, "")?;
        serde_json::from_value(all).map_err(|e| e.to_string())
    }
}

/// A seat in a text.
pub fn who(seat: Seat) -> String {
    format!("@{seat}")
}

/// A text with each `@0`, `@1`, … replaced by that player's name.
pub fn with_names(text: &str, names: &[String]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        out.push_str(&rest[..at]);
        let digit = rest[at + 1..].chars().next().and_then(|c| c.to_digit(10));
        match digit.and_then(|d| names.get(d as usize)) {
            Some(name) => {
                out.push_str(name);
                rest = &rest[at + 2..];
            }
            None => {
                out.push('@');
                rest = &rest[at + 1..];
            }
        }
    }
    out + rest
}

/// What is awaited, in words that fit every game.
pub fn awaited_plainly<G: Game>(node: Node) -> String {
    match node {
        Node::Decide(seat) => format!("@{seat} is to choose."),
        Node::Declare(seat) => format!("@{seat} has something to show."),
        Node::Chance(Chance::Roll { sides }) => format!("A die with {sides} sides is thrown."),
        Node::Chance(Chance::Pick { of }) => format!("One of {of} is drawn."),
        Node::Chance(Chance::Shuffle { pile }) => format!("The {} must be shuffled.", G::zone_name(pile)),
        Node::Rearrange { by, .. } => format!("@{by} mixes some cards unseen."),
        Node::Reveal { to: To::All, side: Side::Face, .. } => "Something is turned up.".to_string(),
        Node::Reveal { to: To::Seat(seat), .. } => format!("@{seat} looks at something."),
        Node::Reveal { .. } => "The backs of some cards are shown.".to_string(),
        Node::Over => "The game is over.".to_string(),
    }
}

/// Lays data over other data: tables are merged, everything else is replaced. A list may be given as a table
/// of places, like `{ "2" = … }`. A name that is not there already is an error.
pub fn overlay(under: &mut Value, over: &Value, path: &str) -> Result<(), String> {
    match (under, over) {
        (Value::Object(map), Value::Object(over)) => {
            for (name, value) in over {
                let path = format!("{path}{name}");
                let place =
                    map.get_mut(name).ok_or_else(|| format!("there is no `{path}` in the position"))?;
                overlay(place, value, &format!("{path}."))?;
            }
        }
        (Value::Array(list), Value::Object(over)) => {
            for (place, value) in over {
                let path = format!("{path}{place}");
                let item = place.parse::<usize>().ok().and_then(|i| list.get_mut(i));
                overlay(
                    item.ok_or_else(|| format!("there is no `{path}` in the position"))?,
                    value,
                    &format!("{path}."),
                )?;
            }
        }
        (under, over) => *under = over.clone(),
    }
    Ok(())
}
