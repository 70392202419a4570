//! The reasons of hints: what an action achieves, in one sentence with numbers.

use super::faces;
use super::words::{chooser_text, cities, faction_name, sector, strength, value};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Game, Position, Seat, Token};
use pentarchy_ozymandias::cards::{Faction, TILES, Thing};
use pentarchy_ozymandias::forecast::{Outlook, forecast};
use pentarchy_ozymandias::map::Hex;
use pentarchy_ozymandias::state::{TILE_STACK, hand};
use pentarchy_ozymandias::{Action, DecisionKind, Ozymandias, Target};

type View = Position<Ozymandias>;

/// Describes in one sentence why the deciding seat may want an action, with numbers where they matter: the influence
/// gained or kept, what a city changes, how a contribution compares with unseen cards, the value of a target. Seats
/// are written `@0`. `None` if no seat decides, for expanding with, taking back or contributing a card that the
/// observer does not know, for a city, contribution or *Continue* outside its step, and for a sector without a known
/// hand card. A sold or bought card that the observer does not know counts as 0. Not checked: whether the action is
/// legal.
pub(super) fn merit(view: &View, action: Action) -> Option<String> {
    let state = view.state();
    let seat = view.actor()?;
    let purse = state.influence(seat);
    let left = |price: i32| format!("You keep {} influence.", purse - price);
    Some(match action {
        Action::Explore(t) => format!("It pays {} influence now, and a new sector comes.", value(view, t)),
        Action::Expand(t) => {
            let myth = faces::myth(view, t)?;
            let faction = faction_name(myth.faction());
            format!("{faction} gets a city, and {} works from your tableau.", myth.printed().title)
        }
        Action::Crisis => match strongest_card(view, seat) {
            Some((faction, hex)) => {
                format!("Your {faction} card is strong at {}: a win raises its value.", sector(view, hex))
            }
            None => "A crisis moves the values of the factions.".to_string(),
        },
        Action::Withdraw | Action::PickupAll => {
            "Your tableau cards can be used again from your hand.".to_string()
        }
        Action::Place(_) => match state.tokens().top(TILE_STACK).and_then(|t| view.face(t)) {
            Some(Thing::Tile(i)) => {
                format!("{} opens new corners for cities.", TILES[usize::from(i)].title)
            }
            _ => "The sector opens new corners for cities.".to_string(),
        },
        Action::Build(at) => {
            let DecisionKind::Build(faction) = state.decision_kind() else { return None };
            let name = faction_name(faction);
            match state.pile(at).and_then(|pile| pile.ruler()) {
                Some(ruler) if ruler == faction => format!("{name} keeps this stack."),
                Some(ruler) => format!("{name} takes the stack from {ruler} and fights with it in a crisis."),
                None => {
                    let near = state.sectors().iter().filter(|sector| at.touches(sector.hex)).count();
                    match near {
                        1 => format!("{name} is stronger in crises at 1 sector."),
                        n => format!("{name} is stronger in crises at {n} sectors."),
                    }
                }
            }
        }
        Action::Activate(_) => "Using a card of your tableau costs nothing.".to_string(),
        Action::Pickup(t) => {
            format!("{} returns to your hand and can be contributed.", faces::myth(view, t)?.printed().title)
        }
        Action::Sector(hex) => {
            let own = state.tokens().iter(hand(seat)).filter_map(|t| faces::myth(view, t));
            let best = own.max_by_key(|&myth| {
                (is_taking_part(view, myth.faction(), hex), state.strength_at(myth, hex).total())
            })?;
            let there = state.cities_of(best.faction(), hex);
            match there {
                0 => "None of your factions takes part there.".to_string(),
                n => format!(
                    "{} has {} there, and you hold its card.",
                    faction_name(best.faction()),
                    cities(n)
                ),
            }
        }
        Action::Contribute(t) => {
            let (hex, _) = state.in_crisis()?;
            let found = forecast(view, seat, faces::myth(view, t)?, hex);
            let strength = strength(view, t);
            match found.outlook {
                Outlook::Wins => format!("Nobody can beat strength {strength}."),
                Outlook::WinsOrTies => format!("Strength {strength} wins or ties."),
                Outlook::MayLose => {
                    let only = if 3 * found.beaten_by < found.of { "only " } else { "" };
                    let (beaten_by, of) = (found.beaten_by, found.of);
                    format!("Strength {strength} loses {only}to {beaten_by} of {of} unseen cards.")
                }
            }
        }
        Action::Pass => {
            let serious = state.tokens().iter(hand(seat)).filter_map(|t| faces::myth(view, t));
            let serious = serious.into_iter().any(|myth| state.risk(seat, Some(myth)).is_serious());
            match serious {
                true => "A card from your hand could leave you bankrupt.".to_string(),
                false => "You keep your cards: a weak one would be lost to the tableau.".to_string(),
            }
        }
        Action::BuyDeck => left(state.deck_price()),
        Action::Buy(t) => {
            let price = value(view, t);
            format!("{} It costs {price}.", left(price))
        }
        Action::Choose(Target::None) => "It has no good target now.".to_string(),
        Action::Choose(Target::Player(other)) => {
            format!("{} has {} influence.", who(other), state.influence(other))
        }
        Action::Choose(Target::Faction(faction)) => {
            format!("{} is worth {}.", faction_name(faction), state.value(faction))
        }
        Action::Choose(_) => chooser_text(view),
        Action::Done => match state.decision_kind() {
            DecisionKind::Effects => "The other cards would not gain anything now.".to_string(),
            DecisionKind::Prelude => "The cards of your tableau keep working.".to_string(),
            _ => return None,
        },
    })
}

/// Returns whether a faction has a city at a sector, and so takes part in a crisis there.
fn is_taking_part(view: &View, faction: Faction, hex: Hex) -> bool {
    view.state().cities_of(faction, hex) > 0
}

/// Returns the faction of the card in a seat's hand that is strongest at any sector, and that sector; the last of
/// equals in the order of hand and sectors. `None` if no card that the observer knows takes part anywhere.
fn strongest_card(view: &View, seat: Seat) -> Option<(Faction, Hex)> {
    let state = view.state();
    let cards = state.tokens().iter(hand(seat)).filter_map(|t: Token| faces::myth(view, t));
    let all = cards.flat_map(|myth| state.sectors().iter().map(move |sector| (myth, sector.hex)));
    let all = all.filter(|(myth, hex)| is_taking_part(view, myth.faction(), *hex));
    let (myth, hex) = all.max_by_key(|(myth, hex)| state.strength_at(*myth, *hex).total())?;
    Some((myth.faction(), hex))
}
