//! Contributions that arrived early. Every seat has its own share of the space, so that a seat that sends many
//! does not displace those of others. Of one seat's contributions, those that are due first are kept.

use crate::wire::{Place, Signed};
use std::collections::BTreeMap;

/// The most messages, and bytes of them, that are kept of all seats.
const MOST_PENDING: usize = 1024;
const MOST_PENDING_BYTES: usize = 8 << 20;

/// Signed contributions whose step or phase has not begun.
#[derive(Default)]
pub(super) struct Pending(BTreeMap<Place, Signed>);

/// Returns the approximate memory of a contribution: its payload and 256 bytes.
fn size(signed: &Signed) -> usize {
    signed.payload.len() + 256
}

impl Pending {
    /// Iterates over all kept contributions, in the order of their places: epoch, step, phase, seat.
    pub(super) fn values(&self) -> impl Iterator<Item = &Signed> {
        self.0.values()
    }

    /// Keeps a contribution, and replaces one that is kept for the same place. `seats` is the number of seats
    /// of the table: each has an equal share of [`MOST_PENDING`] contributions and [`MOST_PENDING_BYTES`]
    /// bytes. If the share of the author is full, the last of its contributions in the log's order are
    /// dropped, perhaps this one. Signatures are not checked.
    pub(super) fn keep(&mut self, signed: Signed, seats: u8) {
        let (seat, shares) = (signed.place.seat, usize::from(seats.max(1)));
        self.0.insert(signed.place, signed);
        let own = || self.0.values().filter(|kept| kept.place.seat == seat);
        let (mut count, mut bytes) = (own().count(), own().map(size).sum::<usize>());
        while count > MOST_PENDING / shares || bytes > MOST_PENDING_BYTES / shares {
            let last = self.0.keys().rfind(|place| place.seat == seat).copied();
            let Some(gone) = last.and_then(|place| self.0.remove(&place)) else { return };
            (count, bytes) = (count - 1, bytes - size(&gone));
        }
    }

    /// Removes and returns the first contribution if its place is not after `now` (epoch, step, phase);
    /// otherwise `None`. Call it until it returns `None`.
    pub(super) fn take_until(&mut self, now: (u16, u32, u8)) -> Option<Signed> {
        let entry = self.0.first_entry()?;
        let place = entry.key();
        ((place.epoch, place.seq, place.phase) <= now).then(|| entry.remove())
    }

    /// Drops all contributions to this epoch and earlier ones.
    pub(super) fn retain_after(&mut self, epoch: u16) {
        self.0.retain(|place, _| place.epoch > epoch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Anchor;

    fn message(seq: u32, phase: u8, seat: u8, bytes: usize) -> Signed {
        let place = Place { epoch: 0, seq, phase, seat };
        Signed { place, anchor: Anchor::Phase([0; 32]), payload: vec![0; bytes], signature: [0; 64].into() }
    }

    #[test]
    fn a_seat_that_sends_many_early_messages_crowds_nobody_out() {
        for (count, bytes) in [(4000, 10), (200, 200_000)] {
            let mut pending = Pending::default();
            for seq in 0..count {
                pending.keep(message(1 + seq, 3, 0, bytes), 4);
            }
            let flood = pending.values().count();
            assert!(flood <= MOST_PENDING / 4 && flood > 1);
            assert!(pending.values().map(size).sum::<usize>() <= MOST_PENDING_BYTES / 4);
            for seat in 1..4 {
                pending.keep(message(7, 0, seat, 50_000), 4);
            }
            assert_eq!(pending.values().count(), flood + 3);
            // What is due first stays.
            assert_eq!(pending.take_until((0, 1, 3)).map(|signed| signed.place.seq), Some(1));
            assert!(pending.take_until((0, 1, 3)).is_none());
        }
    }
}
