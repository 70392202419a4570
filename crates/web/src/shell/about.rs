//! Tooltips of pieces: a note about a piece, and why it cannot be used now. Shown on hover, focus or long
//! press.

use crate::app::App;
use crate::words::plain;
use leptos::prelude::*;
use std::cell::Cell;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;

/// A tooltip beside a piece.
#[derive(Clone, PartialEq, Debug)]
pub struct Bubble {
    key: String,
    title: String,
    text: String,
    why_not: Option<String>,
    place: Place,
}

/// Position of a tooltip: the middle of its lower edge, or of its upper edge if it is below that point.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Place {
    left: f64,
    top: f64,
    below: bool,
}

/// Shows the tooltip of the piece with this key, in place of the one that is shown. Says why the piece cannot
/// be used only if the player has to decide and the piece is disabled. Hides the tooltip if there is nothing
/// to say. `asked` says that the player clicked or pressed a key: then it is shown again even if it is open.
/// After a tap it disappears after [`TOUCH_MILLIS`].
pub fn show(app: App, piece: &Element, key: &str, asked: bool) {
    let play = app.play;
    if !asked && app.bubble.with_untracked(|b| b.as_ref().is_some_and(|b| b.key == key)) {
        return;
    }
    let lit = play.is_own_decision() && piece.get_attribute("aria-disabled").is_none();
    let about =
        play.with_match_untracked(|table| table.about(play.shown_at(), play.observer.get_untracked().0, key));
    let about = about.unwrap_or_default();
    let why_not = about.why_not.filter(|_| !lit && play.is_own_decision());
    if about.note.is_none() && why_not.is_none() {
        return hide(app);
    }
    let note = about.note.unwrap_or_default();
    let names = play.ui(&[]);
    let (title, text) = (plain(&note.title, &names), plain(&note.text, &names));
    let why_not = why_not.map(|why| plain(&why, &names));
    let length = text.chars().count() + why_not.as_ref().map_or(0, |why| 30 + why.chars().count());
    let place = place(piece, length);
    let serial = SERIAL.get().wrapping_add(1);
    SERIAL.set(serial);
    app.bubble.set(Some(Bubble { key: key.to_string(), title, text, why_not, place }));
    if super::pointer::is_touch() {
        spawn_local(async move {
            crate::page::sleep(TOUCH_MILLIS).await;
            if SERIAL.get() == serial {
                hide(app);
            }
        });
    }
}

/// How long a tooltip is shown after a tap, in milliseconds.
const TOUCH_MILLIS: i32 = 4_000;

thread_local! {
    /// Number of the current tooltip, so that a timer hides only its own.
    static SERIAL: Cell<u32> = const { Cell::new(0) };
}

/// Returns the position of a tooltip of about `length` characters for a piece: over the board, above the
/// piece, otherwise below it, otherwise beside it. For a piece below or right of the board, such as a card of
/// the hand, it is at the lower edge of the board. Measures the page.
fn place(piece: &Element, length: usize) -> Place {
    let document = crate::page::document();
    let size = |side: Result<wasm_bindgen::JsValue, _>| side.ok().and_then(|v| v.as_f64()).unwrap_or(1000.0);
    let window = crate::page::window();
    let (width, height) =
        window.map_or((1000.0, 1000.0), |w| (size(w.inner_width()), size(w.inner_height())));
    let board = document.and_then(|d| d.get_element_by_id("board")).map(|b| b.get_bounding_client_rect());
    let (from, to, end) = board.map_or((0.0, width, height), |b| (b.left(), b.right(), b.bottom()));
    let box_ = piece.get_bounding_client_rect();
    let scale = crate::page::text_scale();
    let half = (HALF * scale).min(width / 2.0);
    // A line has about 38 characters, fewer on a narrow screen; the title and the padding take two more lines.
    let per_line = 38.0 * half / (HALF * scale);
    let high = ((length as f64 / per_line).ceil() + 2.0) * LINE * scale + 10.0;
    let middle = |x: f64| x.clamp(from + half, (to - half).max(from + half));
    let centre = middle(box_.left() + box_.width() / 2.0);
    if box_.top() >= end - 1.0 || box_.left() >= to - 1.0 {
        // For a piece of the dock the tooltip lies on the lower edge of the board.
        Place { left: centre, top: end - GAP, below: false }
    } else if box_.top() - GAP - high >= 0.0 {
        Place { left: centre, top: box_.top() - GAP, below: false }
    } else if box_.bottom() + GAP + high <= end {
        Place { left: centre, top: box_.bottom() + GAP, below: true }
    } else {
        let right = box_.right() + GAP + half;
        let left = if right + half <= to { right } else { middle(box_.left() - GAP - half) };
        Place { left, top: box_.top().min(end - GAP - high).max(GAP), below: true }
    }
}

/// Half the width of a tooltip with its margin, in pixels, at the normal text size.
const HALF: f64 = 150.0;

/// Distance between a piece and its tooltip, in pixels.
const GAP: f64 = 10.0;

/// Height of a line, in pixels, at the normal text size.
const LINE: f64 = 19.0;

/// Hides the tooltip, if one is shown.
pub fn hide(app: App) {
    if app.bubble.with_untracked(Option::is_some) {
        app.bubble.set(None);
    }
}

/// Renders the tooltip while there is one.
pub fn bubble(app: App) -> impl IntoView {
    move || {
        app.bubble.get().map(|b| {
            let style = format!("left:{}px;top:{}px", b.place.left, b.place.top);
            view! {
                <div class="bubble" class:below=b.place.below role="tooltip" style=style>
                    {(!b.title.is_empty()).then(|| view! { <b class="title">{b.title}</b> })}
                    {(!b.text.is_empty()).then(|| view! { <p>{b.text}</p> })}
                    {b.why_not.map(|why| view! { <p class="whynot">{why}</p> })}
                </div>
            }
        })
    }
}
