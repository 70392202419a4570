//! The plan of a simulation, and its report.

use super::{Cheat, Faults};
use crate::descriptor::Recovery;
use crate::{Ending, Evidence, TableRecord};
use pentarchy_engine::SeatSet;
use serde_json::Value;
use std::collections::BTreeMap;

/// What is simulated.
#[derive(Clone, Debug)]
pub struct SimPlan {
    /// How many seats.
    pub seats: u8,
    /// The options that differ from the defaults.
    pub options: Value,
    /// From which everything follows.
    pub seed: u64,
    /// How bad the network is.
    pub faults: Faults,
    /// Whether the players take the actions that the game rates highest, as a Captain does, instead of random ones.
    pub advised: bool,
    /// What it does rather than anything else, if it can: actions whose spoken form contains one of these words, in this
    /// order. So a rare rule is met.
    pub prefer: &'static [&'static str],
    /// What happens when a seat is dropped.
    pub recovery: Recovery,
    /// This many of the last seats are bots of the first.
    pub hosted: u8,
    /// A seat that cheats, and how.
    pub cheat: Option<(u8, &'static Cheat)>,
    /// A seat that leaves for good, and after how many events.
    pub leaver: Option<(u8, u32)>,
    /// Maximum number of events.
    pub most_events: u32,
    /// Whether every peer that comes back is compared with one that verifies the whole log.
    pub compare_restores: bool,
}

impl SimPlan {
    /// Returns the plan with a cheater at a seat. If the cheat needs a seat that leaves, the next one leaves
    /// after 6 events.
    pub fn cheating(mut self, seat: u8, cheat: &'static Cheat) -> Self {
        self.cheat = Some((seat, cheat));
        if cheat.needs_leaver() {
            self.leaver = Some(((seat + 1) % self.seats, 6));
        }
        self
    }

    /// Returns the plan with this many of the last seats as bots of the first, and the recovery that fits.
    pub fn hosting(mut self, bots: u8) -> Self {
        self.hosted = bots;
        self.recovery = Recovery::for_machines(self.machines());
        self
    }

    /// Returns the number of machines: the first seat and its bots are one.
    pub(super) fn machines(&self) -> u8 {
        self.seats.saturating_sub(self.hosted)
    }

    /// Creates the plan of an honest game with this many seats and this seed: random bots, each on a machine
    /// of its own, the recovery of [`Recovery::for_machines`], a perfect network, the default options and no
    /// limit of events.
    pub fn new(seats: u8, seed: u64) -> Self {
        SimPlan {
            seats,
            options: Value::Null,
            seed,
            faults: Faults::NONE,
            advised: false,
            prefer: &[],
            recovery: Recovery::for_machines(seats),
            hosted: 0,
            cheat: None,
            leaver: None,
            most_events: u32::MAX,
            compare_restores: false,
        }
    }
}

/// The result of a simulation.
#[derive(Clone, Debug, Default)]
pub struct SimReport {
    /// Events in the longest log of an honest seat.
    pub events: u32,
    /// Messages that were sent.
    pub messages: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Messages that were lost.
    pub lost: u64,
    /// How often the table was at a standstill and got a perfect network for a while.
    pub calmed: u32,
    /// Peers that crashed and came back.
    pub crashes: u32,
    /// Those of them that were compared, and had a snapshot to go on from.
    pub shortened: u32,
    /// Simulated milliseconds.
    pub millis: u64,
    /// By seat: evidence that this peer found.
    pub evidence: Vec<(u8, Evidence)>,
    /// Seat, and a seat for which its timeout fired.
    pub stalls: Vec<(u8, u8)>,
    /// Seat, the peer whose message it rejected, and why. No message of an honest peer is ever rejected.
    pub refusals: Vec<(u8, u8, String)>,
    /// How often the cheater cheated.
    pub cheated: u32,
    /// How many events there were when it first did.
    pub cheated_at: u32,
    /// By seat: how the game ended for this peer.
    pub endings: Vec<Option<Ending>>,
    /// By seat: the dropped seats that bots play for all, as this peer sees it.
    pub taken_over: Vec<SeatSet>,
    /// The record; of a game that did not end, what the honest peer has that got furthest.
    pub record: Option<TableRecord>,
    /// Whether the game stopped at the limit of the simulation.
    pub cut: bool,
    /// By seat: the results of rolls and picks, in order.
    pub rolls: Vec<Vec<String>>,
    /// How many of them the cheater had seen when it first cheated.
    pub cheated_roll: usize,
    /// Number of events by the words before their first number, as the first seat saw them.
    pub happened: BTreeMap<String, u32>,
}

/// An honest table did something that it must not.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("after event {event}: {what}")]
pub struct SimError {
    /// How far the furthest peer was.
    pub event: u32,
    /// What happened.
    pub what: String,
}
