//! The data that a board needs besides the position: the viewing seat, highlights, selection, names.

use crate::board::Key;
use crate::icons::{seat_mark, ui_icon};
use crate::markup::{El, MarkupNode, div, el, short, span};
use pentarchy_engine::Seat;
use std::collections::BTreeSet;

/// What a board needs besides the position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ui {
    /// The seat whose hand is shown: the player at this screen. `None` while bots are watched.
    pub seat: Option<Seat>,
    /// The players' names by seat; the player at this screen is "You".
    pub names: Vec<String>,
    /// Their colours by seat, 1 to 6.
    pub colours: Vec<u8>,
    /// Keys that can be clicked now.
    pub lit: BTreeSet<Key>,
    /// Keys that could be clicked before the first click, so that the player can select another piece.
    pub start: BTreeSet<Key>,
    /// Keys that were clicked, in order.
    pub chosen: Vec<Key>,
    /// Keys of the list entry under the pointer or focus.
    pub hinted: Vec<Key>,
    /// Whether the page, not the player, chose the first key of `chosen`.
    pub preselected: bool,
    /// The amount that a click places or moves.
    pub amount: Amount,
    /// The place and the number of the open stepper.
    pub stepper: Option<(Key, u32)>,
    /// Whether the seat of this screen has to decide.
    pub mine: bool,
    /// Whether the screen is narrow, like a phone's.
    pub narrow: bool,
    /// Changes of this seat's points in the last two rounds in which they changed, in order.
    pub ledger: Vec<Change>,
    /// The texts of the current chapter, such as the clashes of a battle, in order ([`Board::chapter`]).
    ///
    /// [`Board::chapter`]: crate::board::Board::chapter
    pub story: Vec<String>,
}

/// The amount that a click places or moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Amount {
    /// One.
    One,
    /// Five, or as many as there are.
    Five,
    /// Half of them, at least one.
    Half,
    /// All of them.
    #[default]
    All,
}

impl Amount {
    /// All amounts.
    pub const ALL: [Amount; 4] = [Amount::One, Amount::Five, Amount::Half, Amount::All];

    /// Returns the largest number of `offered`, the ascending numbers that the rules allow, that does not exceed this
    /// amount; 0 if there is none. `Half` is half of the largest, at least 1; `All` is the largest.
    pub fn of(self, offered: &[u32]) -> u32 {
        let most = offered.last().copied().unwrap_or(0);
        let limit = match self {
            Amount::One => 1,
            Amount::Five => 5,
            Amount::Half => (most / 2).max(1),
            Amount::All => most,
        };
        offered.iter().copied().rfind(|&n| n <= limit).unwrap_or(0)
    }

    /// Returns the key of the button that selects it: `amount one`, `amount five`, `amount half` or `amount all`.
    pub fn key(self) -> &'static str {
        match self {
            Amount::One => "amount one",
            Amount::Five => "amount five",
            Amount::Half => "amount half",
            Amount::All => "amount all",
        }
    }
}

/// A change of a seat's points, as an entry of the ledger.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The seat.
    pub seat: Seat,
    /// The round, in words.
    pub round: String,
    /// The reason, in a few words.
    pub why: String,
    /// The difference.
    pub by: i32,
}

impl Ui {
    /// Returns whether this key can be clicked now, as the next click of a path.
    pub fn lit(&self, key: &str) -> bool {
        self.lit.contains(key)
    }

    /// Returns whether this key is among those clicked so far.
    pub fn chosen(&self, key: &str) -> bool {
        self.chosen.iter().any(|k| k == key)
    }

    /// Returns whether the list entry under the pointer or focus has this key in its path.
    pub fn hinted(&self, key: &str) -> bool {
        self.hinted.iter().any(|k| k == key)
    }

    /// Returns the CSS classes of a piece: `sel` if its key was clicked, else `can` if it can be clicked, and also
    /// `hint` if the list entry under the pointer has it. Empty if none holds.
    pub fn class(&self, key: &str) -> String {
        let mut class = String::new();
        if self.chosen(key) {
            class.push_str("sel");
        } else if self.lit(key) {
            class.push_str("can");
        }
        if self.hinted(key) {
            class.push_str(" hint");
        }
        class
    }

    /// Makes an element the piece of this key, with a tooltip ([`Board::explain`](crate::board::Board::explain)) and
    /// its classes. If the key can be clicked or was clicked, it is a button that can be focused; otherwise it is an
    /// image for screen readers. `name` is its text for them. Returns the element.
    pub fn piece(&self, el: El, key: &str, name: impl Into<String>) -> El {
        let (lit, chosen) = (self.lit(key), self.chosen(key));
        let el = el.class(self.class(key)).set("data-key", key.to_string());
        if lit || chosen {
            button(el, name.into()).set_if(chosen, "aria-pressed", "true")
        } else {
            el.set("role", "img").set("aria-label", name.into())
        }
    }

    /// Makes an element a piece that the player expects to use. While the player has to decide and the key
    /// cannot be clicked, it is a greyed, disabled button whose tooltip says why
    /// ([`Board::why_not`](crate::board::Board::why_not)), unless the key could be the first click of another
    /// path: then it looks clickable. In all other cases it is an ordinary [`piece`](Ui::piece): a button if
    /// the key can be clicked or was clicked, else an image.
    pub fn usable(&self, el: El, key: &str, name: impl Into<String>) -> El {
        if !self.mine || self.lit(key) || self.chosen(key) {
            return self.piece(el, key, name);
        }
        let el = el.class(self.class(key)).set("data-key", key.to_string());
        // The player can still select another piece.
        if self.start.contains(key) {
            return button(el.class("can"), name.into());
        }
        button(el.class("no"), name.into()).set("aria-disabled", "true")
    }

    /// Returns the name of a seat; "You" for the player at this screen, `?` for an unknown seat.
    pub fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("?", |name| name.as_str())
    }

    /// Returns the colour of a seat, 1 to 6; the number of the seat, from 1, if `colours` has none.
    pub fn colour(&self, seat: Seat) -> u8 {
        self.colours.get(seat.index()).copied().unwrap_or(seat.0 + 1)
    }

    /// Returns the CSS class of a seat's colour: `c1` to `c6`, or beyond for a seat after the sixth without a colour.
    pub fn c(&self, seat: Seat) -> String {
        format!("c{}", self.colour(seat))
    }

    /// Draws the shape of a seat's colour as a mark in a text, hidden from screen readers.
    pub fn mark(&self, seat: Seat) -> El {
        seat_mark(self.colour(seat))
    }

    /// Draws the name of a seat in its colour, as a `span`; "You" for the player at this screen.
    pub fn who(&self, seat: Seat) -> El {
        span(format!("who {}", self.c(seat))).text(self.name(seat).to_string())
    }
}

/// Draws `map`, the elements of a map, so that it can be zoomed and panned. Returns two elements: the map, and its
/// three buttons (zoom in, zoom out, whole map). It opens around `at`, as fractions (0 to 1) of its width and height.
/// On a narrow screen it is at least `least` pixels wide and high, so that its pieces can be tapped.
pub fn zoomable(map: impl IntoIterator<Item = El>, at: (f32, f32), least: (f32, f32)) -> [El; 2] {
    let button = |how: &'static str, icon: &'static str, said: &'static str| {
        el("button")
            .class("iconbtn")
            .set("data-do", how)
            .set("aria-label", said)
            .set("title", said)
            .kid(ui_icon(icon, 18))
    };
    let size = format!("--w:{}px;--h:{}px", short(least.0), short(least.1));
    let map = div("zoom")
        .set("tabindex", "0")
        .set("role", "region")
        .set("aria-label", "Map: plus and minus zoom, 0 shows all of it")
        .set("data-at", format!("{:.2} {:.2}", at.0, at.1))
        .kid(div("zoom-in").set("style", size).kids(map));
    let buttons = div("zoomer")
        .kid(button("zoom in", "plus", "Zoom in (+)"))
        .kid(button("zoom out", "minus", "Zoom out (−)"))
        .kid(button("zoom whole", "whole", "Whole map (0)"));
    [map, buttons]
}

/// Makes an element a button that can be focused, and returns it. An HTML element with letters in its text is named
/// by that text, as voice control needs; any other gets `name` as its label for screen readers.
fn button(el: El, name: String) -> El {
    let el = el.set("role", "button").set("tabindex", "0");
    if is_html(el.tag) && has_words(&el) { el } else { el.set("aria-label", name) }
}

/// Returns whether a tag is one of the HTML tags that boards use (`div`, `span`, `li`, `i`, `b`, `p`, `button`);
/// others count as SVG.
fn is_html(tag: &str) -> bool {
    matches!(tag, "div" | "span" | "li" | "i" | "b" | "p" | "button")
}

/// Returns whether a text in the element or a descendant contains a letter.
fn has_words(el: &El) -> bool {
    el.kids.iter().any(|kid| match kid {
        MarkupNode::Text(text) => text.chars().any(char::is_alphabetic),
        MarkupNode::El(el) => has_words(el),
    })
}
