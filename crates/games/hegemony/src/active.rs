//! The cards in slots: their categories, which of them are active, and the slot cache.

#[cfg(debug_assertions)]
use crate::agenda::Task;
use crate::cards::{Card, Category, ROOMY};
use crate::places::{Place, Side, deck, discard, place, slot};
#[cfg(debug_assertions)]
use crate::state::Player;
use crate::state::{Hegemony, MOST_EMPIRE_SLOTS, MOST_SLOTS, Size};
#[cfg(debug_assertions)]
use pentarchy_engine::Set;
use pentarchy_engine::{Face, FaceSet, Seat, SeatSet, Token, Tokens, Zone};

impl Hegemony {
    /// Returns the category of a card in a slot, which is always public. Meaningless for cards elsewhere:
    /// the first of Military, Trade and Diplomacy that the card may be.
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

    /// Returns the base card of slot `i`, hidden or not; `None` if the slot is empty. `i` must be a slot
    /// number of the side: any other number reads another zone.
    #[inline]
    pub(crate) fn base(&self, side: Side, i: u8) -> Option<Token> {
        self.tokens.top(slot(side, i))
    }

    /// Returns the category of slot `i`, which is that of its base card; `None` if the slot is empty. `i`
    /// must be a slot number of the side.
    #[inline]
    pub(crate) fn slot_category(&self, side: Side, i: u8) -> Option<Category> {
        self.base(side, i).map(|t| self.category(t))
    }

    /// Iterates over the occupied slots of a side, ascending.
    #[inline]
    pub(crate) fn occupied(&self, side: Side) -> Slots {
        Slots(if self.slot_cache.valid {
            self.slot_cache.occupied[side.index()]
        } else {
            self.slots_longer_than(side, 0)
        })
    }

    /// Returns the slots of a side with more than `than` cards, bit `i` for slot `i`. Reads the cards, not
    /// the cache.
    #[inline]
    pub(crate) fn slots_longer_than(&self, side: Side, than: u16) -> u16 {
        let first = slot(side, 0);
        if side.is_empire() {
            self.tokens.zones_longer_than::<{ MOST_EMPIRE_SLOTS as usize }>(first, than)
        } else {
            self.tokens.zones_longer_than::<{ MOST_SLOTS as usize }>(first, than)
        }
    }

    /// Returns whether the card `t` in slot `i` lies face down: Military cards always do, Diplomacy cards of
    /// a player if they were placed so. Trade cards and the Empire's Diplomacy cards never do. `t` must lie
    /// in that slot; this is not checked.
    pub(crate) fn lies_face_down(&self, side: Side, i: u8, t: Token) -> bool {
        match (self.category(t), side.seat()) {
            (Category::Military, _) => true,
            (Category::Diplomacy, Some(seat)) => self.players[seat.index()].down >> i & 1 != 0,
            _ => false,
        }
    }

    /// Returns which cards of a side Sanctions, an Embargo or a Gridlock disable now; none for the Empire.
    /// Sanctions count in the side's own turn and in a battle that it takes part in, the other two only in
    /// its own turn.
    #[inline(always)]
    pub(crate) fn disabled(&self, side: Side) -> Disabled {
        let restricted = !self.slot_cache.valid || self.slot_cache.restricted.has(Seat(side.0));
        if restricted { self.compute_disabled(side) } else { Disabled::default() }
    }

    /// Computes which cards of a side are disabled now, from the marks on the player instead of the cache: in
    /// its own turn by Sanctions, Embargo and Gridlock, in a battle that it takes part in by Sanctions. None
    /// for the Empire.
    #[cold]
    fn compute_disabled(&self, side: Side) -> Disabled {
        let Some(seat) = side.seat() else { return Disabled::default() };
        let (player, own_turn) = (&self.players[seat.index()], self.turn == Some(side));
        let sanctioned = own_turn || self.battle.is_some_and(|b| b.has(side));
        Disabled {
            slots: if sanctioned { player.sanctions } else { 0 },
            trade: own_turn && player.embargo,
            diplomacy: own_turn && player.gridlock,
        }
    }

    /// Returns the occupied slots of one category, bit `i` for slot `i`, disabled ones included. All cards of
    /// a slot have the category of its base card. Reads the cache, or the cards while it is invalid.
    #[inline(always)]
    pub(crate) fn slots_of(&self, side: Side, category: Category) -> u16 {
        if !self.slot_cache.valid {
            return self.find_slots_of(side, category);
        }
        let [trade, diplomacy] = self.slot_cache.civil[side.index()];
        // The cached category of a slot that is empty now is stale.
        self.slot_cache.occupied[side.index()]
            & match category {
                Category::Military => !(trade | diplomacy),
                Category::Trade => trade,
                Category::Diplomacy => diplomacy,
            }
    }

    /// Returns the occupied slots of one category whose cards are not disabled now, bit `i` for slot `i`.
    #[inline(always)]
    pub(crate) fn active_slots(&self, side: Side, category: Category) -> u16 {
        self.slots_of(side, category) & self.disabled(side).enabled_slots(category)
    }

    /// Updates the slot cache: a base card of this category, one of the card set `cards`, now lies alone in
    /// slot `i`. Replaces what was cached for the slot, and recomputes the union of the possible cards of
    /// the side. Does not touch the set of occupied slots, and moves no card.
    #[inline]
    pub(crate) fn cache_slot(&mut self, side: Side, i: u8, category: Category, cards: u64) {
        let bit = |wanted| u16::from(category == wanted) << i;
        let [trade, diplomacy] = &mut self.slot_cache.civil[side.index()];
        *trade = *trade & !(1 << i) | bit(Category::Trade);
        *diplomacy = *diplomacy & !(1 << i) | bit(Category::Diplomacy);
        let names = &mut self.slot_cache.possible[side.index()];
        names[usize::from(i)] = civil_bits(cards);
        self.slot_cache.possible_any[side.index()] = names.iter().fold(0, |any, names| any | names);
    }

    /// Updates the slot cache: a card, one of the card set `cards`, was stationed behind others in slot `i`.
    /// Adds its possible names; moves no card.
    #[inline]
    pub(crate) fn cache_stationed_card(&mut self, side: Side, i: u8, cards: u64) {
        self.slot_cache.possible[side.index()][usize::from(i)] |= civil_bits(cards);
        self.slot_cache.possible_any[side.index()] |= civil_bits(cards);
    }

    /// Recomputes categories and possible cards of the Empire's occupied slots in the cache, after it got
    /// new cards or showed some. Reads base cards only. Empty slots lose their category, but keep their
    /// stale possible cards, which the union for the whole side leaves out.
    pub(crate) fn cache_empire_slots(&mut self) {
        let (mut trade, mut diplomacy, mut any) = (0, 0, 0);
        for i in self.occupied(Side::EMPIRE) {
            let cards = self.base(Side::EMPIRE, i).map_or(0, |t| self.tokens.may(t).bits());
            self.slot_cache.possible[Side::EMPIRE.index()][usize::from(i)] = civil_bits(cards);
            any |= civil_bits(cards);
            // Branch-free (`&` instead of `&&`): the category of the next card is unpredictable.
            let is_military = cards & Category::Military.bits() != 0;
            let is_trade = !is_military & (cards & Category::Trade.bits() != 0);
            trade |= u16::from(is_trade) << i;
            diplomacy |= u16::from(!is_military & !is_trade) << i;
        }
        self.slot_cache.civil[Side::EMPIRE.index()] = [trade, diplomacy];
        self.slot_cache.possible_any[Side::EMPIRE.index()] = any;
    }

    /// Returns whether a slot of this side may hold one of these Trade or Diplomacy cards, a card set with
    /// bit `card as u8` for each; its Military cards are ignored. `false` is certain; `true` may be stale,
    /// and is always returned while the cache is invalid.
    #[inline]
    pub(crate) fn may_have(&self, side: Side, cards: u64) -> bool {
        !self.slot_cache.valid || self.slot_cache.possible_any[side.index()] & civil_bits(cards) != 0
    }

    /// Returns whether a slot of any side may hold one of these Trade or Diplomacy cards, a card set with
    /// bit `card as u8` for each; its Military cards are ignored. `false` is certain; `true` may be stale,
    /// and is always returned while the cache is invalid.
    #[inline]
    pub(crate) fn any_side_may_have(&self, cards: u64) -> bool {
        !self.slot_cache.valid
            || self.slot_cache.possible_any.iter().fold(0, |any, names| any | names) & civil_bits(cards) != 0
    }

    /// Recomputes the slot cache of all sides from the cards and marks it as valid. All seats count as
    /// restricted until their next turn ends. The flag that a seat may own a card with room behind it is
    /// only set here, never cleared.
    #[cold]
    pub(crate) fn rebuild_slot_cache(&mut self) {
        for side in (0..=Side::EMPIRE.0).map(Side) {
            self.slot_cache.occupied[side.index()] = self.slots_longer_than(side, 0);
            let civil =
                [Category::Trade, Category::Diplomacy].map(|category| self.find_slots_of(side, category));
            self.slot_cache.civil[side.index()] = civil;
            let cards = |i| self.tokens.iter(slot(side, i)).fold(0, |all, t| all | self.tokens.may(t).bits());
            let mut names = [0; MOST_EMPIRE_SLOTS as usize];
            (0..self.slots(side)).zip(&mut names).for_each(|(i, names)| *names = civil_bits(cards(i)));
            self.slot_cache.possible_any[side.index()] = names.iter().fold(0, |any, names| any | names);
            self.slot_cache.possible[side.index()] = names;
        }
        for seat in (0..self.seats).map(Seat) {
            if self.all_cards(seat.into()).any(|t| self.tokens.may_be(t, FaceSet::from_bits(ROOMY))) {
                self.slot_cache.has_base.insert(seat);
            }
        }
        self.slot_cache.restricted = SeatSet::first(self.seats);
        self.slot_cache.valid = true;
    }

    /// Updates the slot cache: a seat now owns a card, one of the card set `cards`. Sets the flag that the
    /// seat may own a card with room behind it if `cards` has such a card; never clears the flag.
    #[inline]
    pub(crate) fn cache_owned_cards(&mut self, seat: Seat, cards: u64) {
        self.slot_cache.has_base |= SeatSet(u8::from(cards & ROOMY != 0) << seat.0);
    }

    /// Returns whether a seat may own a card that others can be stationed behind. `false` is certain;
    /// `true` may be stale, and is always returned while the cache is invalid.
    #[inline]
    pub(crate) fn may_have_base(&self, seat: Seat) -> bool {
        !self.slot_cache.valid || self.slot_cache.has_base.has(seat)
    }

    /// Returns the occupied slots of one category, bit `i` for slot `i`, from the base cards instead of the
    /// cache.
    #[cold]
    fn find_slots_of(&self, side: Side, category: Category) -> u16 {
        let first = slot(side, 0).0;
        (0..self.slots(side)).fold(0, |slots, i| match self.tokens.top(Zone(first + i)) {
            Some(t) => slots | u16::from(self.category(t) == category) << i,
            None => slots,
        })
    }

    /// Returns whether the slot cache agrees with the cards in the slots and with the marks on the players;
    /// possible cards may be too many. A card that is still being placed is ignored, and while a pile is
    /// shuffled or marked cards are shown the result is always `true`. For debug checks.
    #[cfg(debug_assertions)]
    pub(crate) fn slot_cache_is_valid(&self) -> bool {
        let on_the_way = match self.top() {
            Task::Enter(seat, i) => Some((Side::from(seat), i)),
            Task::Peek(Set::One(t), _) => self.slot_of(t),
            Task::Backs | Task::Shuffle(_) | Task::Show(Set::Marked) => return true,
            _ => None,
        };
        let is_free = |p: &Player| p.sanctions == 0 && !p.embargo && !p.gridlock;
        let said = |seat: u8| self.slot_cache.restricted.has(Seat(seat));
        if !self.players.iter().zip(0..).all(|(player, seat)| is_free(player) || said(seat)) {
            return false;
        }
        let sides = (0..=Side::EMPIRE.0).map(Side);
        sides.flat_map(|side| (0..self.slots(side)).map(move |i| (side, i))).all(|(side, i)| {
            let said = |category| self.slots_of(side, category) >> i & 1 != 0;
            let is_named = |t: Token| {
                let names = self.slot_cache.possible[side.index()][usize::from(i)]
                    & self.slot_cache.possible_any[side.index()];
                civil_bits(self.tokens.may(t).bits()) & !names == 0
            };
            let is_owned = |t: Token| {
                let roomy = self.tokens.public_face(t).is_some_and(|card| card.is_in(ROOMY));
                !roomy || side.seat().is_none_or(|seat| self.may_have_base(seat))
            };
            let known = self.slot_category(side, i).is_none_or(said)
                && self.tokens.iter(slot(side, i)).all(|t| is_named(t) && is_owned(t));
            let is_full = !self.tokens.is_empty(slot(side, i));
            is_full == (self.slot_cache.occupied[side.index()] >> i & 1 != 0)
                && (known || on_the_way == Some((side, i)))
        })
    }

    /// Iterates over the cards of one category that are not disabled now, as (slot, card): by slot ascending,
    /// within a slot from the base card.
    #[inline(always)]
    pub(crate) fn active(&self, side: Side, category: Category) -> Active<'_> {
        let slots = self.active_slots(side, category);
        Active { tokens: &self.tokens, first: slot(side, 0).0, slots, i: 0, at: None }
    }

    /// Returns the number of cards of this name in the slots of a side that are public and not disabled now.
    /// A card that only some seats know is not counted.
    pub(crate) fn count(&self, side: Side, card: Card) -> i32 {
        if card.category() != Category::Military && !self.may_have(side, 1 << card as u8) {
            return 0;
        }
        let is = |&(_, t): &(u8, Token)| self.tokens.public_face(t) == Some(card);
        self.active(side, card.category()).filter(is).count() as i32
    }

    /// Returns whether slot `i` is occupied and its cards are not disabled now by Sanctions, an Embargo or a
    /// Gridlock. `i` must be a slot number of the side.
    pub(crate) fn is_active(&self, side: Side, i: u8) -> bool {
        self.slot_category(side, i).is_some_and(|c| self.disabled(side).is_enabled(i, c))
    }

    /// Returns the side and the slot number in which a card lies; `None` if it lies in no slot.
    #[inline]
    pub(crate) fn slot_of(&self, t: Token) -> Option<(Side, u8)> {
        match place(self.tokens.zone(t)) {
            Place::Slot(side, i) if self.tokens.zone(t) != Zone::NOWHERE => Some((side, i)),
            _ => None,
        }
    }

    /// Returns whether a side's deck and discard pile are both empty, so that it cannot draw.
    #[inline]
    pub(crate) fn pool_is_empty(&self, side: Side) -> bool {
        self.tokens.is_empty(deck(side)) && self.tokens.is_empty(discard(side))
    }
}

/// Shifts a card set so that only its Trade and Diplomacy cards remain, the first Trade card at bit 0.
#[inline]
const fn civil_bits(cards: u64) -> u32 {
    (cards >> Category::Trade.bits().trailing_zeros()) as u32
}

/// A set of slots, one bit each; iterates from the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slots(pub(crate) u16);

impl Iterator for Slots {
    type Item = u8;
    /// Removes the lowest slot and returns it; `None` if the set is empty.
    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        let i = self.0.trailing_zeros() as u8;
        self.0 &= self.0.checked_sub(1)?;
        Some(i)
    }
}

/// Which cards of a side are disabled: all cards in `slots` (bit `i` for slot `i`), all Trade cards if
/// `trade` is set, all Diplomacy cards if `diplomacy` is set.
#[derive(Clone, Copy, Default)]
pub(crate) struct Disabled {
    slots: u8,
    trade: bool,
    diplomacy: bool,
}

impl Disabled {
    /// Returns the slots, bit `i` for slot `i`, whose cards are active if they have this category; occupied
    /// or not.
    #[inline]
    pub(crate) fn enabled_slots(self, category: Category) -> u16 {
        let off = match category {
            Category::Military => false,
            Category::Trade => self.trade,
            Category::Diplomacy => self.diplomacy,
        };
        if off { 0 } else { !u16::from(self.slots) }
    }

    /// Returns whether cards of this category in slot `i` would be active; whether there are any is not
    /// checked.
    #[inline]
    pub(crate) fn is_enabled(self, i: u8, category: Category) -> bool {
        self.enabled_slots(category) >> i & 1 != 0
    }
}

/// Iterator over the cards of some slots of a side, none of which is empty.
#[derive(Clone)]
pub(crate) struct Active<'a> {
    tokens: &'a Tokens<Card, Size>,
    /// The zone of slot 0.
    first: u8,
    /// The slots still to visit, one bit each.
    slots: u16,
    /// The slot of the next card.
    i: u8,
    /// The next card.
    at: Option<Token>,
}

impl Iterator for Active<'_> {
    type Item = (u8, Token);
    /// Returns the next card with its slot, by slot ascending and within a slot from the base card; `None` at
    /// the end.
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

    /// Calls `each` with the result so far for every remaining card, in order, and returns the last result.
    /// Visits slot by slot, so that `for_each` and `count` need not check the state of the iterator after
    /// each card.
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

/// Returns the cards that may be stationed behind this one, bit `card as u8` for each: soldiers behind a
/// Siege Tower, Military cards behind Barracks and a Fortification, Laborers behind a Factory, 0 behind all
/// others. Whether there is room is not checked.
#[inline]
pub(crate) fn fits_behind(base: Card) -> u64 {
    match base {
        Card::SiegeTower => crate::cards::SOLDIERS,
        Card::Barracks | Card::Fortification => Category::Military.bits(),
        Card::Factory => 1 << Card::Laborer.index(),
        _ => 0,
    }
}
