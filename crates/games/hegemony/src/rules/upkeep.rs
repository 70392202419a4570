//! Upkeep: Scalpers, purchases by Cargo Ships, and Diplomacy cards.

use super::NOT_NOW;
use crate::actions::Action;
use crate::agenda::{Aim, Task};
use crate::cards::{COVERT, Card, Category, UPKEEP};
use crate::facts::{Context, Fact};
use crate::places::{COMMON, Side, slot};
use crate::state::{Hegemony, Mark};
use pentarchy_engine::{RuleError, Seat, SeatView, Token, ensure};

impl Hegemony {
    // --- Scalpers

    /// Removes the Scalpers' marks for which `lifted` returns `true`; the order of the others stays.
    pub(crate) fn lift_marks(&mut self, lifted: impl Fn(&Mark) -> bool) {
        let mut i = 0;
        while let Some(mark) = self.marks.get(i) {
            if lifted(mark) {
                self.marks.remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// Checks that a seat may mark this card with a Scalper: it is in the common pool, and its name is not
    /// the one that this seat's Scalpers marked last. Whether the seat has a Scalper is not checked. Changes
    /// nothing.
    ///
    /// # Errors
    ///
    /// Fails if the card may not be marked, or is hidden.
    fn check_scalp(&self, seat: Seat, t: Token) -> Result<(), RuleError> {
        ensure(self.tokens.in_zone(t, COMMON), "this card is not in the common pool")?;
        let last = self.players[seat.index()].scalped;
        ensure(last != Some(self.tokens.face(t)?), "the same card was designated last")
    }

    /// Returns whether the common pool has a card that the seat may mark with a Scalper: one whose name is
    /// not that of the card that it marked last. Whether the seat has a Scalper is not checked.
    pub(crate) fn can_scalp(&self, seat: Seat) -> bool {
        self.tokens.iter(COMMON).any(|t| self.check_scalp(seat, t).is_ok())
    }

    /// Appends `Scalp` for the cards of the common pool that the seat may mark, in the order of the pool; of
    /// cards with equal names and numbers of marks only the first.
    pub(crate) fn list_scalp(&self, seat: Seat, out: &mut Vec<Action>) {
        self.list_common(out, Action::Scalp, |t| self.check_scalp(seat, t).is_ok());
    }

    /// Checks and applies the mark of one of `left` Scalpers, at least 1, on the card `t`: emits `Marked`,
    /// remembers the card's name as the last that this player marked, and replaces the task by that for one
    /// Scalper less. The mark raises the price for everyone until this player's next turn begins, the player is
    /// defeated, the card is bought, or the Empire's turn begins.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card may not be marked; or if there are too many marks or tasks.
    pub(crate) fn scalp(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        left: u8,
        t: Token,
    ) -> Result<(), RuleError> {
        self.check_scalp(seat, t)?;
        let card = self.tokens.face(t)?;
        cx.emit(move || Fact::Marked(seat, card));
        self.agenda.pop();
        self.players[seat.index()].scalped = Some(card);
        self.marks.push(Mark { token: t, by: seat })?;
        self.push_task(Task::Scalp(seat, left - 1))
    }

    // --- the free part

    /// Returns whether public information leaves a choice in the upkeep: with at least one of `ships` Cargo
    /// Ship purchases left a card can be afforded, or an active Diplomacy card lies face down (it may be
    /// anything) or is public and has a legal use.
    pub(crate) fn upkeep_is_open(&self, seat: Seat, ships: u8) -> bool {
        let side = Side::from(seat);
        let may_use = |(i, t): (u8, Token)| {
            self.lies_face_down(side, i, t)
                || self.tokens.public_face(t).is_some_and(|card| self.is_usable(seat, card))
        };
        (ships > 0 && self.can_buy_any(seat))
            || (self.may_have(side, UPKEEP | COVERT) && self.active(side, Category::Diplomacy).any(may_use))
    }

    /// Appends `Buy` for the affordable cards of the common pool if `ships`, the Cargo Ship purchases left,
    /// is not 0; then `Use` for each Diplomacy card that can be used, and always `Done`. `own` must be the
    /// view of `seat`.
    pub(crate) fn list_upkeep(&self, own: &SeatView<'_, Self>, seat: Seat, ships: u8, out: &mut Vec<Action>) {
        if ships > 0 {
            self.list_buys(seat, &self.terms(seat), out);
        }
        for (_, t) in self.active(seat.into(), Category::Diplomacy) {
            if own.face(t).is_some_and(|card| self.is_usable(seat, card)) {
                out.push(Action::Use(t));
            }
        }
        out.push(Action::Done);
    }

    /// Checks and makes a purchase from the common pool by a Cargo Ship: takes the price, removes the card's
    /// Scalper marks, and moves it to the seat's discard pile, or on top of its deck with an active Manager.
    /// Emits `Bought` and `Points`, and replaces the task on top by one with a purchase less. `ships` is the
    /// number of purchases left.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if no purchase is left, or the card is not for sale or too expensive.
    pub(crate) fn buy_in_upkeep(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        ships: u8,
        t: Token,
    ) -> Result<(), RuleError> {
        ensure(ships > 0, "no Cargo Ship is left to buy with")?;
        self.buy_from_common(cx, seat, t)?;
        self.agenda.replace_top(Task::Upkeep(seat, ships - 1));
        Ok(())
    }

    /// Checks a Diplomacy card that is to be used in the upkeep, emits `UseBegan`, and pushes the choice of
    /// its target. This call records that the card lies face up; the engine has made it public before. The
    /// task of the upkeep stays below.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not an active Diplomacy card of the seat, is not used in the
    /// upkeep, or has no target; or if the agenda is full.
    pub(crate) fn use_card(&mut self, cx: &mut Context<'_>, seat: Seat, t: Token) -> Result<(), RuleError> {
        let (side, i) = self.slot_of(t).ok_or(RuleError::of("this card lies in no slot", t))?;
        ensure(side == Side::from(seat), "this is somebody else's card")?;
        ensure(self.category(t) == Category::Diplomacy, "only Diplomacy cards are used like this")?;
        ensure(self.is_active(side, i), "this card is switched off")?;
        let card = self.tokens.face(t)?;
        ensure(card.is_in(UPKEEP), "this card is not used in the upkeep")?;
        ensure(self.is_usable(seat, card), "there is nothing that this card could be used on")?;
        self.players[seat.index()].down &= !(1 << i);
        cx.emit(move || Fact::UseBegan(seat, card));
        self.push_task(Task::Target(seat, t))
    }

    /// Returns whether this card is used in the upkeep and `seat` has a legal target for it. Does not check
    /// that the seat has the card or that it is active. Depends on public information and `card` only.
    fn is_usable(&self, seat: Seat, card: Card) -> bool {
        card.is_in(UPKEEP) && self.sides().any(|side| self.may_target(seat, card, side))
    }

    /// Iterates over all sides, defeated ones included: seats ascending, the Empire last.
    fn sides(&self) -> impl Iterator<Item = Side> {
        (0..self.seats).map(Side).chain([Side::EMPIRE])
    }

    /// Returns whether `seat` may use this card on the side `target`, by public information. It must be
    /// another side that is in the game. Secret Agent: always. Assassin: if a card there can be its victim.
    /// The others not on the Empire: False Flag while the Empire stands and `seat` has a Military slot;
    /// Offer if both have cards in their pools; Sanctions if a slot of the target is occupied; Embargo and
    /// Gridlock always. `false` for cards that are not used in the upkeep.
    fn may_target(&self, seat: Seat, card: Card, target: Side) -> bool {
        let user = Side::from(seat);
        if target == user || !self.is_in(target) {
            return false;
        }
        match card {
            Card::SecretAgent => true,
            Card::Assassin => self.victims(target).next().is_some(),
            _ if target.is_empire() => false,
            Card::FalseFlag => self.standing && self.military_slots(user).next().is_some(),
            Card::Offer => !self.pool_is_empty(user) && !self.pool_is_empty(target),
            Card::Sanctions => self.occupied(target).next().is_some(),
            Card::Embargo | Card::Gridlock => true,
            _ => false,
        }
    }

    /// Appends `Target` for each side that the seat's Diplomacy card `t` may be used on: seats ascending, the
    /// Empire last. Appends nothing if the card is not public. `_own` is ignored.
    pub(crate) fn list_targets(
        &self,
        _own: &SeatView<'_, Self>,
        seat: Seat,
        t: Token,
        out: &mut Vec<Action>,
    ) {
        let Some(card) = self.tokens.public_face(t) else { return };
        out.extend(self.sides().filter(|&side| self.may_target(seat, card, side)).map(Action::Target));
    }

    /// Checks that the seat's Diplomacy card `t` may be used on `target`, emits `TargetNamed`, and pops the
    /// task. For Offer, Embargo and Gridlock then emits `UseWaits` and pushes the use with its Sabotage
    /// window; for other cards pushes the choice of a slot or card of the target.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is hidden or cannot be used on that side; or if the agenda is
    /// full.
    pub(crate) fn choose_target(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        t: Token,
        target: Side,
    ) -> Result<(), RuleError> {
        let card = self.tokens.face(t)?;
        ensure(self.may_target(seat, card, target), "this card cannot be used on that side")?;
        self.agenda.pop();
        cx.emit(move || Fact::TargetNamed(seat, target));
        match card {
            Card::Offer => self.open_use(cx, seat.into(), t, Aim::Pool(target)),
            Card::Embargo | Card::Gridlock => self.open_use(cx, seat.into(), t, Aim::Side(target)),
            _ => self.push_task(Task::Aim(seat, t, target)),
        }
    }

    // --- what exactly it is aimed at

    /// Iterates over the cards of a side that an Assassin may name, as (slot, position in the slot from 0,
    /// card): those that lie face down or are public and not buildings; by slot ascending, within a slot from
    /// the base card.
    pub(crate) fn victims(&self, side: Side) -> impl Iterator<Item = (u8, u8, Token)> + Clone + '_ {
        (0..self.slots(side)).flat_map(move |i| {
            let cards = self.tokens.iter(slot(side, i)).zip(0u8..);
            cards.map(move |(t, k)| (i, k, t)).filter(move |&(i, _, t)| {
                self.lies_face_down(side, i, t)
                    || self.tokens.public_face(t).is_some_and(|card| !card.is_building())
            })
        })
    }

    /// Iterates over the slots of a side whose base card lies face down, ascending; the Military slots, and
    /// those in which a player has placed a Diplomacy card face down.
    fn covered(&self, side: Side) -> impl Iterator<Item = u8> + '_ {
        self.occupied(side)
            .filter(move |&i| self.base(side, i).is_some_and(|t| self.lies_face_down(side, i, t)))
    }

    /// Appends the possible aims of the seat's Diplomacy card `t` at `target`: for a Secret Agent `LookPool`,
    /// then `Look` for each slot with a face-down base card; `Slot` for each own Military slot for a False
    /// Flag, and for each occupied slot of the target for Sanctions; `Hit` for each possible victim of an
    /// Assassin. Nothing for other cards and if the card is not public. `_own` is ignored.
    pub(crate) fn list_aims(
        &self,
        _own: &SeatView<'_, Self>,
        seat: Seat,
        t: Token,
        target: Side,
        out: &mut Vec<Action>,
    ) {
        match self.tokens.public_face(t) {
            Some(Card::SecretAgent) => {
                out.push(Action::LookPool);
                out.extend(self.covered(target).map(Action::Look));
            }
            Some(Card::FalseFlag) => out.extend(self.military_slots(seat.into()).map(Action::Slot)),
            Some(Card::Sanctions) => out.extend(self.occupied(target).map(Action::Slot)),
            Some(Card::Assassin) => out.extend(self.victims(target).map(|(i, k, _)| Action::Hit(i, k))),
            _ => {}
        }
    }

    /// Checks the aim of the seat's Diplomacy card `t` at `target`: Secret Agent at its pool or a slot of it
    /// with a face-down base card, False Flag at an own Military slot, Sanctions at an occupied slot,
    /// Assassin at a possible victim. Pops the task, emits `SlotNamed` (except for a look) and `UseWaits`,
    /// and pushes the use with its Sabotage window.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is hidden, it cannot be aimed at that, or `action` names no aim;
    /// or if the agenda is full.
    pub(crate) fn choose_aim(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        t: Token,
        target: Side,
        action: Action,
    ) -> Result<(), RuleError> {
        /// The rejection of an aim that the card cannot have.
        const WRONG: RuleError = RuleError::new("the card cannot be aimed at that");
        let among = |mut slots: &mut dyn Iterator<Item = u8>, i| (&mut slots).any(|k| k == i);
        let card = self.tokens.face(t)?;
        let aim = match (card, action) {
            (Card::SecretAgent, Action::LookPool) => Aim::Pool(target),
            (Card::SecretAgent, Action::Look(i)) if among(&mut self.covered(target), i) => {
                Aim::Slot(target, i)
            }
            (Card::FalseFlag, Action::Slot(i)) if among(&mut self.military_slots(seat.into()), i) => {
                Aim::Slot(target, i)
            }
            (Card::Sanctions, Action::Slot(i)) if among(&mut self.occupied(target), i) => {
                Aim::Slot(target, i)
            }
            (Card::Assassin, Action::Hit(i, k)) => {
                let victim = self.victims(target).find(|&(vi, vk, _)| (vi, vk) == (i, k));
                Aim::Card(target, victim.ok_or(WRONG)?.2)
            }
            (_, Action::LookPool | Action::Look(_) | Action::Slot(_) | Action::Hit(..)) => return Err(WRONG),
            _ => return Err(NOT_NOW),
        };
        self.agenda.pop();
        if let Action::Slot(slot) | Action::Hit(slot, _) = action {
            cx.emit(move || Fact::SlotNamed { seat, card, target, slot });
        }
        self.open_use(cx, seat.into(), t, aim)
    }
}
