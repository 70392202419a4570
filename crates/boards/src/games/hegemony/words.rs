//! Texts of the board of Hegemony: questions, reasons, sums in named parts.

use super::faces;
use super::keys::{aimed, beaten, side_of, token_of};
use crate::board::{ActionRow, Ask, Note};
use pentarchy_engine::describe::who;
use pentarchy_engine::{Describe, Game, Position, Seat, Token};
use pentarchy_hegemony::places::{COMMON, Place, hand, place, slot};
use pentarchy_hegemony::{AT_LEAST_0, Action, Card, Category, Hegemony, Lie, Reckoned, Side, Task};

/// The label of `Refill` on the page, which refills all slots in one go.
pub(super) const REFILL: &str = "refill your empty slots from your deck";

/// Formats a sum with its named parts: `8 printed − 1 Grifter = 7`. Only the total if it has no parts. If
/// the rules limit it, it ends with `, at least` and the total instead, and begins with `0 printed` if no
/// printed cost is among the parts.
pub(super) fn sum(of: &Reckoned) -> String {
    let mut out = String::new();
    let is_limited = of.parts.iter().any(|part| part.what == AT_LEAST_0);
    if is_limited && of.parts[0].what != "printed cost" {
        out.push_str("0 printed");
    }
    for (i, part) in of.parts.iter().enumerate().filter(|(_, part)| part.what != AT_LEAST_0) {
        let what = if part.what == "printed cost" { "printed" } else { part.what };
        let sign = if part.amount < 0 { "−" } else { "+" };
        match i {
            0 if part.amount >= 0 => out.push_str(&format!("{} {what}", part.amount)),
            _ => out.push_str(&format!(" {sign} {} {what}", part.amount.abs())),
        }
    }
    let out = out.trim_start().to_string();
    match of.parts.is_empty() {
        true => number(of.total),
        false if is_limited => format!("{out}, at least {}", number(of.total)),
        false => format!("{out} = {}", number(of.total)),
    }
}

/// Formats a number with a typographic minus sign (U+2212), without a plus.
pub(super) fn number(n: i32) -> String {
    if n < 0 { format!("−{}", -n) } else { n.to_string() }
}

/// Formats a side for use in a sentence: `@0` for a seat, or `the Empire`.
pub(super) fn name(side: Side) -> String {
    side.seat().map_or_else(|| "the Empire".to_string(), who)
}

/// Formats a card for use in a sentence: its title, or `the face-down Military card` with its category if the
/// observer does not know it.
pub(super) fn card_name(view: &Position<Hegemony>, t: Token) -> String {
    match view.face(t) {
        Some(card) => card.title().to_string(),
        None => format!("the face-down {} card", view.state().category_of(t).title()),
    }
}

/// Describes the contents of slot `i` (from 0) of a side: `Barracks and 2 more`, or `empty`. Cards that the observer
/// does not know are named by their category.
pub(super) fn contents(view: &Position<Hegemony>, side: Side, i: u8) -> String {
    let mut cards = view.state().tokens().iter(slot(side, i));
    match (cards.next(), cards.count()) {
        (None, _) => "empty".to_string(),
        (Some(base), 0) => card_name(view, base),
        (Some(base), more) => format!("{} and {more} more", card_name(view, base)),
    }
}

/// Returns what card `t` would cost a seat, in parts; `None` if it cannot be bought. Not checked: whether the seat
/// can pay or is buying now.
pub(super) fn price(view: &Position<Hegemony>, seat: Seat, t: Token) -> Option<Reckoned> {
    view.state().explain_price(seat, t).ok()
}

/// Returns the question before an action, with its consequence in numbers; seats are written `@0`. `None` if no seat
/// decides, and for actions that need none, such as exchanging and stationing cards, refilling, and the buttons that
/// continue, pass or stop.
pub(super) fn ask(view: &Position<Hegemony>, action: Action) -> Option<Ask> {
    let state = view.state();
    let seat = view.actor()?;
    let own = Side::from(seat);
    let purse = state.points(own);
    let goes = if state.buys_to_deck(seat) { "on top of your deck" } else { "to your discard pile" };
    let buy = |t: Token, whose: &str| {
        let sum_of = price(view, seat, t)?;
        let cost = sum_of.total;
        let parts = if sum_of.parts.len() > 1 { format!("{}. ", sum(&sum_of)) } else { String::new() };
        Some(Ask {
            question: format!("Buy {whose}{} for {cost}?", card_name(view, t)),
            consequence: format!("{parts}You keep {} of {purse} VP. The card goes {goes}.", purse - cost),
            verb: format!("Buy for {cost}"),
        })
    };
    let plain = |question: String, consequence: String, verb: &str| {
        Some(Ask { question, consequence, verb: verb.to_string() })
    };
    match action {
        Action::Buy(t) => buy(t, ""),
        Action::Ebuy(t) => buy(t, "the Empire's "),
        Action::Accept => match state.step() {
            Task::Answer(_, i) => buy(state.tokens().top(slot(Side::EMPIRE, i))?, "the Empire's "),
            _ => None,
        },
        Action::Sell(t) => {
            let pays = view.face(t).map_or(0, |card| state.resale_of(card));
            let question = format!("Sell {} for {pays}?", card_name(view, t));
            plain(question, format!("You then have {} VP.", purse + pays), &format!("Sell for {pays}"))
        }
        Action::Scalp(t) => {
            let more = state.tuning().scalper;
            let question = format!("Mark {}?", card_name(view, t));
            plain(question, format!("It costs everyone {more} more until your next turn."), "Mark it")
        }
        Action::War(side) => {
            plain(format!("Attack {}?", name(side)), format!("Your {}.", against(view, own, side)), "Attack")
        }
        Action::Trade => plain(
            "Trade with the Empire?".to_string(),
            "Buy from its slots. Ask to see a face-down card first.".to_string(),
            "Trade",
        ),
        Action::Fresh => plain(
            "Draw fresh cards?".to_string(),
            "All cards in your slots are discarded. New cards come from your deck.".to_string(),
            "Draw",
        ),
        Action::Target(side) => match state.step() {
            Task::Target(_, t) => plain(
                format!("Use {} on {}?", card_name(view, t), name(side)),
                format!("{} has {} VP.", capital(&name(side)), state.points(side)),
                "Use it",
            ),
            _ => None,
        },
        Action::Use(t) => {
            let text = view.face(t).map(effect).unwrap_or_default();
            plain(format!("Use {}?", card_name(view, t)), text, "Use it")
        }
        Action::Sabotage(t) => plain(
            format!("Play {}?", card_name(view, t)),
            "The card being used has no effect.".to_string(),
            "Play it",
        ),
        Action::Ask(_) => plain(
            "Ask to see this card?".to_string(),
            "Everyone sees it. Then you may buy it.".to_string(),
            "Ask",
        ),
        Action::Hit(..) | Action::Look(_) | Action::Slot(_) | Action::Raze(_) | Action::Ruin(_) => {
            let label = Hegemony::label(view, action);
            let verb = match action {
                Action::Look(_) => "Look",
                Action::Hit(..) => "Remove it",
                Action::Slot(_) if matches!(aimed(state), Some((Card::Sanctions, _))) => "Switch it off",
                _ => "Empty it",
            };
            plain(format!("{}?", capital(&label)), String::new(), verb)
        }
        Action::Enter(lie) | Action::Place(_, _, lie) => {
            let verb = if matches!(lie, Lie::Up) { "Place face up" } else { "Place face down" };
            plain("Face up or face down?".to_string(), String::new(), verb)
        }
        _ => None,
    }
}

/// Formats the powers of an attack of `own` on `side` as the observer knows them: `2 against 0 + 2 hidden cards`, or
/// `2 against 3` if all Military cards of the defender are known.
pub(super) fn against(view: &Position<Hegemony>, own: Side, side: Side) -> String {
    let attack = view.state().explain_attack(own, side, |t| view.face(t)).total;
    let (defence, unknown) = defence_seen(view, side);
    let hidden = match unknown {
        0 => String::new(),
        1 => " + 1 hidden card".to_string(),
        n => format!(" + {n} hidden cards"),
    };
    format!("{attack} against {defence}{hidden}")
}

/// Formats the powers of an attack of `own` on `side` as the observer knows them, in short, attack first:
/// `2 : 0 + 2?` if 2 Military cards of the defender are unknown, or `2 : 3` if all are known.
pub(super) fn powers(view: &Position<Hegemony>, own: Side, side: Side) -> String {
    let attack = view.state().explain_attack(own, side, |t| view.face(t)).total;
    let (defence, unknown) = defence_seen(view, side);
    let hidden = if unknown > 0 { format!(" + {unknown}?") } else { String::new() };
    format!("{attack} : {defence}{hidden}")
}

/// Returns the label of a turn action in a narrow prompt: `Trade`, `Fresh cards` or `Attack @1 3 : 0 + 5?`. `None` for
/// other actions and outside the action phase.
pub(super) fn button(view: &Position<Hegemony>, action: Action) -> Option<String> {
    let Task::Act(seat) = view.state().step() else { return None };
    match action {
        Action::Trade => Some("Trade".to_string()),
        Action::Fresh => Some("Fresh cards".to_string()),
        Action::War(side) => {
            let whom = if side == Side::EMPIRE { "Empire".to_string() } else { name(side) };
            Some(format!("Attack {whom} {}", powers(view, seat.into(), side)))
        }
        _ => None,
    }
}

/// Returns the part of a side's defence that the observer knows, and the number of its Military cards that they do
/// not know. Unknown cards in slots that are switched off count, too.
pub(super) fn defence_seen(view: &Position<Hegemony>, side: Side) -> (i32, usize) {
    let state = view.state();
    let defence = state.explain_defence(side, |t| view.face(t)).total;
    let cards = state.occupied_slots(side).flat_map(|i| state.tokens().iter(slot(side, i)));
    let unknown = cards.filter(|&t| view.face(t).is_none() && state.category_of(t) == Category::Military);
    (defence, unknown.count())
}

/// Returns icon, label and value of an action in the list of actions. Buying: the card and its price. Selling: the
/// card and what it brings. Placing and stationing: the card, what it replaces or stands behind, and the slot.
/// Effects on a slot or a card in it: what is there, and the slot (counted from 1). An attack: the powers of both
/// sides. All other actions have at most an icon, so the list shows their full label. Empty if no seat decides.
pub(super) fn row(view: &Position<Hegemony>, action: Action) -> ActionRow {
    let state = view.state();
    let Some(seat) = view.actor() else { return ActionRow::default() };
    let own = Side::from(seat);
    let icon_of = |t: Token| match view.face(t) {
        Some(card) => faces::icon(card),
        None => faces::category_icon(state.category_of(t)),
    };
    let at = |side: Side, i: u8, lead: &str| ActionRow {
        icon: state.tokens().top(slot(side, i)).map(icon_of).or(Some("card-pick")),
        label: Some(format!("{lead}{}", contents(view, side, i))),
        value: Some(format!("slot {}", i + 1)),
    };
    let cost = |t: Token| price(view, seat, t).map(|p| p.total.to_string());
    let bought = |t| ActionRow { icon: Some(icon_of(t)), label: Some(card_name(view, t)), value: cost(t) };
    match action {
        Action::Buy(t) | Action::Ebuy(t) => bought(t),
        Action::Accept => match state.step() {
            Task::Answer(_, i) => {
                state.tokens().top(slot(Side::EMPIRE, i)).map_or_else(ActionRow::default, bought)
            }
            _ => ActionRow::default(),
        },
        Action::Place(t, i, lie) => {
            let down = if lie == Lie::Down(Category::Diplomacy) { " face down" } else { "" };
            ActionRow {
                icon: Some(icon_of(t)),
                label: Some(match state.tokens().top(slot(own, i)) {
                    Some(_) => format!("{}{down} replaces {}", card_name(view, t), contents(view, own, i)),
                    None => format!("{}{down}", card_name(view, t)),
                }),
                value: Some(format!("slot {}", i + 1)),
            }
        }
        Action::Station(t, i) => ActionRow {
            icon: Some(icon_of(t)),
            label: Some(format!("{} behind {}", card_name(view, t), contents(view, own, i))),
            value: Some(format!("slot {}", i + 1)),
        },
        Action::Ask(i) => at(Side::EMPIRE, i, ""),
        Action::Look(i) => at(aimed(state).map_or(own, |a| a.1), i, ""),
        Action::Slot(i) => match aimed(state) {
            Some((Card::Sanctions, target)) => at(target, i, ""),
            _ => at(own, i, ""),
        },
        Action::Raze(i) | Action::Ruin(i) => at(beaten(state), i, ""),
        Action::Sell(t) => {
            let pays = view.face(t).map(|card| format!("+{}", state.resale_of(card)));
            ActionRow { icon: Some(icon_of(t)), label: Some(card_name(view, t)), value: pays }
        }
        Action::War(side) => ActionRow {
            icon: Some("gladius"),
            label: Some(format!("{}: your {}", capital(&name(side)), against(view, own, side))),
            value: None,
        },
        Action::Trade => ActionRow { icon: Some("two-coins"), ..ActionRow::default() },
        Action::Fresh => ActionRow { icon: Some("card-pick"), ..ActionRow::default() },
        Action::Lobby(category) => {
            ActionRow { icon: Some(faces::category_icon(category)), ..ActionRow::default() }
        }
        Action::Hit(i, k) => {
            let target = aimed(state).map_or(own, |a| a.1);
            let victim = state.tokens().iter(slot(target, i)).nth(k.into());
            let label = victim.map(|t| card_name(view, t));
            ActionRow { icon: victim.map(icon_of), label, value: Some(format!("slot {}", i + 1)) }
        }
        Action::Done | Action::Pass | Action::Stop | Action::Decline => {
            ActionRow { icon: Some("play-button"), ..ActionRow::default() }
        }
        other => ActionRow { icon: other.token().map(icon_of), ..ActionRow::default() },
    }
}

/// Explains why a card cannot be used now by the deciding seat. A card of the common pool: no purchase or Cargo Ship
/// left, too expensive, marked before; in all other cases that purchases come later. A card of the own hand: that all
/// slots are replaced. A card of the Empire while trading: no purchase left, or too expensive. A card in a slot: what
/// switches it off. `None` if the key names no card, no seat decides, or there is no such reason. Not checked:
/// whether the card can in fact be used.
pub(super) fn why_not(view: &Position<Hegemony>, key: &str) -> Option<String> {
    let state = view.state();
    let seat = view.actor()?;
    let t = token_of(key)?;
    let zone = state.tokens().zone(t);
    if zone == COMMON {
        let cost = price(view, seat, t)?.total;
        let purse = state.points(seat.into());
        return match state.step() {
            Task::Purchase(_, 0) => Some("You have no purchases left this turn.".to_string()),
            Task::Upkeep(_, 0) => Some("You need a Cargo Ship to buy in the upkeep.".to_string()),
            Task::Purchase(..) | Task::Upkeep(..) if cost > purse => {
                Some(format!("Costs {cost} VP, you have {purse}."))
            }
            Task::Scalp(..) => Some("You marked this name last time. Choose another.".to_string()),
            _ => Some("You can buy cards after you replace slots.".to_string()),
        };
    }
    match place(zone) {
        Place::Hand(_) if zone == hand(seat) => match state.step() {
            Task::Replace(_, _, replaced)
                if replaced.count_ones() >= state.slot_count(seat.into()).into() =>
            {
                Some("You have replaced all your slots this turn.".to_string())
            }
            _ => None,
        },
        Place::Slot(Side::EMPIRE, _) => match state.step() {
            Task::Trade(_, 0, _) => Some("You have no purchases from the Empire left.".to_string()),
            Task::Trade(..) => {
                let (cost, purse) = (price(view, seat, t)?.total, state.points(seat.into()));
                (cost > purse).then(|| format!("Costs {cost} VP, you have {purse}."))
            }
            _ => None,
        },
        Place::Slot(side, i) => {
            let cause = state.switched_off(side, i)?;
            Some(format!("Switched off by {}.", cause.title()))
        }
        _ => None,
    }
}

/// Returns the text of a card's effect: what follows the first `: ` of its card text, or all of it if there is none.
/// Empty for a card without a text.
pub(super) fn effect(card: Card) -> String {
    let text = Hegemony::card_text(card).unwrap_or_default();
    text.split_once(": ").map_or(text.clone(), |(_, rest)| rest.to_string())
}

/// Returns the note about the piece that a key names: a card, the base card of a slot, the known defence of a side,
/// or the parts of a side's attack on the Empire, defence or roll. `None` for other keys and empty slots.
pub(super) fn explain(view: &Position<Hegemony>, key: &str) -> Option<Note> {
    let state = view.state();
    let mut words = key.split(' ');
    match (words.next()?, words.next().and_then(side_of), words.next()) {
        ("slot" | "room", Some(side), Some(i)) => {
            let i: u8 = i.parse().ok()?;
            let base = state.tokens().top(slot(side, i))?;
            card_note(view, base)
        }
        ("side" | "deck", Some(side), _) => {
            let (defence, unknown) = defence_seen(view, side);
            let sum_of = sum(&state.explain_defence(side, |t| view.face(t)));
            let more = match unknown {
                0 => String::new(),
                1 => " + 1 hidden card".to_string(),
                n => format!(" + {n} hidden cards"),
            };
            let text = if defence > 0 {
                format!("Known defence: {sum_of}{more}.")
            } else {
                format!("Known defence: 0{more}.")
            };
            Some(Note { title: capital(&name(side)), text })
        }
        ("attack", Some(side), _) => {
            let sum_of = state.explain_attack(side, Side::EMPIRE, |t| view.face(t));
            Some(Note { title: "Your attack on the Empire".to_string(), text: sum(&sum_of) })
        }
        ("defence", Some(side), _) => {
            let sum_of = state.explain_defence(side, |t| view.face(t));
            Some(Note { title: "Your defence".to_string(), text: sum(&sum_of) })
        }
        ("roll", Some(side), _) => {
            let sum_of = state.explain_roll(side.seat()?, |t| view.face(t));
            Some(Note { title: "Your next Hegemony roll".to_string(), text: sum(&sum_of) })
        }
        _ => card_note(view, token_of(key)?),
    }
}

/// Returns the note about a card: its name and category, effect, cost and, for a Military card, powers. A card for
/// sale has the price for the deciding seat, in parts if there are several; any other its printed cost. A card that
/// the observer does not know has only its category and that it lies face down. Never `None`.
fn card_note(view: &Position<Hegemony>, t: Token) -> Option<Note> {
    let state = view.state();
    let Some(card) = view.face(t) else {
        let title = format!("A {} card, face down", state.category_of(t).title());
        return Some(Note {
            title,
            text: "Everyone sees its category. Only its owner knows the card.".to_string(),
        });
    };
    let (attack, defence) = state.powers_of(card);
    let powers = match card.category() {
        Category::Military => format!(" Attack {attack}, defence {defence}."),
        _ => String::new(),
    };
    let zone = state.tokens().zone(t);
    let for_sale = zone == COMMON || matches!(place(zone), Place::Slot(Side::EMPIRE, _));
    let cost = match view.actor().filter(|_| for_sale).and_then(|seat| price(view, seat, t)) {
        Some(sum_of) if sum_of.parts.len() > 1 => format!("Costs {}.", sum(&sum_of)),
        _ => format!("Costs {}.", state.cost_of(card)),
    };
    let title = format!("{}, {}", card.title(), card.category().title());
    Some(Note { title, text: format!("{} {cost}{powers}", effect(card)) })
}

/// Returns the text with its first letter in upper case, for the beginning of a sentence; the rest stays.
pub(super) fn capital(text: &str) -> String {
    text.chars().take(1).flat_map(char::to_uppercase).chain(text.chars().skip(1)).collect()
}

/// Formats a side for the reasons of the ledger: `@0` for a seat, `the Empire` otherwise.
pub(super) fn side_title(side: Side) -> String {
    side.seat().map_or_else(|| "the Empire".to_string(), who)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_told_in_named_parts() {
        let part = |what, amount| pentarchy_hegemony::Contribution { what, amount };
        let price = Reckoned { total: 7, parts: vec![part("printed cost", 8), part("Grifter", -1)] };
        assert_eq!(sum(&price), "8 printed − 1 Grifter = 7");
        let roll = Reckoned { total: -2, parts: vec![part("General", -5), part("Diplomat", 3)] };
        assert_eq!(sum(&roll), "− 5 General + 3 Diplomat = −2");
        let free = Reckoned { total: 0, parts: vec![part("Market", -1), part(AT_LEAST_0, 1)] };
        assert_eq!(sum(&free), "0 printed − 1 Market, at least 0");
    }
}
