//! Who is out, and since when: what the survivors have to sign, and what binds them.
//!
//! Whoever signs `Without` takes nothing more from those seats, and nothing else that would move the log, until either
//! all survivors have signed the same, and it is settled; or one of them has got what was missing, and says so in a
//! `Resume`: then not all will ever sign, and everybody is free again. So no two survivors can end up in different
//! histories because a message came late. Against a proved cheater there is no `Resume`.

use super::Session;
use crate::wire::Saying;

impl Session {
    /// The link before a step, if this peer has got there.
    pub(super) fn link(&self, seq: u32) -> Option<[u8; 32]> {
        match self.log.get(seq as usize) {
            Some(step) => Some(step.prev),
            None => (seq as usize == self.log.len()).then_some(self.prev),
        }
    }

    /// The seats that have signed a statement, as bits.
    pub(super) fn signers(&self, is: impl Fn(&Saying) -> bool) -> u8 {
        self.said.iter().filter(|said| is(&said.saying)).fold(0, |bits, said| bits | 1 << said.seat)
    }

    /// Whether one of the survivors goes on with what was missing.
    fn is_resumed(&self, of: [u8; 32], without: u8) -> bool {
        let resumed =
            |s: &Saying| matches!(s, Saying::Resume { prev, gone } if *prev == of && *gone == without);
        without & self.cheats == 0 && self.signers(resumed) & self.live & !without != 0
    }

    /// Whether this seat has signed that others are out, and that is neither settled nor resumed.
    pub(super) fn is_frozen(&self) -> bool {
        let Some(me) = self.seat().filter(|_| !self.said.is_empty()) else { return false };
        self.said.iter().filter(|said| said.seat == me).any(|said| match said.saying {
            Saying::Without { prev, branch, gone, .. } => {
                branch == self.branch && !self.is_resumed(prev, gone)
            }
            _ => false,
        })
    }

    /// The seats that are out: proved to have cheated, or said to stall by all others who answer, a majority.
    fn out(&self) -> u8 {
        let mut out = self.cheats & self.live;
        let Some(phase) = self.waiting_phase() else { return out };
        let late = self.late & self.live;
        let patient = self.now - self.progress_at < 2 * u64::from(self.descriptor.stall_ms);
        for seat in (0..8).filter(|seat| late >> seat & 1 != 0) {
            let signed = self.live & self.signers(|s| *s == Saying::Stall { phase, accused: seat });
            let silent = self.live & !late & !signed;
            // Who neither says so nor brings the message in time is out as well.
            let answered = silent == 0 || !patient;
            if answered && self.is_majority(signed) {
                out |= silent | 1 << seat;
            }
        }
        out
    }

    fn is_majority(&self, seats: u8) -> bool {
        2 * (seats & self.live).count_ones() > self.live.count_ones()
    }

    /// The last step that all survivors share: the first one in which a cheater went wrong, else the one under way.
    fn cut(&self, gone: u8) -> u32 {
        let crimes = self.crimes.iter().map(|(place, _)| place);
        let crimes = crimes.filter(|place| gone >> place.seat & 1 != 0 && place.branch == self.branch);
        crimes.map(|place| place.seq).min().unwrap_or(u32::MAX).min(self.log.len() as u32)
    }

    /// Whether the game goes on without somebody, or ends; and what this seat has to sign for that.
    pub(super) fn consider_ending(&mut self) {
        if self.is_over() || self.prev == [0; 32] {
            return;
        }
        let me = self.seat().map_or(0, |seat| 1u8 << seat) & self.live;
        if me != 0 && !self.restoring {
            let gone = self.out();
            if gone != 0 && gone & me == 0 {
                self.sign_without(gone);
            }
            self.answer_without(me);
        }
        let settled = self.said.iter().find_map(|said| match said.saying {
            Saying::Without { prev, branch, seq, gone } if self.is_settled(prev, branch, seq, gone) => {
                Some((gone, seq))
            }
            _ => None,
        });
        if let Some((gone, seq)) = settled {
            self.without(gone, seq);
        }
    }

    fn sign_without(&mut self, gone: u8) {
        let seq = self.cut(gone);
        let Some(prev) = self.link(seq) else { return };
        let saying = Saying::Without { prev, branch: self.branch, seq, gone };
        let me = 1 << self.seat().unwrap_or(7);
        let vetoed =
            gone & self.cheats == 0 && self.signers(|s| *s == Saying::Resume { prev, gone }) & me != 0;
        if !vetoed && self.signers(|s| *s == saying) & me == 0 {
            self.say(saying);
            // The others get as long to do the same.
            self.progress_at = self.now;
        }
    }

    /// Others have signed that seats are out: this seat joins them if they are a majority and it lacks the same
    /// message; if it has gone on meanwhile it says so.
    fn answer_without(&mut self, me: u8) {
        let (branch, due) = (self.branch, self.due());
        let mut answers = Vec::new();
        for said in &self.said {
            let Saying::Without { prev, branch: of, seq, gone } = said.saying else { continue };
            let mine = of == branch && gone & me == 0 && self.link(seq) == Some(prev);
            if !mine || gone & self.cheats != 0 {
                continue;
            }
            let own = |s: &Saying| *s == said.saying || *s == Saying::Resume { prev, gone };
            if self.signers(own) & me != 0 {
                continue;
            }
            let lacks = seq as usize == self.log.len() && due.iter().any(|&seat| gone >> seat & 1 != 0);
            let signed = self.signers(|s| *s == said.saying);
            if lacks && self.is_majority(signed) {
                answers.push(said.saying.clone());
            } else if !lacks && !self.is_frozen() {
                answers.push(Saying::Resume { prev, gone });
            }
        }
        answers.dedup();
        answers.into_iter().for_each(|saying| self.say(saying));
    }

    /// All survivors have signed the same, and they are a majority, or the others are proved to have cheated.
    fn is_settled(&self, prev: [u8; 32], branch: u16, seq: u32, gone: u8) -> bool {
        let survivors = self.live & !gone;
        let signed = self.signers(|s| *s == Saying::Without { prev, branch, seq, gone });
        branch == self.branch
            && gone & self.live == gone
            && survivors != 0
            && signed & survivors == survivors
            && (self.is_majority(survivors) || gone & !self.cheats == 0)
            && self.link(seq) == Some(prev)
    }
}
