//! The rules of a game in a drawer, with search.

use super::close_button;
use crate::app::App;
use crate::search::search;
use crate::{boards, page};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

/// Renders the drawer with the rules of the game of this name, which it fetches in the background, and a
/// search. If they cannot be fetched, it shows the summary of the game, or an error for an unknown game.
pub fn rules(app: App, game: String) -> impl IntoView {
    let text = RwSignal::new(None::<Result<String, String>>);
    let wanted = RwSignal::new(String::new());
    let found = boards::find(&game).ok();
    let title = found.map_or("", |game| game.info.title);
    spawn_local(async move {
        let fetched = page::fetch_text(&format!("rules-{game}.html")).await;
        let summary = found.map(|game| format!("<pre>{}</pre>", escape(game.summary)));
        text.set(Some(fetched.or_else(|what| summary.ok_or(what))));
    });
    let found = move || {
        text.with(|text| match text {
            None => ("<p>Loading the rules…</p>".to_string(), String::new()),
            Some(Err(what)) => ("<p>The rules could not be loaded.</p>".to_string(), what.clone()),
            Some(Ok(text)) => search(text, &wanted.get()),
        })
    };
    view! {
        <div class="dialog drawer" role="dialog" aria-modal="true" aria-label=format!("Rules of {title}")>
            <div class="drawer-hd">
                <h1 class="title">{title}</h1>
                {close_button(app)}
                <input
                    class="filter"
                    type="search"
                    id="rules-search"
                    autofocus=!page::is_narrow()
                    placeholder="Search the rules"
                    aria-label="Search the rules"
                    on:input=move |event| wanted.set(event_target_value(&event))
                />
                <p class="lbl" role="status">{move || found().1}</p>
            </div>
            <div class="drawer-tx" id="rules-text" tabindex="0" inner_html=move || found().0></div>
        </div>
    }
}

/// Returns a text as HTML content: `&` and `<` are escaped. Not for attributes.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
