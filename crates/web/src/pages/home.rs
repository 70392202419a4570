//! Home: five boxes on a shelf; what waits for you stands above them.

use super::cover;
use crate::app::{App, Sheet};
use crate::boards::{self, Entry};
use crate::icons::ic;
use crate::settings::Theme;
use crate::shell::{Drawn, glyph};
use crate::store::About;
use crate::words::and;
use crate::{files, page};
use leptos::prelude::*;

/// At most so many saved games are offered.
const MOST_SAVES: usize = 4;

/// The emblem of Pentarchy.
const MARK: &str = r##"<path d="M50 5 95 38 78 92H22L5 38z" fill="none" stroke="var(--decor)" stroke-width="3"/><path d="M50 52L50 14M50 52L86 40M50 52L72 83M50 52L28 83M50 52L14 40" stroke="var(--decor)" stroke-width="2"/><circle cx="50" cy="14" r="9" fill="#d9a441"/><circle cx="86" cy="40" r="9" fill="#63addd"/><circle cx="72" cy="83" r="9" fill="#5fe3d0"/><circle cx="28" cy="83" r="9" fill="#ff9d2e"/><circle cx="14" cy="40" r="9" fill="#d2503c"/><circle cx="50" cy="52" r="5" fill="var(--text)"/>"##;

/// Home.
pub fn home(app: App) -> impl IntoView {
    let toggle = move |_| {
        app.settings.update(|s| s.theme = if s.theme == Theme::Dark { Theme::Light } else { Theme::Dark });
    };
    let saves = move || {
        let open: Vec<About> =
            app.saves.with(|all| all.iter().filter(|a| !a.over).take(MOST_SAVES).cloned().collect());
        (!open.is_empty()).then(|| {
            view! {
                <section class="cont" aria-label="Continue">
                    {open.into_iter().map(|about| saved(app, about)).collect_view()}
                </section>
            }
        })
    };
    view! {
        <div class="home-pg">
            <header class="hd0">
                <svg width="44" height="44" viewBox="0 0 100 100" aria-hidden="true" inner_html=MARK></svg>
                <h1 class="title">"Pentarchy"</h1>
                <p>"Five games of empire, one engine, no referee."</p>
                <nav aria-label="More">
                    <button class="btn ghost" id="friends" on:click=move |_| app.sheet.set(Some(Sheet::Friends(0)))>{glyph("people", 18)} "Play with friends"</button>
                    <button class="btn ghost" on:click=move |_| files::pick()>{glyph("drop", 18)} "Open a record"</button>
                    <button class="btn ghost" on:click=move |_| app.sheet.set(Some(Sheet::Settings))>"Settings"</button>
                    <button class="iconbtn" aria-label="Light or dark theme" on:click=toggle>{glyph("sun", 20)}</button>
                </nav>
            </header>
            {saves}
            {super::online::tables(app)}
            <main>
                <ul class="covers">
                    {boards::GAMES.iter().enumerate().map(|(i, game)| shelf(app, i, game)).collect_view()}
                </ul>
            </main>
            <footer>
                "Every move is checked by every player’s own page. No server decides anything. "
                <button class="link" on:click=move |_| app.sheet.set(Some(Sheet::Credits))>"How it works"</button>
                <span>"Icons: game-icons.net, CC BY 3.0"</span>
            </footer>
        </div>
    }
}

fn shelf(app: App, place: usize, game: &'static Entry) -> impl IntoView {
    let info = game.info;
    let seats = if info.min_seats == info.max_seats {
        format!("{} players", info.min_seats)
    } else {
        format!("{}–{} players", info.min_seats, info.max_seats)
    };
    let part = if page::narrow() { "60 90 180 240" } else { "0 0 300 400" };
    view! {
        <li class="cv" data-game=info.name data-theme="dark">
            <div class="art2">
                <svg viewBox=part preserveAspectRatio="xMidYMid slice" role="img" aria-label=info.title inner_html=cover(info.name)></svg>
            </div>
            <div class="bd2">
                <h2 class="title">{info.title}</h2>
                <p>{game.look.pitch}</p>
                <p class="meta">{seats} ", " {game.look.minutes.to_string()} " min"</p>
                <div class="bt">
                    <button class="btn go" aria-label=format!("Play {}", info.title) on:click=move |_| app.quick_start(game)>"Play"</button>
                    <button class="btn" aria-label=format!("Set up {}", info.title) on:click=move |_| app.sheet.set(Some(Sheet::Setup(place)))>"Set up"</button>
                </div>
                <div class="lk">
                    <button class="btn ghost sm" aria-label=format!("Learn {}", info.title) on:click=move |_| app.learn(game)>"Learn"</button>
                    <button class="btn ghost sm" aria-label=format!("Rules of {}", info.title) on:click=move |_| app.sheet.set(Some(Sheet::Rules(info.name.to_string())))>"Rules"</button>
                    <button class="btn ghost sm" aria-label=format!("Watch bots play {}", info.title) on:click=move |_| app.watch(game)>"Watch bots"</button>
                    <button class="btn ghost sm" aria-label=format!("Play {} with friends", info.title) on:click=move |_| app.sheet.set(Some(Sheet::Friends(place)))>"With friends"</button>
                </div>
            </div>
        </li>
    }
}

fn saved(app: App, about: About) -> impl IntoView {
    let name = serde_json::from_str::<serde_json::Value>(&about.header).ok();
    let name = name.and_then(|h| h.get("game")?.as_str().map(str::to_string)).unwrap_or_default();
    let game = boards::find(&name).ok();
    let (title, emblem) = game.map_or(("?", "chess-knight"), |g| (g.info.title, g.look.emblem));
    let others: Vec<String> = about.players.iter().skip(1).map(|p| p.name.clone()).collect();
    let waits = match &about.awaited {
        None => view! { <span class="yt">"Your turn"</span> }.into_any(),
        Some(name) => view! { <span class="wt">{format!("{name} is moving")}</span> }.into_any(),
    };
    let (id, again) = (about.id.clone(), about.clone());
    let round =
        if about.round.is_empty() { String::new() } else { format!(", {}", about.round.to_lowercase()) };
    view! {
        <div class="cn" data-game=name data-theme="dark">
            <span class="em"><Drawn nodes=Signal::derive(move || vec![ic(emblem).into()])/></span>
            <span><b>{title} {round}</b><small>"with " {and(&others)}</small></span>
            {waits}
            <button class="btn go sm" aria-label=format!("Continue {title}") on:click=move |_| app.resume(again.clone())>"Continue"</button>
            <button class="iconbtn" aria-label=format!("Forget this game of {title}") on:click=move |_| app.forget(id.clone())>{glyph("x", 18)}</button>
        </div>
    }
}
