//! Mail in a database.

use super::{SqlConnection, SqlStorage, SqlTransaction, TransactionKind, values};
use crate::memory::EXPIRED_AT_ONCE;
use crate::{
    AppendOutcome, MailLimits, MailPage, MailUsage, NewPacket, PAGE_BYTES, PAGE_PACKETS, Storage,
    StorageFuture, StoredPacket, date_packet, latest_date,
};
use pentarchy_net::{MailCursor, TableId};

/// A row of `mailboxes`.
struct MailboxRow {
    number: u64,
    packets: u32,
    bytes: u64,
}

/// Reads the number of a table's mailbox, and how many packets and bytes are in it; `None` if the table has none.
///
/// # Errors
///
/// Fails if the database does.
async fn find_mailbox(
    connection: &mut SqlConnection,
    table: &TableId,
) -> Result<Option<MailboxRow>, sqlx::Error> {
    let find = "SELECT mailbox, packets, bytes FROM mailboxes WHERE table_id = $1";
    let Some(row) = connection.row(find, values![&table.bytes()[..]]).await? else { return Ok(None) };
    Ok(Some(MailboxRow {
        number: row.integer(0)? as u64,
        packets: row.unsigned(1)?,
        bytes: row.unsigned(2)?,
    }))
}

/// Stores a packet within a transaction that writes: in the mailbox of its table, which is created if there is none,
/// with the next number. Returns where it is; `Duplicate` if the table has stored it before and `Full` if it would
/// exceed a limit, both without a change. Also updates the totals. The packet is dated `now`, in seconds since 1970, or
/// like the newest packet of all tables if that is later. The caller must commit.
///
/// # Errors
///
/// Fails if the database does, or if the row of totals is missing; the caller must not commit then.
async fn append_one(
    write: &mut SqlConnection,
    packet: &NewPacket,
    limits: &MailLimits,
    now: u64,
) -> Result<AppendOutcome, sqlx::Error> {
    let (table, id) = (&packet.table.bytes()[..], packet.id());
    let len = packet.sealed.len() as u64;
    let found = find_mailbox(write, &packet.table).await?;
    let is_new = found.is_none();
    let old = found.unwrap_or(MailboxRow { number: packet.new_mailbox, packets: 0, bytes: 0 });
    let twin = "SELECT number FROM mail WHERE table_id = $1 AND packet_id = $2";
    if let Some(row) = write.row(twin, values![table, &id[..]]).await? {
        return Ok(AppendOutcome::Duplicate(MailCursor { mailbox: old.number, number: row.unsigned(0)? }));
    }
    let totals = "SELECT bytes, newest FROM mail_totals WHERE row_number = 1";
    let totals = write.row(totals, &[]).await?.ok_or(sqlx::Error::RowNotFound)?;
    let (total, newest) = (totals.unsigned::<u64>(0)?, totals.unsigned::<u64>(1)?);
    if old.packets >= limits.table_packets
        || old.bytes + len > limits.table_bytes
        || total + len > limits.total_bytes
    {
        return Ok(AppendOutcome::Full);
    }
    let (date, number) = (date_packet(now, newest), old.packets + 1);
    let insert = "INSERT INTO mail (table_id, number, packet_id, bytes, sealed) VALUES ($1, $2, $3, $4, $5)";
    write.execute(insert, values![table, number, &id[..], len, &packet.sealed[..]]).await?;
    let change = if is_new {
        "INSERT INTO mailboxes (table_id, mailbox, packets, bytes, last_stored) VALUES ($1, $2, $3, $4, $5)"
    } else {
        "UPDATE mailboxes SET mailbox = $2, packets = $3, bytes = $4, last_stored = $5 WHERE table_id = $1"
    };
    // The number of a mailbox has 64 bits; they are stored as a signed integer.
    write.execute(change, values![table, old.number as i64, number, old.bytes + len, date]).await?;
    let sums =
        "UPDATE mail_totals SET packets = packets + 1, bytes = bytes + $1, newest = $2 WHERE row_number = 1";
    write.execute(sums, values![len, date]).await?;
    Ok(AppendOutcome::Stored(MailCursor { mailbox: old.number, number }))
}

/// Reads a page of a mailbox: the packets after `after`, by ascending number. If `after` belongs to another mailbox
/// of the table, the page starts with the first packet. It has at most [`PAGE_PACKETS`] packets and ends with the one
/// that reaches [`PAGE_BYTES`]. Returns the default page if the table has no mailbox. The connection must be within a
/// transaction, so that the parts of the page are of one moment.
///
/// # Errors
///
/// Fails if the database does.
async fn read_page_in(
    connection: &mut SqlConnection,
    table: &TableId,
    after: MailCursor,
) -> Result<MailPage, sqlx::Error> {
    let Some(mailbox) = find_mailbox(connection, table).await? else { return Ok(MailPage::default()) };
    let from = if after.mailbox == mailbox.number { after.number } else { 0 };
    let sizes = "SELECT number, bytes FROM mail WHERE table_id = $1 AND number > $2 ORDER BY number LIMIT $3";
    let sizes = connection.rows(sizes, values![&table.bytes()[..], from, PAGE_PACKETS]).await?;
    // The page ends with the packet that fills it.
    let (mut bytes, mut to) = (0, from);
    for row in sizes {
        if bytes >= PAGE_BYTES {
            break;
        }
        to = row.unsigned(0)?;
        bytes += row.unsigned::<usize>(1)?;
    }
    let packets = "SELECT number, sealed FROM mail WHERE table_id = $1 AND number > $2 AND number <= $3 ORDER BY number";
    let rows = connection.rows(packets, values![&table.bytes()[..], from, to]).await?;
    let packet = |row: super::SqlRow| Ok(StoredPacket { number: row.unsigned(0)?, sealed: row.bytes(1)? });
    let packets = rows.into_iter().map(packet).collect::<Result<_, sqlx::Error>>()?;
    Ok(MailPage { mailbox: mailbox.number, packets, last: mailbox.packets })
}

impl SqlStorage {
    /// Stores packets in order in one transaction, dated `now` or like the newest packet if that is later.
    /// Returns, when everything is durable, one outcome per packet: where it is stored, where it was stored
    /// before, or that it would exceed a limit.
    ///
    /// # Errors
    ///
    /// Fails if the database does. Then nothing is stored, unless committing failed: then everything or
    /// nothing is.
    async fn append(
        &self,
        batch: &[NewPacket],
        limits: &MailLimits,
        now: u64,
    ) -> Result<Vec<AppendOutcome>, sqlx::Error> {
        let mut write = self.write().await?;
        let mut outcomes = Vec::with_capacity(batch.len());
        for packet in batch {
            outcomes.push(append_one(&mut write, packet, limits, now).await?);
        }
        write.commit().await?;
        Ok(outcomes)
    }

    /// Reads the packets after a cursor, at most [`PAGE_PACKETS`] and about [`PAGE_BYTES`], as they are at
    /// one moment. A cursor of another mailbox is the beginning. Returns the default page if the table has no
    /// mailbox.
    ///
    /// # Errors
    ///
    /// Fails if the database does.
    async fn read_page(&self, table: TableId, after: MailCursor) -> Result<MailPage, sqlx::Error> {
        // One snapshot: a packet that is stored meanwhile must not be in the page while `last` is older.
        let mut read = SqlTransaction::begin(self.read().await?, TransactionKind::Snapshot).await?;
        let page = read_page_in(&mut read, &table, after).await?;
        read.commit().await?;
        Ok(page)
    }

    /// Removes at most 100 mailboxes whose last packet was stored before `before`, the oldest first, in one
    /// transaction and returns their number. Mailboxes with a date after the latest possible one at `now` get
    /// that date first.
    ///
    /// # Errors
    ///
    /// Fails if the database does. Then nothing is removed, unless committing failed: then everything or
    /// nothing is.
    async fn expire(&self, before: u64, now: u64) -> Result<u64, sqlx::Error> {
        let mut write = self.write().await?;
        for bound in [
            "UPDATE mailboxes SET last_stored = $1 WHERE last_stored > $1",
            "UPDATE mail_totals SET newest = $1 WHERE newest > $1",
        ] {
            write.execute(bound, values![latest_date(now)]).await?;
        }
        let old = "SELECT table_id, packets, bytes FROM mailboxes WHERE last_stored < $1 ORDER BY last_stored LIMIT $2";
        let old = write.rows(old, values![before, EXPIRED_AT_ONCE as u64]).await?;
        for row in &old {
            let table = row.bytes(0)?;
            write.execute("DELETE FROM mail WHERE table_id = $1", values![&table[..]]).await?;
            write.execute("DELETE FROM mailboxes WHERE table_id = $1", values![&table[..]]).await?;
            let sums =
                "UPDATE mail_totals SET packets = packets - $1, bytes = bytes - $2 WHERE row_number = 1";
            write.execute(sums, values![row.integer(1)?, row.integer(2)?]).await?;
        }
        write.commit().await?;
        Ok(old.len() as u64)
    }

    /// Returns the number of tables with mail, and the sums of packets and bytes over all mailboxes.
    ///
    /// # Errors
    ///
    /// Fails if the database does, or if the row of totals is missing.
    async fn usage(&self) -> Result<MailUsage, sqlx::Error> {
        let sums =
            "SELECT packets, bytes, (SELECT COUNT(*) FROM mailboxes) FROM mail_totals WHERE row_number = 1";
        let row = self.read().await?.row(sums, &[]).await?.ok_or(sqlx::Error::RowNotFound)?;
        Ok(MailUsage { packets: row.unsigned(0)?, bytes: row.unsigned(1)?, tables: row.unsigned(2)? })
    }
}

impl Storage for SqlStorage {
    /// Stores the packets in order in one transaction, dated `now` or like the newest packet if that is
    /// later. Resolves when they are durable, to one outcome per packet: where it is stored, where it was
    /// stored before, or that it would exceed a limit.
    ///
    /// # Errors
    ///
    /// Fails if the database does. Nothing was stored, unless committing failed: then everything or nothing
    /// was.
    fn append_mail(
        &self,
        batch: Vec<NewPacket>,
        limits: MailLimits,
        now: u64,
    ) -> StorageFuture<'_, Vec<AppendOutcome>> {
        self.bounded(async move { self.append(&batch, &limits, now).await })
    }

    /// Resolves to the packets after a cursor, at most [`PAGE_PACKETS`] and about [`PAGE_BYTES`], as they are
    /// at one moment; a cursor of another mailbox is the beginning.
    ///
    /// # Errors
    ///
    /// Fails if the database does.
    fn read_mail(&self, table: TableId, after: MailCursor) -> StorageFuture<'_, MailPage> {
        self.bounded(self.read_page(table, after))
    }

    /// Removes at most 100 mailboxes whose last packet was stored before `before`, the oldest first, and
    /// resolves to their number. Mailboxes that are dated after [`latest_date`] of `now`
    /// get that date first.
    ///
    /// # Errors
    ///
    /// Fails if the database does. Nothing was removed, unless committing failed: then everything or nothing
    /// was.
    fn expire_mail(&self, before: u64, now: u64) -> StorageFuture<'_, u64> {
        self.bounded(self.expire(before, now))
    }

    /// Resolves to how much mail is stored, by the sums that the database keeps.
    ///
    /// # Errors
    ///
    /// Fails if the database does.
    fn mail_usage(&self) -> StorageFuture<'_, MailUsage> {
        self.bounded(self.usage())
    }

    /// Waits for operations under way and closes all connections. Never fails. Nothing else may be called
    /// then.
    fn close(&self) -> StorageFuture<'_, ()> {
        Box::pin(async move {
            self.close_pools().await;
            Ok(())
        })
    }
}
