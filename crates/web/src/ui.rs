//! What a board needs to know besides the position: who looks, what is lit, what is chosen, who is who.

use crate::board::Key;
use crate::icons::{seat_mark, ui_icon};
use crate::markup::{El, MarkupNode, div, el, short, span};
use pentarchy_engine::Seat;
use std::collections::BTreeSet;

/// What a board needs to know besides the position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ui {
    /// Whose hand is shown: the player at this screen. Nobody while bots are watched.
    pub seat: Option<Seat>,
    /// The players' names by seat; the player at this screen is "You".
    pub names: Vec<String>,
    /// Their colours by seat, 1 to 6.
    pub colours: Vec<u8>,
    /// What can be clicked now.
    pub lit: BTreeSet<Key>,
    /// What could be clicked at first, before anything was: to change one's mind.
    pub start: BTreeSet<Key>,
    /// What has been clicked, in order.
    pub chosen: Vec<Key>,
    /// What the pointer or the focus is on in the list of actions: their places light up with them.
    pub hinted: Vec<Key>,
    /// Whether the first of `chosen` was chosen by the page and not by the player.
    pub preselected: bool,
    /// How many are placed or moved with a click.
    pub amount: Amount,
    /// The place and the number that the stepper shows, while it is open.
    pub stepper: Option<(Key, u32)>,
    /// Whether the seat of this screen is asked.
    pub mine: bool,
    /// Whether the screen is narrow, as a phone's.
    pub narrow: bool,
    /// How the points of the seat of this screen have changed in this round and the last, in order.
    pub ledger: Vec<Change>,
    /// What has come to pass in what goes on now, such as the clashes of a battle ([`Board::chapter`]).
    ///
    /// [`Board::chapter`]: crate::board::Board::chapter
    pub story: Vec<String>,
}

/// How many are placed or moved with a click.
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
    /// Every amount.
    pub const ALL: [Amount; 4] = [Amount::One, Amount::Five, Amount::Half, Amount::All];

    /// The number among those that the rules offer, which ascend; 0 if they offer none.
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

    /// The key of the button that chooses it.
    pub fn key(self) -> &'static str {
        match self {
            Amount::One => "amount one",
            Amount::Five => "amount five",
            Amount::Half => "amount half",
            Amount::All => "amount all",
        }
    }
}

/// A change of somebody's points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Whose.
    pub seat: Seat,
    /// The round, in words.
    pub round: String,
    /// What for, in a few words.
    pub why: String,
    /// By how much.
    pub by: i32,
}

impl Ui {
    /// Whether something can be done with this now.
    pub fn lit(&self, key: &str) -> bool {
        self.lit.contains(key)
    }

    /// Whether this has been clicked.
    pub fn chosen(&self, key: &str) -> bool {
        self.chosen.iter().any(|k| k == key)
    }

    /// Whether the action under the pointer in the list touches this.
    pub fn hinted(&self, key: &str) -> bool {
        self.hinted.iter().any(|k| k == key)
    }

    /// The class of a piece: `can` if lit, `sel` if chosen, both with `hint` if the list points at it.
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

    /// Makes a piece out of an element: it can be clicked, focused and asked about. `name` says all it shows.
    pub fn piece(&self, el: El, key: &str, name: impl Into<String>) -> El {
        let (lit, chosen) = (self.lit(key), self.chosen(key));
        let el = el.class(self.class(key)).set("data-key", key.to_string());
        if lit || chosen {
            button(el, name.into()).set_if(chosen, "aria-pressed", "true")
        } else {
            el.set("role", "img").set("aria-label", name.into())
        }
    }

    /// The same for a piece that one would expect to be usable: while it is not, it is greyed and says why when
    /// asked ([`Board::why_not`](crate::board::Board::why_not)).
    pub fn usable(&self, el: El, key: &str, name: impl Into<String>) -> El {
        if !self.mine || self.lit(key) || self.chosen(key) {
            return self.piece(el, key, name);
        }
        let el = el.class(self.class(key)).set("data-key", key.to_string());
        // One may change one's mind.
        if self.start.contains(key) {
            return button(el.class("can"), name.into());
        }
        button(el.class("no"), name.into()).set("aria-disabled", "true")
    }

    /// The name of a seat.
    pub fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("?", |name| name.as_str())
    }

    /// The colour of a seat, 1 to 6.
    pub fn colour(&self, seat: Seat) -> u8 {
        self.colours.get(seat.index()).copied().unwrap_or(seat.0 + 1)
    }

    /// The class of a seat's colour.
    pub fn c(&self, seat: Seat) -> String {
        format!("c{}", self.colour(seat))
    }

    /// The shape of a seat.
    pub fn mark(&self, seat: Seat) -> El {
        seat_mark(self.colour(seat))
    }

    /// The name of a seat in its colour.
    pub fn who(&self, seat: Seat) -> El {
        span(format!("who {}", self.c(seat))).text(self.name(seat).to_string())
    }
}

/// A map that can be zoomed and panned, with its buttons; it opens around `at`, in parts of its size. On a narrow
/// screen it is never smaller than `least`, in pixels, so that fingers find its pieces.
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

/// A button. One with words on it is named by these words, so that who speaks to the page says what is to be seen;
/// a drawing gets a name.
fn button(el: El, name: String) -> El {
    let el = el.set("role", "button").set("tabindex", "0");
    if is_html(el.tag) && has_words(&el) { el } else { el.set("aria-label", name) }
}

fn is_html(tag: &str) -> bool {
    matches!(tag, "div" | "span" | "li" | "i" | "b" | "p" | "button")
}

fn has_words(el: &El) -> bool {
    el.kids.iter().any(|kid| match kid {
        MarkupNode::Text(text) => text.chars().any(char::is_alphabetic),
        MarkupNode::El(el) => has_words(el),
    })
}
