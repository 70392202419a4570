//! A relay without a server: a room in memory, for tests and simulations.

use crate::wire::{Destination, Member, RelayFrame};
use std::collections::{BTreeMap, VecDeque};

/// A relay room in memory. It sends the same frames as the relay of a server.
#[derive(Default)]
pub struct MemoryRoom {
    queues: BTreeMap<Member, VecDeque<Vec<u8>>>,
    last_number: u32,
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
        if self.queues.remove(&member).is_some() {
            self.deliver(|_| true, &RelayFrame::Left(member));
        }
    }

    /// Queues a message of `from` for its destination. `frame` is a frame of a peer
    /// ([`Destination::to_frame`]). Malformed frames and messages to members that are not in the room are
    /// dropped; that `from` is in the room is not checked.
    pub fn send(&mut self, from: Member, frame: &[u8]) {
        let Some((to, payload)) = Destination::parse_frame(frame) else { return };
        let is_recipient = |member| match to {
            Destination::Others => member != from,
            Destination::One(one) => member == one,
        };
        self.deliver(is_recipient, &RelayFrame::Message { from, payload });
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
