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
    peer: PeerId,
    bytes: Vec<u8>,
    /// Whether it is an answer that gives way to other messages.
    is_bulk: bool,
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
    effects: Vec<Effect>,
}

/// Returns the public half of a secret.
pub(crate) fn public(secret: &[u8; 32]) -> PublicIdentity {
    *SigningSecret::from_bytes(secret).public().bytes()
}

/// Returns the game of this name; `None` if there is none.
fn find(name: &str) -> Option<&'static dyn AnyGame> {
    pentarchy_registry::find(name).ok()
}

impl Process {
    /// Starts a process, with what it has stored.
    ///
    /// # Errors
    ///
    /// Fails if what is stored cannot be used.
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

    /// Passes a frame of the relay to the mesh and handles what follows.
    pub(crate) fn relay_frame(&mut self, frame: &[u8], disk: &mut AppendLog) {
        self.mesh.handle_relay_frame(frame);
        self.pump(disk);
    }

    /// Reports the end of the relay connection to the mesh and handles what follows.
    pub(crate) fn relay_down(&mut self, disk: &mut AppendLog) {
        self.mesh.handle_relay_down();
        self.pump(disk);
    }

    /// Passes a packet of a direct path to the mesh; ignores it if the sender is not known.
    pub(crate) fn direct(&mut self, from: &PublicIdentity, packet: &[u8], disk: &mut AppendLog) {
        if let Some(peer) = self.peer(from) {
            self.mesh.handle_direct_packet(peer, packet);
            self.pump(disk);
        }
    }

    /// Reports that a direct connection to a machine is up or down. Returns `false`, and does nothing, if the
    /// machine is not known here.
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

    /// Advances the mesh and the lobby to the time `now` of this machine.
    pub(crate) fn tick(&mut self, now: u64, disk: &mut AppendLog) {
        self.mesh.tick(now);
        let outputs = self.lobby.tick(now);
        self.follow(outputs, disk);
        self.pump(disk);
    }

    /// Sends the messages that waited for the items before `durable`, which are on the disk now.
    pub(crate) fn synced(&mut self, durable: usize, disk: &mut AppendLog) {
        self.release(durable);
        self.pump(disk);
    }

    /// Transmits, in order, the held messages whose items are durable.
    fn release(&mut self, durable: usize) {
        while let Some(held) = self.held.pop_front_if(|held| held.need <= durable) {
            self.transmit(&held);
        }
    }

    /// Plays a random legal action for the player (`None`) or for a bot by its number. Does nothing without a
    /// session.
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

    /// Requests a seat and confirms the terms that are shown.
    pub(crate) fn confirm(&mut self, disk: &mut AppendLog) {
        let outputs = self.lobby.request_seat(&self.name, SeatRequest::Sit { seat: None, ready: true });
        self.follow(outputs, disk);
        self.pump(disk);
    }

    /// Passes a message that an accomplice has received to the cheater; does nothing on an honest machine.
    pub(crate) fn overhear(&mut self, bytes: &[u8]) {
        if let (Some(cheat), Some(session)) = (&mut self.cheat, self.lobby.session()) {
            cheat.hear(session, bytes);
        }
    }

    // --- floods

    /// Sends a chat message. Returns whether a peer was there to receive it.
    pub(crate) fn chat(&mut self, text: &str, disk: &mut AppendLog) -> bool {
        let outputs = self.lobby.send_chat(text);
        let heard = !outputs.is_empty();
        self.follow(outputs, disk);
        self.pump(disk);
        heard
    }

    /// Asks every peer for the log, as often as told; true if there is something to ask.
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

    /// Handles all outputs of the mesh: collects effects, and passes events to the lobby.
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
                    let outputs = self.lobby.handle_event(event);
                    self.follow(outputs, disk);
                }
            }
        }
    }

    /// Records what the simulation must know of an event before the lobby handles it.
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

    /// Carries out the outputs of the lobby: stores items, and sends or holds messages until their items are
    /// durable.
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
            }
        }
        if disk.len() == disk.durable() || self.sends_before_durable {
            self.release(usize::MAX);
        }
    }

    /// Turns an event of the lobby into effects of the run.
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

    /// Sends one message to some peers, or what a cheater makes of it.
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
        self.held.extend(sent.into_iter().map(|(peer, bytes)| Held { need, peer, bytes, is_bulk }));
    }

    /// Returns whether a session message is a request: a small message that no seat signed.
    fn is_request(&self, message: &[u8]) -> bool {
        self.table().is_some_and(|table| message.len() < 120 && tap(&table.id(), message).is_none())
    }

    /// Returns the messages, with their recipients, that a cheater sends instead of `message`; an honest
    /// machine sends it unchanged.
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

    /// Sends a message over the mesh, and reports it to the oracles if a seat signed it.
    fn transmit(&mut self, held: &Held) {
        let Held { peer, bytes, .. } = held;
        if let (Some(message), Some(table)) = (bytes.strip_prefix(&[SESSION]), self.table())
            && let Some(tapped) = tap(&table.id(), message)
        {
            self.effects.push(Effect::Signed(tapped));
        }
        if held.is_bulk {
            self.mesh.send_bulk(*peer, bytes);
        } else {
            self.mesh.send(*peer, bytes);
        }
    }

    /// Makes the sessions of cheating seats prepare their cheats; does nothing on an honest machine.
    fn corrupt(&mut self) {
        let Some(cheat) = &mut self.cheat else { return };
        let Some(table) = self.lobby.session().map(|session| session.descriptor().clone()) else { return };
        cheat.sit_down(&table);
        self.lobby.sessions_mut().for_each(|session| cheat.corrupt(session));
    }

    // --- what the oracles look at

    /// Returns the newest peer with this identity; `None` if there is none.
    fn peer(&self, identity: &PublicIdentity) -> Option<PeerId> {
        self.identities.iter().rev().find(|(_, other)| *other == identity).map(|(peer, _)| *peer)
    }

    /// Returns the descriptor of the match; `None` before the start.
    pub(crate) fn table(&self) -> Option<&Descriptor> {
        self.lobby.session().map(PeerSession::descriptor)
    }

    /// Describes the lobby as this machine sees it: chairs, watchers, and reachable peers.
    pub(crate) fn lobby(&self) -> String {
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

    /// Returns how often the seats of this machine have cheated.
    pub(crate) fn cheated(&self) -> u32 {
        self.cheat.as_ref().map_or(0, CheatPlan::times)
    }

    /// Returns how often the host has lied, by kind: switched, differed, hurried.
    pub(crate) fn lies(&self) -> [u64; 3] {
        self.lying.as_ref().map_or([0; 3], |host| host.done)
    }

    /// Returns the memory use of the mesh.
    pub(crate) fn footprint(&self) -> Footprint {
        self.mesh.footprint()
    }

    /// Returns the standpoints of the sessions of this machine, the player's first.
    pub(crate) fn standings(&self) -> Vec<Standpoint> {
        let bots = (0..).map_while(|number| self.lobby.bot(number)).filter_map(|(_, session)| session);
        self.lobby.session().into_iter().chain(bots).map(Standpoint::of).collect()
    }

    /// Returns the logs of the sessions of this machine, the player's first.
    pub(crate) fn histories(&self) -> Vec<History> {
        let bots = (0..).map_while(|number| self.lobby.bot(number)).filter_map(|(_, session)| session);
        let history = |session: &PeerSession| History { at: Standpoint::of(session), links: session.links() };
        self.lobby.session().into_iter().chain(bots).map(history).collect()
    }

    /// Returns a face that a session of this machine holds and must not know, as its seat and the token; `None`
    /// if there is none.
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
    pub(crate) live: u8,
    /// How the epochs so far ended: from which event on the table plays without which seats.
    pub(crate) ends: Vec<(u32, SeatSet)>,
    pub(crate) due: Vec<u8>,
    pub(crate) ending: Option<Ending>,
    pub(crate) is_over: bool,
}

impl Standpoint {
    /// Reads the standpoint of a session.
    fn of(session: &PeerSession) -> Self {
        Self {
            seat: session.seat(),
            epoch: session.epoch(),
            events: session.events(),
            head: session.head(),
            live: session.live().0,
            ends: session.epoch_ends(),
            due: session.due(),
            ending: session.ending(),
            is_over: session.is_over(),
        }
    }

    /// Returns whether all seats have signed the start.
    pub(crate) fn is_open(&self) -> bool {
        self.head != [0; 32]
    }

    /// Returns whether both are sessions of seats that play at each other's table.
    pub(crate) fn plays_with(&self, other: &Self) -> bool {
        let has = |live: u8, seat: Option<u8>| seat.is_some_and(|seat| live >> seat & 1 != 0);
        has(self.live, other.seat) && has(other.live, self.seat)
    }
}

/// The log of a session.
pub(crate) struct History {
    pub(crate) at: Standpoint,
    /// The head after each number of events; the last one is the head now.
    pub(crate) links: Vec<[u8; 32]>,
}

/// Returns the seat of each peer; peers without a seat get numbers from 1000 on.
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

/// Builds the first message of a handshake that will not be completed, addressed to all members.
pub(crate) fn idle_handshake(rng: &mut Rng) -> Vec<u8> {
    let mut payload = HANDSHAKE.to_vec();
    payload.extend(rng.bits().to_le_bytes()[..4].iter());
    payload.extend((0..4).flat_map(|_| rng.bits().to_le_bytes()));
    pentarchy_net::wire::Destination::Others.to_frame(&payload)
}
