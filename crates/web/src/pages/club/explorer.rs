//! The explorer beside the replay of an archived game: what was played in the shown position, and with what result.

use super::analysis::emperor;
use crate::app::App;
use crate::boards;
use crate::club::{self, ClubRequestError, list, number, text};
use crate::page;
use crate::table::GameView;
use crate::words::plain;
use leptos::prelude::*;
use serde_json::Value;
use wasm_bindgen_futures::spawn_local;

/// A position must be shown for this time, in milliseconds, before it is looked up.
const PAUSE: i32 = 200;

/// Below this number of games a row says little.
const FEW: f64 = 20.0;

/// Renders the explorer beside the board while the match at this page is a game of the archive, otherwise
/// nothing: what was played in the shown position in the games of the archive, and a button that asks Emperor.
/// Where nobody decides, a button goes to the next decision. Requests a position from the club when it has been
/// shown for [`PAUSE`] milliseconds.
pub fn explorer(app: App) -> impl IntoView {
    let play = app.play;
    // The number of events of the shown position, if a seat decides there.
    let at = Memo::new(move |_| {
        let at = play.at.get()?;
        play.with_match(|table| table.actors().get(at).copied().flatten()).flatten().map(|_| at)
    });
    let answer = RwSignal::new(None::<(usize, Result<Value, ClubRequestError>)>);
    Effect::new(move |_| {
        let (Some(at), true) = (at.get(), play.archived.with(Option::is_some)) else { return };
        let Some(path) = play.with_match_untracked(|table| path(table, at)) else { return };
        spawn_local(async move {
            page::sleep(PAUSE).await;
            // A replay passes many positions.
            if play.at.get_untracked() == Some(at) {
                answer.set(Some((at, club::get_json(&path).await)));
            }
        });
    });
    let rows = move |at: usize| match answer.get().filter(|(asked, _)| *asked == at) {
        None => view! { <p class="lbl2">"Looking it up…"</p> }.into_any(),
        Some((_, Err(why))) => view! { <p class="lbl2">{why.text()}</p> }.into_any(),
        Some((_, Ok(found))) => moves(app, at, &found).into_any(),
    };
    let inside = move || match (at.get(), next_decision(app)) {
        (Some(at), _) => rows(at),
        (None, Some(next)) => view! {
            <p class="lbl2">"Nobody decides in this position."</p>
            <button class="btn sm" on:click=move |_| app.show_position_at(next)>"Next decision"</button>
        }
        .into_any(),
        (None, None) => view! {
            <p class="lbl2">"The game is over. Step back to a decision to see what was played there."</p>
        }
        .into_any(),
    };
    move || {
        play.archived.get().map(|id| {
            view! {
                <section class="panel explorer" id="explorer" aria-label="Explorer">
                    <h2>"Explorer" <small>"games of the archive"</small></h2>
                    <div class="exbody" tabindex="0">{inside} {emperor(app, at)}</div>
                    <a class="lnk0" href=format!("#club/game/{id}")>"Page of this game"</a>
                </section>
            }
        })
    }
}

/// Returns the number of events before the next decision from the shown position on; `None` if there is none.
/// Tracks the shown position.
fn next_decision(app: App) -> Option<usize> {
    let from = app.play.at.get()?;
    let next = |table: &dyn GameView| table.actors().iter().skip(from).position(Option::is_some);
    app.play.with_match(next).flatten().map(|steps| from + steps)
}

/// Returns the path, after `/api/club`, of the request for what was played in the position after the first `at`
/// events of a match. The club finds it by game, seats, changed options and the digest after the last of these
/// events; without a digest it is the first position.
fn path(table: &dyn GameView, at: usize) -> String {
    let header = table.header();
    let options = boards::find(&header.game).map(|game| game.changed_options(&header.options));
    let options = Value::Object(options.unwrap_or_default()).to_string();
    let options = String::from(js_sys::encode_uri_component(&options));
    let digest = at.checked_sub(1).and_then(|last| table.entries().get(last));
    let digest = digest.map(|entry| format!("&digest={}", entry.digest)).unwrap_or_default();
    format!("/explore?game={}&seats={}&options={options}{digest}", header.game, header.seats)
}

/// Renders what was played in the position after the first `at` events of the match at this page, in the order
/// of the club, which is that of frequency: each action with the number of games, and the share of them that
/// the player who did it won; the one of this game is marked. `found` is the response of the club: a list
/// `moves` of objects with `action` (canonical text), `games` and `wins`. Says so if it is empty, or if there
/// are fewer than [`FEW`] games.
fn moves(app: App, at: usize, found: &Value) -> impl IntoView + use<> {
    let ui = untrack(|| app.play.ui(&[]));
    let here = app.play.with_match_untracked(|table| {
        let observer = app.play.observer.get_untracked().0;
        let played = table.entries().get(at).map(|entry| entry.event.clone());
        (table.choices(at, observer), played.unwrap_or_default())
    });
    let (choices, played) = here.unwrap_or_default();
    let all = list(found, "moves");
    let games: f64 = all.iter().map(|played| number(played, "games")).sum();
    let summary = match games {
        0.0 => {
            "This position is not in the explorer: it lists games that were played to the end.".to_string()
        }
        1.0 => "Only this game has reached this position.".to_string(),
        games => format!("{games} games have reached this position."),
    };
    let rows = all.iter().map(|entry| {
        let (action, games) = (text(entry, "action"), number(entry, "games"));
        let label = choices.iter().find(|listed| listed.action == action).map(|listed| &listed.label);
        let label = label.map_or_else(|| action.clone(), |label| plain(label, &ui));
        let won = (100.0 * number(entry, "wins") / games.max(1.0)).round();
        let is_played = action == played;
        view! {
            <li class:now=is_played>
                <span>{label} {is_played.then(|| view! { <small>"played in this game"</small> })}</span>
                <span class="n">{games}</span>
                <span class="wbar" role="img" aria-label=format!("won {won} percent")><i style=format!("width:{won}%")></i><b>{won}</b></span>
            </li>
        }
    });
    let head = (!all.is_empty()).then(|| {
        view! { <p class="exh" aria-hidden="true"><span>"Move"</span><span>"games"</span><span>"won, %"</span></p> }
    });
    let few =
        (games > 0.0 && games < FEW).then(|| view! { <p class="lbl2">"Fewer than 20 games say little."</p> });
    view! {
        <p class="lbl2">{summary}</p>
        {head}
        <ol class="ex">{rows.collect_view()}</ol>
        {few}
    }
}
