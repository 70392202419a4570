//! What the oracles of a simulation read of a session's log.

use crate::session::PeerSession;
use pentarchy_engine::SeatSet;

impl PeerSession {
    /// Returns the links of the log, from the one before the first step to the head.
    pub fn links(&self) -> Vec<[u8; 32]> {
        self.log.steps.iter().map(|step| step.prev).chain([self.log.head]).collect()
    }

    /// Returns how the epochs so far ended: from which step on the table plays without which seats.
    pub fn epoch_ends(&self) -> Vec<(u32, SeatSet)> {
        self.log.drops.iter().map(|end| (end.seq, end.seats)).collect()
    }
}
