//! Mining a Block, with the Hand or (NONCE) with the Pool.

use super::{Flow, FlowResult};
use crate::cards::Card;
use crate::facts::{BlockSource, Context, Fact};
use crate::state::{POOL, Task, Vires, bank, chain, hand};
use pentarchy_engine::{RuleError, Token, ensure};

impl Vires {
    /// Checks with public information that the active player may mine a Block; whether they hold the HR is
    /// not checked.
    ///
    /// # Errors
    ///
    /// Fails if a Block was gained this turn, or the Pool has no HR for it.
    pub(super) fn minable(&self) -> Result<(), RuleError> {
        ensure(!self.turn.gained, "only one Block is gained in a turn")?;
        ensure(self.cost(self.active) > 0 || self.pool() > 0, "the Pool has no HR for the Block")
    }

    /// Begins mining: the active player claims to hold the HR that a Block costs, and then shows them one by
    /// one. Emits `MiningBegan`; public HR are spent at once. Returns `Wait` if an event is needed next, else
    /// `Go`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if no Block may be mined, or the claim is false as far as the observer knows;
    /// or if the agenda is full.
    pub(super) fn mine(&mut self, cx: &mut Context<'_>) -> FlowResult {
        self.minable()?;
        let (p, cost) = (self.active, self.cost(self.active));
        cx.require_some(&self.tokens, self.tokens.iter(hand(p)), Card::Hr.only(), cost)?;
        cx.emit(move || Fact::MiningBegan(p));
        self.pay_for_block(cx, cost)
    }

    /// Spends public HR of the active player for a Block; `left` are owed. If they do not suffice, emits
    /// `PaymentPending` and waits for hidden ones; else the Block is gained. Returns `Wait` if an event is
    /// needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn pay_for_block(&mut self, cx: &mut Context<'_>, mut left: u8) -> FlowResult {
        while left > 0
            && let Some(t) = self.open_card(self.active, Card::Hr)
        {
            self.move_good(cx, t, POOL);
            left -= 1;
        }
        if left == 0 {
            return self.gain_block(cx, BlockSource::Hand);
        }
        let p = self.active;
        cx.emit(move || Fact::PaymentPending(p));
        self.push_and_wait(Task::Mine(left))
    }

    /// Spends the HR `t`, which was shown, for a Block, pops the task, and continues the payment; `left` were
    /// owed, this one included. The last one gains the Block. Returns `Wait` if an event is needed next, else
    /// `Go`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the Hand, not public or not an HR; or if the agenda is
    /// full.
    pub(super) fn spend(&mut self, cx: &mut Context<'_>, t: Token, left: u8) -> FlowResult {
        ensure(self.tokens.in_zone(t, hand(self.active)), "this card is not in the Hand")?;
        ensure(self.tokens.face(t)? == Card::Hr, "a Block is paid with HR")?;
        self.move_good(cx, t, POOL);
        self.pop_tasks(1).pay_for_block(cx, left - 1)
    }

    /// Moves a Block and its reward from the Pool to the active player, emits `Mined`, and resets the
    /// modifiers of the next Block. A time-lock now locks the player's next turn (emits `NextTurnLocked`).
    /// `source` says what paid. A complete Chain ends the game. Returns `Wait` if an event is needed next,
    /// else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn gain_block(&mut self, cx: &mut Context<'_>, source: BlockSource) -> FlowResult {
        let p = self.active;
        let (block, cost, coins) = (self.blocks(p), self.cost(p), self.coins(p));
        if let Some(t) = self.tokens.top(POOL) {
            self.move_good(cx, t, chain(p));
        }
        self.gain_coins(cx, p, self.reward(p));
        let this = &*self;
        cx.emit(move || Fact::Mined { seat: p, block, source, cost, coins: this.coins(p) - coins });
        let player = self.player_mut(p);
        (player.diff, player.reward) = (0, 0);
        if std::mem::take(&mut player.timelock) && !std::mem::replace(&mut player.locked_next, true) {
            cx.emit(move || Fact::NextTurnLocked(p));
        }
        self.gained_block()
    }

    /// Records that the active player has gained the Block of this turn, mined or stolen; the caller has
    /// moved it. If it completes the Chain, ends the game. Returns `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn gained_block(&mut self) -> FlowResult {
        self.turn.gained = true;
        if self.blocks(self.active) >= self.rules.blocks { self.finish() } else { Ok(Flow::Go) }
    }

    /// Moves `k` HR of the Pool to player `p`'s Bank as Coins, or as many as there are. Emits `Moved` for
    /// each.
    pub(super) fn gain_coins(&mut self, cx: &mut Context<'_>, p: pentarchy_engine::Seat, k: u8) {
        self.take_from_pool(cx, bank(p), k);
    }
}
