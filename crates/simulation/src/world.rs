//! The run of one seed: machines, the relay between them, virtual time, and scheduled faults.

use crate::adapter::Effect;
use crate::faults::{FaultCounts, FaultKind, FaultMix};
use crate::machine::{Machine, Role};
use crate::oracle::{OracleError, Oracles};
use crate::plan::{Mutant, TablePlan};
use crate::relay::{ConnectionId, Outgoing, SimulatedRelay, Visit};
use crate::trace::Trace;
use pentarchy_engine::{Rng, Seat, SeatSet};
use pentarchy_net::Invite;
use pentarchy_table::SessionEvent;
use std::collections::BTreeMap;

/// Milliseconds between two ticks of a machine.
const TICK: u64 = 200;
/// Where processes crash, one sync in this many is cut short by a crash.
const CRASH_AT_SYNC: u32 = 12;
/// Milliseconds without any progress after which a calm table is said to stand still.
pub(crate) const STANDSTILL: u64 = 400_000;

/// Something that happens at a time.
pub(crate) enum Happening {
    Tick(usize),
    Connect(usize, u64),
    ToRelay(ConnectionId, Vec<u8>),
    FromRelay(usize, ConnectionId, Vec<u8>),
    Direct { from: usize, to: usize, packet: Vec<u8> },
    DirectDown(usize, usize),
    Synced { machine: usize, generation: u64, upto: usize },
    Choose { machine: usize, generation: u64, bot: Option<usize> },
    Confirm(usize, u64),
    Crash(usize, u64),
    Restart(usize),
    Accident,
    Calm,
    Leave(usize),
    Visit,
}

/// A direct connection between two machines.
pub(crate) struct DirectPath {
    pub(crate) ends: [usize; 2],
    pub(crate) swallows: bool,
}

/// Everything of a run.
pub(crate) struct World {
    pub(crate) plan: TablePlan,
    pub(crate) mix: FaultMix,
    pub(crate) mutant: Option<Mutant>,
    pub(crate) invite: Invite,
    pub(crate) relay: SimulatedRelay,
    pub(crate) machines: Vec<Machine>,
    pub(crate) paths: Vec<DirectPath>,
    pub(crate) oracles: Oracles,
    pub(crate) counts: FaultCounts,
    pub(crate) trace: Trace,
    pub(crate) rng: Rng,
    pub(crate) now: u64,
    pub(crate) is_calm: bool,
    /// While the machines are never online together: the only one that may run, once the first visit has begun.
    pub(crate) visitor: Option<usize>,
    queue: BTreeMap<(u64, u64), Happening>,
    scheduled: u64,
    /// The seats of machines that have shown different histories to different peers.
    split: SeatSet,
    /// Machines whose durable items were damaged while they were off.
    pub(crate) rotted: Vec<usize>,
    pub(crate) evidence: u64,
    pub(crate) rejected: u64,
    pub(crate) stalls: u64,
}

impl World {
    /// Creates the world of a run at time 0, with nothing scheduled. No machine runs yet. The mutant `RoomWithoutPass`
    /// makes the relay let everybody in. All counters are 0, and the faults have not stopped.
    pub(crate) fn new(
        plan: TablePlan,
        mix: FaultMix,
        mutant: Option<Mutant>,
        invite: Invite,
        machines: Vec<Machine>,
        rng: Rng,
        trace: Trace,
    ) -> Self {
        let mut relay = SimulatedRelay::new(invite.table());
        relay.ignores_pass = (mutant == Some(Mutant::RoomWithoutPass)).then(|| invite.pass());
        let oracles = Oracles::default();
        Self {
            plan,
            mix,
            mutant,
            invite,
            relay,
            machines,
            paths: Vec::new(),
            oracles,
            counts: FaultCounts::default(),
            trace,
            rng,
            now: 0,
            is_calm: false,
            visitor: None,
            queue: BTreeMap::new(),
            scheduled: 0,
            split: SeatSet::NONE,
            rotted: Vec::new(),
            evidence: 0,
            rejected: 0,
            stalls: 0,
        }
    }

    /// Schedules a happening `after` milliseconds from now. Happenings of the same time happen in
    /// the order of these calls.
    pub(crate) fn schedule(&mut self, after: u64, happening: Happening) {
        self.scheduled += 1;
        self.queue.insert((self.now + after, self.scheduled), happening);
    }

    /// Removes the next happening from the queue, and advances the time to it. `None` if the queue is empty. The time
    /// never goes back.
    pub(crate) fn next(&mut self) -> Option<Happening> {
        let ((at, _), happening) = self.queue.pop_first()?;
        self.now = self.now.max(at);
        Some(happening)
    }

    /// Returns whether a kind of fault can happen now: it is in the mix, and the faults have not stopped.
    pub(crate) fn can_happen(&self, kind: FaultKind) -> bool {
        !self.is_calm && self.mix.has(kind)
    }

    /// Carries out a happening at the current time: it may change machines, relay and paths, and
    /// schedule others. What belongs to an ended connection or to an earlier process of the machine
    /// (another generation) is ignored.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    pub(crate) fn happen(&mut self, happening: Happening) -> Result<(), OracleError> {
        match happening {
            Happening::Tick(m) => self.tick(m)?,
            Happening::Connect(m, generation) => self.connect(m, generation)?,
            Happening::ToRelay(id, frame) => {
                if let Err(later) = self.relay.receive(id, &frame, self.now) {
                    self.schedule(later - self.now, Happening::ToRelay(id, frame));
                }
                self.deliver()?;
            }
            Happening::FromRelay(m, id, frame) => {
                if self.machines[m].connection == Some(id) {
                    self.trace.line(self.now, format_args!("relay -> {m}: {} bytes", frame.len()));
                    self.drive(m, |process, disk| process.relay_frame(&frame, disk))?;
                }
            }
            Happening::Direct { from, to, packet } => {
                let ends = [from.min(to), from.max(to)];
                let path = self.paths.iter().find(|path| path.ends == ends);
                match path.map(|path| path.swallows) {
                    Some(true) => self.counts.add(FaultKind::DirectSwallow),
                    Some(false) => {
                        let identity = self.machines[from].identity;
                        self.counts.add(FaultKind::DirectPath);
                        self.drive(to, |process, disk| process.direct(&identity, &packet, disk))?;
                    }
                    None => {}
                }
            }
            Happening::DirectDown(a, b) => self.end_path(a, b)?,
            Happening::Synced { machine, generation, upto } => {
                let m = &mut self.machines[machine];
                if m.generation == generation && m.process.is_some() {
                    m.disk.sync(upto);
                    m.is_syncing = false;
                    let durable = m.disk.durable();
                    self.drive(machine, |process, disk| process.synced(durable, disk))?;
                    self.start_sync(machine);
                }
            }
            Happening::Choose { machine, generation, bot } => {
                if self.machines[machine].generation == generation {
                    let mut rng = self.machines[machine].rng.clone();
                    self.drive(machine, |process, disk| process.choose(bot, &mut rng, disk))?;
                    self.machines[machine].rng = rng;
                }
            }
            Happening::Confirm(m, generation) => {
                if self.machines[m].generation == generation {
                    self.machines[m].confirmed = self.machines[m].shown.clone();
                    self.drive(m, |process, disk| process.confirm(disk))?;
                }
            }
            Happening::Crash(m, generation) => {
                if self.machines[m].generation == generation {
                    self.crash(m)?;
                }
            }
            Happening::Restart(m) => self.restart(m)?,
            Happening::Accident => self.accident()?,
            Happening::Calm => self.calm()?,
            Happening::Leave(m) => self.leave_for_good(m)?,
            Happening::Visit => self.begin_visit()?,
        }
        Ok(())
    }

    /// Calls `act` with the process and the disk of machine `m` (an index of `machines`), and
    /// carries out the effects. Does nothing, and does not call `act`, if no process runs.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    pub(crate) fn drive(
        &mut self,
        m: usize,
        act: impl FnOnce(&mut crate::adapter::Process, &mut crate::disk::AppendLog),
    ) -> Result<(), OracleError> {
        let machine = &mut self.machines[m];
        let Some(process) = &mut machine.process else { return Ok(()) };
        act(process, &mut machine.disk);
        self.absorb(m)
    }

    /// Carries out the collected effects of the process on machine `m` (an index of `machines`). After that, notes the
    /// seats of a machine that has shown different histories, and if the machine is honest and all its items are
    /// durable, compares its logs with those of the others. Does nothing if no process runs.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    pub(crate) fn absorb(&mut self, m: usize) -> Result<(), OracleError> {
        let Some(process) = &mut self.machines[m].process else { return Ok(()) };
        for effect in process.take_effects() {
            self.carry_out(m, effect)?;
        }
        let machine = &self.machines[m];
        let has_cheated = machine.process.as_ref().is_some_and(|process| process.cheated() > 0);
        if has_cheated && self.splits_histories(m) {
            self.split |= machine.seats;
        }
        // What is not durable was not sent, and a crash may take it back.
        let is_durable = machine.disk.len() == machine.disk.durable();
        if let Some(process) = machine.process.as_ref().filter(|_| machine.is_honest && is_durable) {
            for at in process.standings() {
                self.oracles.check_agreement(m, &at, self.split)?;
            }
        }
        Ok(())
    }

    /// Carries out one effect of the process on machine `m`: schedules what it sends (4 ms by a direct path, 15 ms to
    /// the relay; lost without a connection) and chooses (within 0.7 s), starts syncs, and records the table that was
    /// shown, of which a player confirms the first at once. Lets a player confirm changed terms after 0.6 s (at once
    /// with the mutant `ConfirmsByItself`, without recording it). Traces refusals, and asks the oracles about starts,
    /// events, signatures and mail. What a cheater hears goes to the other cheaters.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    fn carry_out(&mut self, m: usize, effect: Effect) -> Result<(), OracleError> {
        let generation = self.machines[m].generation;
        match effect {
            Effect::Relay(frame) => {
                if let Some(id) = self.machines[m].connection {
                    self.schedule(15, Happening::ToRelay(id, frame));
                }
            }
            Effect::Direct(identity, packet) => {
                let to = self.machines.iter().position(|machine| machine.identity == identity);
                if let Some(to) = to {
                    self.schedule(4, Happening::Direct { from: m, to, packet });
                }
            }
            Effect::Sync => self.start_sync(m),
            Effect::Choose(bot) => {
                let think = u64::from(self.machines[m].rng.below(700));
                self.schedule(think, Happening::Choose { machine: m, generation, bot });
            }
            Effect::Shown(seating) => {
                let machine = &mut self.machines[m];
                let table = seating.descriptor();
                if machine.role == Role::Player {
                    machine.confirmed.get_or_insert_with(|| table.clone());
                }
                machine.shown = Some(table);
            }
            Effect::Changed => {
                if self.mutant == Some(Mutant::ConfirmsByItself) {
                    self.drive(m, |process, disk| process.confirm(disk))?;
                } else {
                    self.schedule(600, Happening::Confirm(m, generation));
                }
            }
            Effect::Begun(table) => self.handle_start(m, &table)?,
            Effect::Refused(why) => self.trace.line(self.now, format_args!("{m} refuses: {why}")),
            Effect::Told(output) => self.handle_session_event(m, output)?,
            Effect::Signed(tapped) => {
                if self.machines[m].is_honest {
                    self.oracles.check_signature(m, self.machines[m].seats, &tapped)?;
                }
            }
            Effect::CaughtUp => {
                let machine = &self.machines[m];
                let at = machine.process.as_ref().and_then(|process| process.standings().into_iter().next());
                if let Some(at) = at.filter(|_| self.visitor == Some(m) && self.is_mail_reliable()) {
                    self.oracles.check_mail(m, &at)?;
                }
            }
            Effect::Heard(bytes) => {
                // Cheaters tell each other everything.
                if self.machines[m].cheat.is_some() {
                    for other in (0..self.machines.len()).filter(|&other| other != m) {
                        let accomplice = &mut self.machines[other];
                        if let (Some(_), Some(process)) = (&accomplice.cheat, &mut accomplice.process) {
                            process.overhear(&bytes);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns whether a seat of machine `m`, its player's or a bot's, has a cheat that shows different
    /// histories to different peers. Whether it has cheated yet does not matter.
    fn splits_histories(&self, m: usize) -> bool {
        let cheats = self.plan.cheats.iter().copied().chain(self.plan.bot_cheats.map(|cheat| (0, cheat)));
        cheats.into_iter().any(|(machine, cheat)| machine == m && cheat.splits())
    }

    /// Handles the start of the match on machine `m`: records its own seats and the honest seats of `table`,
    /// and checks the consent of an honest player who is not the host. Traces it. At a start of another table they are
    /// recorded again.
    ///
    /// # Errors
    ///
    /// Fails if an honest player did not agree to this table.
    fn handle_start(&mut self, m: usize, table: &pentarchy_table::Descriptor) -> Result<(), OracleError> {
        self.trace.line(self.now, format_args!("{m} begins {}", table.game));
        let at = |identity: &[u8; 32]| {
            let seat = table.players.iter().position(|player| player.identity == *identity);
            seat.map_or(SeatSet::NONE, |seat| SeatSet::only(Seat(seat as u8)))
        };
        let seats = |machine: &Machine| {
            machine
                .bots
                .iter()
                .fold(at(&machine.identity), |seats, bot| seats | at(&crate::adapter::public(bot)))
        };
        // Honest seats may be accused before they have begun. A host that has lost a start in a crash may start another
        // table, at which the players sit elsewhere.
        let honest = self
            .machines
            .iter()
            .filter(|machine| machine.is_honest)
            .fold(SeatSet::NONE, |all, m| all | seats(m));
        self.machines[m].honest_seats = honest;
        self.machines[m].seats = seats(&self.machines[m]);
        let machine = &self.machines[m];
        let plays = machine.is_honest && machine.role == Role::Player && !machine.seats.is_empty();
        if plays && machine.setup.is_none() {
            self.oracles.check_consent(m, table, machine.shown.as_ref(), machine.confirmed.as_ref())?;
        }
        Ok(())
    }

    /// Handles an event of the session on machine `m`: traces it, counts evidence, rejections and
    /// stalls, and asks the oracle about evidence that an honest machine shows. Nothing is passed
    /// on to the process. Ignores evidence and breaks of dishonest machines.
    ///
    /// # Errors
    ///
    /// Fails if evidence violates an oracle, an honest session breaks, or rejects a message
    /// although all machines are honest.
    fn handle_session_event(&mut self, m: usize, output: SessionEvent) -> Result<(), OracleError> {
        let is_honest = self.machines[m].is_honest;
        match output {
            SessionEvent::Applied { n, entry, .. } => {
                self.trace.line(self.now, format_args!("{m}: event {n} {}", entry.event));
            }
            SessionEvent::Evidence(evidence) if is_honest => {
                self.trace.line(self.now, format_args!("{m}: evidence against {}", evidence.offender));
                self.evidence += 1;
                self.oracles.check_evidence(self.plan.game, m, self.machines[m].honest_seats, &evidence)?;
            }
            SessionEvent::Rejected { from, why } => {
                self.trace.line(self.now, format_args!("{m}: rejects from {from}: {why}"));
                self.rejected += 1;
                let everybody = self.machines.iter().all(|machine| machine.is_honest);
                if is_honest && everybody {
                    let what = format!("machine {m} rejects what an honest one sent: {why}");
                    return Err(OracleError { oracle: "honest messages are accepted", what });
                }
            }
            SessionEvent::Stalled { seat, .. } => {
                self.stalls += 1;
                self.trace.line(self.now, format_args!("{m}: seat {seat} stalls"));
            }
            SessionEvent::Broken(why) if is_honest => {
                let what = format!("the session of honest machine {m} is broken: {why}");
                return Err(OracleError { oracle: "no broken session", what });
            }
            SessionEvent::Replaced { seat } => {
                self.trace.line(self.now, format_args!("{m}: seat {seat} is replaced"));
            }
            SessionEvent::Over(_) => self.trace.line(self.now, format_args!("{m}: over")),
            _ => {}
        }
        Ok(())
    }

    /// Adds what the process on machine `m` has cheated and lied to the fault counts: one cheat for
    /// the whole process, each lie by its kind. Must be called once for each process, before it
    /// ends. Does nothing if no process runs.
    pub(crate) fn tally(&mut self, m: usize) {
        let Some(process) = &self.machines[m].process else { return };
        let together = self.plan.cheats.len() > 1 || self.plan.bot_cheats.is_some();
        if process.cheated() > 0 {
            self.counts.add(if together { FaultKind::Coalition } else { FaultKind::Cheat });
        }
        for (kind, times) in [FaultKind::BaitSwitch, FaultKind::TwoSeatings, FaultKind::EarlyStart]
            .into_iter()
            .zip(process.lies())
        {
            (0..times).for_each(|_| self.counts.add(kind));
        }
    }

    /// Schedules the sync of the disk of machine `m` after 1 to 60 ms, up to its present length. Does nothing if a sync
    /// is under way or nothing is unsynced. If the mix has crashes and the faults have not stopped, one in
    /// `CRASH_AT_SYNC` syncs is interrupted by a crash.
    fn start_sync(&mut self, m: usize) {
        let machine = &mut self.machines[m];
        if machine.is_syncing || machine.disk.len() == machine.disk.durable() {
            return;
        }
        machine.is_syncing = true;
        let (generation, upto) = (machine.generation, machine.disk.len());
        let latency = 1 + u64::from(self.rng.below(60));
        self.schedule(latency, Happening::Synced { machine: m, generation, upto });
        // Crashes in the middle of a write are the interesting ones.
        if self.can_happen(FaultKind::Crash) && self.rng.below(CRASH_AT_SYNC) == 0 {
            let before = u64::from(self.rng.below(latency as u32));
            self.schedule(before, Happening::Crash(m, generation));
        }
    }

    // --- the relay

    /// Connects machine `m` to the relay and resets its backoff, or schedules a retry if the relay
    /// does not let it in. Does nothing if the machine was restarted since (another `generation`),
    /// is already connected, or does not run.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    fn connect(&mut self, m: usize, generation: u64) -> Result<(), OracleError> {
        let machine = &self.machines[m];
        if machine.generation != generation || machine.connection.is_some() || machine.process.is_none() {
            return Ok(());
        }
        let visit = Visit { machine: m, address: machine.address, pass: machine.pass };
        match self.relay.enter(&visit, self.now) {
            Ok(id) => {
                self.trace.line(self.now, format_args!("{m} enters the room"));
                self.machines[m].connection = Some(id);
                self.machines[m].backoff.reset();
                self.deliver()
            }
            Err(why) => {
                self.trace.line(self.now, format_args!("{m} is not let in: {why:?}"));
                self.retry(m);
                Ok(())
            }
        }
    }

    /// Schedules the next connection attempt of machine `m` (an index of `machines`) after its
    /// backoff, which each call lengthens. Does not check whether an attempt is already scheduled;
    /// a superfluous attempt does nothing.
    fn retry(&mut self, m: usize) {
        let jitter = self.rng.bits() as u32;
        let wait = self.machines[m].backoff.next_delay_ms(jitter);
        let generation = self.machines[m].generation;
        self.schedule(wait, Happening::Connect(m, generation));
    }

    /// Ends the relay connection of machine `m` (an index of `machines`), if it has one, and tells
    /// its process. If the process runs, schedules a retry, which lengthens the backoff.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    pub(crate) fn disconnect(&mut self, m: usize) -> Result<(), OracleError> {
        if let Some(id) = self.machines[m].connection.take() {
            self.relay.leave(id);
        }
        self.drive(m, |process, disk| process.relay_down(disk))?;
        if self.machines[m].process.is_some() {
            self.retry(m);
        }
        Ok(())
    }

    /// Takes the frames that wait at the relay and schedules their arrival. Frames to a machine that
    /// is cut off are lost; those of a slow reader stay at the relay. Frames are tampered with only
    /// while faults happen. Disconnects the machines whose queues overflowed at the relay: the frames
    /// in such a queue are lost, and a machine whose process runs connects again after its backoff.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    pub(crate) fn deliver(&mut self) -> Result<(), OracleError> {
        let mix = if self.is_calm { None } else { Some(&self.mix) };
        let (out, closed) = self.relay.deliver(self.now, mix, &mut self.rng, &mut self.counts);
        for Outgoing { connection, machine, at, frame } in out {
            self.schedule(at - self.now, Happening::FromRelay(machine, connection, frame));
        }
        for id in closed {
            self.relay.leave(id);
            if let Some(m) = self.machines.iter().position(|machine| machine.connection == Some(id)) {
                self.counts.add(FaultKind::SlowReader);
                self.disconnect(m)?;
            }
        }
        Ok(())
    }

    // --- time

    /// Runs a tick of machine `m` and schedules the next after [`TICK`] ms: a watcher or a stranger disturbs, the
    /// process gets the time of its clock, and the relay delivers. Counts a drifting clock, and checks the memory
    /// bounds of an honest machine. Does nothing, and schedules nothing, if the machine is gone.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    fn tick(&mut self, m: usize) -> Result<(), OracleError> {
        if self.machines[m].is_gone {
            return Ok(());
        }
        self.schedule(TICK, Happening::Tick(m));
        if self.machines[m].role != Role::Player {
            self.disturb(m)?;
        }
        let clock = self.machines[m].clock.show(self.now);
        if self.machines[m].clock.drifts() {
            self.counts.add(FaultKind::ClockDrift);
        }
        self.drive(m, |process, disk| process.tick(clock, disk))?;
        self.deliver()?;
        let machine = &self.machines[m];
        if let Some(process) = machine.process.as_ref().filter(|_| machine.is_honest) {
            let events = process.standings().first().map_or(0, |at| at.events);
            self.oracles.check_bounds(m, process.footprint(), machine.disk.len(), events, self.plan.seats)?;
        }
        Ok(())
    }
}
