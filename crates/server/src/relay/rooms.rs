//! Relay rooms without sockets and clocks: admission, delivery of frames and of new mail, and rate limits.
//!
//! The server drives them behind a lock ([`super::Hub`]), the system simulation in virtual time.

use super::queue::{self, Inbox, Outbox};
use crate::addresses::{Address, Addresses, Reservation, Resource};
use crate::limits::{Limits, TokenBucket};
use axum::body::Bytes;
use pentarchy_net::wire::{CloseReason, Destination, Member, RelayFrame};
use pentarchy_net::{MailCursor, RoomPass, TableId};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Returns whether a pass opens the room of a table; `false` without a pass.
pub(crate) fn can_enter(pass: Option<&RoomPass>, table: &TableId) -> bool {
    pass.is_some_and(|pass| pass.table() == *table)
}

/// All rooms of a relay. A room exists while it has members.
pub struct RelayRooms {
    limits: Arc<Limits>,
    addresses: Arc<Addresses>,
    rooms: HashMap<TableId, Room>,
    /// The number of the last member.
    last: u32,
}

struct Room {
    members: Vec<Occupant>,
    last_message: Instant,
    /// The number of packets that were announced to the room since it was opened.
    mail_count: u64,
    /// Counts against the address that opened the room.
    _reservation: Reservation,
}

/// A member as the room knows it.
struct Occupant {
    member: Member,
    address: Address,
    outbox: Outbox,
    /// Whether it has fetched all mail, so that it gets new mail at once.
    gets_mail: bool,
}

impl Room {
    /// Appends a frame to the queues of the members that `is_recipient` selects. Returns the number of queues that took
    /// it. A queue that overflows with it takes nothing more.
    fn deliver(&self, frame: &Bytes, is_recipient: impl Fn(Member) -> bool) -> u64 {
        let mut delivered = 0;
        for occupant in self.members.iter().filter(|occupant| is_recipient(occupant.member)) {
            delivered += u64::from(occupant.outbox.push(frame.clone()));
        }
        delivered
    }
}

/// The result of entering a room.
pub struct Entered {
    /// The number of the member.
    pub member: Member,
    /// Its queue, beginning with the welcome.
    pub inbox: Inbox,
    /// The number of members of the room, this one included.
    pub members: usize,
    /// Whether the room was opened by it.
    pub opened: bool,
}

impl RelayRooms {
    /// Creates a relay without rooms. It counts the rooms that each address has opened in a register of its
    /// own.
    pub fn new(limits: Arc<Limits>) -> Self {
        let addresses = Addresses::new(Arc::clone(&limits));
        Self::with_addresses(limits, addresses)
    }

    /// Creates a relay without rooms that counts rooms per address in the given register, which others may
    /// share.
    pub(crate) fn with_addresses(limits: Arc<Limits>, addresses: Arc<Addresses>) -> Self {
        Self { limits, addresses, rooms: HashMap::new(), last: 0 }
    }

    /// Enters the room of a table, which is opened if it does not exist, if the pass opens it. Notifies the other
    /// members. The caller must call [`RelayRooms::leave`] in the end. `now` is the time of the last message of a new
    /// room.
    ///
    /// # Errors
    ///
    /// Fails with `None` if the pass is missing or for another table. Fails with `TooMany`, `Full` or `Crowded` if the
    /// address has opened too many rooms, the room is full, or the address has too many members in it.
    pub fn enter_with(
        &mut self,
        table: TableId,
        pass: Option<&RoomPass>,
        address: IpAddr,
        now: Instant,
    ) -> Result<Entered, Option<CloseReason>> {
        if !can_enter(pass, &table) {
            return Err(None);
        }
        self.enter(table, address.into(), now).map_err(Some)
    }

    /// Enters a room, which is opened if it does not exist, and notifies the other members. The caller has checked the
    /// pass, and must call [`RelayRooms::leave`] in the end. `now` is the time of the last message of a new room.
    /// Numbers of members are unique in the relay until they wrap.
    ///
    /// # Errors
    ///
    /// Fails with `TooMany` if the address has opened too many rooms, `Full` if the room is full, and `Crowded` if the
    /// address has too many members in it.
    pub(crate) fn enter(
        &mut self,
        table: TableId,
        address: Address,
        now: Instant,
    ) -> Result<Entered, CloseReason> {
        let mut opened = false;
        let room = match self.rooms.entry(table) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let reservation =
                    self.addresses.reserve(address, Resource::Room).ok_or(CloseReason::TooMany)?;
                opened = true;
                entry.insert(Room {
                    members: Vec::new(),
                    last_message: now,
                    mail_count: 0,
                    _reservation: reservation,
                })
            }
        };
        if room.members.len() >= self.limits.members_per_room {
            return Err(CloseReason::Full);
        }
        let from_address = room.members.iter().filter(|occupant| occupant.address == address).count();
        if from_address >= self.limits.members_per_address {
            return Err(CloseReason::Crowded);
        }
        self.last = self.last.wrapping_add(1);
        let member = Member(self.last);
        let others = room.members.iter().map(|occupant| occupant.member).collect();
        room.deliver(&RelayFrame::Joined(member).to_bytes().into(), |_| true);
        let (outbox, inbox) = queue::new(self.limits.queue_messages, self.limits.queue_bytes);
        outbox.push(RelayFrame::Welcome { you: member, others }.to_bytes().into());
        room.members.push(Occupant { member, address, outbox, gets_mail: false });
        Ok(Entered { member, inbox, members: room.members.len(), opened })
    }

    /// Forwards a message of a member to all others or to one, and notes `now` as the time of the last message. Returns
    /// the number of members that it is queued for: 0 if the room or the recipient does not exist, or the queue of the
    /// recipient has overflowed. A member can send to itself. That `from` is in the room is not checked.
    pub fn send(
        &mut self,
        table: &TableId,
        from: Member,
        to: Destination,
        payload: &[u8],
        now: Instant,
    ) -> u64 {
        let Some(room) = self.rooms.get_mut(table) else { return 0 };
        room.last_message = now;
        let frame = RelayFrame::Message { from, payload }.to_bytes().into();
        room.deliver(&frame, |member| match to {
            Destination::Others => member != from,
            Destination::One(one) => member == one,
        })
    }

    /// Returns the limits of the relay.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the number of packets that were announced to a room since it was opened; 0 if it does not
    /// exist.
    pub(super) fn mail_count(&self, table: &TableId) -> u64 {
        self.rooms.get(table).map_or(0, |room| room.mail_count)
    }

    /// Lets a member that has read its mailbox to the end get new mail, if no packet was announced since
    /// [`RelayRooms::mail_count`] was `count`. Returns `false` if one was, or the member is not in the room:
    /// then it has to read on.
    pub(super) fn start_mail(&mut self, table: &TableId, member: Member, count: u64) -> bool {
        let is_current = self.mail_count(table) == count;
        self.set_gets_mail(table, member, is_current) && is_current
    }

    /// Makes a member that starts to read its mailbox get no new mail until [`RelayRooms::start_mail`].
    /// Does nothing if it is not in the room.
    pub(super) fn stop_mail(&mut self, table: &TableId, member: Member) {
        self.set_gets_mail(table, member, false);
    }

    /// Sets whether a member gets new mail as soon as it is stored. Returns whether the member is in the
    /// room; if not, nothing changes.
    fn set_gets_mail(&mut self, table: &TableId, member: Member, gets_mail: bool) -> bool {
        let room = self.rooms.get_mut(table);
        let occupant =
            room.and_then(|room| room.members.iter_mut().find(|occupant| occupant.member == member));
        occupant.map(|occupant| occupant.gets_mail = gets_mail).is_some()
    }

    /// Counts a new packet in a room, and queues it for all members that get new mail but `from`, who has sent it.
    /// Returns the number of queues that took it; 0 also if the room does not exist. A member whose queue overflows
    /// with it is not counted.
    pub(super) fn push_mail(&mut self, table: &TableId, from: Member, at: MailCursor, sealed: &[u8]) -> u64 {
        let Some(room) = self.rooms.get_mut(table) else { return 0 };
        room.mail_count += 1;
        let frame: Bytes = RelayFrame::Mail { at, sealed }.to_bytes().into();
        let readers = room.members.iter().filter(|occupant| occupant.gets_mail && occupant.member != from);
        readers.map(|occupant| u64::from(occupant.outbox.push(frame.clone()))).sum()
    }

    /// Appends a frame to the queue of one member. Does nothing if the member is not in the room. If the
    /// queue overflows, the member gets nothing more.
    pub(super) fn reply(&mut self, table: &TableId, member: Member, frame: &RelayFrame<'_>) {
        if let Some(room) = self.rooms.get(table) {
            room.deliver(&frame.to_bytes().into(), |other| other == member);
        }
    }

    /// Notes `now` as the time of the last message in a room, after which the timeout of a silent room
    /// counts. Does nothing if the room does not exist.
    pub(super) fn note_message(&mut self, table: &TableId, now: Instant) {
        if let Some(room) = self.rooms.get_mut(table) {
            room.last_message = now;
        }
    }

    /// Removes a member from a room and notifies the others. Returns whether the room is empty and so was closed;
    /// `false` also if the room does not exist. That the member is in the room is not checked: the others are notified
    /// anyway.
    pub fn leave(&mut self, table: &TableId, member: Member) -> bool {
        let Some(room) = self.rooms.get_mut(table) else { return false };
        room.members.retain(|occupant| occupant.member != member);
        room.deliver(&RelayFrame::Left(member).to_bytes().into(), |_| true);
        let closed = room.members.is_empty();
        if closed {
            self.rooms.remove(table);
        }
        closed
    }

    /// Closes a room: forgets it and its members, who get what is queued for them and are then disconnected
    /// by their sockets. Nobody is notified. Returns whether it existed.
    #[cfg(feature = "sqlite")]
    pub(crate) fn close(&mut self, table: &TableId) -> bool {
        self.rooms.remove(table).is_some()
    }

    /// Returns the number of members of a room; 0 if it does not exist.
    pub fn members(&self, table: &TableId) -> usize {
        self.rooms.get(table).map_or(0, |room| room.members.len())
    }

    /// Returns the time from the last message or packet for the mailbox in a room (or its opening) to
    /// `now`; zero if the room does not exist.
    pub(crate) fn silence(&self, table: &TableId, now: Instant) -> Duration {
        self.rooms.get(table).map_or(Duration::ZERO, |room| now.saturating_duration_since(room.last_message))
    }
}

/// The rate limits of one member.
pub struct Allowance {
    messages: TokenBucket,
    bytes: TokenBucket,
}

impl Allowance {
    /// Creates the full budgets of a new member at time `now`.
    pub fn new(limits: &Limits, now: Instant) -> Self {
        Self {
            messages: TokenBucket::full(limits.message_rate, now),
            bytes: TokenBucket::full(limits.byte_rate, now),
        }
    }

    /// Charges a message of `bytes` bytes that was delivered `copies` times, even if that exceeds the budgets. Returns
    /// the time until which nothing more may be read from the member; `None` if it may go on immediately. A message
    /// that was delivered to nobody costs nothing.
    pub fn charge(&mut self, copies: u64, bytes: u64, now: Instant) -> Option<Instant> {
        let wait =
            self.messages.charge(copies, now).max(self.bytes.charge(copies.saturating_mul(bytes), now));
        (!wait.is_zero()).then(|| now + wait)
    }
}
