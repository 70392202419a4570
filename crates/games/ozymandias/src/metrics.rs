//! What is counted for the designer: cards bought, used and sold; what players do with a turn.

use crate::actions::Act;
use crate::cards::{CARDS, FACTIONS, Faction, Myth};
use crate::state::{Ozymandias, vault};
use pentarchy_engine::{Deed, Face, Item, Metrics, Moment, Position, Seat, Token, Verb};

/// What a player can do with a turn, numbered behind the cards.
const DEEDS: [&str; 4] = ["Explore", "Expand", "Crisis", "Withdraw"];

impl Metrics for Ozymandias {
    fn items() -> Vec<Item> {
        let group = |faction: Faction| match faction {
            Faction::Red => "Red cards",
            Faction::White => "White cards",
            Faction::Blue => "Blue cards",
            Faction::Black => "Black cards",
        };
        let twelve =
            |f: Faction| CARDS[12 * f.index()..][..12].iter().map(move |c| Item::new(c.title, group(f)));
        let cards = FACTIONS.into_iter().flat_map(twelve);
        cards.chain(DEEDS.into_iter().map(|name| Item::new(name, "Main actions"))).collect()
    }

    /// A card is *played* when it is laid to expand, when it works in a window and when it goes into a crisis,
    /// *discarded* when it is sold to explore.
    fn deeds(at: &Position<Self>, action: Option<Act>, out: &mut dyn FnMut(Deed)) {
        let (Some(seat), Some(action)) = (at.actor(), action) else { return };
        let mut tell = |verb, item| out(Deed { seat, verb, item });
        let (card, deed) = match action {
            Act::Explore(t) => (Some((Verb::Discarded, t)), Some(0)),
            Act::Expand(t) => (Some((Verb::Played, t)), Some(1)),
            Act::Crisis => (None, Some(2)),
            Act::Withdraw => (None, Some(3)),
            Act::Activate(t) | Act::Contribute(t) => (Some((Verb::Played, t)), None),
            Act::Buy(t) => (Some((Verb::Bought, t)), None),
            // From the deck nobody chooses the card, so what is bought is not put down to it.
            _ => (None, None),
        };
        if let Some((verb, t)) = card
            && let Some(myth) = myth(at, t)
        {
            tell(verb, u16::from(crate::cards::Thing::Myth(myth).index()));
        }
        if let Some(deed) = deed {
            tell(Verb::Played, CARDS.len() as u16 + deed);
        }
    }

    /// The score with the faces that the vault still hides.
    fn standing(at: &Position<Self>, seat: Seat) -> Option<i32> {
        let state = at.state();
        let bonus = i32::from(state.settings.vault_rank_bonus);
        let cards = state.tokens.iter(vault(seat)).filter_map(|card| myth(at, card));
        let worth = cards.map(|m| state.value(m.faction()) + (bonus - i32::from(m.rank())).max(0));
        Some(state.influence(seat) + worth.sum::<i32>())
    }

    fn moment(&self) -> Option<Moment> {
        let (turn, seats) = (u32::from(self.turn), u32::from(self.seats));
        Some(Moment { round: turn / seats + 1, turn })
    }

    fn ending(&self) -> &'static str {
        match (self.bankrupt, self.capped) {
            (Some(_), _) => "by bankruptcy",
            (None, true) => "at the last round allowed",
            (None, false) => "at the end of history",
        }
    }

    fn phase(action: Act) -> &'static str {
        match action {
            Act::Explore(_) | Act::Expand(_) | Act::Crisis | Act::Withdraw => "Choosing the action",
            Act::Place(_) | Act::Build(_) => "Placing sectors and cities",
            Act::Activate(_) | Act::Done | Act::Pickup(_) | Act::PickupAll => "The tableau",
            Act::Sector(_) | Act::Contribute(_) | Act::Pass => "Crises",
            Act::Buy(_) | Act::BuyDeck => "Buying",
            _ => "Effects of cards",
        }
    }

    fn seconds(&self, action: Act) -> u32 {
        match action {
            Act::Explore(_) | Act::Expand(_) | Act::Crisis => 40,
            Act::Contribute(_) | Act::Pass | Act::Sector(_) | Act::Buy(_) | Act::BuyDeck => 20,
            Act::Done | Act::PickupAll => 5,
            _ => 12,
        }
    }
}

fn myth(at: &Position<Ozymandias>, t: Token) -> Option<Myth> {
    at.face(t)?.myth()
}
