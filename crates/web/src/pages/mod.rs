//! The screens around a match, and the dialogs over them.

mod away;
pub mod chat;
pub mod club;
pub mod end;
mod friends;
pub mod guide;
pub mod home;
mod identity;
mod notify;
pub mod online;
mod options;
mod panels;
pub mod person;
mod rules;
mod setup;
mod signed;
pub mod waiting;

use crate::app::{App, Notice, Offer, Sheet};
use crate::shell::glyph;
use leptos::prelude::*;

/// Renders the open dialog of `app.sheet`, if any. The focus moves into it and stays there, and
/// returns to where it was when it closes. A click outside closes it.
pub fn sheets(app: App) -> impl IntoView {
    let before = StoredValue::new_local(None::<web_sys::Element>);
    Effect::new(move |_| {
        let open = app.sheet.with(Option::is_some);
        let document = crate::page::document();
        if open {
            before.set_value(document.as_ref().and_then(|d| d.active_element()));
            request_animation_frame(|| {
                let find = |selector: &str| crate::page::document()?.query_selector(selector).ok().flatten();
                let first = find(".scrim [autofocus]").or_else(|| find(".scrim button, .scrim input"));
                if let Some(first) = first {
                    crate::dom::focus(&first);
                }
            });
        } else if let Some(before) = before.try_update_value(Option::take).flatten() {
            crate::dom::focus(&before);
        }
    });
    move || {
        app.sheet.get().map(|sheet| {
            let inside = match sheet {
                Sheet::Setup(game) => setup::setup(app, game).into_any(),
                Sheet::Rules(game) => rules::rules(app, game).into_any(),
                Sheet::Settings => panels::settings(app).into_any(),
                Sheet::Friends(game) => friends::friends(app, game).into_any(),
                Sheet::Chat => chat::chat(app).into_any(),
                Sheet::Away => away::away(app).into_any(),
                Sheet::Trust if app.online.is_online() => online::trust(app).into_any(),
                Sheet::Trust => match app.play.signed.get_untracked() {
                    Some(record) => signed::trust(app, record).into_any(),
                    None => panels::trust(app).into_any(),
                },
                Sheet::Elsewhere(game, lost) => panels::elsewhere(app, game, lost).into_any(),
                Sheet::Notifications => notify::notifications(app).into_any(),
                Sheet::Identity => identity::identity(app).into_any(),
                Sheet::Credits => panels::credits(app).into_any(),
            };
            view! {
                <div
                    class="scrim"
                    on:click=move |event| {
                        // A click outside closes the dialog.
                        if event.target() == event.current_target() {
                            app.sheet.set(None);
                        }
                    }
                    on:keydown=keep_focus
                >
                    {inside}
                </div>
            }
        })
    }
}

/// Keeps the Tab key inside the dialog: from the last element to the first, and back with Shift. Other keys
/// are left alone.
fn keep_focus(event: web_sys::KeyboardEvent) {
    use wasm_bindgen::JsCast;
    if event.key() != "Tab" {
        return;
    }
    let Some(document) = crate::page::document() else { return };
    let Ok(list) = document.query_selector_all(
        ".scrim button:not([disabled]), .scrim input, .scrim select, .scrim a[href], .scrim [tabindex=\"0\"], .scrim summary",
    ) else {
        return;
    };
    let at = |i: u32| list.item(i).and_then(|n| n.dyn_into::<web_sys::Element>().ok());
    let (first, last) = (at(0), at(list.length().saturating_sub(1)));
    let active = document.active_element();
    let next = if event.shift_key() && active == first {
        last
    } else if !event.shift_key() && active == last {
        first
    } else {
        return;
    };
    if let Some(next) = next {
        event.prevent_default();
        crate::dom::focus(&next);
    }
}

/// Renders the button that closes the open dialog.
pub fn close_button(app: App) -> impl IntoView {
    view! {
        <button class="iconbtn" aria-label="Close" on:click=move |_| app.sheet.set(None)>{glyph("x", 20)}</button>
    }
}

/// Renders the notice at the edge of the page, unless it is a hint, which has its own place at the table
/// ([`hint`]).
pub fn notice(app: App) -> impl IntoView {
    move || app.notice.get().filter(|notice| !notice.is_hint()).map(|notice| notice_card(app, notice))
}

/// Renders the notice if it is a hint, at a place of the table where it covers no piece.
pub fn hint(app: App) -> impl IntoView {
    move || app.notice.get().filter(Notice::is_hint).map(|notice| notice_card(app, notice))
}

/// Renders a notice with its offers and a button that closes it. An offer closes it and runs its command.
fn notice_card(app: App, notice: Notice) -> impl IntoView {
    let advises = notice.is_hint();
    let offer = |Offer { what, label, why }: Offer| {
        let said = why.as_ref().map(|(name, _)| format!("{label}: {name}"));
        // Tests read the hinted move and its pieces from these attributes.
        let move_of = why.is_some().then(|| what.trim_start_matches("play-hint ").to_string());
        let path = why.is_some().then(|| app.play.advised.get_untracked().join("|"));
        let why = why.map(|(name, why)| view! { <p><b>{name}</b> ". " <span class="lbl2">{why}</span></p> });
        view! {
            <li>
                {why}
                <button class="btn sm" aria-label=said data-hint=move_of data-path=path on:click=move |_| { app.notice.set(None); app.run_command(&what); }>
                    {label}
                </button>
            </li>
        }
    };
    let offers = notice.offers.into_iter().map(offer).collect_view();
    view! {
        <div class="notice" class:advice=advises role="alert">
            {notice.identity.map(|identity| person::crest(&identity, "s32"))}
            <p>{notice.text}</p>
            <ol>{offers}</ol>
            <button class="iconbtn" aria-label="Close" on:click=move |_| app.notice.set(None)>{glyph("x", 18)}</button>
        </div>
    }
}
