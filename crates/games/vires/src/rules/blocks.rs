//! Losing and stealing Blocks.

use super::{Flow, FlowResult};
use crate::facts::Context;
use crate::options::ForkReward;
use crate::state::{Loss, POOL, Task, Vires, bank, chain};
use pentarchy_engine::Seat;

impl Vires {
    /// Threatens player `from` with the loss of the latest Block and its Coin: pushes the loss, and above it
    /// the window to protect it if the player is asked. `stolen`: the active player gets the Block. Returns
    /// `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn threaten_block(&mut self, from: Seat, stolen: bool) -> FlowResult {
        self.push_task(Task::Block { from, stolen, coin: true })?;
        self.ask_to_protect(from, Loss::Block)
    }

    /// Moves the latest Block of player `from` to the Pool, or to the active player if `stolen`; emits
    /// `Moved` for each move. With `coin` also moves `block_coin` Coins, or as many as can be lost: to the
    /// Bank of the active player if the Block is stolen and the option `fork_reward` is `thief`, else to the
    /// Pool. No effect on a player with only Genesis. A stolen Block is the active player's Block of this
    /// turn and may end the game. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn lose_block(
        &mut self,
        cx: &mut Context<'_>,
        from: Seat,
        stolen: bool,
        coin: bool,
    ) -> FlowResult {
        let p = self.active;
        if self.blocks(from) < 2 {
            return Ok(Flow::Go);
        }
        let to_thief = stolen && self.rules.fork_reward == ForkReward::Thief;
        let coins = if coin { self.losable(from).min(self.rules.tuning.block_coin) } else { 0 };
        for _ in 0..coins {
            if let Some(t) = self.tokens.bottom(bank(from)) {
                self.move_good(cx, t, if to_thief { bank(p) } else { POOL });
            }
        }
        if let Some(t) = self.tokens.bottom(chain(from)) {
            self.move_good(cx, t, if stolen { chain(p) } else { POOL });
        }
        if stolen { self.gained_block() } else { Ok(Flow::Go) }
    }

    /// Continues SYBIL with player `at`: `left` players are still to be asked, this one included; nothing if it
    /// is 0. A player with at least `least` Blocks is threatened with the loss of one to the Pool, shorter
    /// Chains are left alone; the others follow through a task pushed below. Returns `Wait` if an event is
    /// needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn sybil(&mut self, at: Seat, left: u8, least: u8) -> FlowResult {
        if let Some(rest) = left.checked_sub(1) {
            self.push_task(Task::Sybil { at: self.after(at), left: rest, least })?;
            if self.blocks(at) >= least {
                return self.threaten_block(at, false);
            }
        }
        Ok(Flow::Go)
    }
}
