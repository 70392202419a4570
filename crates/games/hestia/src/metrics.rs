//! What is counted for the designer: cards that fight and cards that are spent, and what armies do.

use crate::actions::Action;
use crate::cards::{CARDS, Category};
use crate::face::Mode;
use crate::state::Hestia;
use pentarchy_engine::{Deed, Item, Metrics, Position, Seat, Token, TurnId, Verb};

/// What a player can do beside playing cards, numbered behind them.
const DEEDS: [&str; 7] = [
    "Spend no card on movement",
    "Spend one card on movement",
    "Spend two cards on movement",
    "March with an army",
    "Rally",
    "Place a token",
    "Give up a clash",
];

impl Metrics for Hestia {
    fn items() -> Vec<Item> {
        let group = |category: Category| match category {
            Category::Commander => "Commanders",
            Category::Infantry => "Infantry",
            Category::Cavalry => "Cavalry",
            Category::Missile => "Missile cards",
            Category::Tactic => "Tactics",
        };
        let cards = CARDS.iter().map(|card| Item::new(card.name, group(card.category)));
        cards.chain(DEEDS.into_iter().map(|name| Item::new(name, "Orders"))).collect()
    }

    /// A card is *played* in a clash and in the bid; spent on marches, on a retreat, for another card or at
    /// the turn of the year it is *discarded*.
    fn deeds(at: &Position<Self>, action: Option<Action>, out: &mut dyn FnMut(Deed)) {
        let (Some(seat), Some(action)) = (at.actor(), action) else { return };
        let mut tell = |verb, item| out(Deed { seat, verb, item });
        let deed = |i: u8| CARDS.len() as u16 + u16::from(i);
        let number = |t: Token| at.face(t).and_then(|f| f.card()).map(|card| card as u16);
        let (card, order) = match action {
            Action::Bid(t) | Action::Add(t) | Action::Fight(t) => (Some((Verb::Played, t)), None),
            Action::Clash(t, Some(Mode::Retreat)) => (Some((Verb::Discarded, t)), Some(6)),
            Action::Clash(t, _) => (Some((Verb::Played, t)), None),
            Action::Discard(t) | Action::Pay(t) | Action::Swap(t) | Action::Force(t) => {
                (Some((Verb::Discarded, t)), None)
            }
            Action::Hold(Some(Mode::Withdraw)) => (None, Some(6)),
            Action::Cards(n) => (None, Some(n)),
            Action::Army(_) => (None, Some(3)),
            Action::Rally(..) => (None, Some(4)),
            Action::Influence => (None, Some(5)),
            _ => (None, None),
        };
        if let Some((verb, t)) = card
            && let Some(item) = number(t)
        {
            tell(verb, item);
        }
        if let Some(order) = order {
            tell(Verb::Played, deed(order));
        }
    }

    fn standing(at: &Position<Self>, seat: Seat) -> Option<i32> {
        Some(i32::from(at.state().active_count(seat)))
    }

    fn turn_id(&self) -> Option<TurnId> {
        Some(TurnId { round: u32::from(self.year), turn: u32::from(self.mover.0) })
    }

    fn ending(&self) -> Option<&'static str> {
        self.ranking().map(|outcome| {
            if outcome.is_draw() {
                "drawn"
            } else if outcome.score(Seat(0)) == outcome.score(Seat(1)) {
                "after the last year, by blocks or strength"
            } else {
                "after the last year, by tokens"
            }
        })
    }

    fn phase(action: Action) -> &'static str {
        match action {
            Action::Bid(_) | Action::Add(_) => "Bidding",
            Action::Discard(_) | Action::Cards(_) | Action::Pay(_) | Action::Swap(_) => "Cards",
            Action::Army(_) | Action::Rally(..) | Action::Pick(_) | Action::All | Action::Go => "Orders",
            Action::Move(_) | Action::Influence => "Marching",
            Action::Clash(..) | Action::Fight(_) | Action::Hold(_) | Action::Force(_) => "Battles",
            _ => "Other",
        }
    }

    fn seconds(&self, action: Action) -> u32 {
        match action {
            Action::Bid(_) | Action::Clash(..) | Action::Fight(_) | Action::Army(_) | Action::Cards(_) => 20,
            Action::Done | Action::End | Action::All | Action::Go | Action::Stop => 4,
            _ => 8,
        }
    }
}
