//! Counts of what a peer has checked so far.

use serde::{Deserialize, Serialize};

/// Counts for a panel: how many events were verified, and who agrees.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Trust {
    /// Events applied, each legal by the rules and complete with its proofs.
    pub events: u32,
    /// Signatures checked.
    pub signatures: u32,
    /// Proofs checked, and those that this seat has made: shares, lifts, views, shuffles, claims, dice.
    pub proofs: u32,
    /// Shuffles of single seats among them.
    pub shuffles: u32,
    /// Rolls, picks and casts of the rules, to each of which every seat contributed.
    pub rolls: u32,
    /// By seat: the number (from 0) of the step of the last contribution that this peer has accepted of it, with which
    /// the seat has signed the history before that step. 0 before the first one, and for this peer's own seat.
    pub agreed: Vec<u32>,
    /// Messages that were rejected, such as garbage or those of other games. Known messages that come again are not
    /// counted.
    pub refused: u32,
    /// Seats proved to have cheated.
    pub cheats: Vec<u8>,
}
