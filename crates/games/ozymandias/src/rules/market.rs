//! Purchases: at the end of every turn each seat that is short of cards must buy one.

use crate::actions::Action;
use crate::state::{DECK, MARKET, Ozymandias, Task, hand, tableau};
use pentarchy_engine::{RuleError, Seat, Token, ensure};

impl Ozymandias {
    /// Returns the price of a card of the market.
    ///
    /// # Errors
    ///
    /// Fails if the card is hidden.
    pub(crate) fn price(&self, card: Token) -> Result<i32, RuleError> {
        Ok(self.value(self.myth(card)?.faction()))
    }

    /// Returns the price of the cheapest card on sale; `None` if none is.
    pub(crate) fn cheapest(&self) -> Option<i32> {
        let deck = (!self.tokens.is_empty(DECK)).then(|| self.deck_price());
        let market = self.tokens.iter(MARKET).filter_map(|card| self.price(card).ok());
        market.chain(deck).min()
    }

    /// Returns how many cards a seat has in hand and tableau.
    pub(crate) fn cards_of(&self, seat: Seat) -> usize {
        self.tokens.len(hand(seat)) + self.tokens.len(tableau(seat))
    }

    /// Returns whether the turn that ends the game goes without its purchases.
    pub(crate) fn skips_purchases(&self) -> bool {
        !self.settings.final_buy && (self.ending || self.is_last_turn())
    }

    /// Asks the seat at this index of the turn order to buy, if it must. It goes bankrupt if it cannot pay.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn ask_purchase(&mut self, place: u8) -> Result<(), RuleError> {
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
            Some(_) => {
                self.bankrupt = Some(seat);
                self.agenda.clear();
                self.finish()
            }
        }
    }

    /// Appends the purchases that a seat can afford.
    pub(super) fn list_purchases(&self, seat: Seat, out: &mut Vec<Action>) {
        let purse = self.influence(seat);
        let payable = |card: &Token| self.price(*card).is_ok_and(|price| price <= purse);
        out.extend(self.tokens.iter(MARKET).filter(payable).map(Action::Buy));
        if !self.tokens.is_empty(DECK) && self.deck_price() <= purse {
            out.push(Action::BuyDeck);
        }
    }

    /// Checks and makes a purchase from the market or the deck.
    ///
    /// # Errors
    ///
    /// Fails if the card is not in the market, the deck is empty, or the seat cannot pay.
    pub(super) fn purchase(&mut self, seat: Seat, act: Action) -> Result<(), RuleError> {
        match act {
            Action::Buy(card) => {
                ensure(self.tokens.in_zone(card, MARKET), "this card is not in the market")?;
                let price = self.price(card)?;
                self.pay(seat, price)?;
                self.agenda.pop();
                self.tokens.put(card, hand(seat));
                Ok(())
            }
            Action::BuyDeck => {
                ensure(!self.tokens.is_empty(DECK), "the deck is empty")?;
                self.pay(seat, self.deck_price())?;
                self.agenda.pop();
                self.draw(seat)
            }
            _ => Err(RuleError::new("a purchase is due")),
        }
    }

    /// Checks that a seat can pay a price, and takes it.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if it cannot.
    pub(super) fn pay(&mut self, seat: Seat, price: i32) -> Result<(), RuleError> {
        let purse = self.influence(seat);
        if price > purse {
            return Err(RuleError::numbers("it costs {0}, and the purse holds {1}", price, purse));
        }
        self.gain(seat, -price);
        Ok(())
    }

    /// Moves the top card of the deck to a hand; only its owner learns it.
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
