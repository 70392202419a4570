//! The keys of the pieces of Hegemony, and the keys that an action touches.
//!
//! | key | place |
//! | --- | --- |
//! | `#17` | a card: of twins in a hand or in the pool the first stands for all |
//! | `slot 1 3`, `slot e 4` | a slot of a side |
//! | `room 1 3` | the free place behind a slot's base card |
//! | `side 1`, `side e` | a side, to make war on or to aim at |
//! | `deck 1` | a side's deck and discard pile |
//! | `trade`, `fresh` | the two other actions of a turn |
//! | `up` | lays the chosen card face up: hidden Diplomacy cards lie face down unless this is clicked |

use crate::board::Key;
use pentarchy_engine::{Game, Position, Seat, Token};
use pentarchy_hegemony::places::{COMMON, Place, place, slot};
use pentarchy_hegemony::{Action, Card, Hegemony, Lie, Side, Task};

/// Returns the key of slot `i` (from 0) of a side: `slot 1 3`, `slot e 4`.
pub(super) fn slot_key(side: Side, i: u8) -> Key {
    format!("slot {side} {i}")
}

/// Returns the key of the free place behind the base card of slot `i` (from 0): `room 1 3`.
pub(super) fn room_key(side: Side, i: u8) -> Key {
    format!("room {side} {i}")
}

/// Returns the key of a side, which is clicked to attack it or to aim at it: `side 1`, `side e`.
pub(super) fn side_key(side: Side) -> Key {
    format!("side {side}")
}

/// Returns the key of a side's deck: `deck 1`, `deck e`.
pub(super) fn deck_key(side: Side) -> Key {
    format!("deck {side}")
}

/// Parses the side in a key (a seat from 0 or `e`, as in `side 1` and `deck e`). `None` if it is neither a number nor
/// `e`. Not checked: whether the match has that seat.
pub(super) fn side_of(word: &str) -> Option<Side> {
    match word {
        "e" => Some(Side::EMPIRE),
        seat => seat.parse().ok().map(Side),
    }
}

/// Returns the token that a key such as `#17` names; `None` for other keys. Not checked: whether the match has that
/// token.
pub(super) fn token_of(key: &str) -> Option<Token> {
    key.starts_with('#').then(|| key.parse().ok()).flatten()
}

/// Returns the first card with the same face and price in the same zone: the legal list names only this one.
/// Returns `t` itself if it is in a slot or its face is unknown.
pub(super) fn first_twin(view: &Position<Hegemony>, t: Token) -> Token {
    let state = view.state();
    let (tokens, zone, face) = (state.tokens(), state.tokens().zone(t), view.face(t));
    let slots = matches!(place(zone), Place::Slot(..));
    if slots || face.is_none() {
        return t;
    }
    let price = |u: Token| if zone == COMMON { state.surcharge(u) } else { 0 };
    tokens.iter(zone).find(|&u| view.face(u) == face && price(u) == price(t)).unwrap_or(t)
}

/// Returns the card whose effect is being aimed and the side that it was used on; `None` outside that step, or if the
/// card is not open.
pub(super) fn aimed(state: &Hegemony) -> Option<(Card, Side)> {
    match state.step() {
        Task::Aim(_, t, target) => Some((state.tokens().public_face(t)?, target)),
        _ => None,
    }
}

/// Returns the side that has lost the current battle; the defender while it is undecided or after a tie, the Empire
/// if there is no battle.
pub(super) fn beaten(state: &Hegemony) -> Side {
    use pentarchy_hegemony::Verdict;
    state.fought().map_or(Side::EMPIRE, |b| b.sides()[usize::from(b.verdict() != Verdict::Defender)])
}

/// Returns whether a card is covert: one of the Diplomacy cards that may lie face down in a slot, as Military cards
/// do. `false` if the observer does not know the card.
pub(super) fn is_covert(view: &Position<Hegemony>, t: Token) -> bool {
    view.face(t).is_some_and(|card| card.is_covert())
}

/// Returns the index (from 0) of the first empty slot of a side; `None` if all are occupied.
fn lowest_empty(state: &Hegemony, side: Side) -> Option<u8> {
    (0..state.slot_count(side)).find(|&i| state.tokens().is_empty(slot(side, i)))
}

/// Appends to `path` the keys that a player clicks for an action of the deciding seat, in the order of the clicks;
/// the keys are those of the module's table. Nothing for actions that have only a button, such as *Continue*. A key
/// of which the position names no slot or card is left out. If no seat decides, own slots are those of seat 0. Not
/// checked: whether the action is legal.
pub(super) fn touches(view: &Position<Hegemony>, action: Action, path: &mut Vec<Key>) {
    let state = view.state();
    let own = Side::from(view.actor().unwrap_or(Seat(0)));
    match action {
        Action::Place(t, i, lie) => {
            path.push(t.to_string());
            if lie == Lie::Up && is_covert(view, t) {
                path.push("up".to_string());
            }
            path.push(slot_key(own, i));
        }
        Action::Station(t, i) => path.extend([t.to_string(), room_key(own, i)]),
        Action::War(side) | Action::Target(side) => path.push(side_key(side)),
        Action::Trade => path.push("trade".to_string()),
        Action::Fresh => path.push("fresh".to_string()),
        Action::LookPool => path.extend(aimed(state).map(|(_, target)| deck_key(target))),
        Action::Look(i) => path.extend(aimed(state).map(|(_, target)| slot_key(target, i))),
        Action::Slot(i) => match aimed(state) {
            Some((Card::Sanctions, target)) => path.push(slot_key(target, i)),
            _ => path.push(slot_key(own, i)),
        },
        Action::Hit(i, k) => {
            let target = aimed(state).map_or(own, |(_, target)| target);
            let victim = state.tokens().iter(slot(target, i)).nth(k.into());
            path.extend(victim.map(|t| t.to_string()));
        }
        Action::Ask(i) => path.push(slot_key(Side::EMPIRE, i)),
        Action::Refill => path.extend(lowest_empty(state, own).map(|i| slot_key(own, i))),
        Action::Enter(_) => {
            if let Task::Enter(seat, i) = state.step() {
                path.push(slot_key(seat.into(), i));
            }
        }
        Action::Accept => {
            if let Task::Answer(_, i) = state.step() {
                path.extend(state.tokens().top(slot(Side::EMPIRE, i)).map(|t| t.to_string()));
            }
        }
        Action::Raze(i) | Action::Ruin(i) => path.push(slot_key(beaten(state), i)),
        other => path.extend(other.token().map(|t| t.to_string())),
    }
}
