//! The relay: rooms whose members send each other messages that nobody here can read.
//!
//! A room is there while somebody is in it, and nothing of it is kept: after a restart the members come back and find
//! each other again.

mod queue;
mod rooms;
mod socket;

use crate::addresses::{Address, Addresses};
use crate::limits::Limits;
use crate::metrics::Metrics;
use pentarchy_net::TableId;
use pentarchy_net::wire::{CloseReason, Destination, Member};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

pub use queue::Inbox;
pub(crate) use rooms::may_enter;
pub use rooms::{Allowance, Entered, RelayRooms};
pub(crate) use socket::{close, run};

/// All rooms, shared by the connections.
pub(crate) struct Hub {
    limits: Arc<Limits>,
    metrics: Arc<Metrics>,
    rooms: Mutex<RelayRooms>,
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
        let rooms = Mutex::new(RelayRooms::with_addresses(Arc::clone(&limits), addresses));
        Arc::new(Self { limits, metrics, rooms })
    }

    /// Enters a room, which is opened if it is not there.
    pub(crate) fn enter(self: &Arc<Self>, table: TableId, address: Address) -> Result<Seated, CloseReason> {
        let Entered { member, inbox, members, opened } = self.lock().enter(table, address, Instant::now())?;
        if opened {
            self.metrics.rooms.inc();
        }
        self.metrics.members.inc();
        tracing::info!(?table, member = member.0, members, "joined");
        Ok(Seated { hub: Arc::clone(self), table, member, inbox })
    }

    /// How many are in a room.
    pub(crate) fn members(&self, table: &TableId) -> usize {
        self.lock().members(table)
    }

    /// A panic elsewhere leaves a room as it was between two messages.
    fn lock(&self) -> MutexGuard<'_, RelayRooms> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seated {
    /// Passes a message on; gives the number of members that get it.
    fn send(&self, to: Destination, payload: &[u8]) -> u64 {
        let delivered = self.hub.lock().send(&self.table, self.member, to, payload, Instant::now());
        self.hub.metrics.messages.inc();
        self.hub.metrics.delivered.inc_by(delivered);
        self.hub.metrics.bytes.inc_by(payload.len() as u64);
        delivered
    }

    /// How long nobody in the room has sent anything.
    fn room_silence(&self) -> Duration {
        self.hub.lock().silence(&self.table, Instant::now())
    }
}

impl Drop for Seated {
    fn drop(&mut self) {
        if self.hub.lock().leave(&self.table, self.member) {
            self.hub.metrics.rooms.dec();
        }
        self.hub.metrics.members.dec();
        tracing::info!(table = ?self.table, member = self.member.0, "left");
    }
}
