//! Tokens of the default board: cards with faces and backs, and dice.

use crate::board::Board;
use crate::markup::{El, div, el, path, span};
use crate::ui::Ui;
use crate::words::capital;
use pentarchy_engine::{FaceLook, Position, Token};

/// The suits, each with its outline in a box of 16.
const SUITS: [(char, &str); 4] = [
    (
        '♠',
        "M8 1C6 4 1.5 6.6 1.5 9.8A3 3 0 0 0 7 11.4Q6.8 13.6 5.4 15H10.6Q9.2 13.6 9 11.4A3 3 0 0 0 14.5 9.8C14.5 6.6 10 4 8 1z",
    ),
    ('♥', "M8 15C5.5 11.5 1 9 1 5.2A3.6 3.6 0 0 1 8 3.8A3.6 3.6 0 0 1 15 5.2C15 9 10.5 11.5 8 15z"),
    ('♦', "M8 .8 13.6 8 8 15.2 2.4 8z"),
    (
        '♣',
        "M8 1.2A3 3 0 0 0 5.6 6A3 3 0 1 0 7.1 11Q6.9 13.6 5.4 15H10.6Q9.1 13.6 8.9 11A3 3 0 1 0 10.4 6A3 3 0 0 0 8 1.2z",
    ),
];

/// Draws a token as the observer knows it: its face, or a back. It is a piece and a token with its own key; `size` is
/// its CSS class: `L` (in a hand) or `M`.
pub(super) fn token<G: Board>(view: &Position<G>, token: Token, size: &'static str, ui: &Ui) -> El {
    let key = token.to_string();
    let (shape, name) = match view.face(token).map(G::face_look) {
        Some(FaceLook::Die(shows)) => (die(Some(shows), size), format!("Die: {shows}")),
        Some(FaceLook::Card { sign, name }) => (card(&sign, &name, size), capital(&name)),
        None if is_die(view, token) => (die(None, size), "Hidden die".to_string()),
        None => (back(size), "Face-down card".to_string()),
    };
    ui.piece(shape, &key, name).token(key)
}

/// Returns whether a token is a die: it may have a face, and every face that it may have is a die's.
pub(super) fn is_die<G: Board>(view: &Position<G>, token: Token) -> bool {
    let mut faces = view.state().tokens().may(token).iter().map(G::face_look).peekable();
    faces.peek().is_some() && faces.all(|look| matches!(look, FaceLook::Die(_)))
}

/// Draws a card face up: its rank and suit in the corner, the suit (or without one the rank) large, its name below.
/// Hearts and diamonds are red. `size` is a CSS class: `L` or `M`.
fn card(sign: &str, name: &str, size: &'static str) -> El {
    let (rank, suit) = split_sign(sign);
    let art = match suit {
        Some(suit) => suit_icon(suit),
        None => span("dbig").text(rank.to_string()),
    };
    let name = capital(name);
    div("card dcard")
        .class(size)
        .class_if(matches!(suit, Some('♥' | '♦')), "red")
        .class_if(suit.is_none(), "suitless")
        .kid(div("dix").kid(span("").text(rank.to_string())).kid_if(suit.map(suit_icon)))
        .kid(div("art").kid(art))
        .kid(div("nm").set("title", name.clone()).text(name))
}

/// Draws a card face down; `size` is a CSS class: `L` or `M`.
pub(super) fn back(size: &'static str) -> El {
    div("card dcard down").class(size).kid(div("dback"))
}

/// Splits the sign of a card into its rank and its suit (♠, ♥, ♦ or ♣) if it ends with one; otherwise the
/// rank is the whole sign and the suit is `None`.
pub(super) fn split_sign(sign: &str) -> (&str, Option<char>) {
    let suit = sign.chars().last().filter(|last| SUITS.iter().any(|(suit, _)| suit == last));
    (&sign[..sign.len() - suit.map_or(0, char::len_utf8)], suit)
}

/// Draws a suit in the size and colour of the text around it; nothing for another character.
fn suit_icon(suit: char) -> El {
    el("svg").class("ic").set("viewBox", "0 0 16 16").set("aria-hidden", "true").kid(suit_path(suit))
}

/// Returns the outline of a suit in a box of 16; an empty path for another character.
pub(super) fn suit_path(suit: char) -> El {
    let shape = SUITS.iter().find(|(known, _)| *known == suit).map_or("", |(_, shape)| shape);
    path("", shape)
}

/// Draws a die that shows a number, or a hidden one for `None`; `size` is a CSS class: `L` or `M`.
fn die(shows: Option<u8>, size: &'static str) -> El {
    div("ddie").class(size).class_if(shows.is_none(), "down").kid(die_drawing(shows))
}

/// Draws a die in a box of 100, hidden from screen readers: pips for 1 to 9, a figure for other numbers, a question
/// mark for `None`, which is a hidden die.
pub(super) fn die_drawing(shows: Option<u8>) -> El {
    let face = el("rect").class("dface").set("x", "4").set("y", "4").set("width", "92").set("height", "92");
    let drawing =
        el("svg").set("viewBox", "0 0 100 100").set("aria-hidden", "true").kid(face.set("rx", "18"));
    let figure = |text: String| el("text").class("dfig").set("x", "50").set("y", "68").text(text);
    match shows {
        None => drawing.kid(figure("?".to_string())),
        Some(shows @ 1..=9) => drawing.kids(
            pips(shows).map(|(x, y)| el("circle").class("dpip").num("cx", x).num("cy", y).set("r", "9")),
        ),
        Some(shows) => drawing.kid(figure(shows.to_string())),
    }
}

/// Iterates over the centres of the pips of a number, in a box of 100. The number must be from 1 to 9.
fn pips(shows: u8) -> impl Iterator<Item = (f32, f32)> {
    // Pairs of opposite pips, in the order in which higher numbers add them; odd numbers add the centre.
    const PAIRS: [[(u8, u8); 2]; 4] =
        [[(0, 2), (2, 0)], [(0, 0), (2, 2)], [(0, 1), (2, 1)], [(1, 0), (1, 2)]];
    let centre = (shows % 2 == 1).then_some((1, 1));
    let pairs = PAIRS.into_iter().take(usize::from(shows / 2)).flatten();
    let at = |n: u8| 26.0 + 24.0 * f32::from(n);
    pairs.chain(centre).map(move |(x, y)| (at(x), at(y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_die_has_as_many_pips_as_it_shows() {
        for shows in 1..=9 {
            let mut places: Vec<_> = pips(shows).map(|(x, y)| (x as i32, y as i32)).collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), usize::from(shows));
            // A die looks the same when it is turned by half.
            assert!(places.iter().all(|&(x, y)| places.contains(&(100 - x, 100 - y))), "{shows}: {places:?}");
        }
    }

    #[test]
    fn signs_are_split_before_the_suit() {
        assert_eq!(split_sign("10♥"), ("10", Some('♥')));
        assert_eq!(split_sign("K"), ("K", None));
        assert_eq!(split_sign(""), ("", None));
    }
}
