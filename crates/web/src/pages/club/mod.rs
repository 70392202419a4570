//! The pages of the club: the archive, a game, a player, the leaderboards, tournaments. They show what the server's club says
//! (`docs/club.md`) and have addresses of their own, so that links to them can be shared.

mod analysis;
mod archive;
mod explorer;
mod game;
mod player;
mod publish;
mod ratings;
mod tournament;
mod tournament_form;
mod tournament_parts;
mod tournaments;

pub use explorer::explorer;
pub use publish::publish_offer;

use crate::app::{App, Sheet};
use crate::boards::{self, GameListing};
use crate::club::{self, ClubPlace, ClubRequestError, text};
use crate::icons::{ic, seat_mark};
use crate::online::Identity;
use crate::online::identity::{self, StoredIdentity};
use crate::page;
use crate::pages::home::MARK;
use crate::pages::person;
use crate::shell::{Drawn, glyph};
use leptos::prelude::*;
use serde_json::Value;
use wasm_bindgen_futures::spawn_local;

/// Loading is said after this time, in milliseconds.
const PATIENCE: i32 = 300;

/// The identity of this browser, as the pages of the club know it: `None` until it is loaded and if there is
/// none.
type OwnIdentity = RwSignal<Option<Identity>>;

/// Renders the page of the club that `app.place` names, with the links to the others. Loads the identity of
/// this browser, but creates none.
pub fn club(app: App) -> impl IntoView {
    let own: OwnIdentity = RwSignal::new(None);
    spawn_local(async move {
        if let Ok(StoredIdentity::Key(key)) = identity::stored().await {
            own.set(Some(key.public()));
        }
    });
    let section = move || match app.place.get() {
        Some(ClubPlace::Ratings { .. }) => "Ratings",
        Some(ClubPlace::Player(_)) => "",
        Some(ClubPlace::Tournaments(_) | ClubPlace::NewTournament | ClubPlace::Tournament(_)) => {
            "Tournaments"
        }
        _ => "Archive",
    };
    let links = move || {
        let link = |label: &'static str, icon: &'static str, href: &'static str| {
            let current = move || (section() == label).then_some("page");
            view! { <a href=href aria-current=current>{glyph(icon, 20)} {label}</a> }
        };
        view! { {link("Play", "board", "#")} {link("Archive", "log", "#club")} {link("Ratings", "list", "#club/ratings")} {link("Tournaments", "cup", "#club/tournaments")} }
    };
    let me = move || {
        own.get().map(|identity| {
            let href = format!("#club/player/{}", club::to_hex(&identity));
            view! { <a class="me" id="my-profile" href=href title="Your profile">{person::crest(&identity, "s32")} <span>"You"</span></a> }
        })
    };
    view! {
        <div class="club-pg">
            <header class="top0">
                <a class="brand title" href="#" aria-label="Pentarchy, home">
                    <svg width="36" height="36" viewBox="0 0 100 100" aria-hidden="true" inner_html=MARK></svg>
                    "Pentarchy"
                </a>
                <nav aria-label="Club">{links()}</nav>
                <div class="r">{me}</div>
            </header>
            <main>
                {move || match app.place.get() {
                    Some(ClubPlace::Game(id) | ClubPlace::Replay(id)) => game::game(app, own, id).into_any(),
                    Some(ClubPlace::Player(identity)) => player::player(app, own, identity).into_any(),
                    Some(ClubPlace::Ratings { game, seats, skip }) => {
                        ratings::ratings(own, game, seats, skip).into_any()
                    }
                    Some(ClubPlace::Tournaments(query)) => {
                        tournaments::tournaments(own, query).into_any()
                    }
                    Some(ClubPlace::NewTournament) => tournament_form::form(app).into_any(),
                    Some(ClubPlace::Tournament(id)) => tournament::tournament(app, own, id).into_any(),
                    Some(ClubPlace::Archive(query)) => archive::archive(app, own, query).into_any(),
                    None => ().into_any(),
                }}
            </main>
            <nav class="bnav" aria-label="Club">{links()}</nav>
        </div>
    }
}

/// Requests JSON from the club, at once and in the background, and renders it with `draw`. Until the response
/// comes it renders a sentence after [`PATIENCE`] milliseconds. After a failure it renders what failed, with a
/// button that requests it again if the server did not answer, or a link to the archive if the object is
/// missing. `path` follows `/api/club`.
fn loaded(path: String, draw: impl Fn(Value) -> AnyView + Send + Sync + 'static) -> impl IntoView {
    let answer = RwSignal::new(None::<Result<Value, ClubRequestError>>);
    let is_slow = RwSignal::new(false);
    let ask = move || {
        let path = path.clone();
        answer.set(None);
        spawn_local(async move { answer.set(Some(club::get_json(&path).await)) });
    };
    ask();
    spawn_local(async move {
        page::sleep(PATIENCE).await;
        is_slow.set(true);
    });
    move || match answer.get() {
        None => is_slow.get().then(|| view! { <p class="note">"Asking the server…"</p> }).into_any(),
        Some(Ok(value)) => draw(value),
        Some(Err(why)) => {
            let ask = ask.clone();
            view! {
                <div class="empty" role="alert">
                    <p>{why.text()}</p>
                    {(why == ClubRequestError::Offline).then(|| view! { <button class="btn sm" on:click=move |_| ask()>"Try again"</button> })}
                    {matches!(why, ClubRequestError::Missing(_)).then(|| view! { <a class="btn sm" href="#club">"To the archive"</a> })}
                </div>
            }
            .into_any()
        }
    }
}

/// Returns a game that the club names; `None` if this page does not have it.
fn listing(name: &str) -> Option<&'static GameListing> {
    boards::find(name).ok()
}

/// Returns the title of a game; its name if this page does not have it.
fn title(name: &str) -> String {
    listing(name).map_or_else(|| name.to_string(), |game| game.info.title.to_string())
}

/// Renders the emblem of the game with this name in its colour; a chess knight if this page does not have the
/// game.
fn emblem(name: &str) -> impl IntoView + use<> {
    let icon = listing(name).map_or("chess-knight", |game| game.look.emblem);
    view! { <span class="em1" data-game=name.to_string()><Drawn nodes=Signal::derive(move || vec![ic(icon).into()])/></span> }
}

/// Returns the name of the player at a seat of an archived game: the field `name` of `player`, the entry of the
/// seat in the club's object for the game; "Seat 2" for the seat with number 1 if it is empty.
fn seat_name(seat: usize, player: &Value) -> String {
    match text(player, "name") {
        name if name.is_empty() => format!("Seat {}", seat + 1),
        name => name,
    }
}

/// Returns the names of the seats of an archived game for which `holds` is true, in seat order. `game` is the
/// club's object for the game; `holds` gets an entry of its list `seats`.
fn names_of(game: &Value, holds: impl Fn(&Value) -> bool) -> Vec<String> {
    let seats = club::list(game, "seats").iter().enumerate();
    seats.filter(|(_, player)| holds(player)).map(|(seat, player)| seat_name(seat, player)).collect()
}

/// Returns the colour of a seat (0-based) in the game with this name, 1 to 6; in the order of the seats if this
/// page does not have the game.
fn seat_colour(name: &str, seat: usize) -> u8 {
    listing(name).map_or(seat as u8 % 6 + 1, |game| game.look.colours[seat % 6])
}

/// Returns how an archived game ended, without a full stop: "Ada won", "Draw", "Ended early", or "Ended early,
/// without Ben" for players who left. `game` is the club's object for the game, with `ending` (`played` for a
/// normal end) and `seats`.
fn result(game: &Value) -> String {
    let winners = names_of(game, |player| text(player, "result") == "won");
    let left = names_of(game, |player| club::flag(player, "left"));
    match (text(game, "ending") == "played", winners.is_empty()) {
        (true, false) => format!("{} won", crate::words::and(&winners)),
        (true, true) => "Draw".to_string(),
        (false, _) if left.is_empty() => "Ended early".to_string(),
        (false, _) => format!("Ended early, without {}", crate::words::and(&left)),
    }
}

/// Returns the date of a time in seconds since 1970, in UTC, as `2026-01-31`.
fn date(seconds: f64) -> String {
    person::date((seconds * 1000.0) as u64)
}

/// Renders an archived game as a row that links to its page: title, result, players with the winners marked,
/// date and number of events. `game` is the club's object for the game, with `id`, `game` (its name), `seats`,
/// `ending`, `published` and `events`.
fn game_row(game: &Value) -> impl IntoView + use<> {
    let name = text(game, "game");
    let players = club::list(game, "seats").iter().enumerate().map(|(seat, player)| {
        let (colour, won) = (seat_colour(&name, seat), text(player, "result") == "won");
        view! {
            <span class:w=won>
                <Drawn nodes=Signal::derive(move || vec![seat_mark(colour).into()])/>
                {seat_name(seat, player)}
                {won.then(|| view! { <span class="vh">" (winner)"</span> })}
            </span>
        }
    });
    let events = club::number(game, "events");
    view! {
        <li>
            <a class="ar" href=format!("#club/game/{}", text(game, "id"))>
                {emblem(&name)}
                <span class="ti"><b>{title(&name)}</b><small>{result(game)}</small></span>
                <span class="pls">{players.collect_view()}</span>
                <span class="dt">{date(club::number(game, "published"))} <small>{format!("{events} events")}</small></span>
            </a>
        </li>
    }
}

/// Renders picture and name of a player as a link to their profile. `player` is an object of the club with
/// `identity` (hexadecimal digits) and `short`, the short name of the key, which is always shown; `name` stands
/// before it unless it is empty. The player of this browser is marked. A malformed identity has no picture.
fn player_link(own: OwnIdentity, player: &Value, name: String) -> impl IntoView + use<> {
    let (hex, short) = (text(player, "identity"), text(player, "short"));
    let identity = club::from_hex(&hex);
    let is_own = move || identity.is_some() && own.get() == identity;
    let named = (!name.is_empty()).then(|| view! { <b>{name}</b> });
    view! {
        <a class="pn" href=format!("#club/player/{hex}")>
            {identity.map(|identity| person::crest(&identity, "s24"))}
            <span>{named} <code class="shortn" translate="no">{short}</code></span>
            {move || is_own().then(|| view! { <i class="tag">"you"</i> })}
        </a>
    }
}

/// Renders a button that opens the dialog about the identity of this browser.
fn identity_button(app: App) -> impl IntoView {
    view! { <button class="btn sm" on:click=move |_| app.sheet.set(Some(Sheet::Identity))>"Your identity"</button> }
}
