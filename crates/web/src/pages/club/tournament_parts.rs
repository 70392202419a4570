//! The parts of a tournament's page: standings, rounds, and the seed.

use super::tournament::{CupPage, is_organiser, name, own_player, points_text};
use super::{player_link, seat_colour};
use crate::club::{list, number, text};
use crate::icons::seat_mark;
use crate::shell::{Drawn, glyph};
use crate::tournament::{check_seed, signed};
use leptos::prelude::*;
use serde_json::{Value, json};

/// Returns a number of points in digits, with a sign for a half: "2½".
pub fn points(number: f64) -> String {
    match (number.floor(), number.fract() > 0.0) {
        (0.0, true) => "½".to_string(),
        (whole, true) => format!("{whole}½"),
        (whole, false) => format!("{whole}"),
    }
}

/// Renders the standings.
pub fn standings(cup: CupPage, tournament: &Value) -> impl IntoView + use<> {
    let seats = number(tournament, "seats");
    let players = list(tournament, "players");
    let rows = list(tournament, "standings").iter().map(|standing| {
        let place = number(standing, "player");
        let player = players.get(place as usize).cloned().unwrap_or_default();
        let tournament = tournament.clone();
        let is_own = move || own_player(cup, &tournament) == Some(place as usize);
        let results = list(standing, "results");
        let words: Vec<String> = results.iter().map(result_text).collect();
        let dots = results.iter().map(|result| {
            let is_win = result.as_f64() == Some(seats - 1.0);
            view! { <i class:w=is_win class:o=result.is_null()>{result_text(result)}</i> }
        });
        view! {
            <tr class:me=is_own>
                <td class="n">{number(standing, "place")}</td>
                <td>{player_link(cup.own, &player, text(&player, "name"))}</td>
                <td class="opt0"><span class="rdots" role="img" aria-label=format!("Points in each round: {}", words.join(", "))>{dots.collect_view()}</span></td>
                <td class="n opt0">{format!("{:.2}", number(standing, "tie_break"))}</td>
                <td class="big" aria-label=points_text(standing)>{points(number(standing, "points"))}</td>
            </tr>
        }
    });
    let about = match seats {
        2.0 => "1 point for a win, ½ for a draw".to_string(),
        _ => "1 point for each player you beat, ½ for each draw".to_string(),
    };
    view! {
        <section class="bx">
            <h2>"Standings" <small>{about}</small></h2>
            <table class="ctb" id="standings">
                <caption class="vh">"Standings"</caption>
                <thead><tr><th class="n">"#"</th><th>"Player"</th><th class="opt0">"Rounds"</th><th class="n opt0" title="Sonneborn–Berger: the points of everybody you beat, and half of those you drew with">"Tie-break"</th><th class="n">"Points"</th></tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
            <p class="note">"Equal points: the tie-break decides (the points of everybody you beat, and half of those you drew with), then wins."</p>
        </section>
    }
}

/// Returns the result of a round in a few characters: points, "bye", or a dot without one.
fn result_text(result: &Value) -> String {
    match (result.as_f64(), result.is_null()) {
        (Some(number), _) => points(number),
        (None, true) => "·".to_string(),
        (None, false) => "bye".to_string(),
    }
}

/// Renders a round: its tables with their results, byes, and links to the other rounds.
pub fn round(cup: CupPage, tournament: &Value) -> impl IntoView + use<> {
    let tournament = tournament.clone();
    move || {
        let rounds = list(&tournament, "rounds");
        let shown = match cup.round.get() {
            0 => rounds.len(),
            round => round.min(rounds.len()),
        };
        let round = rounds.get(shown.checked_sub(1)?)?;
        let tables = list(round, "tables").iter().enumerate();
        let tables =
            tables.map(|(place, table)| pairing(cup, &tournament, shown, place + 1, table)).collect_view();
        let byes: Vec<String> = list(round, "byes")
            .iter()
            .filter_map(Value::as_f64)
            .map(|player| name(&tournament, player))
            .collect();
        let byes = (!byes.is_empty())
            .then(|| view! { <p class="note">{format!("Bye: {}.", crate::words::and(&byes))}</p> });
        let others = (1..=rounds.len()).rev().filter(|round| *round != shown).map(|round| {
            view! { <button class="link" on:click=move |_| cup.round.set(round)>{format!("Round {round}")}</button> }
        });
        Some(view! {
            <section class="bx" id="round">
                <h2>{format!("Round {shown}")} <small>"seats drawn from the seed"</small></h2>
                {tables}
                {byes}
                <p class="rlinks">{others.collect_view()}</p>
            </section>
        })
    }
}

/// Renders a table of a round: its players in the order of the seats, and its state. The organiser gets the form with which
/// they declare players absent.
fn pairing(
    cup: CupPage,
    tournament: &Value,
    round: usize,
    place: usize,
    table: &Value,
) -> impl IntoView + use<> {
    let game = text(tournament, "game");
    let result = table.get("result").filter(|result| !result.is_null());
    let ranks: Vec<f64> = result
        .map(|result| list(result, "ranks").iter().filter_map(Value::as_f64).collect())
        .unwrap_or_default();
    let players: Vec<(usize, f64)> =
        list(table, "seats").iter().filter_map(Value::as_f64).enumerate().collect();
    let names = players.clone().into_iter().map(|(seat, player)| {
        let (colour, is_first) = (seat_colour(&game, seat), ranks.get(seat) == Some(&1.0));
        let label = name(tournament, player);
        let shown = tournament.clone();
        let is_own = move || own_player(cup, &shown) == Some(player as usize);
        view! {
            <span class:w=is_first>
                <Drawn nodes=Signal::derive(move || vec![seat_mark(colour).into()])/>
                {label} {move || is_own().then_some(" (you)")}
            </span>
        }
    });
    let winners: Vec<String> = players
        .iter()
        .filter(|(seat, _)| ranks.get(*seat) == Some(&1.0))
        .map(|&(_, player)| name(tournament, player))
        .collect();
    let says = match (winners.len(), ranks.len()) {
        (_, 0) if table.get("hosted_by").is_some_and(Value::is_u64) => "opened".to_string(),
        (_, 0) => "to be played".to_string(),
        (0, _) => "nobody came".to_string(),
        (1, _) => format!("{} won", winners.join("")),
        _ => "draw".to_string(),
    };
    let is_forfeit = result.is_some_and(|result| result.get("forfeit").is_some_and(Value::is_object));
    let link = result.map(|result| text(result, "game")).filter(|id| !id.is_empty());
    let state = match link {
        Some(id) => {
            view! { <a class="st lnk ok" href=format!("#club/game/{id}")>{glyph("chk", 16)} {says}</a> }
                .into_any()
        }
        None if is_forfeit => view! { <span class="st">{says} ", forfeit"</span> }.into_any(),
        None => view! { <span class="st wait">{says}</span> }.into_any(),
    };
    let is_played = result.is_some() || text(tournament, "phase") != "running";
    let whole = tournament.clone();
    let declare = move || {
        (!is_played && is_organiser(cup, &whole)).then(|| forfeit(cup, &whole, round, place, &players))
    };
    view! {
        <div class="pr">
            <span class="num">{place}</span>
            <span class="ps">{names.collect_view()}</span>
            {state}
            {declare}
        </div>
    }
}

/// Renders the form with which the organiser declares players of a table absent. `players` are the seats with the numbers
/// of their players.
fn forfeit(
    cup: CupPage,
    tournament: &Value,
    round: usize,
    place: usize,
    players: &[(usize, f64)],
) -> impl IntoView + use<> {
    let absent = RwSignal::new(Vec::<usize>::new());
    let boxes = players.iter().map(|&(seat, player)| {
        let change = move |event: web_sys::Event| {
            let is_absent = event_target_checked(&event);
            absent.update(|absent| {
                absent.retain(|other| *other != seat);
                if is_absent {
                    absent.push(seat);
                }
            });
        };
        view! { <label><input type="checkbox" on:change=change/> {name(tournament, player)} " did not come"</label> }
    });
    let path = format!("/{}/tables/{round}/{place}/forfeit", text(tournament, "id"));
    let declare = move |_| {
        let (path, body) = (path.clone(), json!({ "absent": absent.get_untracked() }));
        cup.act(async move { signed("POST", &path, &body).await });
    };
    view! {
        <details class="fold absent">
            <summary>"Not played?"</summary>
            {boxes.collect_view()}
            <button class="btn sm" prop:disabled=move || cup.is_busy.get() || absent.with(Vec::is_empty) on:click=declare>"Declare it, signed"</button>
        </details>
    }
}

/// Renders the public seed: before the start the hash of the server's share, afterwards the seed and a button that checks it.
pub fn seed(tournament: &Value) -> impl IntoView + use<> {
    let (seed, commitment) = (text(tournament, "seed"), text(tournament, "commitment"));
    let players = list(tournament, "players").len();
    let checked = RwSignal::new(None::<Result<String, String>>);
    let is_drawn = !seed.is_empty();
    let tournament = tournament.clone();
    let check = is_drawn.then(|| {
        view! { <button class="btn sm" id="check-seed" on:click=move |_| checked.set(Some(check_seed(&tournament)))>"Check the seed here"</button> }
    });
    let grouped = |text: &str| {
        let groups: Vec<&str> = (0..text.len()).step_by(4).filter_map(|i| text.get(i..i + 4)).collect();
        groups.join(" ")
    };
    view! {
        <section class="bx" id="seed">
            <h2>"Public seed"</h2>
            <p class="note">"Pairings of equal players and all seats follow from this number. It is the hash of a share of the server, whose own hash was published before anybody could enter, and of a random share of each player. Neither the server nor a player can choose it alone."</p>
            {is_drawn.then(|| view! { <p class="seed" translate="no">{grouped(&seed)}</p> })}
            <dl class="kv">
                <dt>"Hash of the server’s share"</dt><dd class="mono" translate="no" title=commitment.clone()>{grouped(commitment.get(..16).unwrap_or_default())} "…"</dd>
                <dt>"Shares of players"</dt><dd>{players}</dd>
            </dl>
            {check}
            <p class="note" role="status" id="seed-says" class:bad=move || checked.with(|checked| matches!(checked, Some(Err(_))))>
                {move || checked.get().map(|checked| checked.unwrap_or_else(|why| why))}
            </p>
        </section>
    }
}
