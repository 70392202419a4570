//! Zooms and pans the maps that `ui::zoomable` draws.

use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen(module = "/js/zoom.js")]
extern "C" {
    /// Updates the map after the board was drawn: a new map starts unzoomed, and usable pieces are scrolled into
    /// view.
    pub(super) fn settle(board: &Element);
    /// Zooms the map: `how` is `in`, `out`, or `whole` for the whole map. Returns `false` if there is no map.
    pub(super) fn zoomed(how: &str) -> bool;
}
