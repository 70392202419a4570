//! A relay without a server: a room in memory, for tests and for tables around one machine.

use crate::wire::{FromRelay, Member, To};
use std::collections::{BTreeMap, VecDeque};

/// A relay room in memory. It says what the server's relay says.
#[derive(Default)]
pub struct Room {
    queues: BTreeMap<Member, VecDeque<Vec<u8>>>,
    numbers: u32,
}

impl Room {
    /// Somebody comes in.
    pub fn enter(&mut self) -> Member {
        self.numbers += 1;
        let me = Member(self.numbers);
        let others = self.queues.keys().copied().collect();
        self.tell(|_| true, &FromRelay::Joined(me));
        let welcome = FromRelay::Welcome { you: me, others }.to_bytes();
        self.queues.insert(me, VecDeque::from([welcome]));
        me
    }

    /// Somebody goes.
    pub fn leave(&mut self, member: Member) {
        if self.queues.remove(&member).is_some() {
            self.tell(|_| true, &FromRelay::Left(member));
        }
    }

    /// A member sends a frame.
    pub fn send(&mut self, from: Member, frame: &[u8]) {
        let Some((to, payload)) = To::read(frame) else { return };
        let wanted = |member| match to {
            To::Others => member != from,
            To::One(one) => member == one,
        };
        self.tell(wanted, &FromRelay::Message { from, payload });
    }

    /// The next frame for a member.
    pub fn take(&mut self, member: Member) -> Option<Vec<u8>> {
        self.queues.get_mut(&member)?.pop_front()
    }

    fn tell(&mut self, wanted: impl Fn(Member) -> bool, frame: &FromRelay<'_>) {
        for (_, queue) in self.queues.iter_mut().filter(|(member, _)| wanted(**member)) {
            queue.push_back(frame.to_bytes());
        }
    }
}
