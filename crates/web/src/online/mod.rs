//! Tables with others: the page as one peer of several, each of which checks everything.
//!
//! | file | concept |
//! | --- | --- |
//! | `browser` | the store of tables, the address, the clipboard |
//! | `table` | opening a table, and joining one by its link |
//! | `identity` | the identity of this browser, and its address book |
//! | `pump` | what comes in, what is stored and then sent, what is shown |
//! | `watch` | whom the table waits for, what others have missed, what a player missed who comes back |
//! | `rematch` | the same players and rules once more |
//! | `ready` | what is done while people sit down, so that the game opens at once |
//! | `qr` | a link as a picture |

mod browser;
pub mod identity;
mod pump;
mod qr;
mod ready;
mod rematch;
mod table;
mod watch;

use crate::page;
use leptos::prelude::*;
use pentarchy_identity::AddressBook;
use pentarchy_net::{Browser, Event, Party, PeerId, Seating};
use pentarchy_table::{Ending, Recovery, Trust};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

pub use browser::{StoredTable, all as all_tables, copy, forget as forget_table, go, save, server};
#[cfg(feature = "cheat")]
pub use pump::forge;
pub use qr::qr;
pub use rematch::Rematch;
pub use table::{Open, Order, create, invitation, open_tables};
pub use watch::{Away, Ended, LatePlayer};

/// Who somebody is in the world.
pub type Identity = [u8; 32];

/// How far it has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// This page has nothing to do with others.
    Alone,
    /// The table is looked up.
    Opening,
    /// The table is open in another tab of this browser.
    Elsewhere,
    /// The table was opened in another tab; this one has stopped.
    Lost,
    /// Seats are taken.
    Waiting,
    /// The game is under way.
    Playing,
    /// It has ended.
    Over(Ending),
    /// It cannot go on, for this reason.
    Failed(String),
}

/// How it stands with the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServerConnection {
    /// Not connected yet.
    Connecting,
    /// Connected.
    Connected,
    /// Not connected, for this reason; it is tried again.
    Retrying(String),
}

/// How somebody is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// By a connection between the two machines.
    Direct,
    /// Through the relay of the server.
    Relay,
    /// There is no open connection.
    Away,
}

impl Reach {
    /// Whether the player has an open connection, in a word.
    pub fn word(self) -> &'static str {
        if self == Reach::Away { "offline" } else { "online" }
    }

    /// The kind of the connection, for the trust panel.
    pub fn path(self) -> &'static str {
        match self {
            Reach::Direct => "direct",
            Reach::Relay => "relay",
            Reach::Away => "offline",
        }
    }
}

/// A line of chat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChatLine {
    /// The seat of whoever said it, once there are seats.
    pub seat: Option<u8>,
    /// The identity of whoever said it.
    pub from: Identity,
    /// What that is called.
    pub name: String,
    /// What was said.
    pub text: String,
    /// Whether it was the player of this page.
    pub mine: bool,
}

/// A proof that somebody has cheated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Who.
    pub seat: u8,
    /// The identity.
    pub identity: Identity,
    /// What he did, in words.
    pub what: String,
    /// The file to keep.
    pub file: Vec<u8>,
}

/// Who the player of this page is at the table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Me {
    /// His identity.
    pub identity: Identity,
    /// His name.
    pub name: String,
    /// Whether he opened the table.
    pub host: bool,
}

/// All that this page knows of a table with others. Small, so that it can be handed to everybody.
#[derive(Clone, Copy)]
pub struct Online {
    desk: StoredValue<Option<PeerState>, LocalStorage>,
    /// How far it has come.
    pub stage: RwSignal<Stage>,
    /// Who sits where before the game.
    pub seating: RwSignal<Option<Seating>>,
    /// Who the player of this page is.
    pub me: RwSignal<Me>,
    /// The invitation.
    pub link: RwSignal<String>,
    /// How it stands with the server.
    pub server: RwSignal<ServerConnection>,
    /// How the others are reached.
    pub reach: RwSignal<BTreeMap<Identity, Reach>>,
    /// What was said.
    pub chat: RwSignal<Vec<ChatLine>>,
    /// How much of it has been read.
    pub read: RwSignal<usize>,
    /// The people whose lines are hidden here, with their names.
    pub muted: RwSignal<BTreeMap<Identity, String>>,
    /// What was checked.
    pub trust: RwSignal<Trust>,
    /// By seat: what somebody is late with.
    pub late: RwSignal<BTreeMap<u8, String>>,
    /// Who has cheated.
    pub proofs: RwSignal<Vec<Proof>>,
    /// The seats that are out, as bits: a bot plays on for them.
    pub out: RwSignal<u8>,
    /// Whom the table waits for, and how long it does.
    pub due: RwSignal<Option<LatePlayer>>,
    /// Until when the player waits for a late player without being asked again, in milliseconds of silence.
    pub patience: RwSignal<u64>,
    /// The seats, as bits, that the player is asked to drop, and those of them that are reached by no path.
    pub asked: RwSignal<Option<(u8, u8)>>,
    /// When the others were last told that the player is there, in milliseconds.
    active: StoredValue<f64>,
    /// Why the game ended, if it did not end by its rules.
    pub ended: RwSignal<Option<Ended>>,
    /// What happened before the player of this page came back.
    pub away: RwSignal<Option<Away>>,
    /// By seat: how many moves of this player it has not seen.
    pub unseen: RwSignal<BTreeMap<u8, usize>>,
    /// Somebody wants to play again.
    pub rematch: RwSignal<Option<Rematch>>,
    /// The players of the game: identity, and whose machine a bot runs on.
    pub players: RwSignal<Vec<(Identity, Option<u8>)>>,
    /// The fingerprint of the table.
    pub fingerprint: RwSignal<String>,
    /// Once the game has begun: what happens when a player leaves, and the time limit in milliseconds.
    pub terms: RwSignal<Option<(Recovery, u32)>>,
    /// Before the game: what the host changed after the player was ready.
    pub changed: RwSignal<Option<String>>,
    /// Whom the player of this browser has met before.
    pub book: RwSignal<AddressBook>,
}

/// The session hears of the player's activity at most this often, in milliseconds.
const ACTIVITY: f64 = 5_000.0;

/// What has to happen next at the table.
enum Input {
    Start,
    Event(Event),
    Wish(String, pentarchy_net::Wish),
    Open,
    SeatBot(u8),
    Choose(String),
    BotChose(usize, String),
    Chat(String),
    Mute(Identity, bool),
    Remove(Identity),
    GiveUp,
    Thinking,
    Drop(u8),
    Wait,
    Tick(u64),
    #[cfg(feature = "cheat")]
    Forge(pentarchy_table::Forgery),
}

/// What only one at a time may use.
struct PeerState {
    kept: StoredTable,
    party: Party,
    net: Option<Rc<Browser>>,
    inbox: Rc<RefCell<VecDeque<Input>>>,
    /// Whether somebody is at work on the inbox.
    busy: bool,
    /// How many items of the log are stored.
    stored: u32,
    /// Those that come next and are not stored yet.
    unsaved: Vec<Vec<u8>>,
    peers: BTreeMap<PeerId, Identity>,
    record: Option<Vec<u8>>,
    /// Whether the page is catching up with the events.
    showing: bool,
    /// When the lobby was told last.
    listed: f64,
    /// When the player of this page left the table before, in milliseconds; 0 if it was never open here.
    left: f64,
}

impl Online {
    /// A page that has nothing to do with others.
    pub fn new() -> Self {
        Online {
            desk: StoredValue::new_local(None),
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
            out: RwSignal::new(0),
            due: RwSignal::new(None),
            patience: RwSignal::new(0),
            asked: RwSignal::new(None),
            active: StoredValue::new(0.0),
            ended: RwSignal::new(None),
            away: RwSignal::new(None),
            unseen: RwSignal::new(BTreeMap::new()),
            rematch: RwSignal::new(None),
            players: RwSignal::new(Vec::new()),
            fingerprint: RwSignal::new(String::new()),
            terms: RwSignal::new(None),
            changed: RwSignal::new(None),
            book: RwSignal::new(AddressBook::default()),
        }
    }

    /// The name of the table; empty before it was looked up.
    pub fn table_id(self) -> String {
        self.desk.with_value(|desk| desk.as_ref().map(|desk| desk.kept.id.clone())).unwrap_or_default()
    }

    /// Whether this page is at a table with others.
    pub fn on(self) -> bool {
        self.stage.with_untracked(|stage| *stage != Stage::Alone)
    }

    /// What stands beside the name of a seat.
    pub fn tag(self, seat: usize) -> Option<&'static str> {
        let (identity, host) = self.players.with(|players| players.get(seat).copied())?;
        if self.out.get() >> seat & 1 != 0 {
            return Some("bot");
        }
        if host.is_some() || identity == self.me.with(|me| me.identity) {
            return None;
        }
        Some(self.reach.with(|reach| reach.get(&identity).copied()).unwrap_or(Reach::Away).word())
    }

    /// Whether everything is as it should be: nobody cheats, nobody is late, and the server is there.
    pub fn is_well(self) -> bool {
        self.proofs.with(Vec::is_empty)
            && self.trust.with(|trust| trust.cheats.is_empty())
            && !matches!(self.stage.get(), Stage::Failed(_))
    }

    /// The signed record as a file: of the whole game once it is over, before that as far as it goes.
    pub fn save_record(self) {
        let file = self.desk.with_value(|desk| {
            let desk = desk.as_ref()?;
            let bytes = match &desk.record {
                Some(record) => record.clone(),
                None => desk.party.session()?.record().encode(),
            };
            Some((format!("{}.table", desk.kept.game), bytes))
        });
        if let Some((name, bytes)) = file {
            save(&name, &bytes);
        }
    }

    /// The seat of the player of this page, once the game has begun; nothing for a spectator.
    pub fn seat(self) -> Option<u8> {
        let me = self.me.with_untracked(|me| me.identity);
        self.players.with_untracked(|players| players.iter().position(|(id, _)| *id == me)).map(|s| s as u8)
    }

    /// Whether the player of this page watches a game of others.
    pub fn watches(self) -> bool {
        self.stage.get() != Stage::Alone
            && self.players.with(|players| {
                !players.is_empty() && self.me.with(|me| players.iter().all(|(id, _)| *id != me.identity))
            })
    }

    /// Whether a seat is a person at another page.
    pub(super) fn is_person(self, seat: u8) -> bool {
        let me = self.me.with_untracked(|me| me.identity);
        let person = |(id, host): &(Identity, Option<u8>)| host.is_none() && *id != me;
        self.players.with_untracked(|players| players.get(usize::from(seat)).is_some_and(person))
            && self.out.get_untracked() >> seat & 1 == 0
    }

    /// Whether there is an open connection to the player of a seat.
    pub fn is_connected(self, seat: u8) -> bool {
        let identity = self.players.with(|players| players.get(usize::from(seat)).map(|(id, _)| *id));
        let reach = identity.and_then(|id| self.reach.with(|reach| reach.get(&id).copied()));
        reach.unwrap_or(Reach::Away) != Reach::Away
    }

    /// Leaves the page of the table. The table stays open.
    pub fn leave(self) {
        go(&format!("{}/", server()));
    }

    /// Copies the invitation.
    pub fn copy_link(self, done: impl Fn(bool) + 'static) {
        let link = self.link.get_untracked();
        wasm_bindgen_futures::spawn_local(async move { done(copy(&link).await) });
    }

    fn push(self, input: Input) {
        let inbox = self.desk.with_value(|desk| desk.as_ref().map(|desk| desk.inbox.clone()));
        if let Some(inbox) = inbox {
            inbox.borrow_mut().push_back(input);
            self.work();
        }
    }

    /// The player wants a seat, or none, or is ready.
    pub fn wish(self, name: &str, wish: pentarchy_net::Wish) {
        self.me.update(|me| me.name = name.to_owned());
        remember_name(name);
        self.push(Input::Wish(name.to_owned(), wish));
    }

    /// The host begins the game.
    pub fn begin(self) {
        self.push(Input::Open);
    }

    /// The host seats a Medium bot at a free seat.
    pub fn seat_bot(self, seat: u8) {
        self.push(Input::SeatBot(seat));
    }

    /// The player decides. The actions of a gesture follow one another.
    pub fn choose(self, action: &str) {
        // Nobody plays on in a game that somebody has ended.
        if self.ended.with_untracked(Option::is_some) {
            return;
        }
        for action in action.split(crate::gesture::AND) {
            self.push(Input::Choose(action.to_owned()));
        }
    }

    /// The player does not wait any longer.
    pub fn give_up(self) {
        self.push(Input::GiveUp);
    }

    /// The player agrees to go on without the players who are late.
    pub fn drop_late(self) {
        if let Some((seats, _)) = self.asked.get_untracked() {
            self.asked.set(None);
            self.push(Input::Drop(seats));
        }
    }

    /// The player would rather wait for them.
    pub fn wait_for_late(self) {
        self.asked.set(None);
        self.push(Input::Wait);
    }

    /// The player touched or typed something: while they think, the others learn that they are there.
    pub fn note_activity(self) {
        let now = crate::clock::now();
        let due = self
            .seat()
            .is_some_and(|me| self.due.with_untracked(|due| due.as_ref().is_some_and(|due| due.seat == me)));
        if due && now - self.active.get_value() >= ACTIVITY {
            self.active.set_value(now);
            self.push(Input::Thinking);
        }
    }

    /// The player says something.
    pub fn say(self, text: &str) {
        let text: String = text.trim().chars().take(400).collect();
        if text.is_empty() {
            return;
        }
        let me = self.me.get_untracked();
        let seat =
            self.players.with_untracked(|players| players.iter().position(|(id, _)| *id == me.identity));
        let name = if me.name.is_empty() { "You".to_owned() } else { me.name };
        let seat = seat.map(|seat| seat as u8);
        self.add_line(ChatLine { seat, from: me.identity, name, text: text.clone(), mine: true });
        self.read.set(self.chat.with_untracked(Vec::len));
        self.push(Input::Chat(text));
    }

    /// Adds a line to the chat; the oldest one goes if there are too many.
    fn add_line(self, said: ChatLine) {
        let is_full = self.chat.with_untracked(Vec::len) >= MOST_LINES;
        if is_full {
            self.read.update(|read| *read = read.saturating_sub(1));
        }
        self.chat.update(|chat| {
            chat.drain(..usize::from(is_full));
            chat.push(said);
        });
    }

    /// Hides what somebody says, from now on and before, or shows what they say from now on.
    pub fn mute(self, identity: Identity, name: &str, is_muted: bool) {
        self.muted.update(|muted| {
            if is_muted {
                muted.insert(identity, name.to_owned());
            } else {
                muted.remove(&identity);
            }
        });
        if is_muted {
            self.chat.update(|chat| chat.retain(|said| said.from != identity));
            self.read.set(self.chat.with_untracked(Vec::len));
        }
        self.push(Input::Mute(identity, is_muted));
    }

    /// The host removes a guest before the game.
    pub fn remove(self, identity: Identity) {
        self.push(Input::Remove(identity));
    }
}

const NAME: &str = "pentarchy.name";
/// How many lines of chat a page keeps.
const MOST_LINES: usize = 200;

/// What the player of this browser called himself last.
pub fn own_name() -> String {
    let store = page::window().and_then(|w| w.local_storage().ok().flatten());
    store.and_then(|store| store.get_item(NAME).ok().flatten()).unwrap_or_default()
}

fn remember_name(name: &str) {
    if let Some(store) = page::window().and_then(|w| w.local_storage().ok().flatten()) {
        let _ = store.set_item(NAME, name);
    }
}
