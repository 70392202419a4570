//! The leaderboards, for each game and number of seats.

use super::{OwnIdentity, emblem, loaded, player_link, title};
use crate::boards;
use crate::club::{from_hex, list, number, text};
use leptos::prelude::*;
use serde_json::Value;

/// Renders the leaderboard of the game `name` with this number of seats, after its first `skip` players, and
/// links to those of the other games and numbers of seats. Requests it from the club in the background.
pub fn ratings(own: OwnIdentity, name: String, seats: u8, skip: u32) -> impl IntoView {
    let games = boards::GAMES.iter().filter(|game| game.info.max_seats > 1).map(|game| {
        let info = game.info;
        let current = (info.name == name).then_some("page");
        view! { <a href=format!("#club/ratings/{}", info.name) aria-current=current>{emblem(info.name)} {info.title}</a> }
    });
    let info = boards::find(&name).ok().map(|game| game.info);
    let sizes = info.map_or(2..=6, |info| info.min_seats.max(2)..=info.max_seats).map(|n| {
        let current = (n == seats).then_some("page");
        view! { <a class="fchip" href=format!("#club/ratings/{name}/{n}") aria-current=current>{format!("{n} players")}</a> }
    });
    let path = format!("/ratings?game={name}&seats={seats}&skip={skip}");
    let address = format!("#club/ratings/{name}/{seats}");
    let which = format!("{} with {seats} players", title(&name));
    view! {
        <div>
            <h1 class="title">"Ratings"</h1>
            <p class="lead">"Only verified games between people count, and bots that play as a person of their own. The order is by the rating, which is the lower end of the range: a lucky start does not lead the list."</p>
        </div>
        <nav class="tabrow" aria-label="Games">{games.collect_view()}</nav>
        <nav class="fchips" aria-label="Players">{sizes.collect_view()}</nav>
        {loaded(path, move |board| leaderboard(own, &which, &address, skip, &board).into_any())}
    }
}

/// Renders a page of a leaderboard, with links to the first and the next page; if it is empty, how many rated
/// games a player needs. `board` is the response of the club: `players` (each with `identity`, `short`, `name`,
/// `rating`, `mean`, `games` and `wins`), best first, `least_games`, and `next`, the `skip` of the next page or
/// null. `which` names the game and the seats; `address` is that of the first page, with `#`; `skip` is the
/// number of players before this page.
fn leaderboard(
    own: OwnIdentity,
    which: &str,
    address: &str,
    skip: u32,
    board: &Value,
) -> impl IntoView + use<> {
    let players = list(board, "players");
    let least = number(board, "least_games");
    if players.is_empty() {
        let text = format!("Nobody has {least} rated games of {which} yet.");
        return view! { <div class="empty"><p>{text}</p><a class="btn sm" href="#club">"To the archive"</a></div> }.into_any();
    }
    let span = spread(players);
    let rows = players.iter().enumerate().map(|(i, player)| {
        let identity = from_hex(&text(player, "identity"));
        let is_own = move || identity.is_some() && own.get() == identity;
        view! {
            <tr class:me=is_own>
                <td class="n">{skip as usize + i + 1}</td>
                <td>{player_link(own, player, text(player, "name"))}</td>
                <td class="big">{format!("{:.1}", number(player, "rating"))}</td>
                <td class="opt0">{range(player, span)}</td>
                <td class="n">{number(player, "games")}</td>
                <td class="n opt0">{number(player, "wins")}</td>
            </tr>
        }
    });
    let next = number(board, "next");
    let next =
        (next > 0.0).then(|| view! { <a class="btn sm" href=format!("{address}?skip={next}")>"Next"</a> });
    let first = (skip > 0).then(|| view! { <a class="btn sm" href=address.to_string()>"The best"</a> });
    view! {
        <div class="bx">
            <table class="ctb" id="leaderboard">
                <caption class="vh">{format!("The best players of {which}")}</caption>
                <thead><tr><th class="n">"#"</th><th>"Player"</th><th class="n">"Rating"</th><th class="opt0">"Range"</th><th class="n">"Games"</th><th class="n opt0">"Won"</th></tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
        <nav class="pager" aria-label="Pages">{first} {next}</nav>
        <p class="note">{format!("Players with fewer than {least} rated games are not ranked. The mark in the range is the estimate; the range narrows with every game.")}</p>
    }
    .into_any()
}

/// Returns the lowest and the highest end of the ranges of these players, objects with `rating` (the lower end
/// of the range) and `mean` (its middle). There must be a player.
fn spread(players: &[Value]) -> (f64, f64) {
    let low = players.iter().map(|player| number(player, "rating")).fold(f64::MAX, f64::min);
    let high = players.iter().map(|p| 2.0 * number(p, "mean") - number(p, "rating")).fold(f64::MIN, f64::max);
    (low, high)
}

/// Renders the range of a rating as a bar, with a mark at the estimate. `player` has `rating`, the lower end,
/// and `mean`, the estimate in the middle of the range. `low` and `high` are the ends of the scale.
fn range(player: &Value, (low, high): (f64, f64)) -> impl IntoView + use<> {
    let (floor, mean) = (number(player, "rating"), number(player, "mean"));
    let top = 2.0 * mean - floor;
    let place = |value: f64| 100.0 * (value - low) / (high - low).max(0.1);
    let label = format!("between {floor:.1} and {top:.1}, estimate {mean:.1}");
    view! {
        <span class="rng" role="img" aria-label=label.clone() title=label>
            <i style=format!("left:{:.1}%;width:{:.1}%", place(floor), place(top) - place(floor))></i>
            <b style=format!("left:{:.1}%", place(mean))></b>
        </span>
    }
}
