//! Counts of what a peer has checked so far.

use serde::{Deserialize, Serialize};

/// Counts for a panel: how many events were verified, and who agrees.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Trust {
    /// Events applied, each legal by the rules and complete with its proofs.
    pub events: u32,
    /// Signatures checked.
    pub signatures: u32,
    /// Proofs checked: shares, lifts, views, shuffles, claims, dice.
    pub proofs: u32,
    /// Shuffles of single seats among them.
    pub shuffles: u32,
    /// Rolls to which every seat contributed.
    pub rolls: u32,
    /// By seat: the last step of this peer's history that it has signed, digests included.
    pub agreed: Vec<u32>,
    /// Messages that were not accepted: garbage, other games, replays of old ones are not counted.
    pub refused: u32,
    /// Seats proved to have cheated.
    pub cheats: Vec<u8>,
}
