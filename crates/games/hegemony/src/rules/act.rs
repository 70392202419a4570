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
    /// Returns whether a side is in the game and not the player's own; `false` for a side that does not
    /// exist.
    fn is_enemy(&self, seat: Seat, side: Side) -> bool {
        side.0 <= Side::EMPIRE.0 && self.enemies(seat) >> side.0 & 1 != 0
    }

    /// Returns the sides in the game other than the player's own: bit `s` for seat `s`, bit 6 for the Empire.
    fn enemies(&self, seat: Seat) -> u16 {
        u16::from(self.living.0 & !(1 << seat.0)) | u16::from(self.standing) << Side::EMPIRE.0
    }

    /// Returns whether a player has a Military card in a slot that Sanctions do not disable now. Only then
    /// the player may make war.
    fn is_armed(&self, seat: Seat) -> bool {
        self.active_slots(seat.into(), Category::Military) != 0
    }

    /// Appends the Player Actions: with an active Military card a war on each enemy side, the Empire last;
    /// then trade while the Empire stands, and fresh cards if a slot is occupied; `pass` if there is none of
    /// these. `out` must be empty.
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
    /// list. `nth` must return less than the length.
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

    /// Checks a Player Action of the seat, pops the task and applies the action: emits `WarBegan`,
    /// `TradeBegan` or `DrewFresh`, nothing for `pass`, and pushes what follows, the refilling of slots
    /// included. War begins its battle at once, with its facts; fresh cards discard the cards of all slots at
    /// once.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the target is no enemy, there is no active Military card, no Empire, or no
    /// occupied slot, as the action requires; if `pass` is not the only legal action; or if it is no Player
    /// Action. Also if the agenda is full.
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

    /// Applies a Player Action, and pushes its tasks. War emits `WarBegan` and begins the battle; after it
    /// the player, then the other side may refill (the Empire always does). Trade emits `TradeBegan` and
    /// pushes the purchases from the Empire; after them the player may refill, then the Empire does. Fresh
    /// cards emit `DrewFresh`, discard the cards of all slots, and push the filling of these slots; after it
    /// the player may refill. Any other action only pushes the player's refilling. The caller has checked
    /// that the action is legal and has popped the task.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
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
                cx.emit(move || Fact::WarBegan(seat, on));
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

    /// Returns the lowest empty slot of a player, from 0; `None` if all are occupied. `side` must be a
    /// player.
    fn empty(&self, side: Side) -> Option<u8> {
        let all = (1 << self.slots(side)) - 1;
        Slots(all & !self.occupied(side).0).next()
    }

    /// Returns whether a player may refill: is in the game, has an empty slot, and has a card in the deck or
    /// discard pile to fill it. `side` must be a player.
    pub(crate) fn refill_is_open(&self, side: Side) -> bool {
        self.is_in(side) && !self.pool_is_empty(side) && self.empty(side).is_some()
    }

    /// Pushes the filling of the lowest empty slot of a player from the deck. The task `Refill` below it
    /// stays, so that the player is asked again. `side` must be a player. Whether deck or discard pile has a
    /// card is not checked; without one the slot stays empty.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if no slot is empty; or if the agenda is full.
    pub(crate) fn refill(&mut self, side: Side) -> Result<(), RuleError> {
        let i = self.empty(side).ok_or(RuleError::new("no slot is empty"))?;
        self.push_task(Task::Fill(Seat(side.0), 1 << i))
    }
}
