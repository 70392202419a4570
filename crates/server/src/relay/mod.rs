//! The relay: rooms whose members send each other messages that nobody here can read.
//!
//! A room is there while somebody is in it, and nothing of it is kept: after a restart the members come back and find
//! each other again.

mod queue;
mod socket;

use crate::addresses::{Address, Addresses, Held, What};
use crate::limits::Limits;
use crate::metrics::Metrics;
use axum::body::Bytes;
use pentarchy_net::TableId;
use pentarchy_net::wire::{Closed, FromRelay, Member, To};
use queue::{Inbox, Outbox};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

pub(crate) use socket::{close, run};

/// All rooms.
pub(crate) struct Hub {
    limits: Arc<Limits>,
    metrics: Arc<Metrics>,
    addresses: Arc<Addresses>,
    rooms: Mutex<HashMap<TableId, Room>>,
    numbers: AtomicU32,
}

struct Room {
    members: Vec<Occupant>,
    last_message: Instant,
    /// What the address that opened the room has in use.
    _opened: Held,
}

/// A member as the room knows it.
struct Occupant {
    member: Member,
    address: Address,
    outbox: Outbox,
}

impl Room {
    /// Puts a frame into the queues of some members; gives their number.
    fn deliver(&self, frame: &Bytes, wanted: impl Fn(Member) -> bool) -> u64 {
        let mut delivered = 0;
        for occupant in self.members.iter().filter(|occupant| wanted(occupant.member)) {
            delivered += u64::from(occupant.outbox.push(frame.clone()));
        }
        delivered
    }
}

/// A member's place in a room, until this is dropped.
pub(crate) struct Seated {
    hub: Arc<Hub>,
    table: TableId,
    member: Member,
    /// What waits for the member, beginning with the welcome.
    inbox: Inbox,
}

impl Hub {
    pub(crate) fn new(limits: Arc<Limits>, metrics: Arc<Metrics>, addresses: Arc<Addresses>) -> Arc<Self> {
        Arc::new(Self { limits, metrics, addresses, rooms: Mutex::default(), numbers: AtomicU32::new(1) })
    }

    /// Enters a room, which is opened if it is not there.
    pub(crate) fn enter(self: &Arc<Self>, table: TableId, address: Address) -> Result<Seated, Closed> {
        let mut rooms = self.lock();
        let room = match rooms.entry(table) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let opened = self.addresses.hold(address, What::Room).ok_or(Closed::TooMany)?;
                self.metrics.rooms.inc();
                entry.insert(Room { members: Vec::new(), last_message: Instant::now(), _opened: opened })
            }
        };
        if room.members.len() >= self.limits.members_per_room {
            return Err(Closed::Full);
        }
        let near = room.members.iter().filter(|occupant| occupant.address == address).count();
        if near >= self.limits.members_per_address {
            return Err(Closed::Crowded);
        }
        let member = Member(self.numbers.fetch_add(1, Relaxed));
        let others = room.members.iter().map(|occupant| occupant.member).collect();
        room.deliver(&FromRelay::Joined(member).to_bytes().into(), |_| true);
        let (outbox, inbox) = queue::new(self.limits.queue_messages, self.limits.queue_bytes);
        outbox.push(FromRelay::Welcome { you: member, others }.to_bytes().into());
        room.members.push(Occupant { member, address, outbox });
        self.metrics.members.inc();
        tracing::info!(?table, member = member.0, members = room.members.len(), "joined");
        Ok(Seated { hub: Arc::clone(self), table, member, inbox })
    }

    /// How many are in a room.
    pub(crate) fn members(&self, table: &TableId) -> usize {
        self.lock().get(table).map_or(0, |room| room.members.len())
    }

    /// A panic elsewhere leaves a room as it was between two messages.
    fn lock(&self) -> MutexGuard<'_, HashMap<TableId, Room>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seated {
    /// Passes a message on; gives the number of members that get it.
    fn send(&self, to: To, payload: &[u8]) -> u64 {
        let mut rooms = self.hub.lock();
        let Some(room) = rooms.get_mut(&self.table) else { return 0 };
        room.last_message = Instant::now();
        let frame = FromRelay::Message { from: self.member, payload }.to_bytes().into();
        let delivered = room.deliver(&frame, |member| match to {
            To::Others => member != self.member,
            To::One(one) => member == one,
        });
        drop(rooms);
        self.hub.metrics.messages.inc();
        self.hub.metrics.delivered.inc_by(delivered);
        self.hub.metrics.bytes.inc_by(payload.len() as u64);
        delivered
    }

    /// How long nobody in the room has sent anything.
    fn room_silence(&self) -> Duration {
        self.hub.lock().get(&self.table).map_or(Duration::ZERO, |room| room.last_message.elapsed())
    }
}

impl Drop for Seated {
    fn drop(&mut self) {
        let mut rooms = self.hub.lock();
        if let Some(room) = rooms.get_mut(&self.table) {
            room.members.retain(|occupant| occupant.member != self.member);
            room.deliver(&FromRelay::Left(self.member).to_bytes().into(), |_| true);
            if room.members.is_empty() {
                rooms.remove(&self.table);
                self.hub.metrics.rooms.dec();
            }
        }
        self.hub.metrics.members.dec();
        tracing::info!(table = ?self.table, member = self.member.0, "left");
    }
}
