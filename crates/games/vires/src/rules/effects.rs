//! What cards do when they take effect, Actions and Events alike.

use super::{Flow, Ran};
use crate::actions::Aim;
use crate::cards::{Card, Kind};
use crate::options::Sybil;
use crate::state::{Bill, Case, GARBAGE, Loss, OFFER, POOL, Step, Then, Vires, bank, hand};
use pentarchy_engine::{Cx, Rejected, Seat, Token, ensure};

impl Vires {
    /// The card on the table was not cancelled. It goes to the Garbage when all that it does is done.
    pub(super) fn effect(&mut self, t: Token, aim: Aim) -> Ran {
        let card = self.tokens.face(t)?;
        self.then(Step::Discard(t))?;
        if card.kind() == Kind::Paid {
            for _ in 0..self.price(card) {
                self.spend_coin(self.active, POOL);
            }
            self.turn.double = false;
        }
        let height = self.agenda.height();
        let ran = match aim {
            Aim::At(x) => self.effect_on(card, x)?,
            _ => self.effect_of(card, aim)?,
        };
        // Most cards are done with at once. (If the game is over, less is on the agenda than before.)
        if self.agenda.height() == height {
            self.drop_step()?;
            return self.discard(t);
        }
        Ok(ran)
    }

    /// Cards that are aimed at an opponent.
    fn effect_on(&mut self, card: Card, x: Seat) -> Ran {
        let p = self.active;
        let tuning = self.rules.tuning;
        match card {
            Card::Attack51 => return self.threaten_block(x, false),
            Card::Fork => return self.threaten_block(x, true),
            Card::Bear => {
                return self.lose_hr(Bill { from: x, to: None, left: tuning.bear, then: Then::Swap });
            }
            Card::Scam => {
                return self.lose_hr(Bill { from: x, to: Some(p), left: tuning.scam, then: Then::Swap });
            }
            Card::Rekt => return self.lose_hr(Bill { from: x, to: None, left: Bill::ALL, then: Then::Stop }),
            Card::Miner => {
                return self.lose_hr(Bill { from: x, to: Some(p), left: Bill::ALL, then: Then::Miner });
            }
            Card::Margin => {
                self.then(Step::Coin { from: x, to: None })?;
                return self.ask_to_protect(x, Loss::Coin);
            }
            Card::Bot => return self.challenge_stake(x, tuning.bot, Case::Stake(x, tuning.bot)),
            Card::Ico => return self.challenge_stake(x, tuning.ico, Case::Stake(x, tuning.ico)),
            // With two copies of TEST the last other card may have gone in defence of DEX itself.
            Card::Dex if self.cards(p) == 0 => {}
            Card::Dex => self.then(Step::Offer(x))?,
            Card::Oracle => self.then(Step::Look { of: x, by: p })?,
            Card::DiffUp => {
                let player = self.player_mut(x);
                player.diff = player.diff.saturating_add(tuning.diff_up.into());
            }
            Card::Half => {
                let player = self.player_mut(x);
                player.reward = player.reward.saturating_sub(tuning.half.into());
            }
            Card::TimeLock => self.player_mut(x).timelock = true,
            _ => return Err(Rejected::new("this card is not aimed at an opponent")),
        }
        Ok(Flow::Go)
    }

    /// Cards that are not, Events included.
    fn effect_of(&mut self, card: Card, aim: Aim) -> Ran {
        let (p, n) = (self.active, self.seats);
        let next = self.after(p);
        let tuning = self.rules.tuning;
        match card {
            // --- Actions
            Card::Bull => self.gain_hr(p, tuning.bull),
            Card::Sat => self.gain_coins(p, tuning.sat),
            Card::Stable => {
                if let Some(fiat) = self.open_card(p, Card::Fiat) {
                    self.tokens.put(fiat, GARBAGE);
                }
                self.gain_hr(p, tuning.stable);
            }
            Card::Whale if aim == Aim::Gain => self.gain_hr(p, tuning.whale_gain),
            Card::Whale => self.then(Step::LoseEach { at: next, left: n - 1, k: tuning.whale_loss })?,
            Card::Cex => {
                if let Some(t) = self.open_card(p, Card::Hr) {
                    self.tokens.put(t, bank(p));
                }
            }
            Card::Dca => {
                self.spend_coin(p, POOL);
                self.gain_hr(p, tuning.dca);
            }
            Card::DiffDown => {
                let player = self.player_mut(p);
                player.diff = player.diff.saturating_sub(tuning.diff_down.into());
            }
            Card::Fees => {
                let player = self.player_mut(p);
                player.reward = player.reward.saturating_add(tuning.fees.into());
            }
            Card::Double => self.turn.double = true,
            Card::Fiat => {}
            Card::Nonce => return self.gain_block(),
            Card::Ponzi => self.then(Step::Ponzi { at: next, left: n - 1 })?,
            // --- Events
            Card::Ath => return self.challenge(p, Case::Ath),
            Card::Atl => return self.challenge(p, Case::Atl),
            Card::Pump => return self.challenge(p, Case::Pump),
            Card::Btfd => {
                self.gain_hr(p, tuning.btfd);
                self.then(Step::Btfd { at: next, left: n - 1 })?;
            }
            Card::Byz => self.then(Step::Vote { at: p, left: n, ballot: 1 })?,
            Card::Kyc => self.then(Step::Kyc)?,
            Card::NoCoin => self.no_coin(),
            Card::Pos => self.then(Step::Pos { at: p, left: n })?,
            Card::Sybil => {
                let longest = self.ring().map(|x| self.blocks(x)).max().unwrap_or(0);
                let least = if self.rules.sybil == Sybil::Leaders { longest.max(2) } else { 2 };
                self.then(Step::Sybil { at: p, left: n, least })?;
            }
            _ => return Err(Rejected::new("this card has no effect of its own")),
        }
        Ok(Flow::Go)
    }

    /// DEX: a card is set aside, unseen. Of the HR a hidden one is taken if there is one; so whoever offers a
    /// public one assures everybody that none is hidden.
    pub(super) fn offer(&mut self, cx: &mut Cx<'_, Card>, t: Token, to: Seat) -> Ran {
        let p = self.active;
        ensure(self.tokens.in_zone(t, hand(p)), "this card is not in the Hand")?;
        if self.tokens.public_face(t) == Some(Card::Hr) {
            self.no_more_hr(cx, p)?;
        }
        self.tokens.put(t, OFFER);
        self.drop_step()?;
        self.lose_hr(Bill { from: to, to: Some(p), left: self.rules.tuning.dex, then: Then::Offer })
    }
}
