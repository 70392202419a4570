//! What the lab counts: cards played or discarded, Events drawn, Blocks mined.

use crate::actions::Action;
use crate::cards::{Card, Kind, SPECIALS};
use crate::facts::Fact;
use crate::state::Vires;
use pentarchy_engine::{AppliedEvent, Deed, Face, Item, Metrics, Position, Seat, Token, TurnId, Verb};

/// The item number of mining, which follows those of the cards. The number of a card is one less than that of
/// its face.
const MINING: u16 = SPECIALS as u16;

impl Metrics for Vires {
    /// Returns what is counted: the special cards in the order of the table, grouped by kind, then mining.
    /// The index is the item number of a deed.
    fn items() -> Vec<Item> {
        let group = |card: Card| match card.kind() {
            Kind::Paid => "Paid Actions",
            Kind::Flash => "Flash cards",
            Kind::Event => "Events",
            _ => "Actions",
        };
        let cards = Card::specials().map(|card| Item::new(card.name(), group(card), Verb::Played));
        cards.chain([Item::new("Mine a Block", "Mining", Verb::Played)]).collect()
    }

    /// Calls `out` for each card played or drawn as an Event (`Played`) or dismissed (`Discarded`), and for
    /// each Block that a player begins to mine (`Played`). HR are not counted. `event` must be the
    /// simulator's, which knows all faces.
    fn deeds(event: &AppliedEvent<'_, Self>, out: &mut dyn FnMut(Deed)) {
        // An Event is hidden before it is drawn, so the position after the event names the cards.
        let number =
            |t: Token| u16::from(event.after.face(t)?.index()).checked_sub(1).filter(|&n| n < MINING);
        for fact in event.facts {
            let (seat, verb, item) = match *fact {
                Fact::Played { seat, card, .. }
                | Fact::Reacted { seat, card, .. }
                | Fact::EventDrawn(seat, card) => (seat, Verb::Played, number(card)),
                Fact::Dismissed(seat, card) => (seat, Verb::Discarded, number(card)),
                Fact::MiningBegan(seat) => (seat, Verb::Played, Some(MINING)),
                _ => continue,
            };
            if let Some(item) = item {
                out(Deed { seat, verb, item });
            }
        }
    }

    /// Calls `out` with the use that [`deeds`](Self::deeds) would report, and returns `true`: mining, and the
    /// special card that is played, used as a reaction or dismissed. Returns `true` without a call for HR and
    /// for actions that use nothing; `false` without a call for a card that `at` does not know.
    fn predict_deeds(at: &Position<Self>, action: Action, out: &mut dyn FnMut(Verb, u16)) -> bool {
        let (verb, card) = match action {
            Action::Mine => {
                out(Verb::Played, MINING);
                return true;
            }
            Action::Play { card, .. } | Action::React { card, .. } => (Verb::Played, card),
            Action::Dismiss(card) => (Verb::Discarded, card),
            _ => return true,
        };
        let Some(face) = at.face(card) else { return false };
        if let Some(item) = u16::from(face.index()).checked_sub(1).filter(|&n| n < MINING) {
            out(verb, item);
        }
        true
    }

    /// Returns the points of a seat, which are its score; never `None`.
    fn standing(at: &Position<Self>, seat: Seat) -> Option<i32> {
        Some(i32::from(at.state().score(seat)))
    }

    /// Returns the round, from 1, and as turn the number of the active seat; never `None`.
    fn turn_id(&self) -> Option<TurnId> {
        Some(TurnId { round: u32::from(self.round), turn: u32::from(self.active.0) })
    }

    /// Returns how the game ended: `with a Chain complete` or `at the cap`; `None` before the end.
    fn ending(&self) -> Option<&'static str> {
        Vires::ending(self).map(|ending| match ending.complete {
            Some(_) => "with a Chain complete",
            None => "at the cap",
        })
    }

    /// Returns the part of the game that an action belongs to, for a report: `Mining`, `Playing cards`
    /// (plays, offers, choices of PONZI), `Reactions` (and passing), `Discarding`, or `Other`.
    fn phase(action: Action) -> &'static str {
        match action {
            Action::Mine => "Mining",
            Action::Play { .. } | Action::Offer(_) | Action::Choose(_) => "Playing cards",
            Action::React { .. } | Action::Pass => "Reactions",
            Action::Dismiss(_) => "Discarding",
            _ => "Other",
        }
    }

    /// Estimates the seconds that people take for this action: 15 for plays, reactions and offers, 3 for
    /// passing and ending, 8 for all others.
    fn seconds(&self, action: Action) -> u32 {
        match action {
            Action::Pass | Action::End | Action::Done => 3,
            Action::Play { .. } | Action::React { .. } | Action::Offer(_) => 15,
            _ => 8,
        }
    }
}
