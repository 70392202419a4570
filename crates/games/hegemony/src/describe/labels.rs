//! Labels of actions: what an action does, for a person who has read the summary.

use super::{View, card_name, name, the};
use crate::actions::{Action, Lie};
use crate::agenda::Task;
use crate::cards::Card;
use crate::places::{Side, slot};
use pentarchy_engine::{Seat, Token};

/// Returns the text of an action of the deciding seat on a button, with prices and contents as the observer
/// knows them; `?` for a price that cannot be computed. Does not check that the action is legal. While nobody
/// decides, the action counts as one of seat 0.
pub(super) fn label(view: &View, action: Action) -> String {
    let state = view.state();
    let card = |t: Token| card_name(view, t);
    let seat = view.actor().unwrap_or(Seat(0));
    let own = Side::from(seat);
    let contents = |side: Side, i: u8| {
        let cards: Vec<String> = state.tokens.iter(slot(side, i)).map(card).collect();
        if cards.is_empty() { "empty".to_string() } else { cards.join(" + ") }
    };
    let the_card = |t: Token| view.face(t).map_or_else(|| card(t), |face| the(face.title()));
    let price = |t: Token| match state.explain_price(seat, t) {
        // Explain the price only if it differs from the printed cost.
        Ok(price) if price.parts.len() < 2 => price.total.to_string(),
        Ok(price) => price.to_string(),
        Err(_) => "?".to_string(),
    };
    let aimed = match state.top() {
        Task::Aim(_, t, target) => Some((state.tokens.public_face(t), target)),
        _ => None,
    };
    match action {
        Action::Scalp(t) => {
            format!("mark {}: it costs everyone {} more", the_card(t), state.rules.n.scalper)
        }
        Action::Buy(t) => format!("buy {} for {}", the_card(t), price(t)),
        Action::Ebuy(t) => format!("buy the Empire's {} for {}", card(t), price(t)),
        Action::Use(t) => format!("use {}", the_card(t)),
        Action::Target(side) => format!("use it on {} ({} VP)", name(side), state.points(side)),
        Action::LookPool => "look at the deck and discard pile".to_string(),
        Action::Look(i) => format!("look at slot {}: {}", i + 1, contents(aimed.map_or(own, |a| a.1), i)),
        Action::Slot(i) => match aimed {
            Some((Some(Card::Sanctions), target)) => {
                format!("switch off slot {}: {}", i + 1, contents(target, i))
            }
            _ => format!("empty your slot {}: {}", i + 1, contents(own, i)),
        },
        Action::Hit(i, k) => {
            let target = aimed.map_or(own, |a| a.1);
            let victim = state.tokens.iter(slot(target, i)).nth(k.into());
            let victim = victim.map_or_else(|| "a card".to_string(), the_card);
            format!("remove {victim} from slot {}", i + 1)
        }
        Action::Take(t) => format!("take {}", the_card(t)),
        Action::Give(t) => format!("give {}", the_card(t)),
        Action::Place(t, i, lie) => {
            let over = contents(own, i);
            let lie =
                if matches!(lie, Lie::Down(crate::cards::Category::Diplomacy)) { " face down" } else { "" };
            if over == "empty" {
                format!("place {}{lie} in slot {}", the_card(t), i + 1)
            } else {
                format!("place {}{lie} in slot {}, replacing {over}", the_card(t), i + 1)
            }
        }
        Action::Station(t, i) => {
            format!("station {} in slot {} behind {}", the_card(t), i + 1, contents(own, i))
        }
        Action::Enter(lie) => {
            let i = if let Task::Enter(_, i) = state.top() { i } else { 0 };
            let lie = if lie == Lie::Up { "up" } else { "down" };
            let drawn = state.base(own, i).map_or_else(|| "the card".to_string(), the_card);
            format!("place {drawn} face {lie} in slot {}", i + 1)
        }
        Action::Lobby(category) => format!("{} cards cost {} less", category.title(), state.rules.n.lobbyist),
        Action::Sell(t) => match view.face(t) {
            Some(face) => format!("sell {} for {}", the_card(t), state.resale(face)),
            None => format!("sell {}", card(t)),
        },
        Action::War(side) => {
            let attack = state.explain_attack(own, side, |t| view.face(t)).total;
            let defence = state.explain_defence(side, |t| view.face(t)).total;
            let unknown = state
                .military_slots(side)
                .flat_map(|i| state.tokens.iter(slot(side, i)))
                .filter(|&t| view.face(t).is_none())
                .count();
            let more = match unknown {
                0 => String::new(),
                n => format!(" + {}", super::many(n, "hidden card")),
            };
            format!("attack {}: your {attack} against {defence}{more}", name(side))
        }
        Action::Trade => {
            format!("trade with the Empire: buy up to {} of its cards", state.trade_purchases(seat))
        }
        Action::Fresh => "draw fresh cards for all your slots".to_string(),
        Action::Ask(i) => format!("ask to see the card in the Empire's slot {}", i + 1),
        Action::Accept => match state.top() {
            Task::Answer(_, i) => {
                let t = state.base(Side::EMPIRE, i);
                t.map_or_else(
                    || "buy the card".to_string(),
                    |t| format!("buy {} for {}", the_card(t), price(t)),
                )
            }
            _ => "buy the card".to_string(),
        },
        Action::Decline => "pass".to_string(),
        Action::Refill => "refill an empty slot from your deck".to_string(),
        Action::Stop => "continue".to_string(),
        Action::Sabotage(t) => format!("play {}", the_card(t)),
        Action::Raze(i) | Action::Ruin(i) => {
            format!("empty {}'s slot {}: {}", name(state.loser()), i + 1, contents(state.loser(), i))
        }
        Action::Show(t) => format!("show {}", the_card(t)),
        Action::Rest => "show no other card".to_string(),
        Action::Done => "continue".to_string(),
        Action::Pass => "pass".to_string(),
    }
}

/// Returns the heading under which a long list of actions shows this one: `Buy`, `Ask`, `Sell`, `Diplomacy`,
/// `Aim`, `Place`, `Station`, `War`, `Continue`, or `Actions` for all others.
pub(super) fn kind(action: Action) -> &'static str {
    match action {
        Action::Buy(_) | Action::Ebuy(_) | Action::Accept => "Buy",
        Action::Ask(_) => "Ask",
        Action::Sell(_) => "Sell",
        Action::Use(_) | Action::Sabotage(_) => "Diplomacy",
        Action::Target(_) | Action::LookPool | Action::Look(_) | Action::Slot(_) | Action::Hit(..) => "Aim",
        Action::Place(..) | Action::Enter(_) => "Place",
        Action::Station(..) => "Station",
        Action::War(_) => "War",
        Action::Done | Action::Pass | Action::Stop | Action::Decline | Action::Rest => "Continue",
        _ => "Actions",
    }
}
