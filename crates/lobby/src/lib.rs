//! A table from the invitation to the end: who sits where, and then the game. Without sockets and clocks, like the
//! session that it leads to.
//!
//! A peer that joins tells the host what it wants: a seat, or to watch. The host keeps the seating and sends it to all.
//! Guests agree to it by its identifier. When all seats are taken and have agreed, the host signs the descriptor of the
//! game and sends it. A guest starts only the game it has agreed to. From then on the host has no special role: any peer
//! passes the signed descriptor on to peers that join late or return.
//!
//! Bots may sit beside the host: each has an identity, keys and a session of its own. They share the host's
//! connections, for a message is judged by its signature and not by who brings it.

mod agreement;
mod chat;
mod game;
pub mod journal;
mod seating;
mod secret;
mod signed_start;
mod terms;
#[cfg(test)]
mod tests;

use pentarchy_engine::AnyGame;
use pentarchy_keys::{Drbg, Entropy, SigningSecret};
use pentarchy_net::{Event, HostTag, Identity, PeerId};
use pentarchy_table::{Descriptor, Input, MAX_CHAT, NotRestored, Output, Recovery, Session, rules_hash};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub use chat::Attendee;
use chat::ChatFilter;
use seating::plain;
pub use seating::{Chair, Seating, Wish, fingerprint};
pub use secret::SecretBytes;
use signed_start::Word;
pub use terms::{limit_text, recovery_text, takeover_refusal};

/// Finds a game by its name.
pub type Find = fn(&str) -> Option<&'static dyn AnyGame>;

/// What the host has decided before anybody came.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The options that differ from the defaults.
    pub options: serde_json::Value,
    /// How many seats there are.
    pub seats: u8,
    /// What is wished for when a seat is gone for good. The seating says what [fits](Recovery::limited_to) the machines.
    pub recovery: Recovery,
    /// After so many milliseconds of silence a seat is said to stall.
    pub stall_ms: u32,
    /// Whether the game begins by itself when all seats are taken and ready; else when the host [says so](Party::open).
    pub at_once: bool,
}

/// A bot that plays beside the host.
pub struct Hosted {
    /// Its identity.
    pub identity: SigningSecret,
    /// What it is called.
    pub name: String,
    /// How strong it is, for people.
    pub level: String,
    /// 32 fresh bytes from the operating system, for its keys.
    pub seed: SecretBytes,
}

/// What is to be done, and what has happened.
#[derive(Clone, Debug)]
pub enum Step {
    /// Send this to a peer.
    Send(PeerId, Vec<u8>),
    /// Send this to a peer that lags, after whatever else is to be sent.
    SendBulk(PeerId, Vec<u8>),
    /// Store this before anything that follows is sent.
    Persist(Vec<u8>),
    /// The seating has changed.
    Seats(Seating),
    /// The terms are no longer those that the player confirmed, for this reason. The player is not ready any more, and
    /// has to wish for the seat again.
    Changed(String),
    /// All seats are taken: the game begins.
    Begun,
    /// What the session says; it neither asks for something to be sent nor to be stored.
    Session(Output),
    /// The bot with this number is to choose.
    BotChooses(usize),
    /// Somebody says something before the game, or while watching it.
    Chat {
        /// Who.
        from: Identity,
        /// What that is called; marked if it is somebody without a seat.
        name: String,
        /// What was said.
        text: String,
    },
    /// The table cannot be joined, for this reason.
    Refused(String),
}

/// What peers say before the game.
#[derive(Debug, Serialize, Deserialize)]
enum Talk {
    /// A guest says what he wants.
    Wish { name: String, wish: Wish },
    /// The host says who sits where.
    Seats(Seating),
    /// The game begins: the word of the host, whoever brings it.
    Begin(Word),
    /// Something for people.
    Chat(String),
    /// A guest agrees to the table with this identifier.
    Agree([u8; 32]),
    /// The host has removed the guest.
    Removed,
}

const TALK: u8 = 0;
const SESSION: u8 = 1;
/// Bytes of what is said before the game.
const MAX_TALK: usize = 128 * 1024;
/// The number of this peer's own session; those of its bots follow.
const OWN: usize = 0;
/// Among what is stored, this marks the word of the host.
const WORD: u8 = u8::MAX;
/// Among what is stored, this marks the identifier of a table to which this device has agreed.
const AGREED: u8 = u8::MAX - 1;

/// Why a device is refused whose identity is at the table already.
const TWIN: &str = "your identity is at this table already, on another device or in another browser. Go on there, or \
                    close it there and open this link again";
/// Why a device is refused that has not agreed to a game in which its identity has a seat.
const OTHER_DEVICE: &str = "your identity plays at this table on another device or in another browser, which has the \
                            keys of the game. Go on there";
/// Why a device of the host is refused that did not create the table.
const OTHER_HOST: &str = "your identity hosts this table, on another device or in another browser. Go on there, or join \
                          with another identity";

/// One peer of a table.
pub struct Party {
    find: Find,
    identity: SigningSecret,
    name: String,
    host: HostTag,
    setup: Option<Setup>,
    seed: SecretBytes,
    /// Fresh bytes of this process, which are not stored.
    random: Drbg,
    wish: Wish,
    present: BTreeMap<PeerId, Identity>,
    seating: Option<Seating>,
    /// Host: the identifier of the table to which each guest has agreed.
    agreements: BTreeMap<Identity, [u8; 32]>,
    /// Guest: the table whose terms the player has confirmed.
    confirmed: Option<Descriptor>,
    /// Guest: the identifier of the table to which this peer has agreed; none if the last seating is another one.
    agreement: Option<[u8; 32]>,
    /// Guest: the identifiers of all tables to which this device has agreed, stored ones included.
    agreed: BTreeSet<[u8; 32]>,
    /// Host: whom it has removed.
    removed: BTreeSet<Identity>,
    chat_filter: ChatFilter,
    bots: Vec<(Hosted, Option<Session>)>,
    session: Option<Session>,
    /// What the host said when the game began.
    word: Option<Word>,
    steps: Vec<Step>,
    /// What sessions at this peer say to each other: from, to, what.
    inbox: VecDeque<(usize, usize, Vec<u8>)>,
    now: u64,
    #[cfg(feature = "cheat")]
    forging: Option<pentarchy_table::Forgery>,
}

impl Party {
    /// A peer that hosts a table, or joins one and wants any seat. `seed` is 32 fresh bytes from the operating system,
    /// for the keys of this game: a caller that resumes it must give the same. `entropy` is fresh each time and never stored.
    pub fn new(
        find: Find,
        identity: SigningSecret,
        name: &str,
        host: HostTag,
        setup: Option<Setup>,
        seed: [u8; 32],
        entropy: Entropy,
    ) -> Self {
        let seed = SecretBytes::new(seed);
        let name = plain(name);
        let mine = *identity.public().bytes();
        let seating = setup.as_ref().map(|setup| {
            let mut chairs = vec![None; usize::from(setup.seats)];
            if let Some(first) = chairs.first_mut() {
                *first = Some(Chair { identity: mine, name: name.clone(), ready: true, bot: None });
            }
            let (info, options) = (setup.game.info(), setup.game.options(setup.seats, &setup.options, &[]));
            Seating {
                game: info.name.to_owned(),
                rules: info.rules_version,
                rules_hash: rules_hash(setup.game),
                // Options that do not fit are refused when the game begins.
                options: options.as_ref().unwrap_or(&setup.options).to_string(),
                recovery: setup.recovery.limited_to(setup.seats),
                stall_ms: setup.stall_ms,
                nonce: blake3::derive_key("pentarchy table nonce v1", &*seed),
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
            wish: Wish::Sit { seat: None, ready: true },
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
            word: None,
            steps: Vec::new(),
            inbox: VecDeque::new(),
            now: 0,
            #[cfg(feature = "cheat")]
            forging: None,
        }
    }

    /// Seats a bot beside the host, before the game or before it is resumed. False if there is no such free seat.
    pub fn seat_bot(&mut self, seat: u8, bot: Hosted) -> bool {
        let Some(seating) = &mut self.seating else { return false };
        let Some(chair @ None) = seating.chairs.get_mut(usize::from(seat)) else { return false };
        let (identity, name, level) = (*bot.identity.public().bytes(), plain(&bot.name), plain(&bot.level));
        *chair = Some(Chair { identity, name, ready: true, bot: Some(level) });
        // The more bots the host has, the fewer machines there are to hold shares.
        if let Some(setup) = self.setup.as_ref().filter(|_| self.session.is_none()) {
            seating.recovery = setup.recovery.limited_to(seating.machines());
        }
        self.bots.push((bot, None));
        true
    }

    /// Goes on with a game that was stored: everything that was to be persisted, in order. If a crash has left less than
    /// the keys of this peer's seat, nothing was sent to anybody: then the game has not begun here, and there is no
    /// session afterwards.
    ///
    /// # Errors
    /// What is stored is damaged, or for another version.
    pub fn resume(&mut self, persisted: impl Iterator<Item = Vec<u8>>) -> Result<(), NotRestored> {
        let mut logs = vec![Vec::new(); self.bots.len() + 1];
        let mut word = None;
        for (at, item) in persisted.enumerate() {
            let Some((&who, item)) = item.split_first() else { return Err(NotRestored::Damaged(at)) };
            if who == WORD {
                // The game began again after a crash that left nothing of its first beginning.
                word = postcard::from_bytes(item).ok();
                logs.iter_mut().for_each(Vec::clear);
                continue;
            }
            if who == AGREED {
                self.agreed.insert(item.try_into().map_err(|_| NotRestored::Damaged(at))?);
                continue;
            }
            let log = logs.get_mut(usize::from(who)).ok_or(NotRestored::Damaged(at))?;
            // The same for the session of a bot.
            if log.len() == 1 && log[0] == item {
                continue;
            }
            log.push(item.to_vec());
        }
        let mut logs = logs.into_iter();
        let own = logs.next().filter(|log| has_keys(log));
        let Some(own) = own else { return Ok(()) };
        let session = Session::restore(self.find, own.into_iter(), self.entropy())?;
        self.word = word;
        if self.is_host() && self.word.is_none() {
            self.word = Some(Word::new(&self.identity, session.descriptor().encode()));
        }
        self.session = Some(session);
        for (number, log) in logs.enumerate().filter(|(_, log)| has_keys(log)) {
            let session = Session::restore(self.find, log.into_iter(), self.entropy())?;
            self.bots[number].1 = Some(session);
        }
        Ok(())
    }

    /// Fresh bytes for one session.
    fn entropy(&mut self) -> Entropy {
        let mut bytes = [0; 32];
        self.random.fill(&mut bytes);
        Entropy::new(bytes)
    }

    /// The game, once it has begun.
    pub fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// A bot at this peer, and its session once the game has begun.
    pub fn bot(&self, number: usize) -> Option<(&Hosted, Option<&Session>)> {
        self.bots.get(number).map(|(bot, session)| (bot, session.as_ref()))
    }

    /// The sessions at this peer, its own first and then those of its bots. For simulated cheaters, which prepare them.
    #[doc(hidden)]
    pub fn sessions_mut(&mut self) -> impl Iterator<Item = &mut Session> {
        let bots = self.bots.iter_mut().filter_map(|(_, session)| session.as_mut());
        self.session.iter_mut().chain(bots)
    }

    /// Who sits where, as far as this peer knows.
    pub fn seating(&self) -> Option<&Seating> {
        self.seating.as_ref()
    }

    /// Whether this peer opened the table.
    pub fn is_host(&self) -> bool {
        self.setup.is_some()
    }

    /// Whether a game that began is over.
    pub fn is_over(&self) -> bool {
        self.session.as_ref().is_some_and(Session::is_over)
    }

    /// A host alone at its table begins at once; everybody else waits. What was resumed goes on.
    pub fn start(&mut self) -> Vec<Step> {
        if let Some(descriptor) = self.session.as_ref().map(|session| session.descriptor().clone()) {
            if let Err(unusable) = self.wake_bots(&descriptor) {
                self.steps.push(Step::Refused(unusable.to_string()));
            }
            self.introduce();
        } else if self.is_host() {
            self.tell_seats();
            self.fill();
        } else if HostTag::of(self.identity.public().bytes()) == self.host {
            self.steps.push(Step::Refused(OTHER_HOST.into()));
        }
        self.done()
    }

    /// The transport tells something.
    pub fn event(&mut self, event: Event) -> Vec<Step> {
        match event {
            Event::Up { peer, identity, .. } => {
                self.present.insert(peer, identity);
                self.greet(peer);
                self.tell_reach(&identity);
            }
            Event::Down(peer) => {
                let identity = self.present.remove(&peer);
                if self.session.is_some() {
                    self.all(Input::Gone(peer));
                    identity.iter().for_each(|identity| self.tell_reach(identity));
                } else {
                    self.left();
                }
            }
            Event::Message(peer, bytes) => match bytes.split_first() {
                Some((&TALK, talk)) if talk.len() <= MAX_TALK => self.talk(peer, talk),
                Some((&SESSION, bytes)) => self.all(Input::Message { from: peer, bytes }),
                _ => {}
            },
            Event::Twin => self.steps.push(Step::Refused(TWIN.into())),
            Event::Path(..) | Event::Server(_) => {}
        }
        self.done()
    }

    /// The table whose terms the player has confirmed: by wishing for a seat while they were shown, or
    /// [before](Self::confirm).
    pub fn confirmed(&self) -> Option<&Descriptor> {
        self.confirmed.as_ref()
    }

    /// The player has confirmed the terms of this table before: on an earlier visit, or by accepting a rematch. Only other
    /// terms are asked about again.
    pub fn confirm(&mut self, table: Descriptor) {
        self.confirmed = Some(table);
    }

    /// The player wants something else, or changes their name. A wish to sit and be ready confirms the terms of the
    /// seating as this peer knows it.
    pub fn wish(&mut self, name: &str, wish: Wish) -> Vec<Step> {
        (self.name, self.wish) = (plain(name), wish);
        if self.session.is_some() {
            return self.done();
        }
        if self.is_host() {
            let (identity, name) = (*self.identity.public().bytes(), self.name.clone());
            self.place(identity, &name, wish);
            self.tell_seats();
            return self.done();
        }
        if let Some(seating) = self.seating.as_ref().filter(|_| wish.is_ready()) {
            self.confirmed = Some(seating.descriptor());
        }
        if let Some(host) = self.host_peer() {
            self.say(host, &Talk::Wish { name: self.name.clone(), wish });
        }
        self.done()
    }

    /// The host begins the game: all seats must be taken, and everybody ready.
    pub fn open(&mut self) -> Vec<Step> {
        self.begin_all();
        self.done()
    }

    /// The player chooses an action.
    pub fn choose(&mut self, text: &str) -> Vec<Step> {
        self.input(OWN, Input::Choose(text));
        self.done()
    }

    /// A bot chooses an action.
    pub fn bot_chooses(&mut self, number: usize, text: &str) -> Vec<Step> {
        self.input(number + 1, Input::Choose(text));
        self.done()
    }

    /// The player says something.
    pub fn chat(&mut self, text: &str) -> Vec<Step> {
        if self.session.as_ref().is_some_and(|session| session.seat().is_some()) {
            self.input(OWN, Input::Chat(text));
        } else if text.len() <= MAX_CHAT {
            let peers: Vec<PeerId> = self.present.keys().copied().collect();
            for peer in peers {
                self.say(peer, &Talk::Chat(text.to_owned()));
            }
        }
        self.done()
    }

    /// The player is there and thinks about a move. May be called on any input, and often.
    pub fn thinking(&mut self) -> Vec<Step> {
        self.input(OWN, Input::Thinking);
        self.done()
    }

    /// The player agrees to go on without these seats, as bits.
    pub fn drop_seats(&mut self, seats: u8) -> Vec<Step> {
        self.input(OWN, Input::Drop(seats));
        self.done()
    }

    /// The player would rather wait for the seats that are late.
    pub fn wait(&mut self) -> Vec<Step> {
        self.input(OWN, Input::Wait);
        self.done()
    }

    /// The player gives up a game that cannot go on.
    pub fn give_up(&mut self) -> Vec<Step> {
        self.input(OWN, Input::GiveUp);
        self.done()
    }

    /// So late is it now, in milliseconds.
    pub fn tick(&mut self, now_ms: u64) -> Vec<Step> {
        self.now = now_ms;
        self.all(Input::Tick { now_ms });
        self.done()
    }

    /// What this player does next is forged on its way to the others. For tests of what then happens.
    #[cfg(feature = "cheat")]
    pub fn forge(&mut self, forgery: pentarchy_table::Forgery) -> Vec<Step> {
        self.forging = Some(forgery);
        self.session.as_mut().into_iter().for_each(Session::prepare_forgery);
        self.done()
    }

    fn done(&mut self) -> Vec<Step> {
        #[cfg(feature = "cheat")]
        self.send_uncalled();
        while let Some((from, to, bytes)) = self.inbox.pop_front() {
            self.input(to, Input::Message { from: local(from), bytes: &bytes });
        }
        std::mem::take(&mut self.steps)
    }

    /// A peer is there, perhaps again.
    fn greet(&mut self, peer: PeerId) {
        if self.is_removed(peer) {
            self.say(peer, &Talk::Removed);
        } else if self.session.is_some() {
            self.begin_at(peer);
            self.input(OWN, Input::Connected(peer));
        } else if self.is_host() {
            let known =
                |identity: &Identity| self.seating.as_ref().is_some_and(|s| s.name_of(identity).is_some());
            if let Some(identity) = self.present.get(&peer).copied().filter(|identity| !known(identity)) {
                self.place(identity, "", Wish::Watch);
            }
            self.tell_seats();
        } else if self.is_the_host(peer) {
            self.say(peer, &Talk::Wish { name: self.name.clone(), wish: self.wish });
        }
    }

    fn is_the_host(&self, peer: PeerId) -> bool {
        self.present.get(&peer).is_some_and(|identity| HostTag::of(identity) == self.host)
    }

    fn host_peer(&self) -> Option<PeerId> {
        self.present.keys().copied().find(|&peer| self.is_the_host(peer))
    }

    fn talk(&mut self, peer: PeerId, bytes: &[u8]) {
        let Ok(talk) = postcard::from_bytes::<Talk>(bytes) else { return };
        if self.is_removed(peer) {
            return;
        }
        match talk {
            Talk::Wish { name, wish } if self.is_host() => self.wished(peer, &name, wish),
            Talk::Agree(table) if self.is_host() => self.agreed(peer, table),
            Talk::Seats(seating)
                if self.is_the_host(peer)
                    && self.session.is_none()
                    && HostTag::of(&seating.host) == self.host
                    && seating.is_sane() =>
            {
                let mine = *self.identity.public().bytes();
                let full = seating.chairs.iter().all(Option::is_some);
                let any = matches!(self.wish, Wish::Sit { seat: None, .. });
                if full && any && seating.seat_of(&mine).is_none() {
                    self.steps.push(Step::Refused("all seats are taken".into()));
                }
                // The host has counted this peer out and in again, which the peer itself did not notice.
                let is_seated = seating.seat_of(&mine).is_some();
                let overlooked = !is_seated && self.wish.fits(&seating);
                self.shown(seating);
                if overlooked {
                    self.say(peer, &Talk::Wish { name: self.name.clone(), wish: self.wish });
                }
            }
            Talk::Begin(word) if self.session.is_none() && word.is_of(self.host) => self.hear_begin(word),
            Talk::Chat(text) if text.len() <= MAX_CHAT => self.hear_chat(peer, &text),
            Talk::Removed if self.is_the_host(peer) && self.session.is_none() => {
                self.steps.push(Step::Refused("the host has removed you from this table".into()));
            }
            _ => {}
        }
    }

    fn hear_begin(&mut self, word: Word) {
        if let Err(unusable) = self.begin(word) {
            self.steps.push(Step::Refused(unusable.to_string()));
        }
    }
}

/// Whether a stored session has more than its first item: the second holds its keys, and nothing is sent before.
fn has_keys(log: &[Vec<u8>]) -> bool {
    log.len() > 1
}

/// The number by which sessions at one peer know each other.
fn local(who: usize) -> PeerId {
    PeerId::MAX - who as PeerId
}
