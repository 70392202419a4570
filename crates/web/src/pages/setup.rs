//! The set-up sheet: seats, names, colours, options and tuning, with the defaults said.

use super::{close, cover};
use crate::app::{App, NAMES};
use crate::boards;
use crate::clock;
use crate::icons::seat_mark;
use crate::play::{Player, Who};
use crate::shell::{Drawn, glyph};
use crate::words::capital;
use leptos::prelude::*;
use pentarchy_engine::options::{Kind, get};
use pentarchy_engine::{Field, GameInfo};
use serde_json::{Map, Value};

/// Who can sit at a seat, and what it is called.
const KINDS: [(Who, &str); 5] = [
    (Who::Me, "Me"),
    (Who::Here, "Here"),
    (Who::Recruit, "Recruit"),
    (Who::Captain, "Captain"),
    (Who::Emperor, "Emperor"),
];

/// The sheet of the game with this place on the shelf.
pub fn setup(app: App, place: usize) -> impl IntoView {
    let game = &boards::GAMES[place.min(boards::GAMES.len() - 1)];
    let info = game.info;
    let usual = move || App::players(game, Who::Me, Who::Captain, info.default_seats);
    let players = RwSignal::new(usual());
    let changes = RwSignal::new(Map::<String, Value>::new());
    let trouble = RwSignal::new(None::<String>);
    let defaults = StoredValue::new((game.defaults)());
    Effect::new(move |_| {
        // Seats and options are checked together, by starting a game that nobody plays.
        let tried = game.start(players.with(Vec::len) as u8, &Value::Object(changes.get()), 1);
        trouble.set(tried.err());
    });
    let rows = move || (0..players.with(Vec::len)).map(|seat| row(players, seat, info)).collect_view();
    let add = move |_| {
        players.update(|list| {
            let seat = list.len();
            let free = (1..=6).find(|c| list.iter().all(|p| p.colour != *c)).unwrap_or(1);
            list.push(Player { name: NAMES[(seat + 5) % 6].to_string(), colour: free, kind: Who::Captain });
        });
    };
    let range = if info.min_seats == info.max_seats {
        format!("{}", info.min_seats)
    } else {
        format!("{} to {}", info.min_seats, info.max_seats)
    };
    let options =
        game.fields.iter().filter(|f| !f.tuning).map(|f| option(f, changes, defaults)).collect_view();
    let tuning: Vec<&'static Field> = game.fields.iter().filter(|f| f.tuning).collect();
    let tuned = (!tuning.is_empty()).then(|| {
        let count = tuning.len();
        view! {
            <details>
                <summary>{format!("The design’s own numbers ({count})")}</summary>
                <div class="opts">{tuning.into_iter().map(|f| option(f, changes, defaults)).collect_view()}</div>
            </details>
        }
    });
    view! {
        <div class="dialog sheet" role="dialog" aria-modal="true" aria-label=format!("Set up {}", info.title) data-game=info.name>
            <div class="cov"><svg viewBox="0 0 300 400" preserveAspectRatio="xMidYMid slice" aria-hidden="true" inner_html=cover(info.name)></svg></div>
            <div class="main">
                <div class="sheet-hd">
                    <div><h1 class="title">{info.title}</h1><p class="pitch">{game.look.pitch}</p></div>
                    {close(app)}
                </div>
                <section>
                    <h2>"Seats " <small>{move || players.with(Vec::len)} " of " {range}</small></h2>
                    {rows}
                    {move || {
                        (players.with(Vec::len) < info.max_seats.into())
                            .then(|| view! { <button class="btn ghost sm add" on:click=add>"Add a seat"</button> })
                    }}
                </section>
                <section>
                    <h2>"Rules " <small>"What differs from the default is marked."</small></h2>
                    <div class="opts">{options}</div>
                    {tuned}
                </section>
                <div class="end">
                    <p role="status">{move || trouble.get().unwrap_or_else(|| "Seat 1 begins, unless the rules say otherwise.".to_string())}</p>
                    <button class="btn" on:click=move |_| { players.set(usual()); changes.set(Map::new()); }>"Reset"</button>
                    <button
                        class="btn go"
                        id="start"
                        prop:disabled=move || trouble.with(Option::is_some)
                        on:click=move |_| app.start(game, players.get_untracked(), &Value::Object(changes.get_untracked()), clock::seed())
                    >
                        "Start the game"
                    </button>
                </div>
            </div>
        </div>
    }
}

fn row(players: RwSignal<Vec<Player>>, seat: usize, info: GameInfo) -> impl IntoView {
    let player = move || players.with(|list| list.get(seat).cloned());
    let colour = move || player().map_or(1, |p| p.colour);
    let change = move |f: &dyn Fn(&mut Player)| {
        players.update(|list| {
            if let Some(player) = list.get_mut(seat) {
                f(player);
            }
        });
    };
    let recolour = move |_| {
        // The next colour that nobody has.
        players.update(|list| {
            let taken: Vec<u8> = list.iter().map(|p| p.colour).collect();
            if let Some(player) = list.get_mut(seat) {
                let next = (1..=6).map(|i| (player.colour + i - 1) % 6 + 1).find(|c| !taken.contains(c));
                player.colour = next.unwrap_or(player.colour);
            }
        });
    };
    let kinds = KINDS.into_iter().map(move |(kind, label)| {
        let on = move || player().is_some_and(|p| p.kind == kind);
        let choose = move |_| {
            players.update(|list| {
                for (i, p) in list.iter_mut().enumerate() {
                    if i == seat {
                        p.kind = kind;
                    } else if kind == Who::Me && p.kind == Who::Me {
                        // There is one player of this page; whoever it was before sits here too.
                        p.kind = Who::Here;
                    }
                }
            });
        };
        view! { <button class:on=on role="radio" aria-checked=move || on().to_string() on:click=choose>{label}</button> }
    });
    view! {
        <div class=move || format!("srow c{}", colour())>
            <button class="swt pat" aria-label=format!("Colour and shape of seat {}", seat + 1) on:click=recolour>
                <Drawn nodes=Signal::derive(move || vec![seat_mark(colour()).into()])/>
            </button>
            <input
                class="fld"
                maxlength="24"
                aria-label=format!("Name of seat {}", seat + 1)
                prop:value=move || player().map(|p| p.name).unwrap_or_default()
                on:change=move |event| { let name = event_target_value(&event); change(&|p| p.name.clone_from(&name)); }
            />
            <div class="segm" role="radiogroup" aria-label=format!("Who sits at seat {}", seat + 1)>{kinds.collect_view()}</div>
            <button
                class="iconbtn"
                aria-label=format!("Remove seat {}", seat + 1)
                prop:disabled=move || players.with(Vec::len) <= info.min_seats.into()
                on:click=move |_| players.update(|list| drop(list.remove(seat)))
            >
                {glyph("x", 18)}
            </button>
        </div>
    }
}

/// One option: its name, what it does, its default, and how it is changed.
pub fn option(
    field: &'static Field,
    changes: RwSignal<Map<String, Value>>,
    defaults: StoredValue<Value>,
) -> impl IntoView {
    let default = defaults.with_value(|all| get(all, field.name).cloned().unwrap_or(Value::Null));
    let usual = default.clone();
    let value =
        Signal::derive(move || changes.with(|c| c.get(field.name).cloned()).unwrap_or_else(|| usual.clone()));
    let usual = default.clone();
    let set = move |value: Value| {
        changes.update(|changes| {
            if value == usual {
                changes.remove(field.name);
            } else {
                changes.insert(field.name.to_string(), value);
            }
        });
    };
    let changed = move || changes.with(|c| c.contains_key(field.name));
    let label = spoken(field.name);
    let name = label.clone();
    let control = match field.kind {
        Kind::Flag => {
            let on = move || value.get() == Value::Bool(true);
            view! {
                <button class="tog" class:on=on role="switch" aria-label=name aria-checked=move || on().to_string() on:click=move |_| set(Value::Bool(!on()))><i></i></button>
            }
            .into_any()
        }
        Kind::Choice(words) => {
            let entries = words.iter().map(|word| {
                let chosen = move || value.get() == *word;
                view! { <option value=*word prop:selected=chosen>{spoken(word)}</option> }
            });
            view! {
                <select class="fld sel" aria-label=name on:change=move |event| set(Value::from(event_target_value(&event)))>{entries.collect_view()}</select>
            }
            .into_any()
        }
        Kind::Int { min, max } | Kind::Maybe { min, max } => {
            let maybe = matches!(field.kind, Kind::Maybe { .. });
            let shown = move || value.get().as_i64().map_or(String::new(), |n| n.to_string());
            let read = move |event: web_sys::Event| {
                let text = event_target_value(&event);
                match text.trim().parse::<i64>() {
                    Ok(n) => set(Value::from(n.clamp(min, max))),
                    Err(_) if maybe => set(Value::Null),
                    Err(_) => {}
                }
            };
            view! {
                <input
                    class="fld num"
                    type="number"
                    min=min.to_string()
                    max=max.to_string()
                    placeholder=if maybe { "any" } else { "" }
                    aria-label=name
                    prop:value=shown
                    on:change=read
                />
            }
            .into_any()
        }
    };
    let said = match &default {
        Value::Null => "none".to_string(),
        Value::Bool(on) => if *on { "on" } else { "off" }.to_string(),
        Value::String(word) => spoken(word).to_lowercase(),
        other => other.to_string(),
    };
    view! {
        <div class="opt" class:ch=changed>
            <span>{label}<small>{capital(field.doc.trim_end_matches('.'))} ". Default: " {said} "."</small></span>
            {control}
        </div>
    }
}

/// `start_storage` as people write it: "Start storage".
fn spoken(name: &str) -> String {
    capital(&name.rsplit('.').next().unwrap_or(name).replace(['_', '-'], " "))
}
