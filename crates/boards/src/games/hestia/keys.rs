//! The keys of the pieces of Hestia, and the keys that an action touches.
//!
//! | key | place |
//! | --- | --- |
//! | `#17` | a card of the hand, or a block |
//! | `place HES` | a territory, a sea, a box |
//! | `rally DON`, `rally FER S3` | blocks or ships that can be raised |
//! | `token FIR` | the influence token that the army can place there |

use crate::board::Key;
use crate::ui::Ui;
use pentarchy_engine::{Game, Position, Token};
use pentarchy_hestia::map::Place;
use pentarchy_hestia::{Action, Hestia};

/// Returns the key of a place: `place HES`.
pub(super) fn place(place: Place) -> Key {
    format!("place {place}")
}

/// Returns the key of blocks that can be raised at a place (`rally DON`), or of a ship of it that is put in `sea`
/// (`rally FER S3`).
pub(super) fn rally(place: Place, sea: Option<Place>) -> Key {
    match sea {
        Some(sea) => format!("rally {place} {sea}"),
        None => format!("rally {place}"),
    }
}

/// Returns the key that is clicked to place an influence token at a place: `token FIR`. Not checked: whether an army
/// can place one there.
pub(super) fn influence(place: Place) -> Key {
    format!("token {place}")
}

/// Returns the token that a key such as `#17` names; `None` for other keys. Not checked: whether the match has that
/// token.
pub(super) fn token_of(key: &str) -> Option<Token> {
    key.starts_with('#').then(|| key.parse().ok()).flatten()
}

/// Returns the place that a key `place …` or `rally …` names; `None` for other keys and unknown places.
pub(super) fn place_of(key: &str) -> Option<Place> {
    let rallied = || key.strip_prefix("rally ")?.split(' ').next();
    key.strip_prefix("place ").or_else(rallied)?.parse().ok()
}

/// Returns the first card with the same face in the same zone: the legal list names only this one. Returns `t`
/// itself if its face is unknown.
pub(super) fn first_twin(view: &Position<Hestia>, t: Token) -> Token {
    let tokens = view.state().tokens();
    let face = view.face(t);
    let twin = |u: &Token| face.is_some() && view.face(*u) == face;
    tokens.iter(tokens.zone(t)).find(twin).unwrap_or(t)
}

/// Returns the key that a click on a block selects: its own, or that of the first equal block in the same zone if
/// only that one can be clicked. Equal blocks have the same face and do not differ in whether they march or may move.
/// A block that the observer does not know has its own key.
pub(super) fn block(view: &Position<Hestia>, ui: &Ui, t: Token) -> Key {
    let state = view.state();
    let own = t.to_string();
    if ui.lit(&own) || ui.chosen(&own) || view.face(t).is_none() {
        return own;
    }
    let alike = |u: &Token| {
        view.face(*u) == view.face(t)
            && state.marches(*u) == state.marches(t)
            && state.may_move(*u) == state.may_move(t)
    };
    let tokens = state.tokens();
    let twins = tokens.iter(tokens.zone(t)).filter(alike).map(|u| u.to_string());
    twins.into_iter().find(|key| ui.lit(key)).unwrap_or(own)
}

/// Appends to `path` the keys that a player clicks for an action, in the order of the clicks: at most one, of a
/// token, a place, a rally or an influence token. Nothing for actions that have only a button, such as *Stop*. Not
/// checked: whether the action is legal.
pub(super) fn touches(view: &Position<Hestia>, action: Action, path: &mut Vec<Key>) {
    match action {
        Action::Discard(t)
        | Action::Bid(t)
        | Action::Add(t)
        | Action::Pay(t)
        | Action::Swap(t)
        | Action::Pick(t)
        | Action::Drop(t)
        | Action::Force(t)
        | Action::Clash(t, _)
        | Action::Fight(t)
        | Action::Lose(t)
        | Action::Heal(t) => path.push(t.to_string()),
        Action::Army(at)
        | Action::Move(at)
        | Action::Battle(at)
        | Action::Flee(at)
        | Action::Withdraw(at) => {
            path.push(place(at));
        }
        Action::Rally(at, sea) => path.push(rally(at, sea)),
        Action::Influence => path.extend(view.state().marching().map(|army| influence(army.place))),
        Action::Done
        | Action::Cards(_)
        | Action::End
        | Action::All
        | Action::Go
        | Action::Stop
        | Action::Hold(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_places_and_rallies_name_their_place() {
        let (donia, hestia) = ("DON".parse().ok(), "HES".parse().ok());
        assert!(donia.is_some() && hestia.is_some());
        assert_eq!((place_of("place HES"), place_of("rally DON S3")), (hestia, donia));
        assert_eq!((place_of("#3"), place_of("place XYZ"), place_of("rally ")), (None, None, None));
    }
}
