//! Shortcuts for random playouts: decisions are drawn as soon as their task comes up, and listed actions are
//! not checked again. Rare decisions wait for an event even here.

use super::slots::{way_to_lie, ways_to_lie};
use crate::actions::{Action, Lie};
use crate::agenda::Task;
use crate::cards::{COVERT, Card, UPKEEP};
use crate::places::{Side, deck, discard};
use crate::state::Hegemony;
use pentarchy_engine::{Cx, RuleError, Seat, Set, Sim, Token, Zone};

/// The result of a step of a playout.
type Ran = Result<(), RuleError>;

/// The error of a decision that has no legal action: the rules contradict themselves.
const NO_CHOICE: RuleError = RuleError::new("a decision without a legal action");

impl Hegemony {
    // --- nature and knowledge

    /// Pops the task and shuffles `pile` with the simulator, so that no seat knows its cards; a pile of fewer
    /// than two cards is unchanged.
    ///
    /// # Errors
    ///
    /// Fails only if the rules contradict themselves.
    #[inline]
    pub(crate) fn shuffle_at_random(&mut self, sim: &mut Sim<'_, Self>, pile: Zone) -> Ran {
        self.agenda.pop();
        self.shuffle_if_two(sim, pile)
    }

    /// Shuffles a pile of at least two cards; no effect on a smaller one.
    ///
    /// # Errors
    ///
    /// Fails only if the rules contradict themselves.
    #[inline]
    fn shuffle_if_two(&mut self, sim: &mut Sim<'_, Self>, pile: Zone) -> Ran {
        if self.tokens.len(pile) >= 2 { sim.shuffle(&mut self.tokens, pile) } else { Ok(()) }
    }

    /// Pops the task and permutes its zone at random for the seat `by`, so that only this seat knows which
    /// card is which; no effect on fewer than two cards.
    ///
    /// # Errors
    ///
    /// Fails only if the rules contradict themselves.
    pub(crate) fn mix_at_random(&mut self, sim: &mut Sim<'_, Self>, zone: Zone, by: Seat) -> Ran {
        self.agenda.pop();
        if self.tokens.len(zone) >= 2 { sim.rearrange(&mut self.tokens, zone, by) } else { Ok(()) }
    }

    /// Pops the task and makes all cards of `set` public. Marked cards lose their marks; after them, outside
    /// a battle, the slot cache of the Empire is recomputed.
    ///
    /// # Errors
    ///
    /// Fails if the face of a card is not known.
    #[inline(always)]
    pub(crate) fn show_at_random(&mut self, sim: &mut Sim<'_, Self>, set: Set) -> Ran {
        self.agenda.pop();
        match set {
            Set::Marked => {
                sim.show_marked(&mut self.tokens)?;
                self.marked_were_shown();
                Ok(())
            }
            Set::One(t) => sim.show(&mut self.tokens, t),
            Set::Zone(zone) => self.show_zone(sim, zone),
            Set::Zones(a, b) => {
                self.show_zone(sim, a)?;
                self.show_zone(sim, b)
            }
        }
    }

    /// Makes all cards of a zone public; the zone stays in order.
    ///
    /// # Errors
    ///
    /// Fails if the face of a card is not known.
    fn show_zone(&mut self, sim: &mut Sim<'_, Self>, zone: Zone) -> Ran {
        let mut at = self.tokens.top(zone);
        while let Some(t) = at {
            sim.show(&mut self.tokens, t)?;
            at = self.tokens.below(t);
        }
        Ok(())
    }

    /// Pops the task, makes the backs of the marked cards public, and removes the marks.
    ///
    /// # Errors
    ///
    /// Fails only if the rules contradict themselves.
    #[inline]
    pub(crate) fn backs_at_random(&mut self, sim: &mut Sim<'_, Self>) -> Ran {
        self.agenda.pop();
        sim.show_marked_backs(&mut self.tokens)
    }

    /// Pops the task and lets `seat` see the cards of `set`, as the simulator knows them, without a fact.
    /// Marked cards do not become known: no task looks at them. Never fails.
    #[inline(always)]
    pub(crate) fn peek_at_random(&mut self, sim: &mut Sim<'_, Self>, set: Set, seat: Seat) -> Ran {
        self.agenda.pop();
        match set {
            Set::Zone(zone) => self.tell_zone(sim, zone, seat),
            Set::Zones(a, b) => {
                self.tell_zone(sim, a, seat);
                self.tell_zone(sim, b, seat);
            }
            Set::One(t) => sim.add_knower(&mut self.tokens, t, seat),
            Set::Marked => {}
        }
        Ok(())
    }

    /// Lets a seat see all cards of a zone, as the simulator knows them; the zone stays in order.
    fn tell_zone(&mut self, sim: &mut Sim<'_, Self>, zone: Zone, seat: Seat) {
        let mut at = self.tokens.top(zone);
        while let Some(t) = at {
            sim.add_knower(&mut self.tokens, t, seat);
            at = self.tokens.below(t);
        }
    }

    // --- the turn

    /// Takes one action of the upkeep with `ships` purchases left, with equal chances for all legal ones:
    /// buys, begins to use a Diplomacy card, or is done. Pops the task if it is done or public information
    /// leaves no choice; else the task stays for the next action, below those of a used card.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject a listed action.
    pub(crate) fn keep_up_at_random(&mut self, sim: &mut Sim<'_, Self>, seat: Seat, ships: u8) -> Ran {
        if ships == 0 && !self.may_have(seat.into(), UPKEEP | COVERT) {
            return self.pop_task();
        }
        let action = sim.choose_if(&self.tokens, seat, |own, list| {
            self.list_upkeep(own, seat, ships, list);
            list.len() > 1 || self.upkeep_is_open(seat, ships)
        });
        match action {
            Some(Action::Buy(t)) => self.buy_in_upkeep(&mut Cx::silent(), seat, ships, t),
            Some(Action::Use(t)) => {
                sim.show(&mut self.tokens, t)?;
                self.use_card(&mut Cx::silent(), seat, t)
            }
            _ => self.pop_task(),
        }
    }

    /// Places and stations cards of the hand, each action drawn with equal chances from the legal ones, until
    /// the replacement ends, which pops the task and discards the rest of the hand. After a Lobbyist is
    /// placed it returns early: the task on top asks for its category, and the replacement waits below.
    /// `need` is the number of slots to replace, `replaced` those replaced this turn, bit `i` for slot `i`.
    ///
    /// # Errors
    ///
    /// Fails if there is no legal action, or the rules contradict themselves.
    pub(crate) fn replace_at_random(
        &mut self,
        sim: &mut Sim<'_, Self>,
        seat: Seat,
        need: u8,
        mut replaced: u8,
    ) -> Ran {
        let mut hand = Hand::of(self.known_hand(&sim.own(&self.tokens, seat), seat));
        while self.replacing_is_open(seat, need, replaced) {
            let listed = hand.more || self.can_station(&sim.own(&self.tokens, seat), seat, need, replaced);
            let (n, action) = if listed {
                let action = sim.choose(&self.tokens, seat, |own, list| {
                    self.list_replace(own, seat, need, replaced, list);
                })?;
                (hand.place_of(action), action)
            } else {
                let entry = self.choose_replace(hand.iter(), need, replaced, |of| sim.nth(of));
                entry.ok_or(NO_CHOICE)?
            };
            match action {
                Action::Place(t, i, lie) => {
                    if lie == Lie::Up {
                        sim.show(&mut self.tokens, t)?;
                    }
                    self.lay_in_slot(seat, need, replaced, t, i, lie)?;
                    replaced |= 1 << i;
                    hand.take(n);
                    if self.tokens.is_face(t, Card::Lobbyist) {
                        return Ok(());
                    }
                }
                Action::Station(t, i) => {
                    if self.station_is_open(i) {
                        sim.show(&mut self.tokens, t)?;
                    }
                    let base = self.base(seat.into(), i).ok_or(NO_CHOICE)?;
                    self.put_behind(seat, t, i, base);
                    hand.take(n);
                }
                _ => break,
            }
        }
        self.agenda.pop();
        self.drop_hand(seat)
    }

    /// Makes purchases from the common pool, `left` at most, each action drawn with equal chances from the
    /// legal ones, until `done` is drawn or nothing is left to choose, which pops the task. After a sale it
    /// returns with the number of purchases updated in the task; the task stays for the next call, below
    /// those of the sale.
    ///
    /// # Errors
    ///
    /// Fails only if the rules contradict themselves.
    pub(crate) fn purchase_at_random(&mut self, sim: &mut Sim<'_, Self>, seat: Seat, mut left: u8) -> Ran {
        loop {
            let terms = self.terms(seat);
            let action = sim.choose_if(&self.tokens, seat, |own, list| {
                self.list_purchase(own, seat, &terms, left, list);
                list.len() > 1
            });
            match action {
                Some(Action::Buy(t)) => {
                    self.take_from_common(&mut Cx::silent(), seat, &terms, t)?;
                    left -= 1;
                }
                Some(Action::Sell(t)) => {
                    sim.show(&mut self.tokens, t)?;
                    self.agenda.replace_top(Task::Purchase(seat, left));
                    return self.sell(&mut Cx::silent(), seat, t);
                }
                _ => return self.pop_task(),
            }
        }
    }

    /// Takes a Player Action of `seat` with equal chances for all legal ones, a war on each enemy counted
    /// separately: pops the task, applies the action and pushes its tasks.
    ///
    /// # Errors
    ///
    /// Fails only if the rules contradict themselves.
    #[inline]
    pub(crate) fn act_at_random(&mut self, sim: &mut Sim<'_, Self>, seat: Seat) -> Ran {
        let action = self.choose_act(seat, |of| sim.nth(of));
        self.agenda.pop();
        self.carry_out(&mut Cx::silent(), seat, action)
    }

    /// Takes one step of a Trade action with `left` purchases, with equal chances for all legal ones: buys a
    /// face-up card, asks for a face-down one, or is done. Pops the task if it is done or there is nothing to
    /// choose; else replaces it by one with a purchase less. `asked` are the slots asked for, bit `i` for
    /// slot `i`.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject a listed action.
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
            Some(Action::Ebuy(t)) => self.ebuy(&mut Cx::silent(), seat, left, asked, t),
            Some(Action::Ask(i)) => self.ask(&mut Cx::silent(), seat, left, asked, i),
            _ => self.pop_task(),
        }
    }

    /// Accepts or declines the card shown in slot `i` of the Empire, with equal chances if it is affordable,
    /// and pops the task.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject a listed action.
    pub(crate) fn answer_at_random(&mut self, sim: &mut Sim<'_, Self>, seat: Seat, i: u8) -> Ran {
        match sim.choose(&self.tokens, seat, |_, list| self.list_answer(seat, i, list))? {
            Action::Accept => self.accept(&mut Cx::silent(), seat, i),
            _ => self.pop_task(),
        }
    }

    // --- from the deck into slots

    /// Pops the task and fills these slots, bit `i` for slot `i`, from the deck, ascending. The owner comes
    /// to know each card; the way in which it lies is drawn with equal chances, and face-up cards become
    /// public. The discard pile is shuffled into an empty deck; slots stay empty if no card is left. After a
    /// Lobbyist it returns early: pushes the filling of the other slots and above it the choice of the
    /// Lobbyist's category.
    ///
    /// # Errors
    ///
    /// Fails only if the rules contradict themselves.
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
                self.shuffle_if_two(sim, from)?;
                continue;
            };
            slots &= slots - 1;
            self.put_in_slot(t, seat.into(), i);
            sim.add_knower(&mut self.tokens, t, seat);
            let card = sim.own(&self.tokens, seat).face(t).ok_or(NO_CHOICE)?;
            let lie = way_to_lie(card, sim.nth(ways_to_lie(card)));
            if lie == Lie::Up {
                sim.show(&mut self.tokens, t)?;
            }
            if card == Card::Lobbyist {
                // The Lobbyist names its category before the next card is drawn.
                self.push_task(Task::Fill(seat, slots))?;
                return self.lie(seat, i, t, lie);
            }
            self.lie(seat, i, t, lie)?;
        }
        Ok(())
    }

    /// Pops the task, fills the Empire's empty slots from its deck, makes the backs of the new cards public,
    /// and turns up those that are not Military. The discard pile is shuffled into an empty deck; slots stay
    /// empty if no card is left. Updates the slot cache. Only pops the task after the Empire's fall.
    ///
    /// # Errors
    ///
    /// Fails only if the rules contradict themselves.
    pub(crate) fn muster_at_random(&mut self, sim: &mut Sim<'_, Self>) -> Ran {
        self.agenda.pop();
        if !self.standing {
            return Ok(());
        }
        while !self.fill_empire_slots() {
            self.shuffle_if_two(sim, deck(Side::EMPIRE))?;
        }
        for i in self.occupied(Side::EMPIRE) {
            if let Some(t) = self.base(Side::EMPIRE, i)
                && !self.tokens.is_public(t)
            {
                sim.show_back(&mut self.tokens, t)?;
                if self.narrow_to_back(t) {
                    sim.show(&mut self.tokens, t)?;
                }
            }
        }
        self.cache_empire_slots();
        Ok(())
    }

    /// With equal chances pushes the filling of the lowest empty slot of a player and keeps the task, or pops
    /// the task; pops it if no slot can be filled. `side` must be a player.
    ///
    /// # Errors
    ///
    /// Fails only if the rules contradict themselves.
    #[inline]
    pub(crate) fn refill_at_random(&mut self, sim: &mut Sim<'_, Self>, side: Side) -> Ran {
        if self.refill_is_open(side) && sim.nth(2) == 0 { self.refill(side) } else { self.pop_task() }
    }
}

/// The first eight cards of a hand, in order, as its owner knows them; only the first `len` entries are
/// valid.
struct Hand {
    cards: [(Token, Card); 8],
    len: usize,
    /// Whether the hand has further cards that do not fit in here.
    more: bool,
}

impl Hand {
    /// Copies the first eight cards of a hand; `more` is set if there are others.
    #[inline]
    fn of(mut cards: impl Iterator<Item = (Token, Card)>) -> Self {
        let mut hand = Hand { cards: [(Token(0), Card::Conscript); 8], len: 0, more: false };
        for (place, card) in hand.cards.iter_mut().zip(&mut cards) {
            *place = card;
            hand.len += 1;
        }
        hand.more = cards.next().is_some();
        hand
    }

    /// Iterates over the cards, at most eight, in the order of the hand.
    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = (Token, Card)> + Clone + '_ {
        self.cards.iter().take(self.len).copied()
    }

    /// Returns the index of the card that an action names; the number of cards if it names none or another.
    fn place_of(&self, action: Action) -> usize {
        self.iter().position(|(t, _)| action.token() == Some(t)).unwrap_or(self.len)
    }

    /// Removes the card at this index and keeps the order; no effect beyond the end.
    #[inline(always)]
    fn take(&mut self, place: usize) {
        if place < self.len {
            self.cards.copy_within(place + 1.., place);
            self.len -= 1;
        }
    }
}
