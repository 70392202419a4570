//! The session of one peer, in parts:
//!
//! | module | part |
//! | --- | --- |
//! | `io` | inputs, requests, events |
//! | `opening`, `seals` | [`Opening`]: keys, sealed shares, signatures of the start |
//! | `log` | [`SignedLog`]: closed steps and epochs |
//! | `steps`, `act`, `chance`, `casting`, `mixing`, `turn` | the step under way: what each seat owes, and what this one gives |
//! | `intake` | messages: checked, put in their place, or rejected |
//! | `absence` | [`AbsenceVotes`]: timeouts, votes, rewinding |
//! | `misconduct` | [`Misconduct`]: proofs of cheating |
//! | `takeover` | [`Takeover`]: bots that play dropped seats |
//! | `sync`, `limits`, `pending` | [`Sync`]: peers send each other what they lack |
//! | `mail` | the mailbox: what is posted for machines that are away, and when mail is handled |
//! | `store`, `snapshot` | [`Storage`]: what is stored, and a session restored from it |
//! | `cheat`, or `honest` without the feature `cheat` | the hook for cheaters, and what tests need of them |

mod absence;
mod act;
mod casting;
mod chance;
mod chat;
#[cfg(feature = "cheat")]
pub(crate) mod cheat;
#[cfg(not(feature = "cheat"))]
#[path = "honest.rs"]
mod cheat;
mod draw;
mod intake;
mod io;
mod limits;
mod log;
mod mail;
mod misconduct;
mod mixing;
mod opening;
mod pending;
mod seals;
mod snapshot;
mod state;
mod steps;
mod store;
mod sync;
mod takeover;
#[cfg(test)]
mod testbed;
mod turn;

use crate::descriptor::{Descriptor, DescriptorError};
use crate::duty::{Verified, Work};
use crate::plan::Plan;
use crate::record::{Ending, OpenChoice, TableRecord};
use crate::trust::Trust;
use crate::wire::{Message, Signed, Statement};
use pentarchy_engine::any::RawEvent;
use pentarchy_engine::record::RecordEntry;
use pentarchy_engine::{AnyGame, AnyPosition, Observer, Seat, SeatSet, Token};
use pentarchy_fair::primitives::Drbg;
use pentarchy_fair::{
    Entropy, GameId, OperationError, PhaseId, PreparedLock, Private, SeatSecrets, Seats, SigningSecret,
};
use std::sync::Arc;
use zeroize::Zeroizing;

use absence::AbsenceVotes;
pub use chat::printable;
use cheat::CheatHook;
use draw::Draw;
pub use io::{AppliedPosition, Input, PeerNumber, Recipient, SessionEvent, SessionOutput, SessionRequest};
use log::SignedLog;
pub use mail::{MAILBOX, MailTiming, SessionProgress};
use misconduct::Misconduct;
use opening::Opening;
use snapshot::Saver;
use state::TableState;
pub use store::RestoreError;
use store::Storage;
use sync::Sync;
use takeover::Takeover;
use turn::OwnTurn;

/// The secrets of this peer.
struct Me {
    seat: u8,
    secrets: SeatSecrets,
    session: SigningSecret,
}

/// What an action does when its step closes.
struct Acted {
    next: Box<dyn AnyPosition>,
    /// The event as all peers see it.
    line: RawEvent,
    slip: Option<(Token, Private)>,
}

/// The step under way.
struct LogStep {
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

impl LogStep {
    /// Returns whether a contribution of this seat to the phase under way was accepted.
    fn has_given(&self, seat: u8) -> bool {
        self.verified.iter().any(|(s, _)| *s == seat)
    }
}

/// Whether a session is still running.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Status {
    /// How the game ended for this peer.
    ending: Option<Ending>,
    /// Whether the session is broken.
    stopped: bool,
}

/// One peer of an online table: a seat's client, or a spectator's.
///
/// The session verifies every message, applies every event, and signs what its seat owes. It does no I/O:
/// [`PeerSession::handle`] takes an input and returns requests and events.
pub struct PeerSession {
    game: &'static dyn AnyGame,
    descriptor: Descriptor,
    id: GameId,
    me: Option<Me>,
    draw: Draw,
    state: TableState,
    opening: Opening,
    log: SignedLog,
    step: Option<LogStep>,
    turn: OwnTurn,
    absence: AbsenceVotes,
    misconduct: Misconduct,
    takeover: Takeover,
    sync: Sync,
    storage: Storage,
    trust: Trust,
    /// `trust` when the caller was last told that it changed.
    reported_trust: Trust,
    status: Status,
    out: Vec<SessionOutput>,
    hook: CheatHook,
}

impl PeerSession {
    /// Creates the session of a player. Returns it with its first outputs, which store the new session and send
    /// the keys of the seat; the caller must carry them out in order.
    ///
    /// `identity` is the key that the descriptor names for the seat; it signs this game's keys and is not
    /// kept. `seed` is 32 fresh bytes from the operating system: it is stored, and the keys of the game are
    /// derived from it. `entropy` is 32 other fresh bytes that are not stored: nonces and shuffles are
    /// derived from both.
    ///
    /// # Errors
    ///
    /// Fails with a sentence if the descriptor is invalid, cannot be used with this game or has another
    /// protocol version, there is no such seat, or `identity` is not that of the seat.
    pub fn new(
        game: &'static dyn AnyGame,
        descriptor: Descriptor,
        seat: u8,
        identity: &SigningSecret,
        seed: [u8; 32],
        entropy: Entropy,
    ) -> Result<(Self, Vec<SessionOutput>), DescriptorError> {
        let seed = Zeroizing::new(seed);
        let expected = descriptor.identity(seat)?;
        if expected.bytes() != identity.public().bytes() {
            return Err(DescriptorError(format!("this is not the key of seat {seat}")));
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
        session.reported_trust = session.trust.clone();
        let out = std::mem::take(&mut session.out);
        Ok((session, out))
    }

    /// Creates the session of a spectator: it verifies everything and knows nothing hidden. It signs and
    /// stores nothing, and has no outputs before its first input. The descriptor may be of protocol version 1,
    /// too.
    ///
    /// # Errors
    ///
    /// Fails with a sentence if the descriptor is invalid or cannot be used with this game.
    pub fn watch(game: &'static dyn AnyGame, descriptor: Descriptor) -> Result<Self, DescriptorError> {
        Self::build(game, descriptor, None, &[0; 32])
    }

    /// Creates a session before its opening, without outputs; the keys of the seat are derived from `seed`.
    /// Without a seat it is a spectator's.
    ///
    /// # Errors
    ///
    /// Fails if the descriptor is invalid, names no such seat, or has another protocol version and the
    /// session is that of a player.
    fn build(
        game: &'static dyn AnyGame,
        descriptor: Descriptor,
        seat: Option<u8>,
        seed: &[u8; 32],
    ) -> Result<Self, DescriptorError> {
        let start = descriptor.start(game)?;
        if seat.is_some() && descriptor.version != crate::VERSION {
            let version = descriptor.version;
            let why = "its record can be verified, but the game cannot go on";
            return Err(DescriptorError(format!("it speaks version {version} of the protocol: {why}")));
        }
        // What is read from a file may name any seat.
        seat.map(|seat| descriptor.identity(seat)).transpose()?;
        let observer = seat.map_or(Observer::Spectator, |seat| Observer::Seat(Seat(seat)));
        let state = TableState::new(start.seen_by(observer)).map_err(|e| DescriptorError(e.to_string()))?;
        let seats = usize::from(descriptor.seats());
        let trust = Trust { agreed: vec![0; seats], ..Trust::default() };
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
        Ok(PeerSession {
            id: descriptor.id(),
            game,
            me,
            draw: Draw { seed: secret("entropy"), drawn: 0 },
            state,
            opening: Opening::new(seats),
            log: SignedLog::new(descriptor.seats()),
            step: None,
            turn: OwnTurn::default(),
            absence: AbsenceVotes::new(seats),
            misconduct: Misconduct::default(),
            takeover: Takeover::default(),
            sync: Sync::default(),
            storage: Storage::new(Saver::new(secret("snapshot"))),
            trust: trust.clone(),
            reported_trust: trust,
            status: Status::default(),
            out: Vec::new(),
            hook: CheatHook::NONE,
            descriptor,
        })
    }

    /// Handles an input and everything that follows from it: contributions that this seat owes now are signed,
    /// complete steps are closed, and votes are considered. Returns requests and events in the order in which
    /// they arose; `TrustChanged` is the last if a counter has changed. The caller must carry out the requests
    /// in order. An invalid input is reported by `Refused` or `Rejected`, or ignored. After the end of the game
    /// the session contributes nothing more to the log, but still answers other peers.
    pub fn handle(&mut self, input: Input<'_>) -> Vec<SessionOutput> {
        match input {
            Input::Message { from, bytes } => self.receive(from, bytes),
            Input::Choose(text) => self.choose(text),
            Input::Tick { now_ms } => self.tick(now_ms),
            Input::Connected(peer) => self.greet(peer),
            Input::Gone(_) => {}
            Input::Chat(text) => self.send_chat(text),
            Input::GiveUp => self.give_up(),
            Input::Thinking => self.show_activity(),
            Input::Reach { seat, reachable } => self.set_reachable(seat, reachable),
            Input::Drop(seats) => self.agree_to_drop(seats),
            Input::Wait => self.wait_longer(),
        }
        self.advance();
        if !self.absence.statements.is_empty() || self.misconduct.seats.meets(self.log.live()) {
            self.consider_votes();
            self.advance();
        }
        self.report_claims();
        if self.trust != self.reported_trust {
            self.reported_trust = self.trust.clone();
            self.emit(SessionEvent::TrustChanged);
        }
        std::mem::take(&mut self.out)
    }

    /// Returns the position as this peer sees it, after all closed steps.
    pub fn position(&self) -> &dyn AnyPosition {
        &*self.state.rules
    }

    /// Returns the game that is played.
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// Returns the descriptor of the match that the players agreed on.
    pub fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    /// Returns this peer's seat, also if it was dropped; `None` for a spectator.
    pub fn seat(&self) -> Option<u8> {
        self.me.as_ref().map(|me| me.seat)
    }

    /// Returns the counts of checks so far.
    pub fn trust(&self) -> &Trust {
        &self.trust
    }

    /// Returns the seats that were not dropped.
    pub fn live(&self) -> SeatSet {
        self.log.live()
    }

    /// Returns the number of the epoch under way: how often seats were dropped.
    pub fn epoch(&self) -> u16 {
        self.log.epoch()
    }

    /// Returns the number of closed steps: events, and takeovers of dropped seats.
    pub fn events(&self) -> u32 {
        self.log.len()
    }

    /// Returns the link that closes the last step: equal for all peers whose logs are equal; zero before the opening.
    pub fn head(&self) -> [u8; 32] {
        self.log.head
    }

    /// Returns the milliseconds since the timeouts were last restarted (by an accepted message, a closed phase,
    /// an own vote or the wish to wait), or since a later sign of activity of a seat that is [due](Self::due),
    /// as the ticks of this session count them. A single seat that is due becomes late when this reaches the
    /// table's time limit; of several, those without a sign of activity may be late before.
    pub fn silence_ms(&self) -> u64 {
        self.sync.now - self.heard_at()
    }

    /// Returns how the game ended for this peer; `None` while it goes on, and for a broken session.
    pub fn ending(&self) -> Option<Ending> {
        self.status.ending
    }

    /// Returns the events so far as entries of a record, in order: with the annexes of this peer's seat, or
    /// public for a spectator.
    pub fn entries(&self) -> &[RecordEntry] {
        &self.log.entries
    }

    /// Returns the secret choices that bots have made for dropped seats, in the order of events.
    pub(crate) fn open_choices(&self) -> &[OpenChoice] {
        &self.log.open_choices
    }

    /// Returns the number of contributions to this log that were accepted, those of the step under way
    /// included. Contributions to steps that were rewound do not count.
    pub(crate) fn accepted(&self) -> usize {
        self.log.messages().count() + self.step.as_ref().map_or(0, |step| step.got.len())
    }

    /// Returns whether the game has ended for this peer, or the session is broken.
    pub fn is_over(&self) -> bool {
        self.status.ending.is_some() || self.status.stopped
    }

    /// Returns the seats that owe something now, ascending: contributions to the phase under way, or parts of
    /// the opening. Empty between steps.
    pub fn due(&self) -> Vec<u8> {
        let Some(step) = self.step.as_ref().filter(|_| self.opening.roster.is_some()) else {
            return self.opening.due(self.descriptor.threshold().is_some());
        };
        let due = step.plan.phases.get(usize::from(step.phase)).map_or(&[][..], Vec::as_slice);
        due.iter().map(|(seat, _)| *seat).filter(|&seat| !step.has_given(seat)).collect()
    }

    /// Returns the record as far as closed steps go, with all votes to drop seats that this peer keeps and
    /// the claims about its end. When the game has ended by its rules, every live seat has signed it.
    pub fn record(&self) -> TableRecord {
        let is_last = |prev: &[u8; 32]| *prev == self.log.head;
        let recorded =
            |s: &Statement| s.vote().is_some() || matches!(s, Statement::Claim { prev, .. } if is_last(prev));
        TableRecord {
            descriptor: self.descriptor.clone(),
            keys: self.opening.keys.iter().map(|key| key.as_ref().map(|(_, body)| body.clone())).collect(),
            seals: self.opening.seals.clone(),
            starts: self.opening.starts.clone(),
            messages: self.log.messages().cloned().collect(),
            said: self
                .absence
                .statements
                .iter()
                .filter(|signed| recorded(&signed.statement))
                .cloned()
                .collect(),
        }
    }

    /// Returns the observer of this session: its seat, or a spectator.
    fn observer(&self) -> Observer {
        self.seat().map_or(Observer::Spectator, |seat| Observer::Seat(Seat(seat)))
    }

    /// Returns whether a seat exists and was not dropped.
    fn is_live(&self, seat: u8) -> bool {
        self.log.live().has(Seat(seat))
    }

    /// Returns the joint lock of these seats: the sum of their public lock keys, with multiples that make
    /// shuffles fast. It is computed at the first call for a set of seats, in about a millisecond, and kept.
    ///
    /// # Errors
    ///
    /// Fails if not all keys have arrived, the set is empty or has an unknown seat, or the keys cancel out.
    fn lock(&mut self, seats: Seats) -> Result<Arc<PreparedLock>, OperationError> {
        self.opening.lock(seats)
    }

    /// Queues an event for the caller; no effect while a stored session is restored.
    fn emit(&mut self, event: SessionEvent) {
        if !self.storage.is_restoring() {
            self.out.push(SessionOutput::Event(event));
        }
    }

    /// Queues a request for the caller; no effect while a stored session is restored.
    fn request(&mut self, request: SessionRequest) {
        if !self.storage.is_restoring() {
            self.out.push(SessionOutput::Request(request));
        }
    }

    /// Requests the sending of a message to one peer or to all; no effect while a stored session is restored.
    /// What this seat has signed must have been persisted before.
    fn send(&mut self, to: Recipient, message: &Message) {
        if !self.storage.is_restoring() {
            let bytes = message.encode(&self.id);
            self.request(SessionRequest::Send { to, bytes });
        }
    }

    /// Stops the session for good and emits `Broken` with the reason; no effect if it has stopped before.
    /// While a stored session is restored, it stops without the event.
    fn broken(&mut self, why: impl Into<String>) {
        if !self.status.stopped {
            self.status.stopped = true;
            self.emit(SessionEvent::Broken(why.into()));
        }
    }

    /// Returns the identifier of the phase under way, a hash of the step, the number of the phase and all
    /// contributions to earlier phases. Contributions are signed for it. `None` before the header of an action
    /// is there.
    fn phase_id(step: &LogStep) -> Option<PhaseId> {
        let earlier = step.got.iter().filter(|(m, _)| m.place.phase < step.phase).map(|(_, hash)| hash);
        Some(crate::hash::phase_id(step.id.as_ref()?, step.phase, earlier))
    }
}
