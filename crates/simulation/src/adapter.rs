//! The process on one machine: the real mesh and the real lobby, driven as the terminal and the page drive them. All that
//! the simulation knows of `Mesh`, `Lobby` and `PeerSession` is in this file.

use crate::cheating::{CheatPlan, Tampering};
use crate::disk::AppendLog;
use crate::lying_host::LyingHost;
use pentarchy_engine::{AnyGame, Rng, Seat, SeatSet, Token};
use pentarchy_keys::{Entropy, SigningSecret};
use pentarchy_lobby::{
    HostedBot, Lobby, LobbyAction, LobbyEvent, LobbyOutput, SeatRequest, Seating, SecretBytes, TableSetup,
};
use pentarchy_net::{Footprint, Invite, Mesh, MeshAction, MeshOutput, NetEvent, PeerId, PublicIdentity};
use pentarchy_table::sim::{Tapped, tap};
use pentarchy_table::{Descriptor, Ending, PeerSession, SessionEvent};
use std::collections::{BTreeMap, VecDeque};

/// The first byte of a message of a session, between peers.
const SESSION: u8 = 1;
/// The first bytes of a handshake message, and of its first step.
const HANDSHAKE: [u8; 2] = [2, 1];

/// What a process wants done, and what happened in it.
pub(crate) enum Effect {
    /// Send a frame to the relay.
    Relay(Vec<u8>),
    /// Send a packet by the direct connection to the machine with this identity.
    Direct(PublicIdentity, Vec<u8>),
    /// What was appended has to become durable.
    Sync,
    /// The player, or a bot by its number, has to choose.
    Choose(Option<usize>),
    /// A seating was shown to the player.
    Shown(Seating),
    /// The terms changed: the player has to confirm them again.
    Changed,
    /// The table begins.
    Begun(Descriptor),
    /// The table cannot be joined.
    Refused(String),
    /// The session told something.
    Told(SessionEvent),
    /// A message of a session left this machine.
    Signed(Tapped),
    /// A session message came in.
    Heard(Vec<u8>),
    /// All mail that was stored has come in.
    CaughtUp,
}

/// Everything that a process is started with.
pub(crate) struct Start<'a> {
    pub(crate) invite: &'a Invite,
    pub(crate) identity: [u8; 32],
    pub(crate) seed: [u8; 32],
    pub(crate) mesh_seed: [u8; 32],
    pub(crate) name: String,
    pub(crate) setup: Option<TableSetup>,
    pub(crate) bots: Vec<[u8; 32]>,
    pub(crate) wish: SeatRequest,
    /// The terms that the player has confirmed before.
    pub(crate) confirmed: Option<Descriptor>,
    pub(crate) stored: Vec<Vec<u8>>,
    pub(crate) cheat: Option<CheatPlan>,
    pub(crate) lying: Option<LyingHost>,
}

/// A message that waits until the first `need` items are durable.
struct Held {
    need: usize,
    route: Route,
    bytes: Vec<u8>,
}

/// Where a message goes.
#[derive(Clone, Copy)]
enum Route {
    Peer(PeerId),
    /// To a peer, as an answer that gives way to other messages.
    Bulk(PeerId),
    /// To the mailbox of the table.
    Mailbox,
}

/// A running process.
pub(crate) struct Process {
    mesh: Mesh,
    lobby: Lobby,
    name: String,
    identity: SigningSecret,
    cheat: Option<CheatPlan>,
    lying: Option<LyingHost>,
    /// Sends that wait for the disk, in order.
    held: VecDeque<Held>,
    /// A request for the log that this process has made, for floods.
    request: Option<Vec<u8>>,
    identities: BTreeMap<PeerId, PublicIdentity>,
    /// A mutant that does not wait for its disk.
    pub(crate) sends_before_durable: bool,
    /// A mutant that posts nothing.
    pub(crate) posts_nothing: bool,
    effects: Vec<Effect>,
}

/// Returns the public identity that belongs to a secret signing key.
pub(crate) fn public(secret: &[u8; 32]) -> PublicIdentity {
    *SigningSecret::from_bytes(secret).public().bytes()
}

/// Returns the game of exactly this name from the registry of all games; `None` if there is none.
fn find(name: &str) -> Option<&'static dyn AnyGame> {
    pentarchy_registry::find(name).ok()
}

impl Process {
    /// Starts a process: creates mesh and lobby, seats the bots of the host at the seats from 1, records
    /// the terms of `confirmed`, restores the `stored` items, and lets the lobby act. A watcher requests to
    /// watch unless a session was restored; everybody else keeps the request of a new lobby, for any seat
    /// and ready. New items go to `disk` (not durable yet); effects are collected for
    /// [`take_effects`](Self::take_effects). A cheater or a lying host is set up by `cheat` and `lying`.
    ///
    /// # Errors
    ///
    /// Fails if the lobby rejects the stored items.
    pub(crate) fn start(start: Start<'_>, disk: &mut AppendLog) -> Result<Self, String> {
        let Start { invite, identity, seed, mesh_seed, name, setup, bots, wish, confirmed, stored, .. } =
            start;
        let secret = || SigningSecret::from_bytes(&identity);
        let mesh = Mesh::new(invite.table(), &invite.key, &secret(), mesh_seed);
        // Fresh in each life of the process, as the seed of the mesh is.
        let entropy = Entropy::new(mesh_seed.map(|byte| !byte));
        let mut lobby = Lobby::new(find, secret(), &name, invite.host, setup, seed, entropy);
        for (number, bot) in (1u8..).zip(bots) {
            let identity = SigningSecret::from_bytes(&bot);
            let hosted = HostedBot {
                identity,
                name: format!("Bot {number}"),
                level: "random".into(),
                seed: SecretBytes::new(bot),
            };
            lobby.seat_bot(number, hosted);
        }
        if let Some(table) = confirmed {
            lobby.confirm_terms(table);
        }
        if !stored.is_empty() {
            lobby.restore(stored.into_iter()).map_err(|e| e.to_string())?;
        }
        let mut process = Self {
            mesh,
            lobby,
            name,
            identity: secret(),
            cheat: start.cheat,
            lying: start.lying,
            held: VecDeque::new(),
            request: None,
            identities: BTreeMap::new(),
            sends_before_durable: false,
            posts_nothing: false,
            effects: Vec::new(),
        };
        process.corrupt();
        let mut outputs = process.lobby.start();
        if process.lobby.session().is_none() && !process.lobby.is_host() && wish == SeatRequest::Watch {
            outputs.extend(process.lobby.request_seat(&process.name, SeatRequest::Watch));
        }
        process.follow(outputs, disk);
        process.pump(disk);
        Ok(process)
    }

    // --- what comes in

    /// Passes a frame of the relay to the mesh. What results is written to `disk` and collected as
    /// effects.
    pub(crate) fn relay_frame(&mut self, frame: &[u8], disk: &mut AppendLog) {
        self.mesh.handle_relay_frame(frame);
        self.pump(disk);
    }

    /// Tells the mesh that the relay connection ended. What results is written to `disk` and
    /// collected as effects. Does not schedule a new connection.
    pub(crate) fn relay_down(&mut self, disk: &mut AppendLog) {
        self.mesh.handle_relay_down();
        self.pump(disk);
    }

    /// Passes a packet that arrived on a direct path to the mesh. What results is written to `disk`
    /// and collected as effects. Ignores the packet if no peer with the identity `from` has been up
    /// in this process.
    pub(crate) fn direct(&mut self, from: &PublicIdentity, packet: &[u8], disk: &mut AppendLog) {
        if let Some(peer) = self.peer(from) {
            self.mesh.handle_direct_packet(peer, packet);
            self.pump(disk);
        }
    }

    /// Tells the mesh that the direct connection to the machine of identity `to` is up (`up`) or
    /// down. What results is written to `disk` and collected as effects. Returns `false`, and does
    /// nothing, if no peer with this identity has been up in this process.
    pub(crate) fn connect_directly(&mut self, to: &PublicIdentity, up: bool, disk: &mut AppendLog) -> bool {
        let Some(peer) = self.peer(to) else { return false };
        if up {
            self.mesh.handle_direct_up(peer);
        } else {
            self.mesh.handle_direct_down(peer);
        }
        self.pump(disk);
        true
    }

    /// Advances the mesh and the lobby to `now`, the milliseconds that the clock of this machine
    /// shows. What results is written to `disk` and collected as effects.
    pub(crate) fn tick(&mut self, now: u64, disk: &mut AppendLog) {
        self.mesh.tick(now);
        let outputs = self.lobby.tick(now);
        self.follow(outputs, disk);
        self.pump(disk);
    }

    /// Sends the messages that waited until the first `durable` items of the disk are durable, as effects. What results
    /// is written to `disk`. Does not sync the disk: the caller must have done it.
    pub(crate) fn synced(&mut self, durable: usize, disk: &mut AppendLog) {
        self.release(durable);
        self.pump(disk);
    }

    /// Transmits the held messages in order, up to the first one that needs more than `durable` durable
    /// items. The rest stays held.
    fn release(&mut self, durable: usize) {
        while let Some(held) = self.held.pop_front_if(|held| held.need <= durable) {
            self.transmit(&held);
        }
    }

    /// Plays a random legal action, drawn from `rng`, for the player (`bot` is `None`) or for the
    /// hosted bot of this number. What results is written to `disk` and collected as effects. Does
    /// nothing if there is no session, no such bot, or nothing to choose now.
    pub(crate) fn choose(&mut self, bot: Option<usize>, rng: &mut Rng, disk: &mut AppendLog) {
        let session = match bot {
            None => self.lobby.session(),
            Some(number) => self.lobby.bot(number).and_then(|(_, session)| session),
        };
        let chosen = session.and_then(|session| session.position().choose_random(rng).ok());
        let Some(text) = chosen else { return };
        let outputs = match bot {
            None => self.lobby.choose_action(&text),
            Some(number) => self.lobby.choose_for_bot(number, &text),
        };
        self.follow(outputs, disk);
        self.pump(disk);
    }

    /// Requests any free seat as ready, which confirms the terms that the lobby shows now. What
    /// results is written to `disk` and collected as effects.
    pub(crate) fn confirm(&mut self, disk: &mut AppendLog) {
        let outputs = self.lobby.request_seat(&self.name, SeatRequest::Sit { seat: None, ready: true });
        self.follow(outputs, disk);
        self.pump(disk);
    }

    /// Passes a session message (without its first byte) that this machine or an accomplice has received to
    /// the cheaters of this machine, which learn from it. Does nothing on an honest machine or without a
    /// session.
    pub(crate) fn overhear(&mut self, bytes: &[u8]) {
        if let (Some(cheat), Some(session)) = (&mut self.cheat, self.lobby.session()) {
            cheat.hear(session, bytes);
        }
    }

    // --- floods

    /// Sends a chat message to all peers. What results is written to `disk` and collected as effects. Returns whether
    /// the lobby produced an output, that is, a peer was there to receive it.
    pub(crate) fn chat(&mut self, text: &str, disk: &mut AppendLog) -> bool {
        let outputs = self.lobby.send_chat(text);
        let heard = !outputs.is_empty();
        self.follow(outputs, disk);
        self.pump(disk);
        heard
    }

    /// Sends the first request for the log that this process has made once more, `times` times to
    /// every reachable peer. What results is written to `disk` and collected as effects. Returns
    /// whether anything was sent: `false` before the first request or without peers.
    pub(crate) fn flood_requests(&mut self, times: u32, disk: &mut AppendLog) -> bool {
        let Some(request) = self.request.clone() else { return false };
        let peers: Vec<PeerId> = self.mesh.reachable_peers().collect();
        for _ in 0..times {
            peers.iter().for_each(|&peer| self.mesh.send(peer, &request));
        }
        self.pump(disk);
        !peers.is_empty()
    }

    // --- what goes out

    /// Returns the collected effects and clears them.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Handles the outputs of the mesh until there are none: frames for the relay and for direct paths become effects,
    /// signals are dropped, and events go to the lobby. Items that the lobby stores go to `disk`, its messages to the
    /// mesh. When all mail has come in, adds [`Effect::CaughtUp`].
    fn pump(&mut self, disk: &mut AppendLog) {
        while let Some(output) = self.mesh.poll() {
            match output {
                MeshOutput::Action(MeshAction::SendToRelay(frame)) => self.effects.push(Effect::Relay(frame)),
                MeshOutput::Action(MeshAction::SendDirect(peer, packet)) => {
                    if let Some(identity) = self.identities.get(&peer) {
                        self.effects.push(Effect::Direct(*identity, packet));
                    }
                }
                MeshOutput::Action(MeshAction::HandleSignal(..)) => {}
                MeshOutput::Event(event) => {
                    self.note(&event);
                    let is_caught_up = matches!(event, NetEvent::MailCaughtUp(_));
                    let outputs = self.lobby.handle_event(event);
                    self.follow(outputs, disk);
                    if is_caught_up {
                        self.effects.push(Effect::CaughtUp);
                    }
                }
            }
        }
    }

    /// Records the identity of a peer that comes up, and the session messages that arrive: each
    /// becomes an effect [`Effect::Heard`] and is passed to the cheaters. Ignores other events.
    /// Called before the lobby handles the event.
    fn note(&mut self, event: &NetEvent) {
        match event {
            NetEvent::PeerUp { peer, identity, .. } => {
                self.identities.insert(*peer, *identity);
            }
            NetEvent::Message(_, message) => {
                if let Some(bytes) = message.strip_prefix(&[SESSION]) {
                    self.effects.push(Effect::Heard(bytes.to_vec()));
                    self.overhear(bytes);
                }
            }
            _ => {}
        }
    }

    /// Carries out the outputs of the lobby in order: appends items to `disk` with an effect that asks for a sync,
    /// queues messages, passes fetches of mail to the mesh, and turns events into effects. Posts of a cheater, a lying
    /// host or a process that posts nothing are dropped. Queued messages are transmitted at once if all items are
    /// durable (or the process sends before they are); otherwise they wait for [`synced`](Self::synced).
    fn follow(&mut self, outputs: Vec<LobbyOutput>, disk: &mut AppendLog) {
        let mut outputs = outputs.into_iter().peekable();
        while let Some(output) = outputs.next() {
            match output {
                LobbyOutput::Event(event) => self.follow_event(event, disk),
                LobbyOutput::Action(LobbyAction::Persist(item)) => {
                    disk.append(item);
                    self.effects.push(Effect::Sync);
                }
                LobbyOutput::Action(LobbyAction::Send(peer, bytes)) => {
                    // The same message to the next peer belongs to one broadcast.
                    let mut peers = vec![peer];
                    let is_copy = |output: &LobbyOutput| matches!(output, LobbyOutput::Action(LobbyAction::Send(_, same)) if *same == bytes);
                    while let Some(LobbyOutput::Action(LobbyAction::Send(next, _))) = outputs.next_if(is_copy)
                    {
                        peers.push(next);
                    }
                    self.send(&peers, bytes, disk.len(), false);
                }
                LobbyOutput::Action(LobbyAction::SendBulk(peer, bytes)) => {
                    self.send(&[peer], bytes, disk.len(), true);
                }
                // What a cheater or a lying host sends to peers is its own affair, and it posts nothing.
                LobbyOutput::Action(LobbyAction::Post(bytes)) => {
                    if self.cheat.is_none() && self.lying.is_none() && !self.posts_nothing {
                        self.held.push_back(Held { need: disk.len(), route: Route::Mailbox, bytes });
                    }
                }
                LobbyOutput::Action(LobbyAction::FetchMail(after)) => self.mesh.fetch_mail(after),
            }
        }
        if disk.len() == disk.durable() || self.sends_before_durable {
            self.release(usize::MAX);
        }
    }

    /// Turns an event of the lobby into an effect. At the start it also prepares cheats and
    /// reserves places in the mesh for the players. A question whether to drop seats is answered
    /// with a vote for it. Chat is ignored.
    fn follow_event(&mut self, event: LobbyEvent, disk: &mut AppendLog) {
        match event {
            LobbyEvent::Started => {
                self.corrupt();
                if let Some(table) = self.table().cloned() {
                    self.mesh.reserve(table.players.iter().map(|player| player.identity));
                    self.effects.push(Effect::Begun(table));
                }
            }
            LobbyEvent::SeatingChanged(seating) => self.effects.push(Effect::Shown(seating)),
            LobbyEvent::TermsChanged(_) => self.effects.push(Effect::Changed),
            LobbyEvent::Refused(why) => self.effects.push(Effect::Refused(why)),
            LobbyEvent::BotMustChoose(number) => self.effects.push(Effect::Choose(Some(number))),
            LobbyEvent::Session(SessionEvent::Choose) => self.effects.push(Effect::Choose(None)),
            // Simulated people agree when they are asked.
            LobbyEvent::Session(SessionEvent::AskDrop { seats, .. }) => {
                let outputs = self.lobby.vote_to_drop(seats);
                self.follow(outputs, disk);
            }
            LobbyEvent::Session(output) => self.effects.push(Effect::Told(output)),
            LobbyEvent::Chat { .. } => {}
        }
    }

    /// Queues one message to some peers, or what a cheater or a lying host sends instead. The
    /// messages wait until `need` items are durable. `is_bulk` selects the bulk lane of the mesh.
    /// Remembers the first request for [`flood_requests`](Self::flood_requests).
    fn send(&mut self, peers: &[PeerId], bytes: Vec<u8>, need: usize, is_bulk: bool) {
        let sent: Tampering = match bytes.split_first() {
            Some((&SESSION, message)) => {
                if self.is_request(message) {
                    self.request.get_or_insert_with(|| bytes.clone());
                }
                self.tampered(peers, message)
            }
            _ => match &mut self.lying {
                Some(host) => host.rewrite(&self.identity, peers, bytes),
                None => peers.iter().map(|&peer| (peer, bytes.clone())).collect(),
            },
        };
        let route = |peer| if is_bulk { Route::Bulk(peer) } else { Route::Peer(peer) };
        self.held.extend(sent.into_iter().map(|(peer, bytes)| Held { need, route: route(peer), bytes }));
    }

    /// Returns whether a session message is taken for a request: it has fewer than 120 bytes, and
    /// no seat signed it. `false` before the start.
    fn is_request(&self, message: &[u8]) -> bool {
        self.table().is_some_and(|table| message.len() < 120 && tap(&table.id(), message).is_none())
    }

    /// Returns the framed messages, with their recipients, that this machine sends instead of the
    /// session message `message`. On an honest machine that is the message itself, once for each of
    /// `peers`.
    fn tampered(&mut self, peers: &[PeerId], message: &[u8]) -> Tampering {
        let framed = |bytes: &[u8]| [&[SESSION], bytes].concat();
        let honest = || peers.iter().map(|&peer| (peer, framed(message))).collect();
        let Some(cheat) = &mut self.cheat else { return honest() };
        let bots = (0..).map_while(|number| self.lobby.bot(number)).filter_map(|(_, session)| session);
        let sessions: Vec<&PeerSession> = self.lobby.session().into_iter().chain(bots).collect();
        let numbers: BTreeMap<PeerId, u32> = peers_by_seat(&sessions, &self.identities);
        let instead = cheat.tamper(&sessions, peers, &numbers, message);
        instead.into_iter().map(|(peer, bytes)| (peer, framed(&bytes))).collect()
    }

    /// Sends a held message over the mesh, by the route that it was queued for. If a seat signed it,
    /// adds an [`Effect::Signed`] for the oracles first.
    fn transmit(&mut self, held: &Held) {
        let Held { route, bytes, .. } = held;
        if let (Some(message), Some(table)) = (bytes.strip_prefix(&[SESSION]), self.table())
            && let Some(tapped) = tap(&table.id(), message)
        {
            self.effects.push(Effect::Signed(tapped));
        }
        match *route {
            Route::Peer(peer) => self.mesh.send(peer, bytes),
            Route::Bulk(peer) => self.mesh.send_bulk(peer, bytes),
            // A message that is too long for the mailbox reaches those who are online.
            Route::Mailbox => drop(self.mesh.post(bytes)),
        }
    }

    /// Seats the cheaters of this machine and lets each manipulate the session of its seat, as its cheat
    /// needs. Does nothing on an honest machine or before the start. Repeated calls do not seat them twice,
    /// but manipulate the sessions again.
    fn corrupt(&mut self) {
        let Some(cheat) = &mut self.cheat else { return };
        let Some(table) = self.lobby.session().map(|session| session.descriptor().clone()) else { return };
        cheat.sit_down(&table);
        self.lobby.sessions_mut().for_each(|session| cheat.corrupt(session));
    }

    // --- what the oracles look at

    /// Returns the peer with this identity that came up last; `None` if none has been up. The peer
    /// may be down again.
    fn peer(&self, identity: &PublicIdentity) -> Option<PeerId> {
        self.identities.iter().rev().find(|(_, other)| *other == identity).map(|(peer, _)| *peer)
    }

    /// Returns the descriptor of the match; `None` before the start.
    pub(crate) fn table(&self) -> Option<&Descriptor> {
        self.lobby.session().map(PeerSession::descriptor)
    }

    /// Describes the lobby as this machine sees it, in one line for an error message: name and readiness of each chair,
    /// the number of watchers, and the reachable peers. Empty chairs are shown as `-`.
    pub(crate) fn describe_lobby(&self) -> String {
        let chairs = self.lobby.seating().map(|seating| {
            let chair = |chair: &Option<pentarchy_lobby::Chair>| {
                chair.as_ref().map_or("-".into(), |chair| format!("{}:{}", chair.name, chair.ready))
            };
            let chairs: Vec<String> = seating.chairs.iter().map(chair).collect();
            (chairs, seating.watchers.len())
        });
        let present: Vec<PeerId> = self.mesh.reachable_peers().collect();
        format!("chairs and watchers {chairs:?}, reached {present:?}")
    }

    /// Returns whether a message of this process waits for the disk, or in the mesh for a peer or the
    /// acknowledgement of the mailbox.
    pub(crate) fn has_unsent(&self) -> bool {
        !self.held.is_empty() || self.mesh.has_unsent()
    }

    /// Returns how often the seats of this machine have cheated in this process; 0 on an honest
    /// machine.
    pub(crate) fn cheated(&self) -> u32 {
        self.cheat.as_ref().map_or(0, CheatPlan::times)
    }

    /// Returns how often this host has lied in this process: `[other descriptor at the start,
    /// different seatings to guests, start without consent]`. All 0 on an honest machine.
    pub(crate) fn lies(&self) -> [u64; 3] {
        self.lying.as_ref().map_or([0; 3], |host| host.done)
    }

    /// Returns how many peers, visitors and bytes the mesh holds in memory now.
    pub(crate) fn footprint(&self) -> Footprint {
        self.mesh.footprint()
    }

    /// Returns where the sessions of this machine stand: the player's first, then those of its bots. Empty
    /// before the start.
    pub(crate) fn standings(&self) -> Vec<Standpoint> {
        let bots = (0..).map_while(|number| self.lobby.bot(number)).filter_map(|(_, session)| session);
        self.lobby.session().into_iter().chain(bots).map(Standpoint::of).collect()
    }

    /// Returns the logs of the sessions of this machine, each as the heads after every number of events:
    /// the player's first, then those of its bots. Empty before the start.
    pub(crate) fn histories(&self) -> Vec<History> {
        let bots = (0..).map_while(|number| self.lobby.bot(number)).filter_map(|(_, session)| session);
        let history = |session: &PeerSession| History { at: Standpoint::of(session), links: session.links() };
        self.lobby.session().into_iter().chain(bots).map(history).collect()
    }

    /// Returns the first token whose face a session of this machine, its player's or a bot's, holds and must not know:
    /// the seat of the session (`None` for a watcher) and the token. `None` if there is no such token.
    pub(crate) fn forbidden_face(&self) -> Option<(Option<u8>, u16)> {
        let bots = (0..).map_while(|number| self.lobby.bot(number)).filter_map(|(_, session)| session);
        self.lobby.session().into_iter().chain(bots).find_map(|session| {
            let (rules, seat) = (session.position(), session.seat());
            let forbidden = |t: &u16| {
                let fact = rules.token_info(Token(*t));
                let may = fact.public.is_some() || seat.is_some_and(|seat| fact.known.to(Seat(seat)));
                fact.face.is_some() && !may
            };
            (0..rules.token_count()).find(forbidden).map(|t| (seat, t))
        })
    }
}

/// Where a session stands.
#[derive(Clone, Debug)]
pub(crate) struct Standpoint {
    /// Its seat; none for a watcher.
    pub(crate) seat: Option<u8>,
    pub(crate) epoch: u16,
    pub(crate) events: u32,
    pub(crate) head: [u8; 32],
    pub(crate) live: SeatSet,
    /// How the epochs so far ended: from which event on the table plays without which seats.
    pub(crate) ends: Vec<(u32, SeatSet)>,
    pub(crate) due: Vec<u8>,
    pub(crate) ending: Option<Ending>,
    pub(crate) is_over: bool,
}

impl Standpoint {
    /// Copies where a session stands now. Later changes of the session do not change the copy.
    fn of(session: &PeerSession) -> Self {
        Self {
            seat: session.seat(),
            epoch: session.epoch(),
            events: session.events(),
            head: session.head(),
            live: session.live(),
            ends: session.epoch_ends(),
            due: session.due(),
            ending: session.ending(),
            is_over: session.is_over(),
        }
    }

    /// Returns whether all seats have signed the start, that is, the log has a head.
    pub(crate) fn is_open(&self) -> bool {
        self.head != [0; 32]
    }

    /// Returns whether both are sessions of seats that play at each other's table. `false` for a watcher.
    pub(crate) fn plays_with(&self, other: &Self) -> bool {
        let has = |live: SeatSet, seat: Option<u8>| seat.is_some_and(|seat| live.has(Seat(seat)));
        has(self.live, other.seat) && has(other.live, self.seat)
    }
}

/// The log of a session.
pub(crate) struct History {
    pub(crate) at: Standpoint,
    /// The head after each number of events; the last one is the head now.
    pub(crate) links: Vec<[u8; 32]>,
}

/// Returns the number of each peer of `identities` for the cheaters: its seat at the table of the
/// first of `sessions`, or 1000 plus the peer id if it has no seat.
fn peers_by_seat(
    sessions: &[&PeerSession],
    identities: &BTreeMap<PeerId, PublicIdentity>,
) -> BTreeMap<PeerId, u32> {
    let players = sessions.first().map_or(&[][..], |session| &session.descriptor().players);
    let number = |(&peer, identity): (&PeerId, &PublicIdentity)| {
        let seat = players.iter().position(|player| player.identity == *identity);
        (peer, seat.map_or(1_000 + peer, |seat| seat as u32))
    };
    identities.iter().map(number).collect()
}

/// Builds a relay frame to all other members with the first message of a handshake that is never completed: its
/// content is drawn from `rng`.
pub(crate) fn idle_handshake(rng: &mut Rng) -> Vec<u8> {
    let mut payload = HANDSHAKE.to_vec();
    payload.extend(rng.bits().to_le_bytes()[..4].iter());
    payload.extend((0..4).flat_map(|_| rng.bits().to_le_bytes()));
    pentarchy_net::wire::Destination::Others.to_frame(&payload)
}
