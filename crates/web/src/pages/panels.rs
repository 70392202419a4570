//! The dialogs for preferences, trust and credits.

use super::close_button;
use crate::app::{App, Screen, Sheet};
use crate::settings::{Preferences, Speed, Theme};
use crate::shell::glyph;
use leptos::prelude::*;
use pentarchy_engine::Observer;

/// Renders one preference as a row of buttons under `label`, one per entry (value and label). `get`
/// reads it and `set` changes it; a click sets it in the preferences of the page.
fn preference_row<T: Copy + PartialEq + Send + Sync + 'static>(
    app: App,
    label: &'static str,
    entries: &'static [(T, &'static str)],
    get: fn(&Preferences) -> T,
    set: fn(&mut Preferences, T),
) -> impl IntoView {
    let each = entries.iter().map(|&(value, name)| {
        let on = move || get(&app.settings.get()) == value;
        view! {
            <button class:on=on role="radio" aria-checked=move || on().to_string() on:click=move |_| app.settings.update(|s| set(s, value))>{name}</button>
        }
    });
    view! {
        <div class="setrow">
            <span>{label}</span>
            <div class="segm" role="radiogroup" aria-label=label>{each.collect_view()}</div>
        </div>
    }
}

/// Renders the preferences, where each click takes effect at once and is stored, the button for notifications
/// and the list of keys. On the screens of a match or lobby also commands for the match at this page: undo,
/// hint, resume the guide if it was left, rules, save and share the record, leave.
pub fn settings(app: App) -> impl IntoView {
    let at_table = !matches!(app.page.get_untracked(), Screen::Home | Screen::Club);
    let game = at_table.then(|| {
        view! {
            <h2>"This game"</h2>
            <div class="setacts">
                <button class="btn" on:click=move |_| { app.sheet.set(None); app.undo_decision(); }>{glyph("undo", 18)} "Undo"</button>
                <button class="btn" on:click=move |_| { app.sheet.set(None); app.show_hint(); }>{glyph("hint", 18)} "Hint"</button>
                {app.guide_left.get_untracked().map(|_| view! {
                    <button class="btn" id="resume-guide" on:click=move |_| { app.sheet.set(None); app.resume_guide(); }>"Resume the guide"</button>
                })}
                <button class="btn" on:click=move |_| app.open_rules()>{glyph("rules", 18)} "Rules"</button>
                <button class="btn" on:click=move |_| app.save_record()>{glyph("down", 18)} "Save record"</button>
                <button class="btn" on:click=move |_| app.share_record()>{glyph("share", 18)} "Share replay"</button>
                <button class="btn" on:click=move |_| app.go_home()>"Leave the table"</button>
            </div>
        }
    });
    view! {
        <div class="dialog narrowd" role="dialog" aria-modal="true" aria-label="Settings" id="settings">
            <div class="sheet-hd"><h1 class="title">"Settings"</h1>{close_button(app)}</div>
            {preference_row(app, "Theme", &[(Theme::Dark, "Dark"), (Theme::Light, "Light")], |s| s.theme, |s, v| s.theme = v)}
            {preference_row(
                app,
                "Speed",
                &[(Speed::Slow, "Slow"), (Speed::Normal, "Normal"), (Speed::Fast, "Fast"), (Speed::Instant, "Instant")],
                |s| s.speed,
                |s, v| s.speed = v,
            )}
            {preference_row(app, "Hard bots think", &[(1u8, "1 s"), (3, "3 s"), (10, "10 s")], |s| s.think_seconds, |s, v| s.think_seconds = v)}
            {preference_row(app, "Ask even when there is only one option", &[(false, "No"), (true, "Yes")], |s| s.ask_single, |s, v| s.ask_single = v)}
            {preference_row(app, "When nothing is left to move", &[(true, "End turn"), (false, "Wait")], |s| s.auto_end, |s, v| s.auto_end = v)}
            {preference_row(app, "Time to react", &[(0u8, "No limit"), (6, "6 s"), (15, "15 s")], |s| s.react_seconds, |s, v| s.react_seconds = v)}
            {preference_row(app, "Watching bots", &[(true, "All hands open"), (false, "Hands closed")], |s| s.open_hands, |s, v| s.open_hands = v)}
            <div class="setacts">
                <button class="btn" id="open-notifications" on:click=move |_| app.sheet.set(Some(Sheet::Notifications))>{glyph("clock", 18)} "Notify me"</button>
            </div>
            {game}
            <p class="lbl">"Keys: / finds an action, Enter does it, Escape goes back, U undo, H hint, R rules, L log, [ and ] replay, . live."</p>
        </div>
    }
}

/// Renders the dialog about the match with the id `game` that is open in another tab, with a button that takes
/// it over to this tab and one that leads home. `lost` says that the other tab has taken it over from this one;
/// only the text differs.
pub fn elsewhere(app: App, game: String, lost: bool) -> impl IntoView {
    let (title, text) = if lost {
        (
            "Taken over in another tab",
            "You took this game over in another tab. It has stopped here; nothing is lost.",
        )
    } else {
        (
            "This game is open in another tab",
            "Two tabs cannot play one game. Take it over here, and the other tab stops.",
        )
    };
    view! {
        <div class="dialog narrowd" role="dialog" aria-modal="true" aria-label=title id="elsewhere">
            <div class="sheet-hd"><h1 class="title">{title}</h1>{close_button(app)}</div>
            <p>{text}</p>
            <div class="sheet-acts">
                <button class="btn" on:click=move |_| { app.sheet.set(None); app.go_home(); }>"All games"</button>
                <button class="btn go" autofocus id="take-over" on:click=move |_| { app.sheet.set(None); app.take_over_match(game.clone()); }>"Take over here"</button>
            </div>
        </div>
    }
}

/// Renders the trust panel of the match at this page, a local one or a record without signatures: how many
/// events were checked against the rules, how many of them are shuffles, rolls and draws, and reveals, whose
/// view is drawn, the digest of the state, and a button that saves the record. All numbers are 0 without a
/// match. Reads the match once.
pub fn trust(app: App) -> impl IntoView {
    let play = app.play;
    let about = play.with_match_untracked(|table| {
        let events = table.entries();
        let count = |word: &str| events.iter().filter(|e| e.event.starts_with(word)).count();
        (events.len(), count("shuffle"), count("roll") + count("pick"), count("reveal"), table.digest())
    });
    let (events, shuffles, rolls, reveals, digest) = about.unwrap_or_default();
    let observer = match play.observer.get_untracked().0 {
        Observer::All => "everything",
        Observer::Seat(_) => "what your seat sees",
        Observer::Spectator => "what is public",
    };
    let short = digest.get(..16).unwrap_or(&digest).to_string();
    view! {
        <div class="dialog narrowd tp" role="dialog" aria-modal="true" aria-label="Trust" id="trust">
            <div class="sheet-hd"><h3>{glyph("shield", 22)} "Checked in this page"</h3>{close_button(app)}</div>
            <dl>
                <dt>"Events checked against the rules"</dt><dd>{format!("{events} of {events}")}</dd>
                <dt>"Shuffles"</dt><dd>{shuffles}</dd>
                <dt>"Dice and draws"</dt><dd>{rolls}</dd>
                <dt>"Times hidden things were shown"</dt><dd>{reveals}</dd>
                <dt>"You are looking at"</dt><dd>{observer}</dd>
                <dt>"State digest"</dt><dd class="mono" id="digest" data-digest=digest>{short}</dd>
            </dl>
            <p class="lbl">"Bots think in a worker of this page and are told only what their seat may know."</p>
            <button class="btn sm wide" on:click=move |_| app.save_record()>{glyph("down", 16)} "Save the record"</button>
        </div>
    }
}

/// Renders the dialog "How it works": where rules and bots run, what is signed, and the credits.
pub fn credits(app: App) -> impl IntoView {
    view! {
        <div class="dialog narrowd" role="dialog" aria-modal="true" aria-label="How it works">
            <div class="sheet-hd"><h1 class="title">"How it works"</h1>{close_button(app)}</div>
            <p>"Rules and bots run in this page. Every event of a game is checked against the rules, and each position has a fingerprint that is the same on every machine. Games are saved in this browser after every event. Nothing is sent to anyone except the friends at your table."</p>
            <p>"At a table with friends every page signs what it does and checks what all others do. "<b>"The signed record"</b>" of such a game holds every signature and proof; anybody can verify it without a network, here or with pentarchy verify."</p>
            <p>"Drop a record on this page to watch it: a signed one (.table), or a text file with one event per line (.jsonl)."</p>
            <h2>"Thanks"</h2>
            <p>"The drawings of cards and pieces are from " <a href="https://game-icons.net">"game-icons.net"</a> ", by its many authors, under " <a href="https://creativecommons.org/licenses/by/3.0/">"CC BY 3.0"</a> ", recoloured. The games’ designers are named in their rules."</p>
        </div>
    }
}
