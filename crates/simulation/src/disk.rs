//! What a machine stores: an append log of items, and what a crash leaves of it.
//!
//! Two kinds are modelled. A terminal writes records of [`journal`] to a file: until a sync returns, each may be missing, cut
//! short or garbage, in any order. A page writes rows in transactions of the browser's database: what was not
//! committed is missing from some row on, and rows are whole.

use crate::faults::{FaultCounts, FaultKind, FaultMix};
use pentarchy_engine::Rng;
use pentarchy_lobby::journal;

/// What a machine stores.
#[derive(Clone, Debug)]
pub(crate) struct AppendLog {
    is_file: bool,
    /// The records that a sync has covered, and the items in them.
    durable: Vec<u8>,
    items: Vec<Vec<u8>>,
    /// Bytes of records that a later record calls durable.
    stamped: usize,
    /// What was written since.
    written: Vec<Vec<u8>>,
}

/// What a machine finds when it starts again.
pub(crate) enum Found {
    /// These items, of which the first were durable.
    Items(Vec<Vec<u8>>),
    /// The file is damaged where it was durable: the machine does not play on.
    Damaged,
}

impl AppendLog {
    /// Creates an empty disk. With `is_file` it is a journal file, as in a terminal, whose bytes
    /// can be damaged; else the database of a page, which loses only whole items.
    pub(crate) fn new(is_file: bool) -> Self {
        Self { is_file, durable: Vec::new(), items: Vec::new(), stamped: 0, written: Vec::new() }
    }

    /// Returns the durable items in the order in which they were written.
    pub(crate) fn items(&self) -> &[Vec<u8>] {
        &self.items
    }

    /// Returns the number of durable items.
    pub(crate) fn durable(&self) -> usize {
        self.items.len()
    }

    /// Returns the number of items, durable or not.
    pub(crate) fn len(&self) -> usize {
        self.items.len() + self.written.len()
    }

    /// Writes an item. It is not durable before a [`sync`](Self::sync) that covers it.
    pub(crate) fn append(&mut self, item: Vec<u8>) {
        self.written.push(item);
    }

    /// Makes the first `upto` items of the disk durable, as one write. Items that are durable already stay; a number
    /// above the length means all.
    pub(crate) fn sync(&mut self, upto: usize) {
        let count = upto.saturating_sub(self.items.len()).min(self.written.len());
        let durable = self.items.len() as u32;
        if count > 0 {
            self.stamped = self.durable.len();
        }
        for item in self.written.drain(..count) {
            if self.is_file {
                let number = self.items.len() as u32;
                self.durable.extend(record_item(number, durable, &item));
            }
            self.items.push(item);
        }
    }

    /// Damages the items that were not synced, as the mix allows, and counts the faults. A page loses some of its last
    /// items; the others become durable. In a file each record may be lost, torn or corrupted; without reordered writes
    /// in the mix the file ends with the first damaged record. Call [`load`](Self::load) to find what is left of a
    /// file. Does nothing if everything was synced.
    pub(crate) fn crash(&mut self, mix: &FaultMix, rng: &mut Rng, counts: &mut FaultCounts) {
        if self.written.is_empty() {
            return;
        }
        if !self.is_file {
            let kept = if mix.has(FaultKind::LostWrite) {
                rng.below(self.written.len() as u32 + 1) as usize
            } else {
                usize::MAX
            };
            if kept < self.written.len() {
                counts.add(FaultKind::LostWrite);
                self.written.truncate(kept);
            }
            self.sync(usize::MAX);
            return;
        }
        let durable = self.items.len() as u32;
        let mut tail = Vec::new();
        let mut lost = false;
        for (number, item) in (durable..).zip(std::mem::take(&mut self.written)) {
            let mut record = record_item(number, durable, &item);
            let kinds = [FaultKind::TornWrite, FaultKind::LostWrite, FaultKind::CorruptWrite];
            let kind = kinds[rng.below(3) as usize];
            if mix.has(kind) && rng.below(2) == 0 {
                counts.add(kind);
                lost = true;
                match kind {
                    // The file has its length already; the block was never written.
                    FaultKind::TornWrite => {
                        let cut = rng.below(record.len() as u32) as usize;
                        record[cut..].fill(0);
                    }
                    FaultKind::LostWrite => record.fill(0),
                    _ => {
                        let at = rng.below(record.len() as u32) as usize;
                        record[at] ^= 1 << rng.below(8);
                    }
                }
                if !mix.has(FaultKind::ReorderedWrite) {
                    tail.extend(record);
                    break;
                }
            } else if lost {
                counts.add(FaultKind::ReorderedWrite);
            }
            tail.extend(record);
        }
        self.durable.extend(tail);
    }

    /// Flips one random bit, drawn from `rng`, of a journal file, in a record that was durable before the
    /// last sync: a later record says that it is durable, so the damage must be noticed. Returns `false`,
    /// and changes nothing, for a database or if there is no such record.
    pub(crate) fn rot(&mut self, rng: &mut Rng) -> bool {
        if !self.is_file || self.stamped == 0 {
            return false;
        }
        let at = rng.below(self.stamped as u32) as usize;
        self.durable[at] ^= 1 << rng.below(8);
        true
    }

    /// Reads all items after a start. A file drops its invalid tail first, so that the returned items are exactly the
    /// durable ones of the disk. Returns [`Found::Damaged`], and changes nothing, if a durable item of a file is
    /// damaged. Items that were written and neither synced nor damaged by a crash stay unsynced.
    pub(crate) fn load(&mut self) -> Found {
        if !self.is_file {
            return Found::Items(self.items.clone());
        }
        match journal::recover(&self.durable) {
            Ok(found) => {
                self.durable.truncate(found.valid_bytes);
                self.items.clone_from(&found.items);
                Found::Items(found.items)
            }
            Err(_) => Found::Damaged,
        }
    }
}

/// Encodes the record of the item with this number in a journal whose first `durable` items are durable. The record of
/// an item that is too long for a file is empty: the oracle of durability finds that it is missing.
fn record_item(number: u32, durable: u32, item: &[u8]) -> Vec<u8> {
    journal::record(number, durable, item).unwrap_or_default()
}
