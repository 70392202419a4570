//! What is counted for the designer: cards that fight and cards that are spent, and what armies do.

use crate::actions::Action;
use crate::cards::{CARDS, Category};
use crate::face::{Mode, Shown};
use crate::facts::Fact;
use crate::rules::DecidedBy;
use crate::state::{Hestia, slip};
use pentarchy_engine::{AppliedEvent, Deed, Item, Metrics, Position, Seat, Token, TurnId, Verb};

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
    /// Returns all items that are counted: the 20 cards, grouped by category, then seven orders: 0, 1 and 2
    /// cards for movement, army, rally, token, clash given up. The index is the item number of a deed.
    fn items() -> Vec<Item> {
        let group = |category: Category| match category {
            Category::Commander => "Commanders",
            Category::Infantry => "Infantry",
            Category::Cavalry => "Cavalry",
            Category::Missile => "Missile cards",
            Category::Tactic => "Tactics",
        };
        let cards = CARDS.iter().map(|card| Item::new(card.name, group(card.category), Verb::Played));
        cards.chain(DEEDS.into_iter().map(|name| Item::new(name, "Orders", Verb::Played))).collect()
    }

    /// Calls `out` for each deed of an event, from its facts. A card is *played* in a clash and in the bid;
    /// spent on marches, on a retreat, for another card or at the turn of the year it is *discarded*. The
    /// number of cards for movement, an activated army, a rally, a placed token and a clash given up (sealed
    /// to retreat or withdraw) are *played* as orders. `event` must be the simulator's, which knows all
    /// faces.
    fn deeds(event: &AppliedEvent<'_, Self>, out: &mut dyn FnMut(Deed)) {
        let number = |t: Token| event.before.face(t).and_then(|f| f.card()).map(|card| card as u16);
        // The simulator sees the sealed choice, which the facts do not tell.
        let gives_up = |seat: Seat| {
            let state = event.after.state();
            let sealed = state.tokens.top(slip(seat)).and_then(|t| event.after.face(t));
            matches!(sealed, Some(Shown::Mode(Mode::Retreat | Mode::Withdraw)))
        };
        for fact in event.facts {
            let (seat, card, order) = match *fact {
                Fact::SealedCardPlayed(seat, t) if gives_up(seat) => {
                    (seat, Some((Verb::Discarded, t)), Some(6))
                }
                Fact::SealedCardPlayed(seat, t)
                | Fact::FightCardPlayed(seat, t)
                | Fact::Bid(seat, t)
                | Fact::Added(seat, t) => (seat, Some((Verb::Played, t)), None),
                Fact::Discarded(seat, t, _) => (seat, Some((Verb::Discarded, t)), None),
                Fact::HeldWithoutCard(seat) if gives_up(seat) => (seat, None, Some(6)),
                Fact::MovementPaid(seat, n) => (seat, None, Some(n)),
                Fact::ArmyActivated(seat, _) => (seat, None, Some(3)),
                Fact::Rallied(seat, _) => (seat, None, Some(4)),
                Fact::TokenPlaced(seat, _) => (seat, None, Some(5)),
                _ => continue,
            };
            if let Some((verb, item)) = card.and_then(|(verb, t)| Some((verb, number(t)?))) {
                out(Deed { seat, verb, item });
            }
            if let Some(order) = order {
                out(Deed { seat, verb: Verb::Played, item: CARDS.len() as u16 + u16::from(order) });
            }
        }
    }

    /// Calls `out` with the uses that [`deeds`](Self::deeds) would report of an action that names a card or
    /// an order, and returns `true`; returns `true` without a call for actions that use nothing. Returns
    /// `false` without a call for rallies, tokens, forced marches, losses, healings, retreats and
    /// withdrawals, and for a card that `at` does not know.
    fn predict_deeds(at: &Position<Self>, action: Action, out: &mut dyn FnMut(Verb, u16)) -> bool {
        let gives_up = |mode: Option<Mode>| matches!(mode, Some(Mode::Retreat | Mode::Withdraw));
        let (card, order) = match action {
            Action::Clash(t, mode) if gives_up(mode) => (Some((Verb::Discarded, t)), Some(6)),
            Action::Clash(t, _) | Action::Fight(t) | Action::Bid(t) | Action::Add(t) => {
                (Some((Verb::Played, t)), None)
            }
            Action::Hold(mode) if gives_up(mode) => (None, Some(6)),
            Action::Discard(t) | Action::Pay(t) | Action::Swap(t) => (Some((Verb::Discarded, t)), None),
            Action::Cards(n) => (None, Some(n)),
            Action::Army(_) => (None, Some(3)),
            Action::Hold(_) | Action::Done | Action::End | Action::Pick(_) | Action::All | Action::Go => {
                (None, None)
            }
            Action::Move(_) | Action::Stop | Action::Battle(_) | Action::Drop(_) => (None, None),
            _ => return false,
        };
        if let Some((verb, t)) = card {
            let Some(number) = at.face(t).and_then(|f| f.card()) else { return false };
            out(verb, number as u16);
        }
        if let Some(order) = order {
            out(Verb::Played, CARDS.len() as u16 + u16::from(order));
        }
        true
    }

    /// Returns the number of active tokens of a seat, which is its score; never `None`.
    fn standing(at: &Position<Self>, seat: Seat) -> Option<i32> {
        Some(i32::from(at.state().active_count(seat)))
    }

    /// Returns the year as round, and as turn the seat whose turn it is, or was last; never `None`.
    fn turn_id(&self) -> Option<TurnId> {
        Some(TurnId { round: u32::from(self.year), turn: u32::from(self.mover.0) })
    }

    /// Returns how the game ended: `drawn`, `after the last year, by blocks or strength` or `after the last
    /// year, by tokens`; `None` before the end.
    fn ending(&self) -> Option<&'static str> {
        self.ending().map(|ending| match (ending.winner, ending.by) {
            (None, _) => "drawn",
            (_, DecidedBy::Cities) => "after the last year, by tokens",
            (_, DecidedBy::Blocks | DecidedBy::Strength) => "after the last year, by blocks or strength",
        })
    }

    /// Returns the phase of the game that an action belongs to, for a report: `Bidding` (bids and additions,
    /// those of a battle too), `Cards` (discards, payments, exchanges), `Orders` (armies, rallies, picking),
    /// `Marching` (moves and tokens), `Battles` (cards and sealed choices, forced marches too), or `Other`.
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

    /// Estimates the seconds that people take for this action: 20 for bids, cards in a clash, choosing an
    /// army and paying for movement, 4 for confirmations, 8 for all others.
    fn seconds(&self, action: Action) -> u32 {
        match action {
            Action::Bid(_) | Action::Clash(..) | Action::Fight(_) | Action::Army(_) | Action::Cards(_) => 20,
            Action::Done | Action::End | Action::All | Action::Go | Action::Stop => 4,
            _ => 8,
        }
    }
}
