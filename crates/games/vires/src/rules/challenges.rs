//! Challenges: stakes, the flip of the coin, and what follows from it.

use super::{Flow, Ran};
use crate::actions::Good;
use crate::state::{Bill, Case, Loss, Step, Then, Vires, bank};
use pentarchy_engine::{Rejected, Seat, ensure};

impl Vires {
    /// A challenge in which nobody has a stake: an Event's.
    pub(super) fn challenge(&mut self, of: Seat, case: Case) -> Ran {
        self.then(Step::Verdict(case))?;
        self.open_challenge(of, false, None, of, self.seats)
    }

    /// A challenge by the active player that this one must be able to cover.
    pub(super) fn challenge_stake(&mut self, who: Seat, stake: u8, case: Case) -> Ran {
        let goal = stake.saturating_sub(self.losable(who));
        self.then(Step::Covered { who, goal, case })?;
        self.show(who, goal)
    }

    /// Whoever does not cover the stake has lost without a flip.
    pub(super) fn covered(&mut self, who: Seat, goal: u8, case: Case) -> Ran {
        if self.open_hr(who) < goal {
            return self.judge(case, false);
        }
        self.then(Step::Verdict(case))?;
        self.open_challenge(who, true, None, who, self.seats)
    }

    /// The coin has been flipped: 1 is heads.
    pub(super) fn flipped(&mut self, n: u32) -> Ran {
        ensure(self.agenda.top() == Some(Step::Flip), "no coin is flipped now")?;
        ensure(n < 2, "a coin has two sides")?;
        self.drop_step()?;
        self.decided(n == 1)
    }

    /// The challenge on top of a verdict is decided.
    pub(super) fn decided(&mut self, won: bool) -> Ran {
        match self.agenda.pop() {
            Some(Step::Verdict(case)) => self.judge(case, won),
            _ => Err(Rejected::new("a challenge without a verdict")),
        }
    }

    /// What follows; `won` if the challengee has won.
    fn judge(&mut self, case: Case, won: bool) -> Ran {
        let (p, n) = (self.active, self.seats);
        let next = self.after(p);
        let tuning = self.rules.tuning;
        match (case, won) {
            (Case::Ath, true) => self.then(Step::GainEach { at: p, left: n, k: tuning.ath })?,
            (Case::Atl, false) => self.then(Step::LoseEach { at: p, left: n, k: tuning.atl })?,
            (Case::Ath, false) | (Case::Atl, true) => {}
            (Case::Pump, true) => {
                self.then(Step::GainEach { at: p, left: 1, k: tuning.pump })?;
                self.then(Step::LoseEach { at: next, left: n - 1, k: tuning.pump })?;
            }
            (Case::Pump, false) => {
                self.then(Step::GainEach { at: next, left: n - 1, k: tuning.pump })?;
                self.then(Step::LoseEach { at: p, left: 1, k: tuning.pump })?;
            }
            (Case::Btfd(x), true) => self.gain_hr(x, tuning.btfd),
            (Case::Btfd(_), false) => {}
            (Case::Stake(x, stake), false) => {
                return self.lose_hr(Bill { from: x, to: Some(p), left: stake, then: Then::Pool });
            }
            (Case::Stake(x, _), true) => {
                return self.lose_hr(Bill { from: p, to: Some(x), left: 1, then: Then::Swap });
            }
            (Case::Ponzi(x), won) => {
                self.then(Step::Choose { by: if won { x } else { p }, from: x })?;
            }
        }
        Ok(Flow::Go)
    }

    /// BTFD challenges the others one after the other.
    pub(super) fn btfd(&mut self, at: Seat, left: u8) -> Ran {
        if let Some(rest) = left.checked_sub(1) {
            self.then(Step::Btfd { at: self.after(at), left: rest })?;
            return self.challenge(at, Case::Btfd(at));
        }
        Ok(Flow::Go)
    }

    /// PONZI challenges the others one after the other.
    pub(super) fn ponzi(&mut self, at: Seat, left: u8) -> Ran {
        if let Some(rest) = left.checked_sub(1) {
            self.then(Step::Ponzi { at: self.after(at), left: rest })?;
            return self.challenge_stake(at, 1, Case::Ponzi(at));
        }
        Ok(Flow::Go)
    }

    /// Whether the winner of PONZI may name this. An opponent may only name what he can give: he has covered
    /// his stake, so without a Coin he has an HR.
    pub(super) fn may_choose(&self, by: Seat, from: Seat, good: Good) -> bool {
        good == Good::Hr || by == self.active || self.losable(from) > 0
    }

    /// The winner of PONZI has named what the opponent gives.
    pub(super) fn choose(&mut self, by: Seat, from: Seat, good: Good) -> Ran {
        ensure(self.may_choose(by, from, good), "there is no Coin to give")?;
        self.drop_step()?;
        let p = self.active;
        match good {
            Good::Coin if self.losable(from) == 0 => {
                self.take_from_pool(bank(p), 1);
                Ok(Flow::Go)
            }
            Good::Coin => {
                self.then(Step::Coin { from, to: Some(p) })?;
                self.ask_to_protect(from, Loss::Coin)
            }
            Good::Hr => self.lose_hr(Bill { from, to: Some(p), left: 1, then: Then::Pool }),
        }
    }
}
