//! The list of tournaments.

use super::{OwnIdentity, emblem, loaded, title};
use crate::club::{list, number, text, to_hex};
use crate::page::parameter;
use crate::shell::glyph;
use leptos::prelude::*;
use serde_json::Value;

/// The phases that can be chosen, as the club names them, with their labels.
const PHASES: [(&str, &str); 4] =
    [("open", "Open"), ("running", "Running"), ("finished", "Over"), ("own", "Yours")];

/// Renders the list of tournaments in the phase that `query` names (open ones without it), or of those that the player of
/// this browser has entered.
pub fn tournaments(own: OwnIdentity, query: String) -> impl IntoView {
    let shown = parameter(&query, "show").unwrap_or_else(|| "open".to_string());
    let before = parameter(&query, "before");
    let chips = PHASES.map(|(word, label)| {
        let current = (word == shown).then_some("page");
        view! { <a class="fchip" href=format!("#club/tournaments?show={word}") aria-current=current>{label}</a> }
    });
    let results = move || {
        let which = match shown.as_str() {
            "own" => own.get().map(|identity| format!("player={}", to_hex(&identity))),
            phase => Some(format!("phase={phase}")),
        };
        let Some(which) = which else {
            return view! { <div class="empty"><p>"This browser has no identity yet. It gets one when you enter a tournament."</p></div> }.into_any();
        };
        let page = before.as_ref().map(|before| format!("&before={before}")).unwrap_or_default();
        let shown = shown.clone();
        loaded(format!("/tournaments?{which}{page}"), move |found| rows(&shown, &found).into_any()).into_any()
    };
    view! {
        <div class="hrow">
            <div>
                <h1 class="title">"Tournaments"</h1>
                <p class="lead">"Anybody can enter and organise. The server draws opponents and seats from a seed that nobody can choose alone, and counts only games with a verified record."</p>
            </div>
            <a class="btn go" id="new-tournament" href="#club/tournaments/new">{glyph("plus", 18)} "New tournament"</a>
        </div>
        <nav class="fchips" aria-label="Which tournaments">{chips.to_vec()}</nav>
        {results}
    }
}

/// Renders a page of tournaments, with a link to the next one. `shown` is the choice.
fn rows(shown: &str, found: &Value) -> impl IntoView + use<> {
    let tournaments = list(found, "tournaments");
    if tournaments.is_empty() {
        let text = match shown {
            "open" => "No tournament is open at the moment. You can start one.",
            "own" => "You have entered no tournament.",
            _ => "There is none.",
        };
        return view! { <div class="empty"><p>{text}</p></div> }.into_any();
    }
    let rows = tournaments.iter().map(row).collect_view();
    let next = number(found, "next");
    let next = (next > 0.0).then(|| {
        view! { <nav class="pager" aria-label="Pages"><a class="btn sm" href=format!("#club/tournaments?show={shown}&before={next}")>"Next"</a></nav> }
    });
    view! { <ul class="list" id="tournaments">{rows}</ul> {next} }.into_any()
}

/// Renders a tournament of the list as a row that links to its page.
fn row(tournament: &Value) -> impl IntoView + use<> {
    let game = text(tournament, "game");
    let (players, rounds) = (number(tournament, "players"), number(tournament, "rounds"));
    let winners: Vec<String> =
        list(tournament, "winners").iter().filter_map(Value::as_str).map(str::to_string).collect();
    let state = match text(tournament, "phase").as_str() {
        "open" => "Open".to_string(),
        "running" => format!("Round {} of {rounds}", number(tournament, "round")),
        "cancelled" => "Cancelled".to_string(),
        _ if winners.is_empty() => "Over".to_string(),
        _ => format!("Won by {}", crate::words::and(&winners)),
    };
    let system = match text(tournament, "system").as_str() {
        "swiss" => "Swiss",
        _ => "Round robin",
    };
    let counted = if players == 1.0 { "1 player".to_string() } else { format!("{players} players") };
    let about = format!("{}, {system}, tables of {}", title(&game), number(tournament, "seats"));
    view! {
        <li>
            <a class="ar" href=format!("#club/tournament/{}", text(tournament, "id"))>
                {emblem(&game)}
                <span class="ti"><b>{text(tournament, "name")}</b><small>{about}</small></span>
                <span class="pls">{state}</span>
                <span class="dt">{counted} <small>{super::date(number(tournament, "created"))}</small></span>
            </a>
        </li>
    }
}
