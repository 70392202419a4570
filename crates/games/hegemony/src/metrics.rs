//! What the lab counts: cards bought, placed, used and sold, and Player Actions.

use crate::actions::Action;
use crate::agenda::Task;
use crate::cards::{CARDS, Card, Category};
use crate::places::Side;
use crate::state::{Ending, Hegemony};
use pentarchy_engine::{Deed, Face, Item, Metrics, Position, Seat, Token, TurnId, Verb};

/// The Player Actions; their item numbers follow those of the cards.
const DEEDS: [&str; 4] = ["War on the Empire", "War on a player", "Trade with the Empire", "Fresh cards"];

impl Metrics for Hegemony {
    fn items() -> Vec<Item> {
        let group = |card: Card| match card.category() {
            Category::Military => "Military cards",
            Category::Trade => "Trade cards",
            Category::Diplomacy => "Diplomacy cards",
        };
        let cards = CARDS.into_iter().map(|card| Item::new(card.title(), group(card)));
        cards.chain(DEEDS.into_iter().map(|name| Item::new(name, "Main actions"))).collect()
    }

    fn deeds(at: &Position<Self>, action: Option<Action>, out: &mut dyn FnMut(Deed)) {
        let (state, Some(seat), Some(action)) = (at.state(), at.actor(), action) else { return };
        let deed = |i: usize| Some((Verb::Played, (CARDS.len() + i) as u16));
        let card = |verb, t: Option<Token>| Some((verb, u16::from(at.face(t?)?.index())));
        let found = match action {
            Action::Buy(t) | Action::Ebuy(t) | Action::Take(t) => card(Verb::Bought, Some(t)),
            Action::Accept => match state.top() {
                Task::Answer(_, i) => card(Verb::Bought, state.base(Side::EMPIRE, i)),
                _ => None,
            },
            Action::Place(t, ..) | Action::Station(t, _) | Action::Use(t) | Action::Sabotage(t) => {
                card(Verb::Played, Some(t))
            }
            Action::Enter(_) => match state.top() {
                Task::Enter(seat, i) => card(Verb::Played, state.base(seat.into(), i)),
                _ => None,
            },
            Action::Sell(t) | Action::Give(t) => card(Verb::Discarded, Some(t)),
            Action::War(side) => deed(usize::from(!side.is_empire())),
            Action::Trade => deed(2),
            Action::Fresh => deed(3),
            _ => None,
        };
        if let Some((verb, item)) = found {
            out(Deed { seat, verb, item });
        }
    }

    fn standing(at: &Position<Self>, seat: Seat) -> Option<i32> {
        Some(at.state().vp[seat.index()])
    }

    fn turn_id(&self) -> Option<TurnId> {
        let turn = self.turn.map_or(TurnId::BETWEEN, |side| side.index() as u32);
        Some(TurnId { round: u32::from(self.round), turn })
    }

    fn ending(&self) -> Option<&'static str> {
        self.ending.map(|ending| match ending {
            Ending::Toppled => "with the Empire toppled",
            Ending::EmpireWins => "with all players defeated",
            Ending::LastOne => "with one player left",
            Ending::Cap => "at the last round allowed",
        })
    }

    fn phase(action: Action) -> &'static str {
        match action {
            Action::Place(..) | Action::Station(..) | Action::Enter(_) => "Replacing cards",
            Action::Buy(_) | Action::Scalp(_) | Action::Sell(_) | Action::Lobby(_) => "Buying",
            Action::War(_) | Action::Trade | Action::Fresh | Action::Ebuy(_) | Action::Ask(_) => "The action",
            Action::Use(_) | Action::Target(_) | Action::Slot(_) | Action::Hit(..) => "Diplomacy",
            Action::Take(_) | Action::Give(_) | Action::Look(_) | Action::LookPool => "Diplomacy",
            _ => "Reactions and passing",
        }
    }

    fn seconds(&self, action: Action) -> u32 {
        match action {
            Action::War(_) | Action::Trade | Action::Fresh => 30,
            Action::Place(..) | Action::Station(..) | Action::Buy(_) | Action::Ebuy(_) => 15,
            Action::Done | Action::Pass | Action::Enter(_) | Action::Stop | Action::Refill => 4,
            _ => 10,
        }
    }
}
