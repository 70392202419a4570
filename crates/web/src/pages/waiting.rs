//! The lobby of an online table: the link, the terms, the players, and the host's Start.

use super::chat::talk;
use super::person;
use crate::app::{App, Sheet};
use crate::boards;
use crate::icons::seat_mark;
use crate::online::{Online, Reach, ServerConnection, Stage};
use crate::option_names::spoken;
use crate::pages::friends::LONGEST_NAME;
use crate::pages::setup::room_left;
use crate::qr::qr;
use crate::shell::{Drawn, glyph};
use leptos::prelude::*;
use pentarchy_lobby::{Chair, SeatRequest, Seating};
use pentarchy_net::InviteError;
use pentarchy_table::{Descriptor, Recovery};

/// Renders the lobby, or why the table cannot be shown, by the stage of the connection: open in another tab,
/// failed, or not found yet. Also sets the colours of the game.
pub fn waiting(app: App) -> impl IntoView {
    let online = app.online;
    Effect::new(move |_| {
        // The lobby has the colours of its game.
        let game = online.seating.with(|s| s.as_ref().map(|s| s.game.clone()));
        if let Some(game) = game {
            crate::page::set_root("data-game", &game);
        }
    });
    // Built once per stage: inputs keep their text when others come and go.
    let stage = Memo::new(move |_| online.stage.get());
    let found = Memo::new(move |_| online.seating.with(Option::is_some));
    let inside = move || match stage.get() {
        Stage::Elsewhere => elsewhere(
            app,
            "This table is open in another tab",
            "Two tabs cannot play one seat. Take it over here, and the other tab stops.",
        )
        .into_any(),
        Stage::Lost => elsewhere(
            app,
            "Taken over in another tab",
            "You opened this table in another tab. It has stopped here; nothing is lost.",
        )
        .into_any(),
        Stage::Failed(why) => alone(app, "You cannot join this table", &why).into_any(),
        _ if found.get() => lobby(app).into_any(),
        _ => {
            let text = match online.server.get() {
                ServerConnection::Connected => {
                    "The host is not online. This page opens the table as soon as they are: leave it open, or come back later by the same link."
                }
                ServerConnection::Retrying(_) => "The server does not answer. This page keeps trying.",
                ServerConnection::Connecting => "Connecting…",
            };
            alone(app, "Looking for the table", text).into_any()
        }
    };
    view! { <div class="wait-pg" id="waiting">{inside}</div> }
}

/// Renders a screen with only this title and text, and a button to the home screen.
fn alone(app: App, title: &'static str, text: &str) -> impl IntoView {
    view! {
        <main class="bx lone">
            <h1 class="title">{title}</h1>
            <p role="status">{text.to_owned()}</p>
            <button class="btn" on:click=move |_| app.go_home()>"Home"</button>
        </main>
    }
}

/// Renders the notice, with this title and text, that the table is open in another tab, and a
/// button that takes it over.
fn elsewhere(app: App, title: &'static str, text: &'static str) -> impl IntoView {
    view! {
        <main class="bx lone">
            <h1 class="title">{title}</h1>
            <p role="status">{text}</p>
            <button class="btn" on:click=move |_| app.go_home()>"Home"</button>
            <button class="btn go" id="take-over" on:click=move |_| app.online.take_over_table()>"Take over here"</button>
        </main>
    }
}

/// Renders the lobby of a table whose seating is known: seats with the name of the player, spectators, chat,
/// invitation, terms, fingerprint and, for guests, a link to the guided match. Below stands what the start
/// waits for, with the buttons: Start for the host, disabled until all are ready; Stand up and Ready for a
/// seated guest; Sit down for others while a seat is free and they have a name. A seated player who changes
/// their name sends it to the host with their seat request.
fn lobby(app: App) -> impl IntoView {
    let online = app.online;
    let seating = Memo::new(move |_| online.seating.get());
    let game = Memo::new(move |_| {
        seating
            .with(|s| s.as_ref().and_then(|s| boards::GAMES.iter().position(|game| game.info.name == s.game)))
    });
    let title = move || game.get().map_or("", |place| boards::GAMES[place].info.title);
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
    let free = Memo::new(move |_| {
        seating.with(|s| {
            s.as_ref().and_then(|s| s.chairs.iter().position(Option::is_none)).map(|seat| seat as u8)
        })
    });
    let begun = move || online.players.with(|players| !players.is_empty());
    let name = RwSignal::new(online.me.with_untracked(|me| me.name.clone()));
    let named = move || name.with(|name| !name.trim().is_empty());
    let wish = move |seat: Option<u8>, ready: bool| {
        let wish = seat.map_or(SeatRequest::Watch, |seat| SeatRequest::Sit { seat: Some(seat), ready });
        online.request_seat(name.get_untracked().trim(), wish);
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
        let free = match missing {
            1 => "1 seat is free.".to_string(),
            n => format!("{n} seats are free."),
        };
        if begun() {
            return "Starting: the players shuffle together.".to_string();
        }
        if let Some(change) = online.changed.get() {
            return format!("{}. Check the table, then press Ready again.", crate::words::capital(&change));
        }
        match (missing, mine.get(), &unready[..]) {
            (0, None, _) => "All seats are taken. You watch the game.".to_string(),
            (_, None, _) if !named() => format!("{free} Enter your name to sit down."),
            (_, None, _) => free,
            (0, _, []) if host() => "Everybody is ready.".to_string(),
            (0, _, []) => format!("Everybody is ready. Waiting for {} to start.", host_name(seating)),
            (0, _, names) => format!("Waiting for {}: not ready yet.", crate::words::and(names)),
            _ if host() => format!("{free} Send the link to your friends."),
            _ => format!("You have a seat. {free}"),
        }
    };
    let buttons = move || {
        if host() {
            return view! {
                <button class="btn go" id="begin" prop:disabled=move || !all_ready.get() || begun() on:click=move |_| online.start_match()>"Start"</button>
            }
            .into_any();
        }
        match mine.get() {
            Some(seat) => {
                let on = move || ready.get() == Some(true);
                view! {
                    <button class="btn" id="stand" on:click=move |_| wish(None, false)>"Stand up"</button>
                    <button class="btn" class:go=move || !on() id="ready" aria-pressed=move || on().to_string() on:click=move |_| wish(Some(seat), !on())>
                        {move || if on() { "Not ready" } else { "Ready" }}
                    </button>
                }
                .into_any()
            }
            None => {
                let sit = move |_| {
                    if let Some(seat) = free.get_untracked() {
                        wish(Some(seat), true);
                    }
                };
                view! {
                    {move || free.get().is_some().then(|| view! { <button class="btn go" id="sit" prop:disabled=move || !named() on:click=sit>"Sit down"</button> })}
                }
                .into_any()
            }
        }
    };
    let watchers = move || {
        let me = online.me.with(|me| me.identity);
        let people: Vec<([u8; 32], String)> = seating.with(|s| {
            let called = |(identity, name): &([u8; 32], String)| match name.as_str() {
                _ if *identity == me => (me, "you".to_string()),
                "" => (*identity, "a guest".to_string()),
                name => (*identity, name.to_string()),
            };
            s.iter().flat_map(|s| &s.watchers).map(called).collect()
        });
        let names: Vec<String> = people.iter().map(|(_, name)| name.clone()).collect();
        let guests = people.into_iter().filter(|(identity, _)| host() && *identity != me);
        let removals = guests.map(|(identity, name)| removal(online, identity, &name)).collect_view();
        (!names.is_empty()).then(|| {
            view! { <p class="lbl2">{format!("Without a seat: {}", crate::words::and(&names))} " " {removals}</p> }
        })
    };
    let heading = move || {
        if host() {
            format!("Your table of {}", inside(title()))
        } else {
            format!("{} invites you to {}", host_name(seating), inside(title()))
        }
    };
    let learn = move || {
        let game = &boards::GAMES[game.get()?];
        let link = format!("{}/?learn={}", crate::online::server(), game.info.name);
        (!host()).then(|| {
            view! {
                <section class="bx learnbx" aria-label="Learn the game">
                    <div>
                        <h2>{format!("New to {}?", inside(game.info.title))}</h2>
                        <p class="lbl2">"A short guided game teaches you the rules. It opens in a new tab, and you keep your seat here."</p>
                    </div>
                    <a class="btn" id="learn" href=link target="_blank" rel="noopener">"Learn in 2 minutes"</a>
                </section>
            }
        })
    };
    let invite = move || {
        view! {
            <section class="bx" aria-label="Invitation">
                <h2>"Invite your friends"</h2>
                {invitation(online)}
            </section>
        }
    };
    view! {
        <div class="wscroll">
        <header class="hd0">
            <button class="btn ghost" aria-label="Pentarchy, home" on:click=move |_| app.go_home()>{glyph("back", 18)} "Pentarchy"</button>
            <span class="net" role="status">{move || connection(online)}</span>
        </header>
        <h1 class="title">{heading}</h1>
        <main class="room" class:host=host>
            <div class="col">
                {learn}
                <section class="bx" aria-label="Seats">
                    <h2>"Seats"</h2>
                    <span class="nmf">
                        <input
                            class="fld"
                            id="name"
                            maxlength=LONGEST_NAME.to_string()
                            placeholder="Your name"
                            aria-label="Your name"
                            autocomplete="nickname"
                            prop:value=move || name.get()
                            on:input=move |event| name.set(event_target_value(&event))
                            on:change=rename
                        />
                        {move || room_left(name.with(|name| name.chars().count()), LONGEST_NAME)}
                    </span>
                    <ul class="chairs">{seats}</ul>
                    <p class="lbl2">"Everybody chooses their name; the picture and the three words come from their key. " <button class="link" id="identity" on:click=move |_| app.sheet.set(Some(Sheet::Identity))>"Your identity"</button></p>
                    {watchers}
                    <p class="lbl2">"Playing over days? " <button class="link" id="open-notifications" on:click=move |_| app.sheet.set(Some(Sheet::Notifications))>"Notify me when it is my turn"</button></p>
                </section>
                <section class="bx talk" aria-label="Chat">
                    <h2>"Chat"</h2>
                    {talk(app)}
                </section>
            </div>
            <div class="col">
                {move || host().then(invite)}
                <section class="bx" aria-label="What you play">
                    <h2>"What you play"</h2>
                    {move || terms(seating)}
                </section>
                <section class="bx" aria-label="Fingerprint">
                    <h2>"Fingerprint"</h2>
                    <p class="finger" id="fingerprint">{move || online.fingerprint.get()}</p>
                    <p class="lbl2">"Same letters on all screens: nobody is intercepting. Compare them by voice to be sure."</p>
                </section>
                {move || (!host()).then(invite)}
            </div>
        </main>
        </div>
        <div class="pin">
            <p class="says" role="status" id="says">{says}</p>
            {buttons}
        </div>
    }
}

/// Returns a title as used inside a sentence: "The " at its beginning becomes "the ".
fn inside(title: &str) -> String {
    title.strip_prefix("The ").map_or_else(|| title.to_string(), |rest| format!("the {rest}"))
}

/// Returns the name of the host; "The host" if it is unknown or empty. Tracks the seating.
fn host_name(seating: Memo<Option<Seating>>) -> String {
    let name = seating.with(|s| s.as_ref().and_then(|s| s.name_of(&s.host)).map(str::to_owned));
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| "The host".to_string())
}

/// Renders the terms of the table: game, rules with their version, time per move, what happens if a player
/// leaves and at what price, and the bots of the host. Nothing before they are known. Tracks the seating.
fn terms(seating: Memo<Option<Seating>>) -> impl IntoView {
    let Some(seating) = seating.get() else { return ().into_any() };
    let game = boards::find(&seating.game).ok();
    let about =
        game.map(|game| format!("{}, {}", super::home::seat_range(game), super::home::duration(game)));
    let table = seating.descriptor();
    let leave = if seating.recovery == Recovery::End { "The game ends" } else { "A bot takes over" };
    let refusal =
        (seating.recovery == Recovery::End).then(|| pentarchy_lobby::takeover_refusal(seating.machines()));
    let refusal = refusal.flatten().filter(|_| seating.seats() > 2).map(|why| format!(" {why}"));
    let price = takeover_price(seating.recovery) + &refusal.unwrap_or_default();
    let bots: Vec<String> =
        seating.players().filter(|chair| chair.bot.is_some()).map(|chair| chair.name.clone()).collect();
    let bots = (!bots.is_empty()).then(|| {
        view! { <dt>"Bots"</dt><dd>{crate::words::and(&bots)}<small>"They run on the host’s device, which knows their cards."</small></dd> }
    });
    view! {
        <dl class="terms" id="options">
            <dt>"Game"</dt><dd>{game.map_or("", |game| game.info.title)}<small>{about}</small></dd>
            <dt>"Rules"</dt><dd>{rules_text(&table)}<small>{rules_version(&table)}</small></dd>
            <dt>"Time per move"</dt><dd>{super::friends::time_per_move(seating.stall_ms)}</dd>
            <dt>"If somebody leaves"</dt><dd>{leave}<small>{price}</small></dd>
            {bots}
        </dl>
    }
    .into_any()
}

/// Returns the rules of a table in words: the name of the preset that has exactly its options, otherwise the
/// options that differ from the defaults with their values; "Standard" if none differs or the page does not
/// have the game.
pub fn rules_text(table: &Descriptor) -> String {
    let all: serde_json::Value = serde_json::from_str(&table.options).unwrap_or_default();
    options_text(&table.game, table.seats(), &all)
}

/// Returns the rules of a match in words: the name of the preset that has exactly these options, otherwise the
/// options that differ from the defaults with their values, as in "Hand size: 5". "Standard" if none differs or
/// the page does not have the game. `all` is the object of all options of the game by name, with the defaults
/// written out; `seats` is needed because options may depend on it.
pub fn options_text(game: &str, seats: u8, all: &serde_json::Value) -> String {
    let Ok(game) = boards::find(game) else { return "Standard".to_string() };
    let is_same = |preset: &&pentarchy_engine::Preset| {
        game.any.options(seats, &(preset.options)(), &[]).is_ok_and(|options| options == *all)
    };
    if let Some(preset) = game.presets.iter().find(is_same) {
        return preset.name.to_string();
    }
    let changed = game.changed_options(all);
    let changed = changed.iter().map(|(name, value)| {
        format!("{}: {}", spoken(name), value.to_string().trim_matches('"').replace('_', " "))
    });
    let changed: Vec<String> = changed.collect();
    if changed.is_empty() { "Standard".to_string() } else { changed.join(", ") }
}

/// Returns the version of a table's rules and the first 32 bits of the hash of their data, in words.
pub fn rules_version(table: &Descriptor) -> String {
    let [a, b, c, d, ..] = table.rules_hash;
    format!("Version {} of the rules, data {a:02x}{b:02x} {c:02x}{d:02x}.", table.rules)
}

/// Returns the sentence about how the match goes on or ends without a player who left. With
/// [`Recovery::End`]: without a winner. Otherwise: with open cards, and how many other players
/// together could read anybody's cards.
pub fn takeover_price(recovery: Recovery) -> String {
    match recovery {
        Recovery::End => "Without a winner, when the other players agree.".to_string(),
        Recovery::Escrow(t) => {
            format!(
                "With open cards. For that, the devices of {t} other players together could read anybody’s cards."
            )
        }
    }
}

/// Renders the link of the table with its QR code and a button that copies it. Warns the host if the link
/// works on this device only.
fn invitation(online: Online) -> impl IntoView {
    let copied = RwSignal::new(None::<bool>);
    let link = online.link.get_untracked();
    // Guests have already used the link.
    let near = online.me.with_untracked(|me| me.host) && is_near(&link);
    let picture = qr(&link, "The link as a code for the camera of a telephone").map(|el| {
        view! { <Drawn class="qrbox" nodes=Signal::derive(move || vec![el.clone().into()])/> }
    });
    view! {
        <div class="invite">
            {picture}
            <div>
                <input class="fld mono" id="link" readonly=true aria-label="Link of the table" value=link/>
                <button class="btn" id="copy" on:click=move |_| online.copy_link(move |done| copied.set(Some(done)))>
                    {glyph("copy", 18)}
                    {move || match copied.get() {
                        None => "Copy link",
                        Some(true) => "Copied",
                        Some(false) => "Copy it by hand",
                    }}
                </button>
                <p class="lbl">"Everybody with the link can sit down or watch. In a terminal: pentarchy join LINK"</p>
                {near.then(|| view! { <p class="lbl warn" id="near">"This link works on this device only. For friends elsewhere, start the server with --host 0.0.0.0 and open this page by the network address of this device."</p> })}
            </div>
        </div>
    }
}

/// Renders a seat of the lobby: who sits there, whether they are ready and, for the host, a button that removes
/// a guest; for a free seat a button to sit down, disabled unless `named`, and for the host one that adds a
/// Medium bot. `mine` is the own seat, `wish` sends a seat request (seat, or `None` to watch, and whether
/// ready), and `named` says whether the player has entered a name.
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
                Some(level) => view! { <span class="tag">{format!("{} bot", level_word(level))}</span> }.into_any(),
                None if me => view! { <span class="tag">"you"</span> }.into_any(),
                None => view! { <span class="tag way">{way}</span> }.into_any(),
            };
            let about = bot.is_none().then(|| person::about(online, identity, name.clone(), me));
            let shown = if name.is_empty() { format!("Seat {}", seat + 1) } else { name };
            let picture = bot.is_none().then(|| person::crest(&identity, "s32"));
            let can_remove = online.me.with(|me| me.host) && !me && bot.is_none();
            let remove = can_remove.then(|| removal(online, identity, &shown));
            view! {
                {picture}
                <div class="nm"><b>{shown}</b>{about}</div>
                {state}
                <span class="rdy" class:yes=ready>{if ready { "Ready" } else { "Not ready" }}</span>
                {remove}
            }
            .into_any()
        }
        None => view! {
            <span class="nm free">"Free"</span>
            {online.me.with(|me| me.host).then(|| view! { <button class="btn sm" on:click=move |_| online.seat_bot(seat)>"Add a bot"</button> })}
            <button class="btn sm" data-seat=seat prop:disabled=move || !named() on:click=move |_| wish(Some(seat), true)>"Sit here"</button>
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

/// Renders the button by which the host removes the guest with this identity from the table; `name`
/// is for screen readers.
fn removal(online: Online, identity: [u8; 32], name: &str) -> impl IntoView + use<> {
    let label = format!("Remove {name} from the table");
    view! { <button class="btn sm remove" aria-label=label on:click=move |_| online.remove_guest(identity)>"Remove"</button> }
}

/// Returns the level of a bot in the words of the set-up: "Easy" for `recruit`, "Medium" for
/// `captain`, "Hard" for `emperor`. Other levels are returned as they are.
fn level_word(level: &str) -> &str {
    match level {
        "recruit" => "Easy",
        "captain" => "Medium",
        "emperor" => "Hard",
        other => other,
    }
}

/// Returns whether a link works on this machine only: its host begins with `localhost`, `127.` or `[::1]`.
fn is_near(link: &str) -> bool {
    let place = link.split_once("://").map_or(link, |(_, place)| place);
    ["localhost", "127.", "[::1]"].iter().any(|near| place.starts_with(near))
}

/// Returns sentences about what is wrong with a link. Unless the link is of an older or newer
/// version, they end with the advice to ask for the whole link again.
pub fn bad_link(what: InviteError) -> String {
    let wrong = match what {
        InviteError::Old | InviteError::New => return what.to_string(),
        InviteError::Mismatch => "Damaged link: its two halves do not belong together.",
        InviteError::NoKey => "Incomplete link: the part after # is missing.",
        InviteError::Key => "Incomplete link: the part after # is too short or damaged.",
        InviteError::Table => "Damaged link: the part between /t/ and # is not the name of a table.",
        InviteError::NoTable | InviteError::Server => "This is not the link of a table.",
    };
    format!("{wrong} Ask your friend to send the whole link again.")
}

/// Returns the state of the connection to the server: "Connecting…", "Connected", or "No
/// connection: " and the reason. Tracks it.
pub fn connection(online: Online) -> String {
    match online.server.get() {
        ServerConnection::Connecting => "Connecting…".to_string(),
        ServerConnection::Connected => "Connected".to_string(),
        ServerConnection::Retrying(why) => format!("No connection: {why}"),
    }
}
