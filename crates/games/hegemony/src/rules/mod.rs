//! The rules, one file for each phase or family of effects.

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
pub use reckoning::{AT_LEAST_0, Contribution, Fighter, Reckoned};

use crate::actions::Action;
use crate::agenda::Step;
use crate::cards::Card;
use crate::places::deck;
use crate::state::Hegemony;
use pentarchy_engine::{Cx, Own, Rejected, Token};

/// The refusal of an action that belongs to another moment.
pub(crate) const NOT_NOW: Rejected = Rejected::new("something else is awaited now");

impl Hegemony {
    /// The list of the seat that is asked.
    pub(crate) fn list(&self, own: &Own<'_, Self>, out: &mut Vec<Action>) {
        match self.top() {
            Step::Scalp(seat, _) => self.list_scalp(seat, out),
            Step::Upkeep(seat, ships) => self.list_upkeep(own, seat, ships, out),
            Step::Target(seat, card) => self.list_targets(own, seat, card, out),
            Step::Aim(seat, card, target) => self.list_aims(own, seat, card, target, out),
            Step::Take(_, target) => {
                list_once(own, self.tokens.iter(deck(target.into())), Action::Take, out);
            }
            Step::Give(seat) => {
                list_once(own, self.tokens.iter(deck(seat.into())), Action::Give, out);
            }
            Step::Replace(seat, need, replaced) => self.list_replace(own, seat, need, replaced, out),
            Step::Lobby(..) => out.extend(crate::cards::CATEGORIES.map(Action::Lobby)),
            Step::Purchase(seat, left) => self.list_purchase(own, seat, &self.terms(seat), left, out),
            Step::Act(seat) => self.list_act(seat, out),
            Step::Trade(seat, left, asked) => self.list_trade(seat, left, asked, out),
            Step::Answer(seat, i) => self.list_answer(seat, i, out),
            Step::Enter(seat, i) => self.list_enter(own, seat, i, out),
            Step::Refill(_) => out.extend([Action::Refill, Action::Stop]),
            Step::Window { user, asked, .. } => self.list_window(own, user, asked, out),
            Step::Raze(_) => {
                out.extend(self.military_slots(self.loser()).map(Action::Raze));
                out.push(Action::Decline);
            }
            Step::Ruin(..) => {
                out.extend(self.civil_slots(self.loser()).map(Action::Ruin));
                out.push(Action::Decline);
            }
            Step::Confess(seat) => list_duty(own, self.hidden_warlike(seat), crate::cards::WARLIKE, out),
            Step::Reveal(side) => list_duty(own, self.hidden_collateral(side), COLLATERAL, out),
            _ => {}
        }
    }

    /// An entry of this list by its number; counted, where the list is long or often asked for.
    #[inline(always)]
    pub(crate) fn choose_listed(
        &self,
        own: &Own<'_, Self>,
        list: &mut Vec<Action>,
        nth: impl FnOnce(usize) -> usize,
    ) -> Option<Action> {
        match self.top() {
            Step::Replace(seat, need, replaced) if !self.can_station(own, seat, need, replaced) => {
                self.choose_replace(self.known_hand(own, seat), need, replaced, nth).map(|(_, action)| action)
            }
            Step::Enter(seat, i) => self.choose_enter(own, seat, i, nth),
            Step::Refill(_) => Some(if nth(2) == 0 { Action::Refill } else { Action::Stop }),
            _ => {
                list.clear();
                self.list(own, list);
                list.get(nth(list.len())).copied()
            }
        }
    }

    /// An action of the seat that is asked. Most often a card comes to lie in a slot.
    #[inline(always)]
    pub(crate) fn act(&mut self, cx: &mut Cx<'_, Card>, action: Action) -> Result<(), Rejected> {
        match (self.top(), action) {
            (Step::Replace(seat, need, replaced), Action::Place(t, i, lie)) => {
                self.place(cx, seat, need, replaced, t, i, lie)
            }
            (Step::Enter(seat, i), Action::Enter(lie)) => self.enter(cx, seat, i, lie),
            _ => self.act_otherwise(cx, action),
        }
    }

    /// Any other action.
    #[inline(never)]
    fn act_otherwise(&mut self, cx: &mut Cx<'_, Card>, action: Action) -> Result<(), Rejected> {
        match (self.top(), action) {
            (Step::Scalp(seat, left), Action::Scalp(t)) => self.scalp(seat, left, t),
            (Step::Upkeep(seat, ships), Action::Buy(t)) => self.buy_in_upkeep(seat, ships, t),
            (Step::Upkeep(seat, _), Action::Use(t)) => self.use_card(seat, t),
            (Step::Upkeep(..) | Step::Purchase(..) | Step::Trade(..), Action::Done) => self.over(),
            (Step::Target(seat, card), Action::Target(side)) => self.choose_target(seat, card, side),
            (Step::Aim(seat, card, target), _) => self.choose_aim(seat, card, target, action),
            (Step::Take(_, target), Action::Take(t)) => self.set_aside(target, t),
            (Step::Give(seat), Action::Give(t)) => self.set_aside(seat, t),
            (Step::Replace(seat, need, replaced), Action::Station(t, i)) => {
                self.station(cx, seat, need, replaced, t, i)
            }
            (Step::Replace(_, need, replaced), Action::Done) => self.done_replacing(need, replaced),
            (Step::Lobby(seat, i), Action::Lobby(category)) => {
                self.agenda.pop();
                self.players[seat.index()].lobby[usize::from(i)] = category;
                Ok(())
            }
            (Step::Purchase(seat, left), Action::Buy(t)) => self.buy(seat, left, t),
            (Step::Purchase(seat, _), Action::Sell(t)) => self.sell(seat, t),
            (Step::Act(seat), _) => self.player_action(seat, action),
            (Step::Trade(seat, left, asked), Action::Ebuy(t)) => self.ebuy(seat, left, asked, t),
            (Step::Trade(seat, left, asked), Action::Ask(i)) => self.ask(seat, left, asked, i),
            (Step::Answer(seat, i), Action::Accept) => self.accept(seat, i),
            (Step::Answer(..), Action::Decline) | (Step::Refill(_), Action::Stop) => self.over(),
            (Step::Refill(side), Action::Refill) => self.refill(side),
            (Step::Window { user, asked, against_empire }, Action::Pass) => {
                self.goes_on_as(Step::Window { user, asked: asked + 1, against_empire });
                Ok(())
            }
            (Step::Window { user, asked, .. }, Action::Sabotage(t)) => self.sabotage(user, asked, t),
            (Step::Raze(left), Action::Raze(i)) => self.raze(left, i),
            (Step::Raze(left), Action::Decline) => {
                self.goes_on_as(Step::Raze(left - 1));
                Ok(())
            }
            (Step::Ruin(side, i), Action::Ruin(target)) => self.ruin(side, i, target),
            (Step::Ruin(side, i), Action::Decline) => {
                self.agenda.pop();
                self.empty_slot(side, i);
                Ok(())
            }
            (Step::Confess(seat), Action::Show(t)) => self.confess(seat, t),
            (Step::Confess(seat), Action::Rest) => self.deny_warlike(cx, seat),
            (Step::Reveal(side), Action::Show(t)) => self.reveal_collateral(side, t),
            (Step::Reveal(side), Action::Rest) => self.deny_collateral(cx, side),
            _ => Err(NOT_NOW),
        }
    }

    /// A number of nature: of a die, or of a pick for the Empire.
    #[inline]
    pub(crate) fn rolled(&mut self, n: u32) -> Result<(), Rejected> {
        match self.top() {
            Step::Die(seat) => self.hegemony_roll(seat, n as i32),
            Step::Combat(which, i, k) => self.combat_roll(which, i, k, n as i32),
            Step::Pick(i, leader, _) => self.picked(i, leader, n as usize),
            Step::Raze(left) => {
                let i = self.military_slots(self.loser()).nth(n as usize).ok_or(NOT_NOW)?;
                self.raze(left, i)
            }
            Step::Ruin(side, i) => {
                let target = self.civil_slots(self.loser()).nth(n as usize).ok_or(NOT_NOW)?;
                self.ruin(side, i, target)
            }
            _ => Err(NOT_NOW),
        }
    }

    /// What was awaited has happened: cards are shuffled, mixed or shown.
    #[inline]
    pub(crate) fn happened(&mut self) -> Result<(), Rejected> {
        match self.top() {
            Step::Show(pentarchy_engine::Set::Marked) => {
                self.tokens.unmark_all();
                self.marked_were_shown();
            }
            Step::Backs => self.tokens.unmark_all(),
            Step::Shuffle(_) | Step::Show(_) | Step::Peek(..) | Step::Mix(..) => {}
            _ => return Err(NOT_NOW),
        }
        self.agenda.pop();
        Ok(())
    }

    /// The marked cards have been shown: outside a battle these were new cards of the Empire, or all of somebody's.
    #[inline]
    fn marked_were_shown(&mut self) {
        if self.battle.is_none() {
            self.say_kinds_of_empire();
        }
    }

    /// The step on top is over.
    fn over(&mut self) -> Result<(), Rejected> {
        self.agenda.pop();
        Ok(())
    }

    /// The own token that an action turns up.
    #[inline(always)]
    pub(crate) fn shown_by(&self, action: Action) -> Option<Token> {
        use crate::actions::Lie;
        // What is done most often comes first.
        if let Action::Place(t, _, lie) = action {
            return if lie == Lie::Up { Some(t) } else { None };
        }
        match action {
            Action::Use(t) | Action::Sell(t) | Action::Sabotage(t) | Action::Show(t) => Some(t),
            Action::Station(t, i) if self.station_is_open(i) => Some(t),
            Action::Enter(Lie::Up) => match self.top() {
                Step::Enter(seat, i) => self.base(seat.into(), i),
                _ => None,
            },
            _ => None,
        }
    }
}

pub(crate) const COLLATERAL: u64 = 1 << Card::CollateralDamage as u8;

/// One action for each different card among these, the first of its name.
pub(crate) fn list_once(
    own: &Own<'_, Hegemony>,
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

/// A duty: show a card of this kind if there is one, else prove that there is none.
fn list_duty(
    own: &Own<'_, Hegemony>,
    hidden: impl Iterator<Item = Token>,
    kinds: u64,
    out: &mut Vec<Action>,
) {
    let owed = hidden.into_iter().find(|&t| own.face(t).is_some_and(|card| card.is_in(kinds)));
    out.push(owed.map_or(Action::Rest, Action::Show));
}
