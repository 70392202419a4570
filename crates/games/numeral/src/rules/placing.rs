//! The Placing phase: soldiers and buildings are paid from the storage.

use super::short;
use crate::actions::Action;
use crate::amounts::Amounts;
use crate::facts::{Context, Fact};
use crate::map::Cell;
use crate::state::{Numeral, Stage};
use crate::upgrades::Upgrade;
use pentarchy_engine::{RuleError, ensure};

impl Numeral {
    /// Appends the choices of the stage `Place`: `done`, then `Select` for every hex of the active player but
    /// the Home, in reading order; only `done` if the storage is empty or there is no Home.
    #[inline]
    pub(crate) fn list_places(&self, out: &mut Vec<Action>) {
        out.push(Action::Done);
        let Some(home) = self.board.home(self.active) else { return };
        if self.board.soldiers(home) > 0 {
            out.extend(self.board.held(self.active).without(home).iter().map(Action::Select));
        }
    }

    /// Checks and chooses the hex to place or build on: sets the stage `PlaceAt`, which only a purchase
    /// leaves.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the hex is not the active player's or is the Home, or the storage is
    /// empty.
    #[inline]
    pub(crate) fn select_place(&mut self, cell: Cell) -> Result<(), RuleError> {
        ensure(self.board.held(self.active).has(cell), "this is not your hex")?;
        ensure(self.board.home(self.active) != Some(cell), "what is in the Home is there already")?;
        ensure(self.board.storage(self.active) > 0, "the storage is empty")?;
        self.stage = Stage::PlaceAt(cell);
        Ok(())
    }

    /// Appends `Place` with each offered number of soldiers (round numbers up to the storage of the active
    /// player, half of it, all of it), ascending; then, if the hex `cell` has no upgrade, `Build` for each
    /// building that the storage pays. Whose hex it is is not checked.
    #[inline]
    pub(crate) fn list_purchases(&self, cell: Cell, out: &mut Vec<Action>) {
        let storage = self.board.storage(self.active);
        out.extend(Amounts::placing(storage).as_slice().iter().map(|&n| Action::Place(n)));
        if self.board.upgrade(cell) == Upgrade::None {
            let affordable = Upgrade::FOR_SALE.into_iter().filter(|&u| self.board.cost(u) <= storage);
            out.extend(affordable.map(Action::Build));
        }
    }

    /// Checks and places `n` soldiers from the active player's storage on the selected hex `cell`, at 1 gold
    /// each. Emits `Placed` and sets the stage `Place`. Whose hex it is is not checked.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if there is no Home, the storage has fewer, or the number is not offered.
    #[inline]
    pub(crate) fn place(&mut self, cx: &mut Context<'_>, cell: Cell, n: u32) -> Result<(), RuleError> {
        let Some(home) = self.board.home(self.active) else { return Err(RuleError::new("there is no Home")) };
        let storage = self.board.soldiers(home);
        if n > storage {
            return Err(RuleError::numbers(
                "{0} cost {0}, and only {1} are in the Home",
                short(n),
                short(storage),
            ));
        }
        ensure(Amounts::placing(storage).has(n), "this number is not offered: place it in parts")?;
        self.board.lose(home, n);
        self.board.gain(cell, n);
        let this = &*self;
        cx.emit(move || Fact::Placed { seat: this.active, soldiers: n, there: this.board.soldiers(cell) });
        self.stage = Stage::Place;
        Ok(())
    }

    /// Checks and builds an upgrade on the selected hex `cell` for its cost, which is taken from the active
    /// player's storage. Emits `Built` and sets the stage `Place`. Whose hex it is is not checked.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if there is no Home, the upgrade is not for sale or too expensive, or the hex
    /// has an upgrade.
    #[inline]
    pub(crate) fn build(
        &mut self,
        cx: &mut Context<'_>,
        cell: Cell,
        upgrade: Upgrade,
    ) -> Result<(), RuleError> {
        let Some(home) = self.board.home(self.active) else { return Err(RuleError::new("there is no Home")) };
        ensure(upgrade.for_sale(), "this is not for sale")?;
        ensure(self.board.upgrade(cell) == Upgrade::None, "this hex has an upgrade already")?;
        let (cost, storage) = (self.board.cost(upgrade), self.board.soldiers(home));
        if cost > storage {
            return Err(RuleError::numbers(
                "this costs {0}, and only {1} are in the Home",
                short(cost),
                short(storage),
            ));
        }
        self.board.lose(home, cost);
        self.board.set_upgrade(cell, upgrade);
        let seat = self.active;
        cx.emit(move || Fact::Built(seat, upgrade, cost));
        self.stage = Stage::Place;
        Ok(())
    }
}
