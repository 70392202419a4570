//! Cards enter and leave slots.

use super::NOT_NOW;
use crate::actions::{Action, Lie};
use crate::active::fits_behind;
use crate::agenda::Step;
use crate::cards::{COVERT, Card, Category};
use crate::places::{POOL_DISCARD, RESERVE, Side, deck, discard, slot};
use crate::state::Hegemony;
use pentarchy_engine::{Cx, FaceSet, Own, Rejected, Seat, Set, Token, Zone, ensure};

impl Hegemony {
    // --- from the deck into slots

    /// These slots get cards from the deck, one by one, in order.
    pub(crate) fn fill(&mut self, seat: Seat, slots: u8) -> Result<(), Rejected> {
        if slots == 0 {
            return Ok(());
        }
        let (used, from) = (discard(seat.into()), deck(seat.into()));
        let i = slots.trailing_zeros() as u8;
        match self.tokens.top(from) {
            Some(t) => {
                self.put_in_slot(t, seat.into(), i);
                self.then(Step::Fill(seat, slots & (slots - 1)))?;
                self.then(Step::Enter(seat, i))?;
                self.then(Step::Peek(Set::One(t), seat))
            }
            None if !self.remake(used, from) => Ok(()),
            None => {
                self.then(Step::Fill(seat, slots))?;
                self.then(Step::Shuffle(from))
            }
        }
    }

    /// An empty deck is made anew of what has been discarded, and is to be shuffled; unless there is nothing.
    #[inline]
    pub(crate) fn remake(&mut self, discard: Zone, deck: Zone) -> bool {
        self.tokens.put_all(discard, deck);
        !self.tokens.is_empty(deck)
    }

    pub(crate) fn list_enter(&self, own: &Own<'_, Self>, seat: Seat, i: u8, out: &mut Vec<Action>) {
        if let Some(card) = self.base(seat.into(), i).and_then(|t| own.face(t)) {
            out.extend((0..ways_to_lie(card)).map(|way| Action::Enter(way_to_lie(card, way))));
        }
    }

    /// An entry of this list by its number.
    #[inline]
    pub(crate) fn choose_enter(
        &self,
        own: &Own<'_, Self>,
        seat: Seat,
        i: u8,
        nth: impl FnOnce(usize) -> usize,
    ) -> Option<Action> {
        let card = own.face(self.base(seat.into(), i)?)?;
        Some(Action::Enter(way_to_lie(card, nth(ways_to_lie(card)))))
    }

    #[inline(always)]
    pub(crate) fn enter(
        &mut self,
        cx: &mut Cx<'_, Card>,
        seat: Seat,
        i: u8,
        lie: Lie,
    ) -> Result<(), Rejected> {
        let t = self.base(seat.into(), i).ok_or(NOT_NOW)?;
        self.may_lie(cx, t, lie)?;
        self.agenda.pop();
        self.lie(seat, i, t, lie)
    }

    /// Whether a card may come to lie in a slot like this.
    pub(crate) fn may_lie(&self, cx: &mut Cx<'_, Card>, t: Token, lie: Lie) -> Result<(), Rejected> {
        match lie {
            Lie::Up => ensure(
                self.tokens.face(t)?.category() != Category::Military,
                "Military cards always lie face down",
            ),
            Lie::Down(Category::Military) => cx.require(&self.tokens, t, Category::Military.set()),
            Lie::Down(_) => cx.require(&self.tokens, t, FaceSet::from_bits(COVERT)),
        }
    }

    /// A card in a slot comes to lie there; a Lobbyist names its category.
    #[inline(always)]
    pub(crate) fn lie(&mut self, seat: Seat, i: u8, t: Token, lie: Lie) -> Result<(), Rejected> {
        let player = &mut self.players[seat.index()];
        player.down &= !(1 << i);
        let (category, cards) = match lie {
            Lie::Down(Category::Military) => {
                self.tokens.narrow(t, Category::Military.set());
                (Category::Military, 0)
            }
            Lie::Down(_) => {
                player.down |= 1 << i;
                self.tokens.narrow(t, FaceSet::from_bits(COVERT));
                (Category::Diplomacy, COVERT)
            }
            Lie::Up => {
                let card = self.tokens.face(t)?;
                if card == Card::Lobbyist {
                    self.then(Step::Lobby(seat, i))?;
                }
                (card.category(), 1 << card as u8)
            }
        };
        self.say_kind(seat.into(), i, category, cards);
        Ok(())
    }

    // --- out of slots

    /// A card goes into a slot, behind what lies there.
    #[inline(always)]
    pub(crate) fn put_in_slot(&mut self, t: Token, side: Side, i: u8) {
        self.tokens.put(t, slot(side, i));
        self.kinds.full[side.index()] |= 1 << i;
    }

    /// A card of a slot goes elsewhere.
    #[inline]
    pub(crate) fn put_from_slot(&mut self, t: Token, side: Side, i: u8, zone: Zone) {
        self.tokens.put(t, zone);
        let empty = self.tokens.is_empty(slot(side, i));
        self.kinds.full[side.index()] &= !(u16::from(empty) << i);
    }

    /// All cards of a slot go to their owner's discard pile.
    #[inline]
    pub(crate) fn empty_slot(&mut self, side: Side, i: u8) {
        match self.base(side, i) {
            Some(base) if self.tokens.below(base).is_none() => self.tokens.put(base, discard(side)),
            _ => self.tokens.put_all(slot(side, i), discard(side)),
        }
        self.kinds.full[side.index()] &= !(1 << i);
    }

    /// Where a public card goes that goes to a joint place: Partisans go to the reserve instead.
    fn joint(&self, t: Token, zone: Zone) -> Zone {
        if self.tokens.public_face(t) == Some(Card::Partisan) { RESERVE } else { zone }
    }

    /// A public card leaves its slot for a joint place. If it was the base of others, these are fitted to
    /// their new base: shown first if there are two or more, for then it matters what they are.
    pub(crate) fn leave_slot(&mut self, side: Side, i: u8, t: Token, zone: Zone) -> Result<(), Rejected> {
        let was_base = self.base(side, i) == Some(t);
        self.put_from_slot(t, side, i, self.joint(t, zone));
        if was_base && self.tokens.len(slot(side, i)) >= 2 {
            self.then(Step::Tidy(side, i))?;
            self.then(Step::Show(Set::Zone(slot(side, i))))?;
        }
        Ok(())
    }

    /// The cards behind the base that do not fit it go to the discard pile. All are public.
    pub(crate) fn tidy(&mut self, side: Side, i: u8) -> Result<(), Rejected> {
        let zone = slot(side, i);
        let Some(base) = self.tokens.top(zone) else { return Ok(()) };
        let mut at = self.tokens.below(base);
        if at.is_none() {
            return Ok(());
        }
        let base = self.tokens.face(base)?;
        let mut room = self.room(base);
        while let Some(t) = at {
            at = self.tokens.below(t);
            if room > 0 && self.tokens.face(t)?.is_in(fits_behind(base)) {
                room -= 1;
            } else {
                self.tokens.put(t, discard(side));
            }
        }
        Ok(())
    }

    /// A card becomes another: exchanged for one of the reserve, in the same place.
    pub(crate) fn promote(&mut self, t: Token, into: Card) -> Result<(), Rejected> {
        let old = self.tokens.face(t)?;
        let other = self.find(RESERVE, into).ok_or(Rejected::new("the reserve has run out"))?;
        self.tokens.rewrite(t, into)?;
        self.tokens.rewrite(other, old)
    }

    /// All cards of a side, wherever they lie.
    pub(crate) fn all_cards(&self, side: Side) -> impl Iterator<Item = Token> + '_ {
        self.places_of(side).flat_map(|zone| self.tokens.iter(zone))
    }

    /// The places where cards of a side lie.
    pub(crate) fn places_of(&self, side: Side) -> impl Iterator<Item = Zone> + use<> {
        let own_hand = side.seat().map(crate::places::hand);
        let slots = (0..self.slots(side)).map(move |i| slot(side, i));
        [deck(side), discard(side)].into_iter().chain(own_hand).chain(slots)
    }

    /// All cards of a side, public by now, go to the pool discard.
    pub(crate) fn clear_out(&mut self, side: Side) {
        self.hand_over_all(deck(side));
        self.hand_over_all(discard(side));
        if let Some(seat) = side.seat() {
            self.hand_over_all(crate::places::hand(seat));
        }
        self.occupied(side).for_each(|i| self.hand_over_all(slot(side, i)));
        self.kinds.full[side.index()] = 0;
    }

    fn hand_over_all(&mut self, zone: Zone) {
        let mut at = self.tokens.top(zone);
        while let Some(t) = at {
            at = self.tokens.below(t);
            if self.joint(t, POOL_DISCARD) == RESERVE {
                self.tokens.put(t, RESERVE);
            }
        }
        self.tokens.put_all(zone, POOL_DISCARD);
    }
}

/// In how many ways a card may come to lie in a slot.
#[inline]
pub(crate) fn ways_to_lie(card: Card) -> usize {
    1 + usize::from(card.is_covert())
}

/// The ways in which a card may come to lie in a slot, by their number.
#[inline]
pub(crate) fn way_to_lie(card: Card, way: usize) -> Lie {
    match (card.category(), way) {
        (Category::Military, _) => Lie::Down(Category::Military),
        (_, 0) => Lie::Up,
        _ => Lie::Down(Category::Diplomacy),
    }
}
