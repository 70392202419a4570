//! What comes in is handled in order; what a seat signs is stored, and only then sent; then the page shows it.

use super::{ChatLine, Input, Online, PeerState, Proof, Reach, ServerConnection, Stage, browser};
use crate::app::{App, Screen};
use crate::boards;
use crate::brain::Task;
use crate::play::{Eyes, PlayerKind, SeatPlayer};
use crate::session::is_silent;
use crate::{clock, page, thinker};
use leptos::prelude::*;
use pentarchy_engine::record::{Header, Record, RecordKind};
use pentarchy_engine::{Node, Observer, Seat};
use pentarchy_net::{Event, Path, Status, Step, fingerprint};
use pentarchy_table::{Ending, Output, Session};
use std::cell::Cell;
use wasm_bindgen_futures::spawn_local;

/// Whoever is further behind than this many events is shown the last of them only.
const MOST_BEHIND: usize = 24;
/// What follows from an event at once, without a decision, is shown together with it if it takes no longer than this, in
/// milliseconds: cards are dealt one by one, and each of them is a few messages of everybody.
const TOGETHER: f64 = 120.0;
/// The table is laid when the first decision is due, or after so many milliseconds.
const LAID: f64 = 2_500.0;
/// How often it is looked whether it is time, in milliseconds.
const LOOK: i32 = 15;
/// How often the lobby hears of an open table, in milliseconds.
const RENEW: f64 = 30_000.0;

thread_local! {
    static APP: Cell<Option<App>> = const { Cell::new(None) };
}

pub(super) fn set_app(app: App) {
    APP.set(Some(app));
}

/// The client, once a table is open in this page.
pub(super) fn app() -> Option<App> {
    APP.get()
}

/// What this page does next is forged: what, by its name.
#[cfg(feature = "cheat")]
pub fn forge(what: &str) {
    if let (Some(app), Some(forgery)) = (APP.get(), pentarchy_table::Forgery::named(what)) {
        app.online.push(Input::Forge(forgery));
    }
}

// What the loop calls is never inlined into it: a browser would compile it all anew in the middle of the opening.
impl Online {
    /// Works off the inbox, unless somebody is at it already.
    pub(super) fn work(self) {
        let idle = |desk: &mut Option<PeerState>| {
            desk.as_mut().is_some_and(|d| !std::mem::replace(&mut d.busy, true))
        };
        if self.desk.try_update_value(idle) != Some(true) {
            return;
        }
        spawn_local(async move {
            while let Some((steps, ticked)) = self.take_inbox() {
                if let Err(what) = self.follow(steps, ticked).await {
                    if what == browser::STALE {
                        return self.lose();
                    }
                    let text =
                        format!("This browser cannot store the game ({what}), so no more moves are sent.");
                    self.stage.set(Stage::Failed(text));
                    break;
                }
            }
        });
    }

    /// Handles all that has come, and whether the time was told among it; nothing if nothing has come.
    #[inline(never)]
    fn take_inbox(self) -> Option<(Vec<Step>, bool)> {
        let inputs: Vec<Input> = self.desk.try_update_value(|desk| {
            let desk = desk.as_mut()?;
            let inputs: Vec<Input> = desk.inbox.borrow_mut().drain(..).collect();
            desk.busy = !inputs.is_empty();
            desk.busy.then_some(inputs)
        })??;
        let ticked = inputs.iter().any(|input| matches!(input, Input::Tick(_)));
        let mut steps = Vec::new();
        for input in inputs {
            self.note(&input);
            let more = self.desk.try_update_value(|desk| {
                let desk = desk.as_mut()?;
                let party = &mut desk.party;
                Some(match input {
                    Input::Start => party.start(),
                    Input::Event(event) => party.event(event),
                    Input::Wish(name, wish) => {
                        let steps = party.wish(&name, wish);
                        (desk.kept.name, desk.kept.wish) = (name, wish);
                        desk.kept.confirmed = party.confirmed().cloned();
                        self.keep(Some(desk.kept.clone()));
                        steps
                    }
                    Input::Open => party.open(),
                    Input::SeatBot(_) => party.wish(&desk.kept.name, desk.kept.wish),
                    Input::Choose(text) => party.choose(&text),
                    Input::BotChose(number, text) => party.bot_chooses(number, &text),
                    Input::Chat(text) => party.chat(&text),
                    Input::Mute(identity, is_muted) => {
                        party.mute(identity, is_muted);
                        Vec::new()
                    }
                    Input::Remove(identity) => party.remove(identity),
                    Input::GiveUp => party.give_up(),
                    Input::Thinking => party.thinking(),
                    Input::Drop(seats) => party.drop_seats(seats),
                    Input::Wait => party.wait(),
                    Input::Tick(now) => party.tick(now),
                    #[cfg(feature = "cheat")]
                    Input::Forge(forgery) => party.forge(forgery),
                })
            });
            steps.extend(more.flatten().unwrap_or_default());
        }
        Some((steps, ticked))
    }

    /// What can be told of an input before it is handled.
    #[inline(never)]
    fn note(self, input: &Input) {
        match input {
            Input::Event(Event::Up { peer, identity, .. }) => {
                self.with_desk(|desk| desk.peers.insert(*peer, *identity));
                self.reach.update(|reach| {
                    reach.insert(*identity, Reach::Relay);
                });
                self.note_seen(*identity, true);
                self.repeat_offer();
            }
            Input::Event(Event::Down(peer)) => {
                self.reached(*peer, Reach::Away);
                if let Some(identity) = self.with_desk(|desk| desk.peers.get(peer).copied()).flatten() {
                    self.note_seen(identity, false);
                }
            }
            Input::Event(Event::Path(peer, Path::Direct)) => self.reached(*peer, Reach::Direct),
            Input::Event(Event::Path(peer, Path::Relay)) => self.reached(*peer, Reach::Relay),
            Input::Event(Event::Server(Status::Connected)) => {
                // It may be another than before, and know nothing of this table.
                self.with_desk(|desk| desk.listed = 0.0);
                self.server.set(ServerConnection::Connected);
            }
            Input::Event(Event::Server(Status::Retrying { after_ms, why })) => {
                let seconds = (*after_ms as f64 / 100.0).round() / 10.0;
                self.server.set(ServerConnection::Retrying(format!("{why}; trying again in {seconds} s")));
            }
            Input::Wish(..) => self.changed.set(None),
            Input::SeatBot(seat) => self.add_bot(*seat),
            Input::Tick(_) => {
                self.list();
                self.watch_clock();
            }
            _ => {}
        }
    }

    pub(super) fn keep(self, kept: Option<super::StoredTable>) {
        if let Some(kept) = kept {
            spawn_local(async move {
                if browser::put(&kept).await.is_err_and(|what| what == browser::STALE) {
                    self.lose();
                }
            });
        }
    }

    /// Seats a bot of this page at a free seat.
    fn add_bot(self, seat: u8) {
        let bot = super::table::bot(seat, PlayerKind::Captain);
        let kept = self.with_desk(|desk| {
            let hosted = super::table::hosted(&bot);
            if !desk.party.seat_bot(seat, hosted) {
                return None;
            }
            desk.kept.hosted.as_mut()?.bots.push(bot);
            Some(desk.kept.clone())
        });
        self.keep(kept.flatten());
    }

    pub(super) fn with_desk<T>(self, f: impl FnOnce(&mut PeerState) -> T) -> Option<T> {
        self.desk.try_update_value(|desk| desk.as_mut().map(f)).flatten()
    }

    fn reached(self, peer: u32, how: Reach) {
        if let Some(identity) = self.with_desk(|desk| desk.peers.get(&peer).copied()).flatten() {
            self.reach.update(|reach| {
                reach.insert(identity, how);
            });
        }
    }

    /// Stores, then sends, then tells. What is not stored yet is stored before anything is sent, or when the time is told:
    /// it may hold what this seat has signed while nobody was there.
    async fn follow(self, steps: Vec<Step>, ticked: bool) -> Result<(), String> {
        let (mut items, mut sends, mut tell) = (Vec::new(), Vec::new(), Vec::new());
        for step in steps {
            match step {
                Step::Persist(item) => items.push(item),
                Step::Send(peer, message) => sends.push((peer, message, false)),
                Step::SendBulk(peer, message) => sends.push((peer, message, true)),
                other => tell.push(other),
            }
        }
        let own = !sends.is_empty();
        let place = self.with_desk(|desk| {
            desk.unsaved.append(&mut items);
            let due = if own || ticked { std::mem::take(&mut desk.unsaved) } else { Vec::new() };
            (desk.kept.id.clone(), desk.kept.generation, desk.stored, desk.net.clone(), due)
        });
        let Some((id, generation, from, net, due)) = place else { return Ok(()) };
        if !due.is_empty() {
            browser::append(&id, from, &due, own, generation).await?;
            self.with_desk(|desk| desk.stored = from + due.len() as u32);
        }
        if let Some(net) = net {
            for (peer, message, bulk) in &sends {
                if *bulk {
                    net.send_bulk(*peer, message);
                } else {
                    net.send(*peer, message);
                }
            }
        }
        for step in tell {
            self.tell(step);
        }
        self.look();
        Ok(())
    }

    /// Something has happened.
    #[inline(never)]
    fn tell(self, step: Step) {
        let Some(app) = APP.get() else { return };
        match step {
            Step::Seats(seating) => {
                self.fingerprint.set(seating.fingerprint());
                self.seating.set(Some(seating));
            }
            Step::Changed(change) => self.changed.set(Some(change)),
            Step::Begun => {
                self.begun();
                spawn_local(async move {
                    self.rest(LAID).await;
                    self.lay();
                });
            }
            Step::BotChooses(number) => self.ask_bot(number),
            Step::Refused(why) => {
                // Nothing more is said to the table: another device may play this seat.
                self.with_desk(|desk| desk.net = None);
                self.stage.set(Stage::Failed(format!("{}.", crate::words::capital(&why))));
            }
            Step::Chat { from, name, text } => {
                self.add_line(ChatLine { seat: None, from, name, text, mine: false });
            }
            Step::Session(Output::Chat { seat, text }) => {
                if self.hear_rematch(seat, &text) {
                    return;
                }
                let name =
                    app.play.players.with_untracked(|p| p.get(usize::from(seat)).map(|p| p.name.clone()));
                let player = self.players.with_untracked(|players| players.get(usize::from(seat)).copied());
                let from = player.map_or([0; 32], |(identity, _)| identity);
                let name = name.unwrap_or_default();
                self.add_line(ChatLine { seat: Some(seat), from, name, text, mine: false });
            }
            Step::Session(Output::Event { .. }) => {
                self.late.update(|late| late.clear());
                if self.asked.with_untracked(Option::is_some) {
                    self.asked.set(None);
                }
            }
            Step::Session(Output::AskDrop { seats, unreachable }) => {
                self.asked.set(Some((seats, unreachable)))
            }
            Step::Session(Output::Refused(why)) => app.say(format!("That move is not possible: {why}.")),
            Step::Session(Output::Stalled { seat, owes, .. }) => {
                self.late.update(|late| {
                    late.insert(seat, owes);
                });
            }
            Step::Session(Output::Evidence(evidence)) => {
                let what = evidence.crime.to_string();
                let identity = evidence.identity().copied().unwrap_or_default();
                let names = app.play.names();
                let name = names.get(usize::from(evidence.offender)).cloned().unwrap_or_default();
                self.mark_cheat(identity, name, what.clone());
                let proof = Proof { seat: evidence.offender, identity, what, file: evidence.encode() };
                self.proofs.update(|proofs| proofs.push(proof));
            }
            Step::Session(Output::Replaced { seat }) => {
                self.out.update(|out| *out |= 1 << seat);
                let name = app.play.names().get(usize::from(seat)).cloned().unwrap_or_default();
                app.say(format!("{name} is out of the game. A bot plays on with open cards."));
            }
            Step::Session(Output::Over(record)) => self.over(record.encode()),
            Step::Session(Output::Broken(why)) => self.stage.set(Stage::Failed(why)),
            _ => {}
        }
    }

    /// What has changed at the session is seen.
    #[inline(never)]
    fn look(self) {
        let trust = self.desk.with_value(|desk| Some(desk.as_ref()?.party.session()?.trust().clone()));
        if let Some(trust) = trust
            && self.trust.with_untracked(|known| *known != trust)
        {
            self.trust.set(trust);
            self.show();
        }
        self.hear_claims();
    }

    /// A game that was under way when the page was left goes on.
    pub(super) fn resumed(self) {
        let ending = self.desk.with_value(|desk| {
            let session = desk.as_ref()?.party.session()?;
            Some((session.ending(), session.record().encode()))
        });
        let Some((ending, record)) = ending else { return };
        self.begun();
        self.lay();
        self.came_back();
        if ending.is_some() {
            self.over(record);
        }
        self.look();
    }

    /// The game begins: it is laid out as this player sees it.
    #[inline(never)]
    fn begun(self) {
        let Some(app) = APP.get() else { return };
        let descriptor = self.desk.with_value(|desk| {
            let session = desk.as_ref()?.party.session()?;
            Some((session.descriptor().clone(), session.seat()))
        });
        let Some((descriptor, seat)) = descriptor else { return };
        let laid = (|| {
            let game = boards::find(&descriptor.game)?;
            let header = self.header(seat)?;
            let table = boards::load(&Record { header, entries: Vec::new() })?;
            Ok::<_, String>((game, table))
        })();
        let (game, table) = match laid {
            Ok(laid) => laid,
            Err(what) => return self.stage.set(Stage::Failed(what)),
        };
        let players: Vec<SeatPlayer> = (0u8..)
            .zip(&descriptor.players)
            .map(|(s, player)| SeatPlayer {
                name: if player.name.is_empty() { format!("Seat {}", s + 1) } else { player.name.clone() },
                colour: game.look.colours[usize::from(s) % 6],
                kind: if Some(s) == seat { PlayerKind::Me } else { PlayerKind::Far },
            })
            .collect();
        let names: Vec<String> = players.iter().map(|p| p.name.clone()).collect();
        app.play.sit(table, players, String::new());
        app.play.eyes.set(Eyes(seat.map_or(Observer::Spectator, |seat| Observer::Seat(Seat(seat)))));
        // Nothing is shown before the table is laid.
        self.with_desk(|desk| desk.showing = true);
        thinker::forget();
        let identities: Vec<_> = descriptor.players.iter().map(|player| player.identity).collect();
        self.with_net(|net| net.reserve(identities));
        self.players.set(descriptor.players.iter().map(|player| (player.identity, player.host)).collect());
        let me = self.me.with_untracked(|me| me.identity);
        let others = descriptor.players.iter().filter(|p| p.host.is_none() && p.identity != me);
        self.meet_players(others.map(|player| (player.identity, player.name.clone())).collect());
        self.fingerprint.set(fingerprint(&descriptor));
        self.terms.set(Some((descriptor.recovery, descriptor.stall_ms)));
        let kept = self.with_desk(|desk| {
            desk.kept.game.clone_from(&descriptor.game);
            desk.kept.players = names;
            if let Some(seating) = desk.party.seating() {
                desk.kept.levels = seating.chairs.iter().map(|chair| chair.as_ref()?.bot.clone()).collect();
            }
            desk.kept.clone()
        });
        self.keep(kept.clone());
        if let Some(plan) = kept.as_ref().and_then(|kept| kept.hosted.clone()).filter(|plan| plan.listed) {
            let path = format!("/api/tables/{}", kept.map(|kept| kept.id).unwrap_or_default());
            spawn_local(async move { drop(browser::ask("DELETE", &path, &plan.owner, "").await) });
        }
        page::set_root("data-game", game.info.name);
        if seat.is_none() {
            page::set_root("data-watch", "1");
        }
    }

    /// Lays the table: from now on this page shows it.
    #[inline(never)]
    fn lay(self) {
        let Some(app) = APP.get() else { return };
        match self.stage.get_untracked() {
            Stage::Waiting => self.stage.set(Stage::Playing),
            Stage::Failed(_) => return,
            _ => {}
        }
        // What has happened so far lies on the table from the first, so that it is drawn once.
        while self.show_one(app).is_some() {}
        app.sheet.set(None);
        app.page.set(Screen::Table);
        self.with_desk(|desk| desk.showing = false);
        self.show();
    }

    /// Waits until nothing happens any more unless somebody decides, so many milliseconds at most.
    async fn rest(self, most: f64) {
        let began = clock::now();
        let rests = |session: &Session| {
            session.is_over() || matches!(session.position().node(), Node::Decide(_) | Node::Over)
        };
        let resting = move || {
            self.desk.with_value(|desk| desk.as_ref().and_then(|desk| desk.party.session()).is_none_or(rests))
        };
        while clock::now() - began < most && !resting() {
            page::sleep(LOOK).await;
        }
    }

    /// The first line of the record as a seat sees it.
    fn header(self, seat: Option<u8>) -> Result<Header, String> {
        let header = self.desk.with_value(|desk| {
            let session = desk.as_ref()?.party.session()?;
            let options = serde_json::from_str(&session.descriptor().options).ok()?;
            let record = session.game().record(session.descriptor().seats(), &options, None).ok()?;
            Some(record.header)
        });
        let mut header = header.ok_or("there is no game")?;
        header.kind = seat.map_or(RecordKind::Public, |seat| RecordKind::Seat(Seat(seat)));
        Ok(header)
    }

    /// Shows the events that are not on the board yet, one after the other.
    fn show(self) {
        let idle = self.with_desk(|desk| !std::mem::replace(&mut desk.showing, true));
        let (Some(app), Some(true)) = (APP.get(), idle) else { return };
        spawn_local(async move {
            self.rest(TOGETHER).await;
            while let Some(left) = self.show_one(app) {
                // Who has much to catch up with sees the end of it.
                if left > 0 && left < MOST_BEHIND {
                    page::sleep(app.pause()).await;
                }
            }
            self.with_desk(|desk| desk.showing = false);
            self.note_status();
            if self.stage.with_untracked(|stage| *stage == Stage::Over(Ending::Played))
                && app.page.get_untracked() == Screen::Table
                && app.play.at.get_untracked().is_none()
                && app.play.peek(|table| table.outcome().is_some()) == Some(true)
                && app.play.eyes.get_untracked() != Eyes(Observer::All)
            {
                app.finished();
            }
        });
    }

    /// Shows the next event; how many are left after it, 0 for those that need no time.
    #[inline(never)]
    fn show_one(self, app: App) -> Option<usize> {
        let play = app.play;
        self.take_back(app);
        let (at, node) = play.peek(|table| (table.entries().len(), table.node()))?;
        let (entry, all) = self.desk.with_value(|desk| {
            let entries = desk.as_ref()?.party.session()?.entries();
            Some((entries.get(at)?.clone(), entries.len()))
        })?;
        if let Err(what) = play.touch(|table| table.follow(&entry))? {
            play.trouble.set(Some(what));
            return None;
        }
        let left = all - at - 1;
        if left < MOST_BEHIND {
            app.after_event();
            app.tell();
        }
        let own = play.peek(|table| table.actors().last().copied().flatten()).flatten();
        if own.is_some() && own == play.seat() {
            play.since.set(at + 1);
        }
        Some(if is_silent(node) || left >= MOST_BEHIND { 0 } else { left })
    }

    /// Where the others have agreed to take something back, because somebody is out, the board takes it back too.
    fn take_back(self, app: App) {
        let back = self.desk.with_value(|desk| {
            let entries = desk.as_ref()?.party.session()?.entries();
            app.play.peek(|table| {
                let shown = table.entries();
                let same = |at: usize| entries.get(at).is_some_and(|entry| entry.digest == shown[at].digest);
                let all_same = shown.is_empty() || same(shown.len() - 1);
                if all_same { 0 } else { shown.len() - (0..shown.len()).take_while(|&at| same(at)).count() }
            })
        });
        if let Some(back) = back.filter(|back| *back > 0) {
            app.play.touch(|table| table.take_back(back));
            app.play.renew_log();
            thinker::forget();
            app.play.changed();
        }
    }

    /// The game has ended, by the rules or otherwise.
    fn over(self, record: Vec<u8>) {
        let ending = self.desk.with_value(|desk| desk.as_ref()?.party.session()?.ending());
        let kept = self.with_desk(|desk| {
            desk.record = Some(record);
            desk.kept.over = true;
            desk.kept.clone()
        });
        self.keep(kept);
        let ending = ending.unwrap_or(Ending::Played);
        self.stage.set(Stage::Over(ending));
        self.note_ending(ending);
        self.show();
    }

    /// A bot of this page is to choose: it is told what its own seat knows, and nothing else.
    fn ask_bot(self, number: usize) {
        let Some(app) = APP.get() else { return };
        let about = self.desk.with_value(|desk| {
            let (bot, session) = desk.as_ref()?.party.bot(number)?;
            let session = session?;
            Some((session.seat()?, bot.level.clone(), session.entries().to_vec()))
        });
        let Some((seat, level, entries)) = about else { return };
        let Ok(header) = self.header(Some(seat)) else { return };
        spawn_local(async move {
            let task = Task { level, seed: clock::seed(), millis: app.thinking_time() };
            let asked = thinker::ask(&header, &entries, Seat(seat), task);
            let thought = match asked {
                Ok(promise) => thinker::receive(promise).await,
                Err(what) => Err(what),
            };
            let action =
                thought.map(|thought| thought.action).or_else(|what| self.first_of(number).ok_or(what));
            match action {
                Ok(action) => self.push(Input::BotChose(number, action)),
                Err(what) => app.say(format!("A bot cannot think: {what}.")),
            }
        });
    }

    /// Something that a bot may do.
    fn first_of(self, number: usize) -> Option<String> {
        self.desk.with_value(|desk| {
            let (_, session) = desk.as_ref()?.party.bot(number)?;
            Some(session?.position().legal().ok()?.into_iter().next()?.canonical)
        })
    }

    /// Tells the lobby of a table that waits for players.
    fn list(self) {
        let now = clock::now();
        let due = self.with_desk(|desk| {
            let plan = desk.kept.hosted.as_ref().filter(|plan| plan.listed)?;
            if desk.party.session().is_some() || desk.listed > 0.0 && now - desk.listed < RENEW {
                return None;
            }
            desk.listed = now;
            let taken = desk.party.seating()?.players().count();
            let key = desk.kept.link.split_once('#')?.1.to_owned();
            let body = serde_json::json!({
                "game": plan.game, "title": "", "host": desk.kept.name, "seats": plan.seats, "taken": taken, "key": key,
            });
            Some((format!("/api/tables/{}", desk.kept.id), plan.owner.clone(), body.to_string()))
        });
        if let Some((path, owner, body)) = due.flatten() {
            spawn_local(async move { drop(browser::ask("PUT", &path, &owner, &body).await) });
        }
    }
}
