//! The set-up of an online table: the game, the seats, the time per move; then a link to send.

use super::options::rules_of;
use super::setup::{LEVELS, room_left, rules_changed};
use super::{close_button, person};
use crate::app::{App, Sheet};
use crate::boards;
use crate::icons::seat_mark;
use crate::online::{self, Order};
use crate::play::PlayerKind;
use crate::shell::{Drawn, glyph};
use leptos::prelude::*;
use serde_json::Value;
use wasm_bindgen_futures::spawn_local;

/// The options for another seat: kind, label, and explanation.
const KINDS: [(Option<PlayerKind>, &str, &str); 4] = [
    (None, "Friend", "A friend takes this seat with the link"),
    (Some(PlayerKind::Recruit), "Easy", "Easy bot (Recruit)"),
    (Some(PlayerKind::Captain), "Medium", "Medium bot (Captain)"),
    (Some(PlayerKind::Emperor), "Hard", "Hard bot (Emperor)"),
];

/// The options for the time per move, in milliseconds and in words.
pub const TIMES: [(u32, &str); 6] = [
    (60_000, "1 minute"),
    (180_000, "3 minutes"),
    (600_000, "10 minutes"),
    (7_200_000, "2 hours"),
    (86_400_000, "1 day"),
    (604_800_000, "1 week"),
];

/// The default time per move.
const USUAL_TIME: u32 = TIMES[2].0;

/// Maximum length of a player's name, in characters.
pub const LONGEST_NAME: usize = 16;

/// Returns a time per move, given in milliseconds, in words: as in [`TIMES`] if it is one of the options of the
/// set-up, otherwise in whole seconds, as in "90 seconds".
pub fn time_per_move(ms: u32) -> String {
    let named = TIMES.iter().find(|(other, _)| *other == ms);
    named.map_or_else(|| format!("{} seconds", ms / 1000), |(_, words)| (*words).to_string())
}

/// Renders the set-up of an online table, with the game at index `place` of the list selected (the last one
/// if there is none). Its button creates the table and navigates to it, or shows the error; it is disabled
/// without a name and while the game rejects the options. Choosing another game resets everything but the
/// name.
pub fn friends(app: App, place: usize) -> impl IntoView {
    let chosen = RwSignal::new(place.min(boards::GAMES.len() - 1));
    let name = RwSignal::new(online::own_name());
    move || {
        let place = chosen.get();
        let game = &boards::GAMES[place];
        let info = game.info;
        let others = RwSignal::new(vec![None::<PlayerKind>; usize::from(info.default_seats.max(2)) - 1]);
        let changes = RwSignal::new(game.page_options().as_object().cloned().unwrap_or_default());
        let listed = RwSignal::new(false);
        let waits = RwSignal::new(USUAL_TIME);
        let takeover = RwSignal::new(false);
        let opening = RwSignal::new(false);
        let trouble = RwSignal::new(None::<String>);
        let defaults = StoredValue::new((game.defaults)());
        Effect::new(move |_| {
            let tried = game.start(others.with(Vec::len) as u8 + 1, &Value::Object(changes.get()), 1);
            trouble.set(tried.err());
        });
        let games = boards::GAMES.iter().enumerate().map(|(i, game)| {
            let on = move || chosen.get() == i;
            view! {
                <button class:on=on role="radio" aria-checked=move || on().to_string() on:click=move |_| chosen.set(i)>{game.info.title}</button>
            }
        });
        let count = Memo::new(move |_| others.with(Vec::len));
        let rows = move || {
            (0..count.get())
                .map(|i| row(others, i, game.look.colours[(i + 1) % 6], info.min_seats))
                .collect_view()
        };
        let open = move |_| {
            let order = Order {
                game,
                name: name.get_untracked().trim().to_owned(),
                seat: 0,
                others: others.get_untracked(),
                options: Value::Object(changes.get_untracked()),
                listed: listed.get_untracked(),
                stall_ms: waits.get_untracked(),
                takeover: takeover.get_untracked(),
                at_once: false,
                tag: None,
            };
            opening.set(true);
            spawn_local(async move {
                match online::create_table(order).await {
                    Ok(link) => online::go(&link),
                    Err(what) => {
                        opening.set(false);
                        trouble.set(Some(what));
                    }
                }
            });
        };
        let named = move || name.with(|name| !name.trim().is_empty());
        let times = TIMES.into_iter().map(|(ms, words)| {
            view! { <option value=ms.to_string() prop:selected=move || waits.get() == ms>{words}</option> }
        });
        let alone = move || others.with(|o| o.iter().all(Option::is_some));
        let machines = move || others.with(|o| 1 + o.iter().filter(|other| other.is_none()).count() as u8);
        let refusal = move || pentarchy_lobby::takeover_refusal(machines());
        let few = move || refusal().is_some();
        let says = move || {
            if let Some(what) = trouble.get() {
                return what;
            }
            if !named() {
                return "Enter your name to create the table.".to_string();
            }
            if alone() {
                return "All other seats are bots: choose Friend for at least one.".to_string();
            }
            format!("{}. {}.", seated(&others.get()), changes.with(|changes| rules_changed(game, changes)))
        };
        view! {
            <div class="dialog sheet friends" role="dialog" aria-modal="true" aria-label="Play with friends" data-game=info.name>
                <div class="cov"><svg viewBox="0 0 300 400" preserveAspectRatio="xMidYMid slice" aria-hidden="true" inner_html=game.cover().into_owned()></svg></div>
                <div class="main">
                    <div class="sheet-hd">
                        <div>
                            <h1 class="title">"Play with friends"</h1>
                            <p class="pitch">"Create the table, then send the link. Your friends need no account."</p>
                        </div>
                        {close_button(app)}
                    </div>
                    <div class="sheet-bd" tabindex="-1">
                        <section>
                            <div class="segm games" role="radiogroup" aria-label="Game">{games.collect_view()}</div>
                        </section>
                        <section>
                            <h2>"Seats " <small>{move || others.with(Vec::len) + 1} " of up to " {info.max_seats}</small></h2>
                            <div class=format!("srow c{}", game.look.colours[0])>
                                <span class="swt pat"><Drawn nodes=Signal::derive(move || vec![seat_mark(game.look.colours[0]).into()])/></span>
                                <span class="nmf">
                                    <input
                                        class="fld"
                                        id="my-name"
                                        autofocus=true
                                        maxlength=LONGEST_NAME.to_string()
                                        placeholder="Your name"
                                        aria-label="Your name"
                                        autocomplete="nickname"
                                        prop:value=move || name.get()
                                        on:input=move |event| name.set(event_target_value(&event))
                                    />
                                    {move || room_left(name.with(|name| name.chars().count()), LONGEST_NAME)}
                                </span>
                                <span class="lbl">"You"</span>
                            </div>
                            {you_are(app)}
                            {rows}
                            <div class="under">
                                {move || {
                                    (others.with(Vec::len) + 1 < info.max_seats.into())
                                        .then(|| view! { <button class="btn sm add" on:click=move |_| others.update(|o| o.push(None))>"Add a seat"</button> })
                                }}
                                <p class="lbl2">{LEVELS} " They run in your page."</p>
                            </div>
                        </section>
                        <section class="opts one">
                            <div class="opt">
                                <span>"Time per move"<small>"Time allowed per move. After that the others may end the game."</small></span>
                                <select
                                    class="fld sel"
                                    aria-label="Time per move"
                                    on:change=move |event| {
                                        if let Ok(ms) = event_target_value(&event).parse() {
                                            waits.set(ms);
                                        }
                                    }
                                >
                                    {times.collect_view()}
                                </select>
                            </div>
                        </section>
                        {rules_of(game, changes, defaults)}
                        <details class="fold">
                            <summary>"If somebody leaves" <small>{move || if takeover.get() && !few() { "a bot takes over" } else { "the game ends" }}</small></summary>
                            <div class="opts one">
                                <div class="opt" class:ch=move || takeover.get()>
                                    <span>
                                        "A bot takes over"
                                        <small>{move || refusal().unwrap_or(
                                            "The bot plays on with open cards. For that, all other players together could read anybody’s cards. Off: the game ends without a winner."
                                        )}</small>
                                    </span>
                                    {switch("A bot takes over", takeover)}
                                </div>
                                <div class="opt" class:ch=move || listed.get()>
                                    <span>"Open to anybody"<small>"Everybody who uses this server sees the table on the home page and can join."</small></span>
                                    {switch("Open to anybody", listed)}
                                </div>
                            </div>
                        </details>
                    </div>
                    <div class="end">
                        <p role="status" class:bad=move || trouble.with(Option::is_some)>{says}</p>
                        <button
                            class="btn go"
                            id="open-table"
                            prop:disabled=move || trouble.with(Option::is_some) || !named() || opening.get()
                            on:click=open
                        >
                            "Create table"
                        </button>
                    </div>
                </div>
            </div>
        }
    }
}

/// Renders the identity by which others recognise the player, and a button that opens its sheet. Loads it in
/// the background; creates and stores one if there is none. Shows the error if it is damaged or cannot be
/// stored.
fn you_are(app: App) -> impl IntoView {
    let own = LocalResource::new(online::identity::own);
    let shown = move || {
        own.get().map(|own| match own {
            Ok(key) => {
                let public = key.public();
                view! { {person::crest(&public, "s24")} <span>"Others recognise you as " {person::short(&public)}</span> }.into_any()
            }
            Err(why) => view! { <span class="bad" role="alert">{why}</span> }.into_any(),
        })
    };
    view! {
        <p class="idn youare">{shown} <button class="link" on:click=move |_| app.sheet.set(Some(Sheet::Identity))>"Your identity"</button></p>
    }
}

/// Returns a summary of the seats: "You, 2 friends and 1 bot". `others` are the other seats; `None` is a
/// friend.
fn seated(others: &[Option<PlayerKind>]) -> String {
    let friends = others.iter().filter(|who| who.is_none()).count();
    let bots = others.len() - friends;
    let some = |n: usize, what: &str| match n {
        0 => None,
        1 => Some(format!("1 {what}")),
        n => Some(format!("{n} {what}s")),
    };
    let parts: Vec<String> =
        [Some("You".to_string()), some(friends, "friend"), some(bots, "bot")].into_iter().flatten().collect();
    crate::words::and(&parts)
}

/// Renders a switch that shows and changes the flag `on`. `label` is for screen readers.
fn switch(label: &'static str, on: RwSignal<bool>) -> impl IntoView {
    view! {
        <button
            class="tog"
            class:on=move || on.get()
            role="switch"
            aria-label=label
            aria-checked=move || on.get().to_string()
            on:click=move |_| on.update(|on| *on = !*on)
        >
            <i></i>
        </button>
    }
}

/// Renders the row of a seat: a friend or a bot of some level, and a button that removes the seat, disabled
/// if fewer than `least` players would remain, the host included. Changes go to `others`, where `i` is its
/// index; the page calls it seat `i` + 2. `colour` is 1 to 6.
fn row(others: RwSignal<Vec<Option<PlayerKind>>>, i: usize, colour: u8, least: u8) -> impl IntoView {
    let seat = i + 2;
    let kinds = KINDS.into_iter().map(move |(kind, label, means)| {
        let on = move || others.with(|o| o.get(i).copied()) == Some(kind);
        let choose = move |_| {
            others.update(|o| {
                if let Some(who) = o.get_mut(i) {
                    *who = kind;
                }
            });
        };
        let bots = (kind == Some(PlayerKind::Recruit)).then(|| view! { <i class="sep" aria-hidden="true"></i> });
        view! { {bots} <button class:on=on role="radio" aria-label=means title=means aria-checked=move || on().to_string() on:click=choose>{label}</button> }
    });
    view! {
        <div class=format!("srow c{colour}")>
            <span class="swt pat"><Drawn nodes=Signal::derive(move || vec![seat_mark(colour).into()])/></span>
            <span class="whos">{format!("Seat {seat}")}</span>
            <div class="segm" role="radiogroup" aria-label=format!("Who sits at seat {seat}")>{kinds.collect_view()}</div>
            <button
                class="iconbtn"
                aria-label=format!("Remove seat {seat}")
                prop:disabled=move || others.with(Vec::len) < least.into()
                on:click=move |_| {
                    others.update(|o| {
                        o.remove(i);
                    });
                }
            >
                {glyph("x", 18)}
            </button>
        </div>
    }
}
