//! Losing and stealing Blocks.

use super::{Flow, Ran};
use crate::options::ForkReward;
use crate::state::{Loss, POOL, Step, Vires, bank, chain};
use pentarchy_engine::Seat;

impl Vires {
    /// A player is about to lose the latest Block and its Coin, and may protect himself.
    pub(super) fn threaten_block(&mut self, from: Seat, stolen: bool) -> Ran {
        self.then(Step::Block { from, stolen, coin: true })?;
        self.ask_to_protect(from, Loss::Block)
    }

    /// The latest Block goes, and a Coin with it. Genesis never does.
    pub(super) fn lose_block(&mut self, from: Seat, stolen: bool, coin: bool) -> Ran {
        let p = self.active;
        if self.blocks(from) < 2 {
            return Ok(Flow::Go);
        }
        let to_thief = stolen && self.rules.fork_reward == ForkReward::Thief;
        let coins = if coin { self.losable(from).min(self.rules.tuning.block_coin) } else { 0 };
        for _ in 0..coins {
            if let Some(t) = self.tokens.bottom(bank(from)) {
                self.tokens.put(t, if to_thief { bank(p) } else { POOL });
            }
        }
        if let Some(t) = self.tokens.bottom(chain(from)) {
            self.tokens.put(t, if stolen { chain(p) } else { POOL });
        }
        if stolen { self.gained_block() } else { Ok(Flow::Go) }
    }

    /// SYBIL goes on with this player.
    pub(super) fn sybil(&mut self, at: Seat, left: u8, least: u8) -> Ran {
        if let Some(rest) = left.checked_sub(1) {
            self.then(Step::Sybil { at: self.after(at), left: rest, least })?;
            if self.blocks(at) >= least {
                return self.threaten_block(at, false);
            }
        }
        Ok(Flow::Go)
    }
}
