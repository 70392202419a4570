//! A network in memory: messages are delayed, lost, duplicated or reordered, and partitions occur.

use crate::session::Recipient;
use pentarchy_engine::{Rng, Seat, SeatSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How bad a network is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Faults {
    /// Maximum delay of a message in milliseconds; later messages may overtake it.
    pub delay: u32,
    /// How many of a thousand messages are lost.
    pub loss: u32,
    /// How many of a thousand messages arrive twice.
    pub twice: u32,
    /// Mean milliseconds between two partitions of the network; 0 for none.
    pub partitions: u32,
    /// Maximum duration of a partition in milliseconds.
    pub longest: u32,
    /// A peer crashes about once in this many rounds of the simulation, of which most deliver one message; 0 for never.
    pub crashes: u32,
}

impl Faults {
    /// A perfect network.
    pub const NONE: Faults = Faults { delay: 0, loss: 0, twice: 0, partitions: 0, longest: 0, crashes: 0 };
    /// A bad one.
    pub const BAD: Faults =
        Faults { delay: 120, loss: 30, twice: 30, partitions: 8_000, longest: 3_500, crashes: 400 };
    /// One that falls apart for longer than the others wait for a seat.
    pub const SPLIT: Faults =
        Faults { delay: 20, loss: 5, twice: 5, partitions: 1_500, longest: 150_000, crashes: 2_000 };
}

/// A message under way: when it arrives, a number that keeps the order of those that arrive together, sender, receiver,
/// bytes.
type Flying = Reverse<(u64, u64, u8, u8, Vec<u8>)>;

/// A message that has arrived.
pub struct Arrival {
    /// The receiver's seat.
    pub to: u8,
    /// The sender's seat.
    pub from: u8,
    /// The message.
    pub bytes: Vec<u8>,
}

/// The network.
pub struct Network {
    seats: u8,
    faults: Faults,
    rng: Rng,
    now: u64,
    sent: u64,
    lost: u64,
    flying: BinaryHeap<Flying>,
    ticked: u64,
    /// The seats on one side of a broken cable, until when, and when the next one breaks.
    side: SeatSet,
    broken_until: u64,
    breaks_at: u64,
    /// The seats that are disconnected for good.
    cut_off: SeatSet,
}

impl Network {
    /// Creates a network between this many peers, at most 8, numbered by their seats, at the time 1 ms. All
    /// its faults follow from `rng`.
    pub fn new(seats: u8, faults: Faults, mut rng: Rng) -> Self {
        let breaks_at = partition_after(0, &faults, &mut rng);
        Network {
            seats,
            faults,
            rng,
            now: 1,
            sent: 0,
            lost: 0,
            flying: BinaryHeap::new(),
            ticked: 0,
            side: SeatSet::NONE,
            broken_until: 0,
            breaks_at,
            cut_off: SeatSet::NONE,
        }
    }

    /// Returns the simulated time in milliseconds.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Returns how many messages were lost so far.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Disconnects a seat (below 8) for good. Messages that are on their way still arrive.
    pub fn cut_off(&mut self, seat: u8) {
        self.cut_off.insert(Seat(seat));
    }

    /// Ends the current partition and prevents new ones (`true`), or lets those that the faults have occur
    /// again (`false`). Loss, delays and duplicates stay.
    pub fn calm(&mut self, calm: bool) {
        self.breaks_at = match calm {
            true => u64::MAX,
            false => partition_after(self.now + 1, &self.faults, &mut self.rng),
        };
        if calm {
            self.broken_until = self.now;
        }
    }

    /// Sends a message of seat `from` to one peer or to all others; each copy may be lost, delayed or
    /// duplicated. The time does not pass.
    pub fn send(&mut self, from: u8, to: Recipient, bytes: Vec<u8>) {
        match to {
            Recipient::Peer(peer) => self.launch(from, peer as u8, bytes),
            Recipient::All => {
                for to in (0..self.seats).filter(|&to| to != from) {
                    self.launch(from, to, bytes.clone());
                }
            }
        }
    }

    /// Puts a message from seat `from` to seat `to` on its way with a random delay, once or twice. Counts it
    /// as lost if the network drops it, a partition separates the seats, one of them is cut off, or there is no such
    /// receiver.
    fn launch(&mut self, from: u8, to: u8, bytes: Vec<u8>) {
        let apart = self.now < self.broken_until && self.side.has(Seat(from)) != self.side.has(Seat(to));
        let off = self.cut_off.has(Seat(from)) || self.cut_off.has(Seat(to));
        if apart || off || to >= self.seats || self.rng.below(1000) < self.faults.loss {
            self.lost += 1;
            return;
        }
        let copies = 1 + u32::from(self.rng.below(1000) < self.faults.twice);
        for _ in 0..copies {
            let delay = u64::from(self.rng.below(self.faults.delay + 1));
            self.sent += 1;
            self.flying.push(Reverse((self.now + delay, self.sent, from, to, bytes.clone())));
        }
    }

    /// Removes and returns the next message that arrives, and advances the time until then. `None` if none is
    /// on its way.
    pub fn arrive(&mut self) -> Option<Arrival> {
        let Reverse((at, _, from, to, bytes)) = self.flying.pop()?;
        self.pass_to(at);
        Some(Arrival { to, from, bytes })
    }

    /// Advances the time by `millis` milliseconds; a partition may begin.
    pub fn wait(&mut self, millis: u64) {
        self.pass_to(self.now + millis);
    }

    /// Advances the time to `at`, never back. If a partition is due, starts one: a random set of seats is
    /// apart from the others for at least 500 ms, and for less than `longest` if that is more.
    fn pass_to(&mut self, at: u64) {
        self.now = self.now.max(at);
        if self.now >= self.breaks_at {
            self.side = SeatSet(self.rng.below(1 << self.seats) as u8);
            self.broken_until =
                self.now + 500 + u64::from(self.rng.below(self.faults.longest.max(501) - 500));
            self.breaks_at = partition_after(self.broken_until + 1, &self.faults, &mut self.rng);
        }
    }

    /// Returns whether 100 ms of simulated time have passed since it last returned `true`, so that the clocks of
    /// the peers must tick. When it returns `true`, the next 100 ms begin.
    pub fn tick_due(&mut self) -> bool {
        let due = self.now >= self.ticked + 100;
        if due {
            self.ticked = self.now;
        }
        due
    }
}

/// Draws the time of the next partition, at `from` or later; [`u64::MAX`], without a draw, if the faults have no partitions.
fn partition_after(from: u64, faults: &Faults, rng: &mut Rng) -> u64 {
    if faults.partitions > 0 { from + u64::from(rng.below(faults.partitions)) } else { u64::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many of 1,000 messages over 1,000 seconds are lost after the network was calmed and released.
    fn lost_after_calm(faults: Faults) -> u64 {
        let mut network = Network::new(4, faults, Rng::new(1));
        network.calm(true);
        network.calm(false);
        for _ in 0..1_000 {
            network.wait(1_000);
            network.send(0, Recipient::Peer(1), Vec::new());
        }
        network.lost()
    }

    #[test]
    fn a_network_without_partitions_has_none_after_it_was_calmed_either() {
        assert_eq!(lost_after_calm(Faults { longest: 100_000, ..Faults::NONE }), 0);
        assert!(lost_after_calm(Faults { partitions: 1_000, longest: 100_000, ..Faults::NONE }) > 0);
    }
}
