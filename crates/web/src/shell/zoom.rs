//! Maps come nearer: what `ui::zoomable` draws is zoomed and panned here.

use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen(module = "/js/zoom.js")]
extern "C" {
    /// The board has been drawn: a new map opens at home, and what can be used is in sight.
    pub(super) fn settle(board: &Element);
    /// Zooms `in`, `out`, or to the whole map; false if there is no map.
    pub(super) fn zoomed(how: &str) -> bool;
}
