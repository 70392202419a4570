//! The set-up of a local match: names, seats and Start in view; rules and advanced settings folded below.

use super::close_button;
use super::options::rules_of;
use crate::app::{App, NAMES};
use crate::boards;
use crate::clock;
use crate::icons::seat_mark;
use crate::play::{PlayerKind, SeatPlayer};
use crate::shell::{Drawn, glyph};
use crate::words::capital;
use leptos::prelude::*;
use pentarchy_engine::{GameInfo, Preset};
use serde_json::{Map, Value};

/// The options for a seat: kind, label, and explanation.
const KINDS: [(PlayerKind, &str, &str); 5] = [
    (PlayerKind::Me, "You", "You play this seat"),
    (PlayerKind::Here, "Friend", "A friend plays this seat on this device"),
    (PlayerKind::Recruit, "Easy", "Easy bot (Recruit)"),
    (PlayerKind::Captain, "Medium", "Medium bot (Captain)"),
    (PlayerKind::Emperor, "Hard", "Hard bot (Emperor)"),
];

/// Explains the levels of bots.
pub const LEVELS: &str =
    "Bots: Easy (Recruit) makes mistakes, Medium (Captain) plays well, Hard (Emperor) thinks ahead.";

/// Maximum length of a seat's name, in characters.
pub const LONGEST_NAME: usize = 24;

/// Renders the set-up of a local match of the game at index `place` of the list (the last one if there is
/// none). Its button starts the match; it is disabled while the game rejects the seats or options, and the
/// reason is shown.
pub fn setup(app: App, place: usize) -> impl IntoView {
    let game = &boards::GAMES[place.min(boards::GAMES.len() - 1)];
    let info = game.info;
    let usual = move || App::usual_players(game, PlayerKind::Me, PlayerKind::Captain, info.default_seats);
    let players = RwSignal::new(usual());
    let preset = move || game.page_options().as_object().cloned().unwrap_or_default();
    let changes = RwSignal::new(preset());
    let trouble = RwSignal::new(None::<String>);
    let defaults = StoredValue::new((game.defaults)());
    Effect::new(move |_| {
        // Seats and options are validated together, by creating a match.
        let tried = game.start(players.with(Vec::len) as u8, &Value::Object(changes.get()), 1);
        trouble.set(tried.err());
    });
    // Rows are rebuilt only when seats come and go, so that a field keeps its focus while the player types.
    let count = Memo::new(move |_| players.with(Vec::len));
    let rows = move || (0..count.get()).map(|seat| row(players, seat, info)).collect_view();
    let add = move |_| {
        players.update(|list| {
            let seat = list.len();
            let free = (1..=6).find(|c| list.iter().all(|p| p.colour != *c)).unwrap_or(1);
            list.push(SeatPlayer {
                name: NAMES[(seat + 5) % 6].to_string(),
                colour: free,
                kind: PlayerKind::Captain,
            });
        });
    };
    let range = if info.min_seats == info.max_seats {
        format!("{}", info.min_seats)
    } else {
        format!("{} to {}", info.min_seats, info.max_seats)
    };
    let rules = move || changes.with(|changes| rules_changed(game, changes));
    view! {
        <div class="dialog sheet" role="dialog" aria-modal="true" aria-label=format!("Set up {}", info.title) data-game=info.name>
            <div class="cov"><svg viewBox="0 0 300 400" preserveAspectRatio="xMidYMid slice" aria-hidden="true" inner_html=game.cover().into_owned()></svg></div>
            <div class="main">
                <div class="sheet-hd">
                    <div><h1 class="title">{info.title}</h1><p class="pitch">{game.look.pitch}</p></div>
                    {close_button(app)}
                </div>
                <div class="sheet-bd" tabindex="-1">
                    <section>
                        <h2>"Seats " <small>{move || players.with(Vec::len)} " of " {range}</small></h2>
                        {rows}
                        <div class="under">
                            {move || {
                                (players.with(Vec::len) < info.max_seats.into())
                                    .then(|| view! { <button class="btn sm add" on:click=add>"Add a seat"</button> })
                            }}
                            <p class="lbl2">"Friend: plays on this device. " {LEVELS}</p>
                        </div>
                    </section>
                    {rules_of(game, changes, defaults)}
                </div>
                <div class="end">
                    <p role="status" class:bad=move || trouble.with(Option::is_some)>{move || trouble.get().unwrap_or_else(|| players.with(|all| summary(all, &rules())))}</p>
                    <button class="btn" on:click=move |_| { players.set(usual()); changes.set(preset()); }>"Reset"</button>
                    <button
                        class="btn go"
                        id="start"
                        prop:disabled=move || trouble.with(Option::is_some)
                        on:click=move |_| app.start_match(game, players.get_untracked(), &Value::Object(changes.get_untracked()), clock::seed())
                    >
                        "Start"
                    </button>
                </div>
            </div>
        </div>
    }
}

/// Returns a summary of the players and the rules: "You and 3 Medium bots. Standard rules." Random bots and
/// players at other machines are not counted.
fn summary(players: &[SeatPlayer], rules: &str) -> String {
    let count = |kind: PlayerKind| players.iter().filter(|p| p.kind == kind).count();
    let some = |n: usize, one: &str| match n {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {one}s")),
    };
    let you = (count(PlayerKind::Me) > 0).then(|| "you".to_string());
    let parts: Vec<String> = [
        you,
        some(count(PlayerKind::Here), "friend on this device")
            .map(|s| s.replace("friend on this devices", "friends on this device")),
        some(count(PlayerKind::Recruit), "Easy bot"),
        some(count(PlayerKind::Captain), "Medium bot"),
        some(count(PlayerKind::Emperor), "Hard bot"),
    ]
    .into_iter()
    .flatten()
    .collect();
    format!("{}. {}.", capital(&crate::words::and(&parts)), rules)
}

/// Returns a phrase about the rules: "Classic rules" with the name of the preset that has exactly these
/// options, else "Standard rules" if none differs, else "2 rules changed". `changes` are the options that
/// differ from the defaults, by name.
pub fn rules_changed(game: &boards::GameListing, changes: &Map<String, Value>) -> String {
    let same = |preset: &&Preset| (preset.options)().as_object() == Some(changes);
    if let Some(preset) = game.presets.iter().find(same) {
        return format!("{} rules", preset.name);
    }
    match changes.len() {
        0 => "Standard rules".to_string(),
        1 => "1 rule changed".to_string(),
        n => format!("{n} rules changed"),
    }
}

/// Renders the row of seat `seat` (0-based): colour, name, kind of player, and a button that removes it,
/// which is disabled at the least number of seats of `info`. Changes go to `players`; at most one seat is the
/// player of this page, and an earlier one becomes a friend.
fn row(players: RwSignal<Vec<SeatPlayer>>, seat: usize, info: GameInfo) -> impl IntoView {
    let player = move || players.with(|list| list.get(seat).cloned());
    let colour = move || player().map_or(1, |p| p.colour);
    let change = move |f: &dyn Fn(&mut SeatPlayer)| {
        players.update(|list| {
            if let Some(player) = list.get_mut(seat) {
                f(player);
            }
        });
    };
    let recolour = move |_| {
        // The first free colour.
        players.update(|list| {
            let taken: Vec<u8> = list.iter().map(|p| p.colour).collect();
            if let Some(player) = list.get_mut(seat) {
                let next = (1..=6).map(|i| (player.colour + i - 1) % 6 + 1).find(|c| !taken.contains(c));
                player.colour = next.unwrap_or(player.colour);
            }
        });
    };
    let kinds = KINDS.into_iter().map(move |(kind, label, means)| {
        let on = move || player().is_some_and(|p| p.kind == kind);
        let choose = move |_| {
            players.update(|list| {
                for (i, p) in list.iter_mut().enumerate() {
                    if i == seat {
                        p.kind = kind;
                    } else if kind == PlayerKind::Me && p.kind == PlayerKind::Me {
                        // Only one seat is the player of this page; the previous one becomes another person.
                        p.kind = PlayerKind::Here;
                    }
                }
            });
        };
        // A hairline separates people from bots.
        let bots = (kind == PlayerKind::Recruit).then(|| view! { <i class="sep" aria-hidden="true"></i> });
        view! { {bots} <button class:on=on role="radio" aria-label=means title=means aria-checked=move || on().to_string() on:click=choose>{label}</button> }
    });
    view! {
        <div class=move || format!("srow c{}", colour())>
            <button class="swt pat" aria-label=format!("Colour and shape of seat {}", seat + 1) on:click=recolour>
                <Drawn nodes=Signal::derive(move || vec![seat_mark(colour()).into()])/>
            </button>
            <span class="nmf">
                <input
                    class="fld"
                    maxlength=LONGEST_NAME.to_string()
                    aria-label=format!("Name of seat {}", seat + 1)
                    prop:value=move || player().map(|p| p.name).unwrap_or_default()
                    on:input=move |event| {
                        let name = event_target_value(&event);
                        change(&|p| p.name.clone_from(&name));
                    }
                />
                {move || room_left(player().map_or(0, |p| p.name.chars().count()), LONGEST_NAME)}
            </span>
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

/// Renders the number of characters left of a name with `used` of `most` characters; `None` while more than 4
/// are left.
pub fn room_left(used: usize, most: usize) -> Option<impl IntoView> {
    let left = most.saturating_sub(used);
    (left <= 4).then(|| view! { <small class="left" role="status">{format!("{left} left")}</small> })
}
