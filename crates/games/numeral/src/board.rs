//! Who holds which hex, with what on it. Every change goes through here, so that the sums stay right.

use crate::map::{CELLS, Cell, Cells};
use crate::upgrades::{Prices, Upgrade};
use pentarchy_engine::{Rejected, Seat, ensure};

/// The largest number of seats.
pub const SEATS: usize = 6;
/// The owner of land that nobody owns: the place after the last seat.
const NEUTRAL: u8 = SEATS as u8;
/// More soldiers than any game has on one hex, so few that their sum over all hexes fits.
const MOST_SOLDIERS: u32 = 1 << 24;
/// One place for each seat and one for nobody.
const OWNERS: usize = SEATS + 1;

/// The board: arrays by cell, and what follows from them.
#[derive(Clone, Debug)]
pub struct Board {
    land: Cells,
    owner: [u8; CELLS],
    upgrade: [Upgrade; CELLS],
    soldiers: [u32; CELLS],
    ready: [u32; CELLS],

    // What follows from the above, kept up to date.
    prices: Prices,
    held: [Cells; OWNERS],
    towers: Cells,
    awake: Cells,
    home: [Option<Cell>; OWNERS],
    gross: [u32; OWNERS],
    total: [u32; OWNERS],
}

/// One land hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hex {
    /// Who owns it; nobody if it is neutral.
    pub owner: Option<Seat>,
    /// What stands on it.
    pub upgrade: Upgrade,
    /// How many soldiers are there; on a Home this is the storage.
    pub soldiers: u32,
    /// How many of them have not marched yet this turn.
    pub ready: u32,
}

impl Board {
    /// Neutral land with nothing on it.
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

    /// All land.
    #[inline(always)]
    pub fn land(&self) -> &Cells {
        &self.land
    }

    /// Who owns a hex; nobody if it is neutral.
    #[inline(always)]
    pub fn owner(&self, cell: Cell) -> Option<Seat> {
        let owner = self.owner[cell.index()];
        if owner == NEUTRAL { None } else { Some(Seat(owner)) }
    }

    /// What stands on a hex.
    #[inline(always)]
    pub fn upgrade(&self, cell: Cell) -> Upgrade {
        self.upgrade[cell.index()]
    }

    /// How many soldiers are on a hex.
    #[inline(always)]
    pub fn soldiers(&self, cell: Cell) -> u32 {
        self.soldiers[cell.index()]
    }

    /// How many soldiers of a hex have not marched yet.
    #[inline(always)]
    pub fn ready(&self, cell: Cell) -> u32 {
        self.ready[cell.index()]
    }

    /// The hexes of a seat.
    #[inline(always)]
    pub fn held(&self, seat: Seat) -> &Cells {
        &self.held[seat.index()]
    }

    /// The land that nobody owns.
    pub fn neutral(&self) -> &Cells {
        &self.held[OWNERS - 1]
    }

    /// The hexes with soldiers that may still march.
    #[inline(always)]
    pub fn awake(&self) -> &Cells {
        &self.awake
    }

    /// The hexes with a Tower.
    #[inline(always)]
    pub fn towers(&self) -> &Cells {
        &self.towers
    }

    /// The Home of a seat that is in play.
    #[inline(always)]
    pub fn home(&self, seat: Seat) -> Option<Cell> {
        self.home[seat.index()]
    }

    /// What is in the Home of a seat: its money, and its garrison.
    #[inline(always)]
    pub fn storage(&self, seat: Seat) -> u32 {
        self.home(seat).map_or(0, |home| self.soldiers(home))
    }

    /// All soldiers of a seat, the storage included.
    #[inline(always)]
    pub fn total(&self, seat: Seat) -> u32 {
        self.total[seat.index()]
    }

    /// What the hexes of a seat yield together.
    #[inline(always)]
    pub fn gross(&self, seat: Seat) -> u32 {
        self.gross[seat.index()]
    }

    /// What an upgrade costs in this game.
    #[inline(always)]
    pub fn cost(&self, upgrade: Upgrade) -> u32 {
        u32::from(self.prices.cost[upgrade.index()])
    }

    /// What a hex with this upgrade yields in this game.
    #[inline(always)]
    pub fn yields(&self, upgrade: Upgrade) -> u32 {
        u32::from(self.prices.yields[upgrade.index()])
    }

    /// Everything about one land hex.
    pub fn hex(&self, cell: Cell) -> Hex {
        Hex {
            owner: self.owner(cell),
            upgrade: self.upgrade(cell),
            soldiers: self.soldiers(cell),
            ready: self.ready(cell),
        }
    }

    /// Makes a land hex what is said, whatever it was.
    pub(crate) fn set(&mut self, cell: Cell, hex: Hex) -> Result<(), Rejected> {
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

    /// Soldiers come to a hex.
    #[inline(always)]
    pub(crate) fn gain(&mut self, cell: Cell, n: u32) {
        self.soldiers[cell.index()] += n;
        self.total[self.owner[cell.index()] as usize] += n;
    }

    /// Soldiers leave a hex or die there; those who are ready go last.
    #[inline(always)]
    pub(crate) fn lose(&mut self, cell: Cell, n: u32) {
        let left = self.soldiers[cell.index()] - n;
        self.soldiers[cell.index()] = left;
        self.total[self.owner[cell.index()] as usize] -= n;
        if self.ready[cell.index()] > left {
            self.set_ready(cell, left);
        }
    }

    /// Says how many soldiers of a hex may still march.
    #[inline(always)]
    pub(crate) fn set_ready(&mut self, cell: Cell, n: u32) {
        self.ready[cell.index()] = n;
        if n > 0 {
            self.awake.insert(cell);
        } else {
            self.awake.remove(cell);
        }
    }

    /// A hex without soldiers changes hands, with what stands on it.
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

    /// Something else stands on a hex from now on.
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

    /// All soldiers of a seat may march.
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

    /// Nobody may march any more.
    #[inline]
    pub(crate) fn sleep(&mut self) {
        for cell in self.awake.iter() {
            self.ready[cell.index()] = 0;
        }
        self.awake = Cells::NONE;
    }

    /// Whether the sums are what the hexes say, and every hex is as it must be.
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
