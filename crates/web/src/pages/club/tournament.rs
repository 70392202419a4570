//! The page of a tournament: entries, the player's table, standings, rounds, and the seed.

use super::tournament_parts::{points, round, seed, standings};
use super::{OwnIdentity, PATIENCE, emblem, player_link, title};
use crate::app::{App, Screen};
use crate::club::{self, ClubPlace, ClubRequestError, list, number, text};
use crate::online;
use crate::online::identity::{self, StoredIdentity};
use crate::page;
use crate::pages::friends::{LONGEST_NAME, time_per_move};
use crate::pages::waiting::options_text;
use crate::tournament::{self, OwnTable};
use leptos::prelude::*;
use serde_json::Value;
use std::future::Future;
use wasm_bindgen_futures::spawn_local;

/// Time after which the page asks for changes again, in milliseconds.
const REFRESH: i32 = 8_000;

/// The signals of the page of a tournament.
#[derive(Clone, Copy)]
pub struct CupPage {
    /// The identity of this browser.
    pub own: OwnIdentity,
    /// What the club says about the tournament; `None` until it has answered.
    state: RwSignal<Option<Result<Value, ClubRequestError>>>,
    /// What failed last, as sentences for the player.
    says: RwSignal<String>,
    /// Whether a request of the player is under way.
    pub is_busy: RwSignal<bool>,
    /// The name with which the player enters.
    name: RwSignal<String>,
    /// The round that is shown, from 1; 0 is the last one.
    pub round: RwSignal<usize>,
}

impl CupPage {
    /// Carries out a request of the player in the background. Shows the tournament that it resolves to, or the error.
    pub fn act(self, request: impl Future<Output = Result<Value, ClubRequestError>> + 'static) {
        self.is_busy.set(true);
        self.says.set(String::new());
        spawn_local(async move {
            match request.await {
                Ok(tournament) => self.show(Ok(tournament)),
                Err(why) => {
                    self.says.try_set(why.text());
                }
            }
            self.is_busy.try_set(false);
            // It may have been created for the request.
            if let Ok(StoredIdentity::Key(key)) = identity::stored().await {
                self.own.try_set(Some(key.public()));
            }
        });
    }

    /// Goes to the table that `link` resolves to, or shows the error.
    fn go(self, link: impl Future<Output = Result<String, String>> + 'static) {
        self.is_busy.set(true);
        self.says.set(String::new());
        spawn_local(async move {
            match link.await {
                Ok(link) => online::go(&link),
                Err(why) => {
                    self.says.try_set(why);
                    self.is_busy.try_set(false);
                }
            }
        });
    }

    /// Shows what the club says, if it is something new. Does nothing if the page was left.
    fn show(self, state: Result<Value, ClubRequestError>) {
        let is_known = self.state.try_with_untracked(|known| known.as_ref() == Some(&state));
        if is_known == Some(false) {
            self.state.set(Some(state));
        }
    }
}

/// Renders the page of the tournament with this identifier. It asks for changes while it is shown.
pub fn tournament(app: App, own: OwnIdentity, id: String) -> impl IntoView {
    let cup = CupPage {
        own,
        state: RwSignal::new(None),
        says: RwSignal::new(String::new()),
        is_busy: RwSignal::new(false),
        name: RwSignal::new(online::own_name()),
        round: RwSignal::new(0),
    };
    let is_slow = RwSignal::new(false);
    let path = format!("/tournaments/{id}");
    let place = ClubPlace::Tournament(id);
    spawn_local(async move {
        loop {
            let state = club::get_json(&path).await;
            let is_here = app.page.get_untracked() == Screen::Club
                && app.place.with_untracked(|shown| shown.as_ref() == Some(&place));
            // After a failure what is shown stays.
            match cup.state.try_with_untracked(Option::is_some) {
                Some(is_shown) if is_here => {
                    if !is_shown || state.is_ok() {
                        cup.show(state);
                    }
                }
                _ => return,
            }
            page::sleep(REFRESH).await;
        }
    });
    spawn_local(async move {
        // The form for a new tournament may have created it.
        if let Ok(StoredIdentity::Key(key)) = identity::stored().await {
            own.set(Some(key.public()));
        }
        page::sleep(PATIENCE).await;
        is_slow.try_set(true);
    });
    move || {
        match cup.state.get() {
        None => is_slow.get().then(|| view! { <p class="note">"Asking the server…"</p> }).into_any(),
        Some(Ok(tournament)) => shown(cup, tournament).into_any(),
        Some(Err(why)) => view! {
            <div class="empty" role="alert"><p>{why.text()}</p><a class="btn sm" href="#club/tournaments">"To the tournaments"</a></div>
        }
        .into_any(),
    }
    }
}

/// Renders a tournament.
fn shown(cup: CupPage, tournament: Value) -> impl IntoView {
    let game = text(&tournament, "game");
    page::set_root("data-game", &game);
    let system = match text(&tournament, "system").as_str() {
        "swiss" => "Swiss",
        _ => "Round robin",
    };
    let seats = number(&tournament, "seats");
    let options = tournament.get("options").cloned().unwrap_or_default();
    let about = format!(
        " · {system}, tables of {seats} · {} per move · {}: {}",
        time_per_move(number(&tournament, "stall_ms") as u32),
        title(&game),
        options_text(&game, seats as u8, &options),
    );
    let organiser = player_link(cup.own, &organiser(&tournament), String::new());
    let is_open = text(&tournament, "phase") == "open";
    let (for_buttons, for_table) = (tournament.clone(), tournament.clone());
    let list = match is_open {
        true => entries(cup, &tournament).into_any(),
        false => standings(cup, &tournament).into_any(),
    };
    view! {
        <div class="hrow">
            <div>
                <p class="note"><a class="lnk" href="#club/tournaments">"Tournaments"</a> {about}</p>
                <h1 class="title">{emblem(&game)} " " {text(&tournament, "name")}</h1>
                <p class="lead" id="phase" role="status">{phase(&tournament)}</p>
                <p class="note">"Organised by " {organiser}</p>
            </div>
            {move || organiser_buttons(cup, &for_buttons)}
        </div>
        <p class="bad" role="alert" id="cup-says">{move || cup.says.get()}</p>
        {move || own_table(cup, &for_table)}
        <div class="cols">
            {list}
            <div class="stack2">
                {(!is_open).then(|| round(cup, &tournament))}
                {seed(&tournament)}
            </div>
        </div>
    }
}

/// Returns what the club says about the organiser, as about a player.
fn organiser(tournament: &Value) -> Value {
    serde_json::json!({ "identity": text(tournament, "organiser"), "short": text(tournament, "short") })
}

/// Returns how far a tournament is, as sentences.
fn phase(tournament: &Value) -> String {
    let players = list(tournament, "players").len();
    let counted = if players == 1 { "1 player".to_string() } else { format!("{players} players") };
    let (round, planned) = (list(tournament, "rounds").len(), number(tournament, "planned_rounds"));
    let start = number(tournament, "start_players");
    match text(tournament, "phase").as_str() {
        "open" if start > 0.0 => format!("Open, {counted} so far. It starts by itself with {start} players."),
        "open" => format!("Open, {counted} so far. The organiser starts it."),
        "running" => format!("Round {round} of {planned}, {counted}."),
        "cancelled" if round == 0 => "The organiser has cancelled it.".to_string(),
        "cancelled" => format!("The organiser has cancelled it in round {round}."),
        _ => {
            let first =
                list(tournament, "standings").iter().filter(|standing| number(standing, "place") == 1.0);
            let names: Vec<String> =
                first.map(|standing| name(tournament, number(standing, "player"))).collect();
            let rounds = if round == 1 { "1 round".to_string() } else { format!("{round} rounds") };
            let first = if names.len() == 1 { "Winner" } else { "Winners" };
            format!("Over after {rounds}, {counted}. {first}: {}.", crate::words::and(&names))
        }
    }
}

/// Returns the name of the player with this number; empty if there is none.
pub fn name(tournament: &Value, player: f64) -> String {
    list(tournament, "players").get(player as usize).map(|player| text(player, "name")).unwrap_or_default()
}

/// Returns the number of the player of this browser; `None` if they have not entered. Tracks the identity.
pub fn own_player(cup: CupPage, tournament: &Value) -> Option<usize> {
    let own = club::to_hex(&cup.own.get()?);
    list(tournament, "players").iter().position(|player| text(player, "identity") == own)
}

/// Returns whether the player of this browser organises the tournament. Tracks the identity.
pub fn is_organiser(cup: CupPage, tournament: &Value) -> bool {
    cup.own.get().is_some_and(|own| club::to_hex(&own) == text(tournament, "organiser"))
}

/// Renders the buttons of the organiser: start and cancel. Nothing for others, and after the end.
fn organiser_buttons(cup: CupPage, tournament: &Value) -> impl IntoView + use<> {
    let (phase, id) = (text(tournament, "phase"), text(tournament, "id"));
    if !is_organiser(cup, tournament) || !matches!(phase.as_str(), "open" | "running") {
        return None;
    }
    let is_sure = RwSignal::new(false);
    let least = number(tournament, "least_players") as usize;
    let is_short = list(tournament, "players").len() < least;
    let start = (phase == "open").then(|| {
        let path = format!("/{id}/start");
        let start = move |_| {
            let path = path.clone();
            cup.act(async move { tournament::signed("POST", &path, &Value::Null).await });
        };
        view! { <button class="btn" id="start-tournament" prop:disabled=move || is_short || cup.is_busy.get() on:click=start>"Start now"</button> }
    });
    let cancel = move |_| {
        if !is_sure.get_untracked() {
            return is_sure.set(true);
        }
        let path = format!("/{id}");
        cup.act(async move { tournament::signed("DELETE", &path, &Value::Null).await });
    };
    let label = move || if is_sure.get() { "Really cancel it" } else { "Cancel it" };
    Some(view! {
        <div class="acts3">
            {start}
            <button class="btn" id="cancel-tournament" prop:disabled=move || cup.is_busy.get() on:click=cancel>{label}</button>
        </div>
    })
}

/// Renders the players of an open tournament, and the form with which the player of this browser enters or withdraws.
fn entries(cup: CupPage, tournament: &Value) -> impl IntoView + use<> {
    let players = list(tournament, "players");
    let rows =
        players.iter().map(|player| view! { <li>{player_link(cup.own, player, text(player, "name"))}</li> });
    let rows = rows.collect_view();
    let none = players.is_empty().then(|| view! { <p class="note">"Nobody has entered yet."</p> });
    let tournament = tournament.clone();
    let form = move || {
        let id = text(&tournament, "id");
        if own_player(cup, &tournament).is_some() {
            let withdraw = move |_| {
                let path = format!("/{id}/entry");
                cup.act(async move { tournament::signed("DELETE", &path, &Value::Null).await });
            };
            return view! {
                <div class="acts4">
                    <p class="note">"You have entered. You will find your table here when the tournament has started."</p>
                    <button class="btn sm" id="withdraw" prop:disabled=move || cup.is_busy.get() on:click=withdraw>"Withdraw"</button>
                </div>
            }
            .into_any();
        }
        let enter = move |event: leptos::ev::SubmitEvent| {
            event.prevent_default();
            let (id, name) = (id.clone(), cup.name.with_untracked(|name| name.trim().to_string()));
            cup.act(async move { tournament::enter(&id, &name).await });
        };
        view! {
            <form class="enterf" on:submit=enter>
                <label for="entry-name">"Your name"</label>
                <input class="fld" id="entry-name" maxlength=LONGEST_NAME.to_string() autocomplete="nickname" prop:value=move || cup.name.get() on:input=move |event| cup.name.set(event_target_value(&event))/>
                <button class="btn go" id="enter" prop:disabled=move || cup.is_busy.get() || cup.name.with(|name| name.trim().is_empty())>"Enter"</button>
                <p class="note">"Everybody sees your name and your identity, which signs the entry. Your page adds random bytes to the seed."</p>
            </form>
        }
        .into_any()
    };
    view! {
        <section class="bx" id="entries">
            <h2>"Players" <small>{players.len()}</small></h2>
            {none}
            <ul class="ents">{rows}</ul>
            {form}
        </section>
    }
}

/// Renders the player's table of the current round: against whom, and the buttons that open or join it. Says that they wait
/// for others, or have a bye. Nothing for others.
fn own_table(cup: CupPage, tournament: &Value) -> Option<AnyView> {
    let player = own_player(cup, tournament)?;
    if text(tournament, "phase") != "running" {
        return None;
    }
    let rounds = list(tournament, "rounds");
    let Some(table) = OwnTable::find(tournament, player) else {
        let byes = list(rounds.last()?, "byes");
        let bye = byes.iter().any(|other| other.as_u64() == Some(player as u64));
        let says = match bye {
            true => format!("You have a bye in round {}: it counts as a win.", rounds.len()),
            false => "Your result is there. The next round begins when all tables have one.".to_string(),
        };
        return Some(view! { <section class="bx own" id="own-table"><p>{says}</p></section> }.into_any());
    };
    let seats = list(&table.table, "seats");
    let others: Vec<String> = seats
        .iter()
        .filter_map(Value::as_f64)
        .filter(|other| *other as usize != player)
        .map(|other| name(tournament, other))
        .collect();
    let heading =
        format!("Round {}, table {}: you play {}", table.round, table.place, crate::words::and(&others));
    let seat = table.seat + 1;
    let open = {
        let (table, tournament) = (table.clone(), tournament.clone());
        let own = name(&tournament, player as f64);
        move |_| {
            let (table, tournament, own) = (table.clone(), tournament.clone(), own.clone());
            cup.go(async move { table.open(&tournament, own).await });
        }
    };
    let host = table.hosted_by();
    let join = host.map(|_| {
        let tournament = tournament.clone();
        let table = table.clone();
        let join = move |_| {
            let (table, tournament) = (table.clone(), tournament.clone());
            cup.go(async move { table.link(&tournament).await });
        };
        view! { <button class="btn go" id="join-table" prop:disabled=move || cup.is_busy.get() on:click=join>"Go to the table"</button> }
    });
    let who = host.and_then(|host| seats.get(usize::from(host))).and_then(Value::as_f64);
    let says = match who {
        Some(host) if host as usize == player => {
            format!("You have opened the table. You sit at seat {seat}.")
        }
        Some(host) => format!("{} has opened the table. Take seat {seat}.", name(tournament, host)),
        None => format!("You have seat {seat}. Open the table, and the others find it here."),
    };
    let (class, label) = match host {
        Some(_) => ("btn", "Open another one"),
        None => ("btn go", "Open the table"),
    };
    Some(
        view! {
            <section class="bx own" id="own-table" aria-label="Your table">
                <div><h2>{heading}</h2><p>{says} " After the game, publish it: then its result counts here."</p></div>
                <div class="acts3">
                    <button class=class id="open-own-table" prop:disabled=move || cup.is_busy.get() on:click=open>{label}</button>
                    {join}
                </div>
            </section>
        }
        .into_any(),
    )
}

/// Returns what a standing has reached, in words: "2½ points".
pub fn points_text(standing: &Value) -> String {
    let all = number(standing, "points");
    format!("{} {}", points(all), if all == 1.0 { "point" } else { "points" })
}
