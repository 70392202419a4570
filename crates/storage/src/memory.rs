//! Storage in memory.

use crate::{
    AppendOutcome, MailLimits, MailPage, MailUsage, NewPacket, PAGE_BYTES, PAGE_PACKETS, Storage,
    StorageError, StorageFuture, StoredPacket, date_packet, latest_date,
};
use pentarchy_net::{MailCursor, PacketId, TableId};
use std::collections::{BTreeMap, HashMap};
use std::future::ready;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Mailboxes removed by one call of [`Storage::expire_mail`].
pub(crate) const EXPIRED_AT_ONCE: usize = 100;

struct Mailbox {
    number: u64,
    /// The packets in order: the first one has number 1.
    packets: Vec<Vec<u8>>,
    numbers: HashMap<PacketId, u32>,
    bytes: u64,
    last_stored: u64,
}

/// The mail of all tables, in memory.
#[derive(Default)]
pub struct MemoryMail {
    mailboxes: BTreeMap<TableId, Mailbox>,
    bytes: u64,
    /// The date of the newest packet.
    newest: u64,
}

impl MemoryMail {
    /// Stores a packet in the mailbox of its table, which is created if there is none. Returns where it is
    /// stored, where it was stored before, or that it would exceed a limit; in the last two cases nothing has
    /// changed. It is dated `now`, in seconds since 1970, or like the newest packet if that is later.
    pub fn append(&mut self, packet: NewPacket, limits: &MailLimits, now: u64) -> AppendOutcome {
        let (id, len) = (packet.id(), packet.sealed.len() as u64);
        let old = self.mailboxes.get(&packet.table);
        if let Some((mailbox, number)) = old.and_then(|old| Some((old.number, *old.numbers.get(&id)?))) {
            return AppendOutcome::Duplicate(MailCursor { mailbox, number });
        }
        let (packets, bytes) = old.map_or((0, 0), |old| (old.packets.len(), old.bytes));
        if packets >= limits.table_packets as usize
            || bytes + len > limits.table_bytes
            || self.bytes + len > limits.total_bytes
        {
            return AppendOutcome::Full;
        }
        self.newest = date_packet(now, self.newest);
        self.bytes += len;
        let mailbox = self.mailboxes.entry(packet.table).or_insert_with(|| Mailbox {
            number: packet.new_mailbox,
            packets: Vec::new(),
            numbers: HashMap::new(),
            bytes: 0,
            last_stored: 0,
        });
        mailbox.packets.push(packet.sealed);
        let number = mailbox.packets.len() as u32;
        mailbox.numbers.insert(id, number);
        mailbox.bytes += len;
        mailbox.last_stored = self.newest;
        AppendOutcome::Stored(MailCursor { mailbox: mailbox.number, number })
    }

    /// Returns the packets after a cursor, at most [`PAGE_PACKETS`] and until [`PAGE_BYTES`] are reached. A
    /// cursor of another mailbox is the beginning. Returns the default page if the table has no mailbox.
    pub fn read(&self, table: &TableId, after: MailCursor) -> MailPage {
        let Some(mailbox) = self.mailboxes.get(table) else { return MailPage::default() };
        let skipped = if after.mailbox == mailbox.number { after.number } else { 0 };
        let mut bytes = 0;
        let rest = mailbox.packets.iter().enumerate().skip(skipped as usize);
        let fits = |(_, sealed): &(usize, &Vec<u8>)| {
            let fits = bytes < PAGE_BYTES;
            bytes += sealed.len();
            fits
        };
        let packets = rest
            .take(PAGE_PACKETS as usize)
            .take_while(fits)
            .map(|(i, sealed)| StoredPacket { number: i as u32 + 1, sealed: sealed.clone() })
            .collect();
        MailPage { mailbox: mailbox.number, packets, last: mailbox.packets.len() as u32 }
    }

    /// Removes at most 100 mailboxes whose last packet was stored before `before`, in the order of their
    /// tables. Returns the number of removed mailboxes. Mailboxes with a date after the latest possible one
    /// at `now` get that date first.
    pub fn expire(&mut self, before: u64, now: u64) -> u64 {
        let latest = latest_date(now);
        self.newest = self.newest.min(latest);
        self.mailboxes.values_mut().for_each(|mailbox| mailbox.last_stored = mailbox.last_stored.min(latest));
        let is_old = |(_, mailbox): &(&TableId, &Mailbox)| mailbox.last_stored < before;
        let old: Vec<TableId> =
            self.mailboxes.iter().filter(is_old).map(|(table, _)| *table).take(EXPIRED_AT_ONCE).collect();
        for table in &old {
            self.bytes -= self.mailboxes.remove(table).map_or(0, |mailbox| mailbox.bytes);
        }
        old.len() as u64
    }

    /// Returns the numbers of tables with a mailbox and of packets, and the bytes of the packets.
    pub fn usage(&self) -> MailUsage {
        MailUsage {
            tables: self.mailboxes.len() as u64,
            packets: self.mailboxes.values().map(|mailbox| mailbox.packets.len() as u64).sum(),
            bytes: self.bytes,
        }
    }
}

/// Storage that is lost when the process ends.
#[derive(Default)]
pub struct MemoryStorage(Mutex<MemoryMail>);

impl MemoryStorage {
    /// Locks the mail until the guard is dropped. A panic while it was locked leaves it as between two
    /// packets, so poisoning is ignored.
    fn lock(&self) -> MutexGuard<'_, MemoryMail> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns a future that is ready with the result and never fails.
fn ready_future<T: Send + 'static>(result: T) -> StorageFuture<'static, T> {
    Box::pin(ready(Ok::<T, StorageError>(result)))
}

impl Storage for MemoryStorage {
    /// Stores the packets in order, at once and until this object is dropped; they are dated `now`, or like
    /// the newest packet if that is later. Resolves to one outcome per packet: where it is stored, where it
    /// was stored before, or that it would exceed a limit. Never fails.
    fn append_mail(
        &self,
        batch: Vec<NewPacket>,
        limits: MailLimits,
        now: u64,
    ) -> StorageFuture<'_, Vec<AppendOutcome>> {
        let mut mail = self.lock();
        ready_future(batch.into_iter().map(|packet| mail.append(packet, &limits, now)).collect())
    }

    /// Resolves to the packets after a cursor, at most [`PAGE_PACKETS`] and about [`PAGE_BYTES`]; a cursor of
    /// another mailbox is the beginning. Never fails.
    fn read_mail(&self, table: TableId, after: MailCursor) -> StorageFuture<'_, MailPage> {
        ready_future(self.lock().read(&table, after))
    }

    /// Removes at most 100 mailboxes whose last packet was stored before `before` and resolves to their
    /// number. Mailboxes that are dated after [`latest_date`] of `now` get that date
    /// first. Never fails.
    fn expire_mail(&self, before: u64, now: u64) -> StorageFuture<'_, u64> {
        ready_future(self.lock().expire(before, now))
    }

    /// Resolves to how much mail is stored. Never fails.
    fn mail_usage(&self) -> StorageFuture<'_, MailUsage> {
        ready_future(self.lock().usage())
    }

    /// Does nothing. Never fails.
    fn close(&self) -> StorageFuture<'_, ()> {
        ready_future(())
    }
}
