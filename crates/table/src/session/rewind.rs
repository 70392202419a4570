//! Going on without seats: the log is taken back to the last step that all survivors share, and a new branch begins.

use super::{Output, Session};
use crate::cards::Cards;
use crate::record::Ending;
use crate::wire::Without;
use pentarchy_engine::{Observer, Seat};
use pentarchy_fair::PhaseId;

/// A roll that was open when seats left. It is completed under its old phase, so that leaving gives no other result.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct OpenRoll {
    pub(super) phase: PhaseId,
    /// The seats that owe a value to it, as bits.
    pub(super) seats: u8,
}

impl Session {
    /// All survivors have signed this.
    pub(super) fn without(&mut self, settled: Without) {
        let Without { branch, seq, gone, .. } = settled;
        let me = self.seat().map_or(0, |seat| 1u8 << seat);
        self.said.retain(|said| said.saying.vote().is_some_and(|it| it.branch != branch || it == settled));
        if gone & me != 0 {
            // They go on, or end the game; it is no concern of this seat any more.
            gone_bits(gone & me).for_each(|seat| self.emit(Output::Replaced { seat }));
            return self.finish(Ending::Without(gone));
        }
        if self.descriptor.threshold().is_none() {
            return self.finish(Ending::Without(gone));
        }
        if (seq as usize) < self.log.len()
            && let Err(why) = self.rewind(seq as usize)
        {
            return self.broken(format!("the log cannot be taken back: {why}"));
        }
        if !self.can_go_on(gone) {
            return self.finish(Ending::Without(gone));
        }
        self.depart(gone);
        self.pending.retain_after(branch);
    }

    /// The roll that is open now, or was when the seats left that are departing; none in version 1, which rolled again.
    pub(super) fn find_open_roll(&mut self) -> Option<OpenRoll> {
        if self.descriptor.version < 2 || self.open_roll.is_some() || self.departing.is_some() {
            return self.open_roll;
        }
        if self.step.is_none() && !self.begin() {
            return None;
        }
        let step = self.step.as_ref().filter(|step| step.plan.is_roll())?;
        Some(OpenRoll { phase: Self::phase_id(step)?, seats: self.live })
    }

    /// From here on these seats do not play: their locks come off first of all, then the roll that is open is completed.
    fn depart(&mut self, gone: u8) {
        self.open_roll = self.find_open_roll();
        self.departures.push((self.log.len() as u32, gone));
        // Seats may leave while others are departing.
        self.departing = Some(gone | self.departing.unwrap_or(0));
        self.live &= !gone;
        self.branch += 1;
        self.step = None;
        self.mine = None;
        self.chosen = None;
        self.asked = false;
        self.unask();
        self.pledged.clear();
        self.late = 0;
        self.progressed();
    }

    /// Takes the log back to this step: everything is done again up to there.
    fn rewind(&mut self, to: usize) -> Result<(), String> {
        let start = self.descriptor.start(self.game).map_err(|e| e.to_string())?;
        let observer = self.seat().map_or(Observer::Spectator, |seat| Observer::Seat(Seat(seat)));
        let log = std::mem::take(&mut self.log);
        let departures = std::mem::take(&mut self.departures);
        let said = std::mem::take(&mut self.said);
        let (trust, restoring, branch) = (self.trust.clone(), self.restoring, self.branch);
        let pending = std::mem::take(&mut self.pending);
        self.restoring = true;
        self.saver.rewound();
        self.rules = start.seen_by(observer);
        self.cards = Cards::new(&*self.rules).map_err(|e| e.to_string())?;
        self.live = ((1u16 << self.descriptor.seats()) - 1) as u8;
        self.branch = 0;
        self.prev = log.first().map_or(self.prev, |step| step.prev);
        self.step = None;
        (self.departing, self.open_roll) = (None, None);
        self.vacant.clear();
        self.entries.clear();
        self.open_choices.clear();
        for (i, step) in log.into_iter().take(to).enumerate() {
            for (_, gone) in departures.iter().filter(|(seq, _)| *seq as usize == i) {
                self.depart(*gone);
            }
            self.mine = self.sealed.get(&(i as u32)).cloned();
            for message in step.messages {
                self.advance();
                self.accept(message).map_err(|e| e.to_string())?;
            }
            self.advance();
        }
        self.sealed.retain(|seq, _| (*seq as usize) < to);
        self.mine = None;
        self.restoring = restoring;
        self.pending = pending;
        let events = self.trust.events - trust.events;
        self.trust = crate::trust::Trust { events, ..trust };
        self.said = said;
        if self.log.len() == to && self.branch == branch {
            Ok(())
        } else {
            Err(format!("{} steps were found where {to} are wanted", self.log.len()))
        }
    }
}

/// The seats of a set given as bits.
fn gone_bits(bits: u8) -> impl Iterator<Item = u8> {
    (0..8u8).filter(move |seat| bits >> seat & 1 != 0)
}
