//! Keyboard control. Everything can be done without a pointer.

use crate::app::{App, Screen};
use crate::{dom, page};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// Handles a key press anywhere in the page. While a forced move is shown, any key plays it at once and does
/// nothing else. Otherwise it closes what is open, runs the command of the key (undo, hint, rules, log,
/// replay, zoom, amounts), presses the focused piece, or moves the focus to the filter, a row or a piece.
/// Prevents the browser's own reaction to a key that did something, except Escape. Ignores letters while the
/// player types or holds Ctrl, Meta or Alt. While a dialog is open only Escape works; while a modal report is
/// open Escape, Enter, which closes it, and Tab, which stays on its button.
pub fn on_key(app: App, event: &KeyboardEvent) {
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    let typing = target.as_ref().is_some_and(|e| {
        let is_range = e.get_attribute("type").as_deref() == Some("range");
        e.tag_name() == "INPUT" && !is_range || e.tag_name() == "SELECT"
    });
    let key = event.key();
    super::pointer::end_touch();
    if app.end_forced_display() {
        event.prevent_default();
        return;
    }
    if key == "Escape" {
        crate::motion::skip();
        if super::numbers::close_stepper(app) {
            return;
        }
        match target.as_ref().filter(|e| e.id() == "filter") {
            Some(filter) => {
                app.filter.set(String::new());
                let _ = filter.unchecked_ref::<HtmlElement>().blur();
            }
            None => app.escape(),
        }
        return;
    }
    if app.page.get_untracked() != Screen::Table || app.sheet.with_untracked(Option::is_some) {
        return;
    }
    if untrack(|| app.play.has_open_dialog()) {
        // Enter on the button is already a click, and nothing else can be reached.
        let on_button = target.as_ref().is_some_and(|e| e.closest(".report").ok().flatten().is_some());
        if key == "Enter" && !on_button {
            app.play.close_report();
            event.prevent_default();
        }
        if key == "Tab" {
            super::report::keep_focus();
            event.prevent_default();
        }
        return;
    }
    let done = match key.as_str() {
        "ArrowDown" | "ArrowUp" if is_in_list(target.as_ref()) => {
            focus_row(target.as_ref(), key == "ArrowDown")
        }
        "ArrowDown" | "ArrowUp" | "ArrowLeft" | "ArrowRight" if !typing => {
            focus_neighbour(target.as_ref(), &key)
        }
        "Enter" if target.as_ref().is_some_and(|e| e.id() == "filter") => run_first_row(app),
        // A player who has just typed an action can type the next one.
        "/" if is_empty_filter(app, target.as_ref()) => true,
        "Enter" if app.play.stepper.with_untracked(Option::is_some) => run(app, "step go"),
        "Enter" | " " => press(app, target.as_ref()),
        _ if typing || event.ctrl_key() || event.meta_key() || event.alt_key() => false,
        "/" => focus_on("#filter"),
        "u" | "U" => run(app, "undo"),
        "h" | "H" => run(app, "hint"),
        "r" | "R" => run(app, "rules"),
        "l" | "L" => focus_on(".log ol"),
        "[" => run(app, &format!("look {}", shown_event(app).saturating_sub(1))),
        "]" => run(app, &format!("look {}", shown_event(app) + 1)),
        "." => run(app, "live"),
        "+" | "=" => super::zoom::zoomed("in"),
        "-" | "−" => super::zoom::zoomed("out"),
        digit if digit.len() == 1 && digit.as_bytes()[0].is_ascii_digit() => {
            super::numbers::typed(app, digit)
                || click_badge(app, digit)
                || digit == "0" && super::zoom::zoomed("whole")
        }
        _ => false,
    };
    if done {
        event.prevent_default();
    }
}

/// Runs the command `what` (a word and possibly an argument, see [`App::run_command`]) and returns `true`,
/// because the key was handled, even if the command is unknown.
fn run(app: App, what: &str) -> bool {
    app.run_command(what);
    true
}

/// Returns the number of events of the shown position; all of them outside the replay, 0 without a match.
fn shown_event(app: App) -> usize {
    let all = app.play.with_match_untracked(|table| table.entries().len()).unwrap_or(0);
    app.play.at.get_untracked().unwrap_or(all)
}

/// Moves the focus to the first element of the page that matches the CSS selector. Returns `false`, and leaves
/// the focus, if there is none.
fn focus_on(selector: &str) -> bool {
    let found = page::document().and_then(|d| d.query_selector(selector).ok().flatten());
    if let Some(found) = &found {
        dom::focus(found);
    }
    found.is_some()
}

/// Returns whether `target`, the focused element, is the filter of the list and the filter is empty.
fn is_empty_filter(app: App, target: Option<&Element>) -> bool {
    target.is_some_and(|e| e.id() == "filter") && app.filter.with_untracked(String::is_empty)
}

/// Returns whether `target`, the focused element, is a row of the list of actions or its filter.
fn is_in_list(target: Option<&Element>) -> bool {
    target.is_some_and(|e| e.id() == "filter" || e.class_list().contains("act-row"))
}

/// Returns all elements of the page that match the CSS selector, in document order.
fn all(selector: &str) -> Vec<Element> {
    let Some(list) = page::document().and_then(|d| d.query_selector_all(selector).ok()) else {
        return Vec::new();
    };
    (0..list.length()).filter_map(|i| list.item(i)?.dyn_into().ok()).collect()
}

/// Moves the focus from `target` to the next (`down`) or previous row of the list; the filter is above the first
/// row. From anything but a row, down goes to the first row and up nowhere. Returns `true`: the key was handled
/// even at an end of the list. `false` only if the filter is wanted and not on the page.
fn focus_row(target: Option<&Element>, down: bool) -> bool {
    let rows = all(".act-row");
    let here = rows.iter().position(|row| Some(row) == target);
    let next = match (here, down) {
        (None, true) => Some(0),
        (None, false) => None,
        (Some(i), true) => Some((i + 1).min(rows.len().saturating_sub(1))),
        (Some(0), false) => return focus_on("#filter"),
        (Some(i), false) => Some(i - 1),
    };
    if let Some(row) = next.and_then(|i| rows.get(i)) {
        dom::focus(row);
    }
    true
}

/// Moves the focus from `target`, a piece, to the nearest usable piece in the direction of an arrow key (its
/// name; any name but those of right, left and down is up). A distance across that direction counts 2.5
/// times. Returns `false` if `target` is no piece or there is none in that direction.
fn focus_neighbour(target: Option<&Element>, key: &str) -> bool {
    let Some(from) = target.filter(|e| e.has_attribute("data-key")) else { return false };
    let (here, mut best) = (from.get_bounding_client_rect(), None);
    let middle = |r: &web_sys::DomRect| (r.left() + r.width() / 2.0, r.top() + r.height() / 2.0);
    let (x, y) = middle(&here);
    for piece in all("[data-key][tabindex=\"0\"]") {
        let (px, py) = middle(&piece.get_bounding_client_rect());
        let (dx, dy) = (px - x, py - y);
        let (along, across) = match key {
            "ArrowRight" => (dx, dy),
            "ArrowLeft" => (-dx, dy),
            "ArrowDown" => (dy, dx),
            _ => (-dy, dx),
        };
        if along < 4.0 || piece == *from {
            continue;
        }
        let cost = along + 2.5 * across.abs();
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, piece));
        }
    }
    match best {
        Some((_, piece)) => {
            dom::focus(&piece);
            true
        }
        None => false,
    }
}

/// Handles Enter or Space on `target`, the focused element: clicks the focused piece, with its tooltip if it
/// cannot be used now, or runs the primary button of the prompt if nothing is focused. Returns whether it did
/// something; `false` for buttons, which the browser clicks itself.
fn press(app: App, target: Option<&Element>) -> bool {
    let Some(target) = target else { return false };
    if let Some(key) = target.get_attribute("data-key") {
        if target.tag_name() != "BUTTON" {
            let lit = target.class_list().contains("can") && app.play.is_own_decision();
            app.click_piece(&key);
            if !lit {
                super::about::show(app, target, &key, true);
            }
            return true;
        }
        return false;
    }
    if target.tag_name() != "BODY" {
        return false;
    }
    let primary = page::document().and_then(|d| d.query_selector(".prompt .btn.go").ok().flatten());
    let what = primary.and_then(|button| button.get_attribute("data-do"));
    what.is_some_and(|what| run(app, &what))
}

/// Handles Enter in the filter: runs the first row and clears the filter. Returns `true` also if there is no
/// row, so that the key does nothing else.
fn run_first_row(app: App) -> bool {
    let Some(row) = all(".act-row").into_iter().next() else { return true };
    app.filter.set(String::new());
    row.get_attribute("data-do").is_some_and(|what| run(app, &what))
}

/// Clicks the first usable piece whose key ends in the word `digit`, after a space or `#`, which its badge
/// shows; keys that begin with `#` do not count. Returns whether there is one.
fn click_badge(app: App, digit: &str) -> bool {
    let lit = app.play.ui(&app.play.legal_actions()).lit;
    let ends = |key: &&String| key.rsplit([' ', '#']).next() == Some(digit);
    let key = lit.iter().filter(|key| !key.starts_with('#')).find(ends).cloned();
    if let Some(key) = &key {
        app.click_piece(key);
    }
    key.is_some()
}
