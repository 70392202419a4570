//! Challenges: stakes, the coin flip, and its effects.

use super::{Flow, FlowResult};
use crate::actions::Good;
use crate::cards::Card;
use crate::facts::{Context, Fact};
use crate::state::{Bill, Case, Loss, Task, Then, Vires, bank};
use pentarchy_engine::{RuleError, Seat, ensure};

impl Vires {
    /// Opens a challenge without a stake: player `of` flips, and all players, `of` first, may decide it
    /// before with STRONG or WEAK. Pushes the verdict of `case` below. Returns `Wait` if an event is needed
    /// next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn challenge(&mut self, cx: &mut Context<'_>, of: Seat, case: Case) -> FlowResult {
        self.push_task(Task::Verdict(case))?;
        self.open_challenge(cx, of, false, None, of, self.seats)
    }

    /// Begins a challenge by the active player: `who` must show HR for `stake`, less the Coins they can lose.
    /// Pushes the check of the stake, which then opens the challenge `case`, and above it the request to
    /// show. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn challenge_stake(&mut self, who: Seat, stake: u8, case: Case) -> FlowResult {
        let goal = stake.saturating_sub(self.losable(who));
        self.push_task(Task::Covered { who, goal, case })?;
        self.show(who, goal)
    }

    /// Continues a challenge after the stake was shown: opens it if `goal` HR of `who` are public. Otherwise
    /// `who` has lost without a flip: emits `Uncovered` and applies the effect of the lost challenge `case`.
    /// Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn covered(&mut self, cx: &mut Context<'_>, who: Seat, goal: u8, case: Case) -> FlowResult {
        if self.open_hr(who) < goal {
            cx.emit(|| Fact::Uncovered(who, self.asks_for_flip(case)));
            return self.judge(cx, case, false);
        }
        self.push_task(Task::Verdict(case))?;
        self.open_challenge(cx, who, true, None, who, self.seats)
    }

    /// Pops and resolves the awaited coin flip and the challenge below it. `n` is 1 for heads, with which the
    /// challenged player wins, 0 for tails. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if no coin is flipped now, or `n` is not 0 or 1; or if there is no challenge
    /// below.
    pub(super) fn flipped(&mut self, cx: &mut Context<'_>, n: u32) -> FlowResult {
        ensure(self.agenda.top() == Some(Task::Flip), "no coin is flipped now")?;
        ensure(n < 2, "a coin has two sides")?;
        self.pop_task()?;
        self.decided(cx, n == 1, true)
    }

    /// Ends the challenge on top of the agenda, emits `Decided` and applies its effect. `won`: the challenged
    /// player has won. `flipped`: a coin decided it, not a reaction. Returns `Wait` if an event is needed
    /// next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails if the top of the agenda is not a verdict, or the agenda is full.
    pub(super) fn decided(&mut self, cx: &mut Context<'_>, won: bool, flipped: bool) -> FlowResult {
        match self.agenda.pop() {
            Some(Task::Verdict(case)) => {
                cx.emit(|| {
                    let (seat, card) = (case.challenged(self.active), self.asks_for_flip(case));
                    let idle = matches!((case, won), (Case::Ath | Case::Btfd(_), false) | (Case::Atl, true));
                    Fact::Decided { seat, card, won, flipped, idle }
                });
                self.judge(cx, case, won)
            }
            _ => Err(RuleError::new("a challenge without a verdict")),
        }
    }

    /// Applies the effect of the challenge `case`, with the numbers of the tuning; `won`: the challenged
    /// player has won. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// ATH won: pushes a gain of HR for each player. ATL lost: pushes a loss for each. P&D won: pushes a loss
    /// for each other player, then a gain for the active one; lost: a loss for the active player, then a gain
    /// for each other. BTFD won: the challenged player gains HR at once. A stake: bills the loser, the
    /// challenged player for the stake or the active player for 1 HR, paid to the winner. PONZI: pushes the
    /// choice of the winner, a Coin or an HR of the challenged player. Otherwise no effect.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    fn judge(&mut self, cx: &mut Context<'_>, case: Case, won: bool) -> FlowResult {
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
            (Case::Btfd(x), true) => self.gain_hr(cx, x, tuning.btfd),
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

    /// Returns the card that demands the coin flip of this challenge: for stakes BOT or ICO, as the agenda
    /// says, for the other cases the card of that name.
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

    /// Returns the card of the current challenge with stakes, BOT or ICO: that of the lowest card on the
    /// agenda that waits for its discard; BOT if there is none.
    fn staked(&self) -> Card {
        let played = self.agenda.iter().find_map(|task| match *task {
            Task::Discard(t) => self.tokens.public_face(t),
            _ => None,
        });
        played.unwrap_or(Card::Bot)
    }

    /// Continues BTFD with player `at`, who flips a coin for an HR: `left` players are still to flip, this one
    /// included; nothing if it is 0. The others follow through a task pushed below. Returns `Wait` if an event
    /// is needed next, else `Go`.
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

    /// Continues PONZI with opponent `at`, who must cover a stake of 1: `left` opponents are still to be asked,
    /// this one included; nothing if it is 0. The others follow through a task pushed below. Returns `Wait` if
    /// an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn ponzi(&mut self, at: Seat, left: u8) -> FlowResult {
        if let Some(rest) = left.checked_sub(1) {
            self.push_task(Task::Ponzi { at: self.after(at), left: rest })?;
            return self.challenge_stake(at, 1, Case::Ponzi(at));
        }
        Ok(Flow::Go)
    }

    /// Returns whether the winner `by` of PONZI may name this as what `from` gives: an HR always; a Coin if
    /// `by` is the active player, or if `from` can lose one. `from` has covered the stake, so without a Coin
    /// to lose they have an HR.
    pub(super) fn may_choose(&self, by: Seat, from: Seat, good: Good) -> bool {
        good == Good::Hr || by == self.active || self.losable(from) > 0
    }

    /// Applies the choice of the winner `by` of PONZI, pops the task and emits `Chose`: pushes the loss of
    /// `from` to the active player, which `from` may protect first. A Coin that `from` lacks comes from the
    /// Pool at once. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if an opponent names a Coin and has none; or if the agenda is full.
    pub(super) fn choose(&mut self, cx: &mut Context<'_>, by: Seat, from: Seat, good: Good) -> FlowResult {
        ensure(self.may_choose(by, from, good), "there is no Coin to give")?;
        cx.emit(move || Fact::Chose(by, good));
        self.pop_task()?;
        let p = self.active;
        match good {
            Good::Coin if self.losable(from) == 0 => {
                self.take_from_pool(cx, bank(p), 1);
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
