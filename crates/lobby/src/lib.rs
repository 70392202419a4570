//! The lobby of an online table and, once the match has started, the host of its sessions. It has no sockets, clocks or
//! threads: every method returns the actions that the caller must carry out and the events that it may show.
//!
//! A peer that joins requests a seat from the host, or to watch. The host keeps the seating and sends it to all
//! peers. Guests agree to it by its identifier. When all seats are taken and all guests have agreed, the host signs
//! the descriptor of the match and sends it (`SignedStart`). A guest starts only the match that it has agreed to.
//! From then on the host has no special role: any peer forwards the signed descriptor to peers that join late or
//! return.
//!
//! The host's machine may also run bots. Each has an identity, keys and a session of its own. They share the host's
//! connections: a message is judged by its signature and not by the peer that delivers it.
//!
//! | module | concept |
//! | --- | --- |
//! | `seating` | who sits where, and the terms; it determines the descriptor of the match |
//! | `terms` | the first difference between two tables, in words |
//! | `agreement` | seat requests at the host, and the consent of guests |
//! | `signed_start` | the descriptor with the host's signature |
//! | `message` | what peers send each other outside the sessions |
//! | `sessions` | start of the match, and the routing of messages between sessions and peers |
//! | `mail` | the mailbox: posts for people who are away, and what they have posted |
//! | `chat` | rate limits, muting, display names, removal of guests |
//! | `turns` | whose turn it is, for a server that notifies players who are away |
//! | `server_calls` | requests to the server over HTTP: the list of open tables, announcements of turns |
//! | `restore` | continuing a match from what was stored |
//! | `forging`, or `honest` without the feature `cheat` | the hook for forged messages |
//! | [`journal`] | the file format in which a client stores what it must not lose |

mod agreement;
mod chat;
#[cfg(feature = "cheat")]
mod forging;
#[cfg(not(feature = "cheat"))]
#[path = "honest.rs"]
mod forging;
pub mod journal;
mod mail;
mod message;
mod output;
mod restore;
mod seating;
mod secret;
mod server_calls;
mod sessions;
mod signed_start;
mod terms;
#[cfg(test)]
mod tests;
mod turns;

pub use chat::{Attendee, split_chat};
pub use output::{LobbyAction, LobbyEvent, LobbyOutput};
pub use seating::{Chair, SeatRequest, Seating, fingerprint};
pub use secret::SecretBytes;
pub use server_calls::{AnnounceExchange, ListingAnnouncer, ServerCall, table_label};
pub use terms::{changed_terms, limit_text, recovery_text, takeover_refusal};
pub use turns::{AnnounceReply, AnnounceRequest, AwaitedTurn, TurnAnnouncement, TurnAnnouncer};

use chat::ChatFilter;
use forging::OwnForgery;
use mail::MailState;
use message::LobbyMessage;
use pentarchy_engine::{AnyGame, SeatSet};
use pentarchy_keys::{Drbg, Entropy, SigningSecret};
use pentarchy_net::{HostTag, NetEvent, PeerId, PublicIdentity};
use pentarchy_table::{Descriptor, Input, MAX_CHAT, PeerSession, Recovery, rules_hash};
use seating::clean_name;
use sessions::OWN;
use signed_start::SignedStart;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Finds a game by its name.
pub type FindGame = fn(&str) -> Option<&'static dyn AnyGame>;

/// What the host decides before anybody joins.
#[derive(Clone, Debug)]
pub struct TableSetup {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The options that differ from the defaults.
    pub options: serde_json::Value,
    /// The number of seats.
    pub seats: u8,
    /// What the host wants to happen when a player leaves for good. The seating states what the number of machines
    /// [allows](Recovery::limited_to).
    pub recovery: Recovery,
    /// The time limit: a seat that owes something and stays silent for this many milliseconds is late.
    pub stall_ms: u32,
    /// Whether the match starts as soon as all seats are taken and ready; else the host calls [`Lobby::start_match`].
    pub starts_automatically: bool,
    /// The [tag](Descriptor::tag) of the match, if it is one of a tournament; else it is random.
    pub tag: Option<[u8; 16]>,
}

/// A bot that runs on the host's machine.
pub struct HostedBot {
    /// Its identity.
    pub identity: SigningSecret,
    /// Its display name.
    pub name: String,
    /// Its playing strength, as shown to people.
    pub level: String,
    /// 32 fresh bytes from the operating system, for its keys.
    pub seed: SecretBytes,
}

/// Why a second device of one identity is refused.
const IDENTITY_IN_USE: &str = "your identity is at this table already, on another device or in another browser. Continue \
                               there, or close it there and open this link again";
/// Why a device is refused that has not agreed to a match in which its identity has a seat.
const OTHER_DEVICE: &str = "your identity plays at this table on another device or in another browser, which has the \
                            keys of the match. Continue there";
/// Why a device of the host is refused that did not create the table.
const OTHER_HOST: &str = "your identity hosts this table, on another device or in another browser. Continue there, or join \
                          with another identity";

/// One peer of a table: before the match its place in the seating, then its sessions.
pub struct Lobby {
    find: FindGame,
    identity: SigningSecret,
    name: String,
    host: HostTag,
    setup: Option<TableSetup>,
    seed: SecretBytes,
    /// Fresh randomness of this process, which is not stored.
    random: Drbg,
    request: SeatRequest,
    /// The peers that are reachable now.
    present: BTreeMap<PeerId, PublicIdentity>,
    seating: Option<Seating>,
    /// Host: the identifier of the table that each guest has agreed to.
    agreements: BTreeMap<PublicIdentity, [u8; 32]>,
    /// Guest: the table whose terms the player has confirmed.
    confirmed: Option<Descriptor>,
    /// Guest: the identifier of the table that this peer agrees to; none if the current seating is another one.
    agreement: Option<[u8; 32]>,
    /// Guest: the identifiers of all tables that this device has ever agreed to, stored ones included.
    agreed: BTreeSet<[u8; 32]>,
    /// Host: the guests that it has removed.
    removed: BTreeSet<PublicIdentity>,
    chat_filter: ChatFilter,
    bots: Vec<(HostedBot, Option<PeerSession>)>,
    session: Option<PeerSession>,
    /// The descriptor that the host signed, once the match has started.
    signed_start: Option<SignedStart>,
    outputs: Vec<LobbyOutput>,
    /// Messages between the sessions of this machine.
    local_mail: VecDeque<LocalMail>,
    mail: MailState,
    /// Whether [`Lobby::start`] was called. A caller may drop what earlier calls return.
    is_running: bool,
    now: u64,
    forgery: OwnForgery,
}

/// A message from one session of this machine to another, by their numbers.
struct LocalMail {
    from: usize,
    to: usize,
    bytes: Vec<u8>,
}

impl Lobby {
    /// Creates a peer that hosts a table (with `setup`) and sits at its first seat, or that joins one and
    /// requests any seat (without). Nothing is sent before [`start`](Self::start). Invalid options of a setup
    /// are refused only when the match starts.
    ///
    /// `find` finds a game by its name; `name` is the display name; `host` is the tag of the host's identity
    /// from the invitation. `seed` is 32 fresh bytes from the operating system, for the keys of this match; a
    /// caller that [restores](Self::restore) a match must pass the stored ones. `entropy` is fresh in every
    /// process and never stored.
    pub fn new(
        find: FindGame,
        identity: SigningSecret,
        name: &str,
        host: HostTag,
        setup: Option<TableSetup>,
        seed: [u8; 32],
        entropy: Entropy,
    ) -> Self {
        let seed = SecretBytes::new(seed);
        let name = clean_name(name);
        let mine = *identity.public().bytes();
        let seating = setup.as_ref().map(|setup| {
            let mut chairs = vec![None; usize::from(setup.seats)];
            if let Some(first) = chairs.first_mut() {
                *first = Some(Chair { identity: mine, name: name.clone(), ready: true, bot: None });
            }
            let mut nonce = blake3::derive_key("pentarchy table nonce v1", &*seed);
            if let Some(tag) = &setup.tag {
                nonce[16..].copy_from_slice(tag);
            }
            let (info, options) = (setup.game.info(), setup.game.options(setup.seats, &setup.options, &[]));
            Seating {
                game: info.name.to_owned(),
                rules: info.rules_version,
                rules_hash: rules_hash(setup.game),
                // Invalid options are refused when the match starts.
                options: options.as_ref().unwrap_or(&setup.options).to_string(),
                recovery: setup.recovery.limited_to(setup.seats),
                stall_ms: setup.stall_ms,
                nonce,
                host: mine,
                chairs,
                watchers: Vec::new(),
            }
        });
        Self {
            find,
            identity,
            name,
            host,
            setup,
            seed,
            random: Drbg::new(&*entropy.into_bytes(), "party"),
            request: SeatRequest::Sit { seat: None, ready: true },
            present: BTreeMap::new(),
            seating,
            agreements: BTreeMap::new(),
            confirmed: None,
            agreement: None,
            agreed: BTreeSet::new(),
            removed: BTreeSet::new(),
            chat_filter: ChatFilter::default(),
            bots: Vec::new(),
            session: None,
            signed_start: None,
            outputs: Vec::new(),
            local_mail: VecDeque::new(),
            mail: MailState::default(),
            is_running: false,
            now: 0,
            forgery: OwnForgery::NONE,
        }
    }

    /// Seats a bot of the host, before the match or before it is restored; call it at the host only. Bots are
    /// numbered in the order of these calls. Returns `false`, and changes nothing, if the seat is not free,
    /// does not exist, or no seating is known. Others learn of it with the next change of the seating;
    /// [`request_seat`](Self::request_seat) sends it, and starts the match if the bot completes the table.
    pub fn seat_bot(&mut self, seat: u8, bot: HostedBot) -> bool {
        let Some(seating) = &mut self.seating else { return false };
        let Some(chair @ None) = seating.chairs.get_mut(usize::from(seat)) else { return false };
        let (identity, name, level) =
            (*bot.identity.public().bytes(), clean_name(&bot.name), clean_name(&bot.level));
        *chair = Some(Chair { identity, name, ready: true, bot: Some(level) });
        // With every bot of the host, fewer machines are left to hold shares.
        if let Some(setup) = self.setup.as_ref().filter(|_| self.session.is_none()) {
            seating.recovery = setup.recovery.limited_to(seating.machines());
        }
        self.bots.push((bot, None));
        true
    }

    /// Draws 32 fresh bytes for one session from the randomness of this process, different at each call.
    fn draw_entropy(&mut self) -> Entropy {
        let mut bytes = [0; 32];
        self.random.fill(&mut bytes);
        Entropy::new(bytes)
    }

    /// Returns the player's session, which is a spectator's if they have no seat; `None` before the match.
    pub fn session(&self) -> Option<&PeerSession> {
        self.session.as_ref()
    }

    /// Returns the bot of this machine with this number (in the order of [`seat_bot`](Self::seat_bot), from
    /// 0), and its session once the match has started; `None` if there is no such bot.
    pub fn bot(&self, number: usize) -> Option<(&HostedBot, Option<&PeerSession>)> {
        self.bots.get(number).map(|(bot, session)| (bot, session.as_ref()))
    }

    /// Iterates over the sessions of this machine: the player's, if there is one, then those of the bots
    /// that have one, in the order in which they were seated. For simulated cheaters, which manipulate
    /// them.
    #[doc(hidden)]
    pub fn sessions_mut(&mut self) -> impl Iterator<Item = &mut PeerSession> {
        let bots = self.bots.iter_mut().filter_map(|(_, session)| session.as_mut());
        self.session.iter_mut().chain(bots)
    }

    /// Returns the seating as this peer knows it; `None` at a guest before the host has sent it, and after a
    /// match was restored there.
    pub fn seating(&self) -> Option<&Seating> {
        self.seating.as_ref()
    }

    /// Returns whether this peer created the table, on this device.
    pub fn is_host(&self) -> bool {
        self.setup.is_some()
    }

    /// Returns whether the match has started and is over; `false` before the match. A match is also over if
    /// this peer has given up or its session is broken.
    pub fn is_over(&self) -> bool {
        self.session.as_ref().is_some_and(PeerSession::is_over)
    }

    /// Starts this peer: call it once, before any event. Requests the mail of the table. A host announces the
    /// seating, and starts the match if no guest is missing and the setup wants it. Restored sessions go on,
    /// and bots without a session get theirs. Emits `Refused` if this identity hosts the table on another
    /// device, or a bot's session cannot be created. Returns the outputs, which the caller must carry out in
    /// order.
    pub fn start(&mut self) -> Vec<LobbyOutput> {
        self.is_running = true;
        if let Some(descriptor) = self.session.as_ref().map(|session| session.descriptor().clone()) {
            if let Err(unusable) = self.start_bot_sessions(&descriptor) {
                self.emit(LobbyEvent::Refused(unusable.to_string()));
            }
            self.connect_local_sessions();
        } else if self.is_host() {
            self.broadcast_seating();
            self.start_if_automatic();
        } else if HostTag::of(self.identity.public().bytes()) == self.host {
            self.emit(LobbyEvent::Refused(OTHER_HOST.into()));
            return self.take_outputs();
        }
        self.request_mail();
        self.take_outputs()
    }

    /// Handles an event of the transport: a peer that appears or disappears, a message, mail, or another
    /// device with this identity. A peer that appears gets what it lacks, such as the seating or the start.
    /// When one disappears, a host frees its seat before the match; during the match the sessions learn it,
    /// and what people who are away may lack is posted. Another device with this identity emits `Refused`.
    /// Ignores changes of paths and of the server, and the results of posts. Returns the outputs, which the
    /// caller must carry out in order.
    pub fn handle_event(&mut self, event: NetEvent) -> Vec<LobbyOutput> {
        match event {
            NetEvent::PeerUp { peer, identity, .. } => {
                self.present.insert(peer, identity);
                self.note_peer(peer, identity);
                self.welcome(peer);
                self.report_reachability(&identity);
            }
            NetEvent::PeerDown(peer) => {
                let identity = self.present.remove(&peer);
                if self.session.is_some() {
                    self.feed_all(Input::Gone(peer));
                    identity.iter().for_each(|identity| self.report_reachability(identity));
                    self.mail.owes_backlog = true;
                    self.post_backlog();
                } else {
                    self.free_abandoned_seats();
                }
            }
            NetEvent::Message(peer, bytes) => self.handle_message(peer, &bytes),
            NetEvent::IdentityInUse => self.emit(LobbyEvent::Refused(IDENTITY_IN_USE.into())),
            NetEvent::Mail { cursor, message } => self.receive_mail(cursor, &message),
            NetEvent::MailCaughtUp(cursor) => self.finish_mail(cursor),
            NetEvent::PathChanged(..)
            | NetEvent::Server(_)
            | NetEvent::MailStored
            | NetEvent::MailRefused(_) => {}
        }
        self.take_outputs()
    }

    /// Returns the table whose terms the player has confirmed: with [`request_seat`](Self::request_seat)
    /// while they were shown, with [`confirm_terms`](Self::confirm_terms), or on an earlier visit that
    /// [`restore`](Self::restore) has read. `None` if they have not, and at
    /// the host.
    pub fn confirmed_terms(&self) -> Option<&Descriptor> {
        self.confirmed.as_ref()
    }

    /// Records that the player confirmed the terms of this table earlier: on another visit (unless
    /// [`restore`](Self::restore) knows it), or by accepting a rematch. The player is asked again only
    /// about other terms. Sends nothing.
    pub fn confirm_terms(&mut self, table: Descriptor) {
        self.confirmed = Some(table);
    }

    /// Requests a seat, or none, under this display name. The host is moved at once, and the seating goes to
    /// all; after [`start`](Self::start) the match starts if that completes the table and the setup wants it.
    /// A guest's request goes to the host, now or when it appears. A
    /// guest's request to sit and be ready confirms the terms of the current seating. After the start of the
    /// match it changes nothing at the table. Returns the outputs.
    pub fn request_seat(&mut self, name: &str, request: SeatRequest) -> Vec<LobbyOutput> {
        (self.name, self.request) = (clean_name(name), request);
        if self.session.is_some() {
            return self.take_outputs();
        }
        if self.is_host() {
            let (identity, name) = (*self.identity.public().bytes(), self.name.clone());
            self.assign_place(identity, &name, request);
            self.broadcast_seating();
            if self.is_running {
                self.start_if_automatic();
            }
            return self.take_outputs();
        }
        if let Some(seating) = self.seating.as_ref().filter(|_| request.is_ready()) {
            self.confirmed = Some(seating.descriptor());
        }
        if let Some(host) = self.host_peer() {
            self.send_request(host);
        }
        self.take_outputs()
    }

    /// Starts the match, as host: signs the descriptor and sends it to all. Does nothing at a guest, after
    /// the start, or unless all seats are taken and everybody is ready. Returns the outputs; a setup that
    /// cannot be played emits `Refused`.
    pub fn start_match(&mut self) -> Vec<LobbyOutput> {
        self.start_if_ready();
        self.take_outputs()
    }

    /// Plays an action of the player, given in spoken or canonical text. An action that is not legal now
    /// emits `SessionEvent::Refused`. Does nothing before the match. Returns the outputs.
    pub fn choose_action(&mut self, text: &str) -> Vec<LobbyOutput> {
        self.feed(OWN, Input::Choose(text));
        self.take_outputs()
    }

    /// Plays an action of the bot with this number, given in spoken or canonical text. Does nothing if there
    /// is no such bot, the match has not started, or the action is not legal now. Returns the outputs.
    pub fn choose_for_bot(&mut self, number: usize, text: &str) -> Vec<LobbyOutput> {
        self.feed(number + 1, Input::Choose(text));
        self.take_outputs()
    }

    /// Sends a line of chat of the player to all peers: signed if they have a seat in the match. Before the
    /// match it goes to those that the seating lists. Guests that this host has removed get none. A line
    /// longer than `MAX_CHAT` bytes ([`split_chat`]) is not sent; with a seat in the match that emits
    /// `SessionEvent::Refused`, otherwise nothing. Returns the outputs; the own line is not among the events.
    pub fn send_chat(&mut self, text: &str) -> Vec<LobbyOutput> {
        if self.session.as_ref().is_some_and(|session| session.seat().is_some()) {
            self.feed(OWN, Input::Chat(text));
        } else if text.len() <= MAX_CHAT {
            for peer in self.chat_peers() {
                self.send_message(peer, &LobbyMessage::Chat(text.to_owned()));
            }
        }
        self.take_outputs()
    }

    /// Reports that the player is active, which postpones the others' timeouts. May be called on any input,
    /// and often: the session limits what is sent. Does nothing before the match. Returns the outputs.
    pub fn report_thinking(&mut self) -> Vec<LobbyOutput> {
        self.feed(OWN, Input::Thinking);
        self.take_outputs()
    }

    /// Passes on the player's consent to drop these seats, for which the session asked by
    /// `SessionEvent::AskDrop`. The session votes when it is time. Does nothing before the match, and for
    /// seats about which it did not ask. Returns the outputs.
    pub fn vote_to_drop(&mut self, seats: SeatSet) -> Vec<LobbyOutput> {
        self.feed(OWN, Input::Drop(seats));
        self.take_outputs()
    }

    /// Declines to drop the late seats, as the answer to `SessionEvent::AskDrop`; the player is asked again
    /// after another time limit. Does nothing before the match. Returns the outputs.
    pub fn wait_for_late(&mut self) -> Vec<LobbyOutput> {
        self.feed(OWN, Input::Wait);
        self.take_outputs()
    }

    /// Ends the match for this peer alone, because late seats cannot be dropped; with a signed claim if seats
    /// are late. Does nothing before the match. Returns the outputs.
    pub fn give_up(&mut self) -> Vec<LobbyOutput> {
        self.feed(OWN, Input::GiveUp);
        self.take_outputs()
    }

    /// Sets the current time in milliseconds, which must not go back, and lets the sessions do what is due.
    /// Handles mail whose time has come, and posts what people who are away may lack. Call it several times a
    /// second. Returns the outputs.
    pub fn tick(&mut self, now_ms: u64) -> Vec<LobbyOutput> {
        self.now = now_ms;
        self.feed_all(Input::Tick { now_ms });
        if self.is_mail_read() {
            self.deliver_waiting_mail();
            self.post_backlog();
        }
        self.take_outputs()
    }

    /// Queues an action for the caller.
    fn act(&mut self, action: LobbyAction) {
        self.outputs.push(LobbyOutput::Action(action));
    }

    /// Queues an event for the caller.
    fn emit(&mut self, event: LobbyEvent) {
        self.outputs.push(LobbyOutput::Event(event));
    }

    /// Delivers the messages between local sessions until none is left, and returns everything that was
    /// queued since the last call, in order. With a pending forgery of an action out of turn, sends that
    /// first if it is due.
    fn take_outputs(&mut self) -> Vec<LobbyOutput> {
        self.send_uncalled();
        while let Some(LocalMail { from, to, bytes }) = self.local_mail.pop_front() {
            self.feed(to, Input::Message { from: sessions::local_peer(from), bytes: &bytes });
        }
        std::mem::take(&mut self.outputs)
    }
}
