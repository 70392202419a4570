//! Ratings of placements and buildings.

use super::NEVER;
use super::survey::{FAR, Survey};
use crate::actions::Action;
use crate::amounts::Amounts;
use crate::map::Cell;
use crate::upgrades::Upgrade;

/// A reason to place up to `most` soldiers on a hex; `worth` is its rating without the number placed.
#[derive(Clone, Copy)]
struct Wish {
    most: u32,
    worth: i32,
}

impl Wish {
    /// Rates placing `n` soldiers: `worth` plus `n` (at most 90) up to the wanted number, so that more are
    /// better, because the list may offer the wanted number only in parts. `NEVER` above `most`.
    fn rate(self, n: u32) -> i32 {
        if n <= self.most { self.worth + n.min(90) as i32 } else { NEVER }
    }
}

impl Survey<'_> {
    /// Returns the rating of the best placement or affordable building on a hex: for each wish with the
    /// highest offered number that it allows. Buildings count only on a hex without an upgrade and in
    /// [peace](Self::is_peace). `NEVER` if nothing is good.
    pub(super) fn best_purchase(&self, cell: Cell) -> i32 {
        let storage = self.board.storage(self.me);
        let amounts = Amounts::placing(storage);
        let mut best = NEVER;
        self.wishes(cell, |wish| {
            let fitting = amounts.as_slice().iter().rev().find(|&&n| n <= wish.most);
            best = best.max(fitting.map_or(NEVER, |&n| wish.rate(n)));
        });
        if self.board.upgrade(cell) == Upgrade::None && self.peace {
            let affordable = Upgrade::FOR_SALE.into_iter().filter(|&u| self.board.cost(u) <= storage);
            best = affordable.map(|u| self.building(cell, u)).fold(best, i32::max);
        }
        best
    }

    /// Rates placing soldiers (the best wish for that number) or building on a hex; `NEVER` if it is not
    /// wanted or for other actions. Does not check that it is legal.
    pub(super) fn purchase(&self, cell: Cell, action: Action) -> i32 {
        match action {
            Action::Build(upgrade) => self.building(cell, upgrade),
            Action::Place(n) => {
                let mut best = NEVER;
                self.wishes(cell, |wish| best = best.max(wish.rate(n)));
                best
            }
            _ => NEVER,
        }
    }

    /// Calls `wish` for each reason to place soldiers on the own hex `cell`. No wish exceeds the gold that
    /// can [leave the Home](Self::spare). Ratings:
    ///
    /// - one soldier for each adjacent unclaimed neutral hex, unless this is the last round: `claim`, and
    ///   `claim_each` per hex;
    /// - for each adjacent enemy hex the soldiers that those around it lack to take it, if they can be spared
    ///   and the [`conquest`](Self::conquest) less `need` for each of them is positive: `assault` plus that
    ///   value, at most 1400;
    /// - on a hex next to enemy land as many as the land can still feed (`fed` tenths of the gross income,
    ///   less the armies): `front`, plus the soldiers there (at most 200), plus 20 less the steps to the
    ///   nearest enemy Home.
    fn wishes(&self, cell: Cell, mut wish: impl FnMut(Wish)) {
        let (spare, w) = (self.spare(), self.weights);
        let mut add = |most: u32, worth: i32| wish(Wish { most: most.min(spare), worth });
        let open = cell.around().and(&self.unclaimed).len();
        if open > 0 && self.rounds_left() >= 1 {
            add(open, w.claim + w.claim_each * open as i32);
        }
        for target in cell.around().and(&self.enemies).iter() {
            let defence = self.defence(target);
            let there = self.beside(target);
            let need = (defence + 1).saturating_sub(there);
            if need > 0 && need <= spare {
                let worth = self.conquest(target, there + need, defence) - w.need * need.min(1_000) as i32;
                if worth > 0 {
                    add(need, w.assault + worth.min(1_400));
                }
            }
        }
        if self.to_enemy[cell.index()] == 1 {
            // The rest goes to the strongest army at the front, as long as the land can feed it.
            let armies = self.board.total(self.me) - self.board.storage(self.me);
            let fed = self.board.gross(self.me) * w.fed.max(0) as u32 / 10;
            let near_home = 20 - i32::from(self.to_home[cell.index()].min(20));
            add(fed.saturating_sub(armies), w.front + self.board.soldiers(cell).min(200) as i32 + near_home);
        }
    }

    /// Returns the number of own soldiers next to a hex, ready or not, an adjacent Home included.
    fn beside(&self, target: Cell) -> u32 {
        target.around().and(self.board.held(self.me)).iter().map(|c| self.board.soldiers(c)).sum()
    }

    /// Returns how much gold can leave the Home: all but the number of enemy soldiers next to it; all if the
    /// storage does not exceed that number, because such a Home cannot be held anyway. 0 without a Home.
    fn spare(&self) -> u32 {
        let storage = self.board.storage(self.me);
        let threat = self.board.home(self.me).map_or(0, |home| self.threat(home));
        // A Home that cannot be held anyway is no reason to save.
        if threat >= storage { storage } else { storage - threat }
    }

    /// Rates building this upgrade on a hex: `build`, plus `build_yield` times the additional yield per cost,
    /// plus the steps to enemy land (at most 20), plus `budget` times the additional yield if the cost is at
    /// most the storage per own hex without an upgrade. `NEVER` if it adds no yield, an enemy is near, or the
    /// yield of the remaining rounds is less than `payback` tenths of the cost. Whether it is legal or
    /// affordable is not checked.
    fn building(&self, cell: Cell, upgrade: Upgrade) -> i32 {
        let gain = self.board.yields(upgrade) as i32 - self.board.yields(Upgrade::None) as i32;
        let cost = self.board.cost(upgrade) as i32;
        let w = self.weights;
        if gain <= 0 || !self.peace || 10 * self.rounds_left() * gain < w.payback * cost {
            return NEVER;
        }
        // The cheapest building pays back best; an expensive one suits a player with more money than free
        // hexes.
        let budget = (self.board.storage(self.me) / self.bare.max(1)) as i32;
        let fits = if cost <= budget { w.budget * gain } else { 0 };
        let safe = i32::from(self.to_enemy[cell.index()].min(20));
        w.build + w.build_yield * gain / cost.max(1) + safe + fits
    }

    /// Returns whether all enemy land is at least `peace` steps over land away from own land; also if no
    /// enemy can be reached.
    pub(super) fn is_peace(&self) -> bool {
        let nearest = self.board.held(self.me).iter().map(|c| self.to_enemy[c.index()]).min();
        i32::from(nearest.unwrap_or(FAR)) >= self.weights.peace
    }

    /// Returns the number of own hexes without an upgrade.
    pub(super) fn count_bare(&self) -> u32 {
        let own = self.board.held(self.me).iter();
        own.filter(|&c| self.board.upgrade(c) == Upgrade::None).count() as u32
    }
}
