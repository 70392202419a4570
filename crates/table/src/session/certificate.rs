//! Who is out, and since when: what the survivors have to sign, and what binds them.
//!
//! Whoever signs `Without` is bound by it: he takes nothing more from those seats, and nothing else that would move the
//! log, until either all survivors have signed the same, and it is settled; or one of them refuses by a `Resume`: then
//! not all will ever sign, and everybody is free again, and may sign the same in a further round. Meanwhile he may sign
//! only what goes further (more seats, or an earlier step), and is then content with nothing less. So of two statements
//! that both were signed by all their survivors, who are a majority each time, one goes further than the other, and nobody
//! who remains goes on with the lesser: no two survivors can end up in different histories, whatever was late. Against a
//! proved cheater there is no `Resume`.

use super::Session;
use crate::record::Ending;
use crate::wire::{Saying, Without};

/// So many statements does a seat refuse at most in one step.
const MOST_REFUSED: usize = 256;

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

    /// Whether one of the survivors will never sign this.
    fn is_refused(&self, it: &Without) -> bool {
        let refused = |s: &Saying| *s == Saying::Resume(*it);
        it.gone & self.cheats == 0 && self.signers(refused) & self.live & !it.gone != 0
    }

    /// What this seat has signed in this branch and is bound by.
    pub(super) fn bound(&self) -> impl Iterator<Item = Without> {
        let mine = self.said.iter().filter(|said| Some(said.seat) == self.seat());
        mine.filter_map(|said| match said.saying {
            Saying::Without(it) if it.branch == self.branch && !self.is_refused(&it) => Some(it),
            _ => None,
        })
    }

    /// Whether this seat has signed that others are out, and that is neither settled nor refused.
    pub(super) fn is_frozen(&self) -> bool {
        self.bound().next().is_some()
    }

    /// Whether this seat is one of the survivors of a statement and will never sign it, because it has gone on.
    pub(super) fn is_past(&self, it: &Without) -> bool {
        let me = self.seat().map_or(0, |seat| 1u8 << seat);
        let survives = me & self.live & !it.gone != 0 && it.gone & self.cheats == 0;
        let gone_on = match self.departures.get(usize::from(it.branch)) {
            Some(&(seq, gone)) => (seq, gone) != (it.seq, it.gone),
            None => {
                let ended =
                    matches!(self.ending, Some(Ending::Without(gone)) if gone != it.gone && gone & me == 0);
                it.branch == self.branch && ((it.seq as usize) < self.log.len() || ended)
            }
        };
        survives && gone_on && self.link(it.seq) == Some(it.prev)
    }

    /// Says that this seat will not sign a statement, unless it has said so.
    pub(super) fn refuse(&mut self, it: Without) {
        let me = self.seat();
        let mine = |saying: &Saying| matches!(saying, Saying::Resume(_));
        let refused = self.said.iter().filter(|said| Some(said.seat) == me && mine(&said.saying));
        let known = refused.clone().any(|said| said.saying == Saying::Resume(it));
        if !known && refused.count() < MOST_REFUSED {
            self.say(Saying::Resume(it));
        }
    }

    /// A step is closed: what was said of seats that were late with it is past. Whoever is still bound by it says it again, and
    /// is answered.
    pub(super) fn forget_past_statements(&mut self) {
        if self.said.is_empty() {
            return;
        }
        let (branch, seq, cheats) = (self.branch, self.log.len() as u32, self.cheats);
        self.said.retain(|said| match said.saying {
            Saying::Without(it) => it.branch != branch || it.seq >= seq || it.gone & cheats != 0,
            Saying::Resume(it) => it.branch != branch || it.seq >= seq,
            _ => true,
        });
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
        let settled = self.said.iter().filter_map(|said| match said.saying {
            Saying::Without(it) if self.is_settled(&it) => Some(it),
            _ => None,
        });
        if let Some(it) = settled.reduce(|one, two| if two.supersedes(&one) { two } else { one }) {
            self.without(it);
        }
    }

    fn sign_without(&mut self, gone: u8) {
        // What binds this seat can only go further.
        let gone = self.bound().fold(gone, |gone, it| gone | it.gone);
        let seq = self.bound().fold(self.cut(gone), |seq, it| seq.min(it.seq));
        let Some(prev) = self.link(seq) else { return };
        let me = 1 << self.seat().unwrap_or(7);
        let branch = self.branch;
        let mut rounds = (0..u8::MAX).map(|round| Without { prev, branch, seq, gone, round });
        let Some(it) = rounds.find(|it| !self.is_refused(it)) else { return };
        let enough = self.is_majority(self.live & !gone) || gone & !self.cheats == 0;
        // Before it is tried again everybody has time to hear what the others have.
        let again = it.round > 0 && self.now - self.progress_at < u64::from(self.descriptor.stall_ms) / 2;
        if enough && !again && self.signers(|s| *s == Saying::Without(it)) & me == 0 {
            self.say(Saying::Without(it));
            // The others get as long to do the same.
            self.progress_at = self.now;
        }
    }

    /// Others have signed that seats are out: this seat joins them if they are a majority and it lacks the same
    /// message. If it lacks nothing it refuses, and so it does if it is bound by something else for too long.
    fn answer_without(&mut self, me: u8) {
        let due = self.due();
        let stuck =
            self.is_frozen() && self.now - self.progress_at >= 2 * u64::from(self.descriptor.stall_ms);
        let heard = self.said.iter().filter_map(|said| match said.saying {
            Saying::Without(it) => Some(it),
            _ => None,
        });
        for it in heard.collect::<Vec<_>>() {
            let here = it.branch == self.branch && it.seq as usize == self.log.len() && it.prev == self.prev;
            let answered = |s: &Saying| *s == Saying::Without(it) || *s == Saying::Resume(it);
            if !here || it.gone & (me | self.cheats) != 0 || self.signers(answered) & me != 0 {
                continue;
            }
            let lacks = due.iter().any(|&seat| it.gone >> seat & 1 != 0);
            let signed = self.signers(|s| *s == Saying::Without(it));
            if lacks && self.is_majority(signed) && self.bound().all(|mine| it.supersedes(&mine)) {
                self.say(Saying::Without(it));
            } else if !lacks || self.is_hopeless(&it) {
                self.refuse(it);
            } else if stuck {
                self.refuse(it);
                self.progress_at = self.now;
            }
        }
    }

    /// Whether nothing will come of a statement beside one that binds this seat: each counts out somebody whom the other
    /// does not, and no majority wants this one; or whoever it counts out beyond the other has signed that one himself.
    fn is_hopeless(&self, it: &Without) -> bool {
        let signers = |it: Without| self.signers(|s| *s == Saying::Without(it));
        self.bound().any(|mine| {
            let (beyond, short) = (it.gone & !mine.gone, mine.gone & !it.gone);
            let crosses = short != 0 && !self.is_majority(signers(*it));
            beyond != 0 && (crosses || beyond & !signers(mine) == 0)
        })
    }

    /// The seats that played in a branch.
    fn live_in(&self, branch: u16) -> u8 {
        let all = ((1u16 << self.descriptor.seats()) - 1) as u8;
        self.departures.iter().take(usize::from(branch)).fold(all, |live, (_, gone)| live & !gone)
    }

    /// All survivors have signed the same, and they are a majority, or the others are proved to have cheated. Who is out
    /// himself has no say in it, wherever he stands.
    fn is_settled(&self, it: &Without) -> bool {
        let live = self.live_in(it.branch);
        let survivors = live & !it.gone;
        let signed = self.signers(|s| *s == Saying::Without(*it));
        let out = self.seat().is_some_and(|seat| it.gone >> seat & 1 != 0);
        let mine = || {
            it.branch == self.branch
                && self.link(it.seq) == Some(it.prev)
                && !self.bound().any(|further| further.supersedes(it))
        };
        it.branch <= self.branch
            && it.gone & live == it.gone
            && survivors != 0
            && signed & survivors == survivors
            && (2 * survivors.count_ones() > live.count_ones() || it.gone & !self.cheats == 0)
            && (out || mine())
    }
}
