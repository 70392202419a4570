//! A table from the invitation to the end: who sits where, and then the game. Without sockets and clocks, like the
//! session that it leads to.
//!
//! The host seats whoever comes, in the order of coming; when all seats are taken it writes the descriptor of the game
//! and sends it to all. From then on nobody is host any more.

use crate::event::Event;
use crate::invite::HostTag;
use crate::mesh::{Identity, PeerId};
use pentarchy_engine::AnyGame;
use pentarchy_fair::SigningSecret;
use pentarchy_table::{
    Descriptor, Input, MAX_NAME, NotRestored, Output, Player, Recovery, Session, To, Unusable,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// The table cannot be joined, for this reason.
    Refused(String),
}

/// Who sits where before the game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seating {
    /// The game.
    pub game: String,
    /// How many seats there are.
    pub seats: u8,
    /// Who is there: identity and name, by seat.
    pub players: Vec<(Identity, String)>,
}

/// What peers say before the game.
#[derive(Debug, Serialize, Deserialize)]
enum Talk {
    /// A guest wants a seat.
    Sit { name: String },
    /// The host says who sits where.
    Seats(Seating),
    /// The host says that the game begins.
    Begin(Vec<u8>),
}

const TALK: u8 = 0;
const SESSION: u8 = 1;
/// Bytes of what is said before the game.
const MAX_TALK: usize = 128 * 1024;

/// One peer of a table.
pub struct Party {
    find: Find,
    identity: SigningSecret,
    name: String,
    host: HostTag,
    setup: Option<Setup>,
    seed: [u8; 32],
    present: BTreeMap<PeerId, Identity>,
    seating: Option<Seating>,
    session: Option<Session>,
    steps: Vec<Step>,
    now: u64,
}

impl Party {
    /// A peer that hosts a table, or joins one. `seed` is 32 fresh bytes from the operating system, for the keys of this
    /// game.
    pub fn new(
        find: Find,
        identity: SigningSecret,
        name: &str,
        host: HostTag,
        setup: Option<Setup>,
        seed: [u8; 32],
    ) -> Self {
        let name = plain(name);
        let seating = setup.as_ref().map(|setup| Seating {
            game: setup.game.info().name.to_owned(),
            seats: setup.seats,
            players: vec![(*identity.public().bytes(), name.clone())],
        });
        Self {
            find,
            identity,
            name,
            host,
            setup,
            seed,
            present: BTreeMap::new(),
            seating,
            session: None,
            steps: Vec::new(),
            now: 0,
        }
    }

    /// Goes on with a game that was stored: everything that was to be persisted, in order.
    pub fn resume(&mut self, persisted: impl Iterator<Item = Vec<u8>>) -> Result<(), NotRestored> {
        self.session = Some(Session::restore(self.find, persisted)?);
        Ok(())
    }

    /// The game, once it has begun.
    pub fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// Who sits where, as far as this peer knows.
    pub fn seating(&self) -> Option<&Seating> {
        self.seating.as_ref()
    }

    /// Whether a game that began is over.
    pub fn is_over(&self) -> bool {
        self.session.as_ref().is_some_and(Session::is_over)
    }

    /// A host alone at its table begins at once; everybody else waits.
    pub fn start(&mut self) -> Vec<Step> {
        self.fill();
        std::mem::take(&mut self.steps)
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
                    self.input(Input::Gone(peer));
                } else {
                    self.left();
                }
            }
            Event::Message(peer, bytes) => match bytes.split_first() {
                Some((&TALK, talk)) if talk.len() <= MAX_TALK => self.talk(peer, talk),
                Some((&SESSION, bytes)) => self.input(Input::Message { from: peer, bytes }),
                _ => {}
            },
            Event::Path(..) | Event::Server(_) => {}
        }
        std::mem::take(&mut self.steps)
    }

    /// The player chooses an action.
    pub fn choose(&mut self, text: &str) -> Vec<Step> {
        self.input(Input::Choose(text));
        std::mem::take(&mut self.steps)
    }

    /// The player says something.
    pub fn chat(&mut self, text: &str) -> Vec<Step> {
        self.input(Input::Chat(text));
        std::mem::take(&mut self.steps)
    }

    /// The player gives up a game that cannot go on.
    pub fn give_up(&mut self) -> Vec<Step> {
        self.input(Input::GiveUp);
        std::mem::take(&mut self.steps)
    }

    /// So late is it now, in milliseconds.
    pub fn tick(&mut self, now_ms: u64) -> Vec<Step> {
        self.now = now_ms;
        self.input(Input::Tick { now_ms });
        std::mem::take(&mut self.steps)
    }

    fn is_host(&self) -> bool {
        self.setup.is_some()
    }

    /// A peer is there, perhaps again.
    fn greet(&mut self, peer: PeerId) {
        if self.session.is_some() {
            if self.is_host() {
                self.begin_at(peer);
            }
            self.input(Input::Connected(peer));
        } else if self.is_host() {
            self.tell_seats();
        } else if self.is_the_host(peer) {
            self.say(peer, &Talk::Sit { name: self.name.clone() });
        }
    }

    fn is_the_host(&self, peer: PeerId) -> bool {
        self.present.get(&peer).is_some_and(|identity| HostTag::of(identity) == self.host)
    }

    fn talk(&mut self, peer: PeerId, bytes: &[u8]) {
        let Ok(talk) = postcard::from_bytes::<Talk>(bytes) else { return };
        match talk {
            Talk::Sit { name } if self.is_host() => self.seat(peer, &name),
            Talk::Seats(seating) if self.is_the_host(peer) && self.session.is_none() => {
                let sane = seating.players.len() <= usize::from(seating.seats)
                    && seating.players.iter().all(|(_, name)| *name == plain(name));
                if sane {
                    let mine = self.identity.public();
                    let full = seating.players.len() == usize::from(seating.seats);
                    if full && !seating.players.iter().any(|(identity, _)| identity == mine.bytes()) {
                        self.steps.push(Step::Refused("all seats are taken".into()));
                    }
                    self.seating = Some(seating.clone());
                    self.steps.push(Step::Seats(seating));
                }
            }
            Talk::Begin(descriptor) if self.is_the_host(peer) && self.session.is_none() => {
                if let Err(unusable) = self.begin(&descriptor) {
                    self.steps.push(Step::Refused(unusable.to_string()));
                }
            }
            _ => {}
        }
    }

    /// The host gives a guest a seat.
    fn seat(&mut self, peer: PeerId, name: &str) {
        let Some(&identity) = self.present.get(&peer) else { return };
        if self.session.is_some() {
            self.begin_at(peer);
            return;
        }
        if let Some(seating) = &mut self.seating {
            let free = seating.players.len() < usize::from(seating.seats);
            match seating.players.iter_mut().find(|(other, _)| *other == identity) {
                Some((_, known)) => *known = plain(name),
                None if free => seating.players.push((identity, plain(name))),
                None => {}
            }
        }
        self.tell_seats();
        self.fill();
    }

    /// Somebody left before the game began: the seat is free again.
    fn left(&mut self) {
        if !self.is_host() {
            return;
        }
        let mine = *self.identity.public().bytes();
        if let Some(seating) = &mut self.seating {
            let present: Vec<&Identity> = self.present.values().collect();
            seating.players.retain(|(identity, _)| *identity == mine || present.contains(&identity));
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

    /// The host begins when all seats are taken.
    fn fill(&mut self) {
        let (Some(setup), Some(seating), None) = (&self.setup, &self.seating, &self.session) else { return };
        if seating.players.len() < usize::from(seating.seats) {
            return;
        }
        let players = seating.players.iter().map(|(identity, name)| Player {
            identity: *identity,
            name: name.clone(),
            host: None,
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
                    self.input(Input::Connected(peer));
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
        let game = (self.find)(&descriptor.game);
        let game = game.ok_or_else(|| Unusable(format!("there is no game `{}` here", descriptor.game)))?;
        let mine = *self.identity.public().bytes();
        let seat = descriptor.players.iter().position(|player| player.identity == mine);
        let outputs = match seat {
            Some(seat) => {
                let (session, outputs) =
                    Session::new(game, descriptor, seat as u8, &self.identity, self.seed)?;
                self.session = Some(session);
                outputs
            }
            None => {
                self.session = Some(Session::watch(game, descriptor)?);
                Vec::new()
            }
        };
        self.steps.push(Step::Begun);
        self.take(outputs);
        self.input(Input::Tick { now_ms: self.now });
        let peers: Vec<PeerId> = self.present.keys().copied().collect();
        for peer in peers {
            self.input(Input::Connected(peer));
        }
        Ok(())
    }

    fn input(&mut self, input: Input<'_>) {
        if let Some(session) = &mut self.session {
            let outputs = session.handle(input);
            self.take(outputs);
        }
    }

    fn take(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Persist(bytes) => self.steps.push(Step::Persist(bytes)),
                Output::Send { to, bytes } => {
                    let mut message = Vec::with_capacity(bytes.len() + 1);
                    message.push(SESSION);
                    message.extend_from_slice(&bytes);
                    match to {
                        To::Peer(peer) => self.steps.push(Step::Send(peer, message)),
                        To::All => {
                            let peers = self.present.keys();
                            self.steps.extend(peers.map(|&peer| Step::Send(peer, message.clone())));
                        }
                    }
                }
                other => self.steps.push(Step::Session(other)),
            }
        }
    }

    fn say(&mut self, peer: PeerId, talk: &Talk) {
        let mut message = vec![TALK];
        message.extend(postcard::to_allocvec(talk).unwrap_or_default());
        self.steps.push(Step::Send(peer, message));
    }
}

/// A name without what would spoil a line, and not too long.
fn plain(name: &str) -> String {
    let mut plain: String = name.chars().filter(|c| !c.is_control()).collect();
    while plain.len() > MAX_NAME {
        plain.pop();
    }
    plain
}
