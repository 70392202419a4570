//! Icons: pieces from a sprite, the shapes of the seats, the glyphs of the interface.
//!
//! Pieces are from game-icons.net (CC BY 3.0); `cargo xtask icons` writes the used ones to `assets/icons.svg`.

use crate::markup::{El, el, path, span};
use std::cell::RefCell;

thread_local! {
    /// The address of the sprite; empty until [`set_sprite`] sets it.
    static SPRITE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Sets the address of the sprite for all icons drawn later on this thread. Called once at the start; until then the
/// address is empty.
pub fn set_sprite(url: String) {
    SPRITE.with(|sprite| *sprite.borrow_mut() = url);
}

/// Returns the address of an icon in the sprite: `<sprite>#<name>`. Not checked: whether the sprite has the icon.
fn href(name: &str) -> String {
    SPRITE.with(|sprite| format!("{}#{name}", sprite.borrow()))
}

/// Draws the icon of this name from the sprite, in the size and colour of the text around it and hidden from screen
/// readers. An unknown name draws nothing.
pub fn ic(name: &str) -> El {
    el("svg")
        .class("ic")
        .set("viewBox", "0 0 512 512")
        .set("aria-hidden", "true")
        .kid(el("use").set("href", href(name)))
}

/// Draws the icon of this name inside an SVG drawing, centred at `x`, `y` and `size` wide and high, in units of the
/// drawing. An unknown name draws nothing.
pub fn icon_at(name: &str, x: f32, y: f32, size: f32) -> El {
    el("svg")
        .num("x", x - size / 2.0)
        .num("y", y - size / 2.0)
        .num("width", size)
        .num("height", size)
        .set("viewBox", "0 0 512 512")
        .set("fill", "currentColor")
        .kid(el("use").set("href", href(name)))
}

/// Outlines of the seats' shapes in a box of 16, by colour; 0 is the crown of no seat.
pub const SHAPES: [&str; 7] = [
    "M1.5 9.5v-6l3 3 3-4 3 4 3-3v6zM1.5 11h12v2.5h-12z",
    "M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 1 1 0-13z",
    "M8 1.2 15 14H1z",
    "M3 2h10q1 0 1 1v10q0 1-1 1H3q-1 0-1-1V3q0-1 1-1z",
    "M8 .5 15.5 8 8 15.5.5 8z",
    "M8 .4l2.3 5 5.4.6-4 3.7 1.1 5.5L8 12.4l-4.8 2.8 1.1-5.5-4-3.7 5.4-.6z",
    "M2 1.5h12L9.8 8l4.2 6.5H2L6.2 8z",
];

/// Draws the shape of a seat's colour (1 to 6, or 0 for the crown of no seat), as a mark in a text. Larger numbers
/// get the shape of 6, but their own CSS class. Hidden from screen readers.
pub fn seat_mark(colour: u8) -> El {
    let shape = SHAPES[usize::from(colour.min(6))];
    span(format!("seat c{colour}"))
        .set("aria-hidden", "true")
        .kid(el("svg").set("viewBox", "0 0 16 16").kid(path("", shape)))
}

/// Draws the `defs` of a drawing with the patterns of the seats' areas (`url(#p2)` … `url(#p6)`). Colour 1 has no
/// pattern.
pub fn patterns() -> El {
    let pattern = |id: &'static str, turned: bool, kid: El| {
        el("pattern")
            .set("id", id)
            .set("width", "9")
            .set("height", "9")
            .set("patternUnits", "userSpaceOnUse")
            .set_if(turned, "patternTransform", "rotate(45)")
            .kid(kid.set("fill", "#000"))
    };
    let bar = |w: &'static str, h: &'static str, o: &'static str| {
        el("rect").set("width", w).set("height", h).set("opacity", o)
    };
    let dot = el("circle").set("cx", "2.5").set("cy", "2.5").set("r", "1.7").set("opacity", ".28");
    let cross = path("", "M0 0H9M0 0V9").set("stroke", "#000").set("stroke-width", "2").set("opacity", ".2");
    el("defs")
        .kid(pattern("p2", true, bar("3", "9", ".22")))
        .kid(pattern("p3", false, dot))
        .kid(pattern("p4", false, bar("9", "2.6", ".2")))
        .kid(pattern("p5", true, cross))
        .kid(pattern("p6", false, bar("2.6", "9", ".22")))
}

/// Draws a die of twenty sides as an SVG element, without its number and hidden from screen readers.
pub fn d20() -> El {
    el("svg")
        .set("viewBox", "0 0 200 200")
        .set("aria-hidden", "true")
        .kid(path("d20", "M100 6 182 53v94l-82 47-82-47V53z"))
        .kid(path("d20e", "M100 6 52 128h96zM18 53l34 75-34 19M182 53l-34 75 34 19M52 128l48 66 48-66M100 6 18 53M100 6l82 47"))
        .kid(path("d20f", "M100 38 62 118h76z"))
}

/// Returns the SVG path of a glyph of the interface in a box of 24. The names are `undo`, `first`, `back`,
/// `fwd`, `last`, `hint`, `rules`, `set`, `plus`, `minus`, `whole`, `x`, `shield`, `share`, `down`, `sun`,
/// `drop`, `list`, `log`, `clock`, `board`, `chk`, `people`, `chat`, `copy`, `pause` and `play`. Any other
/// name gives the menu glyph, three bars. Glyphs do not look like pieces.
pub fn glyph(name: &str) -> &'static str {
    match name {
        "undo" => "M9 5 4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3",
        "first" => "M6 5v14M19 5l-9 7 9 7z",
        "back" => "M16 5l-9 7 9 7z",
        "fwd" => "M8 5l9 7-9 7z",
        "last" => "M18 5v14M5 5l9 7-9 7z",
        "hint" => {
            "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c1 1 1.5 1.8 1.5 2.5h5c0-.7.5-1.5 1.5-2.5A6 6 0 0 0 12 3z"
        }
        "rules" => "M12 6c-2-1.5-5-2-8-2v14c3 0 6 .5 8 2 2-1.5 5-2 8-2V4c-3 0-6 .5-8 2zM12 6v14",
        "set" => {
            "M4 7h9M17 7h3M4 17h3M11 17h9M13 7a2 2 0 1 0 4 0a2 2 0 1 0-4 0M7 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0"
        }
        "plus" => "M12 5v14M5 12h14",
        "minus" => "M5 12h14",
        "whole" => "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
        "x" => "M6 6l12 12M18 6 6 18",
        "shield" => "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8 12l3 3 5-6",
        "share" => "M12 15V4M8 8l4-4 4 4M5 13v7h14v-7",
        "down" => "M12 4v11M8 11l4 4 4-4M5 20h14",
        "sun" => {
            "M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2"
        }
        "drop" => "M4 15v5h16v-5M12 4v10M8 10l4 4 4-4",
        "list" => "M9 6h11M9 12h11M9 18h11M4 6h1M4 12h1M4 18h1",
        "log" => "M6 3h9l4 4v14H6zM9 11h7M9 15h7",
        "clock" => "M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0M12 7v5l3 2",
        "board" => "M4 4h16v16H4zM4 12h16M12 4v16",
        "cup" => "M8 4h8v6a4 4 0 0 1-8 0zM8 6H4v1a4 4 0 0 0 4 4M16 6h4v1a4 4 0 0 1-4 4M12 14v4M8 20h8",
        "chk" => "M5 12l5 5 9-11",
        "people" => {
            "M5.5 8a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M2 20c0-4 3-6 7-6s7 2 7 6M15 4.8a3.5 3.5 0 0 1 0 6.4M17.5 14.6c2.7.7 4.5 2.5 4.5 5.4"
        }
        "chat" => "M4 5h16v11H10l-5 4v-4H4z",
        "copy" => "M9 9h11v11H9zM5 15H4V4h11v1",
        "pause" => "M8 5v14M16 5v14",
        "play" => "M8 5l10 7-10 7z",
        _ => "M4 7h16M4 12h16M4 17h16",
    }
}

/// Draws a glyph of the interface, named as in [`glyph`]; `size` is its width and height in pixels at the standard
/// text size. It has the colour of the text and is hidden from screen readers.
pub fn ui_icon(name: &str, size: u8) -> El {
    // In rem, so that it grows with the text size.
    let size = format!("{}rem", f32::from(size) / 16.0);
    el("svg")
        .class("uic")
        .set("width", size.clone())
        .set("height", size)
        .set("viewBox", "0 0 24 24")
        .set("fill", "none")
        .set("stroke", "currentColor")
        .set("stroke-width", "2")
        .set("stroke-linecap", "round")
        .set("stroke-linejoin", "round")
        .set("aria-hidden", "true")
        .kid(path("", glyph(name)))
}
