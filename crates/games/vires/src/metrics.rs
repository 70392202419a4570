//! What the lab counts: cards played or discarded, Events drawn, Blocks mined.

use crate::actions::Action;
use crate::cards::{Card, Kind, SPECIALS};
use crate::state::{Task, Vires};
use pentarchy_engine::{Deed, Face, Game, Item, Metrics, Position, Seat, Token, TurnId, Verb};

/// The item number of mining, which follows those of the cards. The number of a card is one less than that of
/// its face.
const MINING: u16 = SPECIALS as u16;

impl Metrics for Vires {
    fn items() -> Vec<Item> {
        let group = |card: Card| match card.kind() {
            Kind::Paid => "Paid Actions",
            Kind::Flash => "Flash cards",
            Kind::Event => "Events",
            _ => "Actions",
        };
        let cards = Card::specials().map(|card| Item::new(card.name(), group(card)));
        cards.chain([Item::new("Mine a Block", "Mining")]).collect()
    }

    fn deeds(at: &Position<Self>, action: Option<Action>, out: &mut dyn FnMut(Deed)) {
        let state = at.state();
        let seat = at.actor().unwrap_or(state.active);
        let number = |t: Token| u16::from(at.face(t)?.index()).checked_sub(1).filter(|&n| n < MINING);
        let found = match action {
            Some(Action::Play { card, .. } | Action::React { card, .. }) => {
                Some((Verb::Played, number(card)))
            }
            Some(Action::Dismiss(t)) => Some((Verb::Discarded, number(t))),
            Some(Action::Mine) => Some((Verb::Played, Some(MINING))),
            // An Event takes effect when it is drawn.
            None => match state.agenda.top() {
                Some(Task::Announce(t)) => Some((Verb::Played, number(t))),
                _ => None,
            },
            _ => None,
        };
        if let Some((verb, Some(item))) = found {
            out(Deed { seat, verb, item });
        }
    }

    fn standing(at: &Position<Self>, seat: Seat) -> Option<i32> {
        Some(i32::from(at.state().score(seat)))
    }

    fn turn_id(&self) -> Option<TurnId> {
        Some(TurnId { round: u32::from(self.round), turn: u32::from(self.active.0) })
    }

    fn ending(&self) -> Option<&'static str> {
        let complete = (0..self.seats).any(|p| self.blocks(Seat(p)) >= self.rules.blocks);
        self.outcome().map(|_| if complete { "with a Chain complete" } else { "at the cap" })
    }

    fn phase(action: Action) -> &'static str {
        match action {
            Action::Mine => "Mining",
            Action::Play { .. } | Action::Offer(_) | Action::Choose(_) => "Playing cards",
            Action::React { .. } | Action::Pass => "Reactions",
            Action::Dismiss(_) => "Discarding",
            _ => "Other",
        }
    }

    fn seconds(&self, action: Action) -> u32 {
        match action {
            Action::Pass | Action::End | Action::Done => 3,
            Action::Play { .. } | Action::React { .. } | Action::Offer(_) => 15,
            _ => 8,
        }
    }
}
