//! Mining a Block, with the Hand or (NONCE) with the Pool.

use super::{Flow, Ran};
use crate::cards::Card;
use crate::state::{POOL, Step, Vires, bank, chain, hand};
use pentarchy_engine::{Cx, Rejected, Token, ensure};

impl Vires {
    /// Whether a Block may be mined, as far as everybody can see.
    pub(super) fn minable(&self) -> Result<(), Rejected> {
        ensure(!self.turn.gained, "only one Block is gained in a turn")?;
        ensure(self.cost(self.active) > 0 || self.pool() > 0, "the Pool has no HR for the Block")
    }

    /// The player claims to hold the HR that a Block costs; they are shown one by one.
    pub(super) fn mine(&mut self, cx: &mut Cx<'_, Card>) -> Ran {
        self.minable()?;
        let (p, cost) = (self.active, self.cost(self.active));
        cx.require_some(&self.tokens, self.tokens.iter(hand(p)), Card::Hr.only(), cost)?;
        self.pay_for_block(cost)
    }

    /// Public HR are spent without asking; the hidden ones have to be shown.
    pub(super) fn pay_for_block(&mut self, mut left: u8) -> Ran {
        while left > 0
            && let Some(t) = self.open_card(self.active, Card::Hr)
        {
            self.tokens.put(t, POOL);
            left -= 1;
        }
        if left > 0 { self.wait(Step::Mine(left)) } else { self.gain_block() }
    }

    /// A shown HR is spent.
    pub(super) fn spend(&mut self, t: Token, left: u8) -> Ran {
        ensure(self.tokens.in_zone(t, hand(self.active)), "this card is not in the Hand")?;
        ensure(self.tokens.face(t)? == Card::Hr, "a Block is paid with HR")?;
        self.tokens.put(t, POOL);
        self.off().pay_for_block(left - 1)
    }

    /// A Block and its reward come from the Pool; what was said about the next Block is used up.
    pub(super) fn gain_block(&mut self) -> Ran {
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

    /// The Block of this turn, mined or stolen: if it completes the Chain the game is over.
    pub(super) fn gained_block(&mut self) -> Ran {
        self.turn.gained = true;
        if self.blocks(self.active) >= self.rules.blocks { self.finish() } else { Ok(Flow::Go) }
    }

    /// Coins from the Pool, as many as there are.
    pub(super) fn gain_coins(&mut self, p: pentarchy_engine::Seat, k: u8) {
        self.take_from_pool(bank(p), k);
    }
}
