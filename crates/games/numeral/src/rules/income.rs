//! Income: land pays, soldiers outside the Home cost, and debts are paid in soldiers.

use crate::facts::{Context, Fact};
use crate::map::{CELLS, Cell};
use crate::options::Starve;
use crate::state::Numeral;
use pentarchy_engine::Seat;

impl Numeral {
    /// Returns the upkeep of a player's soldiers outside the Home, in gold per round: their total divided by
    /// `soldiers_per_upkeep`, rounded down.
    pub fn maintenance(&self, seat: Seat) -> u32 {
        let armies = self.board.total(seat) - self.board.storage(seat);
        armies / u32::from(self.options.tuning.soldiers_per_upkeep.max(1))
    }

    /// Pays the income of a player at the beginning of the Placing turn into the Home: the gross yield of all
    /// hexes minus upkeep. If it is negative, soldiers outside the Home die (with the option `storage` gold
    /// pays first). Emits `Income`. No effect without a Home.
    pub(crate) fn pay(&mut self, cx: &mut Context<'_>, seat: Seat) {
        let (gross, maintenance) = (self.board.gross(seat), self.maintenance(seat));
        let Some(home) = self.board.home(seat) else { return };
        let deaths = if gross >= maintenance {
            self.board.gain(home, gross - maintenance);
            0
        } else {
            self.starve(seat, home, maintenance - gross)
        };
        let gold = self.board.soldiers(home);
        cx.emit(move || Fact::Income { seat, gross, upkeep: maintenance, deaths, gold });
    }

    /// Removes `debt` soldiers of a player, one army outside the Home after the other: the smallest or the
    /// largest first, as the options say, ties by the lowest hex. With the option `storage` the gold in
    /// `home` pays first, then the smallest armies; otherwise that gold is not touched. A debt that exceeds
    /// all of these is dropped. Returns the number of soldiers removed outside the Home.
    #[cold]
    fn starve(&mut self, seat: Seat, home: Cell, mut debt: u32) -> u32 {
        if self.options.starve == Starve::Storage {
            let paid = debt.min(self.board.soldiers(home));
            self.board.lose(home, paid);
            debt -= paid;
        }
        let mut armies = [(0, home); CELLS];
        let mut count = 0;
        for cell in self.board.held(seat).without(home).iter() {
            if self.board.soldiers(cell) > 0 {
                armies[count] = (self.board.soldiers(cell), cell);
                count += 1;
            }
        }
        let armies = &mut armies[..count];
        // Sizes are compared once, before anything is removed; ties: the lowest hex first.
        match self.options.starve {
            Starve::Largest => armies.sort_unstable_by_key(|&(n, cell)| (u32::MAX - n, cell)),
            Starve::Smallest | Starve::Storage => armies.sort_unstable(),
        }
        let mut deaths = 0;
        for &(n, cell) in armies.iter() {
            let paid = debt.min(n);
            self.board.lose(cell, paid);
            deaths += paid;
            debt -= paid;
            if debt == 0 {
                break;
            }
        }
        deaths
    }
}
