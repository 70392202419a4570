//! The relay: rooms whose members exchange end-to-end encrypted messages.
//!
//! A room exists while it has members, and nothing of it is stored. After a restart of the server the members reconnect and
//! find each other again.

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
pub(crate) use socket::{close, serve_member};

/// All rooms, shared by all connections.
pub(crate) struct Hub {
    limits: Arc<Limits>,
    metrics: Arc<Metrics>,
    rooms: Mutex<RelayRooms>,
}

/// The membership in a room. The member leaves when it is dropped.
pub(crate) struct Membership {
    hub: Arc<Hub>,
    table: TableId,
    member: Member,
    /// The frames for the member, beginning with the welcome.
    inbox: Inbox,
}

impl Hub {
    /// Creates a hub without rooms.
    pub(crate) fn new(limits: Arc<Limits>, metrics: Arc<Metrics>, addresses: Arc<Addresses>) -> Arc<Self> {
        let rooms = Mutex::new(RelayRooms::with_addresses(Arc::clone(&limits), addresses));
        Arc::new(Self { limits, metrics, rooms })
    }

    /// Enters a room, which is opened if it does not exist, notifies the other members and counts both in the
    /// metrics. The caller has checked the pass. The member leaves when the result is dropped.
    ///
    /// # Errors
    ///
    /// Fails with `TooMany` if the address has opened too many rooms, `Full` if the room is full, and
    /// `Crowded` if the address has too many members in it.
    pub(crate) fn enter(
        self: &Arc<Self>,
        table: TableId,
        address: Address,
    ) -> Result<Membership, CloseReason> {
        let Entered { member, inbox, members, opened } = self.lock().enter(table, address, Instant::now())?;
        if opened {
            self.metrics.rooms.inc();
        }
        self.metrics.members.inc();
        tracing::info!(?table, member = member.0, members, "member joined");
        Ok(Membership { hub: Arc::clone(self), table, member, inbox })
    }

    /// Returns the number of members of a room; 0 if it does not exist.
    pub(crate) fn members(&self, table: &TableId) -> usize {
        self.lock().members(table)
    }

    /// Locks the rooms until the guard is dropped. A panic while they were locked leaves them as between two
    /// messages, so poisoning is ignored.
    fn lock(&self) -> MutexGuard<'_, RelayRooms> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Membership {
    /// Forwards a message of this member and counts it in the metrics. Returns the number of members that it
    /// is queued for; 0 if the recipient is not in the room.
    fn send(&self, to: Destination, payload: &[u8]) -> u64 {
        let delivered = self.hub.lock().send(&self.table, self.member, to, payload, Instant::now());
        self.hub.metrics.messages.inc();
        self.hub.metrics.delivered.inc_by(delivered);
        self.hub.metrics.bytes.inc_by(payload.len() as u64);
        delivered
    }

    /// Returns the time since the last message in the room, or since it was opened.
    fn room_silence(&self) -> Duration {
        self.hub.lock().silence(&self.table, Instant::now())
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        if self.hub.lock().leave(&self.table, self.member) {
            self.hub.metrics.rooms.dec();
        }
        self.hub.metrics.members.dec();
        tracing::info!(table = ?self.table, member = self.member.0, "member left");
    }
}
