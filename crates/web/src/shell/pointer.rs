//! Clicks, drags, holds and hovering, handled once for the whole screen. Pieces carry keys, buttons carry commands.

use super::{about, numbers};
use crate::app::App;
use crate::page;
use leptos::prelude::*;
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event, HtmlElement, MouseEvent, PointerEvent, WheelEvent};

/// The piece that is pressed, and may be dragged.
struct Held {
    key: String,
    piece: Element,
    x: i32,
    y: i32,
    /// Whether it can be dragged somewhere.
    drags: bool,
    /// Whether a finger has rested on it long enough to drag it.
    armed: bool,
    /// What follows the pointer, once the piece has left its place.
    drawn: Option<Drawn>,
    /// The selection before the press.
    before: (Vec<String>, bool),
}

/// What follows the pointer in a drag.
enum Drawn {
    /// A copy of a card.
    Ghost(HtmlElement),
    /// An arrow from a piece of a drawing, with the number that moves.
    Arrow(Element),
}

impl Drawn {
    /// Removes the drawing of a drag from the page.
    fn remove(&self) {
        match self {
            Drawn::Ghost(ghost) => ghost.remove(),
            Drawn::Arrow(arrow) => arrow.remove(),
        }
    }
}

/// Whether the mouse has moved since the last click.
#[derive(Clone, Copy, PartialEq)]
enum Mouse {
    Moves,
    /// It has clicked here, and not moved since.
    Rests(i32, i32),
    /// The table is new; the mouse may rest where it clicked before.
    Unknown,
}

thread_local! {
    static HELD: RefCell<Option<Held>> = const { RefCell::new(None) };
    /// Number of the press, so that a timer knows whether its press still lasts.
    static PRESS: Cell<u32> = const { Cell::new(0) };
    /// Whether the last press was by a finger.
    static TOUCH: Cell<bool> = const { Cell::new(false) };
    /// The last thing that the mouse did. A piece that the page draws under a resting mouse shows no tooltip.
    static MOUSE: Cell<Mouse> = const { Cell::new(Mouse::Moves) };
    /// Whether the next click event is ignored, because it ends a hold or a drag.
    static SWALLOW: Cell<bool> = const { Cell::new(false) };
}

/// A press that moves by this number of pixels is a drag.
const FAR: i32 = 6;
/// A mouse that is moved by this many pixels after a click asks again what lies under it.
const STIR: i32 = 4;
/// A finger that rests this long on a piece drags it, in milliseconds; before that it scrolls.
const ARM: i32 = 250;
/// Holding a target this long opens the stepper, in milliseconds.
const HOLD: i32 = 350;

/// Returns whether the last press was by a finger: then no pointer can leave a piece, and nothing else hides
/// a tooltip.
pub(super) fn is_touch() -> bool {
    TOUCH.get()
}

/// Resets the state of the mouse when a table is opened: no tooltip is shown until the mouse moves.
pub(super) fn reset_mouse() {
    MOUSE.set(Mouse::Unknown);
}

/// Notes that the keyboard is used, not a finger: tooltips follow the focus again.
pub(super) fn end_touch() {
    TOUCH.set(false);
    MOUSE.set(Mouse::Moves);
}

/// Returns the element that is the target of an event; `None` if the target is something else, such as the
/// document.
fn element(event: &Event) -> Option<Element> {
    event.target().and_then(|t| t.dyn_into::<Element>().ok())
}

/// Returns the innermost piece that contains the target of an event, and its key; `None` if there is none.
fn piece_of(event: &Event) -> Option<(Element, String)> {
    let piece = element(event)?.closest("[data-key]").ok().flatten()?;
    let key = piece.get_attribute("data-key")?;
    Some((piece, key))
}

/// Handles a click: runs the command of a button or clicks a piece, whichever is innermost. With Shift, a click
/// on a piece where a number can be chosen plays the largest one. A piece that cannot be used shows its
/// tooltip. Closes the stepper if the click is outside of it. Ignores the click that ends a hold or a drag.
pub(super) fn on_click(app: App, event: &MouseEvent) {
    if SWALLOW.replace(false) {
        return;
    }
    let Some(target) = element(event) else { return };
    let hit = target.closest("[data-do],[data-key]").ok().flatten();
    if target.closest(".stepper").ok().flatten().is_none() {
        numbers::close_stepper(app);
    }
    let Some(hit) = hit else { return };
    // A click by the keyboard has no place.
    if event.detail() > 0 && !TOUCH.get() {
        MOUSE.set(Mouse::Rests(event.client_x(), event.client_y()));
    }
    if let Some(what) = hit.get_attribute("data-do") {
        // The command may turn this button into one that opens a menu: the click must not reach it.
        if !hit.has_attribute("popovertarget") {
            event.prevent_default();
        }
        app.run_command(&what);
    } else if let Some(key) = hit.get_attribute("data-key") {
        if event.shift_key() && numbers::open_stepper(app, &key, Some(u32::MAX)) {
            return numbers::run_stepper(app, "go");
        }
        let lit = hit.class_list().contains("can") || hit.class_list().contains("army");
        // After the click it may be the turn of others.
        let used = lit && app.play.is_own_decision();
        app.click_piece(&key);
        // A piece that cannot be used shows its tooltip with the reason, because touch screens have no hover.
        if used { about::hide(app) } else { about::show(app, &hit, &key, true) }
    }
}

/// Handles a press: skips the running animation, ends an earlier press, and hides the tooltip if it is on no
/// piece. If the player has to decide and presses the main button on a piece, starts a possible drag of the
/// piece or, on a target of a drawing, the hold that opens the stepper after [`HOLD`] milliseconds. A finger
/// drags only pieces of a drawing, after [`ARM`] milliseconds.
pub(super) fn on_down(app: App, event: &PointerEvent) {
    // A click skips the running animation.
    crate::motion::skip();
    drop_held(app, false);
    SWALLOW.set(false);
    TOUCH.set(event.pointer_type() == "touch");
    if piece_of(event).is_none() {
        about::hide(app);
    }
    let press = PRESS.get().wrapping_add(1);
    PRESS.set(press);
    let Some((piece, key)) = piece_of(event).filter(|_| app.play.is_own_decision() && event.button() == 0)
    else {
        return;
    };
    let touch = event.pointer_type() == "touch";
    let drawing = piece.dyn_ref::<web_sys::SvgElement>().is_some();
    let store = app.play.with_match_untracked(|table| table.store()).flatten();
    // Fingers scroll hands; a mouse or a pen drags what can go somewhere.
    let drags =
        (!touch || drawing) && (leads_on(app, std::slice::from_ref(&key)) || store.as_ref() == Some(&key));
    let holds = drawing && numbers::is_target(app, &key);
    if !drags && !holds {
        return;
    }
    let before = (app.play.chosen.get_untracked(), app.play.preselected.get_untracked());
    let (x, y) = (event.client_x(), event.client_y());
    HELD.set(Some(Held { key: key.clone(), piece, x, y, drags, armed: !touch, drawn: None, before }));
    if touch && drags {
        spawn_local(async move {
            page::sleep(ARM).await;
            if PRESS.get() == press {
                arm_held();
            }
        });
    }
    if holds {
        spawn_local(async move {
            page::sleep(HOLD).await;
            let still = HELD.with_borrow(|held| held.as_ref().is_some_and(|held| held.drawn.is_none()));
            if PRESS.get() == press && still && numbers::open_stepper(app, &key, None) {
                SWALLOW.set(true);
                HELD.set(None);
                release_map();
            }
        });
    }
}

/// Lets the finger that rests on the pressed piece drag it, and stops the map from scrolling. Does nothing
/// without a pressed piece.
fn arm_held() {
    HELD.with_borrow_mut(|held| {
        if let Some(held) = held {
            held.armed = true;
            if let Ok(Some(map)) = held.piece.closest(".zoom") {
                let _ = map.set_attribute("data-held", "");
            }
            let _ = held.piece.class_list().add_1("lifted");
        }
    });
}

/// Allows the map to scroll again after [`arm_held`]. Does nothing if it can.
fn release_map() {
    let map = page::document().and_then(|d| d.query_selector(".zoom[data-held]").ok().flatten());
    if let Some(map) = map {
        let _ = map.remove_attribute("data-held");
    }
}

/// Ends a press without an action and removes what was drawn for it. With `restore`, a drag also restores the
/// selection before it. Does nothing else without a pressed piece.
fn drop_held(app: App, restore: bool) {
    release_map();
    let Some(held) = HELD.take() else { return };
    let _ = held.piece.class_list().remove_1("lifted");
    if let Some(drawn) = held.drawn {
        drawn.remove();
        if restore {
            app.play.chosen.set(held.before.0);
            app.play.preselected.set(held.before.1);
        }
    }
}

/// Returns whether a legal action continues this path with another piece, not only with a number.
fn leads_on(app: App, path: &[String]) -> bool {
    let goes_on = |next: &String| !next.starts_with("n ");
    app.play
        .legal_actions()
        .iter()
        .any(|c| c.path.get(path.len()).is_some_and(goes_on) && c.path.starts_with(path))
}

/// Handles a move of the pointer: starts a drag after [`FAR`] pixels, moves what is dragged, and selects the
/// piece so that its targets are highlighted. A finger that moves before it may drag ends the press: it
/// scrolls. A mouse that has rested since its last click shows tooltips again after [`STIR`] pixels.
pub(super) fn on_move(app: App, event: &PointerEvent) {
    let (x, y) = (event.client_x(), event.client_y());
    let stirs = match MOUSE.get() {
        Mouse::Moves => false,
        Mouse::Rests(left, top) => (x - left).abs() + (y - top).abs() >= STIR,
        Mouse::Unknown => true,
    };
    if stirs {
        MOUSE.set(Mouse::Moves);
        on_over(app, event);
    }
    let mut scrolls = false;
    let lifts = HELD.with_borrow_mut(|held| {
        let held = held.as_mut()?;
        let (dx, dy) = (x - held.x, y - held.y);
        let far = dx.abs() + dy.abs() >= FAR;
        // A finger that moves at once scrolls the map.
        scrolls = far && (!held.armed || !held.drags);
        let lifts = held.drawn.is_none() && far && held.armed && held.drags;
        if lifts {
            held.drawn = match held.piece.dyn_ref::<web_sys::SvgElement>() {
                Some(_) => arrow(),
                None => likeness(&held.piece).map(Drawn::Ghost),
            };
            let _ = held.piece.class_list().add_1("lifted");
        }
        if let Some(Drawn::Ghost(ghost)) = &held.drawn {
            let _ = ghost.style().set_property("translate", &format!("{dx}px {dy}px"));
        }
        lifts.then(|| held.key.clone())
    });
    if scrolls {
        return drop_held(app, false);
    }
    if let Some(key) = lifts {
        about::hide(app);
        numbers::close_stepper(app);
        app.play.preselected.set(false);
        let store = app.play.with_match_untracked(|table| table.store()).flatten();
        app.play.chosen.set(if store.as_ref() == Some(&key) { Vec::new() } else { vec![key] });
    }
    let drags = HELD
        .with_borrow(|held| held.as_ref().is_some_and(|held| matches!(held.drawn, Some(Drawn::Arrow(_)))));
    if drags {
        draw_arrow(app, x, y);
    }
}

/// Returns the key of the piece under a point (in pixels of the window) to which a legal action leads from the
/// dragged piece `from`. If only a number is open after that piece, also the number that a drop there would send.
/// `None` if there is no such piece.
fn aim(app: App, from: &str, x: i32, y: i32) -> Option<(String, Option<u32>)> {
    let under = page::document()?.element_from_point(x as f32, y as f32)?;
    let to = under.closest("[data-key]").ok().flatten()?.get_attribute("data-key")?;
    let choices = app.play.legal_actions();
    let path = match app.play.with_match_untracked(|table| table.store()).flatten() {
        Some(store) if store == from => vec![to.clone()],
        _ => vec![from.to_string(), to.clone()],
    };
    if to == from || !choices.iter().any(|c| c.path.starts_with(&path)) {
        return None;
    }
    let usual = numbers::usual(&choices, &path, app.play.click_amount());
    let n = usual.and_then(|c| c.path.last()?.strip_prefix("n ")?.parse().ok());
    Some((to, n))
}

/// Adds an empty arrow to the page; `None` if the browser refuses.
fn arrow() -> Option<Drawn> {
    let document = page::document()?;
    let svg = document.create_element_ns(Some("http://www.w3.org/2000/svg"), "svg").ok()?;
    svg.set_attribute("class", "dragarrow").ok()?;
    svg.set_attribute("aria-hidden", "true").ok()?;
    document.body()?.append_child(&svg).ok()?;
    Some(Drawn::Arrow(svg))
}

/// Draws the arrow from the middle of the dragged piece to the pointer at (`x`, `y`), highlighted over a
/// legal target, with the number that would move, if only that is open. Does nothing if no arrow is dragged.
fn draw_arrow(app: App, x: i32, y: i32) {
    HELD.with_borrow(|held| {
        let Some(Held { key, piece, drawn: Some(Drawn::Arrow(svg)), .. }) = held else { return };
        let place = piece.get_bounding_client_rect();
        let (ax, ay) = (place.left() + place.width() / 2.0, place.top() + place.height() / 2.0);
        let (x, y) = (f64::from(x), f64::from(y));
        let (mx, my) = ((ax + x) / 2.0, (ay + y) / 2.0 - (x - ax).abs() / 6.0 - 8.0);
        let line = format!("M{ax:.0} {ay:.0}Q{mx:.0} {my:.0} {x:.0} {y:.0}");
        let aimed = aim(app, key, x as i32, y as i32);
        let class = if aimed.is_some() { "on" } else { "" };
        let n = aimed.and_then(|(_, n)| n).map_or_else(String::new, |n| n.to_string());
        let r = if n.is_empty() { 7 } else { 17 };
        svg.set_inner_html(&format!(
            "<g class=\"{class}\"><path class=\"case\" d=\"{line}\"/><path d=\"{line}\"/>\
             <circle cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"{r}\"/><text x=\"{x:.0}\" y=\"{:.0}\">{n}</text></g>",
            y + 6.0
        ));
    });
}

/// Adds a copy of a piece to the page, at its place and without its keys; `None` if the browser refuses.
fn likeness(piece: &Element) -> Option<HtmlElement> {
    let place = piece.get_bounding_client_rect();
    let like: Element = piece.clone_node_with_deep(true).ok()?.dyn_into().ok()?;
    for name in ["data-key", "data-token", "id", "tabindex"] {
        let _ = like.remove_attribute(name);
    }
    let ghost: HtmlElement = page::document()?.create_element("div").ok()?.dyn_into().ok()?;
    ghost.set_class_name("ghost");
    let _ = ghost.set_attribute("aria-hidden", "true");
    let (left, top) = (place.left(), place.top());
    ghost.style().set_css_text(&format!(
        "left:{left}px;top:{top}px;width:{}px;height:{}px",
        place.width(),
        place.height()
    ));
    let _ = ghost.append_child(&like);
    page::document()?.body()?.append_child(&ghost).ok()?;
    Some(ghost)
}

/// Handles a release. A drag from one piece to another that is a legal target replaces the selection by a
/// click on each; from a store it opens the stepper. A drag that ends elsewhere only restores the selection;
/// one that ends on its own piece counts as a click. Without a drag it only ends the press.
pub(super) fn on_up(app: App, event: &PointerEvent) {
    PRESS.set(PRESS.get().wrapping_add(1));
    let dragged = HELD
        .with_borrow(|held| held.as_ref().filter(|held| held.drawn.is_some()).map(|held| held.key.clone()));
    let Some(from) = dragged else { return drop_held(app, false) };
    let aimed = aim(app, &from, event.client_x(), event.client_y());
    drop_held(app, true);
    let own = element(event).and_then(|e| e.closest("[data-key]").ok().flatten());
    // A drag that ends where it began is a click.
    SWALLOW.set(own.is_none_or(|piece| piece.get_attribute("data-key").as_deref() != Some(&from)));
    spawn_local(async {
        page::sleep(0).await;
        SWALLOW.set(false);
    });
    let Some((to, _)) = aimed else { return };
    if app.play.with_match_untracked(|table| table.store()).flatten().as_ref() == Some(&from) {
        numbers::open_stepper(app, &to, None);
    } else {
        app.play.preselected.set(false);
        app.play.chosen.set(vec![from]);
        app.click_piece(&to);
    }
}

/// Handles that the browser takes the pointer over, to scroll: ends the press without an action, and restores
/// the selection from before a drag.
pub(super) fn on_cancel(app: App) {
    PRESS.set(PRESS.get().wrapping_add(1));
    drop_held(app, true);
}

/// Handles the context menu: the second mouse button opens the stepper at a piece, unless it is open. The
/// browser's menu is suppressed if the stepper is open then, and on a map, where a long press must not open
/// it.
pub(super) fn on_menu(app: App, event: &MouseEvent) {
    let on_map = element(event).and_then(|e| e.closest(".zoom").ok().flatten()).is_some();
    let opened = piece_of(event).is_some_and(|(_, key)| {
        app.play.stepper.with_untracked(Option::is_some) || numbers::open_stepper(app, &key, None)
    });
    if on_map || opened {
        event.prevent_default();
    }
}

/// Handles the wheel over a piece where a number can be chosen: opens the stepper there and changes its number
/// by one allowed number, to a larger one if the wheel turns up. Elsewhere it does nothing, and the map zooms
/// by its own handler.
pub(super) fn on_wheel(app: App, event: &WheelEvent) {
    let target = element(event).and_then(|e| e.closest(".amt").ok().flatten());
    let key = target.and_then(|piece| piece.get_attribute("data-key"));
    if key.is_some_and(|key| numbers::turned(app, &key, event.delta_y() < 0.0)) {
        event.prevent_default();
    }
}

/// Handles hover and focus: pieces show their tooltips, rows of the list highlight their pieces; elsewhere
/// both are removed. Shows no tooltip under a mouse that rests since its last click, for the focus after a
/// tap, at targets, while the stepper is open and in a drag. Also notes the piece for typed digits.
pub(super) fn on_over(app: App, event: &Event) {
    let Some(target) = element(event) else { return };
    let path = target.closest("[data-path]").ok().flatten().and_then(|row| row.get_attribute("data-path"));
    let hinted: Vec<String> = path
        .map(|p| p.split('|').filter(|k| !k.is_empty()).map(str::to_string).collect())
        .unwrap_or_default();
    if app.play.hinted.with_untracked(|old| *old != hinted) {
        app.play.hinted.set(hinted);
    }
    if event.type_() == "focusin" && TOUCH.get() {
        // A tap opens a tooltip by its click; the focus that it moves does not.
        return;
    }
    if MOUSE.get() != Mouse::Moves && !TOUCH.get() {
        return;
    }
    let piece = piece_of(event);
    numbers::hover(piece.as_ref().map(|(_, key)| key.clone()));
    let busy = app.play.stepper.with_untracked(Option::is_some)
        || HELD.with_borrow(|held| held.as_ref().is_some_and(|held| held.drawn.is_some()));
    match piece {
        // A target shows the consequence on the board instead.
        Some((piece, key))
            if !busy && !piece.class_list().contains("amt") && !piece.class_list().contains("from") =>
        {
            about::show(app, &piece, &key, false);
        }
        _ => about::hide(app),
    }
}
