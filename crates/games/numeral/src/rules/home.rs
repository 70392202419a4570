//! Loss of a Home: it moves to another hex of its owner, or the owner is eliminated.

use crate::facts::{Context, Fact};
use crate::map::{Cell, Cells};
use crate::options::{HomeLoss, HomeRefuge};
use crate::state::{Numeral, Stage};
use crate::upgrades::Upgrade;
use pentarchy_engine::{RuleError, Seat};

impl Numeral {
    /// Handles the capture of a player's Home, whose hex already has its new owner. The Home moves to the
    /// only possible hex of the loser, with `HomeMoved`; if several are possible, `HomeLost` is emitted and
    /// the stage becomes `HomeMoves` for chance to pick one. Without a hex the player is out, with
    /// `Eliminated`. The option `eliminate` makes all land of the loser neutral first and kills the soldiers
    /// there.
    pub(crate) fn lose_home(&mut self, cx: &mut Context<'_>, loser: Seat) {
        if self.options.home_loss == HomeLoss::Eliminate {
            self.abandon(loser);
        }
        let refuges = self.refuges(loser);
        match (refuges.first(), refuges.len()) {
            (None, _) => {
                cx.emit(move || Fact::Eliminated(loser));
                self.go_out(loser);
            }
            (Some(only), 1) => self.found_home(cx, loser, only),
            _ => {
                cx.emit(move || Fact::HomeLost(loser));
                self.stage = Stage::HomeMoves(loser);
            }
        }
    }

    /// Returns the hexes where the captured Home of a player may move: all their hexes, or with the option
    /// `open` those without an upgrade if there are any. Empty if the player has no hex.
    pub(crate) fn refuges(&self, loser: Seat) -> Cells {
        let held = *self.board.held(loser);
        if self.options.home_refuge == HomeRefuge::Open {
            let open: Cells = held.iter().filter(|&c| self.board.upgrade(c) == Upgrade::None).collect();
            if !open.is_empty() {
                return open;
            }
        }
        held
    }

    /// Moves the captured Home of `loser` to number `n`, from 0 in reading order, of the possible hexes, as
    /// chance has picked. Emits `HomeMoved`. The captor's turn continues (stage `March`).
    ///
    /// # Errors
    ///
    /// Fails, without a change, if there is no such hex.
    pub(crate) fn resettle(&mut self, cx: &mut Context<'_>, loser: Seat, n: u32) -> Result<(), RuleError> {
        let refuge = self.refuges(loser).iter().nth(n as usize);
        self.found_home(cx, loser, refuge.ok_or(RuleError::new("there are fewer hexes than that"))?);
        self.stage = Stage::March;
        Ok(())
    }

    /// Makes the hex `cell` the Home of `owner`, who must own it and have no other Home: the Home replaces
    /// its upgrade, and the soldiers there become the storage. Emits `HomeMoved`.
    fn found_home(&mut self, cx: &mut Context<'_>, owner: Seat, cell: Cell) {
        let this = &*self;
        cx.emit(move || {
            let (gold, replaced) = (this.board.soldiers(cell), this.board.upgrade(cell));
            Fact::HomeMoved { seat: owner, gold, replaced }
        });
        self.board.set_upgrade(cell, Upgrade::Home);
    }

    /// Makes all hexes of a player neutral and removes the soldiers there; upgrades stay on them. The player
    /// must have no Home. Does not mark the player as eliminated, and emits nothing.
    fn abandon(&mut self, loser: Seat) {
        for cell in self.board.held(loser).iter() {
            self.board.lose(cell, self.board.soldiers(cell));
            self.board.give(cell, None);
        }
    }
}
