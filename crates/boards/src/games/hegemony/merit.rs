//! The reasons of hints: what an action achieves, in one sentence with numbers.

use super::keys::{aimed, beaten};
use super::words::{capital, card_name, contents, defence_seen, effect, name, price};
use pentarchy_engine::{Game, Position, Seat, Token};
use pentarchy_hegemony::places::slot;
use pentarchy_hegemony::{Action, Card, Category, Hegemony, Lie, Side, Task};

type View = Position<Hegemony>;

/// Describes in one sentence why the deciding seat may want an action, with numbers where they matter: what a card
/// does and costs, the points left or gained, the change of attack or defence, what a rival loses. Seats are written
/// `@0`. `None` if no seat decides, for declarations, for buying, using or selling a card that the observer does not
/// know, for an answer or aimed effect outside its step, and for passing or stopping in steps other than purchases,
/// upkeep, trade, replacement, the choice of an action and Sabotage. Not checked: whether the action is legal.
pub(super) fn merit(view: &View, action: Action) -> Option<String> {
    let state = view.state();
    let seat = view.actor()?;
    let own = Side::from(seat);
    let purse = state.points(own);
    Some(match action {
        Action::Buy(t) | Action::Ebuy(t) => explain_purchase(view, seat, t)?,
        Action::Accept => match state.step() {
            Task::Answer(_, i) => explain_purchase(view, seat, state.tokens().top(slot(Side::EMPIRE, i))?)?,
            _ => return None,
        },
        Action::Scalp(t) => {
            let more = state.tuning().scalper;
            format!("Your rivals may want {}: it costs them {more} VP more.", card_name(view, t))
        }
        Action::Use(t) => effect(view.face(t)?),
        Action::Target(side) => explain_target(view, seat, side),
        Action::LookPool => "You see the cards that this player can still draw.".to_string(),
        Action::Look(_) => "You learn what lies there before you attack or are attacked.".to_string(),
        Action::Slot(i) => match aimed(state) {
            Some((Card::Sanctions, on)) => {
                format!("It switches off {}.", contents(view, on, i))
            }
            _ => format!("You give up {}, your cheapest loss.", contents(view, own, i)),
        },
        Action::Hit(i, k) => {
            let (_, on) = aimed(state)?;
            let victim = state.tokens().iter(slot(on, i)).nth(k.into())?;
            format!("It removes {} from {}.", card_name(view, victim), name(on))
        }
        Action::Take(t) => view.face(t).map_or_else(
            || "You gain a card.".to_string(),
            |card| format!("You gain {}: {}", card.title(), effect(card)),
        ),
        Action::Give(t) => format!("{} is what you need least.", capital(&card_name(view, t))),
        Action::Place(t, i, lie) => explain_placing(view, own, t, i, lie, action),
        Action::Station(..) => explain_power_change(view, own, action)
            .unwrap_or_else(|| "A card behind another works without a slot of its own.".to_string()),
        Action::Enter(Lie::Up) => "Face up, the card works at once.".to_string(),
        Action::Enter(Lie::Down(_)) => "Face down, your rivals do not know the card.".to_string(),
        Action::Lobby(category) => {
            format!("You pay {} VP less for {} cards.", state.tuning().lobbyist, category.title())
        }
        Action::Sell(t) => {
            format!("{} brings {} VP now.", capital(&card_name(view, t)), state.resale_of(view.face(t)?))
        }
        Action::War(side) => {
            let (defence, hidden) = defence_seen(view, side);
            match (state.explain_attack(own, side, |t| view.face(t)).total - defence, hidden) {
                (lead @ 1.., 0) => format!("You win the battle and {lead} VP."),
                (lead @ 1.., _) => format!("You win up to {lead} VP if no hidden card defends."),
                _ => "The winner takes the difference in VP.".to_string(),
            }
        }
        Action::Trade => "The Empire's slots have cards that the pool does not have.".to_string(),
        Action::Fresh => "All your slots get new cards from your deck.".to_string(),
        Action::Ask(_) => "You see the card before you decide to buy it.".to_string(),
        Action::Refill => "An empty slot does nothing for you.".to_string(),
        Action::Sabotage(_) => "It cancels the card that is being used.".to_string(),
        Action::Raze(i) | Action::Ruin(i) => {
            let loser = beaten(state);
            format!("{} loses {}.", capital(&name(loser)), contents(view, loser, i))
        }
        Action::Done | Action::Pass | Action::Stop | Action::Decline => match state.step() {
            Task::Purchase(..) | Task::Upkeep(..) | Task::Trade(..) | Task::Answer(..) => {
                format!("You keep {purse} VP, which also pay for a lost battle.")
            }
            Task::Replace(..) => "Your slots hold better cards than your hand.".to_string(),
            Task::Act(_) => "No war, trade or new cards would gain more.".to_string(),
            Task::Window { .. } => "You keep the card for a greater danger.".to_string(),
            _ => return None,
        },
        Action::Show(_) | Action::Rest => return None,
    })
}

/// Describes what buying card `t` brings to `seat`, and how many points remain. `None` if the observer does not know
/// the card or it cannot be bought. Not checked: whether the seat can pay.
fn explain_purchase(view: &View, seat: Seat, t: Token) -> Option<String> {
    let state = view.state();
    let (card, cost) = (view.face(t)?, price(view, seat, t)?.total);
    let left = state.points(seat.into()) - cost;
    Some(match card.category() {
        Category::Military => {
            let (attack, defence) = state.powers_of(card);
            format!("It fights with attack {attack} and defence {defence}, and you keep {left} VP.")
        }
        _ => format!("{} You keep {left} VP.", effect(card)),
    })
}

/// Describes how many points a side has that `seat` would use a card on: `@1 has 5 VP.`, or
/// `@1 leads your rivals with 5 VP.` if it is a player and no other rival of `seat` in the game has more.
fn explain_target(view: &View, seat: Seat, side: Side) -> String {
    let state = view.state();
    let points = state.points(side);
    let rivals = (0..view.seats()).map(Seat).filter(|&other| other != seat).map(Side::from);
    let most = rivals.filter(|&rival| state.is_in(rival)).map(|rival| state.points(rival)).max();
    if side.seat().is_some() && most == Some(points) {
        format!("{} leads your rivals with {points} VP.", capital(&name(side)))
    } else {
        format!("{} has {points} VP.", capital(&name(side)))
    }
}

/// Describes what `action`, which places card `t` in slot `i` (from 0) of the player, brings. The first
/// that applies: a change of attack or defence; that it fills an empty slot; the effect of a known card
/// that is neither Military nor equal to the card there; what it replaces. Adds that rivals do not see a
/// card that is not placed face up (`lie`), except to the effect of a card.
fn explain_placing(view: &View, own: Side, t: Token, i: u8, lie: Lie, action: Action) -> String {
    let down = if lie == Lie::Up { "" } else { " Your rivals do not see it." };
    if let Some(change) = explain_power_change(view, own, action) {
        return change + down;
    }
    if view.state().tokens().top(slot(own, i)).is_none() {
        return format!("It fills an empty slot.{down}");
    }
    let same = view.state().tokens().top(slot(own, i)).and_then(|top| view.face(top)) == view.face(t);
    match view.face(t).filter(|_| !same) {
        Some(card) if card.category() != Category::Military => effect(card),
        _ => format!("It replaces {}.{down}", contents(view, own, i)),
    }
}

/// Describes how an action changes the attack of `own` on the Empire and its defence, by playing it on a copy. Counts
/// the cards that the observer knows. `None` if neither changes or the action is not legal.
fn explain_power_change(view: &View, own: Side, action: Action) -> Option<String> {
    let powers = |view: &View| {
        let (state, face) = (view.state(), |t: Token| view.face(t));
        (state.explain_attack(own, Side::EMPIRE, face).total, state.explain_defence(own, face).total)
    };
    let mut next = view.clone();
    next.play(action).ok()?;
    let ((attack, defence), (new_attack, new_defence)) = (powers(view), powers(&next));
    match (attack != new_attack, defence != new_defence) {
        (true, true) => Some(format!(
            "Your attack goes from {attack} to {new_attack}, your defence from {defence} to {new_defence}."
        )),
        (true, false) => Some(format!("Your attack goes from {attack} to {new_attack}.")),
        (false, true) => Some(format!("Your defence goes from {defence} to {new_defence}.")),
        (false, false) => None,
    }
}
