//! The undo toast: after an action of the player a line says what was done, with *Undo*, for a few seconds above
//! the dock.
//!
//! It never covers what can be used, stays while it is hovered or focused, and disappears as soon as undo is
//! impossible.

use super::Sight;
use crate::app::{App, Screen};
use crate::page;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen(module = "/js/toast.js")]
extern "C" {
    /// Moves the toast to a place over the board where it covers nothing usable; hides it if there is none, or
    /// with very large text. Moves it again by itself when the window, the toast or the scroll position
    /// changes.
    fn place(toast: &Element);
}

/// How long it is shown, and the interval between two checks of hover and focus, in milliseconds.
const LIFE: i32 = 5_000;
const TICK: i32 = 250;

/// What can be undone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndoOffer {
    /// What was done, in the words of the log.
    pub text: String,
    /// Number of the offer, because two offers can have the same text.
    pub number: u32,
}

/// Renders the toast with the undo offer, and removes the offer after [`LIFE`] milliseconds without hover or
/// focus. `undo` says whether the last action can be undone; the toast is hidden if not, in a replay, behind
/// a curtain and under a modal report.
pub(super) fn toast(app: App, sight: Sight, undo: Memo<Result<String, String>>) -> impl IntoView {
    let play = app.play;
    let offer = Memo::new(move |_| {
        let quiet =
            play.at.get().is_none() && play.curtain.get().is_none() && app.page.get() == Screen::Table;
        let read = play.has_open_dialog();
        play.offer.get().filter(|_| quiet && !read && undo.with(Result::is_ok))
    });
    let node = NodeRef::<leptos::html::Div>::new();
    Effect::new(move |_| {
        let Some(UndoOffer { number, .. }) = offer.get() else { return };
        leptos::task::spawn_local(async move {
            let mut left = LIFE;
            while left > 0 {
                page::sleep(TICK).await;
                if play.offer.with_untracked(|now| now.as_ref().map(|now| now.number)) != Some(number) {
                    return;
                }
                // The screen may have been left meanwhile, and the toast with it.
                let Some(toast) = node.try_get_untracked() else { break };
                let is_held = toast
                    .as_ref()
                    .is_some_and(|toast| toast.matches(":hover, :focus-within").unwrap_or(false));
                if is_held {
                    continue;
                }
                left -= TICK;
                // A map may have been moved or zoomed.
                if let Some(toast) = &toast {
                    place(toast);
                }
            }
            play.offer.set(None);
        });
    });
    Effect::new(move |_| {
        // The toast may have to move when other elements become usable.
        let _ = (offer.get(), sight.scene.get(), app.bubble.get(), play.narrow.get());
        request_animation_frame(move || {
            if let Some(toast) = node.try_get_untracked().flatten() {
                place(&toast);
            }
        });
    });
    move || {
        offer.get().map(|offer| {
            let turn = if offer.number % 2 == 0 { "toast even away" } else { "toast odd away" };
            view! {
                <div class=turn role="status" node_ref=node>
                    <p title=offer.text>{offer.text.clone()}</p>
                    <button class="btn sm" data-do="undo" aria-keyshortcuts="u">"Undo" <kbd aria-hidden="true">"U"</kbd></button>
                    <i aria-hidden="true"></i>
                </div>
            }
        })
    }
}
