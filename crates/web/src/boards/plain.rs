//! A board for a game that has none of its own: the table as the terminal shows it.

use crate::markup::{El, div, el};
use pentarchy_engine::{Describe, Position};

/// The table as lines of text.
pub fn draw<G: Describe>(view: &Position<G>) -> El {
    div("plain").kid(el("pre").text(without_colours(&G::table(view))))
}

/// The text without escape sequences for colours.
fn without_colours(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            out.push(c);
        } else {
            chars.by_ref().find(char::is_ascii_alphabetic);
        }
    }
    out
}
