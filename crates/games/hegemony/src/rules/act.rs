//! Steps 4 and 5 of a turn: the Player Action, and refilling slots after it.

use super::NOT_NOW;
use crate::actions::Action;
use crate::active::Slots;
use crate::agenda::Task;
use crate::cards::Category;
use crate::facts::{Context, Fact};
use crate::places::Side;
use crate::state::Hegemony;
use pentarchy_engine::{RuleError, Seat, ensure};

impl Hegemony {
    /// Returns whether a side is a living enemy of a player.
    fn is_enemy(&self, seat: Seat, side: Side) -> bool {
        side.0 <= Side::EMPIRE.0 && self.enemies(seat) >> side.0 & 1 != 0
    }

    /// Returns the living enemies of a player, one bit per side.
    fn enemies(&self, seat: Seat) -> u16 {
        u16::from(self.living.0 & !(1 << seat.0)) | u16::from(self.standing) << Side::EMPIRE.0
    }

    /// Returns whether a player has an active Military card.
    fn is_armed(&self, seat: Seat) -> bool {
        self.active_slots(seat.into(), Category::Military) != 0
    }

    /// Lists the Player Actions: wars, trade, fresh cards; `pass` if there is none.
    pub(crate) fn list_act(&self, seat: Seat, out: &mut Vec<Action>) {
        if self.is_armed(seat) {
            out.extend(Slots(self.enemies(seat)).map(|side| Action::War(Side(side))));
        }
        if self.standing {
            out.push(Action::Trade);
        }
        if self.occupied(seat.into()).next().is_some() {
            out.push(Action::Fresh);
        }
        if out.is_empty() {
            out.push(Action::Pass);
        }
    }

    /// Returns entry number `nth(length)` of the list of [`list_act`](Self::list_act) without building the
    /// list.
    #[inline]
    pub(crate) fn choose_act(&self, seat: Seat, nth: impl FnOnce(usize) -> usize) -> Action {
        let enemies = if self.is_armed(seat) { self.enemies(seat) } else { 0 };
        let (wars, occupied) = (enemies.count_ones() as usize, self.occupied(seat.into()).0 != 0);
        let others = usize::from(self.standing) + usize::from(occupied);
        let n = nth((wars + others).max(1));
        match n.checked_sub(wars) {
            None => Action::War(Side(Slots(enemies).nth(n).unwrap_or_default())),
            Some(_) if others == 0 => Action::Pass,
            Some(0) if self.standing => Action::Trade,
            Some(_) => Action::Fresh,
        }
    }

    /// Checks a Player Action and applies it.
    ///
    /// # Errors
    ///
    /// Fails if the target is no enemy, there is no active Military card, no Empire, or no occupied slot, as
    /// the action requires.
    pub(crate) fn player_action(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        action: Action,
    ) -> Result<(), RuleError> {
        match action {
            Action::War(on) => {
                ensure(self.is_enemy(seat, on), "there is no such enemy")?;
                ensure(self.is_armed(seat), "war needs an active Military card")?;
            }
            Action::Trade => ensure(self.standing, "there is no Empire left to trade with")?,
            Action::Fresh => ensure(self.occupied(seat.into()).0 != 0, "no slot is occupied")?,
            Action::Pass => {
                let mut list = Vec::new();
                self.list_act(seat, &mut list);
                ensure(list == [Action::Pass], "there is something to do")?;
            }
            _ => return Err(NOT_NOW),
        }
        self.agenda.pop();
        self.carry_out(cx, seat, action)
    }

    /// Applies a Player Action. The caller has checked that it is legal and has popped the task.
    #[inline]
    pub(crate) fn carry_out(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        action: Action,
    ) -> Result<(), RuleError> {
        let side = Side::from(seat);
        match action {
            Action::War(on) => {
                self.push_task(Task::Refill(on))?;
                self.push_task(Task::Refill(side))?;
                self.begin_battle(cx, side, on)
            }
            Action::Trade => {
                cx.emit(move || Fact::TradeBegan(seat));
                self.push_task(Task::Refill(Side::EMPIRE))?;
                self.push_task(Task::Refill(side))?;
                self.push_task(Task::Trade(seat, self.trade_purchases(seat), 0))
            }
            Action::Fresh => {
                cx.emit(move || Fact::DrewFresh(seat));
                let occupied = self.occupied(side).0;
                Slots(occupied).for_each(|i| self.empty_slot(side, i));
                self.push_task(Task::Refill(side))?;
                self.push_task(Task::Fill(seat, occupied as u8))
            }
            _ => self.push_task(Task::Refill(side)),
        }
    }

    /// Returns the lowest empty slot of a player.
    fn empty(&self, side: Side) -> Option<u8> {
        let all = (1 << self.slots(side)) - 1;
        Slots(all & !self.occupied(side).0).next()
    }

    /// Returns whether a side still in the game has an empty slot and cards to fill it.
    pub(crate) fn refill_is_open(&self, side: Side) -> bool {
        self.is_in(side) && !self.pool_is_empty(side) && self.empty(side).is_some()
    }

    /// Fills the lowest empty slot of a player from the deck.
    ///
    /// # Errors
    ///
    /// Fails if no slot is empty.
    pub(crate) fn refill(&mut self, side: Side) -> Result<(), RuleError> {
        let i = self.empty(side).ok_or(RuleError::new("no slot is empty"))?;
        self.push_task(Task::Fill(Seat(side.0), 1 << i))
    }
}
