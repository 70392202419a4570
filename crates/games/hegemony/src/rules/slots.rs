//! Cards entering and leaving slots.

use super::NOT_NOW;
use crate::actions::{Action, Lie};
use crate::active::fits_behind;
use crate::agenda::Task;
use crate::cards::{COVERT, Card, Category};
use crate::facts::{Context, Fact};
use crate::places::{POOL_DISCARD, RESERVE, Side, deck, discard, slot};
use crate::state::Hegemony;
use pentarchy_engine::{FaceSet, RuleError, Seat, SeatView, Set, Token, Zone, ensure};

impl Hegemony {
    // --- from the deck into slots

    /// Moves the top card of the deck to the lowest of these slots, bit `i` for slot `i`, and pushes, in the
    /// order of play, the owner's look at it, the choice of how it lies, and the filling of the other slots.
    /// If the deck is empty, moves the discard pile to it and pushes its shuffle and this task again. With no
    /// card left at all the slots stay empty; no effect for no slots. The caller has popped the task.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn fill(&mut self, seat: Seat, slots: u8) -> Result<(), RuleError> {
        if slots == 0 {
            return Ok(());
        }
        let (used, from) = (discard(seat.into()), deck(seat.into()));
        let i = slots.trailing_zeros() as u8;
        match self.tokens.top(from) {
            Some(t) => {
                self.put_in_slot(t, seat.into(), i);
                self.push_task(Task::Fill(seat, slots & (slots - 1)))?;
                self.push_task(Task::Enter(seat, i))?;
                self.push_task(Task::Peek(Set::One(t), seat))
            }
            None if !self.remake(used, from) => Ok(()),
            None => {
                self.push_task(Task::Fill(seat, slots))?;
                self.push_task(Task::Shuffle(from))
            }
        }
    }

    /// Moves all cards of the zone `discard` to the bottom of `deck`, which should be empty. Returns whether
    /// the deck has cards now; the caller must shuffle it.
    #[inline]
    pub(crate) fn remake(&mut self, discard: Zone, deck: Zone) -> bool {
        self.tokens.put_all(discard, deck);
        !self.tokens.is_empty(deck)
    }

    /// Appends `Enter` for each way in which the card drawn into slot `i` may lie: face down for a Military
    /// card, face up for others, and as a second entry face down for a covert Diplomacy card. None if the
    /// slot is empty or the card unknown to the seat. `own` must be the view of `seat`.
    pub(crate) fn list_enter(&self, own: &SeatView<'_, Self>, seat: Seat, i: u8, out: &mut Vec<Action>) {
        if let Some(card) = self.base(seat.into(), i).and_then(|t| own.face(t)) {
            out.extend((0..ways_to_lie(card)).map(|way| Action::Enter(way_to_lie(card, way))));
        }
    }

    /// Returns entry number `nth(length)` of the list of [`list_enter`](Self::list_enter) for slot `i`
    /// without building the list; `None` if the slot is empty or the card unknown.
    #[inline]
    pub(crate) fn choose_enter(
        &self,
        own: &SeatView<'_, Self>,
        seat: Seat,
        i: u8,
        nth: impl FnOnce(usize) -> usize,
    ) -> Option<Action> {
        let card = own.face(self.base(seat.into(), i)?)?;
        Some(Action::Enter(way_to_lie(card, nth(ways_to_lie(card)))))
    }

    /// Checks that the card drawn into slot `i` may lie as `lie` says, emits `Placed`, and pops the task.
    /// Records how the card lies, narrows the faces that a face-down card may have for all observers, and
    /// updates the slot cache. For a face-up Lobbyist pushes the choice of its category.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the slot is empty, or the card may not lie so; or if the agenda is full.
    #[inline(always)]
    pub(crate) fn enter(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        i: u8,
        lie: Lie,
    ) -> Result<(), RuleError> {
        let t = self.base(seat.into(), i).ok_or(NOT_NOW)?;
        self.check_lie(cx, t, lie)?;
        self.agenda.pop();
        cx.emit(move || Fact::Placed { seat, card: t, slot: i, lie, drawn: true });
        self.lie(seat, i, t, lie)
    }

    /// Checks that the card `t` may lie in a slot as `lie` says. Face up it must be public by now and no
    /// Military card. Face down the actor claims what it is, without showing it: with the category Military a
    /// Military card, else one of the five Diplomacy cards that may lie face down. Changes no state.
    ///
    /// # Errors
    ///
    /// Fails if the card may not lie so, a face-up one is hidden, or the claim is false as far as the
    /// observer knows.
    pub(crate) fn check_lie(&self, cx: &mut Context<'_>, t: Token, lie: Lie) -> Result<(), RuleError> {
        match lie {
            Lie::Up => ensure(
                self.tokens.face(t)?.category() != Category::Military,
                "Military cards always lie face down",
            ),
            Lie::Down(Category::Military) => cx.require(&self.tokens, t, Category::Military.set()),
            Lie::Down(_) => cx.require(&self.tokens, t, FaceSet::from_bits(COVERT)),
        }
    }

    /// Records that the base card `t` of slot `i` lies as `lie` says, and updates the slot cache. The
    /// possible faces of a face-down card narrow for all observers, to Military cards or to the covert
    /// Diplomacy cards. Pushes the choice of a category for a face-up Lobbyist. The caller has placed the
    /// card and checked that it may lie so.
    ///
    /// # Errors
    ///
    /// Fails if a card that lies face up is hidden, or the agenda is full.
    #[inline(always)]
    pub(crate) fn lie(&mut self, seat: Seat, i: u8, t: Token, lie: Lie) -> Result<(), RuleError> {
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
                    self.push_task(Task::Lobby(seat, i))?;
                }
                (card.category(), 1 << card as u8)
            }
        };
        self.cache_slot(seat.into(), i, category, cards);
        Ok(())
    }

    // --- out of slots

    /// Moves the card `t` into slot `i`, behind the cards there. The slot then counts as occupied; its
    /// category in the cache is left to the caller.
    #[inline(always)]
    pub(crate) fn put_in_slot(&mut self, t: Token, side: Side, i: u8) {
        self.tokens.put(t, slot(side, i));
        self.slot_cache.occupied[side.index()] |= 1 << i;
    }

    /// Moves the card `t` from slot `i` to the bottom of another zone, and updates the cache of occupied
    /// slots. Cards behind it stay and are not checked.
    #[inline]
    pub(crate) fn put_from_slot(&mut self, t: Token, side: Side, i: u8, zone: Zone) {
        self.tokens.put(t, zone);
        let empty = self.tokens.is_empty(slot(side, i));
        self.slot_cache.occupied[side.index()] &= !(u16::from(empty) << i);
    }

    /// Moves all cards of slot `i` to the discard pile of its side, and updates the cache of occupied slots.
    /// No effect on an empty slot.
    #[inline]
    pub(crate) fn empty_slot(&mut self, side: Side, i: u8) {
        match self.base(side, i) {
            Some(base) if self.tokens.below(base).is_none() => self.tokens.put(base, discard(side)),
            _ => self.tokens.put_all(slot(side, i), discard(side)),
        }
        self.slot_cache.occupied[side.index()] &= !(1 << i);
    }

    /// Returns the zone to which a card goes that leaves its side for `zone`: the reserve for a public
    /// Partisan, else `zone`. Moves nothing.
    fn joint(&self, t: Token, zone: Zone) -> Zone {
        if self.tokens.public_face(t) == Some(Card::Partisan) { RESERVE } else { zone }
    }

    /// Moves a public card from slot `i` to `zone`, outside of its side; a Partisan goes to the reserve. If
    /// it was the base and two or more cards remain, pushes tasks that show them and discard those that do
    /// not fit behind their new base.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn leave_slot(&mut self, side: Side, i: u8, t: Token, zone: Zone) -> Result<(), RuleError> {
        let was_base = self.base(side, i) == Some(t);
        self.put_from_slot(t, side, i, self.joint(t, zone));
        if was_base && self.tokens.len(slot(side, i)) >= 2 {
            self.push_task(Task::Tidy(side, i))?;
            self.push_task(Task::Show(Set::Zone(slot(side, i))))?;
        }
        Ok(())
    }

    /// Discards the cards of slot `i` that do not fit behind its base card or exceed its room, and emits
    /// `Crowded` for each; cards nearer to the base have precedence. No effect on a slot with fewer than two
    /// cards. All cards of the slot must be public.
    ///
    /// # Errors
    ///
    /// Fails if a card of the slot is hidden whose face decides; cards before it may have been discarded.
    pub(crate) fn tidy(&mut self, cx: &mut Context<'_>, side: Side, i: u8) -> Result<(), RuleError> {
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
                cx.emit(move || Fact::Crowded(side, t));
                self.tokens.put(t, discard(side));
            }
        }
        Ok(())
    }

    /// Makes the card `t` the card `into`, as when a Conscript becomes a Partisan: exchanges its face with a
    /// public card of the reserve, so that `t` stays in its zone and its old face goes to the reserve. Both
    /// remain public.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is hidden or the reserve has no such card.
    pub(crate) fn promote(&mut self, t: Token, into: Card) -> Result<(), RuleError> {
        let old = self.tokens.face(t)?;
        let other = self.find(RESERVE, into).ok_or(RuleError::new("the reserve has run out"))?;
        self.tokens.rewrite(t, into)?;
        self.tokens.rewrite(other, old)
    }

    /// Iterates over all cards of a side: deck, discard pile, hand, slots.
    pub(crate) fn all_cards(&self, side: Side) -> impl Iterator<Item = Token> + '_ {
        self.places_of(side).flat_map(|zone| self.tokens.iter(zone))
    }

    /// Iterates over the zones of a side: deck, discard pile, hand (players only), slots.
    pub(crate) fn places_of(&self, side: Side) -> impl Iterator<Item = Zone> + use<> {
        let own_hand = side.seat().map(crate::places::hand);
        let slots = (0..self.slots(side)).map(move |i| slot(side, i));
        [deck(side), discard(side)].into_iter().chain(own_hand).chain(slots)
    }

    /// Moves all cards of a side, which must be public, from all its zones to the pool discard, Partisans to
    /// the reserve, and empties its slots in the cache. Does not change whether the side is in the game.
    pub(crate) fn clear_out(&mut self, side: Side) {
        self.hand_over_all(deck(side));
        self.hand_over_all(discard(side));
        if let Some(seat) = side.seat() {
            self.hand_over_all(crate::places::hand(seat));
        }
        self.occupied(side).for_each(|i| self.hand_over_all(slot(side, i)));
        self.slot_cache.occupied[side.index()] = 0;
    }

    /// Moves all cards of a zone to the pool discard, public Partisans to the reserve. Does not update the
    /// slot cache.
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

/// Returns the number of ways in which a card may lie in a slot: 2 for covert Diplomacy cards, else 1.
#[inline]
pub(crate) fn ways_to_lie(card: Card) -> usize {
    1 + usize::from(card.is_covert())
}

/// Returns way number `way`, from 0, in which a card may lie in a slot: Military cards face down, others face
/// up first. `way` must be below the number of ways.
#[inline]
pub(crate) fn way_to_lie(card: Card, way: usize) -> Lie {
    match (card.category(), way) {
        (Category::Military, _) => Lie::Down(Category::Military),
        (_, 0) => Lie::Up,
        _ => Lie::Down(Category::Diplomacy),
    }
}
