//! Clicks, drags and hovering, handled once for the whole table: pieces carry keys, buttons carry commands.

use super::about;
use crate::app::App;
use leptos::prelude::*;
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, PointerEvent};

/// A piece that is held.
struct Held {
    key: String,
    piece: Element,
    x: i32,
    y: i32,
    /// Its likeness that goes with the pointer, once it has left its place.
    ghost: Option<HtmlElement>,
}

thread_local! {
    static HELD: RefCell<Option<Held>> = const { RefCell::new(None) };
}

/// So far a piece is moved before that is a drag.
const FAR: i32 = 24;

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
    // Whoever clicks has seen enough.
    crate::motion::skip();
    HELD.set(None);
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok()).filter(|_| app.play.mine());
    let Some(piece) = target.and_then(|t| t.closest("[data-key]").ok().flatten()) else { return };
    let Some(key) = piece.get_attribute("data-key") else { return };
    // Fingers scroll; a mouse or a pen carries what can go somewhere.
    if event.pointer_type() != "touch" && leads_on(app, std::slice::from_ref(&key)) {
        let (x, y) = (event.client_x(), event.client_y());
        HELD.set(Some(Held { key, piece, x, y, ghost: None }));
    }
}

/// Whether something can be done with the pieces of this path and one more.
fn leads_on(app: App, path: &[String]) -> bool {
    app.play.choices().iter().any(|c| c.path.len() > path.len() && c.path.starts_with(path))
}

/// The pointer moves: what is held goes with it, and the places where it can go light up.
pub(super) fn on_move(app: App, event: &PointerEvent) {
    let lifts = HELD.with_borrow_mut(|held| {
        let held = held.as_mut()?;
        let (dx, dy) = (event.client_x() - held.x, event.client_y() - held.y);
        let lifts = held.ghost.is_none() && dx.abs() + dy.abs() >= FAR;
        if lifts {
            held.ghost = likeness(&held.piece);
            let _ = held.piece.class_list().add_1("lifted");
        }
        let _ = held.ghost.as_ref()?.style().set_property("translate", &format!("{dx}px {dy}px"));
        lifts.then(|| held.key.clone())
    });
    if let Some(key) = lifts {
        about::hide(app);
        app.play.chosen.set(vec![key]);
    }
}

/// A likeness of a piece, over it.
fn likeness(piece: &Element) -> Option<HtmlElement> {
    let place = piece.get_bounding_client_rect();
    let like: Element = piece.clone_node_with_deep(true).ok()?.dyn_into().ok()?;
    for name in ["data-key", "data-token", "id", "tabindex"] {
        let _ = like.remove_attribute(name);
    }
    let ghost: HtmlElement = crate::page::document()?.create_element("div").ok()?.dyn_into().ok()?;
    ghost.set_class_name("ghost");
    let _ = ghost.set_attribute("aria-hidden", "true");
    let (left, top) = (place.left(), place.top());
    ghost.style().set_css_text(&format!(
        "left:{left}px;top:{top}px;width:{}px;height:{}px",
        place.width(),
        place.height()
    ));
    // A piece of a drawing goes without a likeness.
    if piece.dyn_ref::<web_sys::SvgElement>().is_none() {
        let _ = ghost.append_child(&like);
    }
    crate::page::document()?.body()?.append_child(&ghost).ok()?;
    Some(ghost)
}

/// Something is let go: dragging one lit piece to another is a click on each.
pub(super) fn on_up(app: App, event: &PointerEvent) {
    let Some(held) = HELD.take() else { return };
    let Some(ghost) = held.ghost else { return };
    ghost.remove();
    let _ = held.piece.class_list().remove_1("lifted");
    let under = crate::page::document()
        .and_then(|d| d.element_from_point(event.client_x() as f32, event.client_y() as f32));
    let to = under.and_then(|e| e.closest("[data-key]").ok().flatten());
    let to = to.and_then(|e| e.get_attribute("data-key"));
    app.play.chosen.set(Vec::new());
    if let Some(to) = to.filter(|to| *to != held.key)
        && app.play.choices().iter().any(|c| c.path.starts_with(&[held.key.clone(), to.clone()]))
    {
        app.click(&held.key);
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
