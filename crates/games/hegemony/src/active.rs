//! Which cards lie in slots, and which of them are active.

#[cfg(debug_assertions)]
use crate::agenda::Step;
use crate::cards::{Card, Category, ROOMY};
use crate::places::{Place, Side, deck, discard, place, slot};
#[cfg(debug_assertions)]
use crate::state::Player;
use crate::state::{Hegemony, MOST_EMPIRE_SLOTS, MOST_SLOTS, Size};
#[cfg(debug_assertions)]
use pentarchy_engine::Set;
use pentarchy_engine::{Face, FaceSet, Seat, Seats, Token, Tokens, Zone};

impl Hegemony {
    /// The category of a card in a slot: always public.
    #[inline]
    pub(crate) fn category(&self, t: Token) -> Category {
        if self.tokens.may_be(t, Category::Military.set()) {
            Category::Military
        } else if self.tokens.may_be(t, Category::Trade.set()) {
            Category::Trade
        } else {
            Category::Diplomacy
        }
    }

    /// The base card of a slot.
    #[inline]
    pub(crate) fn base(&self, side: Side, i: u8) -> Option<Token> {
        self.tokens.top(slot(side, i))
    }

    /// The category of a slot: that of its base card.
    #[inline]
    pub(crate) fn slot_category(&self, side: Side, i: u8) -> Option<Category> {
        self.base(side, i).map(|t| self.category(t))
    }

    /// The occupied slots of a side.
    #[inline]
    pub(crate) fn occupied(&self, side: Side) -> Slots {
        Slots(if self.kinds.sure { self.kinds.full[side.index()] } else { self.holding_more(side, 0) })
    }

    /// The slots of a side with more than so many cards, one bit each.
    #[inline]
    pub(crate) fn holding_more(&self, side: Side, than: u16) -> u16 {
        let first = slot(side, 0);
        if side.is_empire() {
            self.tokens.fuller::<{ MOST_EMPIRE_SLOTS as usize }>(first, than)
        } else {
            self.tokens.fuller::<{ MOST_SLOTS as usize }>(first, than)
        }
    }

    /// Whether a card in a slot lies face down: Military always, Diplomacy as its owner has laid it.
    pub(crate) fn lies_face_down(&self, side: Side, i: u8, t: Token) -> bool {
        match (self.category(t), side.seat()) {
            (Category::Military, _) => true,
            (Category::Diplomacy, Some(seat)) => self.players[seat.index()].down >> i & 1 != 0,
            _ => false,
        }
    }

    /// What of a side's cards is switched off now.
    #[inline(always)]
    pub(crate) fn off(&self, side: Side) -> Off {
        let hampered = !self.kinds.sure || self.kinds.hampered >> side.0 & 1 != 0;
        if hampered { self.what_is_off(side) } else { Off::default() }
    }

    #[cold]
    fn what_is_off(&self, side: Side) -> Off {
        let Some(seat) = side.seat() else { return Off::default() };
        let (player, own_turn) = (&self.players[seat.index()], self.turn == Some(side));
        let sanctioned = own_turn || self.battle.is_some_and(|b| b.has(side));
        Off {
            slots: if sanctioned { player.sanctions } else { 0 },
            trade: own_turn && player.embargo,
            diplomacy: own_turn && player.gridlock,
        }
    }

    /// The slots of one category, one bit each. (All cards of a slot have the category of its base.)
    #[inline(always)]
    pub(crate) fn slots_of(&self, side: Side, category: Category) -> u16 {
        if !self.kinds.sure {
            return self.look_up(side, category);
        }
        let [trade, diplomacy] = self.kinds.civil[side.index()];
        // What was said of a slot that is empty now is out of date.
        self.kinds.full[side.index()]
            & match category {
                Category::Military => !(trade | diplomacy),
                Category::Trade => trade,
                Category::Diplomacy => diplomacy,
            }
    }

    /// The slots of one category whose cards are active, one bit each.
    #[inline(always)]
    pub(crate) fn active_slots(&self, side: Side, category: Category) -> u16 {
        self.slots_of(side, category) & self.off(side).leaves(category)
    }

    /// A card of this category, one of these, has come to lie in a slot.
    #[inline]
    pub(crate) fn say_kind(&mut self, side: Side, i: u8, category: Category, cards: u64) {
        let bit = |wanted| u16::from(category == wanted) << i;
        let [trade, diplomacy] = &mut self.kinds.civil[side.index()];
        *trade = *trade & !(1 << i) | bit(Category::Trade);
        *diplomacy = *diplomacy & !(1 << i) | bit(Category::Diplomacy);
        let names = &mut self.kinds.names[side.index()];
        names[usize::from(i)] = named(cards);
        self.kinds.any[side.index()] = names.iter().fold(0, |any, names| any | names);
    }

    /// A card, one of these, has come to lie behind others in a slot.
    #[inline]
    pub(crate) fn say_also(&mut self, side: Side, i: u8, cards: u64) {
        self.kinds.names[side.index()][usize::from(i)] |= named(cards);
        self.kinds.any[side.index()] |= named(cards);
    }

    /// The Empire has new cards, or these have been shown: what they may be is said anew.
    pub(crate) fn say_kinds_of_empire(&mut self) {
        let (mut trade, mut diplomacy, mut any) = (0, 0, 0);
        for i in self.occupied(Side::EMPIRE) {
            let cards = self.base(Side::EMPIRE, i).map_or(0, |t| self.tokens.may(t).bits());
            self.kinds.names[Side::EMPIRE.index()][usize::from(i)] = named(cards);
            any |= named(cards);
            // Not `&&`: what the next card is cannot be guessed.
            let is_military = cards & Category::Military.bits() != 0;
            let is_trade = !is_military & (cards & Category::Trade.bits() != 0);
            trade |= u16::from(is_trade) << i;
            diplomacy |= u16::from(!is_military & !is_trade) << i;
        }
        self.kinds.civil[Side::EMPIRE.index()] = [trade, diplomacy];
        self.kinds.any[Side::EMPIRE.index()] = any;
    }

    /// Whether one of these Trade and Diplomacy cards may lie in a slot of a side. If not, none does.
    #[inline]
    pub(crate) fn may_have(&self, side: Side, cards: u64) -> bool {
        !self.kinds.sure || self.kinds.any[side.index()] & named(cards) != 0
    }

    /// The same for the slots of all sides.
    #[inline]
    pub(crate) fn may_anybody_have(&self, cards: u64) -> bool {
        !self.kinds.sure || self.kinds.any.iter().fold(0, |any, names| any | names) & named(cards) != 0
    }

    /// Looks up what all slots are.
    #[cold]
    pub(crate) fn say_all_kinds(&mut self) {
        for side in (0..=Side::EMPIRE.0).map(Side) {
            self.kinds.full[side.index()] = self.holding_more(side, 0);
            let civil = [Category::Trade, Category::Diplomacy].map(|category| self.look_up(side, category));
            self.kinds.civil[side.index()] = civil;
            let cards = |i| self.tokens.iter(slot(side, i)).fold(0, |all, t| all | self.tokens.may(t).bits());
            let mut names = [0; MOST_EMPIRE_SLOTS as usize];
            (0..self.slots(side)).zip(&mut names).for_each(|(i, names)| *names = named(cards(i)));
            self.kinds.any[side.index()] = names.iter().fold(0, |any, names| any | names);
            self.kinds.names[side.index()] = names;
        }
        for seat in (0..self.seats).map(Seat) {
            if self.all_cards(seat.into()).any(|t| self.tokens.may_be(t, FaceSet::from_bits(ROOMY))) {
                self.kinds.roomy |= 1 << seat.0;
            }
        }
        self.kinds.hampered = Seats::first(self.seats).0;
        self.kinds.sure = true;
    }

    /// A card, one of these, has come into a seat's possession.
    #[inline]
    pub(crate) fn say_owned(&mut self, seat: Seat, cards: u64) {
        self.kinds.roomy |= u8::from(cards & ROOMY != 0) << seat.0;
    }

    /// Whether a seat may own a card behind which others can be stationed.
    #[inline]
    pub(crate) fn may_have_room_anywhere(&self, seat: Seat) -> bool {
        !self.kinds.sure || self.kinds.roomy >> seat.0 & 1 != 0
    }

    /// The slots of one category by a look at their base cards.
    #[cold]
    fn look_up(&self, side: Side, category: Category) -> u16 {
        let first = slot(side, 0).0;
        (0..self.slots(side)).fold(0, |slots, i| match self.tokens.top(Zone(first + i)) {
            Some(t) => slots | u16::from(self.category(t) == category) << i,
            None => slots,
        })
    }

    /// Whether what has been said of the slots is so. (A card on its way into a slot is nothing yet.)
    #[cfg(debug_assertions)]
    pub(crate) fn kinds_hold(&self) -> bool {
        let on_the_way = match self.top() {
            Step::Enter(seat, i) => Some((Side::from(seat), i)),
            Step::Peek(Set::One(t), _) => self.slot_of(t),
            Step::Backs | Step::Shuffle(_) | Step::Show(Set::Marked) => return true,
            _ => None,
        };
        let is_free = |p: &Player| p.sanctions == 0 && !p.embargo && !p.gridlock;
        let said = |seat: usize| self.kinds.hampered >> seat & 1 != 0;
        if !self.players.iter().enumerate().all(|(seat, player)| is_free(player) || said(seat)) {
            return false;
        }
        let sides = (0..=Side::EMPIRE.0).map(Side);
        sides.flat_map(|side| (0..self.slots(side)).map(move |i| (side, i))).all(|(side, i)| {
            let said = |category| self.slots_of(side, category) >> i & 1 != 0;
            let is_named = |t: Token| {
                let names = self.kinds.names[side.index()][usize::from(i)] & self.kinds.any[side.index()];
                named(self.tokens.may(t).bits()) & !names == 0
            };
            let is_owned = |t: Token| {
                let roomy = self.tokens.public_face(t).is_some_and(|card| card.is_in(ROOMY));
                !roomy || side.seat().is_none_or(|seat| self.may_have_room_anywhere(seat))
            };
            let known = self.slot_category(side, i).is_none_or(said)
                && self.tokens.iter(slot(side, i)).all(|t| is_named(t) && is_owned(t));
            let is_full = !self.tokens.is_empty(slot(side, i));
            is_full == (self.kinds.full[side.index()] >> i & 1 != 0)
                && (known || on_the_way == Some((side, i)))
        })
    }

    /// The active cards of one category: slot and card, in slot order, within a slot from the base.
    #[inline(always)]
    pub(crate) fn active(&self, side: Side, category: Category) -> Active<'_> {
        let slots = self.active_slots(side, category);
        Active { tokens: &self.tokens, first: slot(side, 0).0, slots, i: 0, at: None }
    }

    /// The active cards that everybody knows to be this one.
    pub(crate) fn count(&self, side: Side, card: Card) -> i32 {
        if card.category() != Category::Military && !self.may_have(side, 1 << card as u8) {
            return 0;
        }
        let is = |&(_, t): &(u8, Token)| self.tokens.public_face(t) == Some(card);
        self.active(side, card.category()).filter(is).count() as i32
    }

    /// Whether a card in this slot of this side is active.
    pub(crate) fn is_active(&self, side: Side, i: u8) -> bool {
        self.slot_category(side, i).is_some_and(|c| self.off(side).leaves_on(i, c))
    }

    /// Where a card lies among the slots.
    #[inline]
    pub(crate) fn slot_of(&self, t: Token) -> Option<(Side, u8)> {
        match place(self.tokens.zone(t)) {
            Place::Slot(side, i) if self.tokens.zone(t) != Zone::NOWHERE => Some((side, i)),
            _ => None,
        }
    }

    /// Whether a side's deck and discard pile are both empty.
    #[inline]
    pub(crate) fn pool_is_empty(&self, side: Side) -> bool {
        self.tokens.is_empty(deck(side)) && self.tokens.is_empty(discard(side))
    }
}

/// The Trade and Diplomacy cards among these, without the room for the Military cards.
#[inline]
const fn named(cards: u64) -> u32 {
    (cards >> Category::Trade.bits().trailing_zeros()) as u32
}

/// Some slots, one bit each, from the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slots(pub(crate) u16);

impl Iterator for Slots {
    type Item = u8;
    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        let i = self.0.trailing_zeros() as u8;
        self.0 &= self.0.checked_sub(1)?;
        Some(i)
    }
}

/// What of a side's cards is switched off.
#[derive(Clone, Copy, Default)]
pub(crate) struct Off {
    slots: u8,
    trade: bool,
    diplomacy: bool,
}

impl Off {
    /// The slots, one bit each, whose cards are active if they have this category.
    #[inline]
    pub(crate) fn leaves(self, category: Category) -> u16 {
        let off = match category {
            Category::Military => false,
            Category::Trade => self.trade,
            Category::Diplomacy => self.diplomacy,
        };
        if off { 0 } else { !u16::from(self.slots) }
    }

    #[inline]
    pub(crate) fn leaves_on(self, i: u8, category: Category) -> bool {
        self.leaves(category) >> i & 1 != 0
    }
}

/// The cards of some slots of a side, none of them empty.
#[derive(Clone)]
pub(crate) struct Active<'a> {
    tokens: &'a Tokens<Card, Size>,
    /// The zone of slot 0.
    first: u8,
    /// The slots still to come, one bit each.
    slots: u16,
    /// The slot of the next card.
    i: u8,
    /// The next card.
    at: Option<Token>,
}

impl Iterator for Active<'_> {
    type Item = (u8, Token);
    #[inline(always)]
    fn next(&mut self) -> Option<(u8, Token)> {
        if self.at.is_none() {
            if self.slots == 0 {
                return None;
            }
            self.i = self.slots.trailing_zeros() as u8;
            self.slots &= self.slots - 1;
            self.at = self.tokens.top(Zone(self.first + self.i));
        }
        let t = self.at?;
        self.at = self.tokens.below(t);
        Some((self.i, t))
    }

    /// All of them, slot by slot: `for_each` and `count` need not ask after each card where they are.
    #[inline(always)]
    fn fold<B, F: FnMut(B, (u8, Token)) -> B>(self, init: B, mut each: F) -> B {
        let mut all = init;
        let (mut i, mut at) = (self.i, self.at);
        let mut slots = Slots(self.slots);
        loop {
            while let Some(t) = at {
                all = each(all, (i, t));
                at = self.tokens.below(t);
            }
            let Some(next) = slots.next() else { return all };
            (i, at) = (next, self.tokens.top(Zone(self.first + next)));
        }
    }
}

/// The cards that fit behind this one.
#[inline]
pub(crate) fn fits_behind(base: Card) -> u64 {
    match base {
        Card::SiegeTower => crate::cards::SOLDIERS,
        Card::Barracks | Card::Fortification => Category::Military.bits(),
        Card::Factory => 1 << Card::Laborer.index(),
        _ => 0,
    }
}
