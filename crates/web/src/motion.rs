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
    /// The dice of a report tumble, each when its part appears.
    fn roll(report: &Element, move_ms: f64);
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

/// The pace of reports: that of the settings, but never so slow that a report takes more than 4 seconds.
pub fn report_pace() -> f64 {
    PACE.get().min(1.2)
}

/// The dice of a report tumble to what they show.
pub fn roll_dice(report: &Element) {
    if report_pace() > 0.0 && !page::still() {
        roll(report, 720.0 * report_pace());
    }
}

/// Ends everything that moves.
pub fn skip() {
    finish();
}
