//! The archive: published games, with a search.

use super::{OwnIdentity, game_row, loaded, player_link};
use crate::app::App;
use crate::boards;
use crate::club::{self, list, number, search_path, text};
use crate::online;
use crate::page::parameter;
use crate::shell::glyph;
use leptos::prelude::*;
use serde_json::Value;
use wasm_bindgen_futures::spawn_local;

/// Results of a player that can be searched for, as the club names them, with their labels.
const RESULTS: [(&str, &str); 4] = [("", "Any result"), ("won", "Won"), ("lost", "Lost"), ("draw", "Draw")];

/// Periods that can be searched for, in days, with their labels.
const PERIODS: [(&str, &str); 4] =
    [("", "Any date"), ("7", "Last 7 days"), ("30", "Last 30 days"), ("365", "Last year")];

/// Returns the address of the archive, as a fragment without `#`, for a search with the parameters of `query`
/// (`a=1&b=2`), of which `name` is replaced by `value`, or removed if that is empty. The parameter `before` is
/// removed unless it is `name`: a changed search begins at the newest game. Without a player there is no result
/// to search for: removing `player` also removes `result`.
fn address(query: &str, name: &str, value: &str) -> String {
    let pairs = query.split('&').filter(|pair| pair.contains('='));
    let mut pairs: Vec<String> = pairs
        .filter(|pair| !pair.starts_with(&format!("{name}=")) && !pair.starts_with("before="))
        .map(str::to_string)
        .collect();
    if !value.is_empty() {
        pairs.push(format!("{name}={value}"));
    }
    // A result is that of a player.
    if name == "player" && value.is_empty() {
        pairs.retain(|pair| !pair.starts_with("result="));
    }
    format!("club/games?{}", pairs.join("&"))
}

/// Renders a choice of the search as a select element with the label `label` for screen readers. `name` is the
/// parameter of `query` that it shows and changes; `entries` are its values with their labels. A change goes to
/// the archive with the new value, at the newest game.
fn choice(
    app: App,
    query: &str,
    name: &'static str,
    label: &'static str,
    entries: Vec<(&'static str, &'static str)>,
) -> impl IntoView + use<> {
    let given = parameter(query, name).unwrap_or_default();
    let query = query.to_string();
    let each = entries.into_iter().map(|(value, words)| {
        let selected = value == given;
        view! { <option value=value selected=selected>{words}</option> }
    });
    let change =
        move |event: web_sys::Event| app.open_club(&address(&query, name, &event_target_value(&event)));
    view! { <select class="fld" aria-label=label on:change=change>{each.collect_view()}</select> }
}

/// Renders the archive: the search, a link that downloads all records, and a page of the games that match the
/// parameters in `query` (`player`, `result`, `game`, `seats`, `days`, `before`), which it requests from the
/// club in the background. The result of the player can be chosen only while a player is.
pub fn archive(app: App, own: OwnIdentity, query: String) -> impl IntoView {
    let player = parameter(&query, "player").unwrap_or_default();
    let games = boards::GAMES.iter().map(|game| (game.info.name, game.info.title));
    let games = std::iter::once(("", "All games")).chain(games).collect();
    let has_player = !player.is_empty();
    let is_filtered = query.split('&').any(|pair| pair.contains('='));
    let results = loaded(search_path(&query, js_sys::Date::now() / 1000.0), {
        let query = query.clone();
        move |found| results(&query, &found, is_filtered).into_any()
    });
    view! {
        <div class="hrow">
            <div>
                <h1 class="title">"Archive"</h1>
                <p class="lead">"Games that their players published. The server has verified each record, and you can verify it again."</p>
            </div>
            <a class="btn" href=format!("{}/api/club/archive", online::server()) download="archive.tar">{glyph("down", 18)} "Whole archive"</a>
        </div>
        <div class="srch" role="search">
            {find_player(app, query.clone())}
            {choice(app, &query, "game", "Game", games)}
            {has_player.then(|| choice(app, &query, "result", "Result", RESULTS.to_vec()))}
            {choice(app, &query, "days", "Date", PERIODS.to_vec())}
        </div>
        {has_player.then(|| chosen_player(own, &query, player))}
        {results}
    }
}

/// Renders the chosen player of the search as a link to their profile, and a link that removes them from
/// `query`. `player` is their identity in hexadecimal digits; a malformed one is shown without picture and
/// name.
fn chosen_player(own: OwnIdentity, query: &str, player: String) -> impl IntoView + use<> {
    let short = club::from_hex(&player).map(|identity| pentarchy_identity::short_name(&identity));
    let shown = serde_json::json!({ "identity": player, "short": short.unwrap_or_default() });
    view! {
        <div class="fchips">
            {player_link(own, &shown, String::new())}
            <a class="fchip" id="any-player" href=format!("#{}", address(query, "player", ""))>{glyph("x", 14)} "All players"</a>
        </div>
    }
}

/// Renders the field that finds players by the beginning of their name or by their key (64 hexadecimal digits),
/// and the players found, each a link that searches their games. A key, and a single player found, goes to that
/// search at once. The rest of `query` is kept. An empty text removes the players found; a failed request shows
/// why.
fn find_player(app: App, query: String) -> impl IntoView {
    let found = RwSignal::new(None::<(String, Result<Vec<Value>, String>)>);
    let choose = {
        let query = query.clone();
        move |identity: &str| app.open_club(&address(&query, "player", identity))
    };
    let search = move |event: web_sys::Event| {
        let name = event_target_value(&event).trim().to_string();
        let choose = choose.clone();
        if name.is_empty() {
            return found.set(None);
        }
        if club::from_hex(&name).is_some() {
            return choose(&name.to_lowercase());
        }
        spawn_local(async move {
            let encoded = String::from(js_sys::encode_uri_component(&name));
            match club::get_json(&format!("/players?name={encoded}")).await {
                Ok(answer) => match list(&answer, "players") {
                    [only] => choose(&text(only, "identity")),
                    players => found.set(Some((name, Ok(players.to_vec())))),
                },
                Err(why) => found.set(Some((name, Err(why.text())))),
            }
        });
    };
    let answer = move || {
        let query = query.clone();
        found.get().map(|(name, players)| match players {
            Err(why) => view! { <p class="note bad">{why}</p> }.into_any(),
            Ok(players) if players.is_empty() => {
                view! { <p class="note">{format!("No player has set a name that begins with “{name}”.")}</p> }.into_any()
            }
            Ok(players) => players
                .iter()
                .map(|player| {
                    let href = format!("#{}", address(&query, "player", &text(player, "identity")));
                    view! { <a class="fchip" href=href><b>{text(player, "name")}</b> <code class="shortn">{text(player, "short")}</code></a> }
                })
                .collect_view()
                .into_any(),
        })
    };
    view! {
        <input class="fld" id="find-player" type="search" aria-label="Player" placeholder="Player: a name, then Enter" autocomplete="off" prop:value=String::new on:change=search/>
        <div class="fchips found" role="status">{answer}</div>
    }
}

/// Renders a page of found games with links to older and to the newest games. `found` is the response of the
/// club to a search: `games`, and `next`, the `before` of the next page or null. If there are no games, says
/// that nothing matches the search (`is_filtered`) or that nobody has published a game yet.
fn results(query: &str, found: &Value, is_filtered: bool) -> impl IntoView + use<> {
    let games = list(found, "games");
    if games.is_empty() {
        return if is_filtered {
            view! {
                <div class="empty">
                    <p><b>"No published game matches this search."</b></p>
                    <a class="btn sm" href="#club">"Clear the search"</a>
                </div>
            }
            .into_any()
        } else {
            view! {
                <div class="empty">
                    <p><b>"Nobody has published a game yet."</b> " Play with friends; at the end each player can publish the game."</p>
                    <a class="btn sm" href="#">"Play"</a>
                </div>
            }
            .into_any()
        };
    }
    let next = number(found, "next");
    let older = (next > 0.0).then(|| {
        let href = format!("#{}", address(query, "before", &next.to_string()));
        view! { <a class="btn sm" id="older" href=href>"Older"</a> }
    });
    let newest = parameter(query, "before").map(|_| {
        view! { <a class="btn sm" href=format!("#{}", address(query, "before", ""))>"Newest"</a> }
    });
    view! {
        <ul class="list" id="games">{games.iter().map(game_row).collect_view()}</ul>
        <nav class="pager" aria-label="Pages">{newest} {older}</nav>
    }
    .into_any()
}
