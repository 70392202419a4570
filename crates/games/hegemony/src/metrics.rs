//! What the lab counts: cards bought, placed, used and sold, and Player Actions.

use crate::actions::Action;
use crate::cards::{CARDS, Card, Category};
use crate::facts::Fact;
use crate::state::{Ending, Hegemony};
use pentarchy_engine::{AppliedEvent, Deed, Face, Game, Item, Metrics, Position, Seat, Token, TurnId, Verb};

/// The Player Actions; their item numbers follow those of the cards.
const DEEDS: [&str; 4] = ["War on the Empire", "War on a player", "Trade with the Empire", "Fresh cards"];

impl Metrics for Hegemony {
    /// Returns what is counted: the cards in the order of the table, then the Player Actions. The index is
    /// the item number of a deed.
    fn items() -> Vec<Item> {
        let group = |card: Card| match card.category() {
            Category::Military => "Military cards",
            Category::Trade => "Trade cards",
            Category::Diplomacy => "Diplomacy cards",
        };
        let cards = CARDS.into_iter().map(|card| Item::new(card.title(), group(card), Verb::Bought));
        cards.chain(DEEDS.into_iter().map(|name| Item::new(name, "Main actions", Verb::Played))).collect()
    }

    /// Calls `out` for each fact of a seat that is counted: cards bought or taken (`Bought`), placed,
    /// stationed or used (`Played`), sold or given away (`Discarded`), and Player Actions (`Played`). `event`
    /// must be the simulator's, which knows all faces.
    fn deeds(event: &AppliedEvent<'_, Self>, out: &mut dyn FnMut(Deed)) {
        let number = |card: Card| u16::from(card.index());
        let token = |t: Token| event.before.face(t).map(number);
        let action = |i: usize| Some((CARDS.len() + i) as u16);
        for fact in event.facts {
            let (seat, verb, item) = match *fact {
                Fact::Bought { seat, card, .. } => (Some(seat), Verb::Bought, Some(number(card))),
                Fact::Took(seat, card) => (Some(seat), Verb::Bought, token(card)),
                Fact::Placed { seat, card, .. } | Fact::Stationed { seat, card, .. } => {
                    (Some(seat), Verb::Played, token(card))
                }
                Fact::UseBegan(seat, card) => (Some(seat), Verb::Played, Some(number(card))),
                Fact::Sabotaged(side) => (side.seat(), Verb::Played, Some(number(Card::Sabotage))),
                Fact::Sold { seat, card, .. } => (Some(seat), Verb::Discarded, Some(number(card))),
                Fact::Gave(seat, card) => (Some(seat), Verb::Discarded, token(card)),
                Fact::WarBegan(seat, on) => (Some(seat), Verb::Played, action(usize::from(!on.is_empire()))),
                Fact::TradeBegan(seat) => (Some(seat), Verb::Played, action(2)),
                Fact::DrewFresh(seat) => (Some(seat), Verb::Played, action(3)),
                _ => continue,
            };
            if let (Some(seat), Some(item)) = (seat, item) {
                out(Deed { seat, verb, item });
            }
        }
    }

    /// Calls `out` with the use that [`deeds`](Self::deeds) would report of a legal action that names its
    /// card or Player Action, and returns `true`. Returns `true` without a call for `done`, `pass`, `scalp`,
    /// `target` and `stop`, which use nothing. Returns `false` without a call for all other actions, whose
    /// uses only applying them tells, and for a card that `at` does not know.
    fn predict_deeds(at: &Position<Self>, action: Action, out: &mut dyn FnMut(Verb, u16)) -> bool {
        let deed = |i: usize| Some((CARDS.len() + i) as u16);
        let card = |t: Token| at.face(t).map(|card: Card| u16::from(card.index()));
        let (verb, item) = match action {
            Action::Buy(t) | Action::Take(t) => (Verb::Bought, card(t)),
            Action::Place(t, ..) | Action::Station(t, _) | Action::Use(t) => (Verb::Played, card(t)),
            Action::Sell(t) | Action::Give(t) => (Verb::Discarded, card(t)),
            Action::War(on) => (Verb::Played, deed(usize::from(!on.is_empire()))),
            Action::Trade => (Verb::Played, deed(2)),
            Action::Fresh => (Verb::Played, deed(3)),
            Action::Done | Action::Pass | Action::Scalp(_) | Action::Target(_) | Action::Stop => return true,
            _ => return false,
        };
        item.is_some_and(|item| {
            out(verb, item);
            true
        })
    }

    /// Returns the Victory Points of a seat, which are its score; never `None`.
    fn standing(at: &Position<Self>, seat: Seat) -> Option<i32> {
        Some(at.state().vp[seat.index()])
    }

    /// Returns the round, and as turn the seat number, 6 for the Empire, or [`TurnId::BETWEEN`]; never
    /// `None`.
    fn turn_id(&self) -> Option<TurnId> {
        let turn = self.turn.map_or(TurnId::BETWEEN, |side| side.index() as u32);
        Some(TurnId { round: u32::from(self.round), turn })
    }

    /// Returns how the game ended: `with the Empire toppled`, `with all players defeated`, `with one player
    /// left` or `at the last round allowed`; `None` before the end.
    fn ending(&self) -> Option<&'static str> {
        self.outcome().and(self.ending).map(|ending| match ending {
            Ending::Toppled => "with the Empire toppled",
            Ending::EmpireWins => "with all players defeated",
            Ending::LastOne => "with one player left",
            Ending::Cap => "at the last round allowed",
        })
    }

    /// Returns the part of a turn that an action belongs to, for a report: `Replacing cards` (place, station,
    /// enter), `Buying` (from the common pool, scalp, sell, lobby), `The action` (war, trade, fresh, buying
    /// or asking at the Empire), `Diplomacy` (use, its targets, Offer), or `Reactions and passing` for all
    /// others.
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

    /// Estimates the seconds that people take for this action: 30 for war, trade and fresh cards, 15 for
    /// placing and buying, 4 for confirmations, 10 for all others.
    fn seconds(&self, action: Action) -> u32 {
        match action {
            Action::War(_) | Action::Trade | Action::Fresh => 30,
            Action::Place(..) | Action::Station(..) | Action::Buy(_) | Action::Ebuy(_) => 15,
            Action::Done | Action::Pass | Action::Enter(_) | Action::Stop | Action::Refill => 4,
            _ => 10,
        }
    }
}
