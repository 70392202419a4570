//! Effects of cards, Actions and Events alike.

use super::{Flow, FlowResult};
use crate::actions::Aim;
use crate::cards::{Card, Kind};
use crate::facts::{BlockSource, Context, Fact};
use crate::options::Sybil;
use crate::state::{Bill, Case, GARBAGE, Loss, OFFER, POOL, Task, Then, Vires, bank, hand};
use pentarchy_engine::{RuleError, Seat, Token, ensure};

impl Vires {
    /// Applies the effect of the card `t` on the table, aimed at `aim`, that was not cancelled: takes the price
    /// of a paid card and ends DOUBLE with it, then performs the effect or pushes its tasks. When it is
    /// complete, the card goes to the Garbage, by a task below if needed. The caller has popped the task.
    /// Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails if the card is hidden, its aim does not fit, or the agenda is full.
    pub(super) fn effect(&mut self, cx: &mut Context<'_>, t: Token, aim: Aim) -> FlowResult {
        let card = self.tokens.face(t)?;
        self.push_task(Task::Discard(t))?;
        if card.kind() == Kind::Paid {
            for _ in 0..self.price(card) {
                self.spend_coin(cx, self.active, POOL);
            }
            self.turn.double = false;
        }
        let height = self.agenda.height();
        let ran = match aim {
            Aim::At(x) => self.effect_on(cx, card, x)?,
            _ => self.effect_of(cx, card, aim)?,
        };
        // Most effects are complete immediately. If the game is over, the agenda is shorter than before.
        if self.agenda.height() == height {
            self.pop_task()?;
            return self.discard(t);
        }
        Ok(ran)
    }

    /// Applies the printed effect of the active player's card that is aimed at opponent `x`, with the numbers
    /// of the tuning. The price is paid elsewhere. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// 51% threatens a Block, which goes to the Pool; FORK one, which goes to the active player. BEAR and
    /// REKT take HR for the Pool, SCAM and MINER for the active player (REKT and MINER all of the Hand),
    /// MARGIN a Coin for the Pool; the loser may first be asked for protection. BOT and ICO begin a challenge
    /// with a stake. DEX pushes the offer of a card (nothing if the active Hand is empty), ORACLE a look at
    /// the Hand. DIFF++ raises the cost and HALF lowers the reward of the next Block of `x`, T-L sets its
    /// mark; these emit their facts at once, an existing mark none.
    ///
    /// # Errors
    ///
    /// Fails if the card is not aimed at an opponent, or the agenda is full.
    fn effect_on(&mut self, cx: &mut Context<'_>, card: Card, x: Seat) -> FlowResult {
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
            Card::DiffUp => self.change_cost(cx, x, tuning.diff_up.into()),
            Card::Half => self.change_reward(cx, x, -i16::from(tuning.half)),
            Card::TimeLock => {
                if !std::mem::replace(&mut self.player_mut(x).timelock, true) {
                    cx.emit(move || Fact::TimeLocked(x));
                }
            }
            _ => return Err(RuleError::new("this card is not aimed at an opponent")),
        }
        Ok(Flow::Go)
    }

    /// Applies the printed effect of a card that is not aimed at an opponent, an Action of the active
    /// player or an Event. `aim` tells the two uses of WHALE and is ignored for others. The price is paid
    /// elsewhere. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// At once, with their facts: BULL, SAT, STABLE (discards an open FIAT too), WHALE for a gain, DCA (for
    /// a Coin), and BTFD gain HR or Coins; CEX pays an open HR into the bank of the player; DIFF-- and FEES
    /// change mining cost and reward; DOUBLE makes the next card free; NO-COIN takes effect. FIAT does
    /// nothing. NONCE gains a Block of the pool; ATH, ATL and PUMP begin a challenge. The others, the
    /// losses by WHALE, and the challenges of BTFD are pushed as tasks that pass around the table.
    ///
    /// # Errors
    ///
    /// Fails if the card has no such effect, or the agenda is full.
    fn effect_of(&mut self, cx: &mut Context<'_>, card: Card, aim: Aim) -> FlowResult {
        let (p, n) = (self.active, self.seats);
        let next = self.after(p);
        let tuning = self.rules.tuning;
        match card {
            // --- Actions
            Card::Bull => self.gain_hr(cx, p, tuning.bull),
            Card::Sat => self.gain_coins(cx, p, tuning.sat),
            Card::Stable => {
                if let Some(fiat) = self.open_card(p, Card::Fiat) {
                    self.tokens.put(fiat, GARBAGE);
                }
                self.gain_hr(cx, p, tuning.stable);
            }
            Card::Whale if aim == Aim::Gain => self.gain_hr(cx, p, tuning.whale_gain),
            Card::Whale => self.push_task(Task::LoseEach { at: next, left: n - 1, k: tuning.whale_loss })?,
            Card::Cex => {
                if let Some(t) = self.open_card(p, Card::Hr) {
                    self.pay_price(cx, t, bank(p));
                }
            }
            Card::Dca => {
                self.spend_coin(cx, p, POOL);
                self.gain_hr(cx, p, tuning.dca);
            }
            Card::DiffDown => self.change_cost(cx, p, -i16::from(tuning.diff_down)),
            Card::Fees => self.change_reward(cx, p, tuning.fees.into()),
            Card::Double => {
                if !std::mem::replace(&mut self.turn.double, true) {
                    cx.emit(move || Fact::NextCardFree(p));
                }
            }
            Card::Fiat => {}
            Card::Nonce => return self.gain_block(cx, BlockSource::Pool),
            Card::Ponzi => self.push_task(Task::Ponzi { at: next, left: n - 1 })?,
            // --- Events
            Card::Ath => return self.challenge(cx, p, Case::Ath),
            Card::Atl => return self.challenge(cx, p, Case::Atl),
            Card::Pump => return self.challenge(cx, p, Case::Pump),
            Card::Btfd => {
                self.gain_hr(cx, p, tuning.btfd);
                self.push_task(Task::Btfd { at: next, left: n - 1 })?;
            }
            Card::Byz => self.push_task(Task::Vote { at: p, left: n, ballot: 1 })?,
            Card::Kyc => self.push_task(Task::Kyc)?,
            Card::NoCoin => self.no_coin(cx),
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

    /// Adds `by`, which may be negative, to the cost of player `x`'s next Block until one is mined, and emits
    /// `NextCost` with the new cost unless `by` is 0.
    fn change_cost(&mut self, cx: &mut Context<'_>, x: Seat, by: i16) {
        let player = self.player_mut(x);
        player.diff = player.diff.saturating_add(by);
        if by != 0 {
            let this = &*self;
            cx.emit(move || Fact::NextCost(x, this.cost(x)));
        }
    }

    /// Adds `by`, which may be negative, to the reward of player `x`'s next Block until one is mined, and
    /// emits `NextReward` with the new reward unless `by` is 0.
    fn change_reward(&mut self, cx: &mut Context<'_>, x: Seat, by: i16) {
        let player = self.player_mut(x);
        player.reward = player.reward.saturating_add(by);
        if by != 0 {
            let this = &*self;
            cx.emit(move || Fact::NextReward(x, this.reward(x)));
        }
    }

    /// Sets a card of the active player aside for DEX, face down, emits `Offered`, pops the task, and pushes
    /// the payment of `tuning.dex` HR by `to`, with the question for protection above it. A hidden HR must be
    /// offered before a public one, so offering a public one declares (and proves) that none is hidden. Returns
    /// `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the active player's Hand, or the declaration is false;
    /// or if the agenda is full.
    pub(super) fn offer(&mut self, cx: &mut Context<'_>, t: Token, to: Seat) -> FlowResult {
        let p = self.active;
        ensure(self.tokens.in_zone(t, hand(p)), "this card is not in the Hand")?;
        if self.tokens.public_face(t) == Some(Card::Hr) {
            self.no_more_hr(cx, p)?;
        }
        cx.emit(move || Fact::Offered(p, t));
        self.tokens.put(t, OFFER);
        self.pop_task()?;
        self.lose_hr(Bill { from: to, to: Some(p), left: self.rules.tuning.dex, then: Then::Offer })
    }
}
