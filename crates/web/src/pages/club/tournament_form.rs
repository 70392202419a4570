//! The form for a new tournament.

use crate::app::App;
use crate::boards;
use crate::club::text;
use crate::pages::friends::TIMES;
use crate::pages::options::rules_of;
use crate::tournament::signed;
use leptos::prelude::*;
use serde_json::{Value, json};
use wasm_bindgen_futures::spawn_local;

/// Maximum length of the name of a tournament, in characters.
const LONGEST_NAME: usize = 40;
/// The time per move that is chosen at first: one day.
const USUAL_TIME: u32 = 86_400_000;

/// Renders a labelled select element. `entries` are values with labels; `chosen` is called with a new value.
fn choice(
    id: &'static str,
    label: &'static str,
    entries: Vec<(String, String)>,
    selected: String,
    chosen: impl Fn(String) + 'static,
) -> impl IntoView {
    let each = entries.into_iter().map(|(value, words)| {
        let selected = value == selected;
        view! { <option value=value selected=selected>{words}</option> }
    });
    view! {
        <label for=id>{label}</label>
        <select class="fld sel" id=id on:change=move |event| chosen(event_target_value(&event))>{each.collect_view()}</select>
    }
}

/// Renders the form. Its button creates the tournament, which the identity of this browser signs, and goes to its page, or
/// shows what is wrong.
pub fn form(app: App) -> impl IntoView {
    let games: Vec<_> = boards::GAMES.iter().filter(|game| game.info.max_seats > 1).collect();
    let first = games.first().map_or("", |game| game.info.name);
    let game = RwSignal::new(first.to_string());
    let entries = games.iter().map(|game| (game.info.name.to_string(), game.info.title.to_string()));
    let choose_game =
        choice("cup-game", "Game", entries.collect(), first.to_string(), move |name| game.set(name));
    let name = RwSignal::new(String::new());
    view! {
        <div>
            <p class="note"><a class="lnk" href="#club/tournaments">"Tournaments"</a></p>
            <h1 class="title">"New tournament"</h1>
            <p class="lead">"You organise it: you start it, and you decide about tables that are not played. Results come from the records of the games."</p>
        </div>
        <section class="bx tform">
            <div class="rows">
                <label for="cup-name">"Name"</label>
                <input class="fld" id="cup-name" maxlength=LONGEST_NAME.to_string() autocomplete="off" prop:value=move || name.get() on:input=move |event| name.set(event_target_value(&event))/>
                {choose_game}
            </div>
            {move || boards::find(&game.get()).ok().map(|game| terms(app, name, game))}
        </section>
    }
}

/// Renders the terms of a tournament of this game, and the button that creates it.
fn terms(app: App, name: RwSignal<String>, game: &'static boards::GameListing) -> impl IntoView {
    let info = game.info;
    let least = info.min_seats.max(2);
    let seats = RwSignal::new(least);
    let system = RwSignal::new("swiss".to_string());
    let rounds = RwSignal::new(3u8);
    let stall = RwSignal::new(USUAL_TIME);
    let start = RwSignal::new(0u8);
    let changes = RwSignal::new(game.page_options().as_object().cloned().unwrap_or_default());
    let defaults = StoredValue::new((game.defaults)());
    let says = RwSignal::new(String::new());
    let is_busy = RwSignal::new(false);
    let create = move |_| {
        let is_swiss = system.with_untracked(|system| system == "swiss");
        let body = json!({
            "name": name.with_untracked(|name| name.trim().to_string()), "game": info.name,
            "options": Value::Object(changes.get_untracked()), "seats": seats.get_untracked(),
            "system": system.get_untracked(), "rounds": if is_swiss { rounds.get_untracked() } else { 0 },
            "stall_ms": stall.get_untracked(), "start_players": start.get_untracked(),
        });
        is_busy.set(true);
        says.set(String::new());
        spawn_local(async move {
            match signed("POST", "", &body).await {
                Ok(tournament) => app.open_club(&format!("club/tournament/{}", text(&tournament, "id"))),
                Err(why) => says.set(why.text()),
            }
            is_busy.set(false);
        });
    };
    let sizes =
        (least..=info.max_seats).map(|seats| (seats.to_string(), format!("{seats} players"))).collect();
    let tables = choice("cup-seats", "Tables of", sizes, least.to_string(), move |value| {
        let value = value.parse().unwrap_or(least);
        seats.set(value);
        if value != 2 {
            system.set("swiss".to_string());
        }
        start.update(|start| {
            if *start > 0 {
                *start = (*start).max(value);
            }
        });
    });
    let systems = move || {
        let mut entries = vec![("swiss".to_string(), "Swiss: players with equal points meet".to_string())];
        if seats.get() == 2 {
            entries.push(("round-robin".to_string(), "Round robin: everybody meets everybody".to_string()));
        }
        let selected = system.get_untracked();
        choice("cup-system", "Opponents", entries, selected, move |value| system.set(value))
    };
    let number = move || {
        system.with(|system| system == "swiss").then(|| {
            let entries = (1..=16u8).map(|n| (n.to_string(), n.to_string())).collect();
            let selected = rounds.get_untracked().to_string();
            choice("cup-rounds", "Rounds", entries, selected, move |value| {
                rounds.set(value.parse().unwrap_or(3))
            })
        })
    };
    let times = TIMES.into_iter().map(|(ms, words)| (ms.to_string(), words.to_string())).collect();
    let time = choice("cup-time", "Time per move", times, USUAL_TIME.to_string(), move |value| {
        stall.set(value.parse().unwrap_or(USUAL_TIME));
    });
    let starts = move || {
        let most = if system.with(|system| system == "swiss") { 64 } else { 24 };
        let with = |n: u8| (n.to_string(), format!("With {n} players, by itself"));
        let entries = std::iter::once(("0".to_string(), "When you start it".to_string()));
        let entries = entries.chain((seats.get().max(2)..=most).map(with)).collect();
        let selected = start.get_untracked().to_string();
        choice("cup-start", "Starts", entries, selected, move |value| start.set(value.parse().unwrap_or(0)))
    };
    let is_named = move || name.with(|name| !name.trim().is_empty());
    view! {
        <div class="rows">{tables} {systems} {number} {time} {starts}</div>
        {rules_of(game, changes, defaults)}
        <div class="acts4">
            <button class="btn go" id="create-tournament" prop:disabled=move || !is_named() || is_busy.get() on:click=create>"Create the tournament"</button>
            <p class="note" class:bad=move || !says.with(String::is_empty) role="status">{move || says.get()}</p>
        </div>
    }
}
