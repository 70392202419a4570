//! Mining a Block, with the Hand or (NONCE) with the Pool.

use super::{Flow, FlowResult};
use crate::cards::Card;
use crate::facts::Context;
use crate::state::{POOL, Task, Vires, bank, chain, hand};
use pentarchy_engine::{RuleError, Token, ensure};

impl Vires {
    /// Checks with public information that a Block may be mined.
    ///
    /// # Errors
    ///
    /// Fails if a Block was gained this turn, or the Pool has no HR for it.
    pub(super) fn minable(&self) -> Result<(), RuleError> {
        ensure(!self.turn.gained, "only one Block is gained in a turn")?;
        ensure(self.cost(self.active) > 0 || self.pool() > 0, "the Pool has no HR for the Block")
    }

    /// Begins mining: the player claims to hold the HR that a Block costs, and then shows them one by one.
    ///
    /// # Errors
    ///
    /// Fails if no Block may be mined, or the claim is false.
    pub(super) fn mine(&mut self, cx: &mut Context<'_>) -> FlowResult {
        self.minable()?;
        let (p, cost) = (self.active, self.cost(self.active));
        cx.require_some(&self.tokens, self.tokens.iter(hand(p)), Card::Hr.only(), cost)?;
        self.pay_for_block(cost)
    }

    /// Spends public HR; if they do not suffice, waits for the player to show hidden ones.
    pub(super) fn pay_for_block(&mut self, mut left: u8) -> FlowResult {
        while left > 0
            && let Some(t) = self.open_card(self.active, Card::Hr)
        {
            self.tokens.put(t, POOL);
            left -= 1;
        }
        if left > 0 { self.push_and_wait(Task::Mine(left)) } else { self.gain_block() }
    }

    /// Spends a shown HR for a Block; `left` were owed.
    ///
    /// # Errors
    ///
    /// Fails if the card is not in the Hand or not an HR.
    pub(super) fn spend(&mut self, t: Token, left: u8) -> FlowResult {
        ensure(self.tokens.in_zone(t, hand(self.active)), "this card is not in the Hand")?;
        ensure(self.tokens.face(t)? == Card::Hr, "a Block is paid with HR")?;
        self.tokens.put(t, POOL);
        self.pop_tasks(1).pay_for_block(left - 1)
    }

    /// Moves a Block and its reward from the Pool to the active player, and resets the modifiers of the next
    /// Block.
    pub(super) fn gain_block(&mut self) -> FlowResult {
        let p = self.active;
        if let Some(t) = self.tokens.top(POOL) {
            self.tokens.put(t, chain(p));
        }
        self.gain_coins(p, self.reward(p));
        let player = self.player_mut(p);
        (player.diff, player.reward) = (0, 0);
        player.locked_next |= std::mem::take(&mut player.timelock);
        self.gained_block()
    }

    /// Records the Block of this turn, mined or stolen. If it completes the Chain, the game is over.
    pub(super) fn gained_block(&mut self) -> FlowResult {
        self.turn.gained = true;
        if self.blocks(self.active) >= self.rules.blocks { self.finish() } else { Ok(Flow::Go) }
    }

    /// Moves `k` Coins from the Pool to a player, or as many as there are.
    pub(super) fn gain_coins(&mut self, p: pentarchy_engine::Seat, k: u8) {
        self.take_from_pool(bank(p), k);
    }
}
