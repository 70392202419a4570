//! Ratings of marches.

use super::NEVER;
use super::survey::Survey;
use crate::map::{Cell, Direction};

/// A neighbouring hex that an army can take, alone or with others, and the defence that it has.
#[derive(Clone, Copy)]
struct Target {
    cell: Cell,
    defence: u32,
}

/// The plan for the soldiers of one hex, `cell`.
pub(super) struct Orders {
    cell: Cell,
    /// How many soldiers may leave.
    ready: u32,
    /// The foreign neighbours that can be taken with profit, in reading order.
    targets: [Option<Target>; 6],
    /// The best target, which gets all remaining soldiers.
    main: Option<Target>,
}

impl Survey<'_> {
    /// Returns the rating of the best march from a hex, which must have ready soldiers: in any direction with
    /// all soldiers that may leave, or with just enough for a target there. `NEVER` if no march is good.
    pub(super) fn best_march(&self, cell: Cell) -> i32 {
        let orders = self.orders(cell);
        let mut best = NEVER;
        for direction in Direction::ALL {
            let Some(to) = self.game.target(cell, direction) else { continue };
            // Only these two numbers can be the best.
            best = best.max(self.march(&orders, direction, orders.ready));
            if let Some(target) = orders.target(to) {
                best = best.max(self.march(&orders, direction, target.defence + 1));
            }
        }
        best
    }

    /// Plans the march from a hex. The targets are the foreign neighbours that the ready soldiers of all
    /// hexes around them together outnumber, and whose [`conquest`](Self::conquest) with all of those is
    /// positive. The main target has the highest conquest with the soldiers that may leave this hex, less
    /// `forward` per step to the nearest enemy Home (at most 20 steps); of equal ones the last in reading
    /// order.
    pub(super) fn orders(&self, cell: Cell) -> Orders {
        let mut orders = Orders { cell, ready: self.may_leave(cell), targets: [None; 6], main: None };
        let mut most = i32::MIN;
        let foreign = cell.around().and(self.board.land()).minus(self.board.held(self.me));
        for (to, place) in foreign.iter().zip(&mut orders.targets) {
            let defence = self.defence(to);
            let beside = to.around().and(self.board.awake());
            let ready: u32 = beside.iter().map(|c| self.board.ready(c)).sum();
            if ready <= defence || self.conquest(to, ready, defence) <= 0 {
                continue;
            }
            let target = Target { cell: to, defence };
            *place = Some(target);
            let forward = self.weights.forward * i32::from(self.to_home[to.index()].min(20));
            let worth = self.conquest(to, orders.ready, defence) - forward;
            if worth >= most {
                (most, orders.main) = (worth, Some(target));
            }
        }
        orders
    }

    /// Rates a march of `n` soldiers in a direction from the hex of the plan `orders`:
    ///
    /// - the main target with all that may leave: 1000 if they win alone, 1010 if others must follow;
    /// - another target with exactly one soldier more than its defence, if those left still outnumber the
    ///   main target's defence: 1100 plus its conquest, up to 6100;
    /// - without any target, all to an own hex: the rating of [`approach`](Self::approach).
    ///
    /// `NEVER` for everything else.
    pub(super) fn march(&self, orders: &Orders, direction: Direction, n: u32) -> i32 {
        let Some(to) = self.game.target(orders.cell, direction) else { return NEVER };
        if n == 0 || n > orders.ready {
            return NEVER;
        }
        match (orders.main, orders.target(to)) {
            (None, _) if n == orders.ready && self.board.held(self.me).has(to) => {
                self.approach(orders.cell, to)
            }
            // The main attack comes last, with all soldiers; a wave that does not win alone precedes the
            // others.
            (Some(main), Some(_)) if main.cell == to && n == orders.ready => {
                if n > main.defence {
                    1_000
                } else {
                    1_010
                }
            }
            // The other targets come before, with just the soldiers that they need.
            (Some(main), Some(target)) if main.cell != to => {
                let enough = n == target.defence + 1 && orders.ready > n.saturating_add(main.defence);
                if enough { 1_100 + self.conquest(to, n, target.defence).clamp(0, 5_000) } else { NEVER }
            }
            _ => NEVER,
        }
    }

    /// Rates a march from `cell` to its own neighbour `to` without a target in reach: 100 plus 10 per unit by
    /// which the march shortens the weighted distance to the border and to enemy land (`to_border` and
    /// `to_enemy` per step, at most 40 steps each). `NEVER` if it does not shorten it, or if `cell` is at the
    /// border.
    fn approach(&self, cell: Cell, to: Cell) -> i32 {
        let steps = |c: Cell| {
            let i = c.index();
            self.weights.to_border * i32::from(self.to_border[i].min(40))
                + self.weights.to_enemy * i32::from(self.to_enemy[i].min(40))
        };
        let nearer = steps(cell) - steps(to);
        if nearer <= 0 || self.to_border[cell.index()] <= 1 { NEVER } else { 100 + 10 * nearer }
    }

    /// Returns how many soldiers may leave a hex: all ready ones. From the Home at most 1, and none unless
    /// more are ready than enemy soldiers are adjacent: the storage stays, because it can be placed anywhere
    /// next round and costs nothing.
    fn may_leave(&self, cell: Cell) -> u32 {
        let ready = self.board.ready(cell);
        if self.board.home(self.me) != Some(cell) {
            return ready;
        }
        ready.saturating_sub(self.threat(cell)).min(1)
    }
}

impl Orders {
    /// Returns the planned target on the hex `cell` next to the army; `None` if that hex is no target of the
    /// plan.
    fn target(&self, cell: Cell) -> Option<Target> {
        self.targets.iter().flatten().find(|t| t.cell == cell).copied()
    }
}
