//! The message pump: handles inputs in order, stores what a seat signs before it is sent, and then updates the
//! page.

use super::show::BoardUpdate;
use super::{Input, MailStatus, Online, PeerState, Proof, Reach, ServerConnection, Stage, browser};
use crate::app::App;
use crate::brain::Task;
use crate::chat::ChatLine;
use crate::play::PlayerKind;
use crate::{clock, notify, thinker};
use leptos::prelude::*;
use pentarchy_engine::Seat;
use pentarchy_lobby::{ListingAnnouncer, LobbyAction, LobbyEvent, LobbyOutput, ServerCall};
use pentarchy_net::{MailError, NetEvent, PeerPath, ServerStatus};
use pentarchy_table::SessionEvent;
use std::cell::Cell;
use wasm_bindgen_futures::spawn_local;

thread_local! {
    static APP: Cell<Option<App>> = const { Cell::new(None) };
}

/// Sets the client that the pump updates. Called when a table is opened.
pub(super) fn set_app(app: App) {
    APP.set(Some(app));
}

/// Returns the client; `None` before a table is open in this page.
pub(super) fn app() -> Option<App> {
    APP.get()
}

// `#[inline(never)]` below keeps the loop small: with everything inlined, the browser would recompile one large
// function in the middle of the opening.
impl Online {
    /// Starts a task that handles the inbox until it is empty. Does nothing if one is running, or without a
    /// table. If the database fails, the stage becomes `Failed` and nothing is handled any more; if another
    /// tab has taken the table over, this tab stops.
    pub(super) fn run_inbox(self) {
        let idle = |peer_state: &mut Option<PeerState>| {
            peer_state.as_mut().is_some_and(|d| !std::mem::replace(&mut d.busy, true))
        };
        if self.peer_state.try_update_value(idle) != Some(true) {
            return;
        }
        spawn_local(async move {
            while let Some((outputs, ticked)) = self.handle_inbox() {
                if let Err(what) = self.perform_outputs(outputs, ticked).await {
                    if what == browser::STALE {
                        return self.stop_tab();
                    }
                    let text =
                        format!("This browser cannot store the game ({what}), so no more moves are sent.");
                    self.stage.set(Stage::Failed(text));
                    break;
                }
            }
        });
    }

    /// Handles all queued inputs in order. Returns the outputs of the lobby, which the caller must perform,
    /// and whether a tick was among the inputs. Returns `None` without a table, and if the inbox was empty,
    /// which also resets `busy`.
    #[inline(never)]
    fn handle_inbox(self) -> Option<(Vec<LobbyOutput>, bool)> {
        let inputs: Vec<Input> = self.peer_state.try_update_value(|peer_state| {
            let peer_state = peer_state.as_mut()?;
            let inputs: Vec<Input> = peer_state.inbox.borrow_mut().drain(..).collect();
            peer_state.busy = !inputs.is_empty();
            peer_state.busy.then_some(inputs)
        })??;
        let ticked = inputs.iter().any(|input| matches!(input, Input::Tick(_)));
        let mut outputs = Vec::new();
        for input in inputs {
            self.note_input(&input);
            let more = self.peer_state.try_update_value(|peer_state| {
                let peer_state = peer_state.as_mut()?;
                let lobby = &mut peer_state.lobby;
                Some(match input {
                    Input::Start => lobby.start(),
                    Input::Event(event) => lobby.handle_event(event),
                    Input::Wish(name, wish) => {
                        let outputs = lobby.request_seat(&name, wish);
                        (peer_state.kept.name, peer_state.kept.wish) = (name, wish);
                        peer_state.kept.confirmed = lobby.confirmed_terms().cloned();
                        self.store_table(Some(peer_state.kept.clone()));
                        outputs
                    }
                    Input::SeatBot(_) => lobby.request_seat(&peer_state.kept.name, peer_state.kept.wish),
                    Input::Call(call) => call(lobby),
                    Input::Tick(now) => lobby.tick(now),
                })
            });
            outputs.extend(more.flatten().unwrap_or_default());
        }
        Some((outputs, ticked))
    }

    /// Updates signals that depend on the input alone (connections, server, mail, seat requests, late
    /// players), before the lobby handles it. A new connection gets the own rematch offer again, mail that
    /// was fetched may complete the report about an absence, a request for a bot seats it, and a tick renews
    /// the entry in the list of open tables and announces a turn that is due.
    #[inline(never)]
    fn note_input(self, input: &Input) {
        match input {
            Input::Event(NetEvent::PeerUp { peer, identity, .. }) => {
                self.with_peer_state(|peer_state| peer_state.peers.insert(*peer, *identity));
                self.reach.update(|reach| {
                    reach.insert(*identity, Reach::Relay);
                });
                self.record_connection(*identity, true);
                self.resend_offer();
            }
            Input::Event(NetEvent::PeerDown(peer)) => {
                self.set_reach(*peer, Reach::Away);
                if let Some(identity) =
                    self.with_peer_state(|peer_state| peer_state.peers.get(peer).copied()).flatten()
                {
                    self.record_connection(identity, false);
                }
            }
            Input::Event(NetEvent::PathChanged(peer, PeerPath::Direct)) => {
                self.set_reach(*peer, Reach::Direct);
            }
            Input::Event(NetEvent::PathChanged(peer, PeerPath::Relay)) => self.set_reach(*peer, Reach::Relay),
            Input::Event(NetEvent::Server(ServerStatus::Connected)) => {
                // The server may have restarted and lost the listing of this table.
                self.with_peer_state(|peer_state| {
                    peer_state.listing.iter_mut().for_each(ListingAnnouncer::forget);
                });
                self.server.set(ServerConnection::Connected);
            }
            Input::Event(NetEvent::Server(ServerStatus::Retrying { after_ms, why })) => {
                let seconds = (*after_ms as f64 / 100.0).round() / 10.0;
                self.server.set(ServerConnection::Retrying(format!("{why}; trying again in {seconds} s")));
            }
            Input::Event(NetEvent::MailStored) => self.mail.set(MailStatus::Stored),
            Input::Event(NetEvent::MailRefused(why)) => self.mail.set(MailStatus::Refused(*why)),
            Input::Event(NetEvent::MailCaughtUp(_)) => self.finish_away_report(true),
            Input::Wish(..) => self.changed.set(None),
            Input::SeatBot(seat) => self.add_bot(*seat),
            Input::Tick(_) => {
                self.announce_table();
                self.announce_turn(false);
                self.update_late_player();
            }
            _ => {}
        }
    }

    /// Stores the table in the background; does nothing for `None`. Stops this tab if another tab has taken
    /// the table over; other errors of the database are ignored.
    pub(super) fn store_table(self, kept: Option<super::StoredTable>) {
        if let Some(kept) = kept {
            spawn_local(async move {
                if browser::put_table(&kept).await.is_err_and(|what| what == browser::STALE) {
                    self.stop_tab();
                }
            });
        }
    }

    /// Seats a Medium bot of this page at this seat and stores it with the table. Does nothing if the lobby
    /// rejects it, such as for a seat that is not free. Call it at the host only. The others learn of it with
    /// the next seat request.
    fn add_bot(self, seat: u8) {
        let bot = super::table::new_bot(seat, PlayerKind::Captain);
        let kept = self.with_peer_state(|peer_state| {
            let hosted = super::table::to_hosted(&bot);
            if !peer_state.lobby.seat_bot(seat, hosted) {
                return None;
            }
            peer_state.kept.hosted.as_mut()?.bots.push(bot);
            Some(peer_state.kept.clone())
        });
        self.store_table(kept.flatten());
    }

    /// Applies `f` to the peer state and returns its result; `None` without a table. `f` must not call
    /// anything that uses the peer state again.
    pub(super) fn with_peer_state<T>(self, f: impl FnOnce(&mut PeerState) -> T) -> Option<T> {
        self.peer_state.try_update_value(|peer_state| peer_state.as_mut().map(f)).flatten()
    }

    /// Records how messages to the player at the peer with this number travel, for the tags of seats and the
    /// trust panel. Does nothing if the identity of the peer is not known.
    fn set_reach(self, peer: u32, how: Reach) {
        if let Some(identity) =
            self.with_peer_state(|peer_state| peer_state.peers.get(&peer).copied()).flatten()
        {
            self.reach.update(|reach| {
                reach.insert(identity, how);
            });
        }
    }

    /// Performs outputs of the lobby in this order: stores log items, sends messages to peers, posts messages
    /// for players who are offline (and shows in `mail` whether the server stores them), fetches mail, and
    /// reports events to the page. Items are stored before anything is sent and if a tick was handled
    /// (`ticked`), because they may hold what this seat has signed; otherwise they wait in memory. Does nothing
    /// without a table. Before the connection is set up, messages are dropped.
    ///
    /// # Errors
    ///
    /// Fails with [`browser::STALE`] if another tab has taken the table over, or with the error of the
    /// database. Then nothing is sent or reported, and the items are neither stored nor in memory: the caller
    /// must not continue.
    async fn perform_outputs(self, outputs: Vec<LobbyOutput>, ticked: bool) -> Result<(), String> {
        let (mut items, mut sends, mut events) = (Vec::new(), Vec::new(), Vec::new());
        let (mut posts, mut fetch) = (Vec::new(), None);
        for output in outputs {
            match output {
                LobbyOutput::Action(LobbyAction::Persist(item)) => items.push(item),
                LobbyOutput::Action(LobbyAction::Send(peer, message)) => sends.push((peer, message, false)),
                LobbyOutput::Action(LobbyAction::SendBulk(peer, message)) => {
                    sends.push((peer, message, true));
                }
                LobbyOutput::Action(LobbyAction::Post(message)) => posts.push(message),
                LobbyOutput::Action(LobbyAction::FetchMail(after)) => fetch = Some(after),
                LobbyOutput::Event(event) => events.push(event),
            }
        }
        let own = !sends.is_empty() || !posts.is_empty();
        let place = self.with_peer_state(|peer_state| {
            peer_state.unsaved.append(&mut items);
            let due = if own || ticked { std::mem::take(&mut peer_state.unsaved) } else { Vec::new() };
            (
                peer_state.kept.id.clone(),
                peer_state.kept.generation,
                peer_state.stored,
                peer_state.net.clone(),
                due,
            )
        });
        let Some((id, generation, from, net, due)) = place else { return Ok(()) };
        if !due.is_empty() {
            browser::append_to_log(&id, from, &due, own, generation).await?;
            self.with_peer_state(|peer_state| peer_state.stored = from + due.len() as u32);
        }
        if let Some(net) = net {
            for (peer, message, bulk) in &sends {
                if *bulk {
                    net.send_bulk(*peer, message);
                } else {
                    net.send(*peer, message);
                }
            }
            if !posts.is_empty() {
                self.mail.set(MailStatus::Sending);
            }
            for message in &posts {
                if net.post(message).is_err() {
                    self.mail.set(MailStatus::Refused(MailError::TooLarge));
                }
            }
            if !posts.is_empty() && !net.has_unsent() && self.mail.get_untracked() == MailStatus::Sending {
                // All of them were stored before.
                self.mail.set(MailStatus::Stored);
            }
            if let Some(after) = fetch {
                net.fetch_mail(after);
            }
        }
        for event in events {
            self.report_event(event);
        }
        Ok(())
    }

    /// Updates the signals and the board for an event of the lobby or its session: seating and
    /// terms, the start, chat, new events, late players, evidence and the end. Asks a bot of this
    /// page that has to choose. If the table refuses this player, it drops the connection and sets
    /// the stage to `Failed`. Does nothing before a table is open.
    #[inline(never)]
    fn report_event(self, event: LobbyEvent) {
        let Some(app) = APP.get() else { return };
        match event {
            LobbyEvent::SeatingChanged(seating) => {
                self.fingerprint.set(seating.fingerprint());
                self.seating.set(Some(seating));
            }
            LobbyEvent::TermsChanged(change) => self.changed.set(Some(change)),
            LobbyEvent::Started => {
                self.begin_match(Vec::new());
                self.show_board_soon();
            }
            LobbyEvent::BotMustChoose(number) => self.request_bot_move(number),
            LobbyEvent::Refused(why) => {
                // Disconnect: another device may play this seat.
                self.with_peer_state(|peer_state| peer_state.net = None);
                self.stage.set(Stage::Failed(format!("{}.", crate::words::capital(&why))));
            }
            LobbyEvent::Chat { from, name, text } => {
                self.add_chat_line(ChatLine { seat: None, from, name, text, mine: false });
            }
            LobbyEvent::Session(SessionEvent::Chat { seat, text }) => {
                if self.handle_rematch_message(seat, &text) {
                    return;
                }
                let name =
                    app.play.players.with_untracked(|p| p.get(usize::from(seat)).map(|p| p.name.clone()));
                let player = self.players.with_untracked(|players| players.get(usize::from(seat)).copied());
                let from = player.map_or([0; 32], |(identity, _)| identity);
                let name = name.unwrap_or_default();
                self.add_chat_line(ChatLine { seat: Some(seat), from, name, text, mine: false });
            }
            LobbyEvent::Session(SessionEvent::Applied { entry, position, .. }) => {
                self.late.update(|late| late.clear());
                if self.asked.with_untracked(Option::is_some) {
                    self.asked.set(None);
                }
                self.queue_update(BoardUpdate::Event { number: entry.n as usize, position });
            }
            LobbyEvent::Session(SessionEvent::Rewound { to }) => {
                self.queue_update(BoardUpdate::Rewind { to: to as usize });
            }
            LobbyEvent::Session(SessionEvent::TrustChanged) => self.copy_trust(),
            LobbyEvent::Session(SessionEvent::AskDrop { seats, unreachable }) => {
                self.asked.set(Some((seats, unreachable)));
            }
            LobbyEvent::Session(SessionEvent::Refused(why)) => {
                app.allow_resending();
                // A click that comes too late needs no answer: the board shows whose turn it is.
                if untrack(|| app.play.is_own_decision()) {
                    app.show_message(format!("That move is not possible: {why}."));
                }
            }
            LobbyEvent::Session(SessionEvent::Stalled { seat, owes, .. }) => {
                self.late.update(|late| {
                    late.insert(seat, owes);
                });
            }
            LobbyEvent::Session(SessionEvent::Evidence(evidence)) => {
                let what = evidence.crime.to_string();
                let identity = evidence.identity().copied().unwrap_or_default();
                let names = app.play.names();
                let name = names.get(usize::from(evidence.offender)).cloned().unwrap_or_default();
                self.mark_cheat(identity, name, what.clone());
                let proof = Proof { seat: evidence.offender, identity, what, file: evidence.encode() };
                self.proofs.update(|proofs| proofs.push(proof));
            }
            LobbyEvent::Session(SessionEvent::Replaced { seat }) => {
                self.out.update(|out| out.insert(Seat(seat)));
                let name = app.play.names().get(usize::from(seat)).cloned().unwrap_or_default();
                app.show_message(format!("{name} is out of the game. A bot plays on with open cards."));
            }
            LobbyEvent::Session(SessionEvent::Abandoned { by, seats }) => self.end_by_claim(by, seats),
            LobbyEvent::Session(SessionEvent::Over(record)) => self.end_match(record.encode()),
            LobbyEvent::Session(SessionEvent::Broken(why)) => self.stage.set(Stage::Failed(why)),
            _ => {}
        }
    }

    /// Copies the counters of the trust panel from the session to their signal. Does nothing before the
    /// match.
    pub(super) fn copy_trust(self) {
        let trust = self
            .peer_state
            .with_value(|peer_state| Some(peer_state.as_ref()?.lobby.session()?.trust().clone()));
        if let Some(trust) = trust {
            self.trust.set(trust);
        }
    }

    /// Asks a bot of this page for its action in the background, and queues the reply. `number` is the index
    /// of the bot in the lobby. The bot gets only what its seat knows. If the worker fails, its first legal
    /// action is used; without one a message is shown. Does nothing if there is no such bot or match.
    fn request_bot_move(self, number: usize) {
        let Some(app) = APP.get() else { return };
        let about = self.peer_state.with_value(|peer_state| {
            let (bot, session) = peer_state.as_ref()?.lobby.bot(number)?;
            let session = session?;
            Some((session.seat()?, bot.level.clone(), session.entries().to_vec()))
        });
        let Some((seat, level, entries)) = about else { return };
        let Ok(header) = self.record_header(Some(seat)) else { return };
        spawn_local(async move {
            let task = Task { level, seed: clock::seed(), millis: app.thinking_time() };
            let asked = thinker::request_thought_for(&header, &entries, Seat(seat), task);
            let thought = match asked {
                Ok(promise) => thinker::receive_thought(promise).await,
                Err(what) => Err(what),
            };
            let action = thought
                .map(|thought| thought.action)
                .or_else(|what| self.first_legal_action(number).ok_or(what));
            match action {
                Ok(action) => self.call_lobby(move |lobby| lobby.choose_for_bot(number, &action)),
                Err(what) => app.show_message(format!("A bot cannot think: {what}.")),
            }
        });
    }

    /// Returns the first legal action, in canonical text, of the bot of this page with this number (its index
    /// in the lobby): the fallback if its search fails. `None` if there is no such bot, match or action.
    fn first_legal_action(self, number: usize) -> Option<String> {
        self.peer_state.with_value(|peer_state| {
            let (_, session) = peer_state.as_ref()?.lobby.bot(number)?;
            Some(session?.position().legal().ok()?.into_iter().next()?.canonical)
        })
    }

    /// Lists a table that waits for players at the server, or renews its entry, if that is due, in the background. Does
    /// nothing for unlisted tables, guests, and after the start. Errors of the server are ignored.
    fn announce_table(self) {
        let now = clock::now() as u64;
        let due =
            self.with_peer_state(|peer_state| peer_state.listing.as_mut()?.renew(&peer_state.lobby, now));
        self.send_to_server(due.flatten());
    }

    /// Sends a request to this page's server in the background; does nothing for `None`. The response and
    /// errors are ignored.
    pub(super) fn send_to_server(self, call: Option<ServerCall>) {
        if let Some(call) = call {
            spawn_local(async move { drop(notify::send_call(&call).await) });
        }
    }
}
