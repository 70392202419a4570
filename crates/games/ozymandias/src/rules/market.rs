//! Buying: at the end of every turn whoever is short of cards must buy one.

use crate::actions::Act;
use crate::state::{DECK, MARKET, Ozymandias, Step, hand, tableau};
use pentarchy_engine::{Rejected, Seat, Token, ensure};

impl Ozymandias {
    /// What a card of the market costs.
    pub(crate) fn price(&self, card: Token) -> Result<i32, Rejected> {
        Ok(self.value(self.myth(card)?.faction()))
    }

    /// The price of the cheapest card on sale.
    pub(crate) fn cheapest(&self) -> Option<i32> {
        let deck = (!self.tokens.is_empty(DECK)).then(|| self.deck_price());
        let market = self.tokens.iter(MARKET).filter_map(|card| self.price(card).ok());
        market.chain(deck).min()
    }

    /// How many cards a seat has in hand and tableau.
    pub(crate) fn cards_of(&self, seat: Seat) -> usize {
        self.tokens.len(hand(seat)) + self.tokens.len(tableau(seat))
    }

    /// Whether the turn that ends the game goes without its purchases.
    pub(crate) fn skips_purchases(&self) -> bool {
        !self.settings.final_buy && (self.ending || self.is_last_turn())
    }

    /// The seat at this place buys if it must, and goes bankrupt if it cannot.
    pub(super) fn ask_purchase(&mut self, place: u8) -> Result<(), Rejected> {
        self.agenda.pop();
        let Some(seat) = self.in_turn(place).filter(|_| !self.skips_purchases()) else {
            return self.then(Step::EndTurn);
        };
        self.then(Step::AskPurchase(place + 1))?;
        if self.cards_of(seat) >= self.settings.hand_size as usize {
            return Ok(());
        }
        match self.cheapest() {
            None => Ok(()),
            Some(price) if price <= self.influence(seat) => self.then(Step::Purchase(seat)),
            Some(_) => {
                self.bankrupt = Some(seat);
                self.agenda.clear();
                self.finish()
            }
        }
    }

    pub(super) fn list_purchases(&self, seat: Seat, out: &mut Vec<Act>) {
        let purse = self.influence(seat);
        let payable = |card: &Token| self.price(*card).is_ok_and(|price| price <= purse);
        out.extend(self.tokens.iter(MARKET).filter(payable).map(Act::Buy));
        if !self.tokens.is_empty(DECK) && self.deck_price() <= purse {
            out.push(Act::BuyDeck);
        }
    }

    pub(super) fn purchase(&mut self, seat: Seat, act: Act) -> Result<(), Rejected> {
        match act {
            Act::Buy(card) => {
                ensure(self.tokens.in_zone(card, MARKET), "this card is not in the market")?;
                let price = self.price(card)?;
                self.pay(seat, price)?;
                self.agenda.pop();
                self.tokens.put(card, hand(seat));
                Ok(())
            }
            Act::BuyDeck => {
                ensure(!self.tokens.is_empty(DECK), "the deck is empty")?;
                self.pay(seat, self.deck_price())?;
                self.agenda.pop();
                self.draw(seat)
            }
            _ => Err(Rejected::new("a purchase is due")),
        }
    }

    pub(super) fn pay(&mut self, seat: Seat, price: i32) -> Result<(), Rejected> {
        let purse = self.influence(seat);
        if price > purse {
            return Err(Rejected::numbers("it costs {0}, and the purse holds {1}", price, purse));
        }
        self.gain(seat, -price);
        Ok(())
    }

    /// The top card of the deck goes to a hand, seen by its owner alone.
    pub(super) fn draw(&mut self, seat: Seat) -> Result<(), Rejected> {
        match self.tokens.top(DECK) {
            Some(card) => {
                self.tokens.put(card, hand(seat));
                self.then(Step::Learn(card, seat))
            }
            None => Ok(()),
        }
    }
}
