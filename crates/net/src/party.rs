//! A table from the invitation to the end: who sits where, and then the game. Without sockets and clocks, like the
//! session that it leads to.
//!
//! Whoever comes tells the host what he wants: a seat, or to watch. The host keeps the list of the seats and tells it to all; when all
//! seats are taken and everybody is ready it writes the descriptor of the game and sends it. From then on nobody is
//! host any more.
//!
//! Bots may sit beside the host: each has an identity, keys and a session of its own. They share the host's
//! connections, for a message is judged by its signature and not by who brings it.

use crate::base32;
use crate::event::Event;
use crate::invite::HostTag;
use crate::mesh::{Identity, PeerId};
use pentarchy_engine::AnyGame;
use pentarchy_fair::SigningSecret;
use pentarchy_table::{
    Descriptor, Input, MAX_CHAT, MAX_NAME, NotRestored, Output, Player, Recovery, Session, To, Unusable,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

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
    /// What happens when a seat is gone for good.
    pub recovery: Recovery,
    /// After so many milliseconds of silence a seat is said to stall.
    pub stall_ms: u32,
    /// Whether the game begins by itself when all seats are taken and ready; else when the host [says so](Party::open).
    pub at_once: bool,
}

/// What somebody wants at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wish {
    /// To watch.
    Watch,
    /// A seat.
    Sit {
        /// Which; none for any that is free.
        seat: Option<u8>,
        /// Whether the game may begin.
        ready: bool,
    },
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
    pub seed: [u8; 32],
}

/// What is to be done, and what has happened.
#[derive(Clone, Debug)]
pub enum Step {
    /// Send this to a peer.
    Send(PeerId, Vec<u8>),
    /// Store this before anything that follows is sent.
    Persist(Vec<u8>),
    /// The seating has changed.
    Seats(Seating),
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
        /// What that is called.
        name: String,
        /// What was said.
        text: String,
    },
    /// The table cannot be joined, for this reason.
    Refused(String),
}

/// Who sits where before the game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seating {
    /// The game.
    pub game: String,
    /// The options that differ from the defaults, as JSON.
    pub options: String,
    /// After so many milliseconds of silence a seat is said to stall.
    pub stall_ms: u32,
    /// By seat: who sits there.
    pub chairs: Vec<Option<Chair>>,
    /// Who is there without a seat: identity and name.
    pub watchers: Vec<(Identity, String)>,
}

/// Somebody at a seat before the game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chair {
    /// Who.
    pub identity: Identity,
    /// What that is called.
    pub name: String,
    /// Whether the game may begin.
    pub ready: bool,
    /// For a bot of the host: how strong it is.
    pub bot: Option<String>,
}

impl Seating {
    /// How many seats there are.
    pub fn seats(&self) -> u8 {
        self.chairs.len() as u8
    }

    /// Those who sit.
    pub fn players(&self) -> impl Iterator<Item = &Chair> {
        self.chairs.iter().flatten()
    }

    /// Where somebody sits.
    pub fn seat_of(&self, identity: &Identity) -> Option<u8> {
        let sits = |chair: &Option<Chair>| chair.as_ref().is_some_and(|chair| chair.identity == *identity);
        self.chairs.iter().position(sits).map(|seat| seat as u8)
    }

    /// What somebody is called.
    pub fn name_of(&self, identity: &Identity) -> Option<&str> {
        let sits = self.players().find(|chair| chair.identity == *identity).map(|chair| chair.name.as_str());
        sits.or_else(|| {
            self.watchers.iter().find(|(other, _)| other == identity).map(|(_, name)| name.as_str())
        })
    }

    /// Whether nothing is missing but the word of the host.
    pub fn is_ready(&self) -> bool {
        self.chairs.iter().all(|chair| chair.as_ref().is_some_and(|chair| chair.ready))
    }

    /// A few letters that are the same for all who see the same people at the same seats of the same game.
    pub fn fingerprint(&self) -> String {
        let mut hash = blake3::Hasher::new_derive_key("pentarchy seating v1");
        for text in [&self.game, &self.options] {
            hash.update(&(text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        for chair in &self.chairs {
            hash.update(&chair.as_ref().map_or([0; 32], |chair| chair.identity));
        }
        base32::encode(&hash.finalize().as_bytes()[..5])
    }

    fn is_sane(&self) -> bool {
        let names = self.players().map(|chair| &chair.name).chain(self.watchers.iter().map(|(_, name)| name));
        (1..=8).contains(&self.chairs.len())
            && self.watchers.len() <= MAX_WATCHERS
            && names.into_iter().all(|name| *name == plain(name))
            && self.players().flat_map(|chair| &chair.bot).all(|level| *level == plain(level))
    }
}

/// What peers say before the game.
#[derive(Debug, Serialize, Deserialize)]
enum Talk {
    /// A guest says what he wants.
    Wish { name: String, wish: Wish },
    /// The host says who sits where.
    Seats(Seating),
    /// The host says that the game begins.
    Begin(Vec<u8>),
    /// Something for people.
    Chat(String),
}

const TALK: u8 = 0;
const SESSION: u8 = 1;
/// Bytes of what is said before the game.
const MAX_TALK: usize = 128 * 1024;
/// So many watchers are listed.
const MAX_WATCHERS: usize = 32;
/// The number of this peer's own session; those of its bots follow.
const OWN: usize = 0;

/// One peer of a table.
pub struct Party {
    find: Find,
    identity: SigningSecret,
    name: String,
    host: HostTag,
    setup: Option<Setup>,
    seed: [u8; 32],
    wish: Wish,
    present: BTreeMap<PeerId, Identity>,
    seating: Option<Seating>,
    bots: Vec<(Hosted, Option<Session>)>,
    session: Option<Session>,
    steps: Vec<Step>,
    /// What sessions at this peer say to each other: from, to, what.
    inbox: VecDeque<(usize, usize, Vec<u8>)>,
    now: u64,
    #[cfg(feature = "cheat")]
    forging: bool,
}

impl Party {
    /// A peer that hosts a table, or joins one and wants any seat. `seed` is 32 fresh bytes from the operating system,
    /// for the keys of this game.
    pub fn new(
        find: Find,
        identity: SigningSecret,
        name: &str,
        host: HostTag,
        setup: Option<Setup>,
        seed: [u8; 32],
    ) -> Self {
        let name = plain(name);
        let seating = setup.as_ref().map(|setup| {
            let mut chairs = vec![None; usize::from(setup.seats)];
            if let Some(first) = chairs.first_mut() {
                let identity = *identity.public().bytes();
                *first = Some(Chair { identity, name: name.clone(), ready: true, bot: None });
            }
            let options = setup.options.to_string();
            let (game, stall_ms) = (setup.game.info().name.to_owned(), setup.stall_ms);
            Seating { game, options, stall_ms, chairs, watchers: Vec::new() }
        });
        Self {
            find,
            identity,
            name,
            host,
            setup,
            seed,
            wish: Wish::Sit { seat: None, ready: true },
            present: BTreeMap::new(),
            seating,
            bots: Vec::new(),
            session: None,
            steps: Vec::new(),
            inbox: VecDeque::new(),
            now: 0,
            #[cfg(feature = "cheat")]
            forging: false,
        }
    }

    /// Seats a bot beside the host, before the game or before it is resumed. False if there is no such free seat.
    pub fn seat_bot(&mut self, seat: u8, bot: Hosted) -> bool {
        let Some(seating) = &mut self.seating else { return false };
        let Some(chair @ None) = seating.chairs.get_mut(usize::from(seat)) else { return false };
        let (identity, name, level) = (*bot.identity.public().bytes(), plain(&bot.name), plain(&bot.level));
        *chair = Some(Chair { identity, name, ready: true, bot: Some(level) });
        self.bots.push((bot, None));
        true
    }

    /// Goes on with a game that was stored: everything that was to be persisted, in order.
    pub fn resume(&mut self, persisted: impl Iterator<Item = Vec<u8>>) -> Result<(), NotRestored> {
        let mut logs = vec![Vec::new(); self.bots.len() + 1];
        for (at, item) in persisted.enumerate() {
            let Some((&who, item)) = item.split_first() else { return Err(NotRestored::Damaged(at)) };
            let log = logs.get_mut(usize::from(who)).ok_or(NotRestored::Damaged(at))?;
            log.push(item.to_vec());
        }
        let mut logs = logs.into_iter();
        let own = logs.next().unwrap_or_default();
        self.session = Some(Session::restore(self.find, own.into_iter())?);
        for ((_, session), log) in self.bots.iter_mut().zip(logs) {
            if !log.is_empty() {
                *session = Some(Session::restore(self.find, log.into_iter())?);
            }
        }
        Ok(())
    }

    /// The game, once it has begun.
    pub fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// A bot at this peer, and its session once the game has begun.
    pub fn bot(&self, number: usize) -> Option<(&Hosted, Option<&Session>)> {
        self.bots.get(number).map(|(bot, session)| (bot, session.as_ref()))
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
        }
        self.done()
    }

    /// The transport tells something.
    pub fn event(&mut self, event: Event) -> Vec<Step> {
        match event {
            Event::Up { peer, identity, .. } => {
                self.present.insert(peer, identity);
                self.greet(peer);
            }
            Event::Down(peer) => {
                self.present.remove(&peer);
                if self.session.is_some() {
                    self.all(Input::Gone(peer));
                } else {
                    self.left();
                }
            }
            Event::Message(peer, bytes) => match bytes.split_first() {
                Some((&TALK, talk)) if talk.len() <= MAX_TALK => self.talk(peer, talk),
                Some((&SESSION, bytes)) => self.all(Input::Message { from: peer, bytes }),
                _ => {}
            },
            Event::Path(..) | Event::Server(_) => {}
        }
        self.done()
    }

    /// The player wants something else, or is called something else.
    pub fn wish(&mut self, name: &str, wish: Wish) -> Vec<Step> {
        (self.name, self.wish) = (plain(name), wish);
        if self.session.is_some() {
            return self.done();
        }
        if self.is_host() {
            // Whoever opened the table is always ready: the game begins when he says so.
            let wish = match wish {
                Wish::Sit { seat, .. } => Wish::Sit { seat, ready: true },
                Wish::Watch => Wish::Watch,
            };
            let (identity, name) = (*self.identity.public().bytes(), self.name.clone());
            self.place(identity, &name, wish);
            self.tell_seats();
        } else if let Some(host) = self.host_peer() {
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

    /// From now on what this player does is forged on its way to the others. For tests of what then happens.
    #[cfg(feature = "cheat")]
    pub fn forge(&mut self) {
        self.forging = true;
    }

    fn done(&mut self) -> Vec<Step> {
        while let Some((from, to, bytes)) = self.inbox.pop_front() {
            self.input(to, Input::Message { from: local(from), bytes: &bytes });
        }
        std::mem::take(&mut self.steps)
    }

    /// A peer is there, perhaps again.
    fn greet(&mut self, peer: PeerId) {
        if self.session.is_some() {
            if self.is_host() {
                self.begin_at(peer);
            }
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
        match talk {
            Talk::Wish { name, wish } if self.is_host() => self.wished(peer, &name, wish),
            Talk::Seats(seating) if self.is_the_host(peer) && self.session.is_none() && seating.is_sane() => {
                let mine = *self.identity.public().bytes();
                let full = seating.chairs.iter().all(Option::is_some);
                let any = matches!(self.wish, Wish::Sit { seat: None, .. });
                if full && any && seating.seat_of(&mine).is_none() {
                    self.steps.push(Step::Refused("all seats are taken".into()));
                }
                self.seating = Some(seating.clone());
                self.steps.push(Step::Seats(seating));
            }
            Talk::Begin(descriptor) if self.is_the_host(peer) && self.session.is_none() => {
                if let Err(unusable) = self.begin(&descriptor) {
                    self.steps.push(Step::Refused(unusable.to_string()));
                }
            }
            Talk::Chat(text) if text.len() <= MAX_CHAT => {
                let Some(&from) = self.present.get(&peer) else { return };
                let name = self.called(&from);
                let text = text.chars().filter(|c| !c.is_control()).collect();
                self.steps.push(Step::Chat { from, name, text });
            }
            _ => {}
        }
    }

    /// What somebody is called, by the descriptor or before the game by the seating.
    fn called(&self, identity: &Identity) -> String {
        let players = self.session.as_ref().map(|session| &session.descriptor().players);
        let player = players.and_then(|players| players.iter().find(|player| player.identity == *identity));
        let name = player.map(|player| player.name.as_str());
        let name = name.or_else(|| self.seating.as_ref()?.name_of(identity)).unwrap_or_default();
        if name.is_empty() { "Somebody".to_owned() } else { name.to_owned() }
    }

    /// A guest tells the host what he wants.
    fn wished(&mut self, peer: PeerId, name: &str, wish: Wish) {
        let Some(&identity) = self.present.get(&peer) else { return };
        self.place(identity, name, wish);
        if self.session.is_some() {
            self.begin_at(peer);
            return;
        }
        self.tell_seats();
        self.fill();
    }

    /// The host finds a place for somebody. Who wants a seat that is taken stays where he is.
    fn place(&mut self, identity: Identity, name: &str, wish: Wish) {
        let Some(seating) = &mut self.seating else { return };
        let name = plain(name);
        let sits = seating.seat_of(&identity);
        let free = |seat: u8, seating: &Seating| matches!(seating.chairs.get(usize::from(seat)), Some(None));
        let seat = match wish {
            Wish::Watch => None,
            Wish::Sit { seat: Some(seat), .. } if free(seat, seating) => Some(seat),
            Wish::Sit { .. } if sits.is_some() => sits,
            Wish::Sit { seat: Some(_), .. } => None,
            Wish::Sit { seat: None, .. } => (0..seating.seats()).find(|&seat| free(seat, seating)),
        };
        seating.watchers.retain(|(other, _)| *other != identity);
        if let Some(chair) = sits.and_then(|seat| seating.chairs.get_mut(usize::from(seat))) {
            *chair = None;
        }
        match seat.and_then(|seat| seating.chairs.get_mut(usize::from(seat))) {
            Some(chair) => {
                let ready = matches!(wish, Wish::Sit { ready: true, .. });
                *chair = Some(Chair { identity, name, ready, bot: None });
            }
            None if seating.watchers.len() < MAX_WATCHERS => seating.watchers.push((identity, name)),
            None => {}
        }
    }

    /// Somebody left before the game began: the seat is free again.
    fn left(&mut self) {
        if !self.is_host() {
            return;
        }
        let mine = *self.identity.public().bytes();
        if let Some(seating) = &mut self.seating {
            let here = |identity: &Identity| {
                *identity == mine || self.present.values().any(|other| other == identity)
            };
            for chair in &mut seating.chairs {
                if chair.as_ref().is_some_and(|chair| chair.bot.is_none() && !here(&chair.identity)) {
                    *chair = None;
                }
            }
            seating.watchers.retain(|(identity, _)| here(identity));
        }
        self.tell_seats();
    }

    fn tell_seats(&mut self) {
        let Some(seating) = self.seating.clone() else { return };
        let peers: Vec<PeerId> = self.present.keys().copied().collect();
        for peer in peers {
            self.say(peer, &Talk::Seats(seating.clone()));
        }
        self.steps.push(Step::Seats(seating));
    }

    /// The host begins by itself, if it was set up so.
    fn fill(&mut self) {
        if self.setup.as_ref().is_some_and(|setup| setup.at_once) {
            self.begin_all();
        }
    }

    fn begin_all(&mut self) {
        let (Some(setup), Some(seating), None) = (&self.setup, &self.seating, &self.session) else { return };
        if !seating.is_ready() {
            return;
        }
        let mine = seating.seat_of(self.identity.public().bytes());
        let players = seating.players().map(|chair| Player {
            identity: chair.identity,
            name: chair.name.clone(),
            host: chair.bot.as_ref().and(mine),
        });
        let nonce = blake3::derive_key("pentarchy table nonce v1", &self.seed);
        let described = Descriptor::new(setup.game, &setup.options, players.collect(), nonce);
        let described = described.map(|descriptor| Descriptor {
            recovery: setup.recovery,
            stall_ms: setup.stall_ms,
            ..descriptor
        });
        match described
            .map(|descriptor| descriptor.encode())
            .and_then(|bytes| self.begin(&bytes).map(|()| bytes))
        {
            Ok(bytes) => {
                let peers: Vec<PeerId> = self.present.keys().copied().collect();
                for peer in peers {
                    self.say(peer, &Talk::Begin(bytes.clone()));
                    self.input(OWN, Input::Connected(peer));
                }
            }
            Err(unusable) => self.steps.push(Step::Refused(unusable.to_string())),
        }
    }

    /// Tells a peer that comes late, or again, what is played.
    fn begin_at(&mut self, peer: PeerId) {
        if let Some(bytes) = self.session.as_ref().map(|session| session.descriptor().encode()) {
            self.say(peer, &Talk::Begin(bytes));
        }
    }

    fn begin(&mut self, descriptor: &[u8]) -> Result<(), Unusable> {
        let descriptor = Descriptor::decode(descriptor)?;
        let game = self.game(&descriptor)?;
        let mine = *self.identity.public().bytes();
        let seat = descriptor.players.iter().position(|player| player.identity == mine);
        let outputs = match seat {
            Some(seat) => {
                let (session, outputs) =
                    Session::new(game, descriptor.clone(), seat as u8, &self.identity, self.seed)?;
                self.session = Some(session);
                outputs
            }
            None => {
                self.session = Some(Session::watch(game, descriptor.clone())?);
                Vec::new()
            }
        };
        self.steps.push(Step::Begun);
        self.take(OWN, outputs);
        self.wake_bots(&descriptor)?;
        self.introduce();
        self.all(Input::Tick { now_ms: self.now });
        let peers: Vec<PeerId> = self.present.keys().copied().collect();
        for peer in peers {
            self.input(OWN, Input::Connected(peer));
        }
        Ok(())
    }

    fn game(&self, descriptor: &Descriptor) -> Result<&'static dyn AnyGame, Unusable> {
        let game = (self.find)(&descriptor.game);
        game.ok_or_else(|| Unusable(format!("there is no game `{}` here", descriptor.game)))
    }

    /// Every bot of this peer that has no session yet gets one.
    fn wake_bots(&mut self, descriptor: &Descriptor) -> Result<(), Unusable> {
        let game = self.game(descriptor)?;
        for number in 0..self.bots.len() {
            let (bot, None) = &self.bots[number] else { continue };
            let identity = *bot.identity.public().bytes();
            let seat = descriptor.players.iter().position(|player| player.identity == identity);
            let Some(seat) = seat else { continue };
            let (session, outputs) =
                Session::new(game, descriptor.clone(), seat as u8, &bot.identity, bot.seed)?;
            self.bots[number].1 = Some(session);
            self.take(number + 1, outputs);
        }
        Ok(())
    }

    /// The sessions at this peer hear of each other.
    fn introduce(&mut self) {
        for one in 0..=self.bots.len() {
            for other in (0..=self.bots.len()).filter(|&other| other != one) {
                self.input(one, Input::Connected(local(other)));
            }
        }
    }

    /// All sessions at this peer hear this.
    fn all(&mut self, input: Input<'_>) {
        for who in 0..=self.bots.len() {
            self.input(who, input);
        }
    }

    fn input(&mut self, who: usize, input: Input<'_>) {
        let session = match who.checked_sub(1) {
            None => self.session.as_mut(),
            Some(number) => self.bots.get_mut(number).and_then(|(_, session)| session.as_mut()),
        };
        if let Some(session) = session {
            let outputs = session.handle(input);
            self.take(who, outputs);
        }
    }

    fn take(&mut self, who: usize, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Persist(bytes) => {
                    let mut item = Vec::with_capacity(bytes.len() + 1);
                    item.push(who as u8);
                    item.extend_from_slice(&bytes);
                    self.steps.push(Step::Persist(item));
                }
                Output::Send { to, bytes } => self.send(who, to, bytes),
                Output::Choose if who != OWN => self.steps.push(Step::BotChooses(who - 1)),
                other if who == OWN => self.steps.push(Step::Session(other)),
                _ => {}
            }
        }
    }

    fn send(&mut self, who: usize, to: To, bytes: Vec<u8>) {
        #[cfg(feature = "cheat")]
        let bytes = match &self.session {
            Some(session) if self.forging && who == OWN => session.forged(&bytes).unwrap_or(bytes),
            _ => bytes,
        };
        let mut message = Vec::with_capacity(bytes.len() + 1);
        message.push(SESSION);
        message.extend_from_slice(&bytes);
        match to {
            To::Peer(peer) if peer > local(self.bots.len() + 1) => {
                self.inbox.push_back((who, (PeerId::MAX - peer) as usize, bytes));
            }
            // What a peer asks is answered once, by this peer's own session.
            To::Peer(peer) if who == OWN => self.steps.push(Step::Send(peer, message)),
            To::Peer(_) => {}
            To::All => {
                let others = (0..=self.bots.len()).filter(|&other| other != who);
                self.inbox.extend(others.map(|other| (who, other, bytes.clone())));
                let peers = self.present.keys();
                self.steps.extend(peers.map(|&peer| Step::Send(peer, message.clone())));
            }
        }
    }

    fn say(&mut self, peer: PeerId, talk: &Talk) {
        let mut message = vec![TALK];
        message.extend(postcard::to_allocvec(talk).unwrap_or_default());
        self.steps.push(Step::Send(peer, message));
    }
}

/// The number by which sessions at one peer know each other.
fn local(who: usize) -> PeerId {
    PeerId::MAX - who as PeerId
}

/// A name without what would spoil a line, and not too long.
fn plain(name: &str) -> String {
    let mut plain: String = name.chars().filter(|c| !c.is_control()).collect();
    while plain.len() > MAX_NAME {
        plain.pop();
    }
    plain
}
