//! When shuffles are verified. A pile goes from seat to seat, and everybody waits for the one who shuffles: he does so at
//! once, and sees to the proofs of those before him afterwards. Several are verified together for less than one by one.
//! All of them are before anything else is done with the pile: a step is not closed, and nothing but a shuffle is made of
//! a pile, while a proof in it is unverified.

use super::Session;
use crate::duty::Pile;
use crate::evidence::Crime;
use crate::plan::Due;

/// Whoever has nothing else to do verifies as soon as so many shuffles have come together.
const TOGETHER: usize = 3;

impl Session {
    /// The phase under way has all it needs: verifies what is to be verified before the next. False if a seat has
    /// cheated: then the step is back where it did.
    pub(super) fn settle_in_time(&mut self) -> bool {
        let Some(step) = &self.step else { return true };
        let phase = usize::from(step.phase);
        let mixing = |phase: usize| step.plan.phases.get(phase).filter(|due| mixes(due));
        let mine = |phase| mixing(phase).is_some_and(|due| due.iter().any(|(s, _)| Some(*s) == self.seat()));
        // What this seat has just made is waited for, and what it makes next as well.
        let busy = mine(phase) || mine(phase + 1);
        // Who only watches, or judges, has all the time.
        let together = self.seat().map_or(1, |_| TOGETHER);
        let unsettled = step.work.pile.as_ref().map_or(0, Pile::unsettled);
        let now = mixing(phase + 1).is_none() || (!busy && unsettled >= together);
        !now || self.settle()
    }

    /// Verifies all shuffles of the step under way that are not. False if one of them is wrong.
    pub(super) fn settle(&mut self) -> bool {
        let (Some(step), Some(roster)) = (&mut self.step, &self.roster) else { return true };
        let (Some(pile), Some(mix)) = (&mut step.work.pile, &step.plan.mix) else { return true };
        let unsettled = pile.unsettled() as u32;
        if unsettled == 0 {
            return true;
        }
        let lock = match roster.lock(mix.lock) {
            Ok(lock) => lock,
            Err(e) => {
                self.broken(e.to_string());
                return false;
            }
        };
        let Err(wrong) = pile.settle(&lock, &self.cards.generators) else {
            self.trust.proofs += unsettled;
            self.trust.shuffles += unsettled;
            return true;
        };
        // Back to where it went wrong: what others have made of it is void, and nobody but the one is to blame.
        let seat = wrong.seat.index();
        let false_one = step.got.iter().position(|(message, _)| {
            let due = step.plan.phases.get(usize::from(message.place.phase));
            message.place.seat == seat && due.is_some_and(mixes)
        });
        let Some((message, _)) = false_one.map(|at| step.got.remove(at)) else {
            self.broken(wrong.to_string());
            return false;
        };
        let phase = message.place.phase;
        step.got.retain(|(other, _)| other.place.phase < phase);
        step.verified.clear();
        step.phase = phase;
        self.crime(seat, Crime::Wrong(wrong.to_string()), vec![message]);
        false
    }
}

fn mixes(due: &Due) -> bool {
    due.iter().any(|(_, duty)| duty.mix)
}
