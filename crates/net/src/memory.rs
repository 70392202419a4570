//! A relay without a server: a room in memory, for tests and simulations.

use crate::mail::{MailCursor, PacketId, packet_id};
use crate::wire::{Destination, Member, PeerFrame, RelayFrame};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A relay room in memory, with a mailbox without limits. It sends the same frames as the relay of a server.
#[derive(Default)]
pub struct MemoryRoom {
    queues: BTreeMap<Member, VecDeque<Vec<u8>>>,
    last_number: u32,
    /// The stored packets in order: the first one has number 1.
    mail: Vec<(PacketId, Vec<u8>)>,
    /// How many mailboxes were lost.
    lost_mailboxes: u64,
    /// Members that have fetched: they get new mail.
    mail_readers: BTreeSet<Member>,
}

impl MemoryRoom {
    /// Adds a member with a new number, queues its welcome and a `Joined` frame for the others. Returns the
    /// member; its frames are fetched with [`MemoryRoom::next_frame`].
    pub fn enter(&mut self) -> Member {
        self.last_number += 1;
        let member = Member(self.last_number);
        let others = self.queues.keys().copied().collect();
        self.deliver(|_| true, &RelayFrame::Joined(member));
        let welcome = RelayFrame::Welcome { you: member, others }.to_bytes();
        self.queues.insert(member, VecDeque::from([welcome]));
        member
    }

    /// Removes a member with its queue and queues a `Left` frame for the others. Does nothing if it is not in
    /// the room.
    pub fn leave(&mut self, member: Member) {
        self.mail_readers.remove(&member);
        if self.queues.remove(&member).is_some() {
            self.deliver(|_| true, &RelayFrame::Left(member));
        }
    }

    /// Handles a frame of the peer `from` ([`PeerFrame`]): queues a message for its destination, stores a
    /// packet, or queues the mail that was asked for. Malformed frames and messages to members that are not
    /// in the room are dropped; that `from` is in the room is not checked.
    pub fn send(&mut self, from: Member, frame: &[u8]) {
        match PeerFrame::parse(frame) {
            Some(PeerFrame::Message { to, payload }) => {
                let is_recipient = |member| match to {
                    Destination::Others => member != from,
                    Destination::One(one) => member == one,
                };
                self.deliver(is_recipient, &RelayFrame::Message { from, payload });
            }
            Some(PeerFrame::Store(sealed)) => self.store(from, sealed),
            Some(PeerFrame::Fetch(after)) => self.fetch(from, after),
            None => {}
        }
    }

    /// Loses all stored mail. The next packet starts another mailbox, with number 1. Members get no frame
    /// about it.
    pub fn lose_mail(&mut self) {
        self.mail.clear();
        self.lost_mailboxes += 1;
    }

    /// Loses the newest packets and keeps the first `kept`, in the same mailbox: the state after a restore
    /// from a backup. Members get no frame about it.
    pub fn restore_mail(&mut self, kept: usize) {
        self.mail.truncate(kept);
    }

    /// Stores a packet, unless it is stored already, and passes a new one on to the other members that have
    /// fetched. Acknowledges it to `from` in either case.
    fn store(&mut self, from: Member, sealed: &[u8]) {
        let id = packet_id(sealed);
        let place = self.mail.iter().position(|(other, _)| *other == id);
        let at = self.cursor(place.unwrap_or(self.mail.len()) + 1);
        if place.is_none() {
            self.mail.push((id, sealed.to_vec()));
            let readers = self.mail_readers.clone();
            let is_recipient = |member| member != from && readers.contains(&member);
            self.deliver(is_recipient, &RelayFrame::Mail { at, sealed });
        }
        self.deliver(|member| member == from, &RelayFrame::Stored { at, id });
    }

    /// Queues all mail after a cursor and the end of the fetch for `from`, which gets each new packet of
    /// others from now on. A cursor of another mailbox counts as the beginning. The end has mailbox 0 if
    /// nothing is stored. Does nothing if `from` is not in the room.
    fn fetch(&mut self, from: Member, after: MailCursor) {
        let mailbox = self.cursor(0).mailbox;
        let skipped = if after.mailbox == mailbox { after.number as usize } else { 0 };
        let Some(queue) = self.queues.get_mut(&from) else { return };
        for (i, (_, sealed)) in self.mail.iter().enumerate().skip(skipped) {
            let at = MailCursor { mailbox, number: i as u32 + 1 };
            queue.push_back(RelayFrame::Mail { at, sealed }.to_bytes());
        }
        let last = self.mail.len();
        let end = if last == 0 { MailCursor::default() } else { MailCursor { mailbox, number: last as u32 } };
        queue.push_back(RelayFrame::MailEnd(end).to_bytes());
        self.mail_readers.insert(from);
    }

    /// Returns the place of the packet with this number in the current mailbox.
    fn cursor(&self, number: usize) -> MailCursor {
        MailCursor { mailbox: self.lost_mailboxes + 1, number: number as u32 }
    }

    /// Removes and returns the oldest frame for a member; `None` if there is none or the member is not in the
    /// room.
    pub fn next_frame(&mut self, member: Member) -> Option<Vec<u8>> {
        self.queues.get_mut(&member)?.pop_front()
    }

    /// Appends a frame to the queues of all members that `is_recipient` selects.
    fn deliver(&mut self, is_recipient: impl Fn(Member) -> bool, frame: &RelayFrame<'_>) {
        for (_, queue) in self.queues.iter_mut().filter(|(member, _)| is_recipient(**member)) {
            queue.push_back(frame.to_bytes());
        }
    }
}
