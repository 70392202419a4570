//! Words about the table of Hestia: questions, rows, reasons.

use super::faces::{block_name, block_of, card_of, icon, unit_icon};
use super::keys::{place_of, token_of};
use crate::board::{Ask, Note, Row};
use pentarchy_engine::{Describe, Game, Position, Seat, Token};
use pentarchy_hestia::face::{Mode, Shown};
use pentarchy_hestia::map::{Edge, Place, at};
use pentarchy_hestia::state::{H, L, enemy, hand, land, ships};
use pentarchy_hestia::{Act, Hestia, Moment};

type View = Position<Hestia>;

/// A card or block in a sentence.
fn name(view: &View, t: Token) -> String {
    match view.face(t) {
        Some(Shown::Card(card)) => card.printed().name.to_string(),
        Some(Shown::Block(unit, _)) => unit.name(),
        _ => "it".to_string(),
    }
}

fn enemies(view: &View, place: Place, seat: Seat) -> usize {
    view.state().land_units(place, enemy(seat))
}

/// What a step to a place costs the march.
fn stops(view: &View, to: Place) -> Option<&'static str> {
    let state = view.state();
    let from = state.marching()?.place;
    // Who has won over both ends of the bridge between Maudret and Zekula crosses it freely.
    let bridge = [at::MAU, at::ZEK];
    let bridged = [from, to].iter().all(|place| bridge.contains(place))
        && bridge.iter().all(|&place| state.is_active(place, state.mover()));
    match from.edge_to(to)? {
        Edge::River if !bridged => Some("Crossing a river ends the march."),
        Edge::Crossing => Some("The strait is crossed without ships."),
        Edge::Coast if !to.is_sea() => Some("Landing ends the march."),
        _ => None,
    }
}

/// Whether an action is done without a question: it costs nothing, or can be seen at a glance.
pub(super) fn quick(view: &View, action: Act) -> bool {
    let Some(seat) = view.actor() else { return false };
    match action {
        Act::Pick(_) | Act::Army(_) | Act::Lose(_) | Act::Heal(_) | Act::Battle(_) => true,
        Act::Move(to) => enemies(view, to, seat) == 0 && stops(view, to).is_none(),
        _ => false,
    }
}

/// The question before an action.
pub(super) fn ask(view: &View, action: Act) -> Option<Ask> {
    let state = view.state();
    let seat = view.actor()?;
    let plain = |question: String, consequence: String, verb: &str| {
        Some(Ask { question, consequence, verb: verb.to_string() })
    };
    let left = state.tokens().len(hand(seat)).saturating_sub(1);
    let keep = match left {
        1 => "1 card is left in your hand.".to_string(),
        n => format!("{n} cards are left in your hand."),
    };
    match action {
        Act::Move(to) => {
            let place = to.spot().name;
            let foes = enemies(view, to, seat);
            if foes > 0 {
                let foes =
                    if foes == 1 { "1 enemy block".to_string() } else { format!("{foes} enemy blocks") };
                let text = format!("{foes} there; enemies end the march.");
                return plain(format!("March to {place}? It will be a battle."), text, "March");
            }
            plain(format!("March to {place}?"), stops(view, to).unwrap_or_default().to_string(), "March")
        }
        Act::Influence => {
            let place = state.marching()?.place.spot().name;
            let left = state.tokens_left(seat).saturating_sub(1);
            let text =
                format!("It lies face down and turns active if you hold the city. {left} tokens are left.");
            plain(format!("Place a token in {place}?"), text, "Place it")
        }
        Act::Drop(t) => plain(format!("Leave {} behind?", name(view, t)), String::new(), "Leave it"),
        Act::Force(t) => plain(
            format!("Force the march with {}?", name(view, t)),
            format!("One more space. {keep}"),
            "March on",
        ),
        Act::Bid(t) => {
            plain(format!("Bid {}?", name(view, t)), "The higher card has the first turn.".to_string(), "Bid")
        }
        Act::Add(t) => plain(format!("Add {} to the lead?", name(view, t)), keep, "Add it"),
        Act::Pay(t) => plain(format!("Pay with {}?", name(view, t)), keep, "Pay"),
        Act::Swap(t) => {
            plain(format!("Put {} away for a new card?", name(view, t)), String::new(), "Exchange")
        }
        Act::Discard(t) => plain(format!("Put {} away?", name(view, t)), keep, "Put away"),
        Act::Rally(at, None) => {
            plain(format!("Rally in {}?", at.spot().name), "It costs an order.".to_string(), "Rally")
        }
        Act::Rally(at, Some(sea)) => plain(
            format!("Raise the ships of {} in {}?", at.spot().name, sea.spot().name),
            "It costs an order.".to_string(),
            "Raise them",
        ),
        Act::Clash(t, mode) => {
            let retreat = mode == Some(Mode::Retreat);
            let verb = if retreat { "Retreat" } else { "Fight" };
            let question = format!("{verb} with {}?", name(view, t));
            plain(question, keep, if retreat { "Retreat under it" } else { "Fight with it" })
        }
        Act::Fight(t) => plain(format!("Fight with {}?", name(view, t)), keep, "Fight"),
        Act::Flee(to) => plain(format!("Drive them to {}?", to.spot().name), String::new(), "Drive them"),
        Act::Withdraw(to) => plain(format!("Withdraw to {}?", to.spot().name), String::new(), "Withdraw"),
        _ => None,
    }
}

/// How the list shows an action.
pub(super) fn row(view: &View, action: Act) -> Row {
    let Some(seat) = view.actor() else { return Row::default() };
    let card = |t: Token, label: Option<String>| {
        let card = card_of(view, t);
        Row { icon: card.map(icon), label, value: card.map(|c| c.value().to_string()) }
    };
    let block = |t: Token| Row {
        icon: block_of(view, t).map(|(unit, _)| unit_icon(unit)),
        label: Some(name(view, t)),
        value: block_of(view, t).filter(|b| b.1 > 0).map(|(unit, n)| format!("{n} of {}", unit.full())),
    };
    let to = |place: Place, icon: &'static str| {
        let foes = enemies(view, place, seat);
        let value = match foes {
            0 => None,
            1 => Some("1 enemy".to_string()),
            n => Some(format!("{n} enemies")),
        };
        let icon = if foes > 0 { "crossed-swords" } else { icon };
        Row { icon: Some(icon), label: Some(place.spot().name.to_string()), value }
    };
    match action {
        Act::Discard(t) | Act::Bid(t) | Act::Add(t) | Act::Pay(t) | Act::Swap(t) | Act::Force(t) => {
            card(t, None)
        }
        Act::Clash(t, _) | Act::Fight(t) => card(t, Some(name(view, t))),
        Act::Pick(t) | Act::Drop(t) | Act::Lose(t) | Act::Heal(t) => block(t),
        Act::Army(at) => {
            let state = view.state();
            let blocks = state.land_units(at, seat) + state.ship_count(at, seat);
            let value = if blocks == 1 { "1 block".to_string() } else { format!("{blocks} blocks") };
            Row { icon: Some("spears"), label: Some(at.spot().name.to_string()), value: Some(value) }
        }
        Act::Move(at) => to(at, if at.is_sea() { "trireme" } else { "spears" }),
        Act::Battle(at) | Act::Flee(at) | Act::Withdraw(at) => to(at, "spears"),
        Act::Rally(_, sea) => {
            let icon = if sea.is_some() { "trireme" } else { "rally-the-troops" };
            Row { icon: Some(icon), ..Row::default() }
        }
        Act::Influence => Row { icon: Some("greek-temple"), ..Row::default() },
        _ => Row { icon: Some("play-button"), ..Row::default() },
    }
}

/// Why nothing can be done with a piece now.
pub(super) fn why_not(view: &View, key: &str) -> Option<String> {
    let state = view.state();
    let seat = view.actor()?;
    if let Some(t) = token_of(key) {
        let card = card_of(view, t)?;
        return match state.moment() {
            Moment::Add => {
                let lead = state.leads_with(seat)?;
                lead.addition(card).is_none().then(|| format!("It cannot join {}.", lead.printed().name))
            }
            Moment::March => Some("A card forces the march only when no space is left.".to_string()),
            Moment::Orders | Moment::Pick => Some("Cards are for battles, bids and marches.".to_string()),
            _ => None,
        };
    }
    let place = place_of(key)?;
    match state.moment() {
        Moment::March => {
            let army = state.marching()?;
            if army.place == place {
                return None;
            }
            if army.spaces == 0 {
                return Some("The army has no space left.".to_string());
            }
            match army.place.edge_to(place) {
                None => {
                    Some(format!("{} does not border on it, or mountains part them.", army.place.spot().name))
                }
                Some(Edge::Coast) if place.is_sea() => {
                    Some("Armies embark in ports only, and need a ship more than the enemy.".to_string())
                }
                _ => Some("The march ends here.".to_string()),
            }
        }
        Moment::Orders => {
            let own = state.land_units(place, seat) + state.ship_count(place, seat);
            (own > 0).then(|| "No block there can still move this turn.".to_string())
        }
        _ => None,
    }
}

/// What a piece is, in full.
pub(super) fn explain(view: &View, key: &str) -> Option<Note> {
    let state = view.state();
    if let Some(t) = token_of(key) {
        let text = Hestia::card_text(view.face(t)?)?;
        let (title, text) = text.split_once(": ").map(|(a, b)| (a.to_string(), b.to_string()))?;
        return Some(Note { title, text });
    }
    if key == "token" {
        let text = "A token lies face down first. At the end of your turn it turns active if only you hold the city.";
        return Some(Note { title: "Influence".to_string(), text: text.to_string() });
    }
    let place = place_of(key)?;
    let mut parts = Vec::new();
    for seat in [L, H] {
        let side = Hestia::side_name(seat);
        if state.is_active(place, seat) {
            parts.push(format!("Won over by {side}."));
        } else if state.has_token(place, seat) {
            parts.push(format!("{side} has a token here, not active yet."));
        }
        let zones = [(Some(land(place, seat)), false), (ships(place, seat), true)];
        let blocks = zones.into_iter().filter_map(|(zone, naval)| Some((zone?, naval)));
        let blocks = blocks.flat_map(|(zone, naval)| state.tokens().iter(zone).map(move |t| (t, naval)));
        let names: Vec<String> = blocks.map(|(t, naval)| block_name(view, seat, t, naval)).collect();
        if !names.is_empty() {
            parts.push(format!("{side}: {}.", names.join("; ")));
        }
    }
    if place.spot().port {
        parts.push("A port: armies may embark.".to_string());
    }
    if place.city().is_some() {
        parts.push("A city-state: tokens count here.".to_string());
    }
    Some(Note { title: place.spot().name.to_string(), text: parts.join(" ") })
}

/// What a seat is doing while it is awaited.
pub(super) fn doing(view: &View) -> String {
    let state = view.state();
    match state.moment() {
        Moment::Halve(_) => "Putting cards away".to_string(),
        Moment::Bid => "Bidding".to_string(),
        Moment::Add => "Adding to the lead".to_string(),
        Moment::Cards | Moment::Pay => "Paying for orders".to_string(),
        Moment::Swap => "Exchanging cards".to_string(),
        Moment::Orders => match state.orders_left() {
            Some(1) => "Giving orders, 1 left".to_string(),
            Some(n) => format!("Giving orders, {n} left"),
            None => "Giving orders".to_string(),
        },
        Moment::Pick => "Picking an army".to_string(),
        Moment::March => {
            let spaces = state.marching().map_or(0, |army| army.spaces);
            let spaces =
                if spaces == 1 { "1 space left".to_string() } else { format!("{spaces} spaces left") };
            format!("Marching, {spaces}")
        }
        Moment::ChooseBattle => "Choosing a battle".to_string(),
        Moment::Clash => "In battle".to_string(),
        Moment::Loss => "Taking losses".to_string(),
        Moment::Heal => "Rallying the line".to_string(),
        Moment::Flee => "Driving the enemy".to_string(),
        Moment::Withdraw => "Withdrawing".to_string(),
        Moment::Roll(_) | Moment::Nature => String::new(),
    }
}
