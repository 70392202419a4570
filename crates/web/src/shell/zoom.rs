//! Zooms and pans the maps that `ui::zoomable` draws.

use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen(module = "/js/zoom.js")]
extern "C" {
    /// Updates the map after the board was drawn; does nothing if the board has none. A new map shows the
    /// player's home; one that does not fit is shown as a whole until a piece on it can be used. When pieces
    /// become usable, the map scrolls and zooms so that they are in view.
    pub(super) fn settle(board: &Element);
    /// Zooms the map: `how` is `in`, `out`, or anything else for the whole map. Returns `false` if there is
    /// no map.
    pub(super) fn zoomed(how: &str) -> bool;
}
