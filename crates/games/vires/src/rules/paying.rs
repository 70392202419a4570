//! Paying, showing and receiving HashRates and Coins.

use super::{Flow, FlowResult};
use crate::cards::Card;
use crate::facts::Context;
use crate::state::{Bill, Loss, OFFER, POOL, Task, Then, Vires, bank, hand};
use pentarchy_engine::{RuleError, Seat, Token, Zone, ensure};

impl Vires {
    // --- the Pool gives

    /// Moves `k` HR from the Pool to a zone, or as many as there are.
    #[inline]
    pub(super) fn take_from_pool(&mut self, to: Zone, k: u8) {
        for _ in 0..k {
            let Some(t) = self.tokens.top(POOL) else { return };
            self.tokens.put(t, to);
        }
    }

    /// Gives `k` HR from the Pool to a player, or as many as there are.
    #[inline]
    pub(super) fn gain_hr(&mut self, p: Seat, k: u8) {
        self.take_from_pool(hand(p), k);
    }

    /// Gives `k` HR from the Pool to each of the `left` players from `at` on, until it is empty.
    pub(super) fn gain_each(&mut self, at: Seat, left: u8, k: u8) -> FlowResult {
        for p in at.ring(self.seats).take(left.into()) {
            self.gain_hr(p, k);
        }
        Ok(Flow::Go)
    }

    // --- a player gives

    /// Makes a forced payment: pays public HR; if they do not suffice, waits for the player to show hidden
    /// ones.
    pub(super) fn pay(&mut self, mut bill: Bill) -> FlowResult {
        let to = bill.to.map_or(POOL, hand);
        while bill.left > 0
            && let Some(t) = self.open_card(bill.from, Card::Hr)
        {
            self.tokens.put(t, to);
            bill.left -= 1;
        }
        if bill.left > 0 && self.maybe_hr(bill.from).next().is_some() {
            return self.push_and_wait(Task::Pay(bill));
        }
        self.settle_bill(bill)
    }

    /// Pays a hidden HR that was shown, and continues the payment.
    ///
    /// # Errors
    ///
    /// Fails if the card is not in the payer's Hand or not an HR.
    pub(super) fn pay_shown(&mut self, t: Token, mut bill: Bill) -> FlowResult {
        ensure(self.tokens.in_zone(t, hand(bill.from)), "this card is not in the Hand")?;
        ensure(self.tokens.face(t)? == Card::Hr, "only HR are paid")?;
        self.tokens.put(t, bill.to.map_or(POOL, hand));
        bill.left -= 1;
        self.pop_tasks(1).pay(bill)
    }

    /// Handles the declaration that the rest of the Hand is no HR, and continues the payment without it.
    ///
    /// # Errors
    ///
    /// Fails if the claim is false.
    pub(super) fn pay_no_more(&mut self, cx: &mut Context<'_>, bill: Bill) -> FlowResult {
        self.no_more_hr(cx, bill.from)?;
        self.pop_tasks(1).pay(bill)
    }

    /// Requires the claim that a player has no further HR, and narrows the cards of the Hand accordingly.
    ///
    /// # Errors
    ///
    /// Fails if the claim is false.
    pub(super) fn no_more_hr(&mut self, cx: &mut Context<'_>, p: Seat) -> Result<(), RuleError> {
        cx.require_none(&self.tokens, self.maybe_hr(p), Card::Hr.only())?;
        let mut at = self.tokens.top(hand(p));
        while let Some(t) = at {
            self.tokens.narrow(t, Card::Hr.only().complement());
            at = self.tokens.below(t);
        }
        Ok(())
    }

    /// Applies what follows from the rest of a bill when the Hand has no more HR.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    fn settle_bill(&mut self, bill: Bill) -> FlowResult {
        let Bill { from, to, left, then } = bill;
        match then {
            Then::Stop => {}
            Then::Swap => {
                self.swap_coins(bill, left);
            }
            Then::Pool => self.pay_rest(bill, left),
            Then::Offer => {
                self.pay_rest(bill, left);
                if let Some(t) = self.tokens.top(OFFER) {
                    self.tokens.put(t, hand(from));
                    self.push_task(Task::Tell(t, from))?;
                }
            }
            Then::Miner => {
                let paid = Bill::ALL - left;
                self.pay_rest(bill, self.rules.tuning.miner.saturating_sub(paid));
                if let Some(p) = to {
                    self.spend_coin(p, bank(from));
                }
            }
        }
        Ok(Flow::Go)
    }

    /// Pays Coins for what the Hand could not pay. Returns what is still missing.
    fn swap_coins(&mut self, bill: Bill, owed: u8) -> u8 {
        let swapped = owed.min(self.losable(bill.from));
        for _ in 0..swapped {
            if let Some(t) = self.tokens.bottom(bank(bill.from)) {
                self.tokens.put(t, bill.to.map_or(POOL, hand));
            }
        }
        owed - swapped
    }

    /// Pays Coins for what the Hand could not pay; the Pool pays what is still missing.
    fn pay_rest(&mut self, bill: Bill, owed: u8) {
        let missing = self.swap_coins(bill, owed);
        if let Some(p) = bill.to {
            self.gain_hr(p, missing);
        }
    }

    /// Moves a Coin that a player spends voluntarily. It may be the protected first one.
    pub(super) fn spend_coin(&mut self, p: Seat, to: Zone) {
        if let Some(t) = self.tokens.bottom(bank(p)) {
            self.tokens.put(t, to);
        }
        if self.coins(p) == 0 {
            self.player_mut(p).first_coin = false;
        }
    }

    /// Moves a Coin that a player loses to another player or to the Pool; no effect if they have none to lose.
    pub(super) fn lose_coin(&mut self, from: Seat, to: Option<Seat>) -> FlowResult {
        if self.losable(from) > 0
            && let Some(t) = self.tokens.bottom(bank(from))
        {
            self.tokens.put(t, to.map_or(POOL, bank));
        }
        Ok(Flow::Go)
    }

    // --- showing

    /// Lets a player show HR until `goal` are public, if they may have them.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn show(&mut self, who: Seat, goal: u8) -> FlowResult {
        let have = self.open_hr(who);
        if have >= goal || self.maybe_hr(who).next().is_none() {
            return Ok(Flow::Go);
        }
        self.push_and_wait(Task::Show { who, goal, have })
    }

    /// Checks an HR that was shown (`have` were public before), and continues.
    ///
    /// # Errors
    ///
    /// Fails if the card is not a hidden HR of the Hand.
    pub(super) fn shown(&mut self, t: Token, who: Seat, goal: u8, have: u8) -> FlowResult {
        ensure(self.tokens.in_zone(t, hand(who)), "this card is not in the Hand")?;
        ensure(self.tokens.face(t)? == Card::Hr, "an HR is to be shown")?;
        ensure(self.open_hr(who) > have, "this HR is public already")?;
        self.pop_tasks(1).show(who, goal)
    }

    /// Handles the declaration that the player has no more HR to show.
    ///
    /// # Errors
    ///
    /// Fails if the claim is false.
    pub(super) fn shown_all(&mut self, cx: &mut Context<'_>, who: Seat) -> FlowResult {
        self.no_more_hr(cx, who)?;
        self.pop_and_continue()
    }

    // --- losing in turn

    /// Opens the window to protect from a loss of HR, then the payment.
    pub(super) fn lose_hr(&mut self, bill: Bill) -> FlowResult {
        self.push_task(Task::Pay(bill))?;
        self.ask_to_protect(bill.from, Loss::Hr)
    }

    /// Lets the `left` players from `at` on lose `k` HR one after the other.
    pub(super) fn lose_each(&mut self, at: Seat, left: u8, k: u8) -> FlowResult {
        if let Some(rest) = left.checked_sub(1) {
            self.push_task(Task::LoseEach { at: self.after(at), left: rest, k })?;
            return self.lose_hr(Bill { from: at, to: None, left: k, then: Then::Swap });
        }
        Ok(Flow::Go)
    }
}
