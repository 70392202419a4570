//! Parts of an online match: the banner about late and offline players, the rematch, the trust panel.

use super::away::span_words;
use super::waiting::{connection, rules_text, rules_version, takeover_price};
use super::{close_button, person};
use crate::app::{App, Screen, Sheet};
use crate::boards;
use crate::icons::seat_mark;
use crate::online::{self, LatePlayer, MailStatus, Reach, ServerConnection, Stage};
use crate::shell::{Drawn, glyph};
use crate::words::and;
use leptos::prelude::*;
use pentarchy_engine::{Seat, SeatSet};
use pentarchy_identity::{key_fingerprint, short_name};
use pentarchy_table::Recovery;

/// Returns the display name of a seat; empty if it is unknown. Tracks the players.
fn name(app: App, seat: u8) -> String {
    app.play
        .players
        .with(|players| players.get(usize::from(seat)).map(|p| p.name.clone()).unwrap_or_default())
}

/// Formats a time in seconds: `0:42` (minutes and seconds) under an hour, then `2 h 10 min`, and from two days on
/// `3 days`.
fn clock(seconds: u64) -> String {
    if seconds < 3600 { format!("{}:{:02}", seconds / 60, seconds % 60) } else { span_words(seconds) }
}

/// Renders the banner of an online match, on the screens of the match and its end, with the most important of
/// these: why the match stopped, evidence of cheating, a lost connection, a late or offline player for whom
/// the table waits, other offline players, that the player watches. Nothing if none applies.
pub fn banner(app: App) -> impl IntoView {
    let online = app.online;
    move || {
        if !matches!(app.page.get(), Screen::Table | Screen::End) || online.stage.get() == Stage::Alone {
            return None;
        }
        let says = |class: &str, text: AnyView, acts: AnyView| {
            let (class, role) =
                (format!("banner {class}"), if class.contains("quiet") { "status" } else { "alert" });
            Some(view! { <div class=class role=role id="banner"><p>{text}</p>{acts}</div> }.into_any())
        };
        let trust = move || view! { <button class="btn sm" on:click=move |_| app.sheet.set(Some(Sheet::Trust))>"Details"</button> };
        let record = move || {
            view! {
                <button class="btn sm" on:click=move |_| online.save_record()>"Save the record"</button>
                <button class="btn sm" on:click=move |_| online.leave_table()>"Home"</button>
            }
        };
        if let Stage::Failed(why) = online.stage.get() {
            let text = format!("The game cannot continue. {}.", why.trim_end_matches('.'));
            return says("bad", text.into_any(), record().into_any());
        }
        if let Some(ended) = online.ended.get() {
            let acts = view! {
                {trust()}
                <button class="btn sm" on:click=move |_| online.save_record()>"Save the signed record"</button>
                {again_button(app)}
                <button class="btn sm" on:click=move |_| online.leave_table()>"Home"</button>
            };
            return says("bad", ended.text.into_any(), acts.into_any());
        }
        if online.stage.get() != Stage::Playing {
            return None;
        }
        if let Some(proof) = online.proofs.with(|proofs| proofs.first().cloned()) {
            let text = format!("{} cheated: {}.", name(app, proof.seat), proof.what);
            return says("bad", text.into_any(), trust().into_any());
        }
        if let ServerConnection::Retrying(_) = online.server.get() {
            let text = "You are offline. The game is saved and continues when the connection is back.";
            return says("", text.into_any(), ().into_any());
        }
        if let Some(due) = online.due.get() {
            let who = name(app, due.seat);
            let offline = !online.is_connected(due.seat);
            if due.left().is_none() {
                return Some(late(app, &due, &who, offline).into_any());
            }
            if offline || due.is_short() {
                let then = match (due.majority, due.takeover) {
                    (true, true) => "then you decide whether a bot takes over",
                    (true, false) => "then you decide whether the game ends",
                    (false, _) => "then you decide",
                };
                let text = if offline {
                    format!("{} {}", offline_text(app, &[due.seat]), due.need)
                } else {
                    format!("{who} is thinking.")
                };
                let left = due.left().unwrap_or(0);
                let clock =
                    view! { <span class="clk" role="timer"><b>{clock(left)}</b> " left, " {then}</span> };
                return says(if offline { "" } else { "quiet" }, text.into_any(), clock.into_any());
            }
        }
        let away: Vec<u8> = (0u8..)
            .zip(online.players.get())
            .filter(|(seat, (id, host))| {
                host.is_none()
                    && *id != online.me.with(|me| me.identity)
                    && !online.is_connected(*seat)
                    && !online.out.get().has(Seat(*seat))
            })
            .map(|(seat, _)| seat)
            .collect();
        if !away.is_empty() {
            let names: Vec<String> = away.iter().map(|seat| name(app, *seat)).collect();
            let overdue = online.away.with(|a| a.as_ref().is_some_and(|a| a.overdue && a.until.is_none()));
            let text = if overdue && away.len() == others(app) {
                let has = if away.len() == 1 { "has" } else { "have" };
                match online.mail.get() {
                    MailStatus::Refused(_) => format!(
                        "Your time for this move is over. {} may have ended the game: you learn it when you are both online.",
                        and(&names)
                    ),
                    _ => format!(
                        "Your time for this move is over. {} {has} not ended the game so far.",
                        and(&names)
                    ),
                }
            } else {
                offline_text(app, &away)
            };
            return says("quiet", text.trim().to_string().into_any(), ().into_any());
        }
        online.is_spectator().then(|| {
            view! {
                <div class="banner quiet" role="status" id="watching">
                    <p>"You watch this game. You see what all players see, and no hidden cards."</p>
                    <button class="btn sm" on:click=move |_| online.leave_table()>"Home"</button>
                </div>
            }
            .into_any()
        })
    }
}

/// Returns the number of people at the table besides the player of this page, dropped ones included. Tracks
/// the players.
fn others(app: App) -> usize {
    let me = app.online.me.with(|me| me.identity);
    app.online.players.with(|p| p.iter().filter(|(id, host)| host.is_none() && *id != me).count())
}

/// Returns the sentences about the players of these seats, who are offline: that this player's moves are
/// saved for them, are being saved, or reach them only while both are online; only that they are offline if
/// they have seen all moves. Tracks what it reads.
fn offline_text(app: App, seats: &[u8]) -> String {
    let who = and(&seats.iter().map(|seat| name(app, *seat)).collect::<Vec<_>>());
    let (verb, them) = if seats.len() == 1 { ("is", "them") } else { ("are", "all of them") };
    let moves =
        app.online.unseen.with(|unseen| seats.iter().filter_map(|seat| unseen.get(seat)).copied().max());
    let what = match moves {
        None => return format!("{who} {verb} offline."),
        Some(1) => "Your last move".to_string(),
        Some(n) => format!("Your last {n} moves"),
    };
    let is_one = moves == Some(1);
    match app.online.mail.get() {
        MailStatus::Stored => format!("Saved for {who}, who {verb} offline."),
        MailStatus::Sending => {
            format!(
                "{who} {verb} offline. {what} {} being saved for {them}.",
                if is_one { "is" } else { "are" }
            )
        }
        MailStatus::Refused(why) => {
            let reach = if is_one { "reaches" } else { "reach" };
            format!("{who} {verb} offline, and {why}. {what} {reach} {them} only while you are both online.")
        }
    }
}

/// Renders the choices about the late player `due`, named `who`, with their consequences. If the others are a
/// majority: to vote or wait, or only to end the game before the session asks for a vote. Otherwise: to wait
/// or end the game; while the player waits, only the time until the next question. `offline` says that there
/// is no connection to them.
fn late(app: App, due: &LatePlayer, who: &str, offline: bool) -> impl IntoView + use<> {
    let online = app.online;
    let over = due.silent.saturating_sub(due.limit);
    let state = if offline { "offline" } else { "connected, but silent" };
    let head = format!("{who} is late by {}. {} {who} is {state}.", clock(over), due.need);
    if due.majority {
        let then = if due.takeover { "a bot takes over" } else { "the game ends" };
        let Some((seats, unreachable)) = online.asked.get() else {
            let text = format!("{head} When all other players agree, {then}.");
            return view! {
                <div class="banner" role="alert" id="banner">
                    <p>{text}</p>
                    <button class="btn sm" id="end-game" on:click=move |_| online.give_up()>"End the game now"</button>
                </div>
            }
            .into_any();
        };
        let named =
            |seats: SeatSet| and(&seats.iter().map(|seat| name(app, seat.0)).collect::<Vec<String>>());
        let whom = named(seats);
        let path = match named(unreachable) {
            nobody if nobody.is_empty() => String::new(),
            lost => format!(" Your device cannot reach {lost}."),
        };
        let go_on = format!("Continue without {whom}");
        return view! {
            <div class="banner late" role="alert" id="banner">
                <p><b>{head}</b> {path} " When all other players agree, " {then} "."</p>
                <button class="btn" id="wait" on:click=move |_| online.wait_for_late()>"Wait"</button>
                <button class="btn" id="drop" on:click=move |_| online.drop_late()>{go_on}</button>
            </div>
        }
        .into_any();
    }
    let patient = online.patience.get();
    if due.silent < patient {
        return view! {
            <div class="banner quiet" role="status" id="banner">
                <p>{head}</p>
                <span class="clk" role="timer">"We ask again in " <b>{clock(patient - due.silent)}</b></span>
                <button class="btn sm" on:click=move |_| online.ask_about_late_player()>"Decide now"</button>
            </div>
        }
        .into_any();
    }
    let wait = format!("{who} can still move. We ask again in {}.", span_words(due.limit));
    let end = format!("The game stops without a winner. The record says that {who} was late.");
    let bot = due.takeover.then(|| {
        view! { <li><p><b>"A bot takes over"</b> " when more than half of the players are online and agree."</p></li> }
    });
    view! {
        <div class="banner late" role="alert" id="banner">
            <p><b>{head}</b> " Wait longer, or end the game?"</p>
            <ul class="ways">
                <li><p>{wait}</p><button class="btn" id="wait" on:click=move |_| online.wait_longer()>"Keep waiting"</button></li>
                {bot}
                <li><p>{end}</p><button class="btn" id="end-game" on:click=move |_| online.give_up()>"End the game"</button></li>
            </ul>
        </div>
    }
    .into_any()
}

/// Renders the button that offers or accepts a rematch, or goes to its table; a text while the page is on its
/// way there. Otherwise nothing for spectators.
pub fn again_button(app: App) -> impl IntoView {
    let online = app.online;
    move || {
        let (class, label) = match online.rematch.get() {
            Some(rematch) if rematch.leaving => {
                return Some(view! { <span class="lbl">"Opening the new table…"</span> }.into_any());
            }
            Some(rematch) if rematch.mine => ("btn", "Go to the new table"),
            Some(_) => ("btn go", "Accept the rematch"),
            None => ("btn go", "Play again"),
        };
        (!online.is_spectator()).then(|| view! { <button class=class id="rematch" on:click=move |_| online.offer_rematch()>{label}</button> }.into_any())
    }
}

/// Renders the rematch: the offer, the replies, and the buttons; for spectators a link to the new table.
/// Without an offer it is shown only if `always`, and then only to a player with other people at the table.
pub fn again(app: App, always: bool) -> impl IntoView {
    let online = app.online;
    move || {
        let rematch = online.rematch.get();
        if rematch.is_none() && !always {
            return None;
        }
        if online.is_spectator() {
            let rematch = rematch?;
            let link = rematch.link.clone();
            return Some(view! {
                <section class="bx again" id="again" aria-label="Rematch">
                    <div><h2>{format!("{} starts a rematch", name(app, rematch.by))}</h2><p>"You can watch it."</p></div>
                    <a class="btn go" href=link>"Watch the rematch"</a>
                </section>
            }.into_any());
        }
        let people: Vec<u8> = (0u8..)
            .zip(online.players.get())
            .filter(|(_, (id, host))| host.is_none() && *id != online.me.with(|me| me.identity))
            .map(|(seat, _)| seat)
            .collect();
        let names: Vec<String> = people.iter().map(|seat| name(app, *seat)).collect();
        let (title, text) = match &rematch {
            None => (
                "Play again with the same players?".to_string(),
                format!(
                    "{} {} asked. Same game, same rules, same seats.",
                    and(&names),
                    if names.len() == 1 { "is" } else { "are" }
                ),
            ),
            Some(r) if r.mine => {
                let answer = |seat: &u8| {
                    let who = name(app, *seat);
                    match r.answers.get(seat) {
                        Some(true) => format!("{who} accepted."),
                        Some(false) => format!("{who} is not available."),
                        None if online.is_connected(*seat) => format!("Waiting for {who}."),
                        None => format!("{who} is offline: send them the link of the new table."),
                    }
                };
                let answers: Vec<String> = people.iter().map(answer).collect();
                ("Rematch".to_string(), answers.join(" "))
            }
            Some(r) => (
                format!("{} wants a rematch", name(app, r.by)),
                "Same game, same rules, same seats.".to_string(),
            ),
        };
        let decline = rematch.as_ref().is_some_and(|r| !r.mine && !r.leaving).then(|| {
            view! { <button class="btn" id="decline" on:click=move |_| online.decline_rematch()>"No thanks"</button> }
        });
        (!people.is_empty() || rematch.is_some()).then(|| {
            view! {
                <section class="bx again" id="again" aria-label="Rematch" role="status">
                    <div><h2>{title}</h2><p>{text}</p></div>
                    <div class="acts3">{decline} {again_button(app)}</div>
                </section>
            }
            .into_any()
        })
    }
}

/// Renders the trust panel of an online match: whether all agree, the counts of what was verified, digest and
/// fingerprint, the terms, the connection, evidence with a button that saves it, late players, and for each
/// seat how it is reached and up to which event it has signed.
pub fn trust(app: App) -> impl IntoView {
    let online = app.online;
    let inside = move || {
        let trust = online.trust.get();
        let well = online.is_well();
        let digest = app.play.with_match(|table| table.digest()).unwrap_or_default();
        let short = digest.get(..16).unwrap_or(&digest).to_string();
        let me = online.me.with(|me| me.identity);
        let seats = online.players.get();
        let agreed = |seat: usize| trust.agreed.get(seat).copied().unwrap_or(0);
        let rows = seats.iter().enumerate().map(|(seat, (identity, host))| {
            let colour = app.play.players.with(|p| p.get(seat).map_or(0, |p| p.colour));
            let way = if *identity == me {
                "you".to_string()
            } else if let Some(host) = host {
                format!("bot, runs on {}’s device", name(app, *host))
            } else {
                online.reach.with(|r| r.get(identity).copied()).unwrap_or(Reach::Away).path().to_string()
            };
            let cheats = trust.cheats.contains(&(seat as u8));
            let says = if cheats {
                "cheated".to_string()
            } else if online.out.get().has(Seat(seat as u8)) {
                "left, a bot plays on".to_string()
            } else if *identity == me {
                "checks every move".to_string()
            } else {
                format!("signed up to event {}", agreed(seat))
            };
            view! {
                <li class=format!("c{colour}") class:bad=cheats>
                    <Drawn nodes=Signal::derive(move || vec![seat_mark(colour).into()])/>
                    <span class="idn">
                        {host.is_none().then(|| person::crest(identity, "s24"))}
                        <span><b>{name(app, seat as u8)}</b>{host.is_none().then(|| person::short(identity))}</span>
                    </span>
                    <span class="sg">{says}</span>
                    <code class="way">{way}</code>
                </li>
            }
        });
        let proofs = online.proofs.get().into_iter().map(|proof| {
            let text = format!("{} {}.", name(app, proof.seat), proof.what);
            let file = format!("{}.evidence", name(app, proof.seat).to_lowercase().replace(|c: char| !c.is_alphanumeric(), "-"));
            view! {
                <div class="proof">
                    <p class="idn">{person::crest(&proof.identity, "s32")} <span><b>{short_name(&proof.identity)}</b><small class="mono">{key_fingerprint(&proof.identity)}</small></span></p>
                    <p>{text} " The other players’ pages have the same proof. Any Pentarchy page can check the evidence file, and so can pentarchy verify."</p>
                    <button class="btn sm" id="evidence" on:click=move |_| online::save(&file, &proof.file)>{glyph("down", 16)} "Save the evidence"</button>
                </div>
            }
        });
        let late = online.late.get().into_iter().map(|(seat, owes)| {
            view! { <p class="proof">{format!("{} is late with {owes}.", name(app, seat))}</p> }
        });
        let head = if well { "All players agree" } else { "Something is wrong" };
        let bots: Vec<String> = seats
            .iter()
            .enumerate()
            .filter(|(_, (_, host))| host.is_some())
            .map(|(s, _)| name(app, s as u8))
            .collect();
        let hosted = (!bots.is_empty()).then(|| {
            let host =
                seats.iter().find_map(|(_, host)| *host).map(|host| name(app, host)).unwrap_or_default();
            let text = format!("{host}’s device runs {} and knows their cards.", and(&bots));
            view! { <p class="lbl">{text}</p> }
        });
        let terms = online.terms.get().map(|table| {
            let leave = if table.recovery == Recovery::End { "The game ends" } else { "A bot takes over" };
            let title = boards::find(&table.game).map_or("", |game| game.info.title);
            view! {
                <dt>"Game"</dt><dd id="game">{title}</dd>
                <dt>"Rules"</dt><dd id="rules">{rules_text(&table)}<small>{rules_version(&table)}</small></dd>
                <dt>"Time per move"</dt><dd id="limit">{super::friends::time_per_move(table.stall_ms)}</dd>
                <dt>"If somebody leaves"</dt><dd id="recovery">{leave}<small>{takeover_price(table.recovery)}</small></dd>
            }
        });
        view! {
            <h3 class:bad=!well id="verdict">{glyph("shield", 22)} {head}</h3>
            <dl>
                <dt>"Events verified"</dt><dd id="verified">{trust.events}</dd>
                <dt>"Signatures checked"</dt><dd>{trust.signatures}</dd>
                <dt>"Proofs checked"</dt><dd>{trust.proofs}</dd>
                <dt>"Shuffles proved"</dt><dd>{trust.shuffles}</dd>
                <dt>"Dice rolled together"</dt><dd>{trust.rolls}</dd>
                <dt>"Messages rejected"</dt><dd>{trust.refused}</dd>
                <dt>"State digest"</dt><dd class="mono" id="digest" data-digest=digest>{short}</dd>
                <dt>"Table fingerprint"</dt><dd class="mono" id="table-fingerprint">{online.fingerprint.get()}</dd>
                {terms}
                <dt>"Server"</dt><dd>{connection(online)}</dd>
            </dl>
            {proofs.collect_view()}
            {late.collect_view()}
            <ul class="peers">{rows.collect_view()}</ul>
            {hosted}
        }
    };
    view! {
        <div class="dialog narrowd tp" role="dialog" aria-modal="true" aria-label="Trust" id="trust">
            <div class="sheet-hd"><p class="lbl">"Checked by your page and by the pages of all players"</p>{close_button(app)}</div>
            {inside}
            <button class="btn sm wide" id="signed" on:click=move |_| online.save_record()>{glyph("down", 16)} "Save the signed record"</button>
        </div>
    }
}
