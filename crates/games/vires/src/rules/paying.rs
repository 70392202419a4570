//! Paying, showing and receiving HashRates and Coins.

use super::{Flow, FlowResult};
use crate::cards::Card;
use crate::facts::{Context, Fact};
use crate::state::{Bill, Loss, OFFER, POOL, Task, Then, Vires, bank, hand};
use pentarchy_engine::{RuleError, Seat, Token, Zone, ensure};

impl Vires {
    // --- the Pool gives

    /// Moves `k` HR from the Pool to a zone, or as many as there are. Emits `Moved` for each.
    #[inline]
    pub(super) fn take_from_pool(&mut self, cx: &mut Context<'_>, to: Zone, k: u8) {
        for _ in 0..k {
            let Some(t) = self.tokens.top(POOL) else { return };
            self.move_good(cx, t, to);
        }
    }

    /// Moves an HR, a Coin or a Block to the bottom of the zone `to`, and emits `Moved` (not as a price).
    #[inline(always)]
    pub(super) fn move_good(&mut self, cx: &mut Context<'_>, token: Token, to: Zone) {
        let from = self.tokens.zone(token);
        cx.emit(move || Fact::Moved { token, from, to, price: false });
        self.tokens.put(token, to);
    }

    /// Moves an HR or a Coin that a player pays of their own will to the bottom of the zone `to`, and emits
    /// `Moved` marked as a price.
    pub(super) fn pay_price(&mut self, cx: &mut Context<'_>, token: Token, to: Zone) {
        let from = self.tokens.zone(token);
        cx.emit(move || Fact::Moved { token, from, to, price: true });
        self.tokens.put(token, to);
    }

    /// Moves `k` HR from the Pool to player `p`'s Hand, or as many as there are. Emits `Moved` for each.
    #[inline]
    pub(super) fn gain_hr(&mut self, cx: &mut Context<'_>, p: Seat, k: u8) {
        self.take_from_pool(cx, hand(p), k);
    }

    /// Moves `k` HR from the Pool to the Hand of each of the `left` players from `at` on in turn, until it is
    /// empty, and emits `Moved` for each HR. Returns `Go`; never fails.
    pub(super) fn gain_each(&mut self, cx: &mut Context<'_>, at: Seat, left: u8, k: u8) -> FlowResult {
        for p in at.ring(self.seats).take(left.into()) {
            self.gain_hr(cx, p, k);
        }
        Ok(Flow::Go)
    }

    // --- a player gives

    /// Makes a forced payment of the HR that `bill` demands: pays public HR; if they do not suffice and hidden
    /// cards may be HR, emits `PaymentPending`, pushes the payment again and waits for the player to show them.
    /// Otherwise settles the rest as the bill says. The caller has popped the payment. Returns `Wait` if an
    /// event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn pay(&mut self, cx: &mut Context<'_>, bill: Bill) -> FlowResult {
        self.pay_open(cx, bill, false)
    }

    /// Pays public HR of `bill.from` to the player or Pool of the bill, as far as they go. If more is owed
    /// and hidden cards may be HR, emits `PaymentPending`, pushes the payment and waits for them; otherwise
    /// settles the rest as the bill says. `waited`: hidden HR were asked for in earlier events, so
    /// `PaymentClosed` is emitted before. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    fn pay_open(&mut self, cx: &mut Context<'_>, mut bill: Bill, waited: bool) -> FlowResult {
        let to = bill.to.map_or(POOL, hand);
        while bill.left > 0
            && let Some(t) = self.open_card(bill.from, Card::Hr)
        {
            self.move_good(cx, t, to);
            bill.left -= 1;
        }
        if bill.left > 0 && self.maybe_hr(bill.from).next().is_some() {
            cx.emit(move || Fact::PaymentPending(bill.from));
            return self.push_and_wait(Task::Pay(bill));
        }
        if waited {
            let this = &*self;
            cx.emit(move || {
                let Bill { from, to, left, .. } = bill;
                Fact::PaymentClosed { from, to, hr: this.owed(bill) - left, all: left > Bill::ALL / 2 }
            });
        }
        self.settle_bill(cx, bill)
    }

    /// Returns the HR that a bill demanded at first: [`Bill::ALL`], or the number of the card that is being
    /// resolved (1 for a card without one, and for the active player's payment for BOT and ICO), at least
    /// what is left to pay.
    fn owed(&self, bill: Bill) -> u8 {
        if bill.left > Bill::ALL / 2 {
            return Bill::ALL;
        }
        let tuning = self.rules.tuning;
        let card = self.in_question().and_then(|(t, _)| self.tokens.public_face(t));
        match card {
            Some(Card::Bear) => tuning.bear,
            Some(Card::Scam) => tuning.scam,
            Some(Card::Dex) => tuning.dex,
            Some(Card::Whale) => tuning.whale_loss,
            Some(Card::Atl) => tuning.atl,
            Some(Card::Pump) => tuning.pump,
            Some(Card::Bot) if bill.from != self.active => tuning.bot,
            Some(Card::Ico) if bill.from != self.active => tuning.ico,
            _ => 1,
        }
        .max(bill.left)
    }

    /// Pays the HR `t`, which was hidden and has been shown, pops the task, and continues the payment `bill`.
    /// Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the payer's Hand, not public or not an HR; or if the
    /// agenda is full.
    pub(super) fn pay_shown(&mut self, cx: &mut Context<'_>, t: Token, mut bill: Bill) -> FlowResult {
        ensure(self.tokens.in_zone(t, hand(bill.from)), "this card is not in the Hand")?;
        ensure(self.tokens.face(t)? == Card::Hr, "only HR are paid")?;
        self.move_good(cx, t, bill.to.map_or(POOL, hand));
        bill.left -= 1;
        self.pop_tasks(1).pay_open(cx, bill, true)
    }

    /// Handles the declaration that the rest of the payer's Hand is no HR: pops the task and settles the
    /// payment. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the claim is false as far as the observer knows; or if the agenda is full.
    pub(super) fn pay_no_more(&mut self, cx: &mut Context<'_>, bill: Bill) -> FlowResult {
        self.no_more_hr(cx, bill.from)?;
        self.pop_tasks(1).pay_open(cx, bill, true)
    }

    /// Requires the claim that a player has no further hidden HR, and narrows the possible faces of the cards
    /// in the Hand for all observers.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the claim is false as far as the observer knows.
    pub(super) fn no_more_hr(&mut self, cx: &mut Context<'_>, p: Seat) -> Result<(), RuleError> {
        cx.require_none(&self.tokens, self.maybe_hr(p), Card::Hr.only())?;
        let mut at = self.tokens.top(hand(p));
        while let Some(t) = at {
            self.tokens.narrow(t, Card::Hr.only().complement());
            at = self.tokens.below(t);
        }
        Ok(())
    }

    /// Applies what follows from the rest of a bill when the Hand has no more HR, as `bill.then` says.
    /// `Stop`: nothing. `Swap`: the rest is paid in Coins, as far as they go. `Pool`: also in Coins, and
    /// what is missing comes from the Pool. `Offer`: like `Pool`, then the payer gets the offered card, and
    /// the look at it is pushed. `Miner`: what is missing to the minimum of MINER is paid like `Pool`, and
    /// the player who is paid gives the payer a Coin. Returns `Go`.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    fn settle_bill(&mut self, cx: &mut Context<'_>, bill: Bill) -> FlowResult {
        let Bill { from, to, left, then } = bill;
        match then {
            Then::Stop => {}
            Then::Swap => {
                self.swap_coins(cx, bill, left);
            }
            Then::Pool => self.pay_rest(cx, bill, left),
            Then::Offer => {
                self.pay_rest(cx, bill, left);
                if let Some(t) = self.tokens.top(OFFER) {
                    self.tokens.put(t, hand(from));
                    self.push_task(Task::Tell(t, from))?;
                }
            }
            Then::Miner => {
                let paid = Bill::ALL - left;
                self.pay_rest(cx, bill, self.rules.tuning.miner.saturating_sub(paid));
                if let Some(p) = to {
                    self.spend_coin(cx, p, bank(from));
                }
            }
        }
        Ok(Flow::Go)
    }

    /// Moves up to `owed` Coins of the payer, which stand for HR that the Hand could not pay, to the Hand of
    /// the player who is paid or to the Pool, and emits `Moved`; protected Coins stay. Returns how many are
    /// still missing.
    fn swap_coins(&mut self, cx: &mut Context<'_>, bill: Bill, owed: u8) -> u8 {
        let swapped = owed.min(self.losable(bill.from));
        for _ in 0..swapped {
            if let Some(t) = self.tokens.bottom(bank(bill.from)) {
                self.move_good(cx, t, bill.to.map_or(POOL, hand));
            }
        }
        owed - swapped
    }

    /// Pays `owed` HR in Coins of the payer; what is then missing the Pool gives to the player who is paid,
    /// as far as it has HR. With no such player it is dropped. Emits `Moved`.
    fn pay_rest(&mut self, cx: &mut Context<'_>, bill: Bill, owed: u8) {
        let missing = self.swap_coins(cx, bill, owed);
        if let Some(p) = bill.to {
            self.gain_hr(cx, p, missing);
        }
    }

    /// Moves a Coin that player `p` spends of their own will to the zone `to`, and emits `Moved` as a price.
    /// It may be the protected first one: without a Coin left the protection ends. No effect without a Coin.
    pub(super) fn spend_coin(&mut self, cx: &mut Context<'_>, p: Seat, to: Zone) {
        if let Some(t) = self.tokens.bottom(bank(p)) {
            self.pay_price(cx, t, to);
        }
        if self.coins(p) == 0 {
            self.player_mut(p).first_coin = false;
        }
    }

    /// Moves a Coin that player `from` loses to the Bank of `to` or, with `None`, to the Pool, and emits
    /// `Moved`; no effect if they have none to lose. Returns `Go`; never fails.
    pub(super) fn lose_coin(&mut self, cx: &mut Context<'_>, from: Seat, to: Option<Seat>) -> FlowResult {
        if self.losable(from) > 0
            && let Some(t) = self.tokens.bottom(bank(from))
        {
            self.move_good(cx, t, to.map_or(POOL, bank));
        }
        Ok(Flow::Go)
    }

    // --- showing

    /// Pushes the request to show HR until `goal` are public in the Hand of `who`, and waits. Nothing if they
    /// are, or if no hidden card may be an HR. Returns `Wait` if an event is needed next, else `Go`.
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

    /// Checks an HR that `who` has shown, emits `ShowedHr`, pops the task, and asks for more until `goal` are
    /// public. `have` were public before this event. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the Hand, not public, no HR, or was public already; or
    /// if the agenda is full.
    pub(super) fn shown(
        &mut self,
        cx: &mut Context<'_>,
        t: Token,
        who: Seat,
        goal: u8,
        have: u8,
    ) -> FlowResult {
        ensure(self.tokens.in_zone(t, hand(who)), "this card is not in the Hand")?;
        ensure(self.tokens.face(t)? == Card::Hr, "an HR is to be shown")?;
        ensure(self.open_hr(who) > have, "this HR is public already")?;
        cx.emit(move || Fact::ShowedHr(who));
        self.pop_tasks(1).show(who, goal)
    }

    /// Handles the declaration that `who` has no more HR to show: emits `ShowedAllHr` and pops the task.
    /// Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the claim is false as far as the observer knows.
    pub(super) fn shown_all(&mut self, cx: &mut Context<'_>, who: Seat) -> FlowResult {
        self.no_more_hr(cx, who)?;
        cx.emit(move || Fact::ShowedAllHr(who));
        self.pop_and_continue()
    }

    // --- losing in turn

    /// Pushes the forced payment `bill`, and above it the window in which the payer may protect themselves if
    /// they are asked. Pays nothing yet. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn lose_hr(&mut self, bill: Bill) -> FlowResult {
        self.push_task(Task::Pay(bill))?;
        self.ask_to_protect(bill.from, Loss::Hr)
    }

    /// Makes player `at` lose `k` HR to the Pool, with the question for protection before it: `left` players
    /// are still to lose some, this one included; nothing if it is 0. The others follow through a task pushed
    /// below. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn lose_each(&mut self, at: Seat, left: u8, k: u8) -> FlowResult {
        if let Some(rest) = left.checked_sub(1) {
            self.push_task(Task::LoseEach { at: self.after(at), left: rest, k })?;
            return self.lose_hr(Bill { from: at, to: None, left: k, then: Then::Swap });
        }
        Ok(Flow::Go)
    }
}
