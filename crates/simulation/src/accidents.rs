//! Faults of machines and connections, and attacks by watchers and strangers.

use crate::adapter::idle_handshake;
use crate::faults::FaultKind;
use crate::machine::Role;
use crate::oracle::OracleError;
use crate::relay::Visit;
use crate::world::{DirectPath, Happening, World};

/// Places that a stranger takes.
const SQUATS: usize = 12;

impl World {
    /// Draws a random fault of the mix and a random machine, and causes the fault there; schedules the next accident
    /// after a random time of 1 to 2 × `accident_every` ms. Kinds: crash, partition (0.5 to 20.5 s), relay restart,
    /// slow reader (1 to 9 s), clock jump forward (1 s to 1 h), direct path. A stranger is never hit: nothing happens
    /// then. Nothing happens either if the mix has none of these kinds. Does nothing, and schedules nothing, once the
    /// faults have stopped.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    pub(crate) fn accident(&mut self) -> Result<(), OracleError> {
        if self.is_calm {
            return Ok(());
        }
        let wait = 1 + u64::from(self.rng.below(2 * self.mix.accident_every));
        self.schedule(wait, Happening::Accident);
        let kinds = [
            FaultKind::Crash,
            FaultKind::Partition,
            FaultKind::RelayRestart,
            FaultKind::SlowReader,
            FaultKind::ClockForward,
            FaultKind::DirectPath,
        ];
        let kinds: Vec<FaultKind> = kinds.into_iter().filter(|kind| self.mix.has(*kind)).collect();
        let Some(&kind) = self.rng.choose(&kinds) else { return Ok(()) };
        let m = self.rng.below(self.machines.len() as u32) as usize;
        if self.machines[m].role == Role::Stranger {
            return Ok(());
        }
        self.trace.line(self.now, format_args!("accident: {kind:?} at {m}"));
        match kind {
            FaultKind::Crash => self.crash(m),
            FaultKind::Partition => {
                let until = self.now + 500 + u64::from(self.rng.below(20_000));
                self.relay.partition(m, until);
                Ok(())
            }
            FaultKind::RelayRestart => self.restart_relay(),
            FaultKind::SlowReader => {
                let until = self.now + 1_000 + u64::from(self.rng.below(8_000));
                if self.relay.slow_down(m, until) {
                    self.counts.add(FaultKind::SlowReader);
                }
                Ok(())
            }
            FaultKind::ClockForward => {
                self.counts.add(FaultKind::ClockForward);
                let by = [1_000, 20_000, 100_000, 3_600_000][self.rng.below(4) as usize];
                self.machines[m].clock.jump(self.now, by);
                Ok(())
            }
            _ => self.begin_path(m),
        }
    }

    /// Restarts the relay, which forgets its rooms and keeps the mail, counts the fault, and disconnects
    /// every machine that was connected; each schedules its retry. Strangers lose all their connections and
    /// enter again with their next tick.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    fn restart_relay(&mut self) -> Result<(), OracleError> {
        self.counts.add(FaultKind::RelayRestart);
        for m in self.relay.restart() {
            self.machines[m].squats.clear();
            self.disconnect(m)?;
        }
        Ok(())
    }

    // --- processes

    /// Stops the process of machine `m` (an index of `machines`): adds what it cheated to the
    /// counts, ends its connection and its direct paths, and delivers what the relay has ready. The
    /// disk is not touched, and no restart is scheduled. Raises `generation`, so what was scheduled
    /// for the old process is ignored. Does nothing if no process runs.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    pub(crate) fn stop(&mut self, m: usize) -> Result<(), OracleError> {
        self.tally(m);
        let machine = &mut self.machines[m];
        if machine.process.take().is_none() {
            return Ok(());
        }
        machine.generation += 1;
        machine.is_syncing = false;
        if let Some(id) = machine.connection.take() {
            self.relay.leave(id);
        }
        let ends: Vec<[usize; 2]> =
            self.paths.iter().map(|path| path.ends).filter(|ends| ends.contains(&m)).collect();
        for [a, b] in ends {
            self.end_path(a, b)?;
        }
        self.deliver()
    }

    /// Crashes the process of machine `m` (an index of `machines`): counts the fault, stops it, damages its unsynced
    /// items as the mix allows, and schedules a restart after 0.1 to 15.1 s. If the mix has rot, a durable byte of a
    /// player's file may be damaged too; `rotted` then lists the machine. Does nothing if no process runs.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    pub(crate) fn crash(&mut self, m: usize) -> Result<(), OracleError> {
        if self.machines[m].process.is_none() {
            return Ok(());
        }
        self.counts.add(FaultKind::Crash);
        self.stop(m)?;
        let machine = &mut self.machines[m];
        machine.disk.crash(&self.mix, &mut machine.rng, &mut self.counts);
        if self.mix.has(FaultKind::Rot) && machine.role == Role::Player && machine.disk.rot(&mut machine.rng)
        {
            self.counts.add(FaultKind::Rot);
            self.rotted.push(m);
        }
        let wait = 100 + u64::from(self.rng.below(15_000));
        self.schedule(wait, Happening::Restart(m));
        Ok(())
    }

    /// Starts the process of machine `m` (an index of `machines`) from its disk, carries out its first effects, and
    /// schedules its connection to the relay. Does nothing if it already runs, the machine is gone, it belongs to a
    /// stranger, or another machine visits alone. A machine that finds its log damaged is marked as gone and does not
    /// start. From the second start on the clock may go back, if the mix has that, which is counted. The table that was
    /// shown last is forgotten.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    pub(crate) fn restart(&mut self, m: usize) -> Result<(), OracleError> {
        let machine = &self.machines[m];
        let is_kept_away = self.visitor.is_some_and(|visitor| visitor != m);
        if machine.process.is_some() || machine.is_gone || machine.role == Role::Stranger || is_kept_away {
            return Ok(());
        }
        let rotted = self.rotted.contains(&m);
        let back = self.mix.has(FaultKind::ClockBack);
        let machine = &mut self.machines[m];
        if machine.generation > 0 && machine.clock.restart(&mut machine.rng, self.now, back) {
            self.counts.add(FaultKind::ClockBack);
        }
        machine.shown = None;
        if !machine.boot(m, &self.invite, self.mutant, &self.oracles, rotted)? {
            self.trace.line(self.now, format_args!("{m} finds its log damaged and stays away"));
            return Ok(());
        }
        self.trace.line(self.now, format_args!("{m} starts"));
        let generation = self.machines[m].generation;
        self.schedule(1, Happening::Connect(m, generation));
        self.absorb(m)
    }

    /// Stops the process of machine `m` (an index of `machines`) and marks the machine as gone, so
    /// nothing restarts it. Counts the fault, also if the process does not run or the machine is
    /// gone already.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    pub(crate) fn leave_for_good(&mut self, m: usize) -> Result<(), OracleError> {
        self.counts.add(FaultKind::Leave);
        self.trace.line(self.now, format_args!("{m} leaves for good"));
        self.stop(m)?;
        self.machines[m].is_gone = true;
        Ok(())
    }

    // --- visits

    /// Ends the visit under way and begins that of a random player's machine, the only one that may run
    /// until the next visit, which is scheduled after 2 to 10 s. All processes but those of strangers end,
    /// and what they have written is durable. First tells the oracle of mail how far the last visitor has
    /// posted. Does nothing, and schedules nothing, once the faults have stopped. If there is no player, no
    /// visit begins, and none is scheduled.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    pub(crate) fn begin_visit(&mut self) -> Result<(), OracleError> {
        if self.is_calm {
            return Ok(());
        }
        if let Some(m) = self.visitor {
            self.note_posted(m);
        }
        for m in
            (0..self.machines.len()).filter(|&m| self.machines[m].role != Role::Stranger).collect::<Vec<_>>()
        {
            // What a page has written survives its end.
            let disk = &mut self.machines[m].disk;
            disk.sync(disk.len());
            self.stop(m)?;
        }
        let players: Vec<usize> =
            (0..self.machines.len()).filter(|&m| self.machines[m].role == Role::Player).collect();
        let Some(&m) = self.rng.choose(&players) else { return Ok(()) };
        self.counts.add(FaultKind::Apart);
        self.trace.line(self.now, format_args!("{m} visits alone"));
        self.visitor = Some(m);
        self.schedule(1, Happening::Restart(m));
        let stay = 2_000 + u64::from(self.rng.below(8_000));
        self.schedule(stay, Happening::Visit);
        Ok(())
    }

    /// Tells the oracle of mail how far the log of machine `m` goes, if the mailbox has acknowledged
    /// everything that the machine has posted. Does nothing if the machine does not run, is dishonest, or
    /// has items that are not durable or messages that are not sent.
    fn note_posted(&mut self, m: usize) {
        let machine = &self.machines[m];
        let is_durable = machine.disk.len() == machine.disk.durable();
        let Some(process) = machine.process.as_ref().filter(|_| machine.is_honest && is_durable) else {
            return;
        };
        if let Some(at) = process.standings().into_iter().next().filter(|_| !process.has_unsent()) {
            self.oracles.note_posted(&at);
        }
    }

    /// Returns whether the mailbox must bring a machine up to date: all players are honest, and the mix has no faults
    /// by which the relay lies about the mail or a log is damaged. Watchers and strangers do not count.
    pub(crate) fn is_mail_reliable(&self) -> bool {
        let lies = [FaultKind::Replay, FaultKind::Invent, FaultKind::Duplicate, FaultKind::Rot];
        let everybody = self.machines.iter().filter(|machine| machine.role == Role::Player);
        everybody.into_iter().all(|machine| machine.is_honest)
            && !lies.into_iter().any(|kind| self.mix.has(kind))
    }

    // --- direct connections

    /// Opens a direct path from machine `a` to a random other one, tells both processes, and schedules its end after 1
    /// to 21 s. If the mix has it, half of the paths swallow all packets. Does nothing if the draw gives `a` itself,
    /// one of the two does not run, or they already have a path. A process that does not know the other one ignores the
    /// path.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    fn begin_path(&mut self, a: usize) -> Result<(), OracleError> {
        let b = self.rng.below(self.machines.len() as u32) as usize;
        let ends = [a.min(b), a.max(b)];
        let both = ends.iter().all(|&m| self.machines[m].process.is_some());
        if a == b || !both || self.paths.iter().any(|path| path.ends == ends) {
            return Ok(());
        }
        let swallows = self.mix.has(FaultKind::DirectSwallow) && self.rng.below(2) == 0;
        self.paths.push(DirectPath { ends, swallows });
        for (m, other) in [(a, b), (b, a)] {
            let identity = self.machines[other].identity;
            self.drive(m, |process, disk| {
                process.connect_directly(&identity, true, disk);
            })?;
        }
        let life = 1_000 + u64::from(self.rng.below(20_000));
        self.schedule(life, Happening::DirectDown(ends[0], ends[1]));
        Ok(())
    }

    /// Closes the direct path between machines `a` and `b`, and tells their processes if they run.
    /// Does nothing if there is no such path. Requires `a < b`.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    pub(crate) fn end_path(&mut self, a: usize, b: usize) -> Result<(), OracleError> {
        let before = self.paths.len();
        self.paths.retain(|path| path.ends != [a, b]);
        if self.paths.len() == before {
            return Ok(());
        }
        for (m, other) in [(a, b), (b, a)] {
            let identity = self.machines[other].identity;
            self.drive(m, |process, disk| {
                process.connect_directly(&identity, false, disk);
            })?;
        }
        Ok(())
    }

    // --- watchers and strangers

    /// Does what machine `m`, which must be a watcher or a stranger, does besides its process at
    /// each tick. As the mix allows and while faults happen, a watcher sends 5 chat messages and
    /// asks every peer 4 times for the log; each is counted only if a peer was reached. A stranger
    /// intrudes instead.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    pub(crate) fn disturb(&mut self, m: usize) -> Result<(), OracleError> {
        if self.machines[m].role == Role::Stranger {
            return self.intrude(m);
        }
        if self.can_happen(FaultKind::FloodChat) {
            let mut heard = false;
            self.drive(m, |process, disk| {
                for _ in 0..5 {
                    heard |= process.chat("Buy pepper! Buy pepper! Buy pepper!", disk);
                }
            })?;
            if heard {
                self.counts.add(FaultKind::FloodChat);
            }
        }
        if self.can_happen(FaultKind::FloodRequests) {
            let mut asked = false;
            self.drive(m, |process, disk| asked = process.flood_requests(4, disk))?;
            if asked {
                self.counts.add(FaultKind::FloodRequests);
            }
        }
        Ok(())
    }

    /// Runs one tick of the stranger on machine `m`. It tries to enter the room: until it has one connection, or, if
    /// the mix has that (`Squat` with the link, `NoPass` without), until it has [`SQUATS`]; one attempt per tick. As
    /// the mix allows, it sends 6 handshakes that it never completes, once it has a connection. Counts what succeeded,
    /// and a refused entry without a pass. Once the faults have stopped, it ends all its connections instead.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    fn intrude(&mut self, m: usize) -> Result<(), OracleError> {
        let machine = &self.machines[m];
        let visit = Visit { machine: m, address: machine.address, pass: machine.pass };
        let kind = if visit.pass.is_some() { FaultKind::Squat } else { FaultKind::NoPass };
        if self.is_calm {
            for id in std::mem::take(&mut self.machines[m].squats) {
                self.relay.leave(id);
            }
            return self.deliver();
        }
        if self.mix.has(kind) || self.machines[m].squats.is_empty() {
            let full = self.machines[m].squats.len() >= SQUATS;
            match if full { Ok(None) } else { self.relay.enter(&visit, self.now).map(Some) } {
                Ok(Some(id)) => {
                    self.counts.add(kind);
                    self.machines[m].squats.push(id);
                }
                Err(None) => self.counts.add(FaultKind::NoPass),
                Ok(None) | Err(Some(_)) => {}
            }
        }
        if self.mix.has(FaultKind::FloodHandshakes)
            && let Some(&id) = self.machines[m].squats.first()
        {
            for _ in 0..6 {
                let frame = idle_handshake(&mut self.machines[m].rng);
                self.counts.add(FaultKind::FloodHandshakes);
                self.schedule(15, Happening::ToRelay(id, frame));
            }
        }
        self.deliver()
    }

    // --- the end of all faults

    /// Stops the faults for the rest of the run: partitions, slow readers and visits end, and a restart of every
    /// machine is scheduled, which does nothing for those that are gone or running. Restarts the relay if the mix let
    /// it drop, invent or replay frames or cut machines off. Direct paths stay until their scheduled end.
    ///
    /// # Errors
    ///
    /// Fails if an oracle is violated.
    pub(crate) fn calm(&mut self) -> Result<(), OracleError> {
        self.trace.line(self.now, format_args!("the faults stop"));
        self.is_calm = true;
        self.visitor = None;
        // What a relay has said of the members of a room is corrected by the next connection, not before.
        let lies = [FaultKind::Drop, FaultKind::Invent, FaultKind::Partition, FaultKind::Replay];
        if lies.into_iter().any(|kind| self.mix.has(kind)) {
            self.restart_relay()?;
        }
        for m in 0..self.machines.len() {
            self.relay.partition(m, 0);
            self.relay.slow_down(m, 0);
            self.schedule(1, Happening::Restart(m));
        }
        self.deliver()
    }
}
