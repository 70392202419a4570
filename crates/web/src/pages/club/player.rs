//! The profile of a player: identity, ratings, history and recent games.

use super::{OwnIdentity, date, emblem, game_row, identity_button, loaded, title};
use crate::app::App;
use crate::club::{self, from_hex, list, number, text};
use crate::markup::{El, MarkupNode, el, path, short};
use crate::online::identity;
use crate::page;
use crate::pages::end::ticks;
use crate::pages::person;
use crate::shell::Drawn;
use leptos::prelude::*;
use pentarchy_identity::{key_fingerprint, short_name};
use serde_json::Value;
use wasm_bindgen_futures::spawn_local;

/// Number of recent games on a profile.
const RECENT: usize = 8;

/// Renders the profile of the player with this identity, in hexadecimal digits, and their newest games.
/// Requests both from the club in the background.
pub fn player(app: App, own: OwnIdentity, hex: String) -> impl IntoView {
    let games = format!("/games?player={hex}");
    let all = format!("#club/games?player={hex}");
    let identity = from_hex(&hex);
    let is_own = Memo::new(move |_| identity.is_some() && own.get() == identity);
    view! {
        {loaded(format!("/players/{hex}"), move |player| profile(app, is_own, player).into_any())}
        {loaded(games, move |found| recent(&found, &all).into_any())}
    }
}

/// Renders what the club says about a player: picture, names, number of games, ratings with their history, and
/// the form for the name if the player is that of this browser. `player` is the club's object: `identity`,
/// `name`, `games`, `left` (how many games they left) and `ratings`. Renders nothing if the identity is
/// malformed.
fn profile(app: App, is_own: Memo<bool>, player: Value) -> impl IntoView {
    let hex = text(&player, "identity");
    let Some(identity) = from_hex(&hex) else { return ().into_any() };
    let name = text(&player, "name");
    let (games, left) = (number(&player, "games"), number(&player, "left"));
    let counted =
        if games == 1.0 { "1 published game".to_string() } else { format!("{games} published games") };
    let left = (left > 0.0).then(|| format!(" · left {left} of them"));
    let shown = RwSignal::new(name);
    let heading = move || match shown.get() {
        name if name.is_empty() => short_name(&identity),
        name => name,
    };
    view! {
        <section class="bx idc" id="profile">
            {person::crest(&identity, "s96")}
            <div>
                <h1 class="title">{heading} {move || is_own.get().then(|| view! { <i class="tag">"this is you"</i> })}</h1>
                <p class="note">{person::short(&identity)} " · " {counted} {left}</p>
                <p class="note">"Names can repeat. The picture and the three words come from the key, which is the proof: " <span class="mono">{key_fingerprint(&identity)}</span></p>
            </div>
            {move || is_own.get().then(|| name_form(app, shown))}
        </section>
        {ratings(hex, list(&player, "ratings").to_vec())}
    }
    .into_any()
}

/// Renders the form with which the player of this browser sets their name in the club, signed with the identity
/// of this browser, and what the club says to it. `shown` is the name on the page, which the form begins with
/// and changes when the club has stored the new one.
fn name_form(app: App, shown: RwSignal<String>) -> impl IntoView {
    let says = RwSignal::new((String::new(), false));
    let field = NodeRef::<leptos::html::Input>::new();
    let save = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let Some(name) = field.get_untracked().map(|field| field.value().trim().to_string()) else { return };
        says.set(("Saving…".to_string(), false));
        spawn_local(async move {
            let saved = match identity::own().await {
                Ok(key) => club::set_name(&key, &name).await.map_err(|why| why.text()),
                Err(why) => Err(why),
            };
            match saved {
                Ok(()) => {
                    shown.set(name);
                    says.set(("Saved.".to_string(), false));
                }
                Err(why) => says.set((why, true)),
            }
        });
    };
    view! {
        <form class="namef" on:submit=save>
            <label for="club-name">"Your name in the club"</label>
            <input class="fld" id="club-name" maxlength="24" autocomplete="off" node_ref=field prop:value=shown.get_untracked()/>
            <button class="btn" id="save-name">"Save"</button>
            {identity_button(app)}
            <p class="note" class:bad=move || says.with(|says| says.1) role="status" id="name-says">
                {move || match says.get() {
                    (text, _) if text.is_empty() => "Everybody sees it. Your identity signs it, so nobody else can change it.".to_string(),
                    (text, _) => text,
                }}
            </p>
        </form>
    }
}

/// Renders the ratings of a player, most games first, and the history of the chosen one as a plot; at first of
/// the one with the most games. Each history is requested when it is chosen. `hex` is the player's identity;
/// `all` are objects with `game`, `seats`, `games`, `rating`, `mean` and `deviation`. Says so if there are
/// none.
fn ratings(hex: String, mut all: Vec<Value>) -> impl IntoView {
    if all.is_empty() {
        return view! { <section class="bx"><h2>"Ratings"</h2><p class="note">"No rated game yet. Games count when they are played to the end between people."</p></section> }.into_any();
    }
    pentarchy_engine::sorting::sort_by_key(&mut all, |rating| -(number(rating, "games") as i64));
    let chosen = RwSignal::new(0);
    let rows = all.iter().enumerate().map(|(i, rating)| {
        let name = text(rating, "game");
        let games = number(rating, "games");
        let deviation = 3.0 * number(rating, "deviation");
        view! {
            <button class="rtb" class:on=move || chosen.get() == i aria-pressed=move || (chosen.get() == i).to_string() on:click=move |_| chosen.set(i)>
                {emblem(&name)}
                <span><b>{title(&name)}</b><small>{format!("{} players · {games} games", number(rating, "seats"))}</small></span>
                <span class="v">{format!("{:.1}", number(rating, "rating"))}<small>{format!("{:.1} ±{deviation:.1}", number(rating, "mean"))}</small></span>
            </button>
        }
    });
    let rows = rows.collect_view();
    let plot = move || {
        let Some(rating) = all.get(chosen.get()) else { return ().into_any() };
        let (name, seats) = (text(rating, "game"), number(rating, "seats"));
        let heading = format!("{}, {seats} players", title(&name));
        let path = format!("/players/{hex}/history?game={name}&seats={seats}");
        view! {
            <h2>{heading}</h2>
            {loaded(path, |history| history_plot(&history).into_any())}
        }
        .into_any()
    };
    view! {
        <div class="cols">
            <section class="bx" aria-label="History of the rating">{plot}</section>
            <section class="bx rts"><h2>"Ratings" <small>"per game and number of players"</small></h2>{rows}<p class="note">"The rating is the lower end of the range. Below it: the estimate and its range."</p></section>
        </div>
    }
    .into_any()
}

/// Renders the history of a rating: the estimate after each game as a line, its range as a band, and the
/// current values in words. `history` is the response of the club: a list `history` of objects with `mean`,
/// `rating` (the lower end of the range) and `published`, the newest first, and `next`, which is null if these
/// are all. Says so if the list is empty.
fn history_plot(history: &Value) -> impl IntoView + use<> {
    let mut points: Vec<Value> = list(history, "history").to_vec();
    points.reverse();
    let Some(last) = points.last() else { return view! { <p class="note">"No rated game."</p> }.into_any() };
    let (mean, floor) = (number(last, "mean"), number(last, "rating"));
    let games = match (history.get("next").is_some_and(|next| !next.is_null()), points.len()) {
        (true, n) => format!("the last {n} rated games"),
        (false, 1) => "1 rated game".to_string(),
        (false, n) => format!("{n} rated games"),
    };
    let top = 2.0 * mean - floor;
    let says = format!(
        "Now {mean:.1}, between {floor:.1} and {top:.1}, after {games}. The band narrows with every rated game."
    );
    let drawing: Vec<MarkupNode> = vec![plot(&points, &says).into()];
    view! {
        <div id="history"><Drawn class="chart1" nodes=Signal::derive(move || drawing.clone())/></div>
        <p class="note">{says}</p>
    }
    .into_any()
}

/// Draws the history of a rating as an SVG element with the name `label` for screen readers. `points` are
/// objects with `mean` (the estimate), `rating` (the lower end of its range) and `published` (seconds since
/// 1970), in the order of the games, at equal distances. There must be one. Smaller on a narrow screen.
fn plot(points: &[Value], label: &str) -> El {
    let (w, h) = if page::is_narrow() { (340.0, 220.0) } else { (560.0, 240.0) };
    let top = |point: &Value| 2.0 * number(point, "mean") - number(point, "rating");
    let low = points.iter().map(|point| number(point, "rating")).fold(f64::MAX, f64::min).floor();
    let high = points.iter().map(top).fold(f64::MIN, f64::max).ceil().max(low + 1.0);
    let x = |i: usize| 40.0 + i as f32 / (points.len() - 1).max(1) as f32 * (w - 56.0);
    let y = |value: f64| h - 30.0 - ((value - low) / (high - low)) as f32 * (h - 44.0);
    let place = |i: usize, value: f64| format!("{} {}", short(x(i)), short(y(value)));
    let line = |values: Vec<String>| format!("M{}", values.join("L"));
    let each = || points.iter().enumerate();
    let mut band: Vec<String> = each().map(|(i, point)| place(i, top(point))).collect();
    band.extend(each().rev().map(|(i, point)| place(i, number(point, "rating"))));
    let means: Vec<String> = each().map(|(i, point)| place(i, number(point, "mean"))).collect();
    let mut out: Vec<MarkupNode> = Vec::new();
    for tick in ticks(low as i64, high as i64) {
        let at = y(tick as f64);
        out.push(path("gl", format!("M40 {}H{}", short(at), short(w - 16.0))).into());
        let text = el("text").set("x", "32").num("y", at + 4.0).set("text-anchor", "end");
        out.push(text.text(tick.to_string()).into());
    }
    out.push(path("band", format!("{}Z", line(band))).into());
    out.push(path("mean", line(means)).into());
    for (anchor, i) in [("start", 0), ("end", points.len() - 1)] {
        let text = el("text").num("x", x(i)).num("y", h - 8.0).set("text-anchor", anchor);
        if anchor == "start" || points.len() > 1 {
            out.push(text.text(date(number(&points[i], "published"))).into());
        }
    }
    let last = points.len() - 1;
    let dot = el("circle").num("cx", x(last)).num("cy", y(number(&points[last], "mean")));
    out.push(dot.set("r", "5").set("fill", "var(--text)").into());
    el("svg")
        .class("chart plot")
        .set("viewBox", format!("0 0 {w} {h}"))
        .set("width", "100%")
        .set("role", "img")
        .set("aria-label", label.to_string())
        .kids(out)
}

/// Renders the newest games of a player, at most [`RECENT`], with a link to the address `all` if there are
/// more; nothing if there are none. `found` is the response of the club to a search, with the list `games`, the
/// newest first.
fn recent(found: &Value, all: &str) -> impl IntoView + use<> {
    let games = list(found, "games");
    (!games.is_empty()).then(|| {
        let rows = games.iter().take(RECENT).map(game_row).collect_view();
        let more =
            (games.len() > RECENT).then(|| view! { <a class="r lnk" href=all.to_string()>"All games"</a> });
        view! { <section class="sec"><h2>"Recent games" {more}</h2><ul class="list">{rows}</ul></section> }
    })
}
