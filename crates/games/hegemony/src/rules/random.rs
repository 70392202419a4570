//! Random play by a shorter way than node by node: what a step asks is answered as soon as it is come upon, and
//! what was listed is not checked again. What is asked rarely waits for an event even here.

use super::slots::{way_to_lie, ways_to_lie};
use crate::actions::{Action, Lie};
use crate::agenda::Step;
use crate::cards::Card;
use crate::places::{Side, deck, discard};
use crate::state::Hegemony;
use pentarchy_engine::{Rejected, Seat, Set, Sim, Zone};

type Ran = Result<(), Rejected>;

const NO_CHOICE: Rejected = Rejected::new("a decision without a legal action");

impl Hegemony {
    // --- nature and knowledge

    #[inline]
    pub(crate) fn shuffle_at_random(&mut self, sim: &mut Sim<'_, Self>, pile: Zone) -> Ran {
        self.agenda.pop();
        if self.tokens.len(pile) >= 2 { sim.shuffle(&mut self.tokens, pile) } else { Ok(()) }
    }

    /// The cards of the step on top are shown.
    #[inline]
    pub(crate) fn show_at_random(&mut self, sim: &mut Sim<'_, Self>) -> Ran {
        let Some(Step::Show(set)) = self.agenda.pop() else { return Ok(()) };
        match set {
            Set::Marked => {
                sim.show_marked(&mut self.tokens)?;
                self.marked_were_shown();
            }
            Set::One(t) => sim.show(&mut self.tokens, t)?,
            Set::Zone(zone) => self.show_zone(sim, zone)?,
            Set::Zones(a, b) => {
                self.show_zone(sim, a)?;
                self.show_zone(sim, b)?;
            }
        }
        Ok(())
    }

    fn show_zone(&mut self, sim: &mut Sim<'_, Self>, zone: Zone) -> Ran {
        let mut at = self.tokens.top(zone);
        while let Some(t) = at {
            sim.show(&mut self.tokens, t)?;
            at = self.tokens.below(t);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn backs_at_random(&mut self, sim: &mut Sim<'_, Self>) -> Ran {
        self.agenda.pop();
        sim.show_marked_backs(&mut self.tokens)
    }

    /// A seat looks at the cards of the step on top.
    #[inline]
    pub(crate) fn peek_at_random(&mut self, sim: &mut Sim<'_, Self>) -> Ran {
        let Some(Step::Peek(set, seat)) = self.agenda.pop() else { return Ok(()) };
        match set {
            Set::Zone(zone) => self.tell_zone(sim, zone, seat),
            Set::Zones(a, b) => {
                self.tell_zone(sim, a, seat);
                self.tell_zone(sim, b, seat);
            }
            Set::One(t) => sim.tell(&mut self.tokens, t, seat),
            Set::Marked => {}
        }
        Ok(())
    }

    fn tell_zone(&mut self, sim: &mut Sim<'_, Self>, zone: Zone, seat: Seat) {
        let mut at = self.tokens.top(zone);
        while let Some(t) = at {
            sim.tell(&mut self.tokens, t, seat);
            at = self.tokens.below(t);
        }
    }

    // --- the turn

    pub(crate) fn keep_up_at_random(&mut self, sim: &mut Sim<'_, Self>, seat: Seat, ships: u8) -> Ran {
        let action = sim.choose_if(&self.tokens, seat, |own, list| {
            self.list_upkeep(own, seat, ships, list);
            list.len() > 1 || self.upkeep_is_open(seat, ships)
        });
        match action {
            Some(Action::Buy(t)) => self.buy_in_upkeep(seat, ships, t),
            Some(Action::Use(t)) => {
                sim.show(&mut self.tokens, t)?;
                self.use_card(seat, t)
            }
            _ => self.over(),
        }
    }

    #[inline(always)]
    pub(crate) fn replace_at_random(
        &mut self,
        sim: &mut Sim<'_, Self>,
        seat: Seat,
        need: u8,
        replaced: u8,
    ) -> Ran {
        if !self.replacing_is_open(seat, need, replaced) {
            self.agenda.pop();
            return self.drop_hand(seat);
        }
        let action = if self.can_station(&sim.own(&self.tokens, seat), seat, need, replaced) {
            sim.choose(&self.tokens, seat, |own, list| self.list_replace(own, seat, need, replaced, list))?
        } else {
            let (own, nth) = sim.deciding(&self.tokens, seat);
            self.choose_replace(&own, seat, need, replaced, nth).ok_or(NO_CHOICE)?
        };
        match action {
            Action::Place(t, i, lie) => {
                if lie == Lie::Up {
                    sim.show(&mut self.tokens, t)?;
                }
                self.lay_in_slot(seat, need, replaced, t, i, lie)
            }
            Action::Station(t, i) => {
                if self.station_is_open(i) {
                    sim.show(&mut self.tokens, t)?;
                }
                let base = self.base(seat.into(), i).ok_or(NO_CHOICE)?;
                self.put_behind(seat, t, i, base);
                Ok(())
            }
            _ => {
                self.agenda.pop();
                self.drop_hand(seat)
            }
        }
    }

    #[inline]
    pub(crate) fn purchase_at_random(&mut self, sim: &mut Sim<'_, Self>, seat: Seat, left: u8) -> Ran {
        let action = sim.choose_if(&self.tokens, seat, |own, list| {
            self.list_purchase(own, seat, left, list);
            list.len() > 1
        });
        match action {
            Some(Action::Buy(t)) => self.buy(seat, left, t),
            Some(Action::Sell(t)) => {
                sim.show(&mut self.tokens, t)?;
                self.sell(seat, t)
            }
            _ => self.over(),
        }
    }

    #[inline]
    pub(crate) fn act_at_random(&mut self, sim: &mut Sim<'_, Self>, seat: Seat) -> Ran {
        let action = self.choose_act(seat, |of| sim.nth(of));
        self.agenda.pop();
        self.carry_out(seat, action)
    }

    pub(crate) fn trade_at_random(
        &mut self,
        sim: &mut Sim<'_, Self>,
        seat: Seat,
        left: u8,
        asked: u16,
    ) -> Ran {
        let action = sim.choose_if(&self.tokens, seat, |_, list| {
            self.list_trade(seat, left, asked, list);
            list.len() > 1
        });
        match action {
            Some(Action::Ebuy(t)) => self.ebuy(seat, left, asked, t),
            Some(Action::Ask(i)) => self.ask(seat, left, asked, i),
            _ => self.over(),
        }
    }

    pub(crate) fn answer_at_random(&mut self, sim: &mut Sim<'_, Self>, seat: Seat, i: u8) -> Ran {
        match sim.choose(&self.tokens, seat, |_, list| self.list_answer(seat, i, list))? {
            Action::Accept => self.accept(seat, i),
            _ => self.over(),
        }
    }

    // --- from the deck into slots

    /// These slots get cards from the deck, which come to lie there one by one.
    #[inline]
    pub(crate) fn fill_at_random(&mut self, sim: &mut Sim<'_, Self>, seat: Seat, mut slots: u8) -> Ran {
        self.agenda.pop();
        let (used, from) = (discard(seat.into()), deck(seat.into()));
        while slots != 0 {
            let i = slots.trailing_zeros() as u8;
            let Some(t) = self.tokens.top(from) else {
                if !self.remake(used, from) {
                    return Ok(());
                }
                if self.tokens.len(from) >= 2 {
                    sim.shuffle(&mut self.tokens, from)?;
                }
                continue;
            };
            slots &= slots - 1;
            self.put_in_slot(t, seat.into(), i);
            sim.tell(&mut self.tokens, t, seat);
            let card = sim.own(&self.tokens, seat).face(t).ok_or(NO_CHOICE)?;
            let lie = way_to_lie(card, sim.nth(ways_to_lie(card)));
            if lie == Lie::Up {
                sim.show(&mut self.tokens, t)?;
            }
            if card == Card::Lobbyist {
                // It names its category before the next card comes.
                self.then(Step::Fill(seat, slots))?;
                return self.lie(seat, i, t, lie);
            }
            self.lie(seat, i, t, lie)?;
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn refill_at_random(&mut self, sim: &mut Sim<'_, Self>, side: Side) -> Ran {
        if self.refill_is_open(side) && sim.nth(2) == 0 { self.refill(side) } else { self.over() }
    }
}
