//! The survey of a position before actions are rated: distances and values.

use crate::board::Board;
use crate::map::{CELLS, Cell, Cells};
use crate::state::{Numeral, Phase};
use crate::upgrades::Upgrade;
use pentarchy_engine::Seat;

/// A distance beyond any path.
pub(super) const FAR: u8 = u8::MAX;
/// Number of rounds for which a captured hex is expected to pay.
const HORIZON: i32 = 4;

/// The position from the perspective of one player.
pub(super) struct Survey<'a> {
    pub(super) game: &'a Numeral,
    pub(super) board: &'a Board,
    pub(super) me: Seat,
    /// All hexes of other players.
    pub(super) enemies: Cells,
    /// Number of steps over land to the nearest enemy hex, by cell.
    pub(super) to_enemy: [u8; CELLS],
    /// Number of steps over land to the nearest enemy Home, by cell.
    pub(super) to_home: [u8; CELLS],
    /// Number of steps over land to the nearest hex that is not our own.
    pub(super) to_border: [u8; CELLS],
    /// Neutral hexes next to ours that no soldier stands ready to take.
    pub(super) unclaimed: Cells,
    /// Whether no enemy is near yet.
    pub(super) peace: bool,
    /// Number of own hexes without an upgrade.
    pub(super) bare: u32,
    /// The cost of a soldier's death.
    pub(super) life: i32,
}

impl<'a> Survey<'a> {
    /// Surveys the position for a player. `unclaimed`, `peace` and `bare` are computed in the Placing phase
    /// only; otherwise they are empty, `false` and 0.
    pub(super) fn new(game: &'a Numeral, me: Seat) -> Self {
        let board = &game.board;
        let land = board.land();
        let own = board.held(me);
        let enemies = land.minus(own).minus(board.neutral());
        let seats = || (0..game.seats).map(Seat).filter(|&s| s != me);
        let homes: Cells = seats().filter_map(|s| board.home(s)).collect();
        let mut survey = Survey {
            game,
            board,
            me,
            enemies,
            to_enemy: distances(land, &enemies),
            to_home: distances(land, &homes),
            to_border: distances(land, &land.minus(own)),
            unclaimed: Cells::NONE,
            peace: false,
            bare: 0,
            life: 0,
        };
        if game.phase() == Phase::Placing {
            survey.unclaimed = survey.unclaimed_land();
            survey.peace = survey.is_peace();
            survey.bare = survey.count_bare();
        }
        // Soldiers die one for one. Against one enemy that is even; among several the others gain. A player
        // with many soldiers can spare some, so that two rich players do not wait forever.
        let rivals = seats().filter(|&s| game.in_play(s)).count() as i32;
        let plenty = board.total(me).clamp(1, 1 << 20) as i32;
        let price = if rivals > 1 { 45 } else { 30 };
        survey.life = (price * 30 / plenty.max(30)).max(2);
        survey
    }

    /// Returns the neutral hexes next to own ones for which no adjacent soldier outside the Home is left
    /// over; each soldier claims one.
    fn unclaimed_land(&self) -> Cells {
        let own = self.board.held(self.me);
        let home = self.board.home(self.me);
        let mut left = own.grown().and(self.board.neutral());
        for cell in own.iter().filter(|&c| Some(c) != home) {
            let mut soldiers = self.board.soldiers(cell);
            for next in cell.around().and(&left).iter() {
                if soldiers == 0 {
                    break;
                }
                left.remove(next);
                soldiers -= 1;
            }
        }
        left
    }

    /// Returns the number of enemy soldiers on the hexes next to a hex, who could attack it, gold in an
    /// adjacent enemy Home included.
    pub(super) fn threat(&self, cell: Cell) -> u32 {
        cell.around().and(&self.enemies).iter().map(|c| self.board.soldiers(c)).sum()
    }

    /// Returns the value of taking a hex, in hundredths of gold, losses not counted: its yield for 4 rounds;
    /// for an enemy hex 300 more, 1000 more for a Home and 3000 more for the last hex of its owner.
    pub(super) fn prize(&self, cell: Cell) -> i32 {
        let yields = self.board.yields(self.board.upgrade(cell)) as i32;
        let Some(owner) = self.board.owner(cell) else { return 100 * HORIZON * yields.max(1) };
        let home = if self.board.upgrade(cell) == Upgrade::Home { 1_000 } else { 0 };
        let last = if self.board.held(owner).len() == 1 { 3_000 } else { 0 };
        100 * HORIZON * yields + 300 + home + last
    }

    /// Returns the value of taking a foreign hex with `attackers` against `defence`, in hundredths of gold:
    /// its prize, less if it can be retaken at once, minus the soldiers lost. Negative if it is not worth it.
    pub(super) fn conquest(&self, cell: Cell, attackers: u32, defence: u32) -> i32 {
        let left = attackers.saturating_sub(defence);
        let prize = self.prize(cell);
        // A hex that the enemy can retake immediately is worth less.
        let held = if self.threat(cell) >= left { prize * 2 / 3 } else { prize };
        held - self.life * defence.min(10_000) as i32
    }

    /// Returns the defence of a foreign hex, Towers included; 0 for neutral land.
    pub(super) fn defence(&self, cell: Cell) -> u32 {
        self.board.owner(cell).map_or(0, |owner| self.game.defence(cell, owner))
    }

    /// Returns the number of rounds after this one, up to the chosen limit or the cap.
    pub(super) fn rounds_left(&self) -> i32 {
        i32::from(self.game.options.last_round().0.saturating_sub(self.game.round))
    }
}

/// Returns by cell the number of steps over land to the nearest hex of `from`; `FAR` if there is no path.
fn distances(land: &Cells, from: &Cells) -> [u8; CELLS] {
    let mut steps = [FAR; CELLS];
    let (mut reached, mut front, mut step) = (*from, *from, 0);
    while !front.is_empty() {
        front.iter().for_each(|c| steps[c.index()] = step);
        front = front.grown().and(land).minus(&reached);
        reached = reached.or(&front);
        step += 1;
    }
    steps
}
