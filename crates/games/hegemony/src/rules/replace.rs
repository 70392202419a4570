//! Task 2 of a turn: cards of the hand are placed in slots or stationed behind a base card.

use super::slots::{way_to_lie, ways_to_lie};
use crate::actions::{Action, Lie};
use crate::active::{Slots, fits_behind};
use crate::agenda::Task;
use crate::cards::{COVERT, Card, Category, QUARTERS, ROOMY};
use crate::facts::{Context, Fact};
use crate::places::{Side, discard, hand, slot};
use crate::state::{Hegemony, MOST_SLOTS};
use pentarchy_engine::{FaceSet, RuleError, Seat, SeatView, Token, ensure};

impl Hegemony {
    /// Pushes the task in which the seat replaces slots: at least as many as the tuning number `replace`, or
    /// fewer if the hand or the number of slots is smaller. Even 0 is pushed; the task then ends by itself if
    /// there is no choice.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn begin_replacing(&mut self, seat: Seat) -> Result<(), RuleError> {
        let cards = self.tokens.len(hand(seat)) as i32;
        let need = self.rules.n.replace.min(cards).min(self.rules.n.slots);
        self.push_task(Task::Replace(seat, need as u8, 0))
    }

    /// Returns whether public information leaves a choice in the replacement: the hand has a card, and it may
    /// replace a slot that was not replaced this turn, or be stationed in a slot that may have room. `need`
    /// is the number of slots to replace, `replaced` those replaced this turn, bit `i` for slot `i`.
    pub(crate) fn replacing_is_open(&self, seat: Seat, need: u8, replaced: u8) -> bool {
        let slots = self.rules.n.slots as u8;
        !self.tokens.is_empty(hand(seat))
            && (owed(need, replaced) > 0
                || replaced.count_ones() < slots.into()
                || (0..slots).any(|i| self.may_have_room(seat, i)))
    }

    /// Returns whether public information allows another card behind the base card of slot `i`: the card may
    /// be one with room, and the room is not full. `false` for an empty slot.
    fn may_have_room(&self, seat: Seat, i: u8) -> bool {
        let Some(base) = self.base(seat.into(), i) else { return false };
        let roomy =
            |card: Card| self.tokens.may_be(base, FaceSet::only(card)) && self.has_room(seat, i, card);
        [Card::SiegeTower, Card::Barracks, Card::Fortification, Card::Factory].into_iter().any(roomy)
    }

    /// Returns whether slot `i` has room for one more card if its base card is `base`. Slot `i` must be
    /// occupied; which card lies there is not checked.
    fn has_room(&self, seat: Seat, i: u8, base: Card) -> bool {
        self.room(base) >= self.tokens.len(slot(seat.into(), i)) as i32
    }

    /// Appends the actions of the replacement: by card in the order of the hand, of equal names only the
    /// first, `Place` in each slot that was not replaced this turn (twice for a covert card: face up, face
    /// down), then `Station` in each slot with room where it fits, unless all cards are needed to replace
    /// slots. Last `Done`, if enough slots are replaced. `need` is the number of slots to replace, `replaced`
    /// those replaced this turn, bit `i` for slot `i`; `own` must be the view of `seat`.
    pub(crate) fn list_replace(
        &self,
        own: &SeatView<'_, Self>,
        seat: Seat,
        need: u8,
        replaced: u8,
        out: &mut Vec<Action>,
    ) {
        let open = self.open_slots(replaced);
        let (fitting, any) = self.fitting(own, seat, need, replaced);
        let mut seen = 0u64;
        for t in self.tokens.iter(hand(seat)) {
            let Some(card) = own.face(t) else { continue };
            if card.is_in(seen) {
                continue;
            }
            seen |= 1 << card as u8;
            for i in open {
                out.extend((0..ways_to_lie(card)).map(|way| Action::Place(t, i, way_to_lie(card, way))));
            }
            if card.is_in(any) {
                let fits = (0..MOST_SLOTS).zip(fitting).filter(|&(_, fitting)| card.is_in(fitting));
                out.extend(fits.map(|(i, _)| Action::Station(t, i)));
            }
        }
        if owed(need, replaced) == 0 {
            out.push(Action::Done);
        }
    }

    /// Returns the slots of a player, empty ones included, that are not in `replaced`, the slots replaced
    /// this turn (bit `i` for slot `i`).
    #[inline]
    fn open_slots(&self, replaced: u8) -> Slots {
        Slots(((1 << self.rules.n.slots) - 1) & !u16::from(replaced))
    }

    /// Returns the cards that the seat can station, as card sets with bit `card as u8` for each: first by
    /// slot, then the union of all slots, as far as `own`, the view of the seat, knows the base cards. All
    /// are empty if every hand card is needed to replace slots: `need` is the number to replace, `replaced`
    /// those replaced this turn, bit `i` for slot `i`.
    #[inline]
    fn fitting(&self, own: &SeatView<'_, Self>, seat: Seat, need: u8, replaced: u8) -> (Fitting, u64) {
        let (mut fitting, mut any) = ([0; MOST_SLOTS as usize], 0);
        if self.may_have_base(seat) && self.tokens.len(hand(seat)) as i32 > owed(need, replaced) {
            for i in self.roomy_slots(seat) {
                fitting[usize::from(i)] = self.fitting_in(own, seat, i);
                any |= fitting[usize::from(i)];
            }
        }
        (fitting, any)
    }

    /// Returns whether a seat has a hand card that is not needed to replace slots, and knows of a slot with
    /// room; whether a card of the hand fits there is not checked. `need` is the number of slots to replace,
    /// `replaced` are those replaced this turn.
    #[inline]
    pub(crate) fn can_station(&self, own: &SeatView<'_, Self>, seat: Seat, need: u8, replaced: u8) -> bool {
        self.may_have_base(seat)
            && self.tokens.len(hand(seat)) as i32 > owed(need, replaced)
            && self.roomy_slots(seat).any(|i| self.fitting_in(own, seat, i) != 0)
    }

    /// Returns the cards that can be stationed in slot `i`, bit `card as u8` for each; 0 if the slot is
    /// empty, or its base card has no room or is unknown to the viewing seat. `own` must be the view of
    /// `seat`.
    #[inline]
    fn fitting_in(&self, own: &SeatView<'_, Self>, seat: Seat, i: u8) -> u64 {
        match self.base(seat.into(), i) {
            Some(base) if own.is_in(base, FaceSet::from_bits(ROOMY)) => {
                own.face(base).filter(|&base| self.has_room(seat, i, base)).map_or(0, fits_behind)
            }
            _ => 0,
        }
    }

    /// Returns the occupied slots whose base card may have room for others by its category: Military ones,
    /// and Trade slots if the side may have a Factory. Whether room is left is not checked.
    #[inline]
    fn roomy_slots(&self, seat: Seat) -> Slots {
        let side = Side::from(seat);
        let military = self.slots_of(side, Category::Military);
        let factories = self.may_have(side, 1 << Card::Factory as u8);
        Slots(if factories { military | self.slots_of(side, Category::Trade) } else { military })
    }

    /// Iterates over the cards of a seat's hand that the viewing seat knows, in order; for its own hand these
    /// are all.
    #[inline(always)]
    pub(crate) fn known_hand<'h>(
        &'h self,
        own: &'h SeatView<'_, Self>,
        seat: Seat,
    ) -> impl Iterator<Item = (Token, Card)> + Clone + 'h {
        self.tokens.iter(hand(seat)).filter_map(|t| Some((t, own.face(t)?)))
    }

    /// Returns entry number `nth(length)` of the list of [`list_replace`](Self::list_replace) without
    /// building the list, and the index of its card in the hand (0 for `done`). `hand` are the cards of the
    /// hand; it must be impossible to station a card. `need` and `replaced` are those of the task. `None` if
    /// the list is empty.
    #[inline(always)]
    pub(crate) fn choose_replace(
        &self,
        hand: impl Iterator<Item = (Token, Card)> + Clone,
        need: u8,
        replaced: u8,
        nth: impl FnOnce(usize) -> usize,
    ) -> Option<(usize, Action)> {
        let open = self.open_slots(replaced);
        let places = open.0.count_ones() as usize;
        // The number of ways to place the card with this bit; 0 for a card that has been counted.
        let ways = |card: u64| usize::from(card != 0) + usize::from(card & COVERT != 0);
        let (mut total, mut seen) = (0, 0);
        for (_, card) in hand.clone() {
            let card = 1 << card as u8;
            total += ways(card & !seen);
            seen |= card;
        }
        total *= places;
        let mut k = nth(total + usize::from(owed(need, replaced) == 0));
        if k >= total {
            return Some((0, Action::Done));
        }
        seen = 0;
        for (n, (t, card)) in hand.enumerate() {
            let bit = 1 << card as u8;
            let count = places * ways(bit & !seen);
            if k < count {
                let (place, way) = if card.is_covert() { (k / 2, k % 2) } else { (k, 0) };
                return Some((n, Action::Place(t, { open }.nth(place)?, way_to_lie(card, way))));
            }
            k -= count;
            seen |= bit;
        }
        None
    }

    /// Checks that a card may be stationed: the hand has more cards than slots must still be replaced. `need`
    /// is the number to replace, `replaced` are those replaced this turn.
    ///
    /// # Errors
    ///
    /// Fails if all cards left are needed.
    fn check_spare(&self, seat: Seat, need: u8, replaced: u8) -> Result<(), RuleError> {
        let (cards, owed) = (self.tokens.len(hand(seat)) as i32, owed(need, replaced));
        if cards > owed {
            return Ok(());
        }
        Err(RuleError::numbers("the cards left are needed to replace {0} more slots", owed, cards))
    }

    /// Checks that the card `t` is in the hand of the seat and that the seat has a slot `i`, occupied or not.
    ///
    /// # Errors
    ///
    /// Fails if the card lies elsewhere, or `i` is not below the number of slots.
    fn check_reach(&self, seat: Seat, t: Token, i: u8) -> Result<(), RuleError> {
        ensure(self.tokens.in_zone(t, hand(seat)), "this card is not in the hand")?;
        ensure(i32::from(i) < self.rules.n.slots, "there is no such slot")
    }

    /// Checks and places the card `t` of the hand in slot `i` as `lie` says, and emits `Placed`. The cards
    /// there are discarded, the slot counts as replaced in the task `Replace` on top, and a Lobbyist pushes
    /// the choice of its category. `need` is the number of slots to replace, `replaced` are those replaced
    /// this turn, bit `i` for slot `i`; whether more are needed is not checked. If `lie` is face down, the
    /// category is claimed.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the hand, there is no such slot, it has been replaced
    /// this turn, or the card may not lie so; or if the agenda is full.
    #[expect(clippy::too_many_arguments, reason = "the fields of the task and of the action")]
    #[inline(always)]
    pub(crate) fn place(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        need: u8,
        replaced: u8,
        t: Token,
        i: u8,
        lie: Lie,
    ) -> Result<(), RuleError> {
        self.check_reach(seat, t, i)?;
        ensure(replaced >> i & 1 == 0, "this slot has already been replaced this turn")?;
        self.check_lie(cx, t, lie)?;
        cx.emit(move || Fact::Placed { seat, card: t, slot: i, lie, drawn: false });
        self.lay_in_slot(seat, need, replaced, t, i, lie)
    }

    /// Places the card `t` of the hand in slot `i` as `lie` says; the cards there are discarded, and the slot
    /// counts as replaced in the task on top, which has `need` and `replaced`. Pushes the choice of a
    /// category for a face-up Lobbyist. Emits nothing. The caller has checked that it is legal.
    ///
    /// # Errors
    ///
    /// Fails if a card that lies face up is hidden, or the agenda is full.
    #[inline(always)]
    pub(crate) fn lay_in_slot(
        &mut self,
        seat: Seat,
        need: u8,
        replaced: u8,
        t: Token,
        i: u8,
        lie: Lie,
    ) -> Result<(), RuleError> {
        self.agenda.replace_top(Task::Replace(seat, need, replaced | 1 << i));
        self.empty_slot(seat.into(), i);
        self.put_in_slot(t, seat.into(), i);
        self.lie(seat, i, t, lie)
    }

    /// Checks and stations the card `t` of the hand behind the base card of slot `i`, and emits
    /// `Stationed`. The slot does not count as replaced, and the task on top stays. If the base card is
    /// hidden, the actor claims that the card fits, and nothing else becomes known. `need` is the number of
    /// slots to replace, `replaced` are those replaced this turn, bit `i` for slot `i`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the hand, there is no such slot, all cards of the
    /// hand are needed to replace slots, the slot is empty, or the base card has no room for it as far as
    /// the observer knows.
    pub(crate) fn station(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        need: u8,
        replaced: u8,
        t: Token,
        i: u8,
    ) -> Result<(), RuleError> {
        /// The rejection of a card that does not fit behind its base card.
        const NO_ROOM: &str = "the base card of this slot has no room for it";
        self.check_reach(seat, t, i)?;
        self.check_spare(seat, need, replaced)?;
        let base = self.base(seat.into(), i).ok_or(RuleError::new("this slot is empty"))?;
        match self.tokens.public_face(base) {
            Some(card) => {
                ensure(self.has_room(seat, i, card), NO_ROOM)?;
                cx.require(&self.tokens, t, FaceSet::from_bits(fits_behind(card)))?;
            }
            None => self.claim_fit(cx, seat, i, base, t)?,
        }
        cx.emit(move || Fact::Stationed { seat, card: t, slot: i });
        self.put_behind(seat, t, i, base);
        Ok(())
    }

    /// Moves the card `t` of the hand behind the base card `base` of slot `i`, and adds its possible names to
    /// the slot cache. In a Military slot the possible faces narrow for all observers: of the card to
    /// Military cards, of the base to cards with room for those behind it. Emits nothing. The caller has
    /// checked that it fits.
    pub(crate) fn put_behind(&mut self, seat: Seat, t: Token, i: u8, base: Token) {
        self.put_in_slot(t, seat.into(), i);
        self.cache_stationed_card(seat.into(), i, self.tokens.may(t).bits());
        if self.category(base) == Category::Military {
            self.tokens.narrow(t, Category::Military.set());
            let roomy =
                FaceSet::filter(|card| self.room(card) >= self.tokens.len(slot(seat.into(), i)) as i32 - 1);
            self.tokens.narrow(base, roomy);
        }
    }

    /// Requires the claim that the card `t` fits behind the hidden base card `base` of slot `i`. If a Siege
    /// Tower would have room, the claim is that the two are a fitting pair; otherwise that the base is a
    /// Barracks or Fortification and the card is Military. Changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if the base card cannot have room for it, or the claim is false as far as the observer knows.
    fn claim_fit(
        &self,
        cx: &mut Context<'_>,
        seat: Seat,
        i: u8,
        base: Token,
        t: Token,
    ) -> Result<(), RuleError> {
        let roomy = FaceSet::<Card>::from_bits(QUARTERS).iter().filter(|&b| self.has_room(seat, i, b));
        let roomy: FaceSet<Card> = roomy.collect();
        ensure(self.tokens.may_be(base, roomy), "the base card of this slot has no room for it")?;
        if !roomy.has(Card::SiegeTower) {
            cx.require(&self.tokens, base, roomy)?;
            return cx.require(&self.tokens, t, Category::Military.set());
        }
        // A Siege Tower takes soldiers only, so which cards fit depends on the base card.
        let mut pairs = [(Card::Conscript, Card::Conscript); 36];
        let mut n = 0;
        for b in roomy.iter() {
            for c in FaceSet::<Card>::from_bits(fits_behind(b)).iter() {
                pairs[n] = (b, c);
                n += 1;
            }
        }
        cx.require_pair(&self.tokens, base, t, &pairs[..n])
    }

    /// Returns whether a card that the deciding seat stations in slot `i` becomes public: the slot is a Trade
    /// slot, so that it is a Laborer in a Factory. `false` outside of the replacement, for an empty slot and
    /// for a number that is none.
    pub(crate) fn station_is_open(&self, i: u8) -> bool {
        let Task::Replace(seat, ..) = self.top() else { return false };
        i32::from(i) < self.rules.n.slots && self.slot_category(Side::from(seat), i) == Some(Category::Trade)
    }

    /// Checks that enough slots are replaced, pops the task, and discards the rest of the hand. `need` is the
    /// number of slots to replace, `replaced` are those replaced this turn.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if more slots must be replaced.
    pub(crate) fn done_replacing(&mut self, need: u8, replaced: u8) -> Result<(), RuleError> {
        let owed = owed(need, replaced);
        if owed > 0 {
            return Err(RuleError::numbers(
                "{0} more slots must be replaced ({1} are)",
                owed,
                i32::from(need) - owed,
            ));
        }
        match self.agenda.pop() {
            Some(Task::Replace(seat, ..)) => self.drop_hand(seat),
            _ => Err(super::NOT_NOW),
        }
    }

    /// Moves all cards left in a seat's hand to its discard pile. Never fails.
    #[inline]
    pub(crate) fn drop_hand(&mut self, seat: Seat) -> Result<(), RuleError> {
        self.tokens.put_all(hand(seat), discard(seat.into()));
        Ok(())
    }
}

/// The sets of cards that can be stationed in each slot.
type Fitting = [u64; MOST_SLOTS as usize];

/// Returns how many of `need` slots must still be replaced, at least 0. `replaced` has bit `i` for each slot
/// `i` that is.
#[inline]
fn owed(need: u8, replaced: u8) -> i32 {
    i32::from(need) - replaced.count_ones().min(need.into()) as i32
}
