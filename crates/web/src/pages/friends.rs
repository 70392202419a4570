//! A table for friends: the game, who sits where, the options; then a link to send.

use super::setup::option;
use super::{close, cover};
use crate::app::App;
use crate::boards;
use crate::icons::seat_mark;
use crate::online::{self, Order};
use crate::play::Who;
use crate::shell::{Drawn, glyph};
use leptos::prelude::*;
use serde_json::{Map, Value};
use wasm_bindgen_futures::spawn_local;

/// Who can sit at another seat, and what it is called.
const KINDS: [(Option<Who>, &str); 4] = [
    (None, "Friend"),
    (Some(Who::Recruit), "Recruit"),
    (Some(Who::Captain), "Captain"),
    (Some(Who::Emperor), "Emperor"),
];

/// How long the table waits for somebody, in milliseconds and in words.
const PATIENCE: [(u32, &str); 4] =
    [(60_000, "1 minute"), (600_000, "10 minutes"), (7_200_000, "2 hours"), (604_800_000, "1 week")];

/// The usual one of them.
const USUAL_PATIENCE: u32 = PATIENCE[1].0;

/// The same in words.
pub fn patience(ms: u32) -> String {
    let named = PATIENCE.iter().find(|(other, _)| *other == ms);
    named.map_or_else(|| format!("{} seconds", ms / 1000), |(_, words)| (*words).to_string())
}

/// The sheet; the game with this place on the shelf is proposed.
pub fn friends(app: App, place: usize) -> impl IntoView {
    let chosen = RwSignal::new(place.min(boards::GAMES.len() - 1));
    let name = RwSignal::new(online::own_name());
    move || {
        let place = chosen.get();
        let game = &boards::GAMES[place];
        let info = game.info;
        let others = RwSignal::new(vec![None::<Who>; usize::from(info.default_seats.max(2)) - 1]);
        let changes = RwSignal::new(Map::<String, Value>::new());
        let listed = RwSignal::new(false);
        let waits = RwSignal::new(USUAL_PATIENCE);
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
        let rows = move || {
            (0..others.with(Vec::len))
                .map(|i| row(others, i, game.look.colours[(i + 1) % 6], info.min_seats))
                .collect_view()
        };
        let fields =
            game.fields.iter().filter(|f| !f.tuning).map(|f| option(f, changes, defaults)).collect_view();
        let tuning: Vec<_> = game.fields.iter().filter(|f| f.tuning).collect();
        let tuned = (!tuning.is_empty()).then(|| {
            let count = tuning.len();
            view! {
                <details>
                    <summary>{format!("The design’s own numbers ({count})")}</summary>
                    <div class="opts">{tuning.into_iter().map(|f| option(f, changes, defaults)).collect_view()}</div>
                </details>
            }
        });
        let open = move |_| {
            let order = Order {
                game,
                name: name.get_untracked().trim().to_owned(),
                others: others.get_untracked(),
                options: Value::Object(changes.get_untracked()),
                listed: listed.get_untracked(),
                stall_ms: waits.get_untracked(),
                takeover: takeover.get_untracked(),
            };
            opening.set(true);
            spawn_local(async move {
                match online::create(order).await {
                    Ok(link) => online::go(&link),
                    Err(what) => {
                        opening.set(false);
                        trouble.set(Some(what));
                    }
                }
            });
        };
        let named = move || name.with(|name| !name.trim().is_empty());
        let times = PATIENCE.into_iter().map(|(ms, words)| {
            view! { <option value=ms.to_string() prop:selected=move || waits.get() == ms>{words}</option> }
        });
        view! {
            <div class="dialog sheet friends" role="dialog" aria-modal="true" aria-label="Play with friends" data-game=info.name>
                <div class="cov"><svg viewBox="0 0 300 400" preserveAspectRatio="xMidYMid slice" aria-hidden="true" inner_html=cover(info.name)></svg></div>
                <div class="main">
                    <div class="sheet-hd">
                        <div>
                            <h1 class="title">"Play with friends"</h1>
                            <p class="pitch">"You get a link to send. Every player’s own page checks every move; cards and dice belong to nobody."</p>
                        </div>
                        {close(app)}
                    </div>
                    <section>
                        <div class="segm games" role="radiogroup" aria-label="Game">{games.collect_view()}</div>
                    </section>
                    <section>
                        <h2>"Seats " <small>{move || others.with(Vec::len) + 1} " of " {info.min_seats} " to " {info.max_seats} ". Friends may change places later."</small></h2>
                        <div class=format!("srow c{}", game.look.colours[0])>
                            <span class="swt pat"><Drawn nodes=Signal::derive(move || vec![seat_mark(game.look.colours[0]).into()])/></span>
                            <input
                                class="fld"
                                id="my-name"
                                autofocus=true
                                maxlength="16"
                                placeholder="Your name"
                                aria-label="Your name"
                                autocomplete="nickname"
                                prop:value=move || name.get()
                                on:input=move |event| name.set(event_target_value(&event))
                            />
                            <span class="lbl">"You"</span>
                        </div>
                        {rows}
                        {move || {
                            (others.with(Vec::len) + 1 < info.max_seats.into())
                                .then(|| view! { <button class="btn ghost sm add" on:click=move |_| others.update(|o| o.push(None))>"Add a seat"</button> })
                        }}
                    </section>
                    <section>
                        <h2>"Rules " <small>"What differs from the default is marked."</small></h2>
                        <div class="opts">
                            {fields}
                            <div class="opt">
                                <span>"Patience"<small>"Who is silent for longer when something is due may be left behind. Default: 10 minutes."</small></span>
                                <select
                                    class="fld sel"
                                    aria-label="Patience"
                                    on:change=move |event| {
                                        if let Ok(ms) = event_target_value(&event).parse() {
                                            waits.set(ms);
                                        }
                                    }
                                >
                                    {times.collect_view()}
                                </select>
                            </div>
                            <div class="opt" class:ch=move || takeover.get()>
                                <span>
                                    "A bot plays on"
                                    <small>"For whoever is gone for good, with open cards; else the game ends. The price: all others together could read anybody’s cards. Needs three seats. Default: off."</small>
                                </span>
                                <button
                                    class="tog"
                                    class:on=move || takeover.get()
                                    role="switch"
                                    aria-label="A bot plays on"
                                    aria-checked=move || takeover.get().to_string()
                                    on:click=move |_| takeover.update(|t| *t = !*t)
                                >
                                    <i></i>
                                </button>
                            </div>
                            <div class="opt" class:ch=move || listed.get()>
                                <span>"Open to anybody"<small>"The table is listed on the first page of this server. Default: off."</small></span>
                                <button
                                    class="tog"
                                    class:on=move || listed.get()
                                    role="switch"
                                    aria-label="Open to anybody"
                                    aria-checked=move || listed.get().to_string()
                                    on:click=move |_| listed.update(|l| *l = !*l)
                                >
                                    <i></i>
                                </button>
                            </div>
                        </div>
                        {tuned}
                    </section>
                    <div class="end">
                        <p role="status">
                            {move || trouble.get().unwrap_or_else(|| {
                                if named() { "Bots run in your page, and everybody is told so.".to_string() } else { "Say what you are called.".to_string() }
                            })}
                        </p>
                        <button
                            class="btn go"
                            id="open-table"
                            prop:disabled=move || trouble.with(Option::is_some) || !named() || opening.get()
                            on:click=open
                        >
                            {glyph("people", 18)}
                            "Open the table"
                        </button>
                    </div>
                </div>
            </div>
        }
    }
}

fn row(others: RwSignal<Vec<Option<Who>>>, i: usize, colour: u8, least: u8) -> impl IntoView {
    let seat = i + 2;
    let kinds = KINDS.into_iter().map(move |(kind, label)| {
        let on = move || others.with(|o| o.get(i).copied()) == Some(kind);
        let choose = move |_| {
            others.update(|o| {
                if let Some(who) = o.get_mut(i) {
                    *who = kind;
                }
            });
        };
        view! { <button class:on=on role="radio" aria-checked=move || on().to_string() on:click=choose>{label}</button> }
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
