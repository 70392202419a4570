//! The reasons of hints: what an action achieves, in one sentence with numbers.

use super::faces::{block_of, card_of};
use pentarchy_engine::{Describe, Game, Position, Seat, Token};
use pentarchy_hestia::face::Mode;
use pentarchy_hestia::map::{CITIES, Place};
use pentarchy_hestia::state::{enemy, hand};
use pentarchy_hestia::{Action, DecisionKind, Hestia};

type View = Position<Hestia>;

/// Describes in one sentence why the deciding seat may want an action, with numbers and places where they matter: the
/// value of a card, the strength of a block, the enemies in reach, what an army can do where it arrives. `None` if no
/// seat decides, if the observer does not know the card or block, if the army or battle of the action is missing, and
/// for being done outside of additions and the replacement of cards. In a bid and a forced march an unknown card
/// counts as value 0. Not checked: whether the action is legal.
pub(super) fn merit(view: &View, action: Action) -> Option<String> {
    let state = view.state();
    let seat = view.actor()?;
    let value = |t: Token| card_of(view, t).map_or(0, |card| card.value());
    Some(match action {
        Action::Discard(t) | Action::Pay(t) | Action::Swap(t) => explain_spending(view, seat, t)?,
        Action::Bid(t) => match lowest_value(view, seat) == Some(value(t)) {
            true => "You keep your better cards for movement and battles.".to_string(),
            false => format!("It bids {}: the higher bid moves first.", value(t)),
        },
        Action::Add(t) => {
            let more = state.leads_with(seat)?.addition(card_of(view, t)?)?;
            format!("It adds {more}.")
        }
        Action::Cards(n) => {
            let left = state.tokens().len(hand(seat)).saturating_sub(n.into());
            format!("You keep {} for battles.", count(left, "card"))
        }
        Action::Army(place) => {
            let from = place.spot().name;
            let foe = place.adjacent().map(|near| (near, state.land_units(near, enemy(seat))));
            match (foe.max_by_key(|(_, blocks)| *blocks).filter(|(_, blocks)| *blocks > 0), city_near(place))
            {
                (Some((near, blocks)), _) => {
                    format!("It can reach {} in {}.", count(blocks, "enemy block"), near.spot().name)
                }
                (None, Some(city)) if city != place => {
                    format!("From {from} it reaches {} in one move.", city.spot().name)
                }
                _ => "No enemy is next to it, so it can leave.".to_string(),
            }
        }
        Action::Rally(place, _) => format!("New strength comes to {} without a march.", place.spot().name),
        Action::Pick(t) => {
            let (unit, strength) = block_of(view, t)?;
            match strength {
                0 => format!("{} carries your blocks over the sea.", unit.name()),
                n => format!("{} adds strength {n} to the army.", unit.name()),
            }
        }
        Action::All => "The whole army marches together.".to_string(),
        Action::Go => "The other blocks stay and guard their place.".to_string(),
        Action::Move(to) => explain_arrival(view, seat, to),
        Action::Influence => {
            let place = state.marching()?.place;
            format!("Your token wins {} if no enemy is near after a turn.", place.spot().name)
        }
        Action::Drop(_) => format!("The block guards {}.", state.marching()?.place.spot().name),
        Action::Force(t) => format!("A card of value {} buys one more move.", value(t)),
        Action::Stop => match city_near(state.marching()?.place) {
            Some(city) => format!("The army stays near {}.", city.spot().name),
            None => "The army is well placed here.".to_string(),
        },
        Action::End => "You keep your armies where they are.".to_string(),
        Action::Battle(place) => {
            let (own, foes) = (state.land_units(place, seat), state.land_units(place, enemy(seat)));
            format!("You fight {} with {}.", count(foes, "enemy block"), count(own, "block"))
        }
        Action::Clash(_, Some(Mode::Retreat)) => "A retreat saves your blocks.".to_string(),
        Action::Clash(t, _) | Action::Fight(t) => explain_fight(view, t)?,
        Action::Hold(Some(Mode::Withdraw)) => "A retreat saves your blocks.".to_string(),
        Action::Hold(_) => "Standing keeps the place if the die is kind.".to_string(),
        Action::Lose(t) => {
            let (unit, strength) = block_of(view, t)?;
            match strength {
                1 => format!("{} is the block that you miss least.", unit.name()),
                n => format!("{} has strength {n} and survives.", unit.name()),
            }
        }
        Action::Heal(t) => {
            let (unit, strength) = block_of(view, t)?;
            format!("{} goes from strength {strength} to {}.", unit.name(), strength + 1)
        }
        Action::Flee(to) => match city_near(state.fought()?.place) {
            Some(city) => format!("In {} the enemy is farther from {}.", to.spot().name, city.spot().name),
            None => format!("The enemy loses ground in {}.", to.spot().name),
        },
        Action::Withdraw(to) => format!("Your blocks are safer in {}.", to.spot().name),
        Action::Done => match state.decision_kind() {
            DecisionKind::Add => "You keep your other cards.".to_string(),
            DecisionKind::Swap => "Your cards are good enough to keep.".to_string(),
            _ => return None,
        },
    })
}

/// Formats a count with the noun `one`, to which it adds `s` unless `n` is 1: `1 block`, `3 blocks`.
fn count(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

/// Returns the lowest value among the cards of a seat's hand that the observer knows; `None` if there is none.
fn lowest_value(view: &View, seat: Seat) -> Option<u8> {
    let cards = view.state().tokens().iter(hand(seat)).filter_map(|t| card_of(view, t));
    cards.map(|card| card.value()).min()
}

/// Describes why card `t` of the seat's hand is given away: it is the weakest, or the one needed least. `None` if the
/// observer does not know it.
fn explain_spending(view: &View, seat: Seat, t: Token) -> Option<String> {
    let card = card_of(view, t)?;
    let value = card.value();
    Some(match lowest_value(view, seat) == Some(value) {
        true => format!("With value {value} it is the weakest card of your hand."),
        false => format!("You need {} (value {value}) least now.", card.printed().name),
    })
}

/// Describes the printed value and the effect of card `t` in a battle; `None` if the observer does not know it. A
/// card without an effect has only its value.
fn explain_fight(view: &View, t: Token) -> Option<String> {
    let card = card_of(view, t)?;
    let text = Hestia::card_text(view.face(t)?)?;
    let effect = text.split_once(": ").map_or("", |(_, effect)| effect);
    Some(match effect {
        "" => format!("It fights with {}.", card.value()),
        effect => format!("It fights with {}. {effect}", card.value()),
    })
}

/// Returns a city-state at a place or adjacent to it, the first in the order of `CITIES`; `None` if there is none.
fn city_near(place: Place) -> Option<Place> {
    CITIES.iter().copied().find(|&city| city == place || place.edge_to(city).is_some())
}

/// Describes what an army of `seat` can do at the place where it arrives, by the first that applies: attack
/// enemy land units there; place a token in a city-state; make an own token active, threaten an active
/// enemy one or guard an own one, there or beside it; reach an adjacent city-state next turn; control a
/// sea; else that it is on the way.
fn explain_arrival(view: &View, seat: Seat, to: Place) -> String {
    let state = view.state();
    let foe = enemy(seat);
    let place = to.spot().name;
    match state.land_units(to, foe) {
        0 => {}
        foes => return format!("You attack {} in {place}.", count(foes, "enemy block")),
    }
    let near = || CITIES.iter().copied().filter(|&city| city == to || to.edge_to(city).is_some());
    if to.city().is_some() && !state.has_token(to, seat) && state.tokens_left(seat) > 0 {
        return format!("You can place a token in {place} and win it.");
    }
    if let Some(city) = near().find(|&city| state.has_token(city, seat) && !state.is_active(city, seat)) {
        return format!("Your token in {} becomes active if no enemy is near.", city.spot().name);
    }
    if let Some(city) = near().find(|&city| state.is_active(city, foe)) {
        return format!("It threatens the enemy token in {}.", city.spot().name);
    }
    if let Some(city) = near().find(|&city| state.is_active(city, seat)) {
        return format!("It guards your token in {}.", city.spot().name);
    }
    match near().next() {
        Some(city) => format!("From {place} you reach {} next turn.", city.spot().name),
        None if to.is_sea() => format!("Your fleet gains control of {place}."),
        None => format!("{place} is on the way to the next city-state."),
    }
}
