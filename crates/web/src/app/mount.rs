//! The client in the document.

use super::{App, Screen};
use crate::{boards, files, online, page, pages, shell, store};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

/// Mounts the client in the document, loads the list of saved matches in the background, and opens what the
/// address names: an invitation, a guided match, a page of the club or a saved match. Shows the home screen if
/// it names none of them. Installs the handlers of keys, history and dropped files, and one of presses: it
/// reports activity to the online table, and ends the display of a forced move unless a button is pressed.
/// Installs effects that keep the address, the history entries of dialogs, the highlights of a hint and the
/// stored preferences up to date. Call it once.
pub fn mount() {
    mount_to_body(|| {
        let app = App::new();
        provide_context(app);
        files::on_drop(move |bytes| app.open_file(bytes));
        window_event_listener(leptos::ev::keydown, move |event| {
            untrack(|| app.online.note_activity());
            untrack(|| shell::on_key(app, &event));
        });
        window_event_listener(leptos::ev::pointerdown, move |event| {
            untrack(|| app.online.note_activity());
            use wasm_bindgen::JsCast;
            let target = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
            let button = target.and_then(|t| t.closest("button").ok().flatten());
            if button.is_none() {
                app.end_forced_display();
            }
        });
        window_event_listener(leptos::ev::popstate, move |_| app.follow_address());
        Effect::new(move |_| {
            let id = app.play.id.get_untracked();
            match app.page.get() {
                Screen::Table if !id.is_empty() => page::navigate(&id),
                Screen::End if !id.is_empty() => page::navigate(&(id + page::END)),
                _ => {}
            }
        });
        Effect::new(move |_| {
            // Closing a hint also removes its highlights.
            if app.notice.with(Option::is_none) && app.play.advised.with_untracked(|keys| !keys.is_empty()) {
                app.play.advised.set(Vec::new());
            }
        });
        Effect::new(move |was: Option<bool>| {
            let open = app.sheet.with(Option::is_some);
            match (was.unwrap_or(false), open) {
                (false, true) => page::push_sheet(),
                (true, false) => page::pop_sheet(),
                _ => {}
            }
            open
        });
        Effect::new(move |_| app.settings.get().apply());
        match online::invitation() {
            Some(Ok(invite)) => app.online.open_table(app, invite),
            Some(Err(what)) => app.online.open_known_table(app, pages::waiting::bad_link(what)),
            None => {
                if let Some(game) = page::query("learn").and_then(|name| boards::find(&name).ok()) {
                    app.start_guide(game);
                } else {
                    app.open_club(&page::hash());
                }
            }
        }
        let wanted = page::hash();
        spawn_local(async move {
            // Resume the match that was open when the page was left.
            let saves = store::load_summaries().await.unwrap_or_default();
            let wanted = saves.iter().find(|about| about.id == wanted).cloned();
            app.saves.set(saves);
            if let Some(about) = wanted {
                app.resume_match(about);
            }
        });
        view! {
            {move || match app.page.get() {
                Screen::Home => pages::home::home(app).into_any(),
                Screen::Table => shell::table(app).into_any(),
                Screen::End => pages::end::end(app).into_any(),
                Screen::Waiting => pages::waiting::waiting(app).into_any(),
                Screen::Club => pages::club::club(app).into_any(),
            }}
            {pages::online::banner(app)}
            {pages::sheets(app)}
            {pages::notice(app)}
        }
    });
}
