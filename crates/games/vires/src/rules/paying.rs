//! Paying, showing and receiving HashRates and Coins.

use super::{Flow, Ran};
use crate::cards::Card;
use crate::state::{Bill, Loss, OFFER, POOL, Step, Then, Vires, bank, hand};
use pentarchy_engine::{Cx, Rejected, Seat, Token, Zone, ensure};

impl Vires {
    // --- the Pool gives

    /// HR from the Pool to a zone, as many as there are.
    #[inline]
    pub(super) fn take_from_pool(&mut self, to: Zone, k: u8) {
        for _ in 0..k {
            let Some(t) = self.tokens.top(POOL) else { return };
            self.tokens.put(t, to);
        }
    }

    /// HR from the Pool, as many as there are.
    #[inline]
    pub(super) fn gain_hr(&mut self, p: Seat, k: u8) {
        self.take_from_pool(hand(p), k);
    }

    /// So many players, from this one on, get HR from the Pool until it is dry.
    pub(super) fn gain_each(&mut self, at: Seat, left: u8, k: u8) -> Ran {
        for p in at.ring(self.seats).take(left.into()) {
            self.gain_hr(p, k);
        }
        Ok(Flow::Go)
    }

    // --- a player gives

    /// A forced payment: public HR go without asking; if they do not suffice the player shows hidden ones.
    pub(super) fn pay(&mut self, mut bill: Bill) -> Ran {
        let to = bill.to.map_or(POOL, hand);
        while bill.left > 0
            && let Some(t) = self.open_card(bill.from, Card::Hr)
        {
            self.tokens.put(t, to);
            bill.left -= 1;
        }
        if bill.left > 0 && self.maybe_hr(bill.from).next().is_some() {
            return self.wait(Step::Pay(bill));
        }
        self.settle_bill(bill)
    }

    /// A hidden HR is shown and paid.
    pub(super) fn pay_shown(&mut self, t: Token, mut bill: Bill) -> Ran {
        ensure(self.tokens.in_zone(t, hand(bill.from)), "this card is not in the Hand")?;
        ensure(self.tokens.face(t)? == Card::Hr, "only HR are paid")?;
        self.tokens.put(t, bill.to.map_or(POOL, hand));
        bill.left -= 1;
        self.off().pay(bill)
    }

    /// The player assures everybody that the rest of the Hand is no HR; the payment goes on without it.
    pub(super) fn pay_no_more(&mut self, cx: &mut Cx<'_, Card>, bill: Bill) -> Ran {
        self.no_more_hr(cx, bill.from)?;
        self.off().pay(bill)
    }

    pub(super) fn no_more_hr(&mut self, cx: &mut Cx<'_, Card>, p: Seat) -> Result<(), Rejected> {
        cx.require_none(&self.tokens, self.maybe_hr(p), Card::Hr.only())?;
        let mut at = self.tokens.top(hand(p));
        while let Some(t) = at {
            self.tokens.narrow(t, Card::Hr.only().complement());
            at = self.tokens.below(t);
        }
        Ok(())
    }

    /// The Hand has been gone through: what follows from what is left of the bill.
    fn settle_bill(&mut self, bill: Bill) -> Ran {
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
                    self.then(Step::Tell(t, from))?;
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

    /// Coins are swapped for what the Hand could not pay; gives what is still missing.
    fn swap_coins(&mut self, bill: Bill, owed: u8) -> u8 {
        let swapped = owed.min(self.losable(bill.from));
        for _ in 0..swapped {
            if let Some(t) = self.tokens.bottom(bank(bill.from)) {
                self.tokens.put(t, bill.to.map_or(POOL, hand));
            }
        }
        owed - swapped
    }

    /// The same, and what is still missing comes from the Pool.
    fn pay_rest(&mut self, bill: Bill, owed: u8) {
        let missing = self.swap_coins(bill, owed);
        if let Some(p) = bill.to {
            self.gain_hr(p, missing);
        }
    }

    /// A Coin is spent of one's own will: this may be the first one.
    pub(super) fn spend_coin(&mut self, p: Seat, to: Zone) {
        if let Some(t) = self.tokens.bottom(bank(p)) {
            self.tokens.put(t, to);
        }
        if self.coins(p) == 0 {
            self.player_mut(p).first_coin = false;
        }
    }

    /// A Coin is lost, to a player or to the Pool.
    pub(super) fn lose_coin(&mut self, from: Seat, to: Option<Seat>) -> Ran {
        if self.losable(from) > 0
            && let Some(t) = self.tokens.bottom(bank(from))
        {
            self.tokens.put(t, to.map_or(POOL, bank));
        }
        Ok(Flow::Go)
    }

    // --- showing

    /// A player shows HR until so many are public, if he has them.
    pub(super) fn show(&mut self, who: Seat, goal: u8) -> Ran {
        let have = self.open_hr(who);
        if have >= goal || self.maybe_hr(who).next().is_none() {
            return Ok(Flow::Go);
        }
        self.wait(Step::Show { who, goal, have })
    }

    /// An HR has been shown: one more than before is public.
    pub(super) fn shown(&mut self, t: Token, who: Seat, goal: u8, have: u8) -> Ran {
        ensure(self.tokens.in_zone(t, hand(who)), "this card is not in the Hand")?;
        ensure(self.tokens.face(t)? == Card::Hr, "an HR is to be shown")?;
        ensure(self.open_hr(who) > have, "this HR is public already")?;
        self.off().show(who, goal)
    }

    /// The player has no more HR to show.
    pub(super) fn shown_all(&mut self, cx: &mut Cx<'_, Card>, who: Seat) -> Ran {
        self.no_more_hr(cx, who)?;
        self.go_on()
    }

    // --- losing in turn

    /// A player is about to lose HR, and may protect himself.
    pub(super) fn lose_hr(&mut self, bill: Bill) -> Ran {
        self.then(Step::Pay(bill))?;
        self.ask_to_protect(bill.from, Loss::Hr)
    }

    /// So many players, from this one on, lose HR one after the other.
    pub(super) fn lose_each(&mut self, at: Seat, left: u8, k: u8) -> Ran {
        if let Some(rest) = left.checked_sub(1) {
            self.then(Step::LoseEach { at: self.after(at), left: rest, k })?;
            return self.lose_hr(Bill { from: at, to: None, left: k, then: Then::Swap });
        }
        Ok(Flow::Go)
    }
}
