//! The survey of a position before actions are rated: distances and values.

use crate::board::Board;
use crate::map::{CELLS, Cell, Cells};
use crate::state::{Numeral, Phase};
use crate::upgrades::Upgrade;
use crate::weights::Weights;
use pentarchy_engine::Seat;

/// A distance beyond any path.
pub(super) const FAR: u8 = u8::MAX;

/// The position from the perspective of the player `me`.
pub(super) struct Survey<'a> {
    pub(super) game: &'a Numeral,
    pub(super) board: &'a Board,
    pub(super) weights: &'a Weights,
    pub(super) me: Seat,
    /// All hexes of other players.
    pub(super) enemies: Cells,
    /// Number of steps over land to the nearest enemy hex, by cell.
    pub(super) to_enemy: [u8; CELLS],
    /// Number of steps over land to the nearest enemy Home, by cell.
    pub(super) to_home: [u8; CELLS],
    /// Number of steps over land to the nearest hex that is not our own, by cell.
    pub(super) to_border: [u8; CELLS],
    /// Neutral hexes next to ours that no soldier stands ready to take. Empty outside the Placing phase.
    pub(super) unclaimed: Cells,
    /// Whether no enemy is near yet. `false` outside the Placing phase.
    pub(super) peace: bool,
    /// Number of own hexes without an upgrade. 0 outside the Placing phase.
    pub(super) bare: u32,
    /// The cost of a soldier's death in hundredths of gold, at least 2.
    pub(super) life: i32,
}

impl<'a> Survey<'a> {
    /// Surveys the position for the player `me`: distances, and what the Placing phase needs (`unclaimed`,
    /// `peace` and `bare`; otherwise empty, `false` and 0). The cost of a soldier's death is `life_one`
    /// against one rival and `life_many` against several. A player with more than `plenty` soldiers and gold
    /// values a death less, in inverse proportion.
    pub(super) fn new(game: &'a Numeral, me: Seat, weights: &'a Weights) -> Self {
        let board = &game.board;
        let land = board.land();
        let own = board.held(me);
        let enemies = land.minus(own).minus(board.neutral());
        let seats = || (0..game.seats).map(Seat).filter(|&s| s != me);
        let homes: Cells = seats().filter_map(|s| board.home(s)).collect();
        let mut survey = Survey {
            game,
            board,
            weights,
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
        let price = if rivals > 1 { weights.life_many } else { weights.life_one };
        let spared = weights.plenty.max(1);
        survey.life = (price * spared / plenty.max(spared)).max(2);
        survey
    }

    /// Returns the neutral hexes next to own ones for which no adjacent soldier outside the Home is left
    /// over. Each soldier claims one hex; hexes and their neighbours are visited in reading order.
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

    /// Returns the number of enemy soldiers on the hexes next to a hex, ready or not, who could attack it;
    /// gold in an adjacent enemy Home is included.
    pub(super) fn threat(&self, cell: Cell) -> u32 {
        cell.around().and(&self.enemies).iter().map(|c| self.board.soldiers(c)).sum()
    }

    /// Returns the value of taking a hex, in hundredths of gold, losses not counted: `round` per yield and
    /// round for `horizon` rounds (a neutral hex yields at least 1), plus for an enemy hex `enemy_hex`, for a
    /// Home `enemy_home`, and for the last hex of its owner `last_hex`.
    pub(super) fn prize(&self, cell: Cell) -> i32 {
        let w = self.weights;
        let yields = self.board.yields(self.board.upgrade(cell)) as i32;
        let Some(owner) = self.board.owner(cell) else { return w.round * w.horizon * yields.max(1) };
        let home = if self.board.upgrade(cell) == Upgrade::Home { w.enemy_home } else { 0 };
        let last = if self.board.held(owner).len() == 1 { w.last_hex } else { 0 };
        w.round * w.horizon * yields + w.enemy_hex + home + last
    }

    /// Returns the value of taking a foreign hex with `attackers` against `defence`, in hundredths of gold:
    /// its [`prize`](Self::prize), of which only `retaken` thirtieths count if at least as many adjacent
    /// enemies as attackers are left, less `life` for each of the `defence` (at most 10000) soldiers that are
    /// lost. Negative if it is not worth it. Does not check that the attackers win.
    pub(super) fn conquest(&self, cell: Cell, attackers: u32, defence: u32) -> i32 {
        let left = attackers.saturating_sub(defence);
        let prize = self.prize(cell);
        // A hex that the enemy can retake immediately is worth less.
        let held = if self.threat(cell) >= left { prize * self.weights.retaken / 30 } else { prize };
        held - self.life * defence.min(10_000) as i32
    }

    /// Returns the defence of a foreign hex: its soldiers and those in adjacent Towers of its owner; 0 for
    /// neutral land.
    pub(super) fn defence(&self, cell: Cell) -> u32 {
        self.board.owner(cell).map_or(0, |owner| self.game.defence(cell, owner))
    }

    /// Returns the number of rounds after this one, up to the chosen limit or the cap; 0 in the last round.
    pub(super) fn rounds_left(&self) -> i32 {
        i32::from(self.game.options.last_round().0.saturating_sub(self.game.round))
    }
}

/// Returns by cell the number of steps over `land` to the nearest hex of `from`: 0 on these themselves, `FAR`
/// if there is no path or the cell is not land.
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
