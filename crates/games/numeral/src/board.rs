//! The board: owner, upgrade and soldiers of each hex. All changes go through it, so that its sums stay
//! right.

use crate::map::{CELLS, Cell, Cells};
use crate::upgrades::{Prices, Upgrade};
use pentarchy_engine::{RuleError, Seat, ensure};

/// Maximum number of seats.
pub const SEATS: usize = 6;
/// The owner number of neutral land: one after the last seat.
const NEUTRAL: u8 = SEATS as u8;
/// Maximum soldiers on a hex: more than any game reaches, and small enough for the sum over all hexes.
const MOST_SOLDIERS: u32 = 1 << 24;
/// Number of owners: all seats, and neutral.
const OWNERS: usize = SEATS + 1;

/// Owner, upgrade and soldiers by cell, and sums that are derived from them. Arrays by owner have an entry
/// for each seat and a last one for neutral land. Cells without land count as neutral and empty.
#[derive(Clone, Debug)]
pub struct Board {
    /// All land hexes.
    land: Cells,
    /// The owner of each cell: a seat, or `NEUTRAL`.
    owner: [u8; CELLS],
    /// The upgrade on each cell.
    upgrade: [Upgrade; CELLS],
    /// Soldiers on each cell; in a Home the storage.
    soldiers: [u32; CELLS],
    /// Soldiers of each cell that may still march this turn; at most its soldiers.
    ready: [u32; CELLS],

    // Derived from the fields above and kept up to date.
    /// Costs and yields of the upgrades in this game.
    prices: Prices,
    /// The hexes of each owner.
    held: [Cells; OWNERS],
    /// The hexes with a Tower.
    towers: Cells,
    /// The hexes with ready soldiers.
    awake: Cells,
    /// The Home of each owner.
    home: [Option<Cell>; OWNERS],
    /// The yield of all hexes of each owner per round.
    gross: [u32; OWNERS],
    /// The soldiers of each owner, storage included.
    total: [u32; OWNERS],
}

/// One land hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hex {
    /// The owner; `None` if the hex is neutral.
    pub owner: Option<Seat>,
    /// The upgrade on the hex.
    pub upgrade: Upgrade,
    /// Number of soldiers; on a Home this is the storage.
    pub soldiers: u32,
    /// How many of them have not marched this turn.
    pub ready: u32,
}

impl Board {
    /// Creates a board of neutral land without upgrades or soldiers. The set of land and the prices never
    /// change.
    pub(crate) fn new(land: Cells, prices: Prices) -> Self {
        let mut board = Board {
            land,
            owner: [NEUTRAL; CELLS],
            upgrade: [Upgrade::None; CELLS],
            soldiers: [0; CELLS],
            ready: [0; CELLS],
            prices,
            held: [Cells::NONE; OWNERS],
            towers: Cells::NONE,
            awake: Cells::NONE,
            home: [None; OWNERS],
            gross: [0; OWNERS],
            total: [0; OWNERS],
        };
        board.held[OWNERS - 1] = land;
        board.gross[OWNERS - 1] = land.len() * u32::from(prices.yields[0]);
        board
    }

    /// Returns all land hexes of the map, which never change.
    #[inline(always)]
    pub fn land(&self) -> &Cells {
        &self.land
    }

    /// Returns the owner of a hex; `None` if it is neutral or not land.
    #[inline(always)]
    pub fn owner(&self, cell: Cell) -> Option<Seat> {
        let owner = self.owner[cell.index()];
        if owner == NEUTRAL { None } else { Some(Seat(owner)) }
    }

    /// Returns the upgrade on a hex; `Upgrade::None` where there is no land.
    #[inline(always)]
    pub fn upgrade(&self, cell: Cell) -> Upgrade {
        self.upgrade[cell.index()]
    }

    /// Returns the number of soldiers on a hex, on a Home its storage; 0 where there is no land.
    #[inline(always)]
    pub fn soldiers(&self, cell: Cell) -> u32 {
        self.soldiers[cell.index()]
    }

    /// Returns the number of soldiers of a hex that may still march this turn; 0 where there is no land.
    #[inline(always)]
    pub fn ready(&self, cell: Cell) -> u32 {
        self.ready[cell.index()]
    }

    /// Returns the hexes of a seat, its Home included; empty if it is out of the game. The seat must be below
    /// 6.
    #[inline(always)]
    pub fn held(&self, seat: Seat) -> &Cells {
        &self.held[seat.index()]
    }

    /// Returns the land hexes without an owner.
    pub fn neutral(&self) -> &Cells {
        &self.held[OWNERS - 1]
    }

    /// Returns the hexes with at least one soldier that may still march; all belong to the active seat.
    #[inline(always)]
    pub fn awake(&self) -> &Cells {
        &self.awake
    }

    /// Returns all hexes with a Tower, of any owner.
    #[inline(always)]
    pub fn towers(&self) -> &Cells {
        &self.towers
    }

    /// Returns the Home of a seat, which must be below 6; `None` if the seat is out of the game, or has lost
    /// its Home and the new one is not picked yet.
    #[inline(always)]
    pub fn home(&self, seat: Seat) -> Option<Cell> {
        self.home[seat.index()]
    }

    /// Returns the storage of a seat: the number in its Home, which is money and garrison; 0 without a Home.
    #[inline(always)]
    pub fn storage(&self, seat: Seat) -> u32 {
        self.home(seat).map_or(0, |home| self.soldiers(home))
    }

    /// Returns all soldiers of a seat, which must be below 6, the gold in its Home included.
    #[inline(always)]
    pub fn total(&self, seat: Seat) -> u32 {
        self.total[seat.index()]
    }

    /// Returns the total yield of a seat's hexes per round in gold, before upkeep. The seat must be below 6.
    #[inline(always)]
    pub fn gross(&self, seat: Seat) -> u32 {
        self.gross[seat.index()]
    }

    /// Returns the cost of an upgrade in this game, in gold; 0 for `Upgrade::None` and `Upgrade::Home`, which
    /// are not for sale.
    #[inline(always)]
    pub fn cost(&self, upgrade: Upgrade) -> u32 {
        u32::from(self.prices.cost[upgrade.index()])
    }

    /// Returns the yield per round of a hex with this upgrade in this game, in gold; for `Upgrade::None` that
    /// of plain land.
    #[inline(always)]
    pub fn yields(&self, upgrade: Upgrade) -> u32 {
        u32::from(self.prices.yields[upgrade.index()])
    }

    /// Returns a copy of everything about one hex; neutral and empty where there is no land.
    pub fn hex(&self, cell: Cell) -> Hex {
        Hex {
            owner: self.owner(cell),
            upgrade: self.upgrade(cell),
            soldiers: self.soldiers(cell),
            ready: self.ready(cell),
        }
    }

    /// Replaces everything about a land hex and updates the sums. Does not check that the owner has no other
    /// Home; the newer one then counts.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the cell is not land, the seat is 6 or more, neutral land has soldiers or
    /// a Home, more are ready than there are, or there are more than 2^24 soldiers.
    pub(crate) fn set(&mut self, cell: Cell, hex: Hex) -> Result<(), RuleError> {
        ensure(self.land.has(cell), "there is no land")?;
        ensure(hex.owner.is_some() || hex.soldiers == 0, "neutral land has no soldiers")?;
        ensure(hex.owner.is_some() || hex.upgrade != Upgrade::Home, "a Home has an owner")?;
        ensure(hex.owner.is_none_or(|s| s.index() < SEATS), "there is no such seat")?;
        ensure(hex.ready <= hex.soldiers, "more soldiers are ready than there are")?;
        ensure(hex.soldiers <= MOST_SOLDIERS, "there are more soldiers than any game has")?;
        self.lose(cell, self.soldiers(cell));
        self.set_upgrade(cell, Upgrade::None);
        self.give(cell, hex.owner);
        self.set_upgrade(cell, hex.upgrade);
        self.gain(cell, hex.soldiers);
        self.set_ready(cell, hex.ready);
        Ok(())
    }

    /// Adds `n` soldiers to a hex and to the total of its owner; they are not ready to march this turn. The
    /// hex must have an owner; neither that nor the maximum is checked.
    #[inline(always)]
    pub(crate) fn gain(&mut self, cell: Cell, n: u32) {
        self.soldiers[cell.index()] += n;
        self.total[self.owner[cell.index()] as usize] += n;
    }

    /// Removes `n` soldiers from a hex and from the total of its owner; those that are not ready go first.
    /// The hex must have at least `n`; this is not checked.
    #[inline(always)]
    pub(crate) fn lose(&mut self, cell: Cell, n: u32) {
        let left = self.soldiers[cell.index()] - n;
        self.soldiers[cell.index()] = left;
        self.total[self.owner[cell.index()] as usize] -= n;
        if self.ready[cell.index()] > left {
            self.set_ready(cell, left);
        }
    }

    /// Sets how many soldiers of a hex may still march this turn; the hex counts as awake if `n` is not 0.
    /// `n` must be at most its soldiers.
    #[inline(always)]
    pub(crate) fn set_ready(&mut self, cell: Cell, n: u32) {
        self.ready[cell.index()] = n;
        if n > 0 {
            self.awake.insert(cell);
        } else {
            self.awake.remove(cell);
        }
    }

    /// Changes the owner of a hex; `None` makes it neutral. Its upgrade stays and its yield goes to the new
    /// owner. The hex must have no soldiers and no Home (checked in debug builds only).
    #[inline]
    pub(crate) fn give(&mut self, cell: Cell, to: Option<Seat>) {
        let old = self.owner[cell.index()] as usize;
        let new = to.map_or(NEUTRAL, |seat| seat.0) as usize;
        let yields = self.yields(self.upgrade(cell));
        debug_assert!(self.soldiers(cell) == 0 && self.upgrade(cell) != Upgrade::Home);
        self.held[old].remove(cell);
        self.gross[old] -= yields;
        self.owner[cell.index()] = new as u8;
        self.held[new].insert(cell);
        self.gross[new] += yields;
    }

    /// Replaces the upgrade of a hex, and updates the income of its owner, the Homes and the Towers. Pays
    /// nothing; a previous Home of the owner stays on its hex.
    #[inline]
    pub(crate) fn set_upgrade(&mut self, cell: Cell, upgrade: Upgrade) {
        let owner = self.owner[cell.index()] as usize;
        let old = self.upgrade(cell);
        self.gross[owner] += self.yields(upgrade);
        self.gross[owner] -= self.yields(old);
        self.upgrade[cell.index()] = upgrade;
        if old == Upgrade::Home && self.home[owner] == Some(cell) {
            self.home[owner] = None;
        }
        if old == Upgrade::Tower {
            self.towers.remove(cell);
        }
        match upgrade {
            Upgrade::Home => self.home[owner] = Some(cell),
            Upgrade::Tower => self.towers.insert(cell),
            _ => {}
        }
    }

    /// Makes all soldiers of a seat ready to march, the storage included. Other seats keep their readiness:
    /// call `sleep` at the end of each turn.
    #[inline]
    pub(crate) fn wake(&mut self, seat: Seat) {
        for cell in self.held[seat.index()].iter() {
            let n = self.soldiers(cell);
            if n > 0 {
                self.ready[cell.index()] = n;
                self.awake.insert(cell);
            }
        }
    }

    /// Ends the readiness of all soldiers of all seats, so that none can march until the next `wake`.
    #[inline]
    pub(crate) fn sleep(&mut self) {
        for cell in self.awake.iter() {
            self.ready[cell.index()] = 0;
        }
        self.awake = Cells::NONE;
    }

    /// Checks the invariants for a game of `seats` seats: the sums equal a recomputation, every hex is
    /// consistent, and each seat has at most one Home. Reads only.
    ///
    /// # Errors
    ///
    /// Returns the first violated invariant in words.
    pub fn check(&self, seats: u8) -> Result<(), String> {
        let mut fresh = Board::new(self.land, self.prices);
        for cell in self.land.iter() {
            let hex = self.hex(cell);
            fresh.set(cell, hex).map_err(|e| format!("{cell}: {e}"))?;
            if hex.owner.is_some_and(|s| s.0 >= seats) {
                return Err(format!("{cell} belongs to a seat that does not play"));
            }
            if hex.upgrade == Upgrade::Home && hex.owner.and_then(|s| self.home(s)) != Some(cell) {
                return Err(format!("{cell} is a second Home"));
            }
        }
        let same = fresh.held == self.held
            && fresh.towers == self.towers
            && fresh.awake == self.awake
            && fresh.home == self.home
            && fresh.gross == self.gross
            && fresh.total == self.total;
        if same { Ok(()) } else { Err("the sums differ from the hexes".to_string()) }
    }
}
