//! Acting on a settled proposal: the survivors rewind their logs to its step, and a new epoch begins.

use super::super::{PeerSession, SessionEvent, TableState};
use crate::record::Ending;
use crate::wire::DropProposal;
use pentarchy_engine::{Seat, SeatSet};
use pentarchy_fair::PhaseId;

/// A roll that was open when seats were dropped. It is completed under its old phase, so that leaving a table does not
/// change the result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::session) struct OpenRoll {
    pub(in crate::session) phase: PhaseId,
    /// The seats that owe a value to it.
    pub(in crate::session) seats: SeatSet,
}

impl PeerSession {
    /// Acts on a settled proposal. A dropped seat stops. The others rewind and begin the next epoch if they can continue
    /// without the seats, and end the game if they cannot.
    pub(super) fn act_on(&mut self, settled: DropProposal) {
        let DropProposal { epoch, seq, seats, .. } = settled;
        self.absence.keep_settled(&settled);
        if let Some(seat) = self.seat().filter(|&seat| seats.has(Seat(seat))) {
            self.emit(SessionEvent::Replaced { seat });
            return self.finish(Ending::Dropped(seats));
        }
        if self.descriptor.threshold().is_none() {
            return self.finish(Ending::Dropped(seats));
        }
        if seq < self.log.len() {
            if let Err(why) = self.rewind(seq) {
                return self.broken(format!("the log cannot be taken back: {why}"));
            }
            self.emit(SessionEvent::Rewound { to: self.log.entries.len() as u32 });
        }
        if !self.can_go_on(seats) {
            return self.finish(Ending::Dropped(seats));
        }
        self.begin_epoch(seats);
        self.sync.pending.retain_after(epoch);
    }

    /// Returns the roll that is open now, or was open when the seats were dropped whose takeover is under way. Begins the
    /// next step if there is none. Always `None` in version 1, which rolled again.
    pub(in crate::session) fn find_open_roll(&mut self) -> Option<OpenRoll> {
        if self.descriptor.version < 2
            || self.takeover.open_roll.is_some()
            || self.takeover.departing.is_some()
        {
            return self.takeover.open_roll;
        }
        if self.step.is_none() && !self.begin() {
            return None;
        }
        let step = self.step.as_ref().filter(|step| step.plan.is_roll())?;
        Some(OpenRoll { phase: Self::phase_id(step)?, seats: self.log.live() })
    }

    /// Begins an epoch without these seats. Its first step is their takeover; then the roll that was open is completed.
    fn begin_epoch(&mut self, seats: SeatSet) {
        self.takeover.open_roll = self.find_open_roll();
        self.log.begin_epoch(seats);
        // A further proposal may be settled before the takeover of the last one is complete.
        self.takeover.departing = Some(seats | self.takeover.departing.unwrap_or_default());
        self.step = None;
        self.turn.reset();
        self.withdraw_choice();
        self.absence.late = SeatSet::NONE;
        self.progressed();
    }

    /// Rewinds the log to this step by replaying everything before it. Counters of signatures and proofs stay.
    ///
    /// # Errors
    ///
    /// Fails if the log cannot be replayed; the session is not usable then.
    fn rewind(&mut self, to: u32) -> Result<(), String> {
        let (trust, restoring, epoch) = (self.trust.clone(), self.storage.restoring, self.log.epoch());
        let statements = std::mem::take(&mut self.absence.statements);
        let pending = std::mem::take(&mut self.sync.pending);
        let (steps, drops) = self.log.rewind_to_start();
        self.storage.restoring = true;
        self.storage.snapshots.forget_base();
        let start = self.descriptor.start(self.game).map_err(|e| e.to_string())?;
        self.state = TableState::new(start.seen_by(self.observer())).map_err(|e| e.to_string())?;
        self.step = None;
        self.takeover.clear();
        for (i, step) in (0..to).zip(steps) {
            for drop in drops.iter().filter(|drop| drop.seq == i) {
                self.begin_epoch(drop.seats);
            }
            self.turn.made = self.log.sealed.get(&i).cloned();
            for message in step.messages {
                self.advance();
                self.accept(message).map_err(|e| e.to_string())?;
            }
            self.advance();
        }
        self.log.sealed.retain(|seq, _| *seq < to);
        self.turn.made = None;
        self.storage.restoring = restoring;
        self.sync.pending = pending;
        let events = self.trust.events - trust.events;
        self.trust = crate::trust::Trust { events, ..trust };
        self.absence.statements = statements;
        if (self.log.len(), self.log.epoch()) == (to, epoch) {
            Ok(())
        } else {
            Err(format!("{} steps were found where {to} are wanted", self.log.len()))
        }
    }
}
