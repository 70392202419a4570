//! The relay: rooms whose members exchange end-to-end encrypted messages.
//!
//! A room exists while it has members. After a restart of the server the members reconnect and find each other again.
//! Packets that members store for absent ones are in the mailbox of the table, which outlives the room.

mod mail;
#[cfg(feature = "sqlite")]
mod moves;
mod queue;
mod rooms;
mod socket;

use crate::addresses::{Address, Addresses};
use crate::limits::Limits;
use crate::metrics::Metrics;
use pentarchy_net::wire::{CloseReason, Destination, Member, RelayFrame};
use pentarchy_net::{MailError, TableId, packet_id};
use pentarchy_storage::Storage;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

pub(crate) use mail::MailService;
#[cfg(feature = "sqlite")]
pub(crate) use moves::RoomMoves;
pub use queue::Inbox;
pub(crate) use rooms::can_enter;
pub use rooms::{Allowance, Entered, RelayRooms};
pub(crate) use socket::{close, serve_member};

/// All rooms, shared by all connections.
pub(crate) struct Hub {
    limits: Arc<Limits>,
    metrics: Arc<Metrics>,
    addresses: Arc<Addresses>,
    rooms: Mutex<RelayRooms>,
    /// `None` if the mailbox is off.
    mail: Option<MailService>,
    /// `None` if the server has one process.
    #[cfg(feature = "sqlite")]
    moves: Option<RoomMoves>,
}

/// The membership in a room. The member leaves when it is dropped.
pub(crate) struct Membership {
    hub: Arc<Hub>,
    table: TableId,
    member: Member,
    address: Address,
    /// The frames for the member, beginning with the welcome.
    inbox: Inbox,
}

impl Hub {
    /// Creates a hub without rooms. Without `mail` the mailbox is off. Mail is stored only while [`Hub::store_mail`]
    /// runs. Other processes of the server take over rooms only with `moves`, and while [`Hub::follow_moves`] runs.
    pub(crate) fn new(
        limits: Arc<Limits>,
        metrics: Arc<Metrics>,
        addresses: Arc<Addresses>,
        mail: Option<Arc<dyn Storage>>,
        #[cfg(feature = "sqlite")] moves: Option<RoomMoves>,
    ) -> Arc<Self> {
        let rooms = Mutex::new(RelayRooms::with_addresses(Arc::clone(&limits), Arc::clone(&addresses)));
        let mail = mail.map(|storage| MailService::new(storage, &limits));
        Arc::new(Self {
            limits,
            metrics,
            addresses,
            rooms,
            mail,
            #[cfg(feature = "sqlite")]
            moves,
        })
    }

    /// Tells other processes which rooms are opened here, and closes the rooms that they have opened later, until the
    /// future is dropped. Returns at once if the server has one process.
    #[cfg(feature = "sqlite")]
    pub(crate) async fn follow_moves(&self) {
        if let Some(moves) = &self.moves {
            moves.run(self).await;
        }
    }

    /// Stores the mail of all members and announces it to the rooms until the future is dropped. Returns at once if the
    /// mailbox is off or it was called before.
    pub(crate) async fn store_mail(&self) {
        if let Some(mail) = &self.mail {
            mail.run(self).await;
        }
    }

    /// Closes the storage of mail, if there is one. Nothing can be stored afterwards. An error is only logged.
    pub(crate) async fn close_mail(&self) {
        if let Some(mail) = &self.mail {
            mail.close().await;
        }
    }

    /// Removes mail that is older than the limits allow and updates the metrics of the mailbox. Does nothing if the
    /// mailbox is off. If the storage fails, that is logged.
    pub(crate) async fn sweep_mail(&self) {
        if let Some(mail) = &self.mail {
            mail.sweep(&self.limits, &self.metrics).await;
        }
    }

    /// Enters a room, which is opened if it does not exist, notifies the other members and counts both in the metrics.
    /// The caller has checked the pass. The member leaves when the result is dropped. The member's queue begins with
    /// the welcome. Logs it.
    ///
    /// # Errors
    ///
    /// Fails with `TooMany` if the address has opened too many rooms, `Full` if the room is full, and `Crowded` if the
    /// address has too many members in it.
    pub(crate) fn enter(
        self: &Arc<Self>,
        table: TableId,
        address: Address,
    ) -> Result<Membership, CloseReason> {
        let Entered { member, inbox, members, opened } = self.lock().enter(table, address, Instant::now())?;
        if opened {
            self.metrics.rooms.inc();
            #[cfg(feature = "sqlite")]
            if let Some(moves) = &self.moves {
                moves.note_opened(table);
            }
        }
        self.metrics.members.inc();
        tracing::info!(?table, member = member.0, members, "member joined");
        Ok(Membership { hub: Arc::clone(self), table, member, address, inbox })
    }

    /// Closes a room that another process has opened: its members are disconnected, and find the other one
    /// when they connect again. Counts it in the metrics and logs it. Does nothing if the room does not
    /// exist here.
    #[cfg(feature = "sqlite")]
    fn close_moved(&self, table: &TableId) {
        if self.lock().close(table) {
            self.metrics.rooms.dec();
            tracing::info!(?table, "another process has the room");
        }
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
    /// is queued for; 0 if the recipient is not in the room or its queue has overflowed.
    fn send(&self, to: Destination, payload: &[u8]) -> u64 {
        let delivered = self.hub.lock().send(&self.table, self.member, to, payload, Instant::now());
        self.hub.metrics.messages.inc();
        self.hub.metrics.delivered.inc_by(delivered);
        self.hub.metrics.bytes.inc_by(payload.len() as u64);
        delivered
    }

    /// Queues a packet of this member to be stored in the mailbox of the table, and counts it as a message
    /// of the room. The member gets the result as a frame once it is stored. A refusal it gets at once:
    /// `Off` if the mailbox is off, `Full` if the rate of the address is used up, `TooLarge` for the
    /// packet, and `TryLater` if too much waits; the latter two do not count against the rate. Refusals are
    /// counted in the metrics. Returns the number of other members of the room, which may get the packet.
    fn store(&self, sealed: &[u8]) -> u64 {
        let hub = &self.hub;
        let submitted = match &hub.mail {
            None => Err(MailError::Off),
            Some(_) if !hub.addresses.admit_mail(self.address, sealed.len() as u64) => Err(MailError::Full),
            Some(mail) => mail
                .submit(self.table, self.member, self.address, sealed)
                .inspect_err(|_| hub.addresses.give_back_mail(self.address, sealed.len() as u64)),
        };
        let mut rooms = hub.lock();
        rooms.note_message(&self.table, Instant::now());
        if let Err(why) = submitted {
            hub.metrics.mail_refused.inc();
            let refused = RelayFrame::MailRefused { id: packet_id(sealed), why };
            rooms.reply(&self.table, self.member, &refused);
        }
        rooms.members(&self.table).saturating_sub(1) as u64
    }

    /// Returns the time since the last message or packet for the mailbox of any member of the room, or
    /// since the room was opened; zero if the room was closed.
    fn room_silence(&self) -> Duration {
        self.hub.lock().silence(&self.table, Instant::now())
    }
}

impl Drop for Membership {
    /// Leaves the room, which notifies the other members and closes the room if it is empty, and updates the
    /// metrics.
    fn drop(&mut self) {
        if self.hub.lock().leave(&self.table, self.member) {
            self.hub.metrics.rooms.dec();
        }
        self.hub.metrics.members.dec();
        tracing::info!(table = ?self.table, member = self.member.0, "member left");
    }
}
