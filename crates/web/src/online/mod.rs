//! Online tables: the page is one of several peers, and each of them verifies every event.
//!
//! | file | concept |
//! | --- | --- |
//! | `browser` | database of tables, address, clipboard |
//! | `table` | creates tables, and opens them by their links |
//! | `identity` | identity of this browser, address book |
//! | `pump` | message pump: handles inputs in order, stores before it sends, reports events |
//! | `show` | shows verified events on the board |
//! | `watch` | late players, moves that others have not received, summary after an absence |
//! | `rematch` | a new table with the same players and rules |
//! | `turns` | announcements of turns, for players who are away |
//! | `forge` | forged messages for tests, with the feature `cheat` only |
//! | `ready` | warm-up while players choose seats |

mod browser;
#[cfg(feature = "cheat")]
mod forge;
pub mod identity;
mod pump;
mod ready;
mod rematch;
mod show;
mod table;
mod turns;
mod watch;

use crate::chat::{ChatLine, remove_sender};
use crate::page;
use leptos::prelude::*;
use pentarchy_engine::{Seat, SeatSet};
use pentarchy_identity::AddressBook;
use pentarchy_lobby::{ListingAnnouncer, Lobby, LobbyOutput, Seating, TurnAnnouncer, split_chat};
use pentarchy_net::{BrowserTransport, MailError, NetEvent, PeerId};
use pentarchy_table::{Descriptor, Ending, Trust};
use show::{BoardUpdate, ShowState};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

pub use browser::{StoredTable, all_tables, copy_text, draw_bytes, forget_table, go, save, server};
pub use rematch::Rematch;
pub use table::{Order, PublicTable, create_table, invitation, open_tables};
pub use watch::{Away, Ended, LatePlayer};

/// A player's public key, which is the same at all tables.
pub type Identity = [u8; 32];

/// Where this page is on the way from opening a table to the end of its match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The page is not at an online table.
    Alone,
    /// The table is being loaded from this browser's database.
    Opening,
    /// The table is open in another tab of this browser.
    Elsewhere,
    /// Another tab has taken the table over; this tab signs and sends nothing any more.
    Lost,
    /// The lobby: players choose seats.
    Waiting,
    /// The match is being played.
    Playing,
    /// The match has ended.
    Over(Ending),
    /// The match cannot continue; the reason as a sentence for the player.
    Failed(String),
}

/// State of the connection to the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServerConnection {
    /// The first attempt is running.
    Connecting,
    /// The connection is open.
    Connected,
    /// The connection failed, with the reason; it is retried automatically.
    Retrying(String),
}

/// How messages to another player travel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Over a direct connection between the two machines.
    Direct,
    /// Through the relay of the server.
    Relay,
    /// Not at all: there is no open connection.
    Away,
}

impl Reach {
    /// Returns "online" if there is an open connection, otherwise "offline".
    pub fn word(self) -> &'static str {
        if self == Reach::Away { "offline" } else { "online" }
    }

    /// Returns the kind of connection, as the trust panel shows it: "direct", "relay" or "offline".
    pub fn path(self) -> &'static str {
        match self {
            Reach::Direct => "direct",
            Reach::Relay => "relay",
            Reach::Away => "offline",
        }
    }
}

/// The state of the messages for players who are offline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MailStatus {
    /// They are on their way to the server.
    Sending,
    /// The server has stored them all.
    Stored,
    /// The server does not store them, for this reason.
    Refused(MailError),
}

/// Evidence that a player has cheated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The cheater's seat.
    pub seat: u8,
    /// The cheater's public key.
    pub identity: Identity,
    /// What they did, in words.
    pub what: String,
    /// The encoded evidence, for a file.
    pub file: Vec<u8>,
}

/// The player of this page, as the table knows them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Me {
    /// Their public key.
    pub identity: Identity,
    /// Their display name.
    pub name: String,
    /// Whether they opened the table.
    pub host: bool,
}

/// The page's state at an online table, as signals. `Copy`, so every view and event handler can own one.
#[derive(Clone, Copy)]
pub struct Online {
    peer_state: StoredValue<Option<PeerState>, LocalStorage>,
    /// Current stage.
    pub stage: RwSignal<Stage>,
    /// Who sits where; only before the match.
    pub seating: RwSignal<Option<Seating>>,
    /// The player of this page.
    pub me: RwSignal<Me>,
    /// The invitation link.
    pub link: RwSignal<String>,
    /// State of the connection to the server.
    pub server: RwSignal<ServerConnection>,
    /// How each player is reached. Players without an entry have never been connected.
    pub reach: RwSignal<BTreeMap<Identity, Reach>>,
    /// The newest lines of the chat, oldest first; at most [`MOST_LINES`].
    pub chat: RwSignal<Vec<ChatLine>>,
    /// Number of chat lines that the player has read.
    pub read: RwSignal<usize>,
    /// Muted players with their names: their lines are not shown.
    pub muted: RwSignal<BTreeMap<Identity, String>>,
    /// Counters of the trust panel, copied from the session.
    pub trust: RwSignal<Trust>,
    /// What each late seat owes, in words.
    pub late: RwSignal<BTreeMap<u8, String>>,
    /// Evidence of cheating so far.
    pub proofs: RwSignal<Vec<Proof>>,
    /// The seats that were dropped: a bot plays for them.
    pub out: RwSignal<SeatSet>,
    /// The person the table waits for; `None` if it waits for nobody or for the player of this page.
    pub due: RwSignal<Option<LatePlayer>>,
    /// The late-player dialog stays closed until this many seconds of silence.
    pub patience: RwSignal<u64>,
    /// Seats that the player is asked to drop, and those of them that no connection reaches.
    pub asked: RwSignal<Option<(SeatSet, SeatSet)>>,
    /// When [`note_activity`](Self::note_activity) last sent a sign of life, in milliseconds.
    active: StoredValue<f64>,
    /// Why the match ended, if it did not end normally.
    pub ended: RwSignal<Option<Ended>>,
    /// The absence of this page's player before they came back.
    pub away: RwSignal<Option<Away>>,
    /// For each seat, the number of this player's moves that it has not received.
    pub unseen: RwSignal<BTreeMap<u8, usize>>,
    /// Whether what this page sends is saved for players who are offline.
    pub mail: RwSignal<MailStatus>,
    /// The rematch that was offered, if any.
    pub rematch: RwSignal<Option<Rematch>>,
    /// For each seat, the player's public key and, for a bot, the seat whose machine runs it.
    pub players: RwSignal<Vec<(Identity, Option<u8>)>>,
    /// Fingerprint of the table, which players can compare.
    pub fingerprint: RwSignal<String>,
    /// The descriptor of the match, which all players have signed; `None` before the match.
    pub terms: RwSignal<Option<Descriptor>>,
    /// In the lobby: what the host changed after the player was ready.
    pub changed: RwSignal<Option<String>>,
    /// The address book of this browser.
    pub book: RwSignal<AddressBook>,
}

/// Longest wait before the player leaves the table by a click, in milliseconds.
const SHORT_FLUSH: i32 = 1_000;
/// Interval between two checks whether everything is sent, in milliseconds.
const FLUSH_STEP: i32 = 20;
/// Minimum time between two signs of life, in milliseconds.
const ACTIVITY: f64 = 5_000.0;

/// A call of a method of the lobby.
type LobbyCall = Box<dyn FnOnce(&mut Lobby) -> Vec<LobbyOutput>>;

/// An input of the message pump. All of them are queued and handled in order.
enum Input {
    /// The table was loaded: the lobby starts.
    Start,
    /// The transport reports a message or a change of a connection.
    Event(NetEvent),
    /// The player wants a seat, or none, under this name.
    Wish(String, pentarchy_lobby::SeatRequest),
    /// The host wants a bot at this seat.
    SeatBot(u8),
    /// A call that needs the lobby alone.
    Call(LobbyCall),
    /// The time at the table, in milliseconds; sleep of the machine does not count.
    Tick(u64),
}

/// Mutable state that only the message pump owns.
struct PeerState {
    /// The table as it is stored in this browser.
    kept: StoredTable,
    /// The lobby and, after the start, its session.
    lobby: Lobby,
    /// The connections; `None` before they are set up and after the table has refused this player.
    net: Option<Rc<BrowserTransport>>,
    /// Inputs that are not handled yet, in order.
    inbox: Rc<RefCell<VecDeque<Input>>>,
    /// Whether a task is working on the inbox.
    busy: bool,
    /// Number of log items in the database.
    stored: u32,
    /// Log items that follow them and are not in the database yet.
    unsaved: Vec<Vec<u8>>,
    /// The identity of each peer that was ever connected.
    peers: BTreeMap<PeerId, Identity>,
    /// The encoded signed record of the ended match.
    record: Option<Vec<u8>>,
    /// Changes of the match that the board does not show yet.
    updates: VecDeque<BoardUpdate>,
    /// What happens to these changes.
    show: ShowState,
    /// Renews the entry in the server's list of open tables; `None` for an unlisted table, and at a guest.
    listing: Option<ListingAnnouncer>,
    /// When this browser was last at the table, in milliseconds; 0 for never.
    left: f64,
    /// Announces turns to the server.
    announcer: TurnAnnouncer,
}

impl Online {
    /// Creates the signals of a page that is not at an online table. Call it inside a reactive owner, once.
    pub fn new() -> Self {
        Online {
            peer_state: StoredValue::new_local(None),
            stage: RwSignal::new(Stage::Alone),
            seating: RwSignal::new(None),
            me: RwSignal::new(Me::default()),
            link: RwSignal::new(String::new()),
            server: RwSignal::new(ServerConnection::Connecting),
            reach: RwSignal::new(BTreeMap::new()),
            chat: RwSignal::new(Vec::new()),
            read: RwSignal::new(0),
            muted: RwSignal::new(BTreeMap::new()),
            trust: RwSignal::new(Trust::default()),
            late: RwSignal::new(BTreeMap::new()),
            proofs: RwSignal::new(Vec::new()),
            out: RwSignal::new(SeatSet::NONE),
            due: RwSignal::new(None),
            patience: RwSignal::new(0),
            asked: RwSignal::new(None),
            active: StoredValue::new(0.0),
            ended: RwSignal::new(None),
            away: RwSignal::new(None),
            unseen: RwSignal::new(BTreeMap::new()),
            mail: RwSignal::new(MailStatus::Stored),
            rematch: RwSignal::new(None),
            players: RwSignal::new(Vec::new()),
            fingerprint: RwSignal::new(String::new()),
            terms: RwSignal::new(None),
            changed: RwSignal::new(None),
            book: RwSignal::new(AddressBook::default()),
        }
    }

    /// Returns the id of the table; empty before it was loaded, and after another tab has taken it over. Does
    /// not track changes.
    pub fn table_id(self) -> String {
        self.peer_state
            .with_value(|peer_state| peer_state.as_ref().map(|peer_state| peer_state.kept.id.clone()))
            .unwrap_or_default()
    }

    /// Returns whether this page is at an online table, from its opening on and also after a failure. Does
    /// not track changes.
    pub fn is_online(self) -> bool {
        self.stage.with_untracked(|stage| *stage != Stage::Alone)
    }

    /// Returns the tag beside the name of a seat: "bot" for a dropped seat, "online" or "offline" for another
    /// person. `None` for bots, the player of this page and seats without a player. Tracks changes.
    pub fn seat_tag(self, seat: usize) -> Option<&'static str> {
        let (identity, host) = self.players.with(|players| players.get(seat).copied())?;
        if self.out.get().has(Seat(seat as u8)) {
            return Some("bot");
        }
        if host.is_some() || identity == self.me.with(|me| me.identity) {
            return None;
        }
        Some(self.reach.with(|reach| reach.get(&identity).copied()).unwrap_or(Reach::Away).word())
    }

    /// Returns whether there is no sign of cheating and the match has not failed. Tracks changes.
    pub fn is_well(self) -> bool {
        self.proofs.with(Vec::is_empty)
            && self.trust.with(|trust| trust.cheats.is_empty())
            && !matches!(self.stage.get(), Stage::Failed(_))
    }

    /// Returns the signed record, encoded as in a `.table` file, with the events so far before the end of the
    /// match; `None` before the match.
    pub fn record_bytes(self) -> Option<Vec<u8>> {
        self.peer_state.with_value(|peer_state| {
            let peer_state = peer_state.as_ref()?;
            match &peer_state.record {
                Some(record) => Some(record.clone()),
                None => Some(peer_state.lobby.session()?.record().encode()),
            }
        })
    }

    /// Saves the signed record as the file `GAME.table`, with the game's name, in the folder for downloads.
    /// Before the end of the match it holds the events so far. Does nothing before the match.
    pub fn save_record(self) {
        let game = self.with_peer_state(|peer_state| peer_state.kept.game.clone());
        if let (Some(game), Some(bytes)) = (game, self.record_bytes()) {
            save(&format!("{game}.table"), &bytes);
        }
    }

    /// Returns the seat of this page's player; `None` before the match and for spectators. Does not track
    /// changes.
    pub fn own_seat(self) -> Option<u8> {
        let me = self.me.with_untracked(|me| me.identity);
        self.players.with_untracked(|players| players.iter().position(|(id, _)| *id == me)).map(|s| s as u8)
    }

    /// Returns whether the player of this page is a spectator of the match; `false` before the match. Tracks
    /// changes.
    pub fn is_spectator(self) -> bool {
        self.stage.get() != Stage::Alone
            && self.players.with(|players| {
                !players.is_empty() && self.me.with(|me| players.iter().all(|(id, _)| *id != me.identity))
            })
    }

    /// Returns whether a seat belongs to a person at another machine who has not been dropped; `false` for
    /// the player of this page. Does not track changes.
    pub(super) fn is_person(self, seat: u8) -> bool {
        let me = self.me.with_untracked(|me| me.identity);
        let person = |(id, host): &(Identity, Option<u8>)| host.is_none() && *id != me;
        self.players.with_untracked(|players| players.get(usize::from(seat)).is_some_and(person))
            && !self.out.get_untracked().has(Seat(seat))
    }

    /// Returns whether there is an open connection to the player of a seat; `false` for an unknown seat and
    /// for the own one. Tracks changes.
    pub fn is_connected(self, seat: u8) -> bool {
        let identity = self.players.with(|players| players.get(usize::from(seat)).map(|(id, _)| *id));
        let reach = identity.and_then(|id| self.reach.with(|reach| reach.get(&id).copied()));
        reach.unwrap_or(Reach::Away) != Reach::Away
    }

    /// Navigates to the home page in the background, as soon as the last message is sent or after
    /// [`SHORT_FLUSH`]. Announces the turn of players who are away. The table stays stored and can be resumed.
    pub fn leave_table(self) {
        self.announce_turn(true);
        wasm_bindgen_futures::spawn_local(async move {
            self.flush(SHORT_FLUSH).await;
            go(&format!("{}/", server()));
        });
    }

    /// Waits until everything that was queued is handled, and acknowledged by the peers that are reachable
    /// and by the server, at most about `longest` milliseconds. Returns at once without a table.
    async fn flush(self, longest: i32) {
        let is_waiting = || {
            let net = self.peer_state.with_value(|peer_state| {
                let peer_state = peer_state.as_ref()?;
                let is_queued = peer_state.busy || !peer_state.inbox.borrow().is_empty();
                Some((is_queued, peer_state.net.clone()))
            });
            net.is_some_and(|(is_queued, net)| is_queued || net.is_some_and(|net| net.has_unsent()))
        };
        let mut waited = 0;
        while is_waiting() && waited < longest {
            page::sleep(FLUSH_STEP).await;
            waited += FLUSH_STEP;
        }
    }

    /// Copies the invitation link to the clipboard in the background, and then calls `done` with whether the
    /// browser allowed it.
    pub fn copy_link(self, done: impl Fn(bool) + 'static) {
        let link = self.link.get_untracked();
        wasm_bindgen_futures::spawn_local(async move { done(copy_text(&link).await) });
    }

    /// Appends an input to the inbox, and starts a task that handles it if none is running. Does
    /// nothing without a table.
    fn push_input(self, input: Input) {
        let inbox = self
            .peer_state
            .with_value(|peer_state| peer_state.as_ref().map(|peer_state| peer_state.inbox.clone()));
        if let Some(inbox) = inbox {
            inbox.borrow_mut().push_back(input);
            self.run_inbox();
        }
    }

    /// Queues a call of a method of the lobby. When its turn comes, `call` runs once, and the pump performs the
    /// outputs that it returns: stores log items, sends messages and reports events. Does nothing without a
    /// table.
    fn call_lobby(self, call: impl FnOnce(&mut Lobby) -> Vec<LobbyOutput> + 'static) {
        self.push_input(Input::Call(Box::new(call)));
    }

    /// Queues what the player wants in the lobby (`wish`: a seat, to watch, to be ready) as a request to the
    /// host, who decides. Sets the player's name, and stores it in this browser at once. When the request is
    /// handled, the name, the wish and the terms that it confirms are stored with the table, and the notice
    /// about changed terms (`changed`) is removed.
    pub fn request_seat(self, name: &str, wish: pentarchy_lobby::SeatRequest) {
        self.me.update(|me| me.name = name.to_owned());
        remember_name(name);
        self.push_input(Input::Wish(name.to_owned(), wish));
    }

    /// Queues the start of the match, as host: the lobby signs the terms and sends them to all, and the players
    /// then shuffle together. The lobby ignores it for guests, after the start, and while a seat is free or not
    /// ready.
    pub fn start_match(self) {
        self.call_lobby(Lobby::start_match);
    }

    /// Queues to seat a Medium bot, which runs on this device, at this seat, and to store it with the table.
    /// The others see it in the seating; the match starts if the bot completes a table that starts
    /// automatically. Nothing happens if the seat is not free. Call it at the host only.
    pub fn seat_bot(self, seat: u8) {
        self.push_input(Input::SeatBot(seat));
    }

    /// Queues an action of the player, given by its canonical text. A gesture (several actions joined by
    /// `gesture::AND`) is split, and its actions are queued in their order. The session checks each; if it
    /// rejects one while the player has to decide, the page shows a message. Does nothing after the match has
    /// ended early.
    pub fn play_action(self, action: &str) {
        // A match that another player's claim has ended must not get further moves from here.
        if self.ended.with_untracked(Option::is_some) {
            return;
        }
        for action in action.split(crate::gesture::AND) {
            let action = action.to_owned();
            self.call_lobby(move |lobby| lobby.choose_action(&action));
        }
    }

    /// Queues that this player ends the match, for this page alone, because they do not wait any longer; the
    /// others may play on. If seats are late, this player signs the claim that they were late and sends it to
    /// all; it ends the match at the pages of the late players, too. It cannot be taken back. Nothing happens
    /// before the match or once it is over.
    pub fn give_up(self) {
        self.call_lobby(Lobby::give_up);
    }

    /// Agrees to drop the late seats that the player was asked about, and closes the question. The session
    /// votes when it is time; when all players who are not late agree, a bot takes these seats or the match
    /// ends, as the terms say. Does nothing without a question.
    pub fn drop_late(self) {
        if let Some((seats, _)) = self.asked.get_untracked() {
            self.asked.set(None);
            self.call_lobby(move |lobby| lobby.vote_to_drop(seats));
        }
    }

    /// Declines to drop the late seats, and closes the question. The session asks again after another time
    /// limit. The late players still can move.
    pub fn wait_for_late(self) {
        self.asked.set(None);
        self.call_lobby(Lobby::wait_for_late);
    }

    /// Tells the session that the player is present, after a click or a key, at most every [`ACTIVITY`]
    /// milliseconds. The session tells the others if this player's seat owes an action, which postpones the
    /// timeout. Does nothing unless a match is running.
    pub fn note_activity(self) {
        let now = crate::clock::now();
        let playing = self.stage.with_untracked(|stage| *stage == Stage::Playing);
        if playing && now - self.active.get_value() >= ACTIVITY {
            self.active.set_value(now);
            self.call_lobby(Lobby::report_thinking);
        }
    }

    /// Sends a line of chat and adds it to the own view; all lines count as read then. Trims it, sends as much
    /// as fits in one message ([`split_chat`]) and returns the rest. Ignores empty lines.
    pub fn send_chat(self, text: &str) -> String {
        let (text, rest) = split_chat(text);
        if text.is_empty() {
            return String::new();
        }
        let text = text.to_owned();
        let me = self.me.get_untracked();
        let seat =
            self.players.with_untracked(|players| players.iter().position(|(id, _)| *id == me.identity));
        let name = if me.name.is_empty() { "You".to_owned() } else { me.name };
        let seat = seat.map(|seat| seat as u8);
        self.add_chat_line(ChatLine { seat, from: me.identity, name, text: text.clone(), mine: true });
        self.read.set(self.chat.with_untracked(Vec::len));
        self.call_lobby(move |lobby| lobby.send_chat(&text));
        rest.to_owned()
    }

    /// Appends a line to the chat. Drops the oldest line, and counts one line less as read, if there are
    /// [`MOST_LINES`].
    fn add_chat_line(self, said: ChatLine) {
        let is_full = self.chat.with_untracked(Vec::len) >= MOST_LINES;
        if is_full {
            self.read.update(|read| *read = read.saturating_sub(1));
        }
        self.chat.update(|chat| {
            chat.drain(..usize::from(is_full));
            chat.push(said);
        });
    }

    /// Stops showing the chat lines of a player, or shows them again unless `is_muted`; in the lobby and in the
    /// match, until the page is left. `name` is shown in the list of muted players. Muting also removes their
    /// earlier lines from the view; unmuting does not restore them. Unread lines of others stay unread. The
    /// player is not notified.
    pub fn set_muted(self, identity: Identity, name: &str, is_muted: bool) {
        self.muted.update(|muted| {
            if is_muted {
                muted.insert(identity, name.to_owned());
            } else {
                muted.remove(&identity);
            }
        });
        if is_muted {
            let mut read = self.read.get_untracked();
            self.chat.update(|chat| remove_sender(chat, &mut read, &identity));
            self.read.set(read);
        }
        self.call_lobby(move |lobby| {
            lobby.set_muted(identity, is_muted);
            Vec::new()
        });
    }

    /// Queues to remove a guest from the lobby, as host: frees their seat, tells all, and ignores the guest
    /// until the host's page is left. They still have the link, and can return with another identity. The lobby
    /// ignores it for guests and after the start.
    pub fn remove_guest(self, identity: Identity) {
        self.call_lobby(move |lobby| lobby.remove_guest(identity));
    }
}

const NAME: &str = "pentarchy.name";
/// Maximum number of chat lines in memory.
const MOST_LINES: usize = 200;

/// Returns the name that the player of this browser used last; empty if there is none.
pub fn own_name() -> String {
    let store = page::window().and_then(|w| w.local_storage().ok().flatten());
    store.and_then(|store| store.get_item(NAME).ok().flatten()).unwrap_or_default()
}

/// Stores the player's name in this browser for the next visit. Errors of the storage are ignored.
fn remember_name(name: &str) {
    if let Some(store) = page::window().and_then(|w| w.local_storage().ok().flatten()) {
        let _ = store.set_item(NAME, name);
    }
}
