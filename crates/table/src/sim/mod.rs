//! A whole table in one process, from one seed: honest peers, a bad network, crashes and cheaters.
//!
//! Everything follows from the seed: who sends what when, what is lost, who crashes. So a seed that fails is a bug
//! report.

mod cheats;
mod network;

pub use cheats::{CHEATS, Cheat, Expect};
pub use network::{Faults, Network};

use crate::descriptor::{Descriptor, Player, Recovery};
use crate::session::{Input, Output, Session};
use crate::{Ending, Evidence, Record};
use cheats::Cheater;
use pentarchy_engine::any::Bot;
use pentarchy_engine::{AnyGame, Rng};
use pentarchy_fair::{Entropy, SigningSecret};
use serde_json::Value;

/// What is simulated.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many seats.
    pub seats: u8,
    /// The options that differ from the defaults.
    pub options: Value,
    /// From which everything follows.
    pub seed: u64,
    /// How bad the network is.
    pub faults: Faults,
    /// Who plays.
    pub bot: Bot,
    /// What happens when a seat is gone.
    pub recovery: Recovery,
    /// A seat that cheats, and how.
    pub cheat: Option<(u8, &'static Cheat)>,
    /// A seat that leaves for good after so many events.
    pub leaver: Option<(u8, u32)>,
    /// The simulation ends after so many events at the latest.
    pub most_events: u32,
}

impl Plan {
    /// The same game with a cheater.
    pub fn cheating(mut self, seat: u8, cheat: &'static Cheat) -> Self {
        self.cheat = Some((seat, cheat));
        if cheat.needs_leaver() {
            self.leaver = Some(((seat + 1) % self.seats, 6));
        }
        self
    }

    /// An honest game over a perfect network.
    pub fn new(seats: u8, seed: u64) -> Self {
        Plan {
            seats,
            options: Value::Null,
            seed,
            faults: Faults::NONE,
            bot: Bot::Random,
            recovery: Recovery::End,
            cheat: None,
            leaver: None,
            most_events: u32::MAX,
        }
    }
}

/// What came of a simulation.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Events in the log.
    pub events: u32,
    /// Messages that were sent.
    pub messages: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Messages that were lost.
    pub lost: u64,
    /// Peers that crashed and came back.
    pub crashes: u32,
    /// Simulated milliseconds.
    pub millis: u64,
    /// By seat: evidence that this peer found.
    pub evidence: Vec<(u8, Evidence)>,
    /// By seat: whom it said to stall.
    pub stalls: Vec<(u8, u8)>,
    /// By seat: why it refused a message. None of an honest peer is ever refused.
    pub refusals: Vec<(u8, u8, String)>,
    /// How often the cheater cheated.
    pub cheated: u32,
    /// By seat: how the game ended for this peer.
    pub endings: Vec<Option<Ending>>,
    /// The record, if the game ended.
    pub record: Option<Record>,
    /// Whether the game stopped at the limit of the simulation.
    pub cut: bool,
}

/// Why a simulation failed: an honest table did something that it must not.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("after event {event}: {what}")]
pub struct Failure {
    /// How far the furthest peer was.
    pub event: u32,
    /// What happened.
    pub what: String,
}

/// One peer of a simulated table.
pub(crate) struct Peer {
    pub(crate) session: Option<Session>,
    /// What it has stored.
    pub(crate) disk: Vec<Vec<u8>>,
    pub(crate) rng: Rng,
    pub(crate) chooses: bool,
    /// When it comes back after a crash.
    pub(crate) back_at: u64,
    pub(crate) gone: bool,
}

/// A table under simulation.
pub struct Table {
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) plan: Plan,
    pub(crate) peers: Vec<Peer>,
    pub(crate) network: Network,
    cheater: Option<Cheater>,
    pub(crate) rng: Rng,
    /// The links after each event, as the first peer to get there had them.
    heads: Vec<[u8; 32]>,
    pub(crate) report: Report,
}

fn seed_bytes(rng: &mut Rng) -> [u8; 32] {
    let mut bytes = [0; 32];
    for chunk in bytes.chunks_exact_mut(8) {
        chunk.copy_from_slice(&rng.bits().to_le_bytes());
    }
    bytes
}

impl Table {
    /// Seats everybody.
    pub fn new(game: &'static dyn AnyGame, plan: Plan) -> Result<Self, Failure> {
        let failed = |e: &dyn std::fmt::Display| Failure { event: 0, what: e.to_string() };
        let mut rng = Rng::stream(plan.seed, 0x7ab1e);
        let identities: Vec<SigningSecret> =
            (0..plan.seats).map(|_| SigningSecret::new(Entropy::new(seed_bytes(&mut rng)))).collect();
        let players = (0u8..).zip(&identities).map(|(i, identity)| Player {
            identity: *identity.public().bytes(),
            name: format!("Player {i}"),
            host: None,
        });
        let options = if plan.options.is_null() { serde_json::json!({}) } else { plan.options.clone() };
        let mut descriptor = Descriptor::new(game, &options, players.collect(), seed_bytes(&mut rng))
            .map_err(|e| failed(&e))?;
        descriptor.recovery = plan.recovery;
        descriptor.stall_ms = 30_000;
        let mut table = Table {
            game,
            peers: Vec::new(),
            network: Network::new(plan.seats, plan.faults, Rng::stream(plan.seed, 0x4e7)),
            cheater: plan.cheat.map(|(seat, cheat)| Cheater::new(cheat, seat, Rng::stream(plan.seed, 0xbad))),
            rng,
            heads: Vec::new(),
            report: Report::default(),
            plan,
        };
        for (seat, identity) in (0u8..).zip(&identities) {
            let seed = seed_bytes(&mut table.rng);
            let made = Session::new(game, descriptor.clone(), seat, identity, seed);
            let (mut session, outputs) = made.map_err(|e| failed(&e))?;
            if table.is_bad(seat) {
                session.turn_bad();
            }
            table.peers.push(Peer {
                session: Some(session),
                disk: Vec::new(),
                rng: Rng::stream(table.plan.seed, 0xb07 + u64::from(seat)),
                chooses: false,
                back_at: 0,
                gone: false,
            });
            table.absorb(seat, outputs)?;
        }
        Ok(table)
    }

    fn failure(&self, what: impl Into<String>) -> Failure {
        let event = self.peers.iter().flat_map(|p| &p.session).map(Session::events).max().unwrap_or(0);
        Failure { event, what: what.into() }
    }

    /// Does what a session wants done.
    fn absorb(&mut self, seat: u8, outputs: Vec<Output>) -> Result<(), Failure> {
        let mut queue = std::collections::VecDeque::from(outputs);
        while let Some(output) = queue.pop_front() {
            let peer = &mut self.peers[usize::from(seat)];
            match output {
                Output::Persist(bytes) => peer.disk.push(bytes),
                Output::Send { to, bytes } => {
                    let instead = match (&mut self.cheater, &peer.session) {
                        (Some(cheater), Some(session)) if cheater.seat == seat => {
                            if cheater.left {
                                Vec::new()
                            } else {
                                cheater.tamper(session, self.plan.seats, to, bytes)
                            }
                        }
                        _ => vec![(to, bytes)],
                    };
                    for (to, bytes) in instead {
                        self.report.messages += 1;
                        self.report.bytes += bytes.len() as u64;
                        self.network.send(seat, to, bytes);
                    }
                }
                Output::Choose => peer.chooses = true,
                Output::Event { n, .. } => {
                    let head = peer.session.as_ref().map(Session::head);
                    if !self.is_bad(seat) {
                        self.saw(seat, n, head)?;
                    }
                }
                Output::Refused(why) => return Err(self.failure(format!("seat {seat}: refused: {why}"))),
                Output::Rejected { from, why } if self.cheater.is_some() => {
                    self.report.refusals.push((seat, from as u8, why));
                }
                Output::Rejected { from, why } => {
                    return Err(self.failure(format!("seat {seat} rejects what {from} sent: {why}")));
                }
                // What a cheater says of others is of no interest.
                _ if self.is_bad(seat) => {}
                Output::Stalled { seat: late, .. } => self.report.stalls.push((seat, late)),
                Output::Evidence(evidence) => self.report.evidence.push((seat, *evidence)),
                Output::Broken(why) => return Err(self.failure(format!("seat {seat} is broken: {why}"))),
                Output::Over(record) => self.report.record = Some(*record),
                Output::Opened | Output::Replaced { .. } | Output::Chat { .. } => {}
            }
        }
        Ok(())
    }

    fn is_bad(&self, seat: u8) -> bool {
        self.cheater.as_ref().is_some_and(|cheater| cheater.seat == seat)
    }

    /// Peers agree at every index.
    fn saw(&mut self, seat: u8, n: u32, head: Option<[u8; 32]>) -> Result<(), Failure> {
        // Several events may have happened in one go: then the head is that of the last.
        let events = self.peers[usize::from(seat)].session.as_ref().map_or(0, Session::events);
        let Some(head) = head.filter(|_| events == n) else { return Ok(()) };
        let index = n as usize;
        if self.heads.len() <= index {
            self.heads.resize(index + 1, [0; 32]);
        }
        if self.heads[index] == [0; 32] {
            self.heads[index] = head;
        } else if self.heads[index] != head && !self.plan.cheat.is_some_and(|(_, cheat)| cheat.splits()) {
            return Err(self.failure(format!("seat {seat} has another history at event {n}")));
        }
        Ok(())
    }

    fn handle(&mut self, seat: u8, input: Input<'_>) -> Result<(), Failure> {
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

    fn choose(&mut self, seat: u8) -> Result<(), Failure> {
        let peer = &mut self.peers[usize::from(seat)];
        let Some(session) = &peer.session else { return Ok(()) };
        peer.chooses = false;
        let chosen = session.position().choose(self.plan.bot, &mut peer.rng);
        match chosen {
            Ok(text) => self.handle(seat, Input::Choose(&text)),
            Err(e) => Err(self.failure(format!("seat {seat} cannot choose: {e}"))),
        }
    }

    fn restart(&mut self, seat: u8) -> Result<(), Failure> {
        let game = self.game;
        let peer = &mut self.peers[usize::from(seat)];
        let restored = Session::restore(|_| Some(game), peer.disk.iter().cloned());
        match restored {
            Ok(session) => {
                peer.session = Some(session);
                peer.chooses = false;
                self.report.crashes += 1;
                self.handle(seat, Input::Tick { now_ms: self.network.now() })?;
                for other in (0..self.plan.seats).filter(|&other| other != seat) {
                    self.handle(seat, Input::Connected(u32::from(other)))?;
                }
                Ok(())
            }
            Err(e) => Err(self.failure(format!("seat {seat} cannot be restored: {e}"))),
        }
    }

    /// Plays to the end.
    pub fn run(mut self) -> Result<Report, Failure> {
        let mut idle = 0u32;
        loop {
            let bad = self.cheater.as_ref().map_or(usize::MAX, |cheater| usize::from(cheater.seat));
            let peers =
                self.peers.iter().enumerate().filter(|(i, peer)| !peer.gone && *i != bad).map(|(_, p)| p);
            if peers.clone().all(|peer| peer.session.as_ref().is_some_and(Session::is_over)) {
                return Ok(self.finished());
            }
            let furthest =
                peers.filter_map(|peer| peer.session.as_ref()).map(Session::events).max().unwrap_or(0);
            if furthest >= self.plan.most_events {
                self.report.cut = true;
                return Ok(self.finished());
            }
            self.accidents(furthest);
            let deciding: Vec<u8> =
                (0..self.plan.seats).filter(|&s| self.peers[usize::from(s)].chooses).collect();
            if let Some(&seat) = deciding.first() {
                self.choose(seat)?;
                continue;
            }
            if let Some((to, from, bytes)) = self.network.arrive() {
                idle = 0;
                self.handle(to, Input::Message { from: u32::from(from), bytes: &bytes })?;
            } else {
                self.network.wait(200);
                idle += 1;
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
            // Where there is no majority against a cheater the table stands still, and that is all.
            if self.cheater.is_some() && now > 400_000 {
                self.report.cut = true;
                return Ok(self.finished());
            }
            if idle > 5_000 {
                let due: Vec<_> = self.peers.iter().map(|p| p.session.as_ref().map(Session::due)).collect();
                return Err(self.failure(format!("nothing happens any more; due are {due:?}")));
            }
        }
    }

    fn accidents(&mut self, furthest: u32) {
        if let Some((seat, after)) = self.plan.leaver
            && furthest >= after
        {
            let peer = &mut self.peers[usize::from(seat)];
            (peer.gone, peer.session, peer.chooses) = (true, None, false);
            self.network.cut_off(seat);
        }
        if self.plan.faults.crashes > 0 && self.rng.below(self.plan.faults.crashes) == 0 {
            let seat = self.rng.below(u32::from(self.plan.seats)) as u8;
            let peer = &mut self.peers[usize::from(seat)];
            if peer.session.is_some() && !peer.gone {
                peer.session = None;
                peer.chooses = false;
                peer.back_at = self.network.now() + u64::from(self.rng.below(3_000));
            }
        }
    }

    fn finished(mut self) -> Report {
        let sessions = self.peers.iter().filter_map(|peer| peer.session.as_ref());
        self.report.events = sessions.map(Session::events).max().unwrap_or(0);
        let endings = self.peers.iter().map(|peer| peer.session.as_ref().and_then(Session::ending));
        self.report.endings = endings.collect();
        self.report.cheated = self.cheater.as_ref().map_or(0, |cheater| cheater.done);
        self.report.lost = self.network.lost();
        self.report.millis = self.network.now();
        self.report
    }
}

/// Plays a game.
pub fn run(game: &'static dyn AnyGame, plan: Plan) -> Result<Report, Failure> {
    Table::new(game, plan)?.run()
}

/// Judges a simulation by what the catalogue says; a failure is a bug of the protocol or of the simulator.
pub fn judge(game: &'static dyn AnyGame, plan: &Plan, report: &Report) -> Result<(), String> {
    let bad = plan.cheat.map(|(seat, _)| seat);
    for (finder, evidence) in &report.evidence {
        if Some(evidence.offender) != bad {
            return Err(format!("seat {finder} accuses seat {}, which is honest", evidence.offender));
        }
        let again = Evidence::decode(&evidence.encode()).map_err(|e| e.to_string())?;
        let judged = again.judge(game).map_err(|e| format!("the evidence of seat {finder}: {e}"))?;
        if Some(judged.offender) != bad {
            return Err("the evidence convicts another seat".into());
        }
    }
    let gone = plan.leaver.map_or(0, |(seat, _)| 1u8 << seat);
    let Some((bad, cheat)) = plan.cheat else {
        if plan.leaver.is_none() && !report.cut && report.record.is_none() {
            return Err("an honest game without a record".into());
        }
        return Ok(());
    };
    if report.cheated == 0 && !cheat.needs_leaver() {
        return Ok(());
    }
    let stalled = report.stalls.iter().any(|(_, late)| *late == bad);
    let ending = |wanted: &dyn Fn(Ending) -> bool| {
        (0..plan.seats)
            .filter(|&s| s != bad && gone >> s & 1 == 0)
            .all(|s| report.endings.get(usize::from(s)).copied().flatten().is_some_and(wanted))
    };
    let holds = match cheat.expect {
        Expect::Evidence => !report.evidence.is_empty(),
        Expect::Harmless => {
            report.evidence.is_empty() && (report.cut || ending(&|end| end == Ending::Played))
        }
        Expect::Stall if plan.seats - u8::from(cheat.needs_leaver()) < 3 => stalled,
        Expect::Stall => {
            report.evidence.is_empty()
                && ending(
                    &|end| matches!(end, Ending::Without(out) if out >> bad & 1 != 0 || cheat.needs_leaver()),
                )
        }
        Expect::NotOpened => report.events == 0 && report.evidence.is_empty() && stalled,
    };
    if holds {
        return Ok(());
    }
    let (found, stalls, endings) = (report.evidence.len(), &report.stalls, &report.endings);
    Err(format!(
        "the cheat `{}` should end as {:?}; evidence: {found}, stalls: {stalls:?}, endings: {endings:?}, \
         refusals: {:?}",
        cheat.name,
        cheat.expect,
        report.refusals.iter().take(3).collect::<Vec<_>>()
    ))
}
