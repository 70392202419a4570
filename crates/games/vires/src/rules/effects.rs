//! Effects of cards, Actions and Events alike.

use super::{Flow, FlowResult};
use crate::actions::Aim;
use crate::cards::{Card, Kind};
use crate::facts::Context;
use crate::options::Sybil;
use crate::state::{Bill, Case, GARBAGE, Loss, OFFER, POOL, Task, Then, Vires, bank, hand};
use pentarchy_engine::{RuleError, Seat, Token, ensure};

impl Vires {
    /// Applies the effect of a card on the table that was not cancelled. The card goes to the Garbage when the
    /// effect is complete.
    pub(super) fn effect(&mut self, cx: &mut Context<'_>, t: Token, aim: Aim) -> FlowResult {
        let card = self.tokens.face(t)?;
        self.push_task(Task::Discard(t))?;
        if card.kind() == Kind::Paid {
            for _ in 0..self.price(card) {
                self.spend_coin(self.active, POOL);
            }
            self.turn.double = false;
        }
        let height = self.agenda.height();
        let ran = match aim {
            Aim::At(x) => self.effect_on(card, x)?,
            _ => self.effect_of(cx, card, aim)?,
        };
        // Most effects are complete immediately. If the game is over, the agenda is shorter than before.
        if self.agenda.height() == height {
            self.pop_task()?;
            return self.discard(t);
        }
        Ok(ran)
    }

    /// Applies the effect of a card that is aimed at opponent `x`.
    ///
    /// # Errors
    ///
    /// Fails if the card is not aimed at an opponent.
    fn effect_on(&mut self, card: Card, x: Seat) -> FlowResult {
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
                self.push_task(Task::Coin { from: x, to: None })?;
                return self.ask_to_protect(x, Loss::Coin);
            }
            Card::Bot => return self.challenge_stake(x, tuning.bot, Case::Stake(x, tuning.bot)),
            Card::Ico => return self.challenge_stake(x, tuning.ico, Case::Stake(x, tuning.ico)),
            // With two copies of TEST the last other card may have been used to defend DEX itself.
            Card::Dex if self.cards(p) == 0 => {}
            Card::Dex => self.push_task(Task::Offer(x))?,
            Card::Oracle => self.push_task(Task::Look { of: x, by: p })?,
            Card::DiffUp => {
                let player = self.player_mut(x);
                player.diff = player.diff.saturating_add(tuning.diff_up.into());
            }
            Card::Half => {
                let player = self.player_mut(x);
                player.reward = player.reward.saturating_sub(tuning.half.into());
            }
            Card::TimeLock => self.player_mut(x).timelock = true,
            _ => return Err(RuleError::new("this card is not aimed at an opponent")),
        }
        Ok(Flow::Go)
    }

    /// Applies the effect of a card that is not aimed at an opponent, Events included.
    ///
    /// # Errors
    ///
    /// Fails if the card has no such effect.
    fn effect_of(&mut self, cx: &mut Context<'_>, card: Card, aim: Aim) -> FlowResult {
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
            Card::Whale => self.push_task(Task::LoseEach { at: next, left: n - 1, k: tuning.whale_loss })?,
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
            Card::Ponzi => self.push_task(Task::Ponzi { at: next, left: n - 1 })?,
            // --- Events
            Card::Ath => return self.challenge(cx, p, Case::Ath),
            Card::Atl => return self.challenge(cx, p, Case::Atl),
            Card::Pump => return self.challenge(cx, p, Case::Pump),
            Card::Btfd => {
                self.gain_hr(p, tuning.btfd);
                self.push_task(Task::Btfd { at: next, left: n - 1 })?;
            }
            Card::Byz => self.push_task(Task::Vote { at: p, left: n, ballot: 1 })?,
            Card::Kyc => self.push_task(Task::Kyc)?,
            Card::NoCoin => self.no_coin(),
            Card::Pos => self.push_task(Task::Pos { at: p, left: n })?,
            Card::Sybil => {
                let longest = self.ring().map(|x| self.blocks(x)).max().unwrap_or(0);
                let least = if self.rules.sybil == Sybil::Leaders { longest.max(2) } else { 2 };
                self.push_task(Task::Sybil { at: p, left: n, least })?;
            }
            _ => return Err(RuleError::new("this card has no effect of its own")),
        }
        Ok(Flow::Go)
    }

    /// Sets a card aside for DEX, face down. A hidden HR must be offered before a public one, so offering a
    /// public one declares (and proves) that none is hidden.
    ///
    /// # Errors
    ///
    /// Fails if the card is not in the active player's Hand.
    pub(super) fn offer(&mut self, cx: &mut Context<'_>, t: Token, to: Seat) -> FlowResult {
        let p = self.active;
        ensure(self.tokens.in_zone(t, hand(p)), "this card is not in the Hand")?;
        if self.tokens.public_face(t) == Some(Card::Hr) {
            self.no_more_hr(cx, p)?;
        }
        self.tokens.put(t, OFFER);
        self.pop_task()?;
        self.lose_hr(Bill { from: to, to: Some(p), left: self.rules.tuning.dex, then: Then::Offer })
    }
}
