//! Challenges: stakes, the coin flip, and its effects.

use super::{Flow, FlowResult};
use crate::actions::Good;
use crate::cards::Card;
use crate::facts::{Context, Fact};
use crate::state::{Bill, Case, Loss, Task, Then, Vires, bank};
use pentarchy_engine::{RuleError, Seat, ensure};

impl Vires {
    /// Opens a challenge without a stake, as Events have it.
    pub(super) fn challenge(&mut self, cx: &mut Context<'_>, of: Seat, case: Case) -> FlowResult {
        self.push_task(Task::Verdict(case))?;
        self.open_challenge(cx, of, false, None, of, self.seats)
    }

    /// Opens a challenge by the active player in which `who` must show HR for the stake.
    pub(super) fn challenge_stake(&mut self, who: Seat, stake: u8, case: Case) -> FlowResult {
        let goal = stake.saturating_sub(self.losable(who));
        self.push_task(Task::Covered { who, goal, case })?;
        self.show(who, goal)
    }

    /// Continues a challenge after the stake was shown. A player who does not cover it has lost without a flip.
    pub(super) fn covered(&mut self, cx: &mut Context<'_>, who: Seat, goal: u8, case: Case) -> FlowResult {
        if self.open_hr(who) < goal {
            cx.emit(|| Fact::Uncovered(who, self.asks_for_flip(case)));
            return self.judge(case, false);
        }
        self.push_task(Task::Verdict(case))?;
        self.open_challenge(cx, who, true, None, who, self.seats)
    }

    /// Resolves the coin flip: 1 is heads.
    ///
    /// # Errors
    ///
    /// Fails if no coin is flipped now, or `n` is not 0 or 1.
    pub(super) fn flipped(&mut self, cx: &mut Context<'_>, n: u32) -> FlowResult {
        ensure(self.agenda.top() == Some(Task::Flip), "no coin is flipped now")?;
        ensure(n < 2, "a coin has two sides")?;
        self.pop_task()?;
        self.decided(cx, n == 1, true)
    }

    /// Ends the challenge on top of the agenda and applies its effect. `won`: the challenged player has won.
    /// `flipped`: a coin decided it.
    ///
    /// # Errors
    ///
    /// Fails if the top of the agenda is not a verdict.
    pub(super) fn decided(&mut self, cx: &mut Context<'_>, won: bool, flipped: bool) -> FlowResult {
        match self.agenda.pop() {
            Some(Task::Verdict(case)) => {
                cx.emit(|| {
                    let (seat, card) = (case.challenged(self.active), self.asks_for_flip(case));
                    let idle = matches!((case, won), (Case::Ath | Case::Btfd(_), false) | (Case::Atl, true));
                    Fact::Decided { seat, card, won, flipped, idle }
                });
                self.judge(case, won)
            }
            _ => Err(RuleError::new("a challenge without a verdict")),
        }
    }

    /// Applies the effect of a challenge. `won`: the challenged player has won.
    fn judge(&mut self, case: Case, won: bool) -> FlowResult {
        let (p, n) = (self.active, self.seats);
        let next = self.after(p);
        let tuning = self.rules.tuning;
        match (case, won) {
            (Case::Ath, true) => self.push_task(Task::GainEach { at: p, left: n, k: tuning.ath })?,
            (Case::Atl, false) => self.push_task(Task::LoseEach { at: p, left: n, k: tuning.atl })?,
            (Case::Ath, false) | (Case::Atl, true) => {}
            (Case::Pump, true) => {
                self.push_task(Task::GainEach { at: p, left: 1, k: tuning.pump })?;
                self.push_task(Task::LoseEach { at: next, left: n - 1, k: tuning.pump })?;
            }
            (Case::Pump, false) => {
                self.push_task(Task::GainEach { at: next, left: n - 1, k: tuning.pump })?;
                self.push_task(Task::LoseEach { at: p, left: 1, k: tuning.pump })?;
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
                self.push_task(Task::Choose { by: if won { x } else { p }, from: x })?;
            }
        }
        Ok(Flow::Go)
    }

    /// Returns the card that demands the coin flip of a challenge.
    pub(crate) fn asks_for_flip(&self, case: Case) -> Card {
        match case {
            Case::Ath => Card::Ath,
            Case::Atl => Card::Atl,
            Case::Pump => Card::Pump,
            Case::Btfd(_) => Card::Btfd,
            Case::Stake(..) => self.staked(),
            Case::Ponzi(_) => Card::Ponzi,
        }
    }

    /// Returns the card of a challenge with stakes: BOT or ICO.
    fn staked(&self) -> Card {
        let played = self.agenda.iter().find_map(|task| match *task {
            Task::Discard(t) => self.tokens.public_face(t),
            _ => None,
        });
        played.unwrap_or(Card::Bot)
    }

    /// Continues BTFD with player `at`, for `left` players in all: each is challenged.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn btfd(&mut self, cx: &mut Context<'_>, at: Seat, left: u8) -> FlowResult {
        if let Some(rest) = left.checked_sub(1) {
            self.push_task(Task::Btfd { at: self.after(at), left: rest })?;
            return self.challenge(cx, at, Case::Btfd(at));
        }
        Ok(Flow::Go)
    }

    /// Continues PONZI with opponent `at`, for `left` opponents in all.
    pub(super) fn ponzi(&mut self, at: Seat, left: u8) -> FlowResult {
        if let Some(rest) = left.checked_sub(1) {
            self.push_task(Task::Ponzi { at: self.after(at), left: rest })?;
            return self.challenge_stake(at, 1, Case::Ponzi(at));
        }
        Ok(Flow::Go)
    }

    /// Returns whether the winner of PONZI may name this. An opponent may only name what they can give: they
    /// have covered the stake, so without a Coin they have an HR.
    pub(super) fn may_choose(&self, by: Seat, from: Seat, good: Good) -> bool {
        good == Good::Hr || by == self.active || self.losable(from) > 0
    }

    /// Applies the choice of the winner of PONZI: what the opponent gives.
    ///
    /// # Errors
    ///
    /// Fails if the opponent has no Coin to give.
    pub(super) fn choose(&mut self, by: Seat, from: Seat, good: Good) -> FlowResult {
        ensure(self.may_choose(by, from, good), "there is no Coin to give")?;
        self.pop_task()?;
        let p = self.active;
        match good {
            Good::Coin if self.losable(from) == 0 => {
                self.take_from_pool(bank(p), 1);
                Ok(Flow::Go)
            }
            Good::Coin => {
                self.push_task(Task::Coin { from, to: Some(p) })?;
                self.ask_to_protect(from, Loss::Coin)
            }
            Good::Hr => self.lose_hr(Bill { from, to: Some(p), left: 1, then: Then::Pool }),
        }
    }
}
