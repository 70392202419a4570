//! The relay: the real rooms of the server, and between them and the machines an operator who may be hostile.

use crate::faults::{FaultCounts, FaultKind, FaultMix};
use pentarchy_engine::Rng;
use pentarchy_net::wire::{CloseReason, Member, PeerFrame, RelayFrame};
use pentarchy_net::{RoomPass, TableId};
use pentarchy_server::{Allowance, Inbox, Limits, RelayRooms};
use pentarchy_storage::MemoryMail;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Frames that a hostile relay remembers.
const MOST_KEPT: usize = 64;
/// Upper bound on the milliseconds for which a hostile relay holds a frame back.
const LONGEST_DELAY: u32 = 6_000;

/// A connection to the relay. Numbers are never used again.
pub(crate) type ConnectionId = u64;

struct Connection {
    machine: usize,
    member: Member,
    inbox: Inbox,
    allowance: Allowance,
    /// Until when the relay reads nothing from it.
    paused: u64,
    /// Until when it reads nothing.
    slow_until: u64,
    /// When the last frame arrives that was sent to it: a connection keeps the order.
    arrival: u64,
    has_pass: bool,
}

/// A frame on its way to a machine.
pub(crate) struct Outgoing {
    pub(crate) connection: ConnectionId,
    pub(crate) machine: usize,
    pub(crate) at: u64,
    pub(crate) frame: Vec<u8>,
}

/// The relay of a run.
pub(crate) struct SimulatedRelay {
    limits: Arc<Limits>,
    rooms: RelayRooms,
    /// The mail of the table. It survives a restart, as mail in a file does.
    mail: MemoryMail,
    table: TableId,
    /// Virtual time 0.
    epoch: Instant,
    connections: BTreeMap<ConnectionId, Connection>,
    next: ConnectionId,
    /// Machines that the relay cuts off, each until a time.
    partitions: BTreeMap<usize, u64>,
    kept: Vec<Vec<u8>>,
    /// A mutant that asks nobody for a pass.
    pub(crate) ignores_pass: Option<RoomPass>,
    /// Frames that a member without the link was given.
    pub(crate) leaked: u64,
    pub(crate) most_waiting: usize,
}

/// What a machine that wants to enter shows.
pub(crate) struct Visit {
    pub(crate) machine: usize,
    pub(crate) address: u8,
    pub(crate) pass: Option<RoomPass>,
}

impl SimulatedRelay {
    /// Creates a relay with the default limits that serves the room of one table. Nobody is
    /// connected.
    pub(crate) fn new(table: TableId) -> Self {
        let limits = Arc::new(Limits::default());
        Self {
            rooms: RelayRooms::new(Arc::clone(&limits)),
            limits,
            mail: MemoryMail::default(),
            table,
            epoch: Instant::now(),
            connections: BTreeMap::new(),
            next: 0,
            partitions: BTreeMap::new(),
            kept: Vec::new(),
            ignores_pass: None,
            leaked: 0,
            most_waiting: 0,
        }
    }

    /// Converts virtual milliseconds of the run to the instant that the room code of the server
    /// expects.
    fn instant(&self, now: u64) -> Instant {
        self.epoch + Duration::from_millis(now)
    }

    /// Connects a machine to the room at the time `now` (virtual ms), with the address and the pass of `visit`, and
    /// returns the number of the new connection. A machine may have several. A pass of another table counts as none. A
    /// relay that ignores passes (`ignores_pass`) lets everybody in; frames to a connection without the right pass
    /// count as leaked.
    ///
    /// # Errors
    ///
    /// Fails with `None` if the machine has no pass and passes are not ignored, and with the reason if a limit is
    /// reached.
    pub(crate) fn enter(&mut self, visit: &Visit, now: u64) -> Result<ConnectionId, Option<CloseReason>> {
        let ip = IpAddr::V4(Ipv4Addr::new(10, 0, 0, visit.address));
        let has_pass = visit.pass.is_some_and(|pass| pass.table() == self.table);
        let shown = self.ignores_pass.or(visit.pass);
        let entered = self.rooms.enter_with(self.table, shown.as_ref(), ip, self.instant(now))?;
        self.next += 1;
        let connection = Connection {
            machine: visit.machine,
            member: entered.member,
            inbox: entered.inbox,
            allowance: Allowance::new(&self.limits, self.instant(now)),
            paused: 0,
            slow_until: 0,
            arrival: 0,
            has_pass,
        };
        self.connections.insert(self.next, connection);
        Ok(self.next)
    }

    /// Ends connection `id`: the machine leaves the room, and the other members learn of it. Does
    /// nothing if it has ended.
    pub(crate) fn leave(&mut self, id: ConnectionId) {
        if let Some(connection) = self.connections.remove(&id) {
            self.rooms.leave(&self.table, connection.member);
        }
    }

    /// Drops all rooms and connections; mail, partitions, kept frames and counters stay. Returns the
    /// machine of each connection that ended, in the order of the connections; a machine with several
    /// connections occurs several times. The caller must notify the machines.
    pub(crate) fn restart(&mut self) -> Vec<usize> {
        let machines = self.connections.values().map(|connection| connection.machine).collect();
        self.connections.clear();
        self.rooms = RelayRooms::new(Arc::clone(&self.limits));
        machines
    }

    /// Cuts a machine off from the relay until the time `until` (virtual ms): frames from and to it
    /// are dropped, its connections stay. A time in the past ends the partition.
    pub(crate) fn partition(&mut self, machine: usize, until: u64) {
        self.partitions.insert(machine, until);
    }

    /// Makes the first connection of a machine read nothing until the time `until` (virtual ms);
    /// its frames wait at the relay. A time in the past ends that. Returns `false` if it has no
    /// connection.
    pub(crate) fn slow_down(&mut self, machine: usize, until: u64) -> bool {
        let mut theirs = self.connections.values_mut().filter(|connection| connection.machine == machine);
        theirs.next().map(|connection| connection.slow_until = until).is_some()
    }

    /// Returns whether a partition cuts a machine off from the relay at the time `now`.
    fn is_cut_off(&self, machine: usize, now: u64) -> bool {
        self.partitions.get(&machine).is_some_and(|until| *until > now)
    }

    /// Handles a frame that arrives on connection `id` at the time `now` (virtual ms). Ignores it if the connection has
    /// ended, the machine is cut off, or the frame is malformed. Otherwise forwards it to the members that it names, or
    /// stores or returns mail, and charges the sender for the copies, at least for one. A frame that exceeds the rate
    /// is still handled, and later ones have to wait.
    ///
    /// # Errors
    ///
    /// Fails with the time (virtual ms) at which the frame can be read if the machine has exceeded its rate. The frame
    /// was not handled then: the caller must pass it again.
    pub(crate) fn receive(&mut self, id: ConnectionId, frame: &[u8], now: u64) -> Result<(), u64> {
        let at = self.instant(now);
        let Some(connection) = self.connections.get(&id) else { return Ok(()) };
        if connection.paused > now {
            return Err(connection.paused);
        }
        if self.is_cut_off(connection.machine, now) {
            return Ok(());
        }
        let member = connection.member;
        let copies = match PeerFrame::parse(frame) {
            Some(PeerFrame::Message { to, payload }) => self.rooms.send(&self.table, member, to, payload, at),
            Some(request) => {
                let seconds = now / 1_000;
                self.rooms.handle_mail(&mut self.mail, &self.table, member, &request, 1, seconds);
                1
            }
            None => return Ok(()),
        };
        let Some(connection) = self.connections.get_mut(&id) else { return Ok(()) };
        if let Some(resume) = connection.allowance.charge(copies.max(1), frame.len() as u64, at) {
            connection.paused = (resume - self.epoch).as_millis() as u64;
        }
        Ok(())
    }

    /// Takes the frames that wait for the members at the time `now` (virtual ms). With a `mix`, drops,
    /// delays, duplicates, replays and invents frames ([`tamper`]). Returns the frames with their
    /// times of arrival, not sorted by time, and the connections whose queues overflowed, which the
    /// caller must end. The latency is 10 to 49 ms, and each connection keeps the order; a delayed
    /// frame arrives 200 to 6199 ms later, a duplicate up to 499 ms later. Frames to a machine that is
    /// cut off are lost; frames of a slow reader or an overflowed connection stay. Counts faults in
    /// `counts`, and frames to a connection without a pass in `leaked`. Raises `most_waiting` to the
    /// bytes of the longest queue.
    pub(crate) fn deliver(
        &mut self,
        now: u64,
        mix: Option<&FaultMix>,
        rng: &mut Rng,
        counts: &mut FaultCounts,
    ) -> (Vec<Outgoing>, Vec<ConnectionId>) {
        let (mut out, mut closed) = (Vec::new(), Vec::new());
        for (id, connection) in &mut self.connections {
            self.most_waiting = self.most_waiting.max(connection.inbox.waiting_bytes());
            if connection.inbox.has_overflowed() {
                closed.push(*id);
                continue;
            }
            if connection.slow_until > now {
                continue;
            }
            let cut_off = self.partitions.get(&connection.machine).is_some_and(|until| *until > now);
            while let Some(frame) = connection.inbox.try_next() {
                let mut frames = vec![(0, frame.to_vec())];
                if cut_off {
                    counts.add(FaultKind::Partition);
                    continue;
                }
                if !connection.has_pass {
                    self.leaked += 1;
                }
                if let Some(mix) = mix {
                    tamper(mix, &mut self.kept, &mut frames, rng, counts);
                }
                let latency = 10 + u64::from(rng.below(40));
                connection.arrival = connection.arrival.max(now + latency);
                let arrival = connection.arrival;
                out.extend(frames.into_iter().map(|(late, frame)| Outgoing {
                    connection: *id,
                    machine: connection.machine,
                    at: arrival + late,
                    frame,
                }));
            }
        }
        (out, closed)
    }
}

/// Tampers with the first of `frames` as the mix allows: drops, delays, duplicates, replays or invents frames, and
/// counts each. Each frame carries its additional delay in ms. `kept` holds up to `MOST_KEPT` old frames for replays,
/// and gets the new one if the mix has replays. Does nothing if `frames` is empty. One frame may be hit by several
/// kinds; each kind hits `frame_rate` of a thousand frames. A dropped frame may leave its duplicate, a replayed or an
/// invented frame.
fn tamper(
    mix: &FaultMix,
    kept: &mut Vec<Vec<u8>>,
    frames: &mut Vec<(u64, Vec<u8>)>,
    rng: &mut Rng,
    counts: &mut FaultCounts,
) {
    let hit = |kind, rng: &mut Rng| mix.has(kind) && rng.below(1_000) < mix.frame_rate;
    let Some(frame) = frames.first().map(|(_, frame)| frame.clone()) else { return };
    if hit(FaultKind::Duplicate, rng) {
        counts.add(FaultKind::Duplicate);
        frames.push((u64::from(rng.below(500)), frame.clone()));
    }
    if hit(FaultKind::Replay, rng)
        && let Some(old) = rng.choose(kept).cloned()
    {
        counts.add(FaultKind::Replay);
        frames.push((0, old));
    }
    if hit(FaultKind::Invent, rng) {
        counts.add(FaultKind::Invent);
        frames.push((0, invented(&frame, rng)));
    }
    if hit(FaultKind::Delay, rng) {
        counts.add(FaultKind::Delay);
        frames[0].0 = 200 + u64::from(rng.below(LONGEST_DELAY));
    }
    if hit(FaultKind::Drop, rng) {
        counts.add(FaultKind::Drop);
        frames.remove(0);
    }
    if mix.has(FaultKind::Replay) {
        if kept.len() == MOST_KEPT {
            let at = rng.below(MOST_KEPT as u32) as usize;
            kept.swap_remove(at);
        }
        kept.push(frame);
    }
}

/// Builds a frame that no member has sent, in the name of a random member: joined, left, a welcome,
/// or a message. The message carries the payload of `frame`, half of the time with a flipped bit,
/// or random bytes if `frame` is not a message.
fn invented(frame: &[u8], rng: &mut Rng) -> Vec<u8> {
    let member = Member(1 + rng.below(40));
    let payload: Vec<u8> = match RelayFrame::parse(frame) {
        // The payload of another member, in the name of this one, with a changed byte now and then.
        Some(RelayFrame::Message { payload, .. }) => {
            let mut payload = payload.to_vec();
            if rng.below(2) == 0 && !payload.is_empty() {
                let at = rng.below(payload.len() as u32) as usize;
                payload[at] ^= 1 << rng.below(8);
            }
            payload
        }
        _ => (0..rng.below(80)).map(|_| rng.below(256) as u8).collect(),
    };
    match rng.below(4) {
        0 => RelayFrame::Joined(member).to_bytes(),
        1 => RelayFrame::Left(member).to_bytes(),
        2 => RelayFrame::Welcome { you: member, others: (1..rng.below(40)).map(Member).collect() }.to_bytes(),
        _ => RelayFrame::Message { from: member, payload: &payload }.to_bytes(),
    }
}
