//! The texts of the board: questions, rows, reasons, tooltips.

use super::faces::{block_name, block_of, card_of, icon, unit_icon};
use super::keys::{place_of, token_of};
use crate::board::{ActionRow, Ask, Note};
use pentarchy_engine::{Describe, Game, Observer, Position, Seat, Token};
use pentarchy_hestia::face::{Mode, Shown};
use pentarchy_hestia::map::{Edge, Place, at};
use pentarchy_hestia::state::{H, L, enemy, hand, land, ships};
use pentarchy_hestia::{Action, DecisionKind, Hestia};

type View = Position<Hestia>;

/// Formats a card or block for use in a sentence: its name; `it` if the observer does not know it.
fn name_token(view: &View, t: Token) -> String {
    match view.face(t) {
        Some(Shown::Card(card)) => card.printed().name.to_string(),
        Some(Shown::Block(unit, _)) => unit.name(),
        _ => "it".to_string(),
    }
}

/// Returns the number of land units in a place that belong to the enemy of `seat`. Ships do not count.
fn count_enemies(view: &View, place: Place, seat: Seat) -> usize {
    view.state().land_units(place, enemy(seat))
}

/// Formats a count with the noun `one`, to which it adds `s` unless `n` is 1: `1 block`, `3 blocks`.
fn count(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

/// Explains why a step of the marching army to this place ends the march: `Crossing a river ends the march.` or
/// `Landing ends the march.` `None` if it does not, no army marches, or the place is not adjacent.
fn march_end_reason(view: &View, to: Place) -> Option<&'static str> {
    let state = view.state();
    let from = state.marching()?.place;
    // The bridge between Maudret and Zekula is open to a player with active tokens in both.
    let bridge = [at::MAU, at::ZEK];
    let bridged = [from, to].iter().all(|place| bridge.contains(place))
        && bridge.iter().all(|&place| state.is_active(place, state.mover()));
    match from.edge_to(to)? {
        Edge::River if !bridged => Some("Crossing a river ends the march."),
        Edge::Coast if !to.is_sea() => Some("Landing ends the march."),
        _ => None,
    }
}

/// Returns whether an action needs no confirmation. True for choosing and forming armies, rallies, tokens,
/// cards that are paid, replaced, discarded or added, losses, the choice of a battle, marches to a place
/// without enemy land units, and all but the last step of the enemy's retreat. False if no seat decides.
pub(super) fn quick(view: &View, action: Action) -> bool {
    let Some(seat) = view.actor() else { return false };
    match action {
        Action::Pick(_)
        | Action::Army(_)
        | Action::Lose(_)
        | Action::Heal(_)
        | Action::Battle(_)
        | Action::Rally(..)
        | Action::Influence
        | Action::Pay(_)
        | Action::Swap(_)
        | Action::Discard(_)
        | Action::Add(_) => true,
        Action::Flee(_) => view.state().fought().is_some_and(|fought| fought.left > 1),
        Action::Move(to) => count_enemies(view, to, seat) == 0,
        _ => false,
    }
}

/// Returns the question before an action of the deciding seat, with its consequence: for marches, tokens, blocks left
/// behind, cards that are played or spent, rallies and retreats. `None` for other actions, or if no seat decides.
pub(super) fn ask(view: &View, action: Action) -> Option<Ask> {
    let state = view.state();
    let seat = view.actor()?;
    let plain = |question: String, consequence: String, verb: &str| {
        Some(Ask { question, consequence, verb: verb.to_string() })
    };
    let left = state.tokens().len(hand(seat)).saturating_sub(1);
    let keep = format!("You keep {}.", count(left, "card"));
    match action {
        Action::Move(to) => {
            let place = to.spot().name;
            match count_enemies(view, to, seat) {
                0 => {
                    let text = march_end_reason(view, to).unwrap_or_default().to_string();
                    plain(format!("March to {place}?"), text, "March")
                }
                foes => {
                    let text = format!("You fight {}.", count(foes, "enemy block"));
                    plain(format!("Attack {place}?"), text, "Attack")
                }
            }
        }
        Action::Influence => {
            let place = state.marching()?.place.spot().name;
            let left = state.tokens_left(seat).saturating_sub(1);
            let text = format!("You have {} left.", count(left.into(), "token"));
            plain(format!("Place a token in {place}?"), text, "Place token")
        }
        Action::Drop(t) => plain(
            format!("Leave {} here?", name_token(view, t)),
            "It cannot move again this turn.".to_string(),
            "Leave it",
        ),
        Action::Force(t) => {
            plain(format!("Spend {} for 1 more move?", name_token(view, t)), keep, "Spend card")
        }
        Action::Bid(t) => plain(
            format!("Bid {}?", name_token(view, t)),
            "The higher bid moves first. Both cards are discarded.".to_string(),
            "Bid",
        ),
        Action::Add(t) => plain(format!("Add {}?", name_token(view, t)), keep, "Add"),
        Action::Pay(t) => plain(format!("Spend {}?", name_token(view, t)), keep, "Spend"),
        Action::Swap(t) => plain(format!("Replace {}?", name_token(view, t)), String::new(), "Replace"),
        Action::Discard(t) => plain(format!("Discard {}?", name_token(view, t)), keep, "Discard"),
        Action::Rally(at, None) => plain(format!("Rally in {}?", at.spot().name), order_cost(view), "Rally"),
        Action::Rally(_, Some(sea)) => {
            plain(format!("Rally a ship in {}?", sea.spot().name), order_cost(view), "Rally")
        }
        Action::Clash(t, mode) => {
            let verb = if mode == Some(Mode::Retreat) { "Retreat" } else { "Fight" };
            plain(format!("{verb} with {}?", name_token(view, t)), keep, verb)
        }
        Action::Hold(Some(Mode::Withdraw)) => plain(
            "Retreat without a card?".to_string(),
            "The attacker moves your army, unless they retreat too.".to_string(),
            "Retreat",
        ),
        Action::Hold(_) => {
            plain("Stand without a card?".to_string(), "Only your die counts.".to_string(), "Stand")
        }
        Action::Fight(t) => plain(format!("Fight with {}?", name_token(view, t)), keep, "Fight"),
        Action::Flee(to) => {
            plain(format!("The enemy retreats to {}?", to.spot().name), String::new(), "Drive them there")
        }
        Action::Withdraw(to) => plain(format!("Retreat to {}?", to.spot().name), String::new(), "Retreat"),
        _ => None,
    }
}

/// Describes what a rally costs: `Uses 1 of 3 orders.`, or `You can rally once this turn.` if orders are not counted.
fn order_cost(view: &View) -> String {
    match view.state().orders_left() {
        Some(left) => format!("Uses 1 of {}.", count(left.into(), "order")),
        None => "You can rally once this turn.".to_string(),
    }
}

/// Adapts a sentence to this board: replaces the prompt of the player who forms an army, if a place is within reach,
/// by one that also offers to march: `Choose where to march, or add blocks`, or `pick blocks` before a block is
/// taken. Returns any other sentence, and the prompt for another observer, unchanged.
pub(super) fn worded(view: &View, sentence: String) -> String {
    let asked = view.actor().is_some_and(|seat| view.observer() == Observer::Seat(seat));
    let forms =
        asked && view.state().decision_kind() == DecisionKind::Pick && sentence == Hestia::awaited(view);
    if !forms || super::routes::routes(view).is_empty() {
        return sentence;
    }
    let taken = Place::all().any(|place| {
        let zones = [Some(land(place, view.state().mover())), ships(place, view.state().mover())];
        zones
            .into_iter()
            .flatten()
            .any(|zone| view.state().tokens().iter(zone).any(|t| view.state().marches(t)))
    });
    let text =
        if taken { "Choose where to march, or add blocks" } else { "Choose where to march, or pick blocks" };
    text.to_string()
}

/// Returns icon, label and value of an action in the list of actions. Cards: the printed value, for those
/// that fight also the name. Blocks: name and strength. Armies: the place and the number of blocks.
/// Marches, battles and retreats: the place and the number of enemies. All other actions have only an icon,
/// so the list shows their full label; being done with the replacement of cards also says how many are
/// drawn. Empty if no seat decides.
pub(super) fn row(view: &View, action: Action) -> ActionRow {
    let Some(seat) = view.actor() else { return ActionRow::default() };
    let card = |t: Token, label: Option<String>| {
        let card = card_of(view, t);
        ActionRow { icon: card.map(icon), label, value: card.map(|c| c.value().to_string()) }
    };
    let block = |t: Token| ActionRow {
        icon: block_of(view, t).map(|(unit, _)| unit_icon(unit)),
        label: Some(name_token(view, t)),
        value: block_of(view, t).filter(|b| b.1 > 0).map(|(unit, n)| format!("{n} of {}", unit.full())),
    };
    let to = |place: Place, icon: &'static str| {
        let foes = count_enemies(view, place, seat);
        let value =
            (foes > 0).then(|| if foes == 1 { "1 enemy".to_string() } else { format!("{foes} enemies") });
        let icon = if foes > 0 { "crossed-swords" } else { icon };
        ActionRow { icon: Some(icon), label: Some(place.spot().name.to_string()), value }
    };
    match action {
        Action::Discard(t)
        | Action::Bid(t)
        | Action::Add(t)
        | Action::Pay(t)
        | Action::Swap(t)
        | Action::Force(t) => card(t, None),
        Action::Clash(t, _) | Action::Fight(t) => card(t, Some(name_token(view, t))),
        Action::Pick(t) | Action::Drop(t) | Action::Lose(t) | Action::Heal(t) => block(t),
        Action::Army(at) => {
            let state = view.state();
            let blocks = state.land_units(at, seat) + state.ship_count(at, seat);
            let value = Some(count(blocks, "block"));
            ActionRow { icon: Some("spears"), label: Some(at.spot().name.to_string()), value }
        }
        Action::Move(at) => to(at, if at.is_sea() { "trireme" } else { "spears" }),
        Action::Battle(at) | Action::Flee(at) | Action::Withdraw(at) => to(at, "spears"),
        Action::Rally(_, sea) => {
            let icon = if sea.is_some() { "trireme" } else { "rally-the-troops" };
            ActionRow { icon: Some(icon), ..ActionRow::default() }
        }
        Action::Influence => ActionRow { icon: Some("greek-temple"), ..ActionRow::default() },
        Action::Done => {
            // Replacing no card draws 1, and each replaced card 1 more.
            let value = view.state().replaced().map(|n| format!("draw {}", n + 1));
            ActionRow { icon: Some("play-button"), value, ..ActionRow::default() }
        }
        _ => ActionRow { icon: Some("play-button"), ..ActionRow::default() },
    }
}

/// Explains why the piece of this key cannot be used now by the deciding seat. A card: that it cannot be added, that
/// forced moves come later, or that an army or rally comes first. A place on the march: that no moves are left, there
/// is no way, the army cannot embark, or the march has ended. A place with own blocks while orders are given: that
/// they have moved. `None` for other keys and decisions. Not checked: whether the piece can in fact be used.
pub(super) fn why_not(view: &View, key: &str) -> Option<String> {
    let state = view.state();
    let seat = view.actor()?;
    if let Some(t) = token_of(key) {
        let card = card_of(view, t)?;
        return match state.decision_kind() {
            DecisionKind::Add => {
                let lead = state.leads_with(seat)?;
                lead.addition(card).is_none().then(|| format!("Cannot be added to {}.", lead.printed().name))
            }
            DecisionKind::March => {
                Some("You can spend a card for 1 more move when no move is left.".to_string())
            }
            DecisionKind::Orders | DecisionKind::Pick => {
                Some("Choose an army or a rally on the map first.".to_string())
            }
            _ => None,
        };
    }
    let place = place_of(key)?;
    match state.decision_kind() {
        DecisionKind::March => {
            let army = state.marching()?;
            if army.place == place {
                return None;
            }
            if army.spaces == 0 {
                return Some("The army has no moves left.".to_string());
            }
            match army.place.edge_to(place) {
                None => Some(format!("No way from {}: not adjacent, or mountains.", army.place.spot().name)),
                Some(Edge::Coast) if place.is_sea() => Some(
                    "Armies embark in ports, in seas where you have more ships than the enemy.".to_string(),
                ),
                _ => Some("The march has ended.".to_string()),
            }
        }
        DecisionKind::Orders => {
            let own = state.land_units(place, seat) + state.ship_count(place, seat);
            (own > 0).then(|| "These blocks have moved this turn, or cannot move.".to_string())
        }
        _ => None,
    }
}

/// Returns the note about the piece that a key names: the text of a card or block, the influence token, or tokens and
/// blocks in a place as the observer knows them. `None` for other keys, and for tokens that the observer does not
/// know.
pub(super) fn explain(view: &View, key: &str) -> Option<Note> {
    let state = view.state();
    if let Some(t) = token_of(key) {
        let text = Hestia::card_text(view.face(t)?)?;
        let (title, text) = text.split_once(": ").map(|(a, b)| (a.to_string(), b.to_string()))?;
        return Some(Note { title, text });
    }
    if key.starts_with("token ") {
        let text = "Placed inactive. After a turn it becomes active if you have a land unit there, beside it or in its sea, and the enemy has none there or beside it.";
        return Some(Note { title: "Influence token".to_string(), text: text.to_string() });
    }
    let place = place_of(key)?;
    let mut parts = Vec::new();
    for seat in [L, H] {
        let side = Hestia::side_name(seat);
        if state.is_active(place, seat) {
            parts.push(format!("{side} has an active token."));
        } else if state.has_token(place, seat) {
            parts.push(format!("{side} has an inactive token."));
        }
        let zones = [(Some(land(place, seat)), false), (ships(place, seat), true)];
        let blocks = zones.into_iter().filter_map(|(zone, naval)| Some((zone?, naval)));
        let blocks = blocks.flat_map(|(zone, naval)| state.tokens().iter(zone).map(move |t| (t, naval)));
        let mut names: Vec<(String, usize)> = Vec::new();
        for name in blocks.map(|(t, naval)| block_name(view, seat, t, naval)) {
            match names.iter_mut().find(|(known, _)| *known == name) {
                Some((_, count)) => *count += 1,
                None => names.push((name, 1)),
            }
        }
        let names: Vec<String> = names
            .into_iter()
            .map(|(name, count)| if count > 1 { format!("{count} × {name}") } else { name })
            .collect();
        if !names.is_empty() {
            parts.push(format!("{side} blocks: {}.", names.join("; ")));
        }
    }
    if place.spot().port {
        parts.push("Port: armies can embark.".to_string());
    }
    if place.city().is_some() {
        parts.push("City-state: tokens can be placed here.".to_string());
    }
    if parts.is_empty() {
        parts.push("No blocks here.".to_string());
    }
    Some(Note { title: place.spot().name.to_string(), text: parts.join(" ") })
}

/// Describes what the current decision is about, in a few words for the panel of the seat that decides:
/// `Marching (2 moves left)`. Empty while a die or other chance is awaited.
pub(super) fn doing(view: &View) -> String {
    let state = view.state();
    match state.decision_kind() {
        DecisionKind::Halve(_) => "Discarding cards".to_string(),
        DecisionKind::Bid => "Bidding".to_string(),
        DecisionKind::Add => "Adding cards".to_string(),
        DecisionKind::Cards | DecisionKind::Pay => "Spending cards".to_string(),
        DecisionKind::Swap => "Replacing cards".to_string(),
        DecisionKind::Orders => match state.orders_left() {
            Some(left) => format!("Giving orders ({left} left)"),
            None => "Giving orders".to_string(),
        },
        DecisionKind::Pick => "Forming an army".to_string(),
        DecisionKind::March => {
            let moves = state.marching().map_or(0, |army| army.spaces);
            format!("Marching ({} left)", count(moves.into(), "move"))
        }
        DecisionKind::ChooseBattle => "Choosing a battle".to_string(),
        DecisionKind::Clash => "Choosing a card".to_string(),
        DecisionKind::Loss => "Taking losses".to_string(),
        DecisionKind::Heal => "Restoring a block".to_string(),
        DecisionKind::Flee => "Choosing the enemy's retreat".to_string(),
        DecisionKind::Withdraw => "Retreating".to_string(),
        DecisionKind::Roll(_) | DecisionKind::Nature => String::new(),
    }
}
