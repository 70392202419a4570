//! Purchases: at the end of every turn each seat that is short of cards must buy one.

use crate::actions::Action;
use crate::facts::{Context, EndReason, Fact};
use crate::state::{DECK, MARKET, Ozymandias, Task, hand, tableau};
use pentarchy_engine::{RuleError, Seat, Token, ensure};

impl Ozymandias {
    /// Returns the price of a public card: the value of its faction. Does not check that it is on sale.
    ///
    /// # Errors
    ///
    /// Fails if the card is hidden.
    pub(crate) fn price(&self, card: Token) -> Result<i32, RuleError> {
        Ok(self.value(self.myth(card)?.faction()))
    }

    /// Returns the price of the cheapest card on sale, the top of the deck included; `None` if the market and
    /// the deck are empty.
    pub(crate) fn cheapest(&self) -> Option<i32> {
        let deck = (!self.tokens.is_empty(DECK)).then(|| self.deck_price());
        let market = self.tokens.iter(MARKET).filter_map(|card| self.price(card).ok());
        market.chain(deck).min()
    }

    /// Returns how many cards a seat has in hand and tableau; vault and contribution do not count.
    pub(crate) fn cards_of(&self, seat: Seat) -> usize {
        self.tokens.len(hand(seat)) + self.tokens.len(tableau(seat))
    }

    /// Returns whether this turn has no purchases: it ends the game, and the option `final_buy` is off.
    pub(crate) fn skips_purchases(&self) -> bool {
        !self.settings.final_buy && (self.ending || self.is_last_turn())
    }

    /// Pops the task and handles the seat at index `place` of the turn order. If it has fewer cards than
    /// the hand size and a card is for sale, asks it to buy one; if it cannot pay the cheapest, it goes
    /// bankrupt instead: emits `Ended` and ends the game. The question to the next seat is pushed below.
    /// Beyond the last seat, or if purchases are skipped, pushes `EndTurn`.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn ask_purchase(&mut self, cx: &mut Context<'_>, place: u8) -> Result<(), RuleError> {
        self.agenda.pop();
        let Some(seat) = self.in_turn(place).filter(|_| !self.skips_purchases()) else {
            return self.push_task(Task::EndTurn);
        };
        self.push_task(Task::AskPurchase(place + 1))?;
        if self.cards_of(seat) >= self.settings.hand_size as usize {
            return Ok(());
        }
        match self.cheapest() {
            None => Ok(()),
            Some(price) if price <= self.influence(seat) => self.push_task(Task::Purchase(seat)),
            Some(cheapest) => {
                self.bankrupt = Some(seat);
                let influence = self.influence(seat);
                cx.emit(move || Fact::Ended(EndReason::Bankrupt { seat, influence, cheapest }));
                self.agenda.clear();
                self.finish()
            }
        }
    }

    /// Appends `Buy` for each card of the market that the seat can afford, then `BuyDeck` if the deck has a
    /// card and the seat can pay its price. Whether a purchase is due is not checked.
    pub(super) fn list_purchases(&self, seat: Seat, out: &mut Vec<Action>) {
        let purse = self.influence(seat);
        let payable = |card: &Token| self.price(*card).is_ok_and(|price| price <= purse);
        out.extend(self.tokens.iter(MARKET).filter(payable).map(Action::Buy));
        if !self.tokens.is_empty(DECK) && self.deck_price() <= purse {
            out.push(Action::BuyDeck);
        }
    }

    /// Checks a purchase of a seat, takes the price, moves the card of the market or the top card of the deck
    /// to its hand and pops the task; a card of the deck pushes the seat's look at it. Emits `Influence`,
    /// then `Bought` or `BoughtFromDeck`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the market, the deck is empty, the seat cannot pay, or
    /// it is another action; or if the agenda is full.
    pub(super) fn purchase(
        &mut self,
        cx: &mut Context<'_>,
        seat: Seat,
        act: Action,
    ) -> Result<(), RuleError> {
        match act {
            Action::Buy(card) => {
                ensure(self.tokens.in_zone(card, MARKET), "this card is not in the market")?;
                let price = self.price(card)?;
                self.pay(cx, seat, price)?;
                self.agenda.pop();
                self.tokens.put(card, hand(seat));
                cx.emit(move || Fact::Bought { seat, card, price });
                Ok(())
            }
            Action::BuyDeck => {
                ensure(!self.tokens.is_empty(DECK), "the deck is empty")?;
                let price = self.deck_price();
                self.pay(cx, seat, price)?;
                self.agenda.pop();
                cx.emit(move || Fact::BoughtFromDeck(seat, price));
                self.draw(seat)
            }
            _ => Err(RuleError::new("a purchase is due")),
        }
    }

    /// Checks that a seat can pay a price, takes it from its influence and emits `Influence` unless the price
    /// is 0.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if its influence is less than the price.
    pub(super) fn pay(&mut self, cx: &mut Context<'_>, seat: Seat, price: i32) -> Result<(), RuleError> {
        let purse = self.influence(seat);
        if price > purse {
            return Err(RuleError::numbers("it costs {0}, and the purse holds {1}", price, purse));
        }
        self.gain(cx, seat, -price);
        Ok(())
    }

    /// Moves the top card of the deck to a hand and pushes the look at it, which only its owner gets. No
    /// effect if the deck is empty.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn draw(&mut self, seat: Seat) -> Result<(), RuleError> {
        match self.tokens.top(DECK) {
            Some(card) => {
                self.tokens.put(card, hand(seat));
                self.push_task(Task::Learn(card, seat))
            }
            None => Ok(()),
        }
    }
}
