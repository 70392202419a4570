//! The mailboxes of tables: sealed packets that the relay stores for absent members.
//!
//! One task stores the packets of all members, in the order in which they arrive and many at once, because each durable
//! write costs a wait for the disk. It then announces them to the rooms. So the members of a room see the numbers of its
//! mailbox in order.

use super::{Hub, RelayRooms};
use crate::addresses::Address;
use crate::limits::Limits;
use crate::metrics::Metrics;
use pentarchy_net::wire::{Member, PeerFrame, RelayFrame};
use pentarchy_net::{MAX_PACKET, MailCursor, MailError, TableId, packet_id};
use pentarchy_storage::{AppendOutcome, MailPage, MemoryMail, NewPacket, Storage, StorageError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// Maximum packets that are stored with one write.
const BATCH: usize = 256;
/// A clock that differs from its expected time by more than this was set.
const CLOCK_JUMP: Duration = Duration::from_secs(3600);
/// For this long after the start, or after the clock was set, no mail expires: the clock may be wrong.
const CLOCK_TRUST: Duration = Duration::from_secs(3600);

/// A packet on its way to the storage.
struct StoreRequest {
    member: Member,
    address: Address,
    packet: NewPacket,
    /// Its share of the memory for waiting packets.
    _permit: OwnedSemaphorePermit,
}

/// The mail service of a relay.
pub(crate) struct MailService {
    storage: Arc<dyn Storage>,
    requests: UnboundedSender<StoreRequest>,
    /// Taken by the task that stores.
    receiver: Mutex<Option<UnboundedReceiver<StoreRequest>>>,
    /// The free bytes for waiting packets.
    waiting: Arc<Semaphore>,
    clock: Mutex<TrustedClock>,
}

impl MailService {
    /// Creates the service with an empty queue. It stores nothing before [`MailService::run`]. No mail expires within
    /// an hour from now.
    pub(crate) fn new(storage: Arc<dyn Storage>, limits: &Limits) -> Self {
        let (requests, receiver) = unbounded_channel();
        Self {
            storage,
            requests,
            receiver: Mutex::new(Some(receiver)),
            waiting: Arc::new(Semaphore::new(limits.mail_waiting_bytes.min(Semaphore::MAX_PERMITS))),
            clock: Mutex::new(TrustedClock::new(wall_clock(), Instant::now())),
        }
    }

    /// Queues a packet of a member at this address to be stored in the mailbox of the table. The member
    /// gets the result as a frame once [`MailService::run`] has stored it. The capacity of the mailbox is
    /// checked only then; the rate of the address is not checked here.
    ///
    /// # Errors
    ///
    /// Fails with `TooLarge` if the packet is longer than [`MAX_PACKET`], and with `TryLater` if too many
    /// bytes wait or there is no random number for a new mailbox. Nothing was queued, and the member gets
    /// no frame.
    pub(crate) fn submit(
        &self,
        table: TableId,
        member: Member,
        address: Address,
        sealed: &[u8],
    ) -> Result<(), MailError> {
        if sealed.len() > MAX_PACKET {
            return Err(MailError::TooLarge);
        }
        let permits = sealed.len().max(1) as u32;
        let permit = Arc::clone(&self.waiting).try_acquire_many_owned(permits);
        let new_mailbox = getrandom::u64().map_err(|_| MailError::TryLater)?.max(1);
        let packet = NewPacket { table, sealed: sealed.to_vec(), new_mailbox };
        let permit = permit.map_err(|_| MailError::TryLater)?;
        let request = StoreRequest { member, address, packet, _permit: permit };
        self.requests.send(request).map_err(|_| MailError::TryLater)
    }

    /// Reads the part of a table's mailbox after a cursor ([`Storage::read_mail`]). It is one page; the caller reads on
    /// after its last packet.
    ///
    /// # Errors
    ///
    /// Fails if the storage does.
    pub(crate) async fn read(&self, table: TableId, after: MailCursor) -> Result<MailPage, StorageError> {
        self.storage.read_mail(table, after).await
    }

    /// Stores queued packets, up to 256 with one write, and announces them to the rooms of `hub`, until the future is
    /// dropped. Locks the rooms while it announces, not while it stores. If the storage fails, logs it, and the senders
    /// get the refusal `TryLater`, which does not count against the rate of their addresses. Packets that are queued or
    /// being stored when it is dropped are not announced. Returns at once if it was called before.
    pub(crate) async fn run(&self, hub: &Hub) {
        let receiver = self.receiver.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut receiver) = receiver else { return };
        let mut batch = Vec::new();
        while receiver.recv_many(&mut batch, BATCH).await > 0 {
            let packets = batch.iter().map(|request| request.packet.clone()).collect();
            let outcomes = self.storage.append_mail(packets, hub.limits.mail(), wall_clock()).await;
            let mut rooms = hub.lock();
            match outcomes {
                Ok(outcomes) => {
                    for (request, outcome) in batch.drain(..).zip(outcomes) {
                        count_outcome(&hub.metrics, &request.packet, outcome);
                        let delivered = rooms.announce(request.member, &request.packet, outcome);
                        hub.metrics.mail_delivered.inc_by(delivered);
                    }
                }
                Err(error) => {
                    tracing::error!(%error, packets = batch.len(), "cannot store mail");
                    hub.metrics.mail_failed.inc();
                    for request in batch.drain(..) {
                        hub.metrics.mail_refused.inc();
                        hub.addresses.give_back_mail(request.address, request.packet.sealed.len() as u64);
                        let frame =
                            RelayFrame::MailRefused { id: request.packet.id(), why: MailError::TryLater };
                        rooms.reply(&request.packet.table, request.member, &frame);
                    }
                }
            }
        }
    }

    /// Closes the storage, after which nothing can be stored or read. An error is only logged.
    pub(crate) async fn close(&self) {
        if let Err(error) = self.storage.close().await {
            tracing::warn!(%error, "cannot close the storage");
        }
    }

    /// Removes mailboxes whose last packet is older than [`Limits::mail_lifetime`], at most 100, and updates the
    /// metrics. Removes none within an hour after the start or after the clock was set. If removing fails, logs and
    /// counts it and still updates the gauges; if they cannot be read, they keep their values.
    pub(crate) async fn sweep(&self, limits: &Limits, metrics: &Metrics) {
        let now = wall_clock();
        let trusted =
            self.clock.lock().unwrap_or_else(PoisonError::into_inner).is_trusted(now, Instant::now());
        if trusted {
            let before = now.saturating_sub(limits.mail_lifetime.as_secs());
            match self.storage.expire_mail(before, now).await {
                Ok(0) => {}
                Ok(expired) => {
                    metrics.mail_expired.inc_by(expired);
                    tracing::info!(expired, "mailboxes expired");
                }
                Err(error) => {
                    metrics.mail_failed.inc();
                    tracing::warn!(%error, "cannot remove old mail");
                }
            }
        }
        if let Ok(usage) = self.storage.mail_usage().await {
            metrics.mail_tables.set(usage.tables as i64);
            metrics.mail_held_bytes.set(usage.bytes as i64);
        }
    }
}

/// Counts the result of a packet in the metrics: stored packets with their bytes, and refusals; duplicates are not
/// counted.
fn count_outcome(metrics: &Metrics, packet: &NewPacket, outcome: AppendOutcome) {
    match outcome {
        AppendOutcome::Stored(_) => {
            metrics.mail_stored.inc();
            metrics.mail_bytes.inc_by(packet.sealed.len() as u64);
        }
        AppendOutcome::Duplicate(_) => {}
        AppendOutcome::Full => {
            metrics.mail_refused.inc();
        }
    }
}

/// Returns the seconds since 1970; 0 if the clock is before that.
fn wall_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Watches the wall clock with the monotonic one. Mail must not expire because somebody has set the clock.
struct TrustedClock {
    /// Since when the two clocks agree.
    since: (u64, Instant),
}

impl TrustedClock {
    /// Starts to watch the clocks. `wall` is the wall clock in seconds, `monotonic` the monotonic clock at
    /// the same moment.
    fn new(wall: u64, monotonic: Instant) -> Self {
        Self { since: (wall, monotonic) }
    }

    /// Returns whether the wall clock has agreed with the monotonic one for [`CLOCK_TRUST`]. If they differ
    /// by more than [`CLOCK_JUMP`], logs a warning, starts to watch them again from now, and returns
    /// `false`. The parameters are the two clocks at the same moment; `wall` is in seconds.
    fn is_trusted(&mut self, wall: u64, monotonic: Instant) -> bool {
        let passed = monotonic.saturating_duration_since(self.since.1);
        let expected = self.since.0.saturating_add(passed.as_secs());
        if wall.abs_diff(expected) > CLOCK_JUMP.as_secs() {
            tracing::warn!(
                seconds = wall.abs_diff(expected),
                "the clock was set: no mail expires for a while"
            );
            *self = Self::new(wall, monotonic);
            return false;
        }
        passed >= CLOCK_TRUST
    }
}

impl RelayRooms {
    /// Tells the members of a room the result of storing a packet: its sender gets an acknowledgement (also for a
    /// duplicate) or a refusal, and members that have fetched all mail get a packet that is new. Returns the number of
    /// queues that took the packet. Members that are gone, and a room that no longer exists, are skipped.
    fn announce(&mut self, from: Member, packet: &NewPacket, outcome: AppendOutcome) -> u64 {
        let (table, id) = (&packet.table, packet.id());
        let delivered = match outcome {
            AppendOutcome::Stored(at) => self.push_mail(table, from, at, &packet.sealed),
            AppendOutcome::Duplicate(_) | AppendOutcome::Full => 0,
        };
        let frame = match outcome {
            AppendOutcome::Stored(at) | AppendOutcome::Duplicate(at) => RelayFrame::Stored { at, id },
            AppendOutcome::Full => RelayFrame::MailRefused { id, why: MailError::Full },
        };
        self.reply(table, from, &frame);
        delivered
    }

    /// Handles a frame of a member for the mailbox with mail in memory, as the server does with its storage:
    /// stores a packet and announces it, or queues the mail after a cursor. `new_mailbox` must be a fresh
    /// random number other than 0: that of the mailbox, if the packet creates it. `now` is in seconds.
    /// Messages are ignored. For simulations: it checks the capacity of the limits, but no rate, and queues a
    /// whole mailbox at once.
    pub fn handle_mail(
        &mut self,
        mail: &mut MemoryMail,
        table: &TableId,
        member: Member,
        frame: &PeerFrame<'_>,
        new_mailbox: u64,
        now: u64,
    ) {
        match *frame {
            PeerFrame::Message { .. } => {}
            PeerFrame::Store(sealed) if sealed.len() > MAX_PACKET => {
                let why = MailError::TooLarge;
                self.reply(table, member, &RelayFrame::MailRefused { id: packet_id(sealed), why });
            }
            PeerFrame::Store(sealed) => {
                let packet = NewPacket { table: *table, sealed: sealed.to_vec(), new_mailbox };
                let outcome = mail.append(packet.clone(), &self.limits().mail(), now);
                self.announce(member, &packet, outcome);
            }
            PeerFrame::Fetch(after) => {
                let mut after = after;
                loop {
                    let page = mail.read(table, after);
                    let (frames, next) = page_frames(&page, after);
                    frames.iter().for_each(|frame| self.reply(table, member, frame));
                    after = next;
                    if is_last_page(&page, after) {
                        break;
                    }
                }
                let count = self.mail_count(table);
                self.start_mail(table, member, count);
                self.reply(table, member, &RelayFrame::MailEnd(end_of(&mail.read(table, after))));
            }
        }
    }
}

/// Returns the frames for the packets of a page, in the order of their numbers, and the cursor after them. `after` is
/// the cursor with which the page was read; it is returned for a page without packets.
pub(super) fn page_frames(page: &MailPage, after: MailCursor) -> (Vec<RelayFrame<'_>>, MailCursor) {
    let at = |number| MailCursor { mailbox: page.mailbox, number };
    let frames: Vec<RelayFrame<'_>> = page
        .packets
        .iter()
        .map(|packet| RelayFrame::Mail { at: at(packet.number), sealed: &packet.sealed })
        .collect();
    let next = page.packets.last().map_or(after, |packet| at(packet.number));
    (frames, next)
}

/// Returns whether nothing follows in the mailbox of a page: it has no packets, or its last packet is the last of the
/// mailbox. `next` is the cursor after the page.
pub(super) fn is_last_page(page: &MailPage, next: MailCursor) -> bool {
    page.packets.is_empty() || next.number >= page.last
}

/// Returns the cursor of the last packet of the mailbox to which a page belongs, which need not be in the page;
/// mailbox 0 if the table has none.
pub(super) fn end_of(page: &MailPage) -> MailCursor {
    MailCursor { mailbox: page.mailbox, number: page.last }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_was_set_is_not_trusted_for_a_while() {
        let (start, day) = (Instant::now(), 24 * 3600);
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut clock = TrustedClock::new(1_000_000, start);
        assert!(!clock.is_trusted(1_000_000 + 60, at(60)), "not right after the start");
        assert!(clock.is_trusted(1_000_000 + 3_600, at(3_600)));
        assert!(clock.is_trusted(1_000_000 + 3_700, at(3_600)), "small corrections do not matter");
        assert!(!clock.is_trusted(1_000_000 + 365 * day, at(3_630)), "a year ahead");
        assert!(!clock.is_trusted(1_000_000 + 365 * day + 60, at(3_690)));
        assert!(!clock.is_trusted(1_000_000 + 3_750, at(3_750)), "and back");
        assert!(clock.is_trusted(1_000_000 + 2 * 3_750, at(2 * 3_750)));
    }
}
