//! Steps 4 and 5 of a turn: the Player Action, and the replenishment after it.

use super::NOT_NOW;
use crate::actions::Action;
use crate::active::Slots;
use crate::agenda::Step;
use crate::cards::Category;
use crate::places::Side;
use crate::state::Hegemony;
use pentarchy_engine::{Rejected, Seat, ensure};

impl Hegemony {
    fn is_enemy(&self, seat: Seat, side: Side) -> bool {
        side != Side::from(seat) && self.is_in(side)
    }

    /// Whether a player has an active Military card.
    fn is_armed(&self, seat: Seat) -> bool {
        self.active_slots(seat.into(), Category::Military) != 0
    }

    pub(crate) fn list_act(&self, seat: Seat, out: &mut Vec<Action>) {
        if self.is_armed(seat) {
            let sides = (0..self.seats).map(Side).chain([Side::EMPIRE]);
            out.extend(sides.filter(|&side| self.is_enemy(seat, side)).map(Action::War));
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

    pub(crate) fn player_action(&mut self, seat: Seat, action: Action) -> Result<(), Rejected> {
        let side = Side::from(seat);
        match action {
            Action::War(on) => {
                ensure(self.is_enemy(seat, on), "there is no such enemy")?;
                ensure(self.is_armed(seat), "war needs an active Military card")?;
                self.agenda.pop();
                self.then(Step::Refill(on))?;
                self.then(Step::Refill(side))?;
                self.begin_battle(side, on)
            }
            Action::Trade => {
                ensure(self.standing, "there is no Empire left to trade with")?;
                self.agenda.pop();
                self.then(Step::Refill(Side::EMPIRE))?;
                self.then(Step::Refill(side))?;
                self.then(Step::Trade(seat, self.trade_purchases(seat), 0))
            }
            Action::Fresh => {
                let occupied = self.occupied(side).0;
                ensure(occupied != 0, "no slot is occupied")?;
                self.agenda.pop();
                Slots(occupied).for_each(|i| self.empty_slot(side, i));
                self.then(Step::Refill(side))?;
                self.fill(seat, occupied as u8)
            }
            Action::Pass => {
                let mut list = Vec::new();
                self.list_act(seat, &mut list);
                ensure(list == [Action::Pass], "there is something to do")?;
                self.agenda.pop();
                self.then(Step::Refill(side))
            }
            _ => Err(NOT_NOW),
        }
    }

    /// The lowest empty slot of a player.
    fn empty(&self, side: Side) -> Option<u8> {
        let all = (1 << self.slots(side)) - 1;
        Slots(all & !self.occupied(side).0).next()
    }

    pub(crate) fn refill_is_open(&self, side: Side) -> bool {
        self.is_in(side) && !self.pool_is_empty(side) && self.empty(side).is_some()
    }

    pub(crate) fn refill(&mut self, side: Side) -> Result<(), Rejected> {
        let i = self.empty(side).ok_or(Rejected::new("no slot is empty"))?;
        self.fill(Seat(side.0), 1 << i)
    }
}
