//! Purchases from the common pool and from the Empire, and sales at a Market.

use super::list_once;
use super::reckoning::{AT_LEAST_0, Note};
use crate::actions::Action;
use crate::agenda::Task;
use crate::cards::{BARGAINS, Card, Category, KINDS};
use crate::facts::{Context, Fact, Reason};
use crate::places::{COMMON, POOL_DISCARD, Side, deck, discard, slot};
use crate::state::{Hegemony, MOST_EMPIRE_SLOTS};
use pentarchy_engine::{RuleError, Seat, SeatView, Set, Token, ensure};

/// The terms on which a seat buys: its active cards that change prices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// Whether no card and no Scalper's mark changes any price.
    plain: bool,
    /// The number of each such card, one byte each; Lobbyists by the category that they have named.
    counts: u64,
}

/// The cards that change prices, or where bought cards go. The counts of Lobbyists follow theirs.
const COUNTED: [Card; 4] = [Card::Grifter, Card::Market, Card::InsiderTrading, Card::Manager];

/// What each card adds to the counts: lookup table instead of a branch per card.
const COUNTS: [u64; KINDS] = {
    let mut counts = [0; KINDS];
    let mut i = 0;
    while i < COUNTED.len() {
        counts[COUNTED[i] as usize] = 1 << (8 * i);
        i += 1;
    }
    counts
};

impl Terms {
    /// Returns byte `i` (0 to 7) of the counts as a number from 0 to 255.
    #[inline]
    fn byte(&self, i: usize) -> i32 {
        (self.counts >> (8 * i)) as u8 as i32
    }

    /// Returns the number of the seat's active cards of this name, which must be in `COUNTED`; this is not
    /// checked.
    #[inline]
    fn count(&self, card: Card) -> i32 {
        self.byte(COUNTS[card as usize].trailing_zeros() as usize / 8)
    }

    /// Returns the number of the seat's active Lobbyists that have named this category.
    #[inline]
    fn lobbyists(&self, category: Category) -> i32 {
        self.byte(COUNTED.len() + category as usize)
    }
}

impl Hegemony {
    /// Returns the terms on which a seat buys now: how many of its active public cards change prices, and
    /// whether any Scalper mark exists. They are valid until a card or mark changes.
    pub(crate) fn terms(&self, seat: Seat) -> Terms {
        let mut terms = Terms { plain: self.marks.is_empty(), counts: 0 };
        if !self.may_have(seat.into(), BARGAINS) {
            return terms;
        }
        self.active(seat.into(), Category::Trade).for_each(|(i, t)| {
            let Some(card) = self.tokens.public_face(t) else { return };
            terms.counts += COUNTS[card as usize];
            if card == Card::Lobbyist {
                let named = self.players[seat.index()].lobby[usize::from(i)];
                terms.counts += 1 << (8 * (COUNTED.len() + named as usize));
            }
        });
        terms.plain &= terms.counts == 0;
        terms
    }

    /// Returns whether a card that a seat buys goes on top of its deck, because it has an active Manager.
    pub fn buys_to_deck(&self, seat: Seat) -> bool {
        self.terms(seat).count(Card::Manager) > 0
    }

    /// Returns the price of a public card for a buyer with these terms, in Victory Points, and reports each
    /// contribution to `note`. A card outside the common pool counts as one of the Empire. Whether it is for
    /// sale is not checked.
    ///
    /// # Errors
    ///
    /// Fails if the card is not public.
    #[inline(always)]
    pub(crate) fn price(&self, terms: &Terms, t: Token, mut note: impl Note) -> Result<i32, RuleError> {
        let card = self.tokens.face(t)?;
        note.note("printed cost", self.cost(card));
        Ok(if terms.plain { self.cost(card) } else { self.changed_price(terms, t, card, note) })
    }

    /// Returns the price of the card `t`, whose face is `card`, for a buyer with these terms. To the cost
    /// come Scalper marks, less Grifters and Markets, for a card of the common pool; less Insider Trading for
    /// any other, which counts as one of the Empire; at least 0. Then each Lobbyist of its category lowers it
    /// by `lobbyist`, but not below `lobbyist_floor`. Reports each change, but not the printed cost, to
    /// `note`.
    fn changed_price(&self, terms: &Terms, t: Token, card: Card, mut note: impl Note) -> i32 {
        let (mut price, n) = (self.cost(card), &self.rules.n);
        let mut change = |what, by: i32| {
            note.note(what, by);
            price += by;
        };
        if self.tokens.in_zone(t, COMMON) {
            change("Scalper", n.scalper * self.marks_on(t));
            change("Grifter", -n.grifter * terms.count(Card::Grifter));
            change("Market", -n.market_discount * terms.count(Card::Market));
        } else {
            change("Insider Trading", -n.insider * terms.count(Card::InsiderTrading));
        }
        if price < 0 {
            note.note(AT_LEAST_0, -price);
            price = 0;
        }
        // Lobbyists come last: a reduction never raises a price, and a free card stays free.
        for _ in 0..terms.lobbyists(card.category()) {
            if price > n.lobbyist_floor {
                let lower = (price - n.lobbyist).max(n.lobbyist_floor);
                note.note("Lobbyist", lower - price);
                price = lower;
            }
        }
        price
    }

    /// Returns the number of Scalper marks on a card; 0 for most.
    #[inline]
    fn marks_on(&self, t: Token) -> i32 {
        self.marks.iter().filter(|mark| mark.token == t).count() as i32
    }

    /// Returns the price of a card for a seat with these terms, if its points suffice. Whether the card is
    /// for sale is not checked.
    ///
    /// # Errors
    ///
    /// Fails if the card is hidden, or the seat has fewer points.
    #[inline]
    fn affordable(&self, seat: Seat, terms: &Terms, t: Token) -> Result<i32, RuleError> {
        let (price, has) = (self.price(terms, t, ())?, self.vp[seat.index()]);
        if price > has {
            return Err(RuleError::numbers(
                "it costs {0}, and there are only {1} Victory Points",
                price,
                has,
            ));
        }
        Ok(price)
    }

    /// Appends `action(t)` for each public card `t` of the common pool for which `allowed(t)` holds, in the
    /// order of the pool. Of cards with equal names and numbers of Scalper marks only the first is
    /// considered.
    #[inline]
    pub(crate) fn list_common(
        &self,
        out: &mut Vec<Action>,
        action: impl Fn(Token) -> Action,
        allowed: impl Fn(Token) -> bool,
    ) {
        let mut seen = 0u64;
        for t in self.tokens.iter(COMMON) {
            let Some(card) = self.tokens.public_face(t) else { continue };
            if card.is_in(seen) && self.marks.is_empty() {
                continue;
            }
            let twin = |u: &Token| {
                self.tokens.public_face(*u) == Some(card) && self.marks_on(*u) == self.marks_on(t)
            };
            if card.is_in(seen) && self.tokens.iter(COMMON).find(twin) != Some(t) {
                continue;
            }
            seen |= 1 << card as u8;
            if allowed(t) {
                out.push(action(t));
            }
        }
    }

    /// Appends `Buy` for the cards of the common pool that the seat can afford, once per name and number of
    /// Scalper marks. `terms` must be those of `seat`.
    pub(crate) fn list_buys(&self, seat: Seat, terms: &Terms, out: &mut Vec<Action>) {
        self.list_common(out, Action::Buy, |t| self.affordable(seat, terms, t).is_ok());
    }

    /// Returns whether a seat has the points for at least one card of the common pool at its present price.
    /// The number of purchases left is not checked.
    pub(crate) fn can_buy_any(&self, seat: Seat) -> bool {
        let terms = self.terms(seat);
        self.tokens.iter(COMMON).any(|t| self.affordable(seat, &terms, t).is_ok())
    }

    /// Checks and makes a purchase from the common pool: takes the price, which no side gets, removes the
    /// Scalper marks of the card, and moves it to the seat's discard pile, or on top of its deck with an
    /// active Manager. Emits `Bought` and `Points`. The number of purchases is not checked.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the common pool or too expensive.
    pub(crate) fn buy_from_common(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        t: Token,
    ) -> Result<(), RuleError> {
        ensure(self.tokens.in_zone(t, COMMON), "this card is not in the common pool")?;
        let terms = self.terms(seat);
        self.affordable(seat, &terms, t)?;
        self.take_from_common(cx, seat, &terms, t)
    }

    /// Takes the price of a card of the common pool from the seat's points, removes the card's Scalper marks,
    /// and moves it to the seat's discard pile, or on top of its deck with an active Manager. Emits `Bought`
    /// and `Points`. `terms` must be those of `seat`. The caller has checked that the seat can afford the
    /// card and that it is in the pool.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is hidden.
    #[inline]
    pub(crate) fn take_from_common(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        terms: &Terms,
        t: Token,
    ) -> Result<(), RuleError> {
        let price = self.price(terms, t, ())?;
        self.pay_price(cx, seat, t, price)?;
        self.lift_marks(|mark| mark.token == t);
        self.take_home(seat, terms, t);
        Ok(())
    }

    /// Takes `price` from the points of the buyer of `t`, and emits `Bought` and `Points`. Does not move the
    /// card, and does not check that the points suffice.
    ///
    /// # Errors
    ///
    /// Fails if the card is not public.
    #[inline]
    fn pay_price(&mut self, cx: &mut Context<'_>, seat: Seat, t: Token, price: i32) -> Result<(), RuleError> {
        let card = self.tokens.face(t)?;
        cx.emit(move || Fact::Bought { seat, card, price });
        self.pay(cx, seat.into(), -price, Reason::Bought(card));
        Ok(())
    }

    /// Moves a bought card to the bottom of the buyer's discard pile, or to the top of the deck if `terms`
    /// count a Manager, and records in the slot cache that the seat owns it. Pays nothing, and emits nothing.
    fn take_home(&mut self, seat: Seat, terms: &Terms, t: Token) {
        self.cache_owned_cards(seat, self.tokens.may(t).bits());
        if terms.count(Card::Manager) > 0 {
            self.tokens.put_on_top(t, deck(seat.into()));
        } else {
            self.tokens.put(t, discard(seat.into()));
        }
    }

    // --- step 3: purchase

    /// Returns whether public information leaves a choice in the purchase step: with `left` purchases a card
    /// can be afforded, or there is an active Market to sell at.
    pub(crate) fn purchase_is_open(&self, seat: Seat, left: u8) -> bool {
        (left > 0 && self.can_buy_any(seat)) || self.count(seat.into(), Card::Market) > 0
    }

    /// Appends `Buy` for the affordable cards of the common pool if `left`, the number of purchases, is not
    /// 0; with an active Market `Sell` for the cards in active slots, by slot (of equal cards behind one base
    /// card only the first); and always `Done`. `terms` must be those of `seat`; `own` must be its view.
    pub(crate) fn list_purchase(
        &self,
        own: &SeatView<'_, Self>,
        seat: Seat,
        terms: &Terms,
        left: u8,
        out: &mut Vec<Action>,
    ) {
        let side = Side::from(seat);
        if left > 0 {
            self.list_buys(seat, terms, out);
        }
        if terms.count(Card::Market) > 0 {
            for i in self.occupied(side).filter(|&i| self.is_active(side, i)) {
                let mut cards = self.tokens.iter(slot(side, i));
                out.extend(cards.next().map(Action::Sell));
                list_once(own, cards, Action::Sell, out);
            }
        }
        out.push(Action::Done);
    }

    /// Checks and makes one of `left` purchases from the common pool in the purchase step: takes the price,
    /// removes the card's Scalper marks, and moves it to the seat's discard pile, or on top of its deck with
    /// an active Manager. Emits `Bought` and `Points`, and replaces the task on top by one with a purchase
    /// less.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if no purchase is left, or the card is not for sale or too expensive.
    pub(crate) fn buy(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        left: u8,
        t: Token,
    ) -> Result<(), RuleError> {
        ensure(left > 0, "no purchase is left this turn")?;
        self.buy_from_common(cx, seat, t)?;
        self.agenda.replace_top(Task::Purchase(seat, left - 1));
        Ok(())
    }

    /// Checks and sells a slotted card at a Market: emits `Sold`, pays its resale price as a trade gain, and
    /// moves the card to the pool discard (a Partisan to the reserve). If it was the base of two or more
    /// cards, pushes tasks that show those and discard what does not fit behind the new base. The engine has
    /// made the sold card public; the task stays.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is hidden, lies in no slot, in a slot of another side or in one
    /// that is switched off, or there is no active Market; or if the agenda is full.
    pub(crate) fn sell(&mut self, cx: &mut Context<'_>, seat: Seat, t: Token) -> Result<(), RuleError> {
        let (side, i) = self.slot_of(t).ok_or(RuleError::of("this card lies in no slot", t))?;
        ensure(side == Side::from(seat), "this is somebody else's card")?;
        ensure(self.is_active(side, i), "this card is switched off")?;
        ensure(self.count(side, Card::Market) > 0, "there is no active Market to sell at")?;
        let card = self.tokens.face(t)?;
        let price = self.resale(card);
        cx.emit(move || Fact::Sold { seat, card, price });
        self.trade_gain(cx, seat, price, Reason::Sold(card));
        self.leave_slot(side, i, t, POOL_DISCARD)
    }

    /// Returns the price that a Market pays for a card: its cost less `market_fee`, at least 0. Discounts do
    /// not count.
    pub(crate) fn resale(&self, card: Card) -> i32 {
        (self.cost(card) - self.rules.n.market_fee).max(0)
    }

    // --- the Trade action

    /// Iterates over the cards in the Empire's slots as (slot, card), by slot, face-down ones included.
    pub(crate) fn wares(&self) -> impl Iterator<Item = (u8, Token)> + '_ {
        self.occupied(Side::EMPIRE).filter_map(|i| self.base(Side::EMPIRE, i).map(|t| (i, t)))
    }

    /// Returns whether no equal card of the Empire lies in an earlier slot than `t`: only the first of equal
    /// cards may be bought. Cards with different numbers of Scalper marks are not equal; hidden ones are.
    /// `false` if `t` is not the base card of a slot of the Empire.
    fn is_first_ware(&self, t: Token) -> bool {
        let what = |u: Token| (self.tokens.public_face(u), self.marks_on(u));
        self.wares().find(|(_, u)| what(*u) == what(t)).is_some_and(|(_, first)| first == t)
    }

    /// Returns whether the card `t` in slot `i` of the Empire lies face down and was not asked for; `asked`
    /// has bit `i` for slot `i`.
    fn is_askable(&self, asked: u16, i: u8, t: Token) -> bool {
        asked >> i & 1 == 0 && self.category(t) == Category::Military
    }

    /// Returns whether public information leaves a choice in a Trade action: with `left` purchases a card can
    /// be afforded or asked for. `asked` are the slots asked for, bit `i` for slot `i`.
    pub(crate) fn trade_is_open(&self, seat: Seat, left: u8, asked: u16) -> bool {
        let terms = self.terms(seat);
        left > 0
            && self.wares().any(|(i, t)| {
                self.is_askable(asked, i, t)
                    || (self.category(t) != Category::Military && self.affordable(seat, &terms, t).is_ok())
            })
    }

    /// Appends `Ebuy` for the affordable face-up cards of the Empire (once per name and number of Scalper
    /// marks) and `Ask` for the face-down ones not asked for, by slot, if `left` is not 0; then always
    /// `Done`. `asked` are the slots asked for, bit `i` for slot `i`.
    pub(crate) fn list_trade(&self, seat: Seat, left: u8, asked: u16, out: &mut Vec<Action>) {
        if left > 0 {
            let terms = self.terms(seat);
            let mut seen = 0u64;
            for (i, t) in self.wares() {
                if self.category(t) == Category::Military {
                    if self.is_askable(asked, i, t) {
                        out.push(Action::Ask(i));
                    }
                } else if let Some(card) = self.tokens.public_face(t) {
                    if card.is_in(seen) && !self.is_first_ware(t) {
                        continue;
                    }
                    seen |= 1 << card as u8;
                    if self.affordable(seat, &terms, t).is_ok() {
                        out.push(Action::Ebuy(t));
                    }
                }
            }
        }
        out.push(Action::Done);
    }

    /// Checks that the seat can afford the card `t` in slot `i` of the Empire, pays its price to the Empire,
    /// and moves it to the seat's discard pile, or on top of its deck with an active Manager. The slot counts
    /// as empty then. Emits `Bought` and `Points` for both sides. Whether the card lies in that slot is not
    /// checked.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is hidden or too expensive.
    fn buy_from_empire(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        i: u8,
        t: Token,
    ) -> Result<(), RuleError> {
        let terms = self.terms(seat);
        let price = self.affordable(seat, &terms, t)?;
        self.pay_price(cx, seat, t, price)?;
        self.pay(cx, Side::EMPIRE, price, Reason::Sold(self.tokens.face(t)?));
        self.take_home(seat, &terms, t);
        self.slot_cache.occupied[Side::EMPIRE.index()] &= !(1 << i);
        Ok(())
    }

    /// Checks and makes a purchase of a face-up card of the Empire: pays the price to the Empire, and moves
    /// the card to the seat's discard pile, or on top of its deck with an active Manager. Emits `Bought` and
    /// `Points` for both sides, and replaces the task on top by one with a purchase less. `left` is the
    /// number of purchases left, `asked` the slots that were asked for, bit `i` for slot `i`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if no purchase is left, or the card is not a face-up one of the Empire, has
    /// an equal one in a slot before it, or is too expensive.
    pub(crate) fn ebuy(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        left: u8,
        asked: u16,
        t: Token,
    ) -> Result<(), RuleError> {
        ensure(left > 0, "no purchase is left")?;
        let in_slot = self.slot_of(t).filter(|(side, _)| side.is_empire());
        let (_, i) = in_slot.ok_or(RuleError::new("this card is not in a slot of the Empire"))?;
        ensure(self.category(t) != Category::Military, "it lies face down: ask for it")?;
        ensure(self.is_first_ware(t), "an equal card lies in a slot before it: buy that one")?;
        self.buy_from_empire(cx, seat, i, t)?;
        self.agenda.replace_top(Task::Trade(seat, left - 1, asked));
        Ok(())
    }

    /// Checks a question for the face-down card in slot `i` of the Empire, emits `Asked`, and pushes the
    /// reveal of the card to everybody and below it the answer, whether the seat buys it. Replaces the task
    /// on top by one with a purchase less, whether the card is bought or not, and with the slot in `asked`.
    /// `left` is the number of purchases left, `asked` the slots asked for, bit `i` for slot `i`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if no purchase is left, or the slot does not exist, is empty, is face up, or
    /// was asked for before; or if the agenda is full.
    pub(crate) fn ask(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        left: u8,
        asked: u16,
        i: u8,
    ) -> Result<(), RuleError> {
        ensure(left > 0, "no purchase is left")?;
        ensure(i < MOST_EMPIRE_SLOTS, "the Empire has no such slot")?;
        let t = self.base(Side::EMPIRE, i).ok_or(RuleError::new("this slot is empty"))?;
        ensure(self.category(t) == Category::Military, "this card lies face up: no need to ask")?;
        ensure(self.is_askable(asked, i, t), "this card has been asked for already")?;
        cx.emit(move || Fact::Asked(seat, i));
        self.agenda.replace_top(Task::Trade(seat, left - 1, asked | 1 << i));
        self.push_task(Task::Answer(seat, i))?;
        self.push_task(Task::Show(Set::One(t)))
    }

    /// Appends `accept`, if the seat can afford the card that was shown in slot `i`, and always `decline`.
    pub(crate) fn list_answer(&self, seat: Seat, i: u8, out: &mut Vec<Action>) {
        let asked = self.base(Side::EMPIRE, i);
        if asked.is_some_and(|t| self.affordable(seat, &self.terms(seat), t).is_ok()) {
            out.push(Action::Accept);
        }
        out.push(Action::Decline);
    }

    /// Checks and buys the card of the Empire that was shown in slot `i`: pays its price to the Empire, moves
    /// the card to the seat's discard pile, or on top of its deck with an active Manager, and pops the task.
    /// Emits `Bought` and `Points` for both sides.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the slot is empty, or the card is hidden or too expensive.
    pub(crate) fn accept(&mut self, cx: &mut Context<'_>, seat: Seat, i: u8) -> Result<(), RuleError> {
        let t = self.base(Side::EMPIRE, i).ok_or(super::NOT_NOW)?;
        self.buy_from_empire(cx, seat, i, t)?;
        self.agenda.pop();
        Ok(())
    }

    /// Returns the number of purchases that a Trade action of the seat allows: the tuning number
    /// `trade_purchases`, and `trade_route` more for each active Trade Route.
    pub(crate) fn trade_purchases(&self, seat: Seat) -> u8 {
        let routes = self.count(seat.into(), Card::TradeRoute);
        (self.rules.n.trade_purchases + self.rules.n.trade_route * routes) as u8
    }
}
