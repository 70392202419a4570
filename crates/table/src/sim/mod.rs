//! A whole table in one process, from one seed: honest peers, a bad network, crashes and cheaters.
//!
//! Everything follows from the seed: who sends what when, what is lost, who crashes. So a seed that fails is a bug
//! report.

mod cheats;
mod network;
mod tap;

pub use cheats::{CHEATS, Cheat, Cheater, Expect};
pub use network::{Faults, Network};
pub use tap::{Tapped, tap};

use crate::descriptor::{Descriptor, Player, Recovery};
use crate::session::{Input, Output, Session};
use crate::{Ending, Evidence, Record};
use pentarchy_engine::any::BasicBot;
use pentarchy_engine::{AnyGame, Rng};
use pentarchy_fair::{Entropy, SigningSecret};
use serde_json::Value;
use std::collections::BTreeMap;

/// The time limit of the tables, in milliseconds.
const STALL: u32 = 30_000;

/// Milliseconds without an event after which a table is said to stand still.
const STANDSTILL: u64 = 400_000;

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
    pub bot: BasicBot,
    /// What it does rather than anything else, if it can: actions whose spoken form contains one of these words, in this
    /// order. So a rare rule is met.
    pub prefer: &'static [&'static str],
    /// What happens when a seat is gone.
    pub recovery: Recovery,
    /// This many of the last seats are bots of the first.
    pub hosted: u8,
    /// A seat that cheats, and how.
    pub cheat: Option<(u8, &'static Cheat)>,
    /// A seat that leaves for good after so many events.
    pub leaver: Option<(u8, u32)>,
    /// The simulation ends after so many events at the latest.
    pub most_events: u32,
    /// Whether every peer that comes back is compared with one that verifies the whole log.
    pub compare_restores: bool,
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

    /// The same game with this many of the last seats as bots of the first, and the way to go on that fits.
    pub fn hosting(mut self, bots: u8) -> Self {
        self.hosted = bots;
        self.recovery = Recovery::for_machines(self.machines());
        self
    }

    /// How many machines play.
    fn machines(&self) -> u8 {
        self.seats.saturating_sub(self.hosted)
    }

    /// An honest game over a perfect network.
    pub fn new(seats: u8, seed: u64) -> Self {
        Plan {
            seats,
            options: Value::Null,
            seed,
            faults: Faults::NONE,
            bot: BasicBot::Random,
            prefer: &[],
            recovery: Recovery::for_machines(seats),
            hosted: 0,
            cheat: None,
            leaver: None,
            most_events: u32::MAX,
            compare_restores: false,
        }
    }
}

/// What came of a simulation.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Events in the longest log of an honest seat.
    pub events: u32,
    /// Messages that were sent.
    pub messages: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Messages that were lost.
    pub lost: u64,
    /// How often nothing more had happened until cables and peers held for a while.
    pub calmed: u32,
    /// Peers that crashed and came back.
    pub crashes: u32,
    /// Those of them that were compared, and had a snapshot to go on from.
    pub shortened: u32,
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
    /// So many events had happened when it first did.
    pub cheated_at: u32,
    /// By seat: how the game ended for this peer.
    pub endings: Vec<Option<Ending>>,
    /// By seat: the seats that bots play for all, as this peer sees it, as bits.
    pub vacant: Vec<u8>,
    /// The record; of a game that did not end, what the honest peer has that got furthest.
    pub record: Option<Record>,
    /// Whether the game stopped at the limit of the simulation.
    pub cut: bool,
    /// By seat: the results of rolls and picks, in order.
    pub rolls: Vec<Vec<String>>,
    /// How many of them the cheater had seen when it first cheated.
    pub cheated_roll: usize,
    /// How often it happened, as the first seat saw it: events by the words before the first number.
    pub happened: BTreeMap<String, u32>,
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
    /// Seats, as bits, that its person is asked to drop.
    pub(crate) agrees: u8,
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
    /// What stands for the operating system's fresh bytes.
    entropy: Rng,
    is_calm: bool,
    /// The links after each event of each branch, as the first peer to get there had them.
    heads: BTreeMap<(u16, u32), [u8; 32]>,
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
        let secrets: Vec<[u8; 32]> = (0..plan.seats).map(|_| seed_bytes(&mut rng)).collect();
        let identity = |secret: &[u8; 32]| SigningSecret::new(Entropy::new(*secret));
        let identities: Vec<SigningSecret> = secrets.iter().map(identity).collect();
        let players = (0u8..).zip(&identities).map(|(i, identity)| Player {
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
        let mut table = Table {
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
            report: Report { rolls: vec![Vec::new(); usize::from(plan.seats)], ..Report::default() },
            plan,
        };
        for (seat, identity) in (0u8..).zip(&identities) {
            let seed = seed_bytes(&mut table.rng);
            let entropy = Entropy::new(seed_bytes(&mut table.entropy));
            let made = Session::new(game, descriptor.clone(), seat, identity, seed, entropy);
            let (mut session, outputs) = made.map_err(|e| failed(&e))?;
            if table.is_bad(seat) {
                session.turn_bad();
            }
            table.peers.push(Peer {
                session: Some(session),
                disk: Vec::new(),
                rng: Rng::stream(table.plan.seed, 0xb07 + u64::from(seat)),
                chooses: false,
                agrees: 0,
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
                                let before = cheater.done;
                                let instead = cheater.tamper(session, self.plan.seats, to, bytes);
                                if before == 0 && cheater.done > 0 {
                                    self.report.cheated_at = session.events();
                                    self.report.cheated_roll = self.report.rolls[usize::from(seat)].len();
                                }
                                instead
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
                Output::AskDrop { seats, .. } => peer.agrees = seats,
                Output::Event { n, text, .. } => {
                    if text.starts_with("roll:") || text.starts_with("pick:") {
                        self.report.rolls[usize::from(seat)].push(text.clone());
                    }
                    if seat == 0 {
                        let words = text.split(|c: char| c.is_ascii_digit() || c == '#').next();
                        let words = words.unwrap_or_default().trim_end().to_string();
                        *self.report.happened.entry(words).or_default() += 1;
                    }
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
                // Of those who were counted out the record breaks off.
                Output::Over(record) => {
                    let session = self.peers[usize::from(seat)].session.as_ref();
                    let played = session.and_then(Session::ending) == Some(Ending::Played);
                    if played || self.report.record.is_none() {
                        self.report.record = Some(*record);
                    }
                }
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
        let branch = self.peers[usize::from(seat)].session.as_ref().map_or(0, Session::branch);
        let splits = self.plan.cheat.is_some_and(|(_, cheat)| cheat.splits()) && branch == 0;
        if *self.heads.entry((branch, n)).or_insert(head) != head && !splits {
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
        let list = if self.plan.prefer.is_empty() { Ok(Vec::new()) } else { session.position().legal() };
        let preferred = list.ok().and_then(|list| {
            let has = |word: &&str| list.iter().find(|choice| choice.spoken.contains(*word));
            self.plan.prefer.iter().find_map(has).map(|choice| choice.canonical.clone())
        });
        let chosen = preferred.map_or_else(|| session.position().choose(self.plan.bot, &mut peer.rng), Ok);
        match chosen {
            Ok(text) => self.handle(seat, Input::Choose(&text)),
            Err(e) => Err(self.failure(format!("seat {seat} cannot choose: {e}"))),
        }
    }

    fn restart(&mut self, seat: u8) -> Result<(), Failure> {
        let game = self.game;
        let entropy = Entropy::new(seed_bytes(&mut self.entropy));
        let peer = &mut self.peers[usize::from(seat)];
        let restored = Session::restore(|_| Some(game), peer.disk.iter().cloned(), entropy);
        if self.plan.compare_restores {
            let disk = peer.disk.iter().filter(|item| !crate::session::is_snapshot(item));
            let whole = Session::restore(|_| Some(game), disk.cloned(), Entropy::new([0; 32]));
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
                peer.session = Some(session);
                (peer.chooses, peer.agrees) = (false, 0);
                self.report.crashes += 1;
                self.tell_who_is_gone(seat)?;
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
        let mut moved = (0, 0);
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
            self.accidents(furthest)?;
            let deciding: Vec<u8> =
                (0..self.plan.seats).filter(|&s| self.peers[usize::from(s)].chooses).collect();
            if let Some(&seat) = deciding.first() {
                self.choose(seat)?;
                continue;
            }
            let asked = self.peers.iter().position(|peer| peer.agrees != 0 && peer.session.is_some());
            if let Some(seat) = asked {
                let seats = std::mem::take(&mut self.peers[seat].agrees);
                self.handle(seat as u8, Input::Drop(seats))?;
                continue;
            }
            if let Some((to, from, bytes)) = self.network.arrive() {
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
                let due: Vec<_> = self.peers.iter().map(|p| p.session.as_ref().map(Session::due)).collect();
                return Err(self.failure(format!("nothing happens any more; due are {due:?}")));
            } else if now > moved.1 + STANDSTILL {
                self.report.calmed += 1;
                self.calm(true);
                moved.1 = now;
            }
        }
    }

    /// No protocol gets on while cables and peers break faster than it can speak. So whoever stands still is given a whole
    /// network until something happens; and if nothing does, that is a fault.
    fn calm(&mut self, calm: bool) {
        if calm != self.is_calm {
            self.is_calm = calm;
            self.network.calm(calm);
        }
    }

    /// Tells a peer which seats it reaches by no path.
    fn tell_who_is_gone(&mut self, seat: u8) -> Result<(), Failure> {
        for gone in 0..self.plan.seats {
            if self.peers[usize::from(gone)].gone && gone != seat {
                self.handle(seat, Input::Reach { seat: gone, reachable: false })?;
            }
        }
        Ok(())
    }

    fn accidents(&mut self, furthest: u32) -> Result<(), Failure> {
        if let Some((seat, after)) = self.plan.leaver
            && furthest >= after
            && !self.peers[usize::from(seat)].gone
        {
            let peer = &mut self.peers[usize::from(seat)];
            (peer.gone, peer.session, peer.chooses) = (true, None, false);
            self.network.cut_off(seat);
            (0..self.plan.seats).try_for_each(|other| self.tell_who_is_gone(other))?;
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

    fn finished(mut self) -> Report {
        let honest = self.peers.iter().zip(0..).filter(|(_, seat)| !self.is_bad(*seat));
        let sessions = honest.filter_map(|(peer, _)| peer.session.as_ref());
        self.report.events = sessions.map(Session::events).max().unwrap_or(0);
        let endings = self.peers.iter().map(|peer| peer.session.as_ref().and_then(Session::ending));
        self.report.endings = endings.collect();
        let vacant = self.peers.iter().map(|peer| peer.session.as_ref().map_or(0, Session::vacant_seats));
        self.report.vacant = vacant.collect();
        if self.report.record.is_none() {
            let honest = self.peers.iter().zip(0..).filter(|(_, seat)| !self.is_bad(*seat));
            let sessions = honest.filter_map(|(peer, _)| peer.session.as_ref());
            self.report.record = sessions.max_by_key(|session| session.events()).map(Session::record);
        }
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

/// All who were not counted out ended alike; and whoever was, by those others. Seats given as bits are left aside.
fn agreed_on_the_end(report: &Report, aside: u8) -> Result<(), String> {
    let out = |seat: usize, ending: &Option<Ending>| matches!(ending, Some(Ending::Without(gone)) if gone >> seat & 1 != 0);
    let judged = report.endings.iter().enumerate().filter(|(seat, _)| aside >> seat & 1 == 0);
    let mut stayed = judged.filter(|(seat, ending)| !out(*seat, ending));
    let first = stayed.next().ok_or("everybody was counted out")?.1;
    match stayed.all(|(_, ending)| ending == first) {
        true if first.is_some() => Ok(()),
        _ => Err(format!("they ended as {:?}", report.endings)),
    }
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
    let stays = plan.cheat.map_or(0, |(seat, _)| 1u8 << seat) | gone;
    let honest = (0..plan.seats).filter(|s| stays >> s & 1 == 0);
    let ending = |s: u8| report.endings.get(usize::from(s)).copied().flatten();
    // What everybody else did about seats, given as bits: went on, or ended the game.
    let without = |out: u8| {
        honest.clone().all(|s| match ending(s) {
            Some(Ending::Without(gone)) => gone & out == out,
            Some(Ending::Played) | None => report.vacant[usize::from(s)] & out == out,
            Some(Ending::Claimed(_)) => false,
        })
    };
    let Some((bad, cheat)) = plan.cheat else {
        if plan.leaver.is_none() && !report.cut && report.record.is_none() {
            return Err("an honest game without a record".into());
        }
        if plan.leaver.is_none() && !report.cut {
            agreed_on_the_end(report, 0)?;
        }
        let left = plan.leaver.is_some_and(|(_, after)| report.events > after);
        if left && plan.machines() > 2 && !report.cut && !without(gone) {
            let (endings, vacant) = (&report.endings, &report.vacant);
            return Err(format!("a seat left, and the others ended as {endings:?}, {vacant:?}"));
        }
        return Ok(());
    };
    if report.cheated == 0 {
        return Ok(());
    }
    // Where the simulation stopped just after the cheat, the others had no time to sign anything.
    let soon = report.cut && report.events < report.cheated_at + 40;
    let stalled = report.stalls.iter().any(|(_, late)| *late == bad);
    let played = || honest.clone().all(|s| ending(s) == Some(Ending::Played));
    let alone = plan.machines() - u8::from(cheat.needs_leaver()) < 3;
    let holds = match cheat.expect {
        Expect::Evidence => !report.evidence.is_empty() && (alone || soon || without(1 << bad)),
        // Who is cut off for longer than the others wait is counted out, and no cheat.
        Expect::Harmless if plan.faults.longest > STALL => {
            report.evidence.is_empty() && (report.cut || agreed_on_the_end(report, stays).is_ok())
        }
        Expect::Harmless => report.evidence.is_empty() && (report.cut || played()),
        Expect::Stall if alone => stalled,
        Expect::Stall => report.evidence.is_empty() && (soon || without(1 << bad)),
        Expect::NotOpened => report.events == 0 && !report.evidence.is_empty(),
    };
    if holds {
        return Ok(());
    }
    let (found, stalls) = (report.evidence.len(), &report.stalls);
    let (endings, vacant) = (&report.endings, &report.vacant);
    Err(format!(
        "the cheat `{}` should end as {:?}; evidence: {found}, stalls: {stalls:?}, endings: {endings:?}, \
         vacant: {vacant:?}, refusals: {:?}",
        cheat.name,
        cheat.expect,
        report.refusals.iter().take(3).collect::<Vec<_>>()
    ))
}
