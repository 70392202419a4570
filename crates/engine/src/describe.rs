//! The texts of a game for people: what a terminal, a log and a script show of it.

use crate::facts::AppliedEvent;
use crate::game::Game;
use crate::layout::{FaceLook, TableLayout};
use crate::node::{Audience, Chance, Node, Side};
use crate::position::Position;
use crate::seat::Seat;
use serde_json::Value;
use std::fmt::{Display, Write as _};

/// The texts of a game. Each text says only what the observer of the position knows.
///
/// A text names seats as `@0`, `@1`, … ([`who`]); the user interface replaces them by names ([`with_names`]).
/// A text may contain ANSI colours; a user interface without colours strips them.
pub trait Describe: Game {
    /// The rules on one page: plain text, at most 80 columns.
    const SUMMARY: &'static str;

    /// Three sentences for a person who plays for the first time: what the aim is, what they have, what they
    /// do in a turn. At most 25 words each, without the word "click". A guided first match shows them before
    /// the first move.
    const LESSON: [&'static str; 3] = [
        Self::INFO.pitch,
        "All that is public lies here. What only you know is in your hand, below.",
        "The players take turns. The rules (R) say how the game ends and who wins.",
    ];

    /// Whether the game is a small, well-known one. The browser client lists it under "Classics".
    const CLASSIC: bool = false;

    /// Draws the table as lines of text, with the faces that the observer of `view` knows.
    fn table(view: &Position<Self>) -> String;

    /// Describes the effect of an action to a person who has read the summary. `view` is the position before
    /// it. The default is the spoken notation.
    fn label(view: &Position<Self>, action: Self::Action) -> String {
        view.format_action(action)
    }

    /// Returns the heading under which a long list of actions shows this one. The default is `Actions` for
    /// all.
    fn kind(_action: Self::Action) -> &'static str {
        "Actions"
    }

    /// Returns one sentence that says which seat must do what now. The default fits every game
    /// ([`awaited_plainly`]).
    fn awaited(view: &Position<Self>) -> String {
        awaited_plainly::<Self>(view.node())
    }

    /// Describes an event for the log, as its observer sees it. Written from the facts of the event; must not
    /// evaluate a rule. Returns `None` for events that need no entry.
    fn log(event: &AppliedEvent<'_, Self>) -> Option<String>;

    /// Returns the text of a card, block or tile; `None` if it has none. The default is `None`.
    fn card_text(_face: Self::Face) -> Option<String> {
        None
    }

    /// Returns how a token with this face is drawn by a user interface without a board for this game. The
    /// default is a card that is named by the notation of the face ([`FaceLook::card`]).
    fn face_look(face: Self::Face) -> FaceLook {
        FaceLook::card(&face.to_string())
    }

    /// Returns what the position shows besides tokens: grids, and numbers of the seats. A user interface
    /// without a board for this game draws it, and shows the text of [`table`](Describe::table) if this is
    /// `None`, which is the default. `view` may be that of any observer, so it holds only public information.
    fn layout(_view: &Position<Self>) -> Option<TableLayout> {
        None
    }

    /// Returns the public state as readable data for scripts and other programs. Scenarios name values by
    /// paths into it, like `players.0.storage`. The default is the serialised state; `Null` if that fails.
    fn picture(&self) -> Value {
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// Returns a copy of this state with the values that a scenario gives as readable data. `differences` has
    /// the structure of the serialised state, with only the fields that change; a list may be changed by a
    /// table of indexes. The default overlays it on the serialised state ([`overlay`]).
    ///
    /// # Errors
    ///
    /// Fails if the data names an unknown field or index, or if the result is no state. Rules are checked
    /// only as far as the state's `Deserialize` does.
    fn arranged(&self, differences: &Value) -> Result<Self, String> {
        let mut all = serde_json::to_value(self).map_err(|e| e.to_string())?;
        overlay(&mut all, differences, "")?;
        serde_json::from_value(all).map_err(|e| e.to_string())
    }
}

/// Formats a seat for a text: `@0`, `@1`, …. [`with_names`] replaces it by a name.
pub fn who(seat: Seat) -> String {
    format!("@{seat}")
}

/// Replaces each `@` followed by a digit by the name of that seat (`names[0]` for `@0`). Only one digit is
/// read. A number without a name is not replaced.
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

/// Fills in a template: replaces each `{name}` by the argument of that name. A name without an argument stays
/// as it is; an argument without a place is ignored.
pub fn fill(template: &str, arguments: &[(&str, &dyn Display)]) -> String {
    let mut out = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some((text, after)) = rest.split_once('{') {
        out.push_str(text);
        let found = after.split_once('}').and_then(|(name, after)| {
            arguments.iter().find(|(known, _)| *known == name).map(|(_, value)| (value, after))
        });
        match found {
            Some((value, after)) => {
                // Writing to a string does not fail.
                let _ = write!(out, "{value}");
                rest = after;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out + rest
}

/// Fills `n` into `{n}` of the template `one` if it is 1, else of `several` (also for 0).
pub fn fill_count(n: usize, one: &str, several: &str) -> String {
    fill(if n == 1 { one } else { several }, &[("n", &n)])
}

/// Joins texts with `and` before the last one and `comma` between the others, both with their spaces: `a, b
/// and c` for `", "` and `" and "`. Empty if there is none.
pub fn join_list(texts: &[String], comma: &str, and: &str) -> String {
    match texts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => [&first.join(comma), and, last].concat(),
    }
}

/// Defines a table of texts: a struct with one template per name, and a constant with the English ones. A
/// translation is another constant of the same type.
///
/// ```
/// pentarchy_engine::text_table! {
///     /// The log.
///     struct LogTexts, const ENGLISH;
///     buys = "{player} buys {card} for {price} VP.",
/// }
/// let text = pentarchy_engine::describe::fill(
///     ENGLISH.buys,
///     &[("player", &"@0"), ("card", &"the Archer"), ("price", &3)],
/// );
/// assert_eq!(text, "@0 buys the Archer for 3 VP.");
/// ```
#[macro_export]
macro_rules! text_table {
    ($(#[$doc:meta])* $vis:vis struct $table:ident, const $english:ident; $($name:ident = $text:expr,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        $vis struct $table {
            $($vis $name: &'static str,)*
        }

        /// The English texts.
        $vis const $english: $table = $table { $($name: $text,)* };
    };
}

/// Fills in a template with named arguments: `fill_text!(LOG.bought, player = who(seat), price = 3)`.
#[macro_export]
macro_rules! fill_text {
    ($template:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::describe::fill($template, &[$((stringify!($name), &$value)),*])
    };
}

/// Describes an awaited node in one sentence that fits every game; seats are written `@0`.
pub fn awaited_plainly<G: Game>(node: Node) -> String {
    match node {
        Node::Decide(seat) => format!("@{seat} is to choose."),
        Node::Declare(seat) => format!("@{seat} has something to show."),
        Node::Chance(Chance::Roll { sides }) => format!("A die with {sides} sides is thrown."),
        Node::Chance(Chance::Pick { of }) => format!("One of {of} is drawn."),
        Node::Chance(Chance::Shuffle { pile }) => format!("The {} must be shuffled.", G::zone_name(pile)),
        Node::Chance(Chance::Cast { .. }) => "Dice are rolled in secret.".to_string(),
        Node::Rearrange { by, .. } => format!("@{by} mixes some cards unseen."),
        Node::Reveal { to: Audience::All, side: Side::Face, .. } => "Something is turned up.".to_string(),
        Node::Reveal { to: Audience::Seat(seat), .. } => format!("@{seat} looks at something."),
        Node::Reveal { .. } => "The backs of some cards are shown.".to_string(),
        Node::Over => "The game is over.".to_string(),
    }
}

/// Merges `over` into `under`: tables are merged recursively, all other values are replaced, whatever their
/// type. A list may be changed by a table of indexes, like `{ "2" = … }`. `path` is the prefix for error
/// messages: empty, or the path so far with a dot.
///
/// # Errors
///
/// Fails if `over` names a field or an index that `under` does not have. Earlier fields have then been
/// changed.
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
