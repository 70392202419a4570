//! The Attacking phase: every soldier may march one hex, and fights are subtraction.

use super::short;
use crate::actions::Action;
use crate::amounts::Amounts;
use crate::facts::{Captured, Context, Destination, Fact};
use crate::map::{Cell, Direction};
use crate::options::CaptureBuildings;
use crate::state::{Numeral, Stage};
use crate::upgrades::Upgrade;
use pentarchy_engine::{RuleError, Seat, ensure};

impl Numeral {
    /// Appends the choices of the stage `March`: `done`, then `Select` for every hex with soldiers of the
    /// active player that have not marched this turn, the Home included, in reading order.
    #[inline]
    pub(crate) fn list_armies(&self, out: &mut Vec<Action>) {
        out.push(Action::Done);
        out.extend(self.board.awake().iter().map(Action::Select));
    }

    /// Checks and chooses the hex to march from: sets the stage `MarchFrom`, which only a march leaves.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the hex is not the active player's, or no soldier there is ready.
    #[inline]
    pub(crate) fn select_army(&mut self, cell: Cell) -> Result<(), RuleError> {
        ensure(self.board.held(self.active).has(cell), "this is not your hex")?;
        ensure(self.board.awake().has(cell), "nobody there is ready to march")?;
        self.stage = Stage::MarchFrom(cell);
        Ok(())
    }

    /// Appends the marches from `cell`, which must be a hex of the active player: for every direction with
    /// land, in their order, each offered number of soldiers, ascending. Offered are the round numbers up to
    /// the ready soldiers, half of them, all and all but one; against an enemy also the fewest that win.
    #[inline]
    pub(crate) fn list_marches(&self, cell: Cell, out: &mut Vec<Action>) {
        let amounts = Amounts::marching(self.board.ready(cell));
        for direction in Direction::ALL {
            let Some(target) = self.target(cell, direction) else { continue };
            let list = |amounts: &Amounts, out: &mut Vec<Action>| {
                out.extend(amounts.as_slice().iter().map(|&n| Action::March(direction, n)));
            };
            match self.enemy_on(target) {
                Some(enemy) => list(&amounts.against(self.defence(target, enemy)), out),
                None => list(&amounts, out),
            }
        }
    }

    /// Checks a march of `n` soldiers of the active player from the selected hex `cell`, and applies it. To a
    /// hex without an enemy they move, and take it if it is neutral. Against an enemy attackers and defenders
    /// die one for one; if the attackers outnumber the defence, those left take the hex. They are not ready
    /// again this turn. Emits `Marched` or `Fought`, and after the loss of a Home `HomeMoved`, `HomeLost` or
    /// `Eliminated`. Sets the stage to `March`; a lost Home may change it to `HomeMoves` or `Over`. Whose hex
    /// `cell` is is not checked.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if there is no land, fewer soldiers are ready, or the number is not offered.
    #[inline]
    pub(crate) fn march(
        &mut self,
        cx: &mut Context<'_>,
        cell: Cell,
        direction: Direction,
        n: u32,
    ) -> Result<(), RuleError> {
        let target = self.target(cell, direction).ok_or(RuleError::new("nothing crosses water"))?;
        let ready = self.board.ready(cell);
        if n > ready {
            return Err(RuleError::numbers(
                "{0} cannot march: only {1} are ready there",
                short(n),
                short(ready),
            ));
        }
        let enemy = self.enemy_on(target);
        let defence = enemy.map(|enemy| (enemy, self.defence(target, enemy)));
        let amounts = Amounts::marching(ready);
        let offered = defence.map_or(amounts, |(_, strength)| amounts.against(strength));
        ensure(offered.has(n), "this number is not offered: march in parts")?;

        self.board.set_ready(cell, ready - n);
        self.board.lose(cell, n);
        self.stage = Stage::March;
        let (seat, this) = (self.active, &*self);
        cx.emit(move || match defence {
            None => Fact::Marched { seat, soldiers: n, to: this.destination(target, n) },
            Some((enemy, defence)) => {
                let result = match defence.checked_sub(n) {
                    Some(left) => Err(left),
                    None => Ok(this.captured(target, n - defence)),
                };
                let towers = defence - this.board.soldiers(target);
                Fact::Fought { seat, enemy, soldiers: n, defence, towers, result }
            }
        });
        match defence {
            None if self.board.owner(target).is_some() => self.board.gain(target, n),
            None => {
                self.board.give(target, Some(self.active));
                self.board.gain(target, n);
            }
            Some((enemy, strength)) => {
                self.kill(target, enemy, n.min(strength));
                if n > strength {
                    self.capture(cx, target, enemy, n - strength);
                }
            }
        }
        Ok(())
    }

    /// Returns where `n` soldiers of the active player march to, for the log: free land, the Home with the
    /// gold it will have, an empty hex, or an army of that size. Call it before they arrive; the hex must not
    /// belong to an enemy.
    fn destination(&self, target: Cell, n: u32) -> Destination {
        match (self.board.owner(target), self.board.soldiers(target)) {
            (None, _) => Destination::FreeLand,
            (Some(_), gold) if self.board.upgrade(target) == Upgrade::Home => Destination::Home(gold + n),
            (Some(_), 0) => Destination::Empty,
            (Some(_), there) => Destination::Army { there, now: there + n },
        }
    }

    /// Returns what `left` attackers of the active player capture with an enemy hex, for the log: its
    /// upgrade, whether that is destroyed (a building, with the option `raze`), and `left`. Call it before
    /// the capture.
    fn captured(&self, target: Cell, left: u32) -> Captured {
        let upgrade = self.board.upgrade(target);
        let building = !matches!(upgrade, Upgrade::None | Upgrade::Home);
        Captured { upgrade, razed: building && self.razes_buildings(), left }
    }

    /// Returns whether a captured building is destroyed, by the option `capture_buildings`.
    pub fn razes_buildings(&self) -> bool {
        self.options.capture_buildings == CaptureBuildings::Raze
    }

    /// Returns the land hex next to `cell` in a direction; `None` if there is water or the edge of the map.
    #[inline]
    pub fn target(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        cell.step(direction).filter(|&to| self.board.land().has(to))
    }

    /// Returns the owner of a hex if it is another player than the active one; `None` for own and neutral
    /// hexes and for water.
    #[inline]
    fn enemy_on(&self, cell: Cell) -> Option<Seat> {
        self.board.owner(cell).filter(|&owner| owner != self.active)
    }

    /// Returns the defence of a hex: the soldiers there, and those in adjacent Towers of `owner`, who must
    /// own the hex.
    #[inline]
    pub fn defence(&self, cell: Cell, owner: Seat) -> u32 {
        let helping = cell.around().and(self.board.towers());
        let mut strength = self.board.soldiers(cell);
        if !helping.is_empty() {
            let helping = helping.and(self.board.held(owner));
            strength += helping.iter().map(|tower| self.board.soldiers(tower)).sum::<u32>();
        }
        strength
    }

    /// Removes `n` defenders of a hex of `owner`: first those on it, then those in adjacent Towers, the
    /// smallest first (ties: the lowest hex). So attacks in waves have the same result as one attack. `n`
    /// must be at most the defence.
    #[inline]
    fn kill(&mut self, cell: Cell, owner: Seat, n: u32) {
        let here = n.min(self.board.soldiers(cell));
        self.board.lose(cell, here);
        if n > here {
            self.kill_helpers(cell, owner, n - here);
        }
    }

    /// Removes `n` soldiers from the Towers of `owner` next to a hex, all of the smallest Tower first (ties:
    /// the lowest hex), then of the next. If the Towers have fewer, all are removed and the rest of `n` is
    /// ignored.
    fn kill_helpers(&mut self, cell: Cell, owner: Seat, mut n: u32) {
        let mut helping = cell.around().and(self.board.towers()).and(self.board.held(owner));
        while n > 0 {
            let smallest = helping.iter().min_by_key(|&tower| (self.board.soldiers(tower), tower));
            let Some(tower) = smallest else { return };
            let dead = n.min(self.board.soldiers(tower));
            self.board.lose(tower, dead);
            helping.remove(tower);
            n -= dead;
        }
    }

    /// Gives the hex `cell` of `enemy`, which must have no soldiers left, to the active player and puts `n`
    /// soldiers there, which are not ready. The upgrade stays, except a Home, or any with the option `raze`.
    /// After the loss of a Home its owner gets a new one, at once or by chance (stage `HomeMoves`), or is
    /// out, and `HomeMoved`, `HomeLost` or `Eliminated` is emitted; otherwise nothing is.
    fn capture(&mut self, cx: &mut Context<'_>, cell: Cell, enemy: Seat, n: u32) {
        let was_home = self.board.upgrade(cell) == Upgrade::Home;
        if was_home || self.razes_buildings() {
            self.board.set_upgrade(cell, Upgrade::None);
        }
        self.board.give(cell, Some(self.active));
        self.board.gain(cell, n);
        if was_home {
            self.lose_home(cx, enemy);
        }
    }
}
