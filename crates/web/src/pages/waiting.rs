//! The waiting room: the link, who sits where, who is ready, what is said.

use super::online::talk;
use crate::app::App;
use crate::boards;
use crate::icons::seat_mark;
use crate::online::{Online, Reach, Server, Stage, qr};
use crate::shell::{Drawn, glyph};
use leptos::prelude::*;
use pentarchy_net::{Chair, Seating, Wish};

/// The waiting room.
pub fn waiting(app: App) -> impl IntoView {
    let online = app.online;
    Effect::new(move |_| {
        // The room has the colours of its game.
        let game = online.seating.with(|s| s.as_ref().map(|s| s.game.clone()));
        if let Some(game) = game {
            crate::page::set_root("data-game", &game);
        }
    });
    // The room is built once: what somebody is typing there stays when others come and go.
    let stage = Memo::new(move |_| online.stage.get());
    let found = Memo::new(move |_| online.seating.with(Option::is_some));
    let inside = move || match stage.get() {
        Stage::Elsewhere => alone(
            app,
            "This table is open in another window",
            "One seat is played in one window. Close the other one and load this page again.",
        )
        .into_any(),
        Stage::Failed(why) => alone(app, "This table cannot be joined", &why).into_any(),
        _ if found.get() => room(app).into_any(),
        _ => {
            let text = match online.server.get() {
                Server::Connected => {
                    "Whoever opened the table is not there at present. As soon as that page is open again, the table is too."
                }
                _ => "Connecting…",
            };
            alone(app, "Looking for the table", text).into_any()
        }
    };
    view! { <div class="wait-pg" id="waiting">{inside}</div> }
}

fn alone(app: App, title: &'static str, text: &str) -> impl IntoView {
    view! {
        <main class="bx lone">
            <h1 class="title">{title}</h1>
            <p role="status">{text.to_owned()}</p>
            <button class="btn" on:click=move |_| app.home()>"To the games"</button>
        </main>
    }
}

fn room(app: App) -> impl IntoView {
    let online = app.online;
    let seating = Memo::new(move |_| online.seating.get());
    let title = Memo::new(move |_| {
        let game = seating.with(|s| s.as_ref().and_then(|s| boards::find(&s.game).ok()));
        game.map_or(("", ""), |game| (game.info.title, game.info.name))
    });
    let host = move || online.me.with(|me| me.host);
    let mine = Memo::new(move |_| {
        let me = online.me.with(|me| me.identity);
        seating.with(|s| s.as_ref().and_then(|s| s.seat_of(&me)))
    });
    let ready = Memo::new(move |_| {
        let seat = mine.get()?;
        seating.with(|s| s.as_ref()?.chairs.get(usize::from(seat))?.as_ref().map(|chair| chair.ready))
    });
    let all_ready = Memo::new(move |_| seating.with(|s| s.as_ref().is_some_and(Seating::is_ready)));
    let name = RwSignal::new(online.me.with_untracked(|me| me.name.clone()));
    let named = move || name.with(|name| !name.trim().is_empty());
    let wish = move |seat: Option<u8>, ready: bool| {
        let wish = seat.map_or(Wish::Watch, |seat| Wish::Sit { seat: Some(seat), ready });
        online.wish(name.get_untracked().trim(), wish);
    };
    let rename = move |_| {
        if mine.get_untracked().is_some() && named() {
            wish(mine.get_untracked(), ready.get_untracked() == Some(true));
        }
    };
    let seats = move || {
        let count = seating.with(|s| s.as_ref().map_or(0, Seating::seats));
        (0..count).map(|seat| chair(online, seating, seat, mine, named, wish)).collect_view()
    };
    let says = move || {
        let missing =
            seating.with(|s| s.as_ref().map_or(0, |s| s.chairs.iter().filter(|c| c.is_none()).count()));
        let unready: Vec<String> = seating.with(|s| {
            let unready = s.iter().flat_map(|s| s.players()).filter(|chair| !chair.ready);
            unready.map(|chair| chair.name.clone()).collect()
        });
        if online.players.with(|players| !players.is_empty()) {
            return "The game begins: everybody shuffles, and checks the shuffles of the others.".to_string();
        }
        if mine.get().is_none() && missing > 0 && !named() {
            return "Type your name to take a seat.".to_string();
        }
        match (missing, &unready[..]) {
            (0, _) if mine.get().is_none() => "All seats are taken: you watch.".to_string(),
            (0, []) if host() => "Everybody is ready.".to_string(),
            (0, []) => "Everybody is ready. The host begins the game.".to_string(),
            (0, names) => format!("Waiting for {} to be ready.", crate::words::and(names)),
            (1, _) => "One seat is free.".to_string(),
            (n, _) => format!("{n} seats are free."),
        }
    };
    let button = move || {
        let seat = mine.get();
        if host() {
            return Some(
                view! {
                    <button class="btn go" id="begin" prop:disabled=move || !all_ready.get() on:click=move |_| online.begin()>
                        "Begin the game"
                    </button>
                }
                .into_any(),
            );
        }
        seat.map(|seat| {
            let on = move || ready.get() == Some(true);
            view! {
                <button class="btn" id="stand" on:click=move |_| wish(None, false)>"Leave the seat"</button>
                <button class="btn" class:go=move || !on() id="ready" aria-pressed=move || on().to_string() on:click=move |_| wish(Some(seat), !on())>
                    {move || if on() { "Not ready after all" } else { "I am ready" }}
                </button>
            }
            .into_any()
        })
    };
    let watchers = move || {
        let me = online.me.with(|me| me.identity);
        let names: Vec<String> = seating.with(|s| {
            let called = |(identity, name): &([u8; 32], String)| match name.as_str() {
                _ if *identity == me => "you".to_string(),
                "" => "somebody".to_string(),
                name => name.to_string(),
            };
            s.iter().flat_map(|s| &s.watchers).map(called).collect()
        });
        (!names.is_empty())
            .then(|| view! { <p class="lbl">{format!("Watching: {}", crate::words::and(&names))}</p> })
    };
    let options = move || {
        let text = seating.with(|s| s.as_ref().map(|s| s.options.clone())).unwrap_or_default();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let rows: Vec<String> = value
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| {
                format!(
                    "{}: {}",
                    crate::words::capital(&name.replace('_', " ")),
                    value.to_string().trim_matches('"')
                )
            })
            .collect();
        let text = if rows.is_empty() { "The usual rules.".to_string() } else { rows.join(", ") + "." };
        let waits = seating.with(|s| s.as_ref().map_or(0, |s| s.stall_ms));
        let waits = format!(" The table waits {} for whoever is silent.", super::friends::patience(waits));
        let then = if seating.with(|s| s.as_ref().is_some_and(|s| s.takeover)) {
            " Then a bot plays on, with open cards; for that all others together could read anybody’s cards."
        } else {
            " Then the others may end the game."
        };
        view! { <p class="lbl" id="options">{text} {waits} {then}</p> }
    };
    view! {
        <header class="hd0">
            <button class="btn ghost" aria-label="Pentarchy, to the games" on:click=move |_| app.home()>{glyph("back", 18)} "Pentarchy"</button>
            <h1 class="title">{move || title.get().0}</h1>
            <span class="net" role="status">{move || connection(online)}</span>
        </header>
        <main class="room">
            <section class="bx" aria-label="Seats">
                <h2>"At the table"</h2>
                <input
                    class="fld"
                    id="name"
                    maxlength="16"
                    placeholder="Your name"
                    aria-label="Your name"
                    autocomplete="nickname"
                    prop:value=move || name.get()
                    on:input=move |event| name.set(event_target_value(&event))
                    on:change=rename
                />
                <ul class="chairs">{seats}</ul>
                {watchers}
                <p class="says" role="status" id="says">{says}</p>
                <div class="acts3">{button}</div>
            </section>
            <section class="bx" aria-label="Invitation">
                <h2>"Invite your friends"</h2>
                {invitation(online)}
                <h2>"Rules"</h2>
                {options}
                <h2>"Fingerprint"</h2>
                <p class="finger" id="fingerprint">{move || spaced(&online.fingerprint.get())}</p>
                <p class="lbl">"Everybody sees the same letters, if nobody sits in between. Compare them by voice if you want to be sure."</p>
            </section>
            <section class="bx talk" aria-label="Chat">
                <h2>"Chat"</h2>
                {talk(app)}
            </section>
        </main>
    }
}

fn invitation(online: Online) -> impl IntoView {
    let copied = RwSignal::new(None::<bool>);
    let link = online.link.get_untracked();
    // Whoever came by the link has come.
    let near = online.me.with_untracked(|me| me.host) && is_near(&link);
    let picture = qr(&link).map(|el| {
        view! { <Drawn class="qrbox" nodes=Signal::derive(move || vec![el.clone().into()])/> }
    });
    view! {
        <div class="invite">
            {picture}
            <div>
                <input class="fld mono" id="link" readonly=true aria-label="The link to send" value=link/>
                <button class="btn" id="copy" on:click=move |_| online.copy_link(move |done| copied.set(Some(done)))>
                    {glyph("copy", 18)}
                    {move || match copied.get() {
                        None => "Copy the link",
                        Some(true) => "Copied",
                        Some(false) => "Please copy it by hand",
                    }}
                </button>
                <p class="lbl">"Whoever has the link may sit down or watch. In a terminal: pentarchy join LINK"</p>
                {near.then(|| view! { <p class="lbl warn" id="near">"This link leads to this machine only. For friends elsewhere start the server with --host 0.0.0.0, and open this page by the address of this machine in the network."</p> })}
            </div>
        </div>
    }
}

fn chair(
    online: Online,
    seating: Memo<Option<Seating>>,
    seat: u8,
    mine: Memo<Option<u8>>,
    named: impl Fn() -> bool + Copy + Send + Sync + 'static,
    wish: impl Fn(Option<u8>, bool) + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let colour = Memo::new(move |_| {
        let game = seating.with(|s| s.as_ref().and_then(|s| boards::find(&s.game).ok()));
        game.map_or(1, |game| game.look.colours[usize::from(seat) % 6])
    });
    let chair = Memo::new(move |_| seating.with(|s| s.as_ref()?.chairs.get(usize::from(seat))?.clone()));
    let inside = move || {
        match chair.get() {
        Some(Chair { identity, name, ready, bot }) => {
            let me = mine.get() == Some(seat);
            let way = move || {
                online.reach.with(|reach| reach.get(&identity).copied()).unwrap_or(Reach::Away).word()
            };
            let state = match &bot {
                Some(level) => view! { <span class="tag">{crate::words::capital(level)}</span> }.into_any(),
                None if me => view! { <span class="tag">"you"</span> }.into_any(),
                None => view! { <span class="tag way">{way}</span> }.into_any(),
            };
            let shown = if name.is_empty() { format!("Seat {}", seat + 1) } else { name };
            view! {
                <b class="nm">{shown}</b>
                {state}
                <span class="rdy" class:yes=ready>{if ready { "ready" } else { "not ready" }}</span>
            }
            .into_any()
        }
        None => view! {
            <span class="nm free">"Free"</span>
            <button class="btn sm" data-seat=seat prop:disabled=move || !named() on:click=move |_| wish(Some(seat), false)>"Sit here"</button>
        }
        .into_any(),
    }
    };
    view! {
        <li class=move || format!("chair c{}", colour.get()) class:mine=move || mine.get() == Some(seat)>
            <span class="swt pat"><Drawn nodes=Signal::derive(move || vec![seat_mark(colour.get()).into()])/></span>
            {inside}
        </li>
    }
}

/// Whether a link works on this machine alone.
fn is_near(link: &str) -> bool {
    let place = link.split_once("://").map_or(link, |(_, place)| place);
    ["localhost", "127.", "[::1]"].iter().any(|near| place.starts_with(near))
}

/// How it stands with the server, in words.
pub fn connection(online: Online) -> String {
    match online.server.get() {
        Server::Connecting => "Connecting…".to_string(),
        Server::Connected => "Connected".to_string(),
        Server::Retrying(why) => format!("No connection to the server: {why}"),
    }
}

/// Letters in groups of four.
pub fn spaced(letters: &str) -> String {
    let letters: Vec<char> = letters.chars().collect();
    letters.chunks(4).map(|four| four.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}
