//! Publishing a game from its end screen.

use crate::app::App;
use crate::club::{self, ClubRequestError};
use crate::online;
use crate::shell::glyph;
use leptos::prelude::*;
use serde_json::Value;
use wasm_bindgen_futures::spawn_local;

/// What has happened to the record.
#[derive(Clone)]
enum Progress {
    /// It is not published from here.
    Idle,
    /// The server verifies it.
    Sending,
    /// It is archived: the address of the game's page, and what became of its result in a tournament, as the club
    /// says it (null outside of tournaments).
    Published(String, Value),
    /// It was not published.
    Failed(ClubRequestError),
}

/// Renders the offer to publish the match at this page, which is over: what becomes public, the button, and
/// the link to the game's page afterwards. Renders nothing for a match without a signed record, for
/// spectators, for a game of the archive, and until the server has said that it has a club.
pub fn publish_offer(app: App) -> impl IntoView {
    let offered = RwSignal::new(false);
    let progress = RwSignal::new(Progress::Idle);
    let play = app.play;
    let has_record = match app.online.is_online() {
        true => !untrack(|| app.online.is_spectator()),
        false => play.signed.with_untracked(Option::is_some) && play.archived.with_untracked(Option::is_none),
    };
    if has_record {
        spawn_local(async move { offered.set(club::has_club().await) });
    }
    let publish = move |_| {
        let opened = play.signed.with_untracked(|signed| signed.as_ref().map(|signed| signed.file.to_vec()));
        let Some(record) = app.online.record_bytes().or(opened) else { return };
        progress.set(Progress::Sending);
        spawn_local(async move {
            let said = club::publish(&record).await;
            progress.set(match said {
                Ok(game) => Progress::Published(
                    club::game_address(&club::text(&game, "id")),
                    game.get("tournament").cloned().unwrap_or_default(),
                ),
                Err(why) => Progress::Failed(why),
            });
        });
    };
    let button = move |label: &'static str| {
        view! { <button class="btn" id="publish" on:click=publish>{glyph("share", 18)} {label}</button> }
    };
    let inside = move || {
        match progress.get() {
        Progress::Idle => view! {
            <div>
                <h2>"Publish this game"</h2>
                <p>"Everybody can then see it in the club of this server: the game, all moves, the result, and the names and identities of all players. Cards that were never revealed stay hidden. If only people played, it counts for their ratings, and for the tournament if it was played in one. You cannot take it back."</p>
            </div>
            <div class="acts3">{button("Publish this game")}</div>
        }
        .into_any(),
        Progress::Sending => view! { <div><h2>"Publishing…"</h2><p>"The server verifies every signature and every move of the record."</p></div> }.into_any(),
        Progress::Published(address, tournament) => {
            let link = address.clone();
            let entered = (!tournament.is_null()).then(|| {
                let href = format!("#club/tournament/{}", club::text(&tournament, "id"));
                let says = match club::text(&tournament, "not_counted") {
                    why if why.is_empty() => "Its result counts in the tournament.".to_string(),
                    why => format!("Its result does not count in the tournament: {why}."),
                };
                let href = format!("{}/{href}", online::server());
                (view! { <p id="counted">{says}</p> }, view! { <a class="btn go" id="to-tournament" href=href>"To the tournament"</a> })
            });
            let (says, to_tournament) = entered.unzip();
            view! {
                <div><h2>"Published"</h2><p>"The game is in the archive. Its page has a replay and the record."</p>{says}</div>
                <div class="acts3">{to_tournament} {copy_button(link)} <a class="btn" id="published" href=address>"Open its page"</a></div>
            }
            .into_any()
        }
        Progress::Failed(why) => view! {
            <div><h2>"Not published"</h2><p class="bad">{why.text()}</p></div>
            <div class="acts3">{button("Try again")}</div>
        }
        .into_any(),
    }
    };
    move || {
        offered.get().then(|| {
            view! { <section class="bx again" id="publishing" aria-label="Publish this game" aria-live="polite">{inside}</section> }
        })
    }
}

/// Renders a button that copies an address and says whether that worked.
pub fn copy_button(address: String) -> impl IntoView {
    let label = RwSignal::new("Copy the link");
    let copy = move |_| {
        let address = address.clone();
        spawn_local(async move {
            let copied = online::copy_text(&address).await;
            label.set(if copied { "Copied" } else { "The browser does not allow it" });
        });
    };
    view! { <button class="btn" on:click=copy>{glyph("copy", 18)} {move || label.get()}</button> }
}
