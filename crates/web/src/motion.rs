//! Animation: pieces move from their old place to the new one, numbers count, dice tumble. Only `transform` and
//! `opacity` change.

use crate::{dom, page};
use std::cell::Cell;
use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen(module = "/js/motion.js")]
extern "C" {
    /// Returns the places of everything below `root` with a `data-token`, and the values of every `data-tick`
    /// and `data-die`, for [`animate`]. Ends running counts of numbers first.
    fn remember(root: &Element) -> JsValue;
    /// Animates from `before`, the result of [`remember`], to the current state: moved pieces in `move_ms`
    /// milliseconds, numbers in 1.5 times, dice in 3 times that; new pieces fade in. With `still` (reduced
    /// motion) changed elements only get a ring for a second.
    fn animate(root: &Element, before: &JsValue, move_ms: f64, still: bool);
    /// Animates the dice of a report for `move_ms` milliseconds, each when its part of the report appears.
    fn roll(report: &Element, move_ms: f64);
    /// Ends all running animations at their final state.
    fn finish();
    /// Scrolls all elements with the `data-key` of this element into view if a part of them is hidden: a card
    /// can be drawn in several places. The element must have a key.
    #[wasm_bindgen(js_name = reveal)]
    fn scroll_into_view(element: &Element);
}

thread_local! {
    static PACE: Cell<f64> = const { Cell::new(1.0) };
}

/// Sets the factor of the duration of animations, until the next call: 1 is normal, 2 twice as slow; 0 turns
/// them off. Running animations are not affected.
pub fn set_pace(pace: f64) {
    PACE.set(pace);
}

/// Runs a change of the page and animates from the state before it. With animations off, or without a table
/// on the page, it only runs the change.
pub fn across(change: impl FnOnce()) {
    let pace = PACE.get();
    let table = page::document().and_then(|d| d.query_selector(".table").ok().flatten());
    let Some(table) = table.filter(|_| pace > 0.0) else { return change() };
    let before = remember(&table);
    change();
    animate(&table, &before, 240.0 * pace, page::has_reduced_motion());
}

/// Returns the factor of the duration of reports: that of [`set_pace`], at most 1.2, so that a report takes
/// at most 4 seconds. 0 if animations are off.
pub fn report_pace() -> f64 {
    PACE.get().min(1.2)
}

/// Starts the animation of the dice of a report. Does nothing with animations off or reduced motion.
pub fn roll_dice(report: &Element) {
    if report_pace() > 0.0 && !page::has_reduced_motion() {
        roll(report, 720.0 * report_pace());
    }
}

/// Scrolls to the pieces with these keys where a part of one is hidden. Keys without a piece are ignored.
pub fn reveal(keys: &[String]) {
    let Some(root) = page::root() else { return };
    keys.iter().filter_map(|key| dom::find_key(&root, key)).for_each(|piece| scroll_into_view(&piece));
}

/// Ends all running animations at their final state.
pub fn skip() {
    finish();
}
