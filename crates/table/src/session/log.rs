//! The signed log of one peer: closed steps, linked by hashes, and the epochs into which dropped seats divide it.
//!
//! Each step commits to the link of the step before it. Two peers with the same head therefore have the same log.

use crate::record::OpenChoice;
use crate::wire::Signed;
use pentarchy_engine::SeatSet;
use pentarchy_engine::record::RecordEntry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A step to which all contributions have come.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ClosedStep {
    /// The link to the step before.
    pub(crate) prev: [u8; 32],
    pub(crate) epoch: u16,
    pub(crate) messages: Vec<Signed>,
}

/// The end of an epoch: from step `seq` on the table plays without `seats`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct SeatDrop {
    pub(super) seq: u32,
    pub(super) seats: SeatSet,
}

/// The log of one peer, and what this peer derives from it.
#[derive(Clone)]
pub(super) struct SignedLog {
    pub(super) steps: Vec<ClosedStep>,
    /// The link that closes the last step; zero until all seats have signed the start.
    pub(super) head: [u8; 32],
    all_seats: SeatSet,
    /// By epoch: how it ended. The epoch under way has no entry.
    pub(super) drops: Vec<SeatDrop>,
    /// The events as entries of a record, as this peer sees them. A takeover is a step without an entry.
    pub(super) entries: Vec<RecordEntry>,
    /// The secret choices that bots made for dropped seats.
    pub(super) open_choices: Vec<OpenChoice>,
    /// The actions with a secret choice that this seat has made so far, by step.
    pub(super) sealed: BTreeMap<u32, String>,
}

impl SignedLog {
    /// Creates the empty log of a table with this many seats, which is not open yet.
    pub(super) fn new(seats: u8) -> Self {
        SignedLog {
            steps: Vec::new(),
            head: [0; 32],
            all_seats: SeatSet::first(seats),
            drops: Vec::new(),
            entries: Vec::new(),
            open_choices: Vec::new(),
            sealed: BTreeMap::new(),
        }
    }

    /// Returns whether all seats have signed the start, so that steps can follow.
    pub(super) fn is_open(&self) -> bool {
        self.head != [0; 32]
    }

    /// Returns the number of closed steps, which is the number of the step under way.
    pub(super) fn len(&self) -> u32 {
        self.steps.len() as u32
    }

    /// Returns the link before step `seq`, which commits to all steps before it; `None` if this peer has not
    /// got there.
    pub(super) fn link(&self, seq: u32) -> Option<[u8; 32]> {
        match self.steps.get(seq as usize) {
            Some(step) => Some(step.prev),
            None => (seq == self.len()).then_some(self.head),
        }
    }

    /// Appends a step of the epoch under way with its contributions. `link` closes it and becomes the head.
    /// The caller has verified both.
    pub(super) fn close(&mut self, link: [u8; 32], messages: Vec<Signed>) {
        let (prev, epoch) = (std::mem::replace(&mut self.head, link), self.epoch());
        self.steps.push(ClosedStep { prev, epoch, messages });
    }

    /// Iterates over the contributions to all closed steps, in order.
    pub(super) fn messages(&self) -> impl DoubleEndedIterator<Item = &Signed> {
        self.steps.iter().flat_map(|step| &step.messages)
    }

    /// Returns the number of the epoch under way: how often seats were dropped.
    pub(super) fn epoch(&self) -> u16 {
        self.drops.len() as u16
    }

    /// Returns the seats that play in the epoch under way.
    pub(super) fn live(&self) -> SeatSet {
        self.live_in(self.epoch())
    }

    /// Returns the seats that played in an epoch; for a later one than that under way, those that play now.
    pub(super) fn live_in(&self, epoch: u16) -> SeatSet {
        self.drops.iter().take(usize::from(epoch)).fold(self.all_seats, |live, drop| live - drop.seats)
    }

    /// Returns how an epoch ended; `None` for the one under way and later ones.
    pub(super) fn end_of(&self, epoch: u16) -> Option<SeatDrop> {
        self.drops.get(usize::from(epoch)).copied()
    }

    /// Ends the epoch under way and begins the next: from the step under way on the table plays without these
    /// seats. Steps and links do not change; the caller must have rewound the log to the step of the proposal.
    pub(super) fn begin_epoch(&mut self, seats: SeatSet) {
        self.drops.push(SeatDrop { seq: self.len(), seats });
    }

    /// Empties the log of an open table back to the signed start, and returns the steps and the ends of
    /// epochs that it held. The sealed choices of this seat stay, because they are needed to replay the
    /// steps; those that bots made for dropped seats do not.
    pub(super) fn rewind_to_start(&mut self) -> (Vec<ClosedStep>, Vec<SeatDrop>) {
        let (steps, drops) = (std::mem::take(&mut self.steps), std::mem::take(&mut self.drops));
        self.head = steps.first().map_or(self.head, |step| step.prev);
        self.entries.clear();
        self.open_choices.clear();
        (steps, drops)
    }

    /// Compares this log with another one, of which `links` are the links from step `first` on. Returns the
    /// number of the first step that differs: the one before the first link that differs, or 0. Returns the
    /// number of the step under way if no link differs as far as both go.
    pub(super) fn first_difference(&self, first: u32, links: &[[u8; 32]]) -> u32 {
        let differs =
            |(seq, link): (u32, &[u8; 32])| self.link(seq).is_some_and(|own| own != *link).then_some(seq);
        let numbers = links.iter().enumerate().map(|(i, link)| (first.saturating_add(i as u32), link));
        // A link differs if the step before it does.
        numbers.filter_map(differs).next().map_or(self.len(), |seq| seq.saturating_sub(1))
    }
}

#[cfg(test)]
pub(in crate::session) mod tests {
    use super::*;

    /// An open log of five seats with this many steps; the link before step `n` is `[n + 1; 32]`.
    pub(in crate::session) fn numbered(steps: u8) -> SignedLog {
        let mut log = SignedLog::new(5);
        log.head = [1; 32];
        (0..steps).for_each(|n| log.close([n + 2; 32], Vec::new()));
        log
    }

    #[test]
    fn links_lead_from_the_start_to_the_head() {
        let log = numbered(3);
        let links: Vec<_> = (0..5).map(|seq| log.link(seq)).collect();
        assert_eq!(links, [Some([1; 32]), Some([2; 32]), Some([3; 32]), Some([4; 32]), None]);
        assert!(log.is_open() && !SignedLog::new(2).is_open());
    }

    #[test]
    fn epochs_divide_the_log_and_drop_their_seats() {
        let mut log = numbered(2);
        log.begin_epoch(SeatSet(0b00010));
        log.close([9; 32], Vec::new());
        log.begin_epoch(SeatSet(0b01100));
        assert_eq!((log.epoch(), log.live()), (2, SeatSet(0b10001)));
        assert_eq!((log.live_in(0), log.live_in(1)), (SeatSet(0b11111), SeatSet(0b11101)));
        assert_eq!(log.end_of(1), Some(SeatDrop { seq: 3, seats: SeatSet(0b01100) }));
        assert_eq!(log.end_of(2), None);
        assert_eq!(log.steps.iter().map(|step| step.epoch).collect::<Vec<_>>(), [0, 0, 1]);
        let (steps, drops) = log.rewind_to_start();
        assert_eq!((steps.len(), drops.len(), log.len(), log.epoch()), (3, 2, 0, 0));
        assert_eq!((log.head, log.live()), ([1; 32], SeatSet(0b11111)));
    }

    #[test]
    fn the_first_difference_is_the_step_before_the_first_link_that_differs() {
        let log = numbered(4);
        assert_eq!(log.first_difference(0, &[[1; 32], [2; 32], [3; 32]]), 4, "they do not differ");
        assert_eq!(log.first_difference(0, &[[1; 32], [2; 32], [7; 32]]), 1);
        assert_eq!(log.first_difference(2, &[[7; 32]]), 1);
        assert_eq!(log.first_difference(4, &[[5; 32], [7; 32]]), 4, "what is ahead is not compared");
        assert_eq!(log.first_difference(u32::MAX, &[[5; 32], [7; 32]]), 4);
    }
}
