//! Step 2 of a turn: cards of the hand are placed into slots or stationed behind a base card.

use super::slots::ways_to_lie;
use crate::actions::{Action, Lie};
use crate::active::{Slots, fits_behind};
use crate::agenda::Step;
use crate::cards::{Card, Category, QUARTERS};
use crate::places::{Side, discard, hand, slot};
use crate::state::{Hegemony, MOST_SLOTS};
use pentarchy_engine::{Cx, FaceSet, Own, Rejected, Seat, Token, ensure};

impl Hegemony {
    pub(crate) fn begin_replacing(&mut self, seat: Seat) -> Result<(), Rejected> {
        let cards = self.tokens.len(hand(seat)) as i32;
        let need = self.rules.n.replace.min(cards).min(self.rules.n.slots);
        self.then(Step::Replace(seat, need as u8, 0))
    }

    /// Whether there may be something to choose, judged by public information.
    pub(crate) fn replacing_is_open(&self, seat: Seat, need: u8, replaced: u8) -> bool {
        let slots = self.rules.n.slots as u8;
        !self.tokens.is_empty(hand(seat))
            && (owed(need, replaced) > 0
                || replaced.count_ones() < slots.into()
                || (0..slots).any(|i| self.may_have_room(seat, i)))
    }

    /// Whether, for all that everybody knows, another card fits into this slot.
    fn may_have_room(&self, seat: Seat, i: u8) -> bool {
        let Some(base) = self.base(seat.into(), i) else { return false };
        let roomy =
            |card: Card| self.tokens.may_be(base, FaceSet::only(card)) && self.has_room(seat, i, card);
        [Card::SiegeTower, Card::Barracks, Card::Fortification, Card::Factory].into_iter().any(roomy)
    }

    /// Whether a slot with this base card has room for one more.
    fn has_room(&self, seat: Seat, i: u8, base: Card) -> bool {
        self.room(base) >= self.tokens.len(slot(seat.into(), i)) as i32
    }

    pub(crate) fn list_replace(
        &self,
        own: &Own<'_, Self>,
        seat: Seat,
        need: u8,
        replaced: u8,
        out: &mut Vec<Action>,
    ) {
        let slots = self.rules.n.slots as u8;
        let open = Slots(((1 << slots) - 1) & !u16::from(replaced));
        // What can be stationed in each slot, and in any.
        let (mut fitting, mut any) = ([0u64; MOST_SLOTS as usize], 0);
        if self.may_spare(seat, need, replaced).is_ok() {
            for (i, fitting) in (0..slots).zip(&mut fitting) {
                let base = self.base(seat.into(), i).and_then(|b| own.face(b));
                if let Some(base) = base.filter(|&base| self.has_room(seat, i, base)) {
                    *fitting = fits_behind(base);
                    any |= *fitting;
                }
            }
        }
        let mut seen = 0u64;
        for t in self.tokens.iter(hand(seat)) {
            let Some(card) = own.face(t) else { continue };
            if card.is_in(seen) {
                continue;
            }
            seen |= 1 << card as u8;
            open.for_each(|i| ways_to_lie(card, |lie| out.push(Action::Place(t, i, lie))));
            if card.is_in(any) {
                let fits = (0..slots).zip(fitting).filter(|&(_, fitting)| card.is_in(fitting));
                out.extend(fits.map(|(i, _)| Action::Station(t, i)));
            }
        }
        if owed(need, replaced) == 0 {
            out.push(Action::Done);
        }
    }

    /// Whether a card may be stationed: those needed for replacements may not.
    fn may_spare(&self, seat: Seat, need: u8, replaced: u8) -> Result<(), Rejected> {
        let (cards, owed) = (self.tokens.len(hand(seat)) as i32, owed(need, replaced));
        if cards > owed {
            return Ok(());
        }
        Err(Rejected::numbers("the cards left are needed to replace {0} more slots", owed, cards))
    }

    fn in_reach(&self, seat: Seat, t: Token, i: u8) -> Result<(), Rejected> {
        ensure(self.tokens.in_zone(t, hand(seat)), "this card is not in the hand")?;
        ensure(i32::from(i) < self.rules.n.slots, "there is no such slot")
    }

    #[expect(clippy::too_many_arguments, reason = "the step and the action, taken apart")]
    pub(crate) fn place(
        &mut self,
        cx: &mut Cx<'_, Card>,
        seat: Seat,
        need: u8,
        replaced: u8,
        t: Token,
        i: u8,
        lie: Lie,
    ) -> Result<(), Rejected> {
        self.in_reach(seat, t, i)?;
        ensure(replaced >> i & 1 == 0, "this slot has already been replaced this turn")?;
        self.may_lie(cx, t, lie)?;
        self.agenda.pop();
        self.tokens.put_all(slot(seat.into(), i), discard(seat.into()));
        self.tokens.put(t, slot(seat.into(), i));
        self.then(Step::Replace(seat, need, replaced | 1 << i))?;
        self.lie(seat, i, t, lie)
    }

    /// Puts a card behind a base card. That it fits is claimed: of a hidden base nothing else is told.
    pub(crate) fn station(
        &mut self,
        cx: &mut Cx<'_, Card>,
        seat: Seat,
        need: u8,
        replaced: u8,
        t: Token,
        i: u8,
    ) -> Result<(), Rejected> {
        const NO_ROOM: &str = "the base card of this slot has no room for it";
        self.in_reach(seat, t, i)?;
        self.may_spare(seat, need, replaced)?;
        let base = self.base(seat.into(), i).ok_or(Rejected::new("this slot is empty"))?;
        match self.tokens.public_face(base) {
            Some(card) => {
                ensure(self.has_room(seat, i, card), NO_ROOM)?;
                cx.require(&self.tokens, t, FaceSet::from_bits(fits_behind(card)))?;
            }
            None => self.claim_fit(cx, seat, i, base, t)?,
        }
        self.tokens.put(t, slot(seat.into(), i));
        if self.category(base) == Category::Military {
            self.tokens.narrow(t, Category::Military.set());
            let roomy =
                FaceSet::filter(|card| self.room(card) >= self.tokens.len(slot(seat.into(), i)) as i32 - 1);
            self.tokens.narrow(base, roomy);
        }
        Ok(())
    }

    /// The claim that a card fits behind a base card that lies face down.
    fn claim_fit(
        &self,
        cx: &mut Cx<'_, Card>,
        seat: Seat,
        i: u8,
        base: Token,
        t: Token,
    ) -> Result<(), Rejected> {
        let roomy = FaceSet::<Card>::from_bits(QUARTERS).iter().filter(|&b| self.has_room(seat, i, b));
        let roomy: FaceSet<Card> = roomy.collect();
        ensure(self.tokens.may_be(base, roomy), "the base card of this slot has no room for it")?;
        if !roomy.has(Card::SiegeTower) {
            cx.require(&self.tokens, base, roomy)?;
            return cx.require(&self.tokens, t, Category::Military.set());
        }
        // A Siege Tower takes soldiers only: which cards fit depends on the base.
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

    /// Whether a card stationed in this slot of the seat that is asked is shown: a Laborer in a Factory.
    pub(crate) fn station_is_open(&self, i: u8) -> bool {
        let Step::Replace(seat, ..) = self.top() else { return false };
        i32::from(i) < self.rules.n.slots && self.slot_category(Side::from(seat), i) == Some(Category::Trade)
    }

    pub(crate) fn done_replacing(&mut self, need: u8, replaced: u8) -> Result<(), Rejected> {
        let owed = owed(need, replaced);
        if owed > 0 {
            return Err(Rejected::numbers(
                "{0} more slots must be replaced ({1} are)",
                owed,
                i32::from(need) - owed,
            ));
        }
        let step = self.agenda.pop().ok_or(super::NOT_NOW)?;
        if let Step::Replace(seat, ..) = step {
            self.tokens.put_all(hand(seat), discard(seat.into()));
        }
        Ok(())
    }
}

/// How many slots must still be replaced.
fn owed(need: u8, replaced: u8) -> i32 {
    i32::from(need) - replaced.count_ones().min(need.into()) as i32
}
