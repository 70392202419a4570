//! The Empire's turn: intrigue against the leader, the Hegemony Actions, new cards.

use crate::active::Slots;
use crate::agenda::{Aim, Task};
use crate::cards::{COURTLY, Card, Category, INTRIGUES, WARLIKE};
use crate::facts::{Context, Fact, HegemonyRoll, HegemonyTrade, Reason};
use crate::places::{COMMON, POOL_DISCARD, Side, deck, discard};
use crate::state::Hegemony;
use pentarchy_engine::{Back, FaceSet, RuleError, Seat, Set, Token, ensure};

impl Hegemony {
    /// Begins the Empire's turn: removes all Scalper marks, moves the unsold cards of the common pool to the
    /// Empire's discard pile, and pays its income. Then begins its intrigue, and pushes the Hegemony Actions
    /// and its withdrawal to follow. After its fall the marks are removed, the cards go to the pool discard,
    /// and nothing more happens.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn empire_turn(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        self.marks.clear();
        if !self.standing {
            self.tokens.put_all(COMMON, POOL_DISCARD);
            return Ok(());
        }
        self.tokens.put_all(COMMON, discard(Side::EMPIRE));
        self.turn = Some(Side::EMPIRE);
        self.pay(cx, Side::EMPIRE, self.income(Side::EMPIRE).0, Reason::Income);
        self.push_task(Task::Withdraw)?;
        self.push_task(Task::Hegemony(0))?;
        self.intrigue(cx, 0)
    }

    /// Returns the living player with the most points; ties go to the earliest in turn order. `None` if no
    /// player lives.
    fn leader(&self) -> Option<Seat> {
        // `max_by_key` returns the last of several maxima, hence the reversed order.
        let mut order = [Seat(0); crate::state::MOST_SEATS];
        let mut n = 0;
        for seat in self.living_in_order() {
            order[n] = seat;
            n += 1;
        }
        order[..n].iter().rev().copied().max_by_key(|seat| self.vp[seat.index()])
    }

    /// Uses the first active public Sanctions, Embargo, Gridlock or Assassin of the Empire from slot `from`
    /// on against the leader, and pushes the task for the next one. For Embargo and Gridlock emits `UseWaits`
    /// and pushes the use with its Sabotage window above it; for the others pushes nature's pick of a slot or
    /// card. Sanctions without an occupied slot and Assassins without a possible victim are skipped. No
    /// effect if no card is found or no player lives.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn intrigue(&mut self, cx: &mut Context<'_>, from: u8) -> Result<(), RuleError> {
        if !self.may_have(Side::EMPIRE, INTRIGUES) {
            return Ok(());
        }
        let Some(leader) = self.leader() else { return Ok(()) };
        let found =
            self.active(Side::EMPIRE, Category::Diplomacy).filter(|&(i, _)| i >= from).find_map(|(i, t)| {
                let of = match self.tokens.public_face(t)? {
                    Card::Embargo | Card::Gridlock => 0,
                    Card::Sanctions => self.occupied(leader.into()).count(),
                    Card::Assassin => self.victims(leader.into()).count(),
                    _ => return None,
                };
                let aimed = matches!(self.tokens.public_face(t), Some(Card::Sanctions | Card::Assassin));
                (!aimed || of > 0).then_some((i, t, aimed, of as u8))
            });
        let Some((i, t, aimed, of)) = found else { return Ok(()) };
        self.push_task(Task::Intrigue(i + 1))?;
        if aimed {
            self.push_task(Task::Pick(i, leader, of))
        } else {
            self.open_use(cx, Side::EMPIRE, t, Aim::Side(leader.into()))
        }
    }

    /// Aims the Empire's card in slot `i` at number `n` (from 0) of the leader's possible targets: for
    /// Sanctions the occupied slots, for any other card the possible victims of an Assassin, both in slot
    /// order. Emits `Intrigued` and `UseWaits`, pops the task, and pushes the use with its Sabotage window.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the slot is empty, the card is hidden, or there is no number `n`; or if
    /// the agenda is full.
    pub(crate) fn picked(
        &mut self,
        cx: &mut Context<'_>,
        i: u8,
        leader: Seat,
        n: usize,
    ) -> Result<(), RuleError> {
        let side = Side::from(leader);
        let card = self.base(Side::EMPIRE, i).ok_or(super::NOT_NOW)?;
        let face = self.tokens.face(card)?;
        let aim = if face == Card::Sanctions {
            Aim::Slot(side, self.occupied(side).nth(n).ok_or(super::NOT_NOW)?)
        } else {
            Aim::Card(side, self.victims(side).nth(n).ok_or(super::NOT_NOW)?.2)
        };
        self.agenda.pop();
        cx.emit(move || Fact::Intrigued(face, leader));
        self.open_use(cx, Side::EMPIRE, card, aim)
    }

    // --- the Hegemony Action

    /// Begins the Hegemony Action of the Empire against the next living player from index `k` of the turn
    /// order on: pushes the task for the players after, and above it the die. If the player may have cards
    /// that modify the roll, pushes above it the declaration of hidden ones, and the use of the first public
    /// Diplomacy card (which emits `UseWaits`). No effect beyond the last player or if the Empire has fallen.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn next_hegemony(&mut self, cx: &mut Context<'_>, mut k: u8) -> Result<(), RuleError> {
        while let Some(seat) = self.in_order(k).filter(|_| self.standing) {
            k += 1;
            if self.living.has(seat) {
                self.push_task(Task::Hegemony(k))?;
                self.push_task(Task::Die(seat))?;
                if self.may_have(seat.into(), COURTLY) || self.hidden_warlike(seat).next().is_some() {
                    self.push_task(Task::Confess(seat))?;
                    return self.court(cx, seat, 0);
                }
                break;
            }
        }
        Ok(())
    }

    /// Uses the seat's first active public Diplomacy card from slot `from` on that raises its Hegemony roll
    /// (Diplomat, Pity Party, Unholy Union): pushes the task for the next one, and on it the use with its
    /// Sabotage window; emits `UseWaits`. The card stays in its slot unless it is blocked. No effect if there
    /// is none.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn court(&mut self, cx: &mut Context<'_>, seat: Seat, from: u8) -> Result<(), RuleError> {
        if !self.may_have(seat.into(), COURTLY) {
            return Ok(());
        }
        let found = self
            .active(seat.into(), Category::Diplomacy)
            .find(|&(i, t)| i >= from && self.tokens.public_face(t).is_some_and(|card| card.is_in(COURTLY)));
        let Some((i, t)) = found else { return Ok(()) };
        self.push_task(Task::Court(seat, i + 1))?;
        self.open_use(cx, seat.into(), t, Aim::Roll)
    }

    /// Iterates over the hidden Military cards in slots of a seat that are not disabled now and by public
    /// information may be a Siege Tower, Barracks or General, which modify its Hegemony roll; in slot order,
    /// within a slot from the base card.
    pub(crate) fn hidden_warlike(&self, seat: Seat) -> impl Iterator<Item = Token> + Clone + '_ {
        self.active(seat.into(), Category::Military)
            .map(|(_, t)| t)
            .filter(|&t| !self.tokens.is_public(t) && self.tokens.may_be(t, FaceSet::from_bits(WARLIKE)))
    }

    /// Checks a card that the seat has shown because it modifies its Hegemony roll (Siege Tower, Barracks or
    /// General), and emits `Showed`. The engine has made the card public before. The task stays: the seat is
    /// asked until it has no such hidden card.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is hidden or no active Military card of the seat that modifies
    /// the roll.
    pub(crate) fn confess(&mut self, cx: &mut Context<'_>, seat: Seat, t: Token) -> Result<(), RuleError> {
        let active = self.active(seat.into(), Category::Military).any(|(_, u)| u == t);
        let card = self.tokens.face(t)?;
        ensure(active && card.is_in(WARLIKE), "this card is not to be shown")?;
        cx.emit(move || Fact::Showed(seat, card));
        Ok(())
    }

    /// Requires the claim that none of the seat's hidden cards is a Siege Tower, Barracks or General, and
    /// narrows the possible faces of these cards for all observers. The task is not popped here: it ends by
    /// itself, as nothing is left to show. Emits nothing.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the claim is false as far as the observer knows.
    pub(crate) fn deny_warlike(&mut self, cx: &mut Context<'_>, seat: Seat) -> Result<(), RuleError> {
        cx.require_none(&self.tokens, self.hidden_warlike(seat), FaceSet::from_bits(WARLIKE))?;
        while let Some(t) = { self.hidden_warlike(seat).next() } {
            self.tokens.narrow(t, FaceSet::from_bits(!WARLIKE));
        }
        Ok(())
    }

    /// Resolves the Hegemony roll of a seat: adds its modifiers to the die `natural`, emits `Rolled`, and
    /// removes the False Flags on the seat. A total up to `war_up_to` is war: the task is replaced by the
    /// discard of the Diplomacy cards that modified the roll, and the Empire's attack on the seat begins
    /// above it. A higher total is trade: the task is popped, `Traded` is emitted, and the seat makes a trade
    /// gain of `hegemony_gain` and `hegemony_per_trade` for each active Trade card. The Empire gains
    /// `hegemony_tribute`, and those Diplomacy cards are discarded at once.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn hegemony_roll(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        natural: i32,
    ) -> Result<(), RuleError> {
        let (modifier, courtly) = self.roll_modifiers(seat, |t| self.tokens.public_face(t), ());
        let (total, war_up_to) = (natural + modifier, self.rules.n.war_up_to);
        let war = total <= war_up_to;
        let this = &*self;
        cx.emit(move || {
            let modifiers = this.explain_roll(seat, |t| this.tokens.public_face(t));
            Fact::Rolled(HegemonyRoll { seat, natural, modifiers, total, war_up_to, war })
        });
        self.players[seat.index()].flags = 0;
        if war {
            self.agenda.replace_top(Task::Spend(seat, courtly));
            return self.begin_battle(cx, Side::EMPIRE, seat.into());
        }
        self.agenda.pop();
        let cards = self.active(seat.into(), Category::Trade).count() as i32;
        let n = &self.rules.n;
        let (base, per_card, tribute) = (n.hegemony_gain, n.hegemony_per_trade, n.hegemony_tribute);
        let gain = base + per_card * cards;
        cx.emit(move || Fact::Traded(HegemonyTrade { seat, base, per_card, cards, gain }));
        self.trade_gain(cx, seat, gain, Reason::Trade);
        self.pay(cx, Side::EMPIRE, tribute, Reason::Trade);
        self.spend(seat, courtly)
    }

    /// Moves all cards in these slots of a seat, bit `i` for slot `i`, to its discard pile. An empty slot is
    /// skipped. Never fails.
    pub(crate) fn spend(&mut self, seat: Seat, slots: u8) -> Result<(), RuleError> {
        Slots(slots.into()).for_each(|i| self.empty_slot(seat.into(), i));
        Ok(())
    }

    // --- its cards

    /// Ends the Empire's turn: moves the cards of all its slots to its discard pile, sets that it is nobody's
    /// turn, and pushes the filling of its slots. After its fall only the turn ends.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn withdraw(&mut self) -> Result<(), RuleError> {
        self.turn = None;
        if !self.standing {
            return Ok(());
        }
        self.occupied(Side::EMPIRE).for_each(|i| self.empty_slot(Side::EMPIRE, i));
        self.push_task(Task::Muster)
    }

    /// Fills the Empire's empty slots from its deck, marks the cards whose backs are not public yet, and
    /// pushes the reveal of these backs, with the rest of the muster (turning up what is not Military) after
    /// it. Without such cards performs that rest at once. If the deck runs out, pushes the shuffle of its
    /// former discard pile, and this task again after it. No effect after the Empire's fall.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn muster(&mut self) -> Result<(), RuleError> {
        if !self.standing {
            return Ok(());
        }
        if !self.fill_empire_slots() {
            self.push_task(Task::Muster)?;
            return self.push_task(Task::Shuffle(deck(Side::EMPIRE)));
        }
        let mut any = false;
        for i in self.occupied(Side::EMPIRE) {
            if let Some(t) = self.base(Side::EMPIRE, i)
                && self.tokens.back(t) == Back::HIDDEN
            {
                self.tokens.mark(t);
                any = true;
            }
        }
        if !any {
            return self.mustered();
        }
        self.push_task(Task::Mustered)?;
        self.push_task(Task::Backs)
    }

    /// Moves cards from the deck to the Empire's empty slots. Returns `false` if the deck ran out and was
    /// remade from the discard pile: the caller must shuffle it and call again. With no card left at all,
    /// slots stay empty and it returns `true`.
    #[inline]
    pub(crate) fn fill_empire_slots(&mut self) -> bool {
        let (used, from) = (discard(Side::EMPIRE), deck(Side::EMPIRE));
        let slots = self.empire_slots();
        for i in Slots(!self.occupied(Side::EMPIRE).0 & ((1 << slots) - 1)) {
            match self.tokens.top(from) {
                Some(t) => self.put_in_slot(t, Side::EMPIRE, i),
                None => return !self.remake(used, from),
            }
        }
        true
    }

    /// Narrows the possible faces of a new card to those of its public back. Returns whether the card must be
    /// turned up, which all but Military cards are.
    #[inline]
    pub(crate) fn narrow_to_back(&mut self, t: Token) -> bool {
        let back = self.tokens.back(t);
        self.tokens.narrow(t, Category::shown_by(back));
        back != Category::Military.back()
    }

    /// Narrows the Empire's hidden cards to their public backs, marks those that are not Military, and pushes
    /// the task that turns them up. If there are none, updates the slot cache of the Empire.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn mustered(&mut self) -> Result<(), RuleError> {
        let mut any = false;
        for i in self.occupied(Side::EMPIRE) {
            if let Some(t) = self.base(Side::EMPIRE, i)
                && !self.tokens.is_public(t)
                && self.narrow_to_back(t)
            {
                self.tokens.mark(t);
                any = true;
            }
        }
        // If cards are still to be shown, the cache is updated afterwards.
        if any {
            return self.push_task(Task::Show(Set::Marked));
        }
        self.cache_empire_slots();
        Ok(())
    }
}
