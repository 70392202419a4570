//! What stands around a game with others: chat, the banner that says what is wrong, the trust panel, tables to go back to.

use super::close;
use super::waiting::{connection, spaced};
use crate::app::{App, Page, Sheet};
use crate::boards;
use crate::icons::{ic, seat_mark};
use crate::online::{self, Kept, Open, Reach, Server, Stage};
use crate::play::Who;
use crate::shell::{Drawn, glyph};
use crate::words::and;
use leptos::prelude::*;
use pentarchy_table::Ending;
use wasm_bindgen_futures::spawn_local;

/// The name of a seat.
fn name(app: App, seat: u8) -> String {
    app.play
        .players
        .with(|players| players.get(usize::from(seat)).map(|p| p.name.clone()).unwrap_or_default())
}

fn names(app: App, bits: u8) -> String {
    let names: Vec<String> =
        (0..8).filter(|seat| bits >> seat & 1 != 0).map(|seat| name(app, seat)).collect();
    and(&names)
}

/// The button that opens the chat, with the number of lines that have not been read.
pub fn chat_button(app: App) -> impl IntoView {
    let online = app.online;
    move || {
        (online.stage.get() != Stage::Alone).then(|| {
            let unread =
                move || online.chat.with(Vec::len) - online.read.get().min(online.chat.with(Vec::len));
            let label = move || match unread() {
                0 => "Chat".to_string(),
                n => format!("Chat, {n} new"),
            };
            view! {
                <button class="iconbtn chatb" data-do="chat" aria-label=label title="Chat">
                    {glyph("chat", 20)}
                    {move || (unread() > 0).then(|| view! { <span class="badge">{unread()}</span> })}
                </button>
            }
        })
    }
}

/// The chat in a drawer.
pub fn chat(app: App) -> impl IntoView {
    view! {
        <div class="dialog drawer chatd" role="dialog" aria-modal="true" aria-label="Chat">
            <div class="drawer-hd"><h1 class="title">"Chat"</h1>{close(app)}</div>
            <div class="talk">{talk(app)}</div>
        </div>
    }
}

/// What was said, and a line to say something.
pub fn talk(app: App) -> impl IntoView {
    let online = app.online;
    let line = RwSignal::new(String::new());
    let list = NodeRef::<leptos::html::Div>::new();
    Effect::new(move |_| {
        online.read.set(online.chat.with(Vec::len));
        if let Some(list) = list.get() {
            request_animation_frame(move || list.set_scroll_top(list.scroll_height()));
        }
    });
    let colour = move |seat: Option<u8>| {
        let players = app.play.players.with(|p| seat.and_then(|s| p.get(usize::from(s))).map(|p| p.colour));
        players.unwrap_or(0)
    };
    let lines = move || {
        let all = online.chat.get();
        if all.is_empty() {
            return view! { <li class="lbl">"Nobody has said anything yet."</li> }.into_any();
        }
        let each = all.into_iter().map(|said| {
            view! {
                <li class=format!("c{}", colour(said.seat)) class:mine=said.mine>
                    <b class="who">{said.name}</b>
                    <span>{said.text}</span>
                </li>
            }
        });
        each.collect_view().into_any()
    };
    let say = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        online.say(&line.get_untracked());
        line.set(String::new());
    };
    view! {
        <div class="saids" role="log" aria-label="What was said" tabindex="0" node_ref=list><ol class="said">{lines}</ol></div>
        <form class="sayrow" on:submit=say>
            <input
                class="fld"
                id="say"
                maxlength="400"
                placeholder="Say something"
                aria-label="Say something"
                autocomplete="off"
                prop:value=move || line.get()
                on:input=move |event| line.set(event_target_value(&event))
            />
            <button class="btn" type="submit">"Send"</button>
        </form>
    }
}

/// What is wrong at the table, and what goes on about it.
pub fn banner(app: App) -> impl IntoView {
    let online = app.online;
    move || {
        if app.page.get() == Page::Home || app.page.get() == Page::Waiting {
            return None;
        }
        let says = |bad: bool, text: String, acts: AnyView| {
            Some(
                view! { <div class="banner" class:bad=bad role="alert" id="banner"><p>{text}</p>{acts}</div> },
            )
        };
        let record = move || {
            view! {
                <button class="btn sm" on:click=move |_| online.save_record()>"Save the signed record"</button>
                <button class="btn sm" on:click=move |_| online.leave()>"To the games"</button>
            }
        };
        let trust = move || view! { <button class="btn sm" on:click=move |_| app.sheet.set(Some(Sheet::Trust))>"What happened"</button> };
        match online.stage.get() {
            Stage::Failed(why) => {
                return says(true, format!("The game cannot go on: {why}."), record().into_any());
            }
            Stage::Over(Ending::Without(gone)) => {
                let me = app.play.players.with(|p| p.iter().position(|p| p.kind == Who::Me));
                if me.is_some_and(|me| gone >> me & 1 != 0) {
                    let text =
                        "You were away for too long: the others have signed that they go on without you.";
                    return says(true, text.to_string(), record().into_any());
                }
                let cheats =
                    online.trust.with(|trust| trust.cheats.iter().fold(0u8, |bits, seat| bits | 1 << seat));
                let why = if gone & cheats != 0 {
                    "has cheated, and everybody has the proof"
                } else {
                    "did not come back"
                };
                let text = format!("{} {why}. The others have signed the end of the game.", names(app, gone));
                return says(true, text, view! { {trust()} {record()} }.into_any());
            }
            Stage::Over(Ending::Claimed(gone)) => {
                let text =
                    format!("You have ended the game without {}. It is your claim alone.", names(app, gone));
                return says(true, text, record().into_any());
            }
            Stage::Playing => {}
            _ => return None,
        }
        if let Some(proof) = online.proofs.with(|proofs| proofs.first().cloned()) {
            let text = format!("{} has cheated: {}.", name(app, proof.seat), proof.what);
            return says(true, text, trust().into_any());
        }
        if let Some((seat, owes)) =
            online.late.with(|late| late.first_key_value().map(|(s, o)| (*s, o.clone())))
        {
            let text = format!("{} is late: the table waits for {owes}.", name(app, seat));
            let end =
                view! { <button class="btn sm" on:click=move |_| online.give_up()>"End the game"</button> };
            return says(false, text, end.into_any());
        }
        if let Server::Retrying(_) = online.server.get() {
            let text = format!("{}. The game is kept and goes on by itself.", connection(online));
            return says(false, text, ().into_any());
        }
        let me = online.me.with(|me| me.identity);
        let away: Vec<String> = online.players.with(|players| {
            let gone =
                |identity: &[u8; 32]| online.reach.with(|r| r.get(identity).copied()).unwrap_or(Reach::Away);
            let all = (0u8..)
                .zip(players)
                .filter(|(_, (id, host))| host.is_none() && *id != me && gone(id) == Reach::Away);
            all.map(|(seat, _)| name(app, seat)).collect()
        });
        if !away.is_empty() {
            let verb = if away.len() == 1 { "is" } else { "are" };
            let text =
                format!("{} {verb} away at the moment. The game goes on when they are back.", and(&away));
            return says(false, text, ().into_any());
        }
        None
    }
}

/// What was checked, and by whom.
pub fn trust(app: App) -> impl IntoView {
    let online = app.online;
    let inside = move || {
        let trust = online.trust.get();
        let well = online.is_well();
        let digest = app.play.look(|table| table.digest()).unwrap_or_default();
        let short = digest.get(..16).unwrap_or(&digest).to_string();
        let me = online.me.with(|me| me.identity);
        let seats = online.players.get();
        let agreed = |seat: usize| trust.agreed.get(seat).copied().unwrap_or(0);
        let rows = seats.iter().enumerate().map(|(seat, (identity, host))| {
            let colour = app.play.players.with(|p| p.get(seat).map_or(0, |p| p.colour));
            let way = if *identity == me {
                "this page".to_string()
            } else if let Some(host) = host {
                format!("bot of {}", name(app, *host))
            } else {
                online.reach.with(|r| r.get(identity).copied()).unwrap_or(Reach::Away).word().to_string()
            };
            let cheats = trust.cheats.contains(&(seat as u8));
            let says = if cheats {
                "has cheated".to_string()
            } else if online.out.get() >> seat & 1 != 0 {
                "is out, a bot plays on".to_string()
            } else if *identity == me {
                "checks everything here".to_string()
            } else {
                format!("signed the same up to event {}", agreed(seat))
            };
            view! {
                <li class=format!("c{colour}") class:bad=cheats>
                    <Drawn nodes=Signal::derive(move || vec![seat_mark(colour).into()])/>
                    <b>{name(app, seat as u8)}</b>
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
                    <p>{text} " The others’ pages have seen it too. Keep the evidence: any page of Pentarchy judges the file, and so does pentarchy verify."</p>
                    <button class="btn sm" id="evidence" on:click=move |_| online::save(&file, &proof.file)>{glyph("down", 16)} "Save the evidence"</button>
                </div>
            }
        });
        let late = online.late.get().into_iter().map(|(seat, owes)| {
            view! { <p class="proof">{format!("{} is late: the table waits for {owes}.", name(app, seat))}</p> }
        });
        let head = if well { "All agree" } else { "Not all is well" };
        let bots: Vec<String> = seats
            .iter()
            .enumerate()
            .filter(|(_, (_, host))| host.is_some())
            .map(|(s, _)| name(app, s as u8))
            .collect();
        let hosted = (!bots.is_empty()).then(|| {
            let host =
                seats.iter().find_map(|(_, host)| *host).map(|host| name(app, host)).unwrap_or_default();
            let text =
                format!("The cards of {} are known to the page of {host}, which runs them.", and(&bots));
            view! { <p class="lbl">{text}</p> }
        });
        view! {
            <h3 class:bad=!well id="verdict">{glyph("shield", 22)} {head}</h3>
            <dl>
                <dt>"Events verified"</dt><dd id="verified">{trust.events}</dd>
                <dt>"Signatures checked"</dt><dd>{trust.signatures}</dd>
                <dt>"Proofs checked"</dt><dd>{trust.proofs}</dd>
                <dt>"Shuffles proven"</dt><dd>{trust.shuffles}</dd>
                <dt>"Dice thrown jointly"</dt><dd>{trust.rolls}</dd>
                <dt>"Messages refused"</dt><dd>{trust.refused}</dd>
                <dt>"State digest"</dt><dd class="mono" id="digest" data-digest=digest>{short}</dd>
                <dt>"Fingerprint of the table"</dt><dd class="mono">{spaced(&online.fingerprint.get())}</dd>
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
            <div class="sheet-hd"><p class="lbl">"Checked by this page, and by everybody else’s"</p>{close(app)}</div>
            {inside}
            <button class="btn sm wide" id="signed" on:click=move |_| online.save_record()>{glyph("down", 16)} "Save the signed record"</button>
        </div>
    }
}

/// Tables that one may go back to, and those that anybody may join.
pub fn tables(app: App) -> impl IntoView {
    let kept = RwSignal::new(Vec::<Kept>::new());
    let open = RwSignal::new(Vec::<Open>::new());
    spawn_local(async move {
        // On the way from one game to another this page is passed by.
        crate::page::sleep(0).await;
        if app.page.get_untracked() != Page::Home {
            return;
        }
        // Whoever has gone on to a game meanwhile does not see this any more: nothing is read from the signals.
        let all = online::all_tables().await.into_iter();
        let own: Vec<Kept> = all.filter(|table| !table.over && !table.game.is_empty()).take(4).collect();
        let known: Vec<_> = own.iter().map(|table| table.id.clone()).collect();
        kept.set(own);
        let mut tables = online::open_tables().await;
        tables.retain(|table| table.taken < table.seats && !known.contains(&table.id));
        tables.truncate(6);
        open.set(tables);
    });
    let mine = move || {
        kept.get().into_iter().map(|table| {
            let others: Vec<String> = table.players.iter().filter(|name| **name != table.name).cloned().collect();
            let with = if others.is_empty() { "waiting for friends".to_string() } else { format!("with {}", and(&others)) };
            let (id, link, game) = (table.id, table.link, table.game);
            let forget = move |_| {
                let id = id.clone();
                kept.update(|kept| kept.retain(|table| table.id != id));
                spawn_local(async move { online::forget_table(&id).await });
            };
            view! {
                <div class="cn" data-game=game.clone() data-theme="dark">
                    {emblem(&game)}
                    <span><b>{title(&game)}</b><small>{with}</small></span>
                    <span class="wt">"online"</span>
                    <a class="btn go sm" href=link>"Back to the table"</a>
                    <button class="iconbtn" aria-label=format!("Forget this table of {}", title(&game)) on:click=forget>{glyph("x", 18)}</button>
                </div>
            }
        }).collect_view()
    };
    let others = move || {
        open.get()
            .into_iter()
            .map(|table| {
                let link = format!("{}/t/{}#{}", online::server(), table.id, table.key);
                let free =
                    format!("{} opened it, {} of {} seats taken", table.host, table.taken, table.seats);
                let game = table.game;
                view! {
                    <div class="cn" data-game=game.clone() data-theme="dark">
                        {emblem(&game)}
                        <span><b>{title(&game)}</b><small>{free}</small></span>
                        <span class="wt">"open to anybody"</span>
                        <a class="btn sm" href=link>"Join"</a>
                    </div>
                }
            })
            .collect_view()
    };
    move || {
        let any = kept.with(|kept| !kept.is_empty()) || open.with(|open| !open.is_empty());
        any.then(|| view! { <section class="cont" aria-label="Tables with others">{mine} {others}</section> })
    }
}

fn emblem(game: &str) -> impl IntoView + use<> {
    let emblem = boards::find(game).map_or("chess-knight", |game| game.look.emblem);
    view! { <span class="em"><Drawn nodes=Signal::derive(move || vec![ic(emblem).into()])/></span> }
}

fn title(game: &str) -> &'static str {
    boards::find(game).map_or("?", |game| game.info.title)
}
