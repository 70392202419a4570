//! What a server stores: mail, sealed packets that wait for absent members of a table, what the club archives, its
//! tournaments, and whose turn it is, with the notifications about it.
//!
//! * [`Storage`]: the interface that the relay uses. `ClubStorage`: that of the club, in databases only.
//! * [`MemoryStorage`]: loses everything when the process ends; [`MemoryMail`] is the same without futures, for simulations.
//! * `SqlStorage` (feature `sqlite`): a file of SQLite, or with the feature `postgres` a PostgreSQL server. What it has
//!   acknowledged survives a crash. `DatabaseLocation` says which.

#[cfg(feature = "sqlite")]
mod backup;
#[cfg(feature = "sqlite")]
pub mod club;
#[cfg(feature = "sqlite")]
mod location;
mod memory;
#[cfg(feature = "sqlite")]
pub mod notify;
#[cfg(feature = "sqlite")]
mod sql;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "sqlite")]
pub mod tournament;

#[cfg(feature = "sqlite")]
pub use backup::BackupError;
#[cfg(feature = "sqlite")]
pub use location::DatabaseLocation;
pub use memory::{MemoryMail, MemoryStorage};
#[cfg(feature = "sqlite")]
pub use sql::{DATABASE_FILE, OpenTableRow, PutOutcome, RoomOpening, SqlStorage};

use pentarchy_net::{MailCursor, PacketId, TableId, packet_id};
use std::future::Future;
use std::pin::Pin;

/// A packet to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPacket {
    /// The table in whose mailbox it is stored.
    pub table: TableId,
    /// The packet as its sender has sealed it.
    pub sealed: Vec<u8>,
    /// A fresh random number other than 0: the number of the mailbox, if this packet creates it.
    pub new_mailbox: u64,
}

impl NewPacket {
    /// Returns the number by which the packet is recognized if it is stored again: a hash of the sealed
    /// bytes alone.
    pub fn id(&self) -> PacketId {
        packet_id(&self.sealed)
    }
}

/// The result of storing one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppendOutcome {
    /// It is stored at this place.
    Stored(MailCursor),
    /// The table had stored it before, at this place.
    Duplicate(MailCursor),
    /// It is not stored: a limit is reached.
    Full,
}

/// The capacity of the mail storage. Reaching a limit never removes a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailLimits {
    /// Maximum bytes of packets per table.
    pub table_bytes: u64,
    /// Maximum number of packets per table.
    pub table_packets: u32,
    /// Maximum bytes of packets of all tables.
    pub total_bytes: u64,
}

/// A packet in a mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPacket {
    /// Its number.
    pub number: u32,
    /// The packet as its sender has sealed it.
    pub sealed: Vec<u8>,
}

/// A part of a mailbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MailPage {
    /// The mailbox; 0 if the table has none.
    pub mailbox: u64,
    /// Packets in the order of their numbers.
    pub packets: Vec<StoredPacket>,
    /// The number of the last packet of the mailbox, which this page need not contain; 0 if there is none.
    pub last: u32,
}

/// Maximum packets of a [`MailPage`].
pub const PAGE_PACKETS: u32 = 64;
/// Bytes of packets after which a [`MailPage`] ends. It has at least one packet if there is any.
pub const PAGE_BYTES: usize = 256 * 1024;

/// How far ahead of the clock mail can be dated, in seconds: 30 days. Mail that was stored while the clock was
/// further ahead than that expires this much later than other mail.
pub const MAX_AHEAD: u64 = 30 * 24 * 3600;

/// A clock that shows an earlier time (2026-01-01, in seconds since 1970) is not set.
const FIRST_TIME: u64 = 1_767_225_600;

/// Returns the latest date that mail can have at `now`, in seconds since 1970: [`MAX_AHEAD`] after it. A later
/// date comes from a clock that was ahead. If `now` is before 2026, the clock is not set and every date is
/// possible.
pub fn latest_date(now: u64) -> u64 {
    if now < FIRST_TIME { i64::MAX as u64 } else { now.saturating_add(MAX_AHEAD) }
}

/// Returns the date of a packet that is stored at `now`, if the newest packet so far has the date `newest`: the later
/// one of the two, so that mail does not expire early because the clock was set back. A `newest` after [`latest_date`]
/// counts as that. Times are seconds since 1970.
pub(crate) fn date_packet(now: u64, newest: u64) -> u64 {
    now.max(newest.min(latest_date(now)))
}

/// How much mail is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MailUsage {
    /// Tables with a mailbox.
    pub tables: u64,
    /// Packets of all tables.
    pub packets: u64,
    /// Bytes of these packets.
    pub bytes: u64,
}

/// Why storage has failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StorageError {
    /// There is no space on the disk.
    #[error("the disk is full: {0}")]
    DiskFull(String),
    /// The file or its folder cannot be opened or written.
    #[error("cannot write {0}")]
    NotWritable(String),
    /// The file is not a database, or parts of it are damaged.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    /// A newer version of the program has written the database.
    #[error("a newer version of Pentarchy has written {0}")]
    NewerSchema(String),
    /// The server of the database rejects the connection, or its address is malformed.
    #[error("the database cannot be used: {0}")]
    Rejected(String),
    /// Another failure, which may pass.
    #[error("the database does not answer: {0}")]
    Unavailable(String),
}

/// The future result of a method of [`Storage`].
pub type StorageFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StorageError>> + Send + 'a>>;

/// The storage of a server. Times are seconds since 1970.
pub trait Storage: Send + Sync + 'static {
    /// Stores packets in order, each in the mailbox of its table, which is created if there is none.
    /// Resolves to one outcome per packet, in the order of the batch, when everything is durable. A packet
    /// that the table has stored before is not stored again. A packet that would exceed a limit is left
    /// out; later ones may still fit. The packets of a mailbox get the numbers 1, 2, 3, … without gaps.
    /// They are dated `now`, or like the newest packet of any table if that is later, but not after
    /// [`latest_date`].
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written. Nothing was stored, unless a database failed
    /// or timed out while it committed: then everything or nothing was.
    fn append_mail(
        &self,
        batch: Vec<NewPacket>,
        limits: MailLimits,
        now: u64,
    ) -> StorageFuture<'_, Vec<AppendOutcome>>;

    /// Resolves to the packets after a cursor, at most [`PAGE_PACKETS`] and about [`PAGE_BYTES`]. A cursor of
    /// another mailbox is the beginning. The page is the default one if the table has no mailbox, and has no
    /// packets if none follows the cursor.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be read.
    fn read_mail(&self, table: TableId, after: MailCursor) -> StorageFuture<'_, MailPage>;

    /// Removes the mailboxes whose last packet was stored before `before`, at most 100 at once. Resolves to the number
    /// of removed mailboxes. `now` is the time of a clock that the caller trusts: mailboxes that are dated after
    /// [`latest_date`] of it were stored while the clock was ahead, and get that date first.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written. Nothing was removed, unless a database failed or timed
    /// out while it committed: then everything or nothing was.
    fn expire_mail(&self, before: u64, now: u64) -> StorageFuture<'_, u64>;

    /// Resolves to the numbers of tables with a mailbox and of packets, and the bytes of the packets.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be read.
    fn mail_usage(&self) -> StorageFuture<'_, MailUsage>;

    /// Closes the storage, when operations under way have ended. Everything acknowledged is stored also without it;
    /// afterwards an SQLite database is in one file. Nothing else may be called then.
    ///
    /// # Errors
    ///
    /// Fails with the reason if the storage cannot be written.
    fn close(&self) -> StorageFuture<'_, ()>;
}
