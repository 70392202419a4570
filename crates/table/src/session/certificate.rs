//! Who is out, and since when: the votes of the survivors, and what binds them.
//!
//! A machine has one vote, that of the person at it; "survivors" below are the seats of persons that remain, and all seats
//! of a machine go together. A seat that signs a vote is bound by it: it takes nothing more from the seats that are out, and
//! nothing else that would move the log. The vote is settled when all survivors have signed the same. If one of them refuses
//! by a `Resume`, not all will ever sign: everybody is free again, and may sign the same in a further round. A bound seat
//! signs only what goes further (more seats, or an earlier step), and then does not go on with the lesser vote. So of two
//! votes that all their survivors have signed, and these are a majority each time, one goes further than the other, and
//! none of its survivors goes on with the lesser. No two survivors end up in different histories, whatever was late.
//! Against a proved cheater there is no `Resume`. A bot is bound by the votes of its host.

use super::Session;
use crate::record::Ending;
use crate::wire::{Saying, Without};

/// Upper bound on the votes that a seat refuses in one step.
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

    /// The seats, as bits, of the machines that are proved to have cheated.
    pub(super) fn guilty(&self) -> u8 {
        self.descriptor.whole_machines(self.cheats)
    }

    /// The seats that have signed this vote, as bits.
    fn voted(&self, it: &Without) -> u8 {
        self.signers(|s| s.vote() == Some(*it))
    }

    /// Whether one of the survivors will never sign this.
    fn is_refused(&self, it: &Without) -> bool {
        let refused = |s: &Saying| *s == Saying::Resume(*it);
        it.gone & self.guilty() == 0 && self.signers(refused) & self.holders() & !it.gone != 0
    }

    /// What this machine has signed in this branch and is bound by.
    pub(super) fn bound(&self) -> impl Iterator<Item = Without> {
        let machine = self.seat().map(|seat| self.descriptor.machine(seat));
        let mine = self.said.iter().filter(move |said| Some(said.seat) == machine);
        let votes = mine.filter_map(|said| said.saying.vote());
        votes.filter(|it| it.branch == self.branch && !self.is_refused(it))
    }

    /// Whether this seat has signed that others are out, and that is neither settled nor refused.
    pub(super) fn is_frozen(&self) -> bool {
        self.bound().next().is_some()
    }

    /// Whether this seat is one of the survivors of a statement and will never sign it, because it has gone on.
    pub(super) fn is_past(&self, it: &Without) -> bool {
        let me = self.seat().map_or(0, |seat| 1u8 << seat);
        let survives = me & self.live & !it.gone != 0 && it.gone & self.guilty() == 0;
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
        if !self.is_voter() {
            return;
        }
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
        let (branch, seq, guilty) = (self.branch, self.log.len() as u32, self.guilty());
        self.said.retain(|said| match (said.saying.vote(), &said.saying) {
            (Some(it), _) => it.branch != branch || it.seq >= seq || it.gone & guilty != 0,
            (None, Saying::Resume(it)) => it.branch != branch || it.seq >= seq,
            _ => true,
        });
    }

    /// The seats that are out: proved to have cheated, or said to stall by all others who answer, a majority.
    fn out(&self) -> u8 {
        let mut out = self.guilty() & self.live;
        let Some(phase) = self.waiting_phase() else { return out };
        let late = self.late & self.live;
        let absent = self.descriptor.whole_machines(late);
        let patient = self.now - self.progress_at < 2 * u64::from(self.descriptor.stall_ms);
        for seat in (0..8).filter(|seat| late >> seat & 1 != 0) {
            let signed = self.holders() & self.signers(|s| s.late_seat() == Some((phase, seat)));
            let silent = self.holders() & !absent & !signed;
            // Who neither says so nor brings the message in time is out as well.
            let answered = silent == 0 || !patient;
            if answered && self.is_majority(signed) {
                out |= self.descriptor.whole_machines(silent | 1 << seat);
            }
        }
        out
    }

    /// Whether the machines of these seats are a strict majority of those that play.
    fn is_majority(&self, seats: u8) -> bool {
        2 * (seats & self.holders()).count_ones() > self.holders().count_ones()
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
        if self.is_voter() && !self.restoring {
            let gone = self.out();
            if gone != 0 && gone & me == 0 {
                self.vote_without(gone);
            }
            self.answer_without(me);
        }
        let settled = self.said.iter().filter_map(|said| said.saying.vote()).filter(|it| self.is_settled(it));
        if let Some(it) = settled.reduce(|one, two| if two.supersedes(&one) { two } else { one }) {
            self.without(it);
        }
    }

    /// Signs the vote that these seats are out, once it can be settled and the person at this seat has agreed.
    fn vote_without(&mut self, gone: u8) {
        // What binds this seat can only go further.
        let gone = self.bound().fold(gone, |gone, it| gone | it.gone);
        let seq = self.bound().fold(self.cut(gone), |seq, it| seq.min(it.seq));
        let Some(prev) = self.link(seq) else { return };
        let me = 1 << self.seat().unwrap_or(7);
        let branch = self.branch;
        let mut rounds = (0..u8::MAX).map(|round| Without { prev, branch, seq, gone, round });
        let Some(it) = rounds.find(|it| !self.is_refused(it)) else { return };
        let enough = self.is_majority(self.live & !gone) || gone & !self.guilty() == 0;
        // Before it is tried again everybody has time to hear what the others have.
        let again = it.round > 0 && self.now - self.progress_at < u64::from(self.descriptor.stall_ms) / 2;
        if enough && !again && self.voted(&it) & me == 0 && self.is_agreed(gone) {
            self.sign_vote(it);
            // The others get as long to do the same.
            self.progress_at = self.now;
        }
    }

    fn sign_vote(&mut self, it: Without) {
        self.say(Saying::Drop { without: it, unreachable: self.unreachable(it.gone) });
    }

    /// Others have signed that seats are out: this seat joins them if they are a majority, it lacks the same message, and
    /// the person at it agrees. If it lacks nothing it refuses, and so it does if it is bound by something else for too long.
    fn answer_without(&mut self, me: u8) {
        let due = self.due();
        let stuck =
            self.is_frozen() && self.now - self.progress_at >= 2 * u64::from(self.descriptor.stall_ms);
        let heard = self.said.iter().filter_map(|said| said.saying.vote());
        for it in heard.collect::<Vec<_>>() {
            let here = it.branch == self.branch && it.seq as usize == self.log.len() && it.prev == self.prev;
            let answered = |s: &Saying| s.vote() == Some(it) || *s == Saying::Resume(it);
            if !here || it.gone & (me | self.guilty()) != 0 || self.signers(answered) & me != 0 {
                continue;
            }
            let lacks = due.iter().any(|&seat| it.gone >> seat & 1 != 0);
            let signed = self.voted(&it);
            if lacks && self.is_majority(signed) && self.bound().all(|mine| it.supersedes(&mine)) {
                if self.is_agreed(it.gone) {
                    self.sign_vote(it);
                }
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
        self.bound().any(|mine| {
            let (beyond, short) = (it.gone & !mine.gone, mine.gone & !it.gone);
            let crosses = short != 0 && !self.is_majority(self.voted(it));
            beyond != 0 && (crosses || beyond & self.descriptor.voters() & !self.voted(&mine) == 0)
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
        let voters = live & self.descriptor.voters();
        let survivors = voters & !it.gone;
        let signed = self.voted(it);
        let out = self.seat().is_some_and(|seat| it.gone >> seat & 1 != 0);
        let mine = || {
            it.branch == self.branch
                && self.link(it.seq) == Some(it.prev)
                && !self.bound().any(|further| further.supersedes(it))
        };
        it.branch <= self.branch
            && it.gone & live == it.gone
            && it.gone == self.descriptor.whole_machines(it.gone) & live
            && survivors != 0
            && signed & survivors == survivors
            && (2 * survivors.count_ones() > voters.count_ones() || it.gone & !self.guilty() == 0)
            && (out || mine())
    }
}
