//! What a piece is, and why nothing can be done with it: a bubble beside it, on hover, focus or long press.

use crate::app::App;
use crate::words::plain;
use leptos::prelude::*;
use web_sys::Element;

/// A bubble beside a piece.
#[derive(Clone, PartialEq, Debug)]
pub struct Bubble {
    key: String,
    title: String,
    text: String,
    why_not: Option<String>,
    left: f64,
    top: f64,
    below: bool,
}

/// Shows what a piece is. A click asks too, for those who have no pointer to hover with.
pub fn show(app: App, piece: &Element, key: &str, asked: bool) {
    let play = app.play;
    if !asked && app.bubble.with_untracked(|b| b.as_ref().is_some_and(|b| b.key == key)) {
        return;
    }
    let lit = play.mine() && piece.get_attribute("aria-disabled").is_none();
    let about = play.peek(|table| table.about(play.shown_at(), play.eyes.get_untracked().0, key));
    let about = about.unwrap_or_default();
    let why_not = about.why_not.filter(|_| !lit && play.mine());
    if about.note.is_none() && why_not.is_none() {
        return hide(app);
    }
    let note = about.note.unwrap_or_default();
    let place = piece.get_bounding_client_rect();
    let width = crate::page::window().and_then(|w| w.inner_width().ok()?.as_f64()).unwrap_or(1000.0);
    let below = place.top() < 190.0;
    let names = play.ui(&[]);
    app.bubble.set(Some(Bubble {
        key: key.to_string(),
        title: plain(&note.title, &names),
        text: plain(&note.text, &names),
        why_not: why_not.map(|why| plain(&why, &names)),
        left: (place.left() + place.width() / 2.0).clamp(150.0, (width - 150.0).max(150.0)),
        top: if below { place.bottom() + 10.0 } else { place.top() - 10.0 },
        below,
    }));
}

/// Hides the bubble.
pub fn hide(app: App) {
    if app.bubble.with_untracked(Option::is_some) {
        app.bubble.set(None);
    }
}

/// The bubble.
pub fn bubble(app: App) -> impl IntoView {
    move || {
        app.bubble.get().map(|b| {
            let style = format!("left:{}px;top:{}px", b.left, b.top);
            view! {
                <div class="bubble" class:below=b.below role="tooltip" style=style>
                    {(!b.title.is_empty()).then(|| view! { <b class="title">{b.title}</b> })}
                    {(!b.text.is_empty()).then(|| view! { <p>{b.text}</p> })}
                    {b.why_not.map(|why| view! { <p class="whynot">{why}</p> })}
                </div>
            }
        })
    }
}
