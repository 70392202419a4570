//! A whole table in one process, from one seed: honest peers, a bad network, crashes and cheaters.
//!
//! Everything follows from the seed: who sends what when, what is lost, who crashes. So a seed that fails is a bug
//! report.

mod catalogue;
mod cheats;
mod judge;
mod network;
mod plan;
mod tap;

pub use catalogue::{CHEATS, Cheat, Expect};
pub use cheats::Cheater;
pub use judge::judge;
pub use network::{Arrival, Faults, Network};
pub use plan::{SimError, SimPlan, SimReport};
pub use tap::{Tapped, tap};

use crate::Ending;
use crate::descriptor::{Descriptor, TablePlayer};
pub use crate::session::cheat::Forgery;
use crate::session::cheat::is_snapshot;
use crate::session::{Input, PeerSession, Recipient, SessionEvent, SessionOutput, SessionRequest};
use pentarchy_engine::{AnyGame, Rng, SeatSet};
use pentarchy_fair::{Entropy, SigningSecret};
use std::collections::BTreeMap;

/// The time limit of the tables, in milliseconds.
const STALL: u32 = 30_000;

/// Milliseconds without an event after which a table is considered to be at a standstill.
const STANDSTILL: u64 = 400_000;

/// One peer of a simulated table.
pub(crate) struct Peer {
    pub(crate) session: Option<PeerSession>,
    /// What it has stored.
    pub(crate) disk: Vec<Vec<u8>>,
    pub(crate) rng: Rng,
    pub(crate) chooses: bool,
    /// The seats that its player is asked to drop, and will agree to.
    pub(crate) agrees: SeatSet,
    /// When it comes back after a crash.
    pub(crate) back_at: u64,
    /// The number of the last event that its session reported; events after a rewind count again.
    applied: u32,
    pub(crate) gone: bool,
}

/// A table under simulation.
pub struct SimTable {
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) plan: SimPlan,
    pub(crate) peers: Vec<Peer>,
    pub(crate) network: Network,
    cheater: Option<Cheater>,
    pub(crate) rng: Rng,
    /// What stands for the operating system's fresh bytes.
    entropy: Rng,
    is_calm: bool,
    /// The links after each event of each epoch, as the first peer to get there had them.
    heads: BTreeMap<(u16, u32), [u8; 32]>,
    pub(crate) report: SimReport,
}

/// Draws 32 bytes from a generator. Not for real secrets.
fn seed_bytes(rng: &mut Rng) -> [u8; 32] {
    let mut bytes = [0; 32];
    for chunk in bytes.chunks_exact_mut(8) {
        chunk.copy_from_slice(&rng.bits().to_le_bytes());
    }
    bytes
}

impl SimTable {
    /// Creates a session for each seat of the plan and sends their first messages. Time starts with
    /// [`SimTable::run`].
    ///
    /// # Errors
    ///
    /// Fails if the plan does not fit the game.
    pub fn new(game: &'static dyn AnyGame, plan: SimPlan) -> Result<Self, SimError> {
        let failed = |e: &dyn std::fmt::Display| SimError { event: 0, what: e.to_string() };
        let mut rng = Rng::stream(plan.seed, 0x7ab1e);
        let secrets: Vec<[u8; 32]> = (0..plan.seats).map(|_| seed_bytes(&mut rng)).collect();
        let identity = |secret: &[u8; 32]| SigningSecret::new(Entropy::new(*secret));
        let identities: Vec<SigningSecret> = secrets.iter().map(identity).collect();
        let players = (0u8..).zip(&identities).map(|(i, identity)| TablePlayer {
            identity: *identity.public().bytes(),
            name: format!("Player {i}"),
            host: (i >= plan.machines()).then_some(0),
        });
        let options = if plan.options.is_null() { serde_json::json!({}) } else { plan.options.clone() };
        let mut descriptor = Descriptor::new(game, &options, players.collect(), seed_bytes(&mut rng))
            .map_err(|e| failed(&e))?;
        descriptor.recovery = plan.recovery;
        descriptor.stall_ms = STALL;
        descriptor.audit = plan.cheat.is_some_and(|(_, cheat)| cheat.needs_audit());
        let mut table = SimTable {
            game,
            peers: Vec::new(),
            network: Network::new(plan.seats, plan.faults, Rng::stream(plan.seed, 0x4e7)),
            cheater: plan.cheat.map(|(seat, cheat)| {
                let identity = identity(&secrets[usize::from(seat)]);
                Cheater::new(cheat, seat, identity, Rng::stream(plan.seed, 0xbad))
            }),
            rng,
            entropy: Rng::stream(plan.seed, 0xe27),
            is_calm: false,
            heads: BTreeMap::new(),
            report: SimReport { rolls: vec![Vec::new(); usize::from(plan.seats)], ..SimReport::default() },
            plan,
        };
        for (seat, identity) in (0u8..).zip(&identities) {
            let seed = seed_bytes(&mut table.rng);
            let entropy = Entropy::new(seed_bytes(&mut table.entropy));
            let made = PeerSession::new(game, descriptor.clone(), seat, identity, seed, entropy);
            let (mut session, outputs) = made.map_err(|e| failed(&e))?;
            if table.is_bad(seat) {
                session.turn_bad();
            }
            table.peers.push(Peer {
                session: Some(session),
                disk: Vec::new(),
                rng: Rng::stream(table.plan.seed, 0xb07 + u64::from(seat)),
                chooses: false,
                agrees: SeatSet::NONE,
                back_at: 0,
                applied: 0,
                gone: false,
            });
            table.absorb(seat, outputs)?;
        }
        Ok(table)
    }

    /// Returns an error with this text at the furthest event of the peers that have a session. Peers that have
    /// crashed or are gone do not count; event 0 if no peer has a session.
    fn failure(&self, what: impl Into<String>) -> SimError {
        let event = self.peers.iter().flat_map(|p| &p.session).map(PeerSession::events).max().unwrap_or(0);
        SimError { event, what: what.into() }
    }

    /// Carries out the requests of the session of `seat`, in order, and notes its events.
    ///
    /// # Errors
    ///
    /// Fails if an event violates an expectation.
    fn absorb(&mut self, seat: u8, outputs: Vec<SessionOutput>) -> Result<(), SimError> {
        for output in outputs {
            match output {
                SessionOutput::Request(SessionRequest::Persist(item)) => {
                    self.peers[usize::from(seat)].disk.push(item);
                }
                SessionOutput::Request(SessionRequest::Send { to, bytes }) => self.send(seat, to, bytes),
                SessionOutput::Event(event) => self.note(seat, event)?,
            }
        }
        Ok(())
    }

    /// Sends a message of `seat` to `to`, or what the cheater sends instead, and counts each message that
    /// goes out. Notes where the cheater first cheated. A cheater that has left sends nothing.
    fn send(&mut self, seat: u8, to: Recipient, bytes: Vec<u8>) {
        let session = &self.peers[usize::from(seat)].session;
        let instead = match (&mut self.cheater, session) {
            (Some(cheater), Some(_)) if cheater.seat == seat && cheater.left => Vec::new(),
            (Some(cheater), Some(session)) if cheater.seat == seat => {
                let before = cheater.done;
                let instead = cheater.tamper(session, self.plan.seats, to, bytes);
                if before == 0 && cheater.done > 0 {
                    self.report.cheated_at = session.events();
                    self.report.cheated_roll = self.report.rolls[usize::from(seat)].len();
                }
                instead
            }
            _ => vec![(to, bytes)],
        };
        for (to, bytes) in instead {
            self.report.messages += 1;
            self.report.bytes += bytes.len() as u64;
            self.network.send(seat, to, bytes);
        }
    }

    /// Notes an event of a seat's session in the report: that it must choose or is asked to drop seats,
    /// applied events and rolls, rejected messages at a table with a cheater, and, except of the cheater,
    /// late seats, evidence and the record.
    ///
    /// # Errors
    ///
    /// Fails if no honest table may have such an event: a refused action of a bot, a rejected message without
    /// a cheater, a broken honest session, an event out of sequence, or another history than other seats
    /// have.
    fn note(&mut self, seat: u8, event: SessionEvent) -> Result<(), SimError> {
        let peer = &mut self.peers[usize::from(seat)];
        match event {
            SessionEvent::Choose => peer.chooses = true,
            SessionEvent::AskDrop { seats, .. } => peer.agrees = seats,
            SessionEvent::Rewound { to } => peer.applied = to,
            SessionEvent::Applied { n, entry, .. } => {
                let before = std::mem::replace(&mut peer.applied, entry.n);
                let (text, head) = (entry.event, peer.session.as_ref().map(PeerSession::head));
                if entry.n != before + 1 {
                    let what = format!("seat {seat} reports event {} after event {before}", entry.n);
                    return Err(self.failure(what));
                }
                if seat == 0 {
                    let words = text.split(|c: char| c.is_ascii_digit() || c == '#').next();
                    let words = words.unwrap_or_default().trim_end().to_string();
                    *self.report.happened.entry(words).or_default() += 1;
                }
                if text.starts_with("roll:") || text.starts_with("pick:") {
                    self.report.rolls[usize::from(seat)].push(text);
                }
                if !self.is_bad(seat) {
                    self.check_history(seat, n, head)?;
                }
            }
            SessionEvent::Refused(why) => {
                return Err(self.failure(format!("seat {seat}: refused: {why}")));
            }
            SessionEvent::Rejected { from, why } if self.cheater.is_some() => {
                self.report.refusals.push((seat, from as u8, why));
            }
            SessionEvent::Rejected { from, why } => {
                return Err(self.failure(format!("seat {seat} rejects what {from} sent: {why}")));
            }
            // What a cheater reports of others does not count.
            _ if self.is_bad(seat) => {}
            SessionEvent::Stalled { seat: late, .. } => self.report.stalls.push((seat, late)),
            SessionEvent::Evidence(evidence) => self.report.evidence.push((seat, *evidence)),
            SessionEvent::Broken(why) => {
                return Err(self.failure(format!("seat {seat} is broken: {why}")));
            }
            // The record of a dropped seat breaks off.
            SessionEvent::Over(record) => {
                let session = self.peers[usize::from(seat)].session.as_ref();
                let played = session.and_then(PeerSession::ending) == Some(Ending::Played);
                if played || self.report.record.is_none() {
                    self.report.record = Some(*record);
                }
            }
            SessionEvent::Opened
            | SessionEvent::TrustChanged
            | SessionEvent::Replaced { .. }
            | SessionEvent::Abandoned { .. }
            | SessionEvent::Chat { .. } => {}
        }
        Ok(())
    }

    /// Returns whether a seat is the cheater.
    fn is_bad(&self, seat: u8) -> bool {
        self.cheater.as_ref().is_some_and(|cheater| cheater.seat == seat)
    }

    /// Checks that the seat `seat`, which has closed step `n` with the link `head`, has the history of all
    /// honest peers that got there before in its epoch. Checks nothing without a link, and if the session has
    /// closed later steps meanwhile. The first peer that gets there sets the link.
    ///
    /// # Errors
    ///
    /// Fails if this seat has another link, unless the cheat splits the histories and no seat was dropped
    /// yet.
    fn check_history(&mut self, seat: u8, n: u32, head: Option<[u8; 32]>) -> Result<(), SimError> {
        // Several events may have happened in one go: then the head is that of the last.
        let events = self.peers[usize::from(seat)].session.as_ref().map_or(0, PeerSession::events);
        let Some(head) = head.filter(|_| events == n) else { return Ok(()) };
        let epoch = self.peers[usize::from(seat)].session.as_ref().map_or(0, PeerSession::epoch);
        let splits = self.plan.cheat.is_some_and(|(_, cheat)| cheat.splits()) && epoch == 0;
        if *self.heads.entry((epoch, n)).or_insert(head) != head && !splits {
            return Err(self.failure(format!("seat {seat} has another history at event {n}")));
        }
        Ok(())
    }

    /// Passes an input to the session of a seat, carries out its requests, and notes its events. If the seat is
    /// the cheater's, the cheater hears each message first. Does nothing without a session, as after a crash.
    ///
    /// # Errors
    ///
    /// Fails if an event violates an expectation.
    fn handle(&mut self, seat: u8, input: Input<'_>) -> Result<(), SimError> {
        let peer = &mut self.peers[usize::from(seat)];
        let Some(session) = &mut peer.session else { return Ok(()) };
        if let (Some(cheater), Input::Message { bytes, .. }) = (&mut self.cheater, &input)
            && cheater.seat == seat
        {
            cheater.hear(session, bytes);
        }
        let outputs = session.handle(input);
        self.absorb(seat, outputs)
    }

    /// Plays an action for a seat: the first whose spoken form contains a preferred word of the plan, in the
    /// order of the words, otherwise the best rated or a random one, as the plan says. Does nothing without a
    /// session.
    ///
    /// # Errors
    ///
    /// Fails if the bot cannot choose, or an event violates an expectation.
    fn choose(&mut self, seat: u8) -> Result<(), SimError> {
        let peer = &mut self.peers[usize::from(seat)];
        let Some(session) = &peer.session else { return Ok(()) };
        peer.chooses = false;
        let list = if self.plan.prefer.is_empty() { Ok(Vec::new()) } else { session.position().legal() };
        let preferred = list.ok().and_then(|list| {
            let has = |word: &&str| list.iter().find(|choice| choice.spoken.contains(*word));
            self.plan.prefer.iter().find_map(has).map(|choice| choice.canonical.clone())
        });
        let (position, rng) = (session.position(), &mut peer.rng);
        let chosen = match preferred {
            Some(text) => Ok(text),
            None if self.plan.advised => position.choose_best_rated(rng),
            None => position.choose_random(rng),
        };
        match chosen {
            Ok(text) => self.handle(seat, Input::Choose(&text)),
            Err(e) => Err(self.failure(format!("seat {seat} cannot choose: {e}"))),
        }
    }

    /// Restores the session of a seat after a crash from what it has stored, counts the crash, and gives the
    /// session the seats that have left, the time and its connections to all other seats. A cheater prepares its
    /// cheat again. If the plan says so, compares the session with one that is restored without snapshots.
    ///
    /// # Errors
    ///
    /// Fails if the session cannot be restored or differs, or an event violates an expectation.
    fn restart(&mut self, seat: u8) -> Result<(), SimError> {
        let game = self.game;
        let entropy = Entropy::new(seed_bytes(&mut self.entropy));
        let peer = &mut self.peers[usize::from(seat)];
        let restored = PeerSession::restore(|_| Some(game), peer.disk.iter().cloned(), entropy);
        if self.plan.compare_restores {
            let disk = peer.disk.iter().filter(|item| !is_snapshot(item));
            let whole = PeerSession::restore(|_| Some(game), disk.cloned(), Entropy::new([0; 32]));
            let differs = match (&restored, &whole) {
                (Ok(one), Ok(two)) => {
                    self.report.shortened += u32::from(one.is_shortened());
                    one.difference(two)
                }
                _ => None,
            };
            if let Some(what) = differs {
                return Err(
                    self.failure(format!("seat {seat} comes back otherwise from its snapshot: {what}"))
                );
            }
        }
        let peer = &mut self.peers[usize::from(seat)];
        match restored {
            Ok(mut session) => {
                if self.cheater.as_ref().is_some_and(|cheater| cheater.seat == seat) {
                    session.turn_bad();
                }
                peer.applied = session.entries().len() as u32;
                peer.session = Some(session);
                (peer.chooses, peer.agrees) = (false, SeatSet::NONE);
                self.report.crashes += 1;
                self.tell_unreachable_seats(seat)?;
                self.handle(seat, Input::Tick { now_ms: self.network.now() })?;
                for other in (0..self.plan.seats).filter(|&other| other != seat) {
                    self.handle(seat, Input::Connected(u32::from(other)))?;
                }
                Ok(())
            }
            Err(e) => Err(self.failure(format!("seat {seat} cannot be restored: {e}"))),
        }
    }

    /// Plays until the game is over for all honest peers, the limit of events is reached, or nothing has
    /// happened for 400 seconds of simulated time. Returns the report; whether the end is the right one is up
    /// to `judge`.
    ///
    /// # Errors
    ///
    /// Fails if an honest table does something that it must not, or stands still without a cheater or a
    /// leaver.
    pub fn run(mut self) -> Result<SimReport, SimError> {
        let mut moved = (0, 0);
        loop {
            let bad = self.cheater.as_ref().map_or(usize::MAX, |cheater| usize::from(cheater.seat));
            let peers =
                self.peers.iter().enumerate().filter(|(i, peer)| !peer.gone && *i != bad).map(|(_, p)| p);
            if peers.clone().all(|peer| peer.session.as_ref().is_some_and(PeerSession::is_over)) {
                return Ok(self.finished());
            }
            let furthest =
                peers.filter_map(|peer| peer.session.as_ref()).map(PeerSession::events).max().unwrap_or(0);
            if furthest >= self.plan.most_events {
                self.report.cut = true;
                return Ok(self.finished());
            }
            self.cause_accidents(furthest)?;
            let deciding: Vec<u8> =
                (0..self.plan.seats).filter(|&s| self.peers[usize::from(s)].chooses).collect();
            if let Some(&seat) = deciding.first() {
                self.choose(seat)?;
                continue;
            }
            let asked = self.peers.iter().position(|peer| !peer.agrees.is_empty() && peer.session.is_some());
            if let Some(seat) = asked {
                let seats = std::mem::take(&mut self.peers[seat].agrees);
                self.handle(seat as u8, Input::Drop(seats))?;
                continue;
            }
            if let Some(Arrival { to, from, bytes }) = self.network.arrive() {
                self.handle(to, Input::Message { from: u32::from(from), bytes: &bytes })?;
            } else {
                self.network.wait(200);
            }
            let now = self.network.now();
            for seat in 0..self.plan.seats {
                let peer = &self.peers[usize::from(seat)];
                if peer.session.is_none() && !peer.gone && peer.back_at <= now {
                    self.restart(seat)?;
                }
            }
            if self.network.tick_due() {
                for seat in 0..self.plan.seats {
                    self.handle(seat, Input::Tick { now_ms: now })?;
                }
            }
            if furthest != moved.0 {
                moved = (furthest, now);
                self.calm(false);
            }
            if now > moved.1 + STANDSTILL && (self.is_calm || self.plan.faults.partitions == 0) {
                // Where there is no majority against a seat the table stands still, and that is all.
                if self.cheater.is_some() || self.plan.leaver.is_some() {
                    self.report.cut = true;
                    return Ok(self.finished());
                }
                let due: Vec<_> =
                    self.peers.iter().map(|p| p.session.as_ref().map(PeerSession::due)).collect();
                return Err(self.failure(format!("nothing happens any more; due are {due:?}")));
            } else if now > moved.1 + STANDSTILL {
                self.report.calmed += 1;
                self.calm(true);
                moved.1 = now;
            }
        }
    }

    /// Switches partitions and crashes off (`calm`) or on again; no effect if they are. Loss, delays and
    /// duplicates stay. No protocol makes progress while peers and connections fail faster than it can send
    /// messages, so a table at a standstill gets a steady network until something happens. If nothing does,
    /// that is a bug.
    fn calm(&mut self, calm: bool) {
        if calm != self.is_calm {
            self.is_calm = calm;
            self.network.calm(calm);
        }
    }

    /// Reports to the session of `seat` which other seats have left for good.
    ///
    /// # Errors
    ///
    /// Fails if an event violates an expectation.
    fn tell_unreachable_seats(&mut self, seat: u8) -> Result<(), SimError> {
        for gone in 0..self.plan.seats {
            if self.peers[usize::from(gone)].gone && gone != seat {
                self.handle(seat, Input::Reach { seat: gone, reachable: false })?;
            }
        }
        Ok(())
    }

    /// Lets the leaver of the plan leave for good, which the other sessions learn, and at random one peer
    /// crash, according to the plan. A crashed peer comes back within 3 s of simulated time. `furthest` is
    /// the number of events of the furthest peer. No peer crashes while the table is calm.
    ///
    /// # Errors
    ///
    /// Fails if an event violates an expectation.
    fn cause_accidents(&mut self, furthest: u32) -> Result<(), SimError> {
        if let Some((seat, after)) = self.plan.leaver
            && furthest >= after
            && !self.peers[usize::from(seat)].gone
        {
            let peer = &mut self.peers[usize::from(seat)];
            (peer.gone, peer.session, peer.chooses) = (true, None, false);
            self.network.cut_off(seat);
            (0..self.plan.seats).try_for_each(|other| self.tell_unreachable_seats(other))?;
        }
        if self.plan.faults.crashes > 0 && !self.is_calm && self.rng.below(self.plan.faults.crashes) == 0 {
            let seat = self.rng.below(u32::from(self.plan.seats)) as u8;
            let peer = &mut self.peers[usize::from(seat)];
            if peer.session.is_some() && !peer.gone {
                peer.session = None;
                peer.chooses = false;
                peer.back_at = self.network.now() + u64::from(self.rng.below(3_000));
            }
        }
        Ok(())
    }

    /// Completes and returns the report: events (of the furthest honest seat), endings, takeovers, cheats, lost messages
    /// and time; and if no seat has delivered a record, that of the furthest honest seat, if any.
    fn finished(mut self) -> SimReport {
        let honest = self.peers.iter().zip(0..).filter(|(_, seat)| !self.is_bad(*seat));
        let sessions = honest.filter_map(|(peer, _)| peer.session.as_ref());
        self.report.events = sessions.map(PeerSession::events).max().unwrap_or(0);
        let endings = self.peers.iter().map(|peer| peer.session.as_ref().and_then(PeerSession::ending));
        self.report.endings = endings.collect();
        let taken_over = |peer: &Peer| peer.session.as_ref().map(PeerSession::taken_over).unwrap_or_default();
        self.report.taken_over = self.peers.iter().map(taken_over).collect();
        if self.report.record.is_none() {
            let honest = self.peers.iter().zip(0..).filter(|(_, seat)| !self.is_bad(*seat));
            let sessions = honest.filter_map(|(peer, _)| peer.session.as_ref());
            self.report.record = sessions.max_by_key(|session| session.events()).map(PeerSession::record);
        }
        self.report.cheated = self.cheater.as_ref().map_or(0, |cheater| cheater.done);
        self.report.lost = self.network.lost();
        self.report.millis = self.network.now();
        self.report
    }
}

/// Simulates a table by this plan and returns the report. Everything follows from the seed of the plan.
///
/// # Errors
///
/// Fails if the plan does not fit the game, or an honest table does something that it must not.
pub fn run(game: &'static dyn AnyGame, plan: SimPlan) -> Result<SimReport, SimError> {
    SimTable::new(game, plan)?.run()
}
