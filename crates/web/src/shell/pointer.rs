//! Clicks, drags and hovering, handled once for the whole table: pieces carry keys, buttons carry commands.

use super::about;
use crate::app::App;
use leptos::prelude::*;
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, PointerEvent};

thread_local! {
    /// Where a drag began.
    static DRAG: RefCell<Option<(String, i32, i32)>> = const { RefCell::new(None) };
}

/// The value of this attribute, of the element an event happened on or the nearest around it that has one.
pub(super) fn near(event: &Event, name: &str) -> Option<String> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest(&format!("[{name}]")).ok().flatten()?.get_attribute(name)
}

/// A click on a button or a piece. The innermost of both counts.
pub(super) fn on_click(app: App, event: &Event) {
    let Some(target) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else { return };
    let Ok(Some(hit)) = target.closest("[data-do],[data-key]") else { return };
    if let Some(what) = hit.get_attribute("data-do") {
        app.command(&what);
    } else if let Some(key) = hit.get_attribute("data-key") {
        app.click(&key);
        about::show(app, &hit, &key, true);
    }
}

/// Something is pressed: perhaps a drag begins, perhaps a long press.
pub(super) fn on_down(app: App, event: &PointerEvent) {
    let key = near(event, "data-key").filter(|_| app.play.mine());
    DRAG.set(key.map(|key| (key, event.client_x(), event.client_y())));
}

/// Something is let go: dragging one lit piece to another is a click on each.
pub(super) fn on_up(app: App, event: &PointerEvent) {
    let Some((from, x, y)) = DRAG.take() else { return };
    if (event.client_x() - x).abs() + (event.client_y() - y).abs() < 24 {
        return;
    }
    let under = crate::page::document()
        .and_then(|d| d.element_from_point(event.client_x() as f32, event.client_y() as f32));
    let to =
        under.and_then(|e| e.closest("[data-key]").ok().flatten()).and_then(|e| e.get_attribute("data-key"));
    let Some(to) = to.filter(|to| *to != from) else { return };
    let goes = app.play.choices().iter().any(|c| c.path.starts_with(&[from.clone(), to.clone()]));
    if goes {
        app.play.chosen.set(Vec::new());
        app.click(&from);
        app.click(&to);
    }
}

/// The pointer or the focus is on something: pieces say what they are, rows light up their places.
pub(super) fn on_over(app: App, event: &Event) {
    let Some(target) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else { return };
    let path = target.closest("[data-path]").ok().flatten().and_then(|row| row.get_attribute("data-path"));
    let hinted: Vec<String> = path
        .map(|p| p.split('|').filter(|k| !k.is_empty()).map(str::to_string).collect())
        .unwrap_or_default();
    if app.play.hinted.with_untracked(|old| *old != hinted) {
        app.play.hinted.set(hinted);
    }
    match target.closest("[data-key]").ok().flatten() {
        Some(piece) => {
            if let Some(key) = piece.get_attribute("data-key") {
                about::show(app, &piece, &key, false);
            }
        }
        None => about::hide(app),
    }
}
