//! The dialog about an online match: what happened while the player was away, and why it ended.

use super::close_button;
use super::online::again;
use crate::app::App;
use crate::online::Away;
use crate::shell::{Drawn, glyph};
use crate::table::LogLine;
use crate::ui::Ui;
use crate::words::{and, plain, told};
use leptos::prelude::*;
use pentarchy_engine::Seat;
use pentarchy_engine::sorting::sort_by_key;

/// Maximum number of lines.
const MOST: usize = 5;

/// Renders the dialog about an online match. If it has ended early: why, what happened while the player was
/// away, and buttons that play again, save the record and leave the table. Otherwise: what happened while the
/// player was away, and buttons that replay it and continue.
pub fn away(app: App) -> impl IntoView {
    let online = app.online;
    move || {
        match online.ended.get() {
        Some(ended) => {
            let title = if ended.counted_out { "The game ended while you were away" } else { "The game ended" };
            view! {
                <div class="dialog narrowd awayd" role="dialog" aria-modal="true" aria-label=title id="away">
                    <div class="sheet-hd"><h1 class="title">{title}</h1>{close_button(app)}</div>
                    <p class="why3" id="ended">{ended.text}</p>
                    {missed(app)}
                    {again(app, true)}
                    <div class="acts3">
                        <button class="btn" on:click=move |_| online.save_record()>{glyph("down", 18)} "Save the record"</button>
                        <button class="btn" on:click=move |_| online.leave_table()>"Home"</button>
                    </div>
                </div>
            }
            .into_any()
        }
        None => view! {
            <div class="dialog narrowd awayd" role="dialog" aria-modal="true" aria-label="While you were away" id="away">
                <div class="sheet-hd"><h1 class="title">"While you were away"</h1>{close_button(app)}</div>
                {missed(app)}
                <div class="acts3">
                    {replay_button(app)}
                    <button class="btn go" autofocus=true on:click=move |_| app.sheet.set(None)>"Continue"</button>
                </div>
            </div>
        }
        .into_any(),
    }
    }
}

/// Renders the button that closes the dialog and shows the position when the player left the page, from where
/// they can step on; nothing if the player was not away.
fn replay_button(app: App) -> impl IntoView {
    let away = app.online.away.get_untracked()?;
    let watch = move |_| {
        app.sheet.set(None);
        app.show_position_at(away.from);
    };
    Some(view! { <button class="btn" on:click=watch>{glyph("play", 18)} "Replay"</button> })
}

/// Renders the most important log lines of the absence, at most [`MOST`], and the changed scores; nothing if
/// the player was not away or no line of the log falls into it.
fn missed(app: App) -> impl IntoView {
    let play = app.play;
    let away = app.online.away.get_untracked()?;
    let Away { from, until, seconds, .. } = away;
    let until = until.or_else(|| play.with_match_untracked(|table| table.entries().len()))?;
    let ui = Ui { seat: play.observer_seat(), ..play.ui(&[]) };
    let lines = play.log_between(from, until);
    if lines.is_empty() {
        return None;
    }
    let all = lines.len();
    let rows = picked(lines, ui.seat).into_iter().map(|line| {
        let at = line.at;
        let text = told(&line.text, &ui);
        let mark = line.actor.map(|seat| {
            let mark = ui.mark(seat);
            view! { <Drawn nodes=Signal::derive(move || vec![mark.clone().into()])/> }
        });
        let said = plain(&line.text, &ui);
        let show = move |_| {
            app.sheet.set(None);
            app.show_position_at(at);
        };
        view! {
            <li>
                <span class="mk3">{mark}</span>
                <Drawn nodes=Signal::derive(move || text.clone())/>
                <button class="link" aria-label=format!("Show: {said}") on:click=show>"Show"</button>
            </li>
        }
    });
    let more =
        (all > MOST).then(|| view! { <p class="lbl2">{format!("{} more in the log.", all - MOST)}</p> });
    let changes = changed(app, from, until, &ui);
    Some(view! {
        <p class="lbl">{format!("{} away", span_words(seconds))}</p>
        <ol class="missed">{rows.collect_view()}</ol>
        {more}
        {changes}
    })
}

/// Returns at most [`MOST`] of these lines, in their order: those that name the seat `me` have priority, then
/// the latest.
fn picked(lines: Vec<LogLine>, me: Option<Seat>) -> Vec<LogLine> {
    let named = me.map(|me| format!("@{}", me.0));
    let about = |line: &LogLine| named.as_ref().is_some_and(|name| line.text.contains(name.as_str()));
    let mut order: Vec<usize> = (0..lines.len()).collect();
    sort_by_key(&mut order, |&i| (!about(&lines[i]), usize::MAX - i));
    order.truncate(MOST);
    sort_by_key(&mut order, |&i| i);
    order.into_iter().map(|i| lines[i].clone()).collect()
}

/// Renders how the number in the panel of each seat, such as its score, changed between the positions after
/// `from` and after `until` events of the match at this page; `None` if none did, and without a match. `ui` has
/// the names.
fn changed(app: App, from: usize, until: usize, ui: &Ui) -> Option<impl IntoView + use<>> {
    let observer = app.play.observer.get_untracked().0;
    let (before, after, counts) = app.play.with_match_untracked(|table| {
        let numbers = |at: usize| {
            table.scene(at, observer, ui).seats.into_iter().map(|panel| panel.number).collect::<Vec<_>>()
        };
        (numbers(from), numbers(until), table.look().counts)
    })?;
    let seats = (0u8..).zip(before.iter().zip(&after)).filter(|(_, (before, after))| before != after);
    let parts: Vec<String> =
        seats.map(|(s, (before, after))| format!("{} {before} → {after}", ui.name(Seat(s)))).collect();
    (!parts.is_empty())
        .then(|| view! { <p class="net3"><b>{crate::words::capital(counts)} ": "</b> {and(&parts)} "."</p> })
}

/// Formats a duration, rounded down: "42 s", "3 min", "2 h 10 min", and from two days on "3 days".
pub fn span_words(seconds: u64) -> String {
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    match () {
        () if seconds < 60 => format!("{seconds} s"),
        () if hours < 1 => format!("{minutes} min"),
        () if hours < 48 && minutes % 60 == 0 => format!("{hours} h"),
        () if hours < 48 => format!("{hours} h {} min", minutes % 60),
        () => format!("{} days", hours / 24),
    }
}
