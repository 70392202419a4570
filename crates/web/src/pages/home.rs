//! The home screen: matches in progress first, then the games, then the classics.

use crate::app::{App, Screen, Sheet};
use crate::boards::{self, GameListing};
use crate::icons::ic;
use crate::online::{self, PublicTable, StoredTable};
use crate::settings::Theme;
use crate::shell::{Drawn, glyph};
use crate::store::SavedSummary;
use crate::words::and;
use crate::{club, files, page};
use leptos::prelude::*;
use pentarchy_engine::sorting::sort_by_key;
use wasm_bindgen_futures::spawn_local;

/// Maximum number of matches of each kind before "Show all"; twice as many online tables of the player.
const MOST_LISTED: usize = 4;

/// The emblem of Pentarchy.
pub const MARK: &str = r##"<path d="M50 5 95 38 78 92H22L5 38z" fill="none" stroke="var(--decor)" stroke-width="3"/><path d="M50 52L50 14M50 52L86 40M50 52L72 83M50 52L28 83M50 52L14 40" stroke="var(--decor)" stroke-width="2"/><circle cx="50" cy="14" r="9" fill="#d9a441"/><circle cx="86" cy="40" r="9" fill="#63addd"/><circle cx="72" cy="83" r="9" fill="#5fe3d0"/><circle cx="28" cy="83" r="9" fill="#ff9d2e"/><circle cx="14" cy="40" r="9" fill="#d2503c"/><circle cx="50" cy="52" r="5" fill="var(--text)"/>"##;

/// Renders the home screen: a link to the club, if the server has one, a button to play with friends and one
/// that switches the theme, the matches in progress, the games, and links to the credits, to open a file, to
/// the identity, to notifications and to the preferences.
pub fn home(app: App) -> impl IntoView {
    let toggle = move |_| {
        app.settings.update(|s| s.theme = if s.theme == Theme::Dark { Theme::Light } else { Theme::Dark });
    };
    view! {
        <div class="home-pg">
            <header class="hd0">
                <svg width="44" height="44" viewBox="0 0 100 100" aria-hidden="true" inner_html=MARK></svg>
                <h1 class="title">"Pentarchy"</h1>
                <p>"Five games of empire, one engine, no referee."</p>
                <nav aria-label="More">
                    {club_link()}
                    <button class="btn" id="friends" on:click=move |_| app.sheet.set(Some(Sheet::Friends(0)))>{glyph("people", 18)} "Play with friends"</button>
                    <button class="iconbtn" aria-label="Light or dark theme" title="Light or dark theme" on:click=toggle>{glyph("sun", 20)}</button>
                </nav>
            </header>
            {your_games(app)}
            <main>
                <ul class="covers">{shelves(app, false)}</ul>
                <section class="small" aria-labelledby="classics">
                    <h2 id="classics">"Classics"</h2>
                    <ul class="covers classics">{shelves(app, true)}</ul>
                </section>
            </main>
            <footer>
                <button class="link" on:click=move |_| app.sheet.set(Some(Sheet::Credits))>"How it works"</button>
                <button class="link" on:click=move |_| files::pick()>"Open a saved game"</button>
                <button class="link" id="identity" on:click=move |_| app.sheet.set(Some(Sheet::Identity))>"Your identity"</button>
                <button class="link" id="notify-me" on:click=move |_| app.sheet.set(Some(Sheet::Notifications))>"Notifications"</button>
                <button class="link" on:click=move |_| app.sheet.set(Some(Sheet::Settings))>"Settings"</button>
                <span>"Icons: game-icons.net, CC BY 3.0"</span>
            </footer>
        </div>
    }
}

/// Renders the link to the club, as soon as the server has said that it has one; asks it in the background.
/// Renders nothing if there is none or the server does not answer.
fn club_link() -> impl IntoView {
    let has_club = RwSignal::new(false);
    spawn_local(async move {
        // The home screen is also passed on the way from one match to another: a request is not worth it.
        page::sleep(0).await;
        has_club.set(club::has_club().await);
    });
    move || {
        has_club.get().then(|| view! { <a class="btn" id="club" href="#club">{glyph("log", 18)} "Club"</a> })
    }
}

/// Renders the games of the page that are classics, or with `classics` unset those that are not, in the order
/// of their list.
fn shelves(app: App, classics: bool) -> impl IntoView {
    let games = boards::GAMES.iter().enumerate().filter(|(_, game)| game.is_classic == classics);
    games.map(|(i, game)| shelf(app, i, game)).collect_view()
}

/// Returns the allowed number of players: "2–6 players" or "2 players".
pub fn seat_range(game: &GameListing) -> String {
    let (min, max) = (game.info.min_seats, game.info.max_seats);
    if min == max { format!("{min} players") } else { format!("{min}–{max} players") }
}

/// Returns the usual length of a match: "about 40 min".
pub fn duration(game: &GameListing) -> String {
    format!("about {} min", game.info.minutes)
}

/// Renders a game of the home screen with buttons to play and learn it, and a menu to set it up, play with
/// friends, read the rules or watch bots. `place` is its index in the list of games.
fn shelf(app: App, place: usize, game: &'static GameListing) -> impl IntoView {
    let info = game.info;
    let part = if page::is_narrow() && !game.is_classic { "60 90 180 240" } else { "0 0 300 400" };
    let open = RwSignal::new(false);
    let summary = NodeRef::<leptos::html::Button>::new();
    let item = move |label: &'static str, act: fn(App, usize, &'static GameListing)| {
        let act = move |_| {
            open.set(false);
            act(app, place, game);
        };
        let name = format!("{label}: {}", info.title);
        view! { <button class="mi" role="menuitem" aria-label=name on:click=act>{label}</button> }
    };
    let items = move || {
        open.get().then(|| {
            view! {
                <div class="mscrim" on:click=move |_| open.set(false)></div>
                <div class="menu" role="menu" aria-label=format!("More for {}", info.title) on:keydown=move |event| menu_key(&event, open, summary)>
                    {item("Set up", |app, place, _| app.sheet.set(Some(Sheet::Setup(place))))}
                    {item("Play with friends", |app, place, _| app.sheet.set(Some(Sheet::Friends(place))))}
                    {item("Rules", |app, _, game| app.sheet.set(Some(Sheet::Rules(game.info.name.to_string()))))}
                    {item("Watch bots", |app, _, game| app.watch_bots(game))}
                </div>
            }
        })
    };
    let toggle = move |_| {
        open.update(|open| *open = !*open);
        focus_soon(".menu .mi");
    };
    view! {
        <li class="cv" data-game=info.name data-theme="dark">
            <div class="art2">
                <svg viewBox=part preserveAspectRatio="xMidYMid slice" role="img" aria-label=info.title inner_html=game.cover().into_owned()></svg>
            </div>
            <div class="bd2">
                <h2 class="title">{info.title}</h2>
                <p>{game.look.pitch}</p>
                <p class="meta"><span>{seat_range(game)}</span> <small>{duration(game)}</small></p>
                <div class="bt">
                    <button class="btn go" aria-label=format!("Play {}", info.title) on:click=move |_| app.quick_start(game)>"Play"</button>
                    <button class="btn learn" aria-label=format!("Learn {}", info.title) on:click=move |_| app.start_guide(game)>"Learn"</button>
                    <div class="more">
                        <button
                            class="btn mb"
                            node_ref=summary
                            aria-haspopup="menu"
                            aria-expanded=move || open.get().to_string()
                            aria-label=format!("More for {}", info.title)
                            on:click=toggle
                            on:keydown=move |event| if event.key() == "Escape" { open.set(false) }
                        >
                            "⋮"
                        </button>
                        {items}
                    </div>
                </div>
            </div>
        </li>
    }
}

/// Moves the focus to the first element that matches the CSS selector, in the next frame. Does nothing if
/// there is none then.
fn focus_soon(selector: &'static str) {
    request_animation_frame(move || {
        let found = page::document().and_then(|d| d.query_selector(selector).ok().flatten());
        if let Some(found) = found {
            crate::dom::focus(&found);
        }
    });
}

/// Handles keys in a menu: arrows, Home and End move the focus, Escape and Tab close it (`open`) and return
/// the focus to `button`. Other keys are left alone.
fn menu_key(event: &web_sys::KeyboardEvent, open: RwSignal<bool>, button: NodeRef<leptos::html::Button>) {
    let Some(document) = page::document() else { return };
    let Ok(all) = document.query_selector_all(".menu .mi") else { return };
    let active = document.active_element();
    let count = all.length();
    let at = (0..count).find(|&i| {
        use wasm_bindgen::JsCast;
        all.item(i).and_then(|n| n.dyn_into::<web_sys::Element>().ok()) == active
    });
    let to = match (event.key().as_str(), at) {
        ("ArrowDown", at) => at.map_or(0, |at| (at + 1) % count),
        ("ArrowUp", at) => at.map_or(count - 1, |at| (at + count - 1) % count),
        ("Home", _) => 0,
        ("End", _) => count - 1,
        ("Escape" | "Tab", _) => {
            open.set(false);
            event.prevent_default();
            event.stop_propagation();
            if let Some(button) = button.get_untracked() {
                let _ = button.focus();
            }
            return;
        }
        _ => return,
    };
    event.prevent_default();
    event.stop_propagation();
    use wasm_bindgen::JsCast;
    if let Some(item) = all.item(to).and_then(|n| n.dyn_into::<web_sys::Element>().ok()) {
        crate::dom::focus(&item);
    }
}

/// A row of the list of matches in progress.
struct Strip {
    /// Sort key: your turn, ended, waiting for others, on this device, open to anybody.
    rank: u8,
    /// When the time of the player ends, in milliseconds; the largest number without such an end. Of equal rank, the
    /// least comes first.
    due_by: f64,
    game: String,
    /// Whether the player of this browser has to decide.
    mine: bool,
    status: String,
    detail: String,
    label: &'static str,
    /// The address of an online table.
    href: Option<String>,
    /// A match saved in this browser.
    save: Option<SavedSummary>,
    /// The id of a table that can be deleted.
    table: Option<String>,
}

/// Renders the online tables that this browser stores (waiting rooms, matches that the player plays or watches,
/// and those that ended abnormally), the saved matches of `app.saves` that are not over, and the other public
/// tables with a free seat, sorted by rank. Until "Show all" is pressed, lists at most [`MOST_LISTED`] rows of
/// each kind, and twice that of stored tables. Loads the stored and the public tables once, in the background, and
/// not at all if the player leaves the home screen at once; the caller must load `app.saves`. Renders nothing while
/// there are no rows.
fn your_games(app: App) -> impl IntoView {
    let kept = RwSignal::new(Vec::<StoredTable>::new());
    let open = RwSignal::new(Vec::<PublicTable>::new());
    spawn_local(async move {
        // The home screen is also passed on the way from one match to another: then load nothing.
        page::sleep(0).await;
        if app.page.get_untracked() != Screen::Home {
            return;
        }
        // The view may be gone after each await, so no signals are read from here on.
        let all = online::all_tables().await.into_iter();
        let mut own: Vec<StoredTable> =
            all.filter(|table| !table.game.is_empty() && table.is_listed()).collect();
        // The own turns are listed even if they are old.
        sort_by_key(&mut own, |table| table.over || !table.my_turn);
        let known: Vec<_> = own.iter().map(|table| table.id.clone()).collect();
        kept.set(own);
        let mut tables = online::open_tables().await;
        tables.retain(|table| table.taken < table.seats && !known.contains(&table.id));
        open.set(tables);
    });
    let show_all = RwSignal::new(false);
    // The listed rows, and the number of all rows.
    let strips = move || {
        let most = if show_all.get() { usize::MAX } else { MOST_LISTED };
        let mut total = 0;
        let mut all: Vec<Strip> = kept.with(|kept| {
            total += kept.len();
            kept.iter().take(most.saturating_mul(2)).map(of_table).collect()
        });
        app.saves.with(|saves| {
            let unfinished: Vec<_> = saves.iter().filter(|about| !about.over).collect();
            total += unfinished.len();
            all.extend(unfinished.into_iter().take(most).map(of_save));
        });
        open.with(|open| {
            total += open.len();
            all.extend(open.iter().take(most).map(of_open));
        });
        sort_by_key(&mut all, |strip| (strip.rank, strip.due_by as u64));
        (all, total)
    };
    move || {
        let (all, total) = strips();
        let more = (all.len() < total).then(|| {
            view! { <button class="btn sm all" on:click=move |_| show_all.set(true)>{format!("Show all ({total})")}</button> }
        });
        (!all.is_empty()).then(|| {
            let waiting = all.iter().filter(|strip| strip.mine).count();
            let says = match waiting {
                0 => String::new(),
                1 => "1 waits for you".to_string(),
                n => format!("{n} wait for you"),
            };
            view! {
                <section class="yours" aria-label="Your games">
                    <h2>"Your games" <small>{says}</small></h2>
                    <div class="cont">{all.into_iter().map(|strip| strip_view(app, kept, strip)).collect_view()} {more}</div>
                </section>
            }
        })
    }
}

/// Returns a duration in milliseconds in one unit, rounded down: "42 min", below two days "3 h", else "4 days".
fn rough_span(millis: f64) -> String {
    match (millis / 60_000.0) as u64 {
        minutes if minutes < 60 => format!("{minutes} min"),
        minutes if minutes < 48 * 60 => format!("{} h", minutes / 60),
        minutes => format!("{} days", minutes / (24 * 60)),
    }
}

/// Builds the strip of an online table that is stored in this browser: its status (such as "Your turn, 3 h
/// left", "Waiting for Ben, 2 days" or "Waiting room"), the round, the other players and the link. Rank 0 if
/// the player has to move, 1 if the match has ended, otherwise 2. Names equal to the player's own are left out.
fn of_table(table: &StoredTable) -> Strip {
    let others: Vec<String> = table.players.iter().filter(|name| **name != table.name).cloned().collect();
    let watches = table.is_spectator();
    let now = js_sys::Date::now();
    let left = match table.due_by - now {
        left if table.due_by > 0.0 && left > 0.0 => format!(", {} left", rough_span(left)),
        _ => String::new(),
    };
    let (mine, rank, status) = if table.over {
        (false, 1, if table.ended.is_empty() { "Ended".to_string() } else { table.ended.clone() })
    } else if table.players.is_empty() {
        (false, 2, "Waiting room".to_string())
    } else if watches {
        (false, 2, "You watch".to_string())
    } else if table.is_overdue(now) {
        (true, 0, "Your time for this move is over".to_string())
    } else if table.my_turn {
        (true, 0, format!("Your turn{left}"))
    } else if table.awaited.is_empty() {
        (false, 2, "Waiting for the others".to_string())
    } else {
        let since = match table.since {
            since if since > 0.0 && now - since >= 60_000.0 => format!(", {}", rough_span(now - since)),
            _ => String::new(),
        };
        (false, 2, format!("Waiting for {}{since}{left}", and(&table.awaited)))
    };
    let with =
        if others.is_empty() { "no friends yet".to_string() } else { format!("with {}", and(&others)) };
    let detail = if table.round.is_empty() { with } else { format!("{}, {with}", table.round) };
    Strip {
        rank,
        due_by: if mine && table.due_by > 0.0 { table.due_by } else { f64::MAX },
        game: table.game.clone(),
        mine,
        status,
        detail,
        label: if mine { "Move" } else { "Open" },
        href: Some(table.link.clone()),
        save: None,
        table: Some(table.id.clone()),
    }
}

/// Builds the strip of a saved local match that is not over: whose turn it is, the round and the other players;
/// rank 3. The name of the game is empty if the header of the record cannot be parsed.
fn of_save(about: &SavedSummary) -> Strip {
    let header = serde_json::from_str::<serde_json::Value>(&about.header).ok();
    let game = header.and_then(|h| h.get("game")?.as_str().map(str::to_string)).unwrap_or_default();
    Strip {
        rank: 3,
        due_by: f64::MAX,
        game,
        mine: about.is_own_turn(),
        status: about.status(),
        detail: about.detail(),
        label: "Continue",
        href: None,
        save: Some(about.clone()),
        table: None,
    }
}

/// Builds the strip of a public table that can be joined: its host, seats and link; rank 4.
fn of_open(table: &PublicTable) -> Strip {
    Strip {
        rank: 4,
        due_by: f64::MAX,
        game: table.game.clone(),
        mine: false,
        status: "Open to anybody".to_string(),
        detail: format!("{} hosts, {} of {} seats taken", table.host, table.taken, table.seats),
        label: "Join",
        href: Some(format!("{}/t/{}#{}", online::server(), table.id, table.key)),
        save: None,
        table: None,
    }
}

/// Renders a strip: game, status, and buttons to open it and, if it is stored in this browser, to delete it.
/// Deleting an online table also removes it from `kept`. A game that the page does not have is shown as "?".
fn strip_view(app: App, kept: RwSignal<Vec<StoredTable>>, strip: Strip) -> impl IntoView {
    let game = boards::find(&strip.game).ok();
    let (title, emblem) = game.map_or(("?", "chess-knight"), |g| (g.info.title, g.look.emblem));
    let Strip { mine, status, detail, label, href, save, table, .. } = strip;
    let said = format!("{label}: {title}, {status}, {detail}");
    let button = match (href, &save) {
        (Some(href), _) => {
            view! { <a class="btn sm open" class:go=mine aria-label=said href=href>{label}</a> }.into_any()
        }
        (None, Some(about)) => {
            let about = about.clone();
            view! { <button class="btn sm open" class:go=mine aria-label=said on:click=move |_| app.resume_match(about.clone())>{label}</button> }.into_any()
        }
        (None, None) => ().into_any(),
    };
    let id = save.map(|about| about.id);
    let forget = (id.is_some() || table.is_some()).then(|| {
        let act = move |_| {
            if let Some(id) = id.clone() {
                app.delete_save(id);
            } else if let Some(id) = table.clone() {
                kept.update(|kept| kept.retain(|table| table.id != id));
                spawn_local(async move { online::forget_table(&id).await });
            }
        };
        view! {
            <button class="iconbtn x" aria-label=format!("Delete this game of {title}") title="Delete this game" on:click=act>{glyph("x", 16)}</button>
        }
    });
    view! {
        <div class="cn" class:mine=mine data-game=strip.game data-theme="dark">
            <span class="em"><Drawn nodes=Signal::derive(move || vec![ic(emblem).into()])/></span>
            <span class="tx"><b>{title}</b><small class="st">{status}</small><small>{detail}</small></span>
            {button}
            {forget}
        </div>
    }
}
