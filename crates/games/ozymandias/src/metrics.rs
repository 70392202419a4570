//! What is counted for the designer: cards bought, used and sold; what players do with a turn.

use crate::actions::Action;
use crate::cards::{CARDS, FACTIONS, Faction, Myth, Thing};
use crate::facts::Fact;
use crate::state::{Ozymandias, vault};
use pentarchy_engine::{AppliedEvent, Deed, Face, Item, Metrics, Position, Seat, Token, TurnId, Verb};

/// What a player can do with a turn, numbered behind the cards.
const DEEDS: [&str; 4] = ["Explore", "Expand", "Crisis", "Withdraw"];

impl Metrics for Ozymandias {
    /// Returns all items that are counted: the 48 cards in the order of the table, grouped by faction, then
    /// the main actions explore, expand, crisis and withdraw. The index is the item number of a deed.
    fn items() -> Vec<Item> {
        let group = |faction: Faction| match faction {
            Faction::Red => "Red cards",
            Faction::White => "White cards",
            Faction::Blue => "Blue cards",
            Faction::Black => "Black cards",
        };
        let twelve = |f: Faction| {
            CARDS[12 * f.index()..][..12].iter().map(move |c| Item::new(c.title, group(f), Verb::Bought))
        };
        let cards = FACTIONS.into_iter().flat_map(twelve);
        cards.chain(DEEDS.into_iter().map(|name| Item::new(name, "Main actions", Verb::Played))).collect()
    }

    /// Calls `out` for each deed of an event, from its facts. A card is *played* when it is laid to expand,
    /// when it works in a window and when it goes into a crisis, *discarded* when it is sold to explore, and
    /// *bought* when it is taken from the market at the end of a turn; a card bought from the deck is not
    /// counted. Exploring, expanding, calling a crisis and withdrawing are *played* too. `event` must be the
    /// simulator's, which knows all faces.
    fn deeds(event: &AppliedEvent<'_, Self>, out: &mut dyn FnMut(Deed)) {
        let number = |t: Token| myth(event.before, t).map(|myth| u16::from(Thing::Myth(myth).index()));
        for fact in event.facts {
            let (seat, verb, card, deed) = match *fact {
                Fact::Explored { seat, card, .. } => (seat, Verb::Discarded, number(card), Some(0)),
                Fact::Expanded(seat, card) => (seat, Verb::Played, number(card), Some(1)),
                Fact::CrisisCalled(seat) => (seat, Verb::Played, None, Some(2)),
                Fact::Withdrew(seat) => (seat, Verb::Played, None, Some(3)),
                Fact::Used { seat, card, .. } => {
                    (seat, Verb::Played, Some(u16::from(Thing::Myth(card).index())), None)
                }
                Fact::Contributed(seat, card) => (seat, Verb::Played, number(card), None),
                // A card bought from the deck is not chosen, so it is not counted.
                Fact::Bought { seat, card, .. } => (seat, Verb::Bought, number(card), None),
                _ => continue,
            };
            if let Some(item) = card {
                out(Deed { seat, verb, item });
            }
            if let Some(deed) = deed {
                out(Deed { seat, verb: Verb::Played, item: CARDS.len() as u16 + deed });
            }
        }
    }

    /// Calls `out` with the uses that [`deeds`](Self::deeds) would report of an action that names its card
    /// and of a main action, and returns `true`; returns `true` without a call for actions that use nothing.
    /// Returns `false` without a call for activations and choices of a target, whose card works at once or
    /// later, and for a card that `at` does not know.
    fn predict_deeds(at: &Position<Self>, action: Action, out: &mut dyn FnMut(Verb, u16)) -> bool {
        let (verb, card, deed) = match action {
            Action::Explore(t) => (Verb::Discarded, Some(t), Some(0)),
            Action::Expand(t) => (Verb::Played, Some(t), Some(1)),
            Action::Crisis => (Verb::Played, None, Some(2)),
            Action::Withdraw => (Verb::Played, None, Some(3)),
            Action::Contribute(t) => (Verb::Played, Some(t), None),
            Action::Buy(t) => (Verb::Bought, Some(t), None),
            Action::Activate(_) | Action::Choose(_) => return false,
            _ => return true,
        };
        if let Some(t) = card {
            let Some(myth) = myth(at, t) else { return false };
            out(verb, u16::from(Thing::Myth(myth).index()));
        }
        if let Some(deed) = deed {
            out(Verb::Played, CARDS.len() as u16 + deed);
        }
        true
    }

    /// Returns the score of a seat with the faces that its vault still hides; never `None`. `at` must be the
    /// simulator's position.
    fn standing(at: &Position<Self>, seat: Seat) -> Option<i32> {
        let state = at.state();
        let cards = state.tokens.iter(vault(seat)).filter_map(|card| myth(at, card));
        Some(state.influence(seat) + cards.map(|myth| state.vault_worth(myth)).sum::<i32>())
    }

    /// Returns the round, from 1, and the number of the turn in the game, from 0; never `None`.
    fn turn_id(&self) -> Option<TurnId> {
        let (turn, seats) = (u32::from(self.turn), u32::from(self.seats));
        Some(TurnId { round: turn / seats + 1, turn })
    }

    /// Returns how the game ended: `by bankruptcy`, `at the last round allowed` or `at the end of history`;
    /// `None` before the end.
    fn ending(&self) -> Option<&'static str> {
        self.is_over().then_some(match (self.bankrupt, self.capped) {
            (Some(_), _) => "by bankruptcy",
            (None, true) => "at the last round allowed",
            (None, false) => "at the end of history",
        })
    }

    /// Returns the part of a turn that an action belongs to, for a report: `Choosing the action`, `Placing
    /// sectors and cities`, `The tableau` (activating and picking up cards, being done), `Crises` (sector,
    /// contribution, pass), `Buying`, or `Effects of cards` for targets.
    fn phase(action: Action) -> &'static str {
        match action {
            Action::Explore(_) | Action::Expand(_) | Action::Crisis | Action::Withdraw => {
                "Choosing the action"
            }
            Action::Place(_) | Action::Build(_) => "Placing sectors and cities",
            Action::Activate(_) | Action::Done | Action::Pickup(_) | Action::PickupAll => "The tableau",
            Action::Sector(_) | Action::Contribute(_) | Action::Pass => "Crises",
            Action::Buy(_) | Action::BuyDeck => "Buying",
            _ => "Effects of cards",
        }
    }

    /// Estimates the seconds that people take for this action: 40 for the main action, 20 for contributions,
    /// sectors and purchases, 5 for confirmations, 12 for all others.
    fn seconds(&self, action: Action) -> u32 {
        match action {
            Action::Explore(_) | Action::Expand(_) | Action::Crisis => 40,
            Action::Contribute(_) | Action::Pass | Action::Sector(_) | Action::Buy(_) | Action::BuyDeck => 20,
            Action::Done | Action::PickupAll => 5,
            _ => 12,
        }
    }
}

/// Returns the card of a token; `None` if the observer does not know it or it is a tile.
fn myth(at: &Position<Ozymandias>, t: Token) -> Option<Myth> {
    at.face(t)?.myth()
}
