//! What moves: pieces go from their old place to the new one, numbers count, dice tumble. Only `transform` and `opacity` move.

use crate::page;
use std::cell::Cell;
use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen(module = "/js/motion.js")]
extern "C" {
    /// Remembers where everything with a `data-token` is, and what a `data-tick` and a `data-die` show.
    fn remember(root: &Element) -> JsValue;
    /// Shows how things went from where they were to where they are.
    fn animate(root: &Element, before: &JsValue, move_ms: f64, still: bool);
    /// Ends everything that moves.
    fn finish();
}

thread_local! {
    static PACE: Cell<f64> = const { Cell::new(1.0) };
}

/// How fast things move: 1 is normal, 0 not at all.
pub fn set_pace(pace: f64) {
    PACE.set(pace);
}

/// Makes a change of the page and shows how things went from where they were.
pub fn across(change: impl FnOnce()) {
    let pace = PACE.get();
    let table = page::document().and_then(|d| d.query_selector(".table").ok().flatten());
    let Some(table) = table.filter(|_| pace > 0.0) else { return change() };
    let before = remember(&table);
    change();
    animate(&table, &before, 240.0 * pace, page::still());
}

/// Ends everything that moves.
pub fn skip() {
    finish();
}
