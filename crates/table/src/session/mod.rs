//! One peer: what comes in, what goes out, and what is remembered.

mod act;
mod bot;
mod certificate;
mod draw;
mod ending;
#[cfg(feature = "cheat")]
mod forgery;
mod intake;
mod limits;
mod mixing;
mod opening;
mod pending;
mod people;
#[cfg(feature = "cheat")]
mod resign;
mod rewind;
mod scheme;
mod seals;
mod snapshot;
mod steps;
mod store;
mod sync;
#[cfg(test)]
mod testbed;

use crate::cards::Cards;
use crate::descriptor::{Descriptor, Unusable};
use crate::duty::{Verified, Work};
use crate::evidence::Evidence;
use crate::plan::Plan;
use crate::record::{Ending, OpenChoice, Record};
use crate::trust::Trust;
use crate::wire::{Complaint, Lateness, Message, Place, Said, Saying, Seals, Signature, Signed};
use pentarchy_engine::any::RawEvent;
use pentarchy_engine::record::RecordEntry;
use pentarchy_engine::{AnyGame, AnyPosition, Observer, Seat, Token};
use pentarchy_fair::escrow::HeldShares;
use pentarchy_fair::primitives::Drbg;
use pentarchy_fair::{
    Entropy, GameId, OperationError, PhaseId, PreparedLock, Private, Roster, SeatKey, SeatSecrets, Seats,
    SigningSecret,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use zeroize::Zeroizing;

use bot::Vacant;
use draw::Draw;
pub use ending::printable;
#[cfg(feature = "cheat")]
pub use forgery::Forgery;
use limits::Limits;
use pending::Pending;
use people::People;
use rewind::OpenRoll;
pub(crate) use scheme::Scheme;
use snapshot::Saver;
pub(crate) use snapshot::is_snapshot;
pub use store::NotRestored;

/// A peer as the transport numbers it.
pub type PeerId = u32;

/// What happens to a session.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A message came. What it says is judged by its signature, not by who brought it.
    Message {
        /// Who brought it.
        from: PeerId,
        /// The message.
        bytes: &'a [u8],
    },
    /// The player chose: a spoken or canonical action.
    Choose(&'a str),
    /// So late is it now, in milliseconds of any clock that does not go backwards.
    Tick {
        /// The time.
        now_ms: u64,
    },
    /// A connection to a peer is there (again).
    Connected(PeerId),
    /// A connection is gone. Peers may still be reached through others.
    Gone(PeerId),
    /// The player says something to all.
    Chat(&'a str),
    /// The player ends a game that cannot go on, because a seat stalls and there is no majority to say so.
    GiveUp,
    /// The player does something, or says so: while their seat is to decide, the peers are notified that they are there. May
    /// be given at any time and often.
    Thinking,
    /// The machine of a seat is reached by some path, or by none.
    Reach {
        /// The seat of a person; the bots that they host are on the same machine.
        seat: u8,
        /// Whether it is reached.
        reachable: bool,
    },
    /// The player agrees to go on without these seats, as bits, as [asked](Output::AskDrop).
    Drop(u8),
    /// The player would rather wait for the seats that are late. They are asked again after another time limit.
    Wait,
}

/// To whom a message goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    /// To one peer.
    Peer(PeerId),
    /// To all peers.
    All,
}

/// What a session wants done, in this order.
#[derive(Clone, Debug)]
pub enum Output {
    /// Send this.
    Send {
        /// To whom.
        to: To,
        /// The message.
        bytes: Vec<u8>,
    },
    /// Append this to what is stored. It must be durable before the sends that follow it are made.
    Persist(Vec<u8>),
    /// All keys are there and all seats have signed the start.
    Opened,
    /// An event was verified and applied.
    Event {
        /// Its number, from 1.
        n: u32,
        /// Its canonical text.
        text: String,
        /// What a person is told of it, with this seat's eyes.
        log: Option<String>,
    },
    /// This seat has to choose.
    Choose,
    /// What the player chose cannot be done.
    Refused(String),
    /// A message was not accepted.
    Rejected {
        /// Who brought it.
        from: PeerId,
        /// Why.
        why: String,
    },
    /// A seat is late with what it owes.
    Stalled {
        /// Which seat.
        seat: u8,
        /// What it owes.
        owes: String,
        /// Whether its machine is connected.
        how: Lateness,
    },
    /// The person at this seat is asked whether to go on without these seats. Nothing is signed before they
    /// [agree](Input::Drop). Not asked about seats that are proved to have cheated.
    AskDrop {
        /// The seats, as bits: those that are late, and all others of their machines.
        seats: u8,
        /// Those of them, as bits, whose machine is reached by no path.
        unreachable: u8,
    },
    /// A seat has provably cheated. This is what to keep.
    Evidence(Box<Evidence>),
    /// A seat is out: all others have signed that. The game goes on, and a bot plays the seat with its cards laid open;
    /// told to the seat itself, its part in the game is over.
    Replaced {
        /// Which seat.
        seat: u8,
    },
    /// Somebody said something.
    Chat {
        /// Which seat.
        seat: u8,
        /// What.
        text: String,
    },
    /// The game is over, and this is its signed record.
    Over(Box<Record>),
    /// The session cannot go on: its log and that of others differ and nobody can be blamed, or there is a bug.
    Broken(String),
}

/// The secrets of this peer.
struct Me {
    seat: u8,
    secrets: SeatSecrets,
    session: SigningSecret,
}

/// A step that all contributions have closed.
#[derive(Clone)]
pub(crate) struct Closed {
    /// The link to the step before.
    pub(crate) prev: [u8; 32],
    pub(crate) branch: u16,
    pub(crate) messages: Vec<Signed>,
}

/// What an action does, once its step closes.
struct Acted {
    next: Box<dyn AnyPosition>,
    /// What everybody is told of it.
    line: RawEvent,
    slip: Option<(Token, Private)>,
}

/// The step under way.
struct Step {
    plan: Plan,
    digest: [u8; 32],
    /// Not known before the header of an action is there.
    id: Option<[u8; 32]>,
    phase: u8,
    /// All contributions so far, with what of them is hashed.
    got: Vec<(Signed, [u8; 32])>,
    /// Those of the phase under way.
    verified: Vec<(u8, Verified)>,
    work: Work,
    acted: Option<Acted>,
}

/// One peer's session: a seat's, or a spectator's.
pub struct Session {
    game: &'static dyn AnyGame,
    descriptor: Descriptor,
    id: GameId,
    me: Option<Me>,
    draw: Draw,
    rules: Box<dyn AnyPosition>,
    cards: Cards,
    keys: Vec<Option<(SeatKey, Vec<u8>)>>,
    seals: Vec<Option<Seals>>,
    /// Complaints about seals that are not there yet.
    complaints: Vec<Complaint>,
    /// Parts of the opening that have overtaken those before them, and who brought them.
    early: Vec<(PeerId, Message)>,
    /// The shares of other seats' keys that were sealed to this one.
    held: Vec<HeldShares>,
    starts: Vec<Option<Signature>>,
    roster: Option<Roster>,
    locks: Vec<(Seats, Arc<PreparedLock>)>,
    /// The seats that still play, as bits.
    live: u8,
    branch: u16,
    log: Vec<Closed>,
    prev: [u8; 32],
    step: Option<Step>,
    pending: Pending,
    limits: Limits,
    /// The action with its secret choice that this seat has made in the step under way, in canonical text.
    mine: Option<String>,
    chosen: Option<String>,
    asked: bool,
    /// The actions with a secret choice that this seat has made so far, by step.
    sealed: BTreeMap<u32, String>,
    /// Tokens of which this seat has proved something and that it shows next.
    pledged: Vec<Token>,
    out: Vec<Output>,
    saver: Saver,
    /// While a stored session is read again nothing is sent or stored.
    restoring: bool,
    trust: Trust,
    /// The record so far, as this peer sees it.
    entries: Vec<RecordEntry>,
    /// The secret choices that bots made for vacant seats.
    open_choices: Vec<OpenChoice>,
    ending: Option<Ending>,
    stopped: bool,
    // --- time
    now: u64,
    progress_at: u64,
    asked_at: u64,
    ask_after: u64,
    // --- those who are late or out
    said: Vec<Said>,
    late: u8,
    cheats: u8,
    /// What proved cheaters signed, each with its place.
    crimes: Vec<(Place, Vec<Signed>)>,
    /// The seats that bots play, with their eyes.
    vacant: Vec<Vacant>,
    /// Seats whose locks are about to be taken off, as bits.
    departing: Option<u8>,
    /// The steps before which seats left, as bits.
    departures: Vec<(u32, u8)>,
    /// By seat: the number of its last line of chat.
    chats: [u32; 8],
    /// A roll that was open when seats left, until it is completed.
    open_roll: Option<OpenRoll>,
    people: People,
    /// Seats, as bits, for which keys and shares were sent to all because something signed does not fit them.
    compared: u8,
    /// What a simulated cheater prepares; nothing in play.
    scheme: Option<Box<Scheme>>,
}

impl Session {
    /// A player's session. `identity` is the key that the descriptor names for the seat; it signs this game's keys and
    /// is not kept. `seed` is 32 fresh bytes from the operating system: it is stored, and the keys of the game follow from
    /// it. `entropy` are 32 other fresh bytes that are not stored: nonces and shuffles follow from both.
    ///
    /// # Errors
    /// If the descriptor is not sound, or `identity` is not that of the seat.
    pub fn new(
        game: &'static dyn AnyGame,
        descriptor: Descriptor,
        seat: u8,
        identity: &SigningSecret,
        seed: [u8; 32],
        entropy: Entropy,
    ) -> Result<(Self, Vec<Output>), Unusable> {
        let seed = Zeroizing::new(seed);
        let expected = descriptor.identity(seat)?;
        if expected.bytes() != identity.public().bytes() {
            return Err(Unusable(format!("this is not the key of seat {seat}")));
        }
        let mut session = Self::build(game, descriptor, Some(seat), &seed)?;
        session.draw.mix(entropy);
        session.persist(&store::Stored::Created {
            descriptor: session.descriptor.encode(),
            seat: Some(seat),
            seed: *seed,
        });
        session.enrol(identity)?;
        session.advance();
        let out = std::mem::take(&mut session.out);
        Ok((session, out))
    }

    /// A spectator's session: it verifies everything and knows nothing hidden.
    pub fn watch(game: &'static dyn AnyGame, descriptor: Descriptor) -> Result<Self, Unusable> {
        Self::build(game, descriptor, None, &[0; 32])
    }

    fn build(
        game: &'static dyn AnyGame,
        descriptor: Descriptor,
        seat: Option<u8>,
        seed: &[u8; 32],
    ) -> Result<Self, Unusable> {
        let start = descriptor.start(game)?;
        if seat.is_some() && descriptor.version != crate::VERSION {
            let version = descriptor.version;
            let why = "its record can be verified, but the game cannot go on";
            return Err(Unusable(format!("it speaks version {version} of the protocol: {why}")));
        }
        // What is read from a file may name any seat.
        seat.map(|seat| descriptor.identity(seat)).transpose()?;
        let observer = seat.map_or(Observer::Spectator, |seat| Observer::Seat(Seat(seat)));
        let rules = start.seen_by(observer);
        let cards = Cards::new(&*rules).map_err(|e| Unusable(e.to_string()))?;
        let seats = usize::from(descriptor.seats());
        let secret = |label: &str| {
            let mut bytes = Zeroizing::new([0; 32]);
            Drbg::new(seed, label).fill(&mut *bytes);
            bytes
        };
        let me = seat.map(|seat| Me {
            seat,
            secrets: SeatSecrets::from_seed(crate::cards::fair_seat(seat), secret("seat")),
            session: SigningSecret::from_bytes(&secret("session")),
        });
        Ok(Session {
            id: descriptor.id(),
            game,
            me,
            draw: Draw { seed: secret("entropy"), drawn: 0 },
            rules,
            cards,
            keys: (0..seats).map(|_| None).collect(),
            seals: vec![None; seats],
            complaints: Vec::new(),
            early: Vec::new(),
            held: Vec::new(),
            starts: vec![None; seats],
            roster: None,
            locks: Vec::new(),
            live: ((1u16 << seats) - 1) as u8,
            branch: 0,
            log: Vec::new(),
            prev: [0; 32],
            step: None,
            pending: Pending::default(),
            limits: Limits::default(),
            mine: None,
            chosen: None,
            asked: false,
            sealed: BTreeMap::new(),
            pledged: Vec::new(),
            out: Vec::new(),
            saver: Saver::new(secret("snapshot")),
            restoring: false,
            trust: Trust { agreed: vec![0; seats], ..Trust::default() },
            entries: Vec::new(),
            open_choices: Vec::new(),
            ending: None,
            stopped: false,
            now: 0,
            progress_at: 0,
            asked_at: 0,
            ask_after: sync::FIRST_WAIT,
            said: Vec::new(),
            late: 0,
            cheats: 0,
            crimes: Vec::new(),
            vacant: Vec::new(),
            departing: None,
            departures: Vec::new(),
            chats: [0; 8],
            open_roll: None,
            people: People::new(seats),
            compared: 0,
            scheme: None,
            descriptor,
        })
    }

    /// Takes an input and gives what is to be done, in order.
    pub fn handle(&mut self, input: Input<'_>) -> Vec<Output> {
        match input {
            Input::Message { from, bytes } => self.receive(from, bytes),
            Input::Choose(text) => self.choose(text),
            Input::Tick { now_ms } => self.tick(now_ms),
            Input::Connected(peer) => self.greet(peer),
            Input::Gone(_) => {}
            Input::Chat(text) => self.chat(text),
            Input::GiveUp => self.give_up(),
            Input::Thinking => self.think(),
            Input::Reach { seat, reachable } => self.reach(seat, reachable),
            Input::Drop(seats) => self.agree_to_drop(seats),
            Input::Wait => self.wait_longer(),
        }
        self.advance();
        if !self.said.is_empty() || self.cheats & self.live != 0 {
            self.consider_ending();
            self.advance();
        }
        std::mem::take(&mut self.out)
    }

    /// The game as this peer sees it.
    pub fn position(&self) -> &dyn AnyPosition {
        &*self.rules
    }

    /// Which game it is.
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// What was agreed on.
    pub fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    /// This peer's seat; none for a spectator.
    pub fn seat(&self) -> Option<u8> {
        self.me.as_ref().map(|me| me.seat)
    }

    /// What was checked so far.
    pub fn trust(&self) -> &Trust {
        &self.trust
    }

    /// The seats that still play, as bits.
    pub fn live(&self) -> u8 {
        self.live
    }

    /// How often seats have left: after each time the log goes on in another branch.
    pub fn branch(&self) -> u16 {
        self.branch
    }

    /// How many events were applied, departures of seats among them.
    pub fn events(&self) -> u32 {
        self.log.len() as u32
    }

    /// The link that closes the last event: equal for all peers whose logs are equal.
    pub fn head(&self) -> [u8; 32] {
        self.prev
    }

    /// Milliseconds since the last accepted contribution, or since a seat that is due said that it is still thinking, as
    /// this peer's clock has counted them. A seat that is [due](Self::due) stalls when this reaches the table's time
    /// limit.
    pub fn silence_ms(&self) -> u64 {
        self.now - self.heard_at()
    }

    /// How it ended, if it did.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The events so far as entries of a record: with the annexes of this peer's seat, or public for a spectator.
    pub fn entries(&self) -> &[RecordEntry] {
        &self.entries
    }

    /// The secret choices that bots have made for vacant seats, by event.
    pub(crate) fn open_choices(&self) -> &[OpenChoice] {
        &self.open_choices
    }

    /// How many contributions were accepted.
    pub(crate) fn accepted(&self) -> usize {
        let now = self.step.as_ref().map_or(0, |step| step.got.len());
        self.log.iter().map(|step| step.messages.len()).sum::<usize>() + now
    }

    /// Whether nothing more will happen.
    pub fn is_over(&self) -> bool {
        self.ending.is_some() || self.stopped
    }

    /// Which seats owe something now.
    pub fn due(&self) -> Vec<u8> {
        if self.roster.is_none() {
            return (0..self.descriptor.seats()).filter(|&s| self.keys[usize::from(s)].is_none()).collect();
        }
        let Some(step) = &self.step else {
            let sealed = self.descriptor.threshold().is_none() || self.seals.iter().all(Option::is_some);
            let there = |s: u8| match sealed {
                true => self.starts[usize::from(s)].is_some(),
                false => self.seals[usize::from(s)].is_some(),
            };
            return (0..self.descriptor.seats()).filter(|&s| !there(s)).collect();
        };
        let due = step.plan.phases.get(usize::from(step.phase)).map_or(&[][..], Vec::as_slice);
        let given = |seat: u8| step.verified.iter().any(|(s, _)| *s == seat);
        due.iter().map(|(seat, _)| *seat).filter(|&seat| !given(seat)).collect()
    }

    /// The record as far as it goes: signed by every seat once the game is over.
    pub fn record(&self) -> Record {
        let recorded = |saying: &Saying| saying.vote().is_some() || matches!(saying, Saying::Claim { .. });
        Record {
            descriptor: self.descriptor.clone(),
            keys: self.keys.iter().map(|key| key.as_ref().map(|(_, body)| body.clone())).collect(),
            seals: self.seals.clone(),
            starts: self.starts.clone(),
            messages: self.log.iter().flat_map(|step| &step.messages).cloned().collect(),
            said: self.said.iter().filter(|said| recorded(&said.saying)).cloned().collect(),
        }
    }

    fn lock(&mut self, seats: Seats) -> Result<Arc<PreparedLock>, OperationError> {
        if let Some((_, lock)) = self.locks.iter().find(|(of, _)| *of == seats) {
            return Ok(lock.clone());
        }
        let roster = self.roster.as_ref().ok_or(OperationError::Empty)?;
        let lock = Arc::new(roster.lock(seats)?.prepare());
        self.locks.push((seats, lock.clone()));
        Ok(lock)
    }

    fn emit(&mut self, output: Output) {
        if !self.restoring {
            self.out.push(output);
        }
    }

    fn send(&mut self, to: To, message: &Message) {
        if !self.restoring {
            let bytes = message.encode(&self.id);
            self.out.push(Output::Send { to, bytes });
        }
    }

    fn broken(&mut self, why: impl Into<String>) {
        if !self.stopped {
            self.stopped = true;
            let why = why.into();
            self.emit(Output::Broken(why));
        }
    }

    fn phase_id(step: &Step) -> Option<PhaseId> {
        let earlier = step.got.iter().filter(|(m, _)| m.place.phase < step.phase).map(|(_, hash)| hash);
        Some(crate::hash::phase_id(step.id.as_ref()?, step.phase, earlier))
    }
}
