//! The page of an archived game.

use super::analysis::analysis;
use super::publish::copy_button;
use super::{OwnIdentity, date, emblem, loaded, player_link, result, seat_colour, seat_name, title};
use crate::app::App;
use crate::club::{flag, game_address, list, number, text};
use crate::icons::seat_mark;
use crate::online;
use crate::page;
use crate::pages::end::signed_number;
use crate::shell::{Drawn, glyph};
use leptos::prelude::*;
use serde_json::Value;

/// Renders the page of the archived game with this identifier, which it requests from the club in the
/// background.
pub fn game(app: App, own: OwnIdentity, id: String) -> impl IntoView {
    loaded(format!("/games/{id}"), move |game| shown(app, own, game).into_any())
}

/// Renders what the archive says about a game: result, players, what was verified, the record, the replay and
/// the analysis. `game` is the club's object for the game: `id`, `game` (its name), `published`, `rated`,
/// `unrated` (why not), `events`, `bytes`, `ending` and `seats`. Also sets the colours of the game for the
/// page.
fn shown(app: App, own: OwnIdentity, game: Value) -> impl IntoView {
    let (id, name) = (text(&game, "id"), text(&game, "game"));
    page::set_root("data-game", &name);
    let seats = list(&game, "seats");
    let counts = if flag(&game, "rated") {
        "rated".to_string()
    } else {
        format!("not rated: {}", text(&game, "unrated"))
    };
    let about = format!(" · {} · {} players · {counts}", date(number(&game, "published")), seats.len());
    let record = format!("{}/api/club/games/{id}/record", online::server());
    let (events, bytes) = (number(&game, "events"), number(&game, "bytes"));
    let rows = seats.iter().enumerate().map(|(seat, player)| player_row(own, &name, seat, player));
    view! {
        <div class="hrow">
            <div>
                <p class="note"><a class="lnk" href="#club">"Archive"</a> {about}</p>
                <h1 class="title">{emblem(&name)} " " {title(&name)} ": " {result(&game)}</h1>
            </div>
            <a class="btn go" id="replay-archived" href=format!("#club/game/{id}/replay")>{glyph("play", 18)} "Replay"</a>
        </div>
        <div class="gp">
            <section class="bx">
                <h2>"Players"</h2>
                <table class="ctb" id="players">
                    <caption class="vh">"Players and their results"</caption>
                    <thead><tr><th>"Rank"</th><th>"Player"</th><th class="opt0">"Result"</th><th class="n">"Score"</th></tr></thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </section>
            <section class="bx">
                <h2 class="shield">{glyph("shield", 20)} "Verified"</h2>
                <p class="note">{format!("The server has checked all {events} events: signatures, proofs, and every move against the rules. A replay checks them again on your device.")}</p>
                <div class="acts4">
                    <a class="btn sm" id="record" href=record download=format!("{id}.table")>{glyph("down", 16)} {format!("Signed record, {}", size(bytes))}</a>
                    {copy_button(game_address(&id))}
                </div>
            </section>
        </div>
        {analysis(app, id, size(bytes))}
    }
}

/// Returns a number of bytes in words: below a million in KB of 1,000 bytes, rounded up ("4 KB"), else in MB
/// with one decimal ("1.2 MB").
fn size(bytes: f64) -> String {
    if bytes < 1e6 { format!("{} KB", (bytes / 1e3).ceil()) } else { format!("{:.1} MB", bytes / 1e6) }
}

/// Renders a player of an archived game as a row of a table: rank, name with a tag for a bot or a player who
/// left, result, score. `game` is the name of the game. `player` is the entry of the seat in the club's object
/// for the game: `identity`, `short`, `name`, `result` (`won`, `lost`, `draw` or `none`), `rank` (0 without
/// one), `score`, `bot` and `left`.
fn player_row(own: OwnIdentity, game: &str, seat: usize, player: &Value) -> impl IntoView + use<> {
    let colour = seat_colour(game, seat);
    let result = text(player, "result");
    let (rank, is_won) = (number(player, "rank"), result == "won");
    let tag = match (flag(player, "bot"), flag(player, "left")) {
        (_, true) => Some("left"),
        (true, _) => Some("bot"),
        _ => None,
    };
    let words = match result.as_str() {
        "won" => "Won",
        "lost" => "Lost",
        "draw" => "Draw",
        _ => "No result",
    };
    view! {
        <tr class:w=is_won>
            <td><span class="rkm"><Drawn nodes=Signal::derive(move || vec![seat_mark(colour).into()])/> {(rank > 0.0).then_some(rank)}</span></td>
            <td>{player_link(own, player, seat_name(seat, player))} {tag.map(|tag| view! { <i class="tag">{tag}</i> })}</td>
            <td class="opt0">{words}</td>
            <td class="n">{signed_number(number(player, "score") as i64)}</td>
        </tr>
    }
}
