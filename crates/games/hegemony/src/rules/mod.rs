//! The rules, one file per phase or family of effects.

mod act;
mod aftermath;
mod battle;
mod diplomacy;
mod empire;
mod end;
mod market;
mod random;
mod reckoning;
mod replace;
mod round;
mod slots;
mod upkeep;
mod window;

pub use aftermath::Aftermath;
pub use end::Victory;
pub use reckoning::{AT_LEAST_0, Contribution, Fighter, Reckoned};

use crate::actions::Action;
use crate::agenda::Task;
use crate::cards::Card;
use crate::facts::{Context, Fact, Reveal};
use crate::places::{COMMON, Place, deck, place};
use crate::state::Hegemony;
use pentarchy_engine::{RuleError, Seat, SeatView, Set, Token};

/// The rejection of an action that does not fit the awaited task.
pub(crate) const NOT_NOW: RuleError = RuleError::new("something else is awaited now");

impl Hegemony {
    /// Appends to `out` the legal actions of the seat that the task on top asks for a decision or a
    /// declaration, in a fixed order. Of twins only the first is listed. Appends nothing for tasks that ask
    /// no seat, except that the slots which the Empire may raze or ruin are listed too. `own` must be the
    /// view of the asked seat.
    pub(crate) fn list(&self, own: &SeatView<'_, Self>, out: &mut Vec<Action>) {
        match self.top() {
            Task::Scalp(seat, _) => self.list_scalp(seat, out),
            Task::Upkeep(seat, ships) => self.list_upkeep(own, seat, ships, out),
            Task::Target(seat, card) => self.list_targets(own, seat, card, out),
            Task::Aim(seat, card, target) => self.list_aims(own, seat, card, target, out),
            Task::Take(_, target) => {
                list_once(own, self.tokens.iter(deck(target.into())), Action::Take, out);
            }
            Task::Give(seat) => {
                list_once(own, self.tokens.iter(deck(seat.into())), Action::Give, out);
            }
            Task::Replace(seat, need, replaced) => self.list_replace(own, seat, need, replaced, out),
            Task::Lobby(..) => out.extend(crate::cards::CATEGORIES.map(Action::Lobby)),
            Task::Purchase(seat, left) => self.list_purchase(own, seat, &self.terms(seat), left, out),
            Task::Act(seat) => self.list_act(seat, out),
            Task::Trade(seat, left, asked) => self.list_trade(seat, left, asked, out),
            Task::Answer(seat, i) => self.list_answer(seat, i, out),
            Task::Enter(seat, i) => self.list_enter(own, seat, i, out),
            Task::Refill(_) => out.extend([Action::Refill, Action::Stop]),
            Task::Window { user, asked, .. } => self.list_window(own, user, asked, out),
            Task::Raze(_) => {
                out.extend(self.military_slots(self.loser()).map(Action::Raze));
                out.push(Action::Decline);
            }
            Task::Ruin(..) => {
                out.extend(self.civil_slots(self.loser()).map(Action::Ruin));
                out.push(Action::Decline);
            }
            Task::Confess(seat) => list_duty(own, self.hidden_warlike(seat), crate::cards::WARLIKE, out),
            Task::Reveal(side) => list_duty(own, self.hidden_collateral(side), COLLATERAL, out),
            _ => {}
        }
    }

    /// Returns entry number `nth(length)` of the actions that [`list`](Self::list) appends; `None` if there
    /// is no such entry. `nth` should return less than the length, and is called at most once. Frequent
    /// decisions are counted without writing the list; for the others `list` is a buffer whose content is
    /// replaced. `own` must be the view of the asked seat.
    #[inline(always)]
    pub(crate) fn choose_listed(
        &self,
        own: &SeatView<'_, Self>,
        list: &mut Vec<Action>,
        nth: impl FnOnce(usize) -> usize,
    ) -> Option<Action> {
        match self.top() {
            Task::Replace(seat, need, replaced) if !self.can_station(own, seat, need, replaced) => {
                self.choose_replace(self.known_hand(own, seat), need, replaced, nth).map(|(_, action)| action)
            }
            Task::Enter(seat, i) => self.choose_enter(own, seat, i, nth),
            Task::Refill(_) => Some(if nth(2) == 0 { Action::Refill } else { Action::Stop }),
            _ => {
                list.clear();
                self.list(own, list);
                list.get(nth(list.len())).copied()
            }
        }
    }

    /// Checks an action against the task on top and applies it: changes the state, emits the facts, and pops
    /// or replaces the task. Which seat acts is not checked. Tasks that need no event are left to the caller,
    /// who calls `run` afterwards.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the action does not fit the task on top or is not legal; with a partly
    /// changed state if the agenda overflows.
    #[inline(always)]
    pub(crate) fn act(&mut self, cx: &mut Context<'_>, action: Action) -> Result<(), RuleError> {
        match (self.top(), action) {
            (Task::Replace(seat, need, replaced), Action::Place(t, i, lie)) => {
                self.place(cx, seat, need, replaced, t, i, lie)
            }
            (Task::Enter(seat, i), Action::Enter(lie)) => self.enter(cx, seat, i, lie),
            _ => self.act_rare(cx, action),
        }
    }

    /// Checks and applies an action that [`act`](Self::act) does not handle inline: all but placing a card of
    /// the hand and choosing how a drawn card lies. Emits the facts, and pops or replaces the task on top.
    /// Which seat acts is not checked. The caller then calls `run`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the action does not fit the task on top or is not legal; with a partly
    /// changed state if the agenda overflows.
    #[inline(never)]
    fn act_rare(&mut self, cx: &mut Context<'_>, action: Action) -> Result<(), RuleError> {
        match (self.top(), action) {
            (Task::Scalp(seat, left), Action::Scalp(t)) => self.scalp(cx, seat, left, t),
            (Task::Upkeep(seat, ships), Action::Buy(t)) => self.buy_in_upkeep(cx, seat, ships, t),
            (Task::Upkeep(seat, _), Action::Use(t)) => self.use_card(cx, seat, t),
            (Task::Upkeep(..) | Task::Purchase(..) | Task::Trade(..), Action::Done) => self.pop_task(),
            (Task::Target(seat, card), Action::Target(side)) => self.choose_target(cx, seat, card, side),
            (Task::Aim(seat, card, target), _) => self.choose_aim(cx, seat, card, target, action),
            (Task::Take(seat, target), Action::Take(t)) => {
                self.set_aside(target, t)?;
                cx.emit(move || Fact::Took(seat, t));
                Ok(())
            }
            (Task::Give(seat), Action::Give(t)) => {
                self.set_aside(seat, t)?;
                cx.emit(move || Fact::Gave(seat, t));
                Ok(())
            }
            (Task::Replace(seat, need, replaced), Action::Station(t, i)) => {
                self.station(cx, seat, need, replaced, t, i)
            }
            (Task::Replace(_, need, replaced), Action::Done) => self.done_replacing(need, replaced),
            (Task::Lobby(seat, i), Action::Lobby(category)) => {
                self.agenda.pop();
                self.players[seat.index()].lobby[usize::from(i)] = category;
                cx.emit(move || Fact::Lobbied(seat, category));
                Ok(())
            }
            (Task::Purchase(seat, left), Action::Buy(t)) => self.buy(cx, seat, left, t),
            (Task::Purchase(seat, _), Action::Sell(t)) => self.sell(cx, seat, t),
            (Task::Act(seat), _) => self.player_action(cx, seat, action),
            (Task::Trade(seat, left, asked), Action::Ebuy(t)) => self.ebuy(cx, seat, left, asked, t),
            (Task::Trade(seat, left, asked), Action::Ask(i)) => self.ask(cx, seat, left, asked, i),
            (Task::Answer(seat, i), Action::Accept) => self.accept(cx, seat, i),
            (Task::Answer(..), Action::Decline) | (Task::Refill(_), Action::Stop) => self.pop_task(),
            (Task::Refill(side), Action::Refill) => self.refill(side),
            (Task::Window { user, asked, against_empire }, Action::Pass) => {
                self.agenda.replace_top(Task::Window { user, asked: asked + 1, against_empire });
                Ok(())
            }
            (Task::Window { user, asked, .. }, Action::Sabotage(t)) => self.sabotage(cx, user, asked, t),
            (Task::Raze(left), Action::Raze(i)) => self.raze(cx, left, i),
            (Task::Raze(left), Action::Decline) => {
                self.agenda.replace_top(Task::Raze(left - 1));
                Ok(())
            }
            (Task::Ruin(side, i), Action::Ruin(target)) => self.ruin(cx, side, i, target),
            (Task::Ruin(side, i), Action::Decline) => {
                self.agenda.pop();
                self.empty_slot(side, i);
                Ok(())
            }
            (Task::Confess(seat), Action::Show(t)) => self.confess(cx, seat, t),
            (Task::Confess(seat), Action::Rest) => self.deny_warlike(cx, seat),
            (Task::Reveal(side), Action::Show(t)) => self.reveal_collateral(cx, side, t),
            (Task::Reveal(side), Action::Rest) => self.deny_collateral(cx, side),
            _ => Err(NOT_NOW),
        }
    }

    /// Applies a chance result `n` as the task on top awaits it: a Hegemony or combat roll (1 to 20, not
    /// checked), or a pick from 0 among the targets of the Empire's card, the slots that the Empire razes, or
    /// those that it ruins. Emits the facts and pops or replaces the task. The caller then calls `run`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if no die or pick is awaited, or a pick is out of range; with a partly
    /// changed state if the agenda overflows.
    #[inline]
    pub(crate) fn rolled(&mut self, cx: &mut Context<'_>, n: u32) -> Result<(), RuleError> {
        match self.top() {
            Task::Die(seat) => self.hegemony_roll(cx, seat, n as i32),
            Task::Combat(which, i, k) => self.combat_roll(cx, which, i, k, n as i32),
            Task::Pick(i, leader, _) => self.picked(cx, i, leader, n as usize),
            Task::Raze(left) => {
                let i = self.military_slots(self.loser()).nth(n as usize).ok_or(NOT_NOW)?;
                self.raze(cx, left, i)
            }
            Task::Ruin(side, i) => {
                let target = self.civil_slots(self.loser()).nth(n as usize).ok_or(NOT_NOW)?;
                self.ruin(cx, side, i, target)
            }
            _ => Err(NOT_NOW),
        }
    }

    /// Continues after the awaited shuffle, permutation or reveal, which the engine has applied to the
    /// tokens: pops the task. Emits `Revealed` for faces that became public, and what a seat saw after a
    /// look; nothing after a shuffle, a permutation, or a reveal of backs. Marked cards lose their marks;
    /// after their faces became public outside a battle the slot cache of the Empire is recomputed. The
    /// caller then calls `run`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if something else is awaited.
    #[inline]
    pub(crate) fn happened(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        match self.top() {
            Task::Show(Set::Marked) => {
                cx.emit(|| Fact::Revealed(self.marked_cards()));
                self.tokens.unmark_all();
                self.marked_were_shown();
            }
            Task::Show(Set::Zone(COMMON)) => cx.emit(move || Fact::Revealed(Reveal::ForSale)),
            Task::Show(_) => cx.emit(move || Fact::Revealed(Reveal::Others)),
            Task::Peek(set, seat) => self.tell_peek(cx, set, seat),
            Task::Backs => self.tokens.unmark_all(),
            Task::Shuffle(_) | Task::Mix(..) => {}
            _ => return Err(NOT_NOW),
        }
        self.agenda.pop();
        Ok(())
    }

    /// Recomputes the slot cache of the Empire after marked cards became public, unless there is a battle:
    /// outside a battle they were new cards of the Empire, or all cards of a defeated or tied player.
    #[inline]
    fn marked_were_shown(&mut self) {
        if self.battle.is_none() {
            self.cache_empire_slots();
        }
    }

    /// Returns which cards are marked to be shown: `Troops` if there is a battle and all of them lie in
    /// slots; otherwise `OfEmpire` if all lie in slots of the Empire, else `Others` (all cards of a defeated
    /// or tied player).
    fn marked_cards(&self) -> Reveal {
        let slots = || self.tokens.set(Set::Marked).map(|t| self.slot_of(t));
        if self.battle.is_some() && slots().all(|slot| slot.is_some()) {
            Reveal::Troops
        } else if slots().all(|slot| slot.is_some_and(|(side, _)| side.is_empire())) {
            Reveal::OfEmpire
        } else {
            Reveal::Others
        }
    }

    /// Emits what `seat` saw in `set`: `SawPool` for a deck and its discard pile, `SawSlot` for a slot,
    /// `Drew` with the number of cards for a hand; nothing for other sets. Changes no state.
    fn tell_peek(&self, cx: &mut Context<'_>, set: Set, seat: Seat) {
        match set {
            Set::Zones(pile, _) => {
                if let Place::Deck(side) = place(pile) {
                    cx.emit(move || Fact::SawPool(seat, side));
                }
            }
            Set::Zone(zone) => match place(zone) {
                Place::Slot(side, i) => cx.emit(move || Fact::SawSlot(seat, side, i)),
                Place::Hand(_) => cx.emit(|| Fact::Drew(seat, self.tokens.len(zone) as u8)),
                _ => {}
            },
            Set::One(_) | Set::Marked => {}
        }
    }

    /// Pops the task on top, if there is one. Never fails.
    fn pop_task(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        Ok(())
    }

    /// Returns the actor's own card that an action turns face up: a card used, sold, shown or played as a
    /// Sabotage; a card placed face up, or drawn and entering its slot face up; a card stationed in a Trade
    /// slot. `None` for other actions. Call it before the action is applied: it reads the task on top.
    #[inline(always)]
    pub(crate) fn shown_by(&self, action: Action) -> Option<Token> {
        use crate::actions::Lie;
        // The most frequent action first.
        if let Action::Place(t, _, lie) = action {
            return if lie == Lie::Up { Some(t) } else { None };
        }
        match action {
            Action::Use(t) | Action::Sell(t) | Action::Sabotage(t) | Action::Show(t) => Some(t),
            Action::Station(t, i) if self.station_is_open(i) => Some(t),
            Action::Enter(Lie::Up) => match self.top() {
                Task::Enter(seat, i) => self.base(seat.into(), i),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The card set of Collateral Damage alone.
pub(crate) const COLLATERAL: u64 = 1 << Card::CollateralDamage as u8;

/// Appends `action(t)` for the first token of each different card among `tokens`, in their order. Tokens that
/// the seat does not know are left out.
pub(crate) fn list_once(
    own: &SeatView<'_, Hegemony>,
    tokens: impl Iterator<Item = Token>,
    action: impl Fn(Token) -> Action,
    out: &mut Vec<Action>,
) {
    let mut seen = 0u64;
    for t in tokens {
        if let Some(card) = own.face(t)
            && !card.is_in(seen)
        {
            seen |= 1 << card as u8;
            out.push(action(t));
        }
    }
}

/// Appends the one legal entry of a declaration: `show` with the first of the `hidden` cards that the seat
/// knows to be in the card set `kinds`, or `rest` if there is none.
fn list_duty(
    own: &SeatView<'_, Hegemony>,
    hidden: impl Iterator<Item = Token>,
    kinds: u64,
    out: &mut Vec<Action>,
) {
    let owed = hidden.into_iter().find(|&t| own.face(t).is_some_and(|card| card.is_in(kinds)));
    out.push(owed.map_or(Action::Rest, Action::Show));
}
