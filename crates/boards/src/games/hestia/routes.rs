//! Marches in one click: from an army to any land within its moves.

use pentarchy_engine::{Node, Position, Seat};
use pentarchy_hestia::map::Place;
use pentarchy_hestia::{Action, DecisionKind, Hestia};
use std::collections::VecDeque;

type View = Position<Hestia>;

/// Returns the sequences of actions that one click stands for:
///
/// - while an army is formed: all blocks, or those taken so far, march to a place within reach;
/// - on the march: the army marches on to a place that is not adjacent, or it stops, and an army out of its reach is
///   chosen or blocks are rallied;
/// - in both cases: the army marches to a city-state and places a token there.
///
/// Empty at other decisions, and if no seat decides.
pub(super) fn routes(view: &View) -> Vec<Vec<Action>> {
    let Node::Decide(seat) = view.node() else { return Vec::new() };
    let list = list_legal(view);
    match view.state().decision_kind() {
        DecisionKind::Pick => {
            let Some(&go) = list.iter().find(|act| matches!(act, Action::Go | Action::All)) else {
                return Vec::new();
            };
            play_on_copy(view, go).map_or_else(Vec::new, |next| find_marches(&next, seat, vec![go]))
        }
        DecisionKind::March => {
            let mut all = find_marches(view, seat, Vec::new());
            // Not the place where the army stands: its blocks cover it, and "Stop here" is a button.
            let here = view.state().marching().map(|army| Action::Move(army.place));
            let reached: Vec<Action> =
                all.iter().filter_map(|route| route.last().copied()).chain(here).collect();
            let next =
                play_on_copy(view, Action::Stop).filter(|next| is_asked(next, seat, DecisionKind::Orders));
            let orders =
                next.map_or_else(Vec::new, |next| list_legal(&next)).into_iter().filter(|act| match act {
                    Action::Army(at) => !reached.contains(&Action::Move(*at)),
                    other => matches!(other, Action::Rally(..)),
                });
            all.extend(orders.map(|order| vec![Action::Stop, order]));
            all.retain(|route| route.len() > 1);
            all
        }
        _ => Vec::new(),
    }
}

/// Returns the first route of [`routes`] that ends with this action; empty if there is none.
pub(super) fn ending(view: &View, action: Action) -> Vec<Action> {
    routes(view).into_iter().find(|route| route.last() == Some(&action)).unwrap_or_default()
}

/// Returns the legal actions of the awaited seat; empty if there is none or the observer may not know them.
fn list_legal(view: &View) -> Vec<Action> {
    let mut list = Vec::new();
    match view.legal(&mut list) {
        Ok(()) => list,
        Err(_) => Vec::new(),
    }
}

/// Returns the position after an action; `None` if the action is not legal. `view` does not change.
fn play_on_copy(view: &View, action: Action) -> Option<View> {
    let mut next = view.clone();
    next.play(action).ok().map(|()| next)
}

/// Returns whether this seat decides now and the decision is of this kind.
fn is_asked(view: &View, seat: Seat, kind: DecisionKind) -> bool {
    view.node() == Node::Decide(seat) && view.state().decision_kind() == kind
}

/// Returns the shortest march of `seat`'s army to each place within reach, each preceded by the actions `before`,
/// which have been played in `view`. A march to a city-state where a token can be placed comes a second time, with
/// the token. Shorter marches come first. Empty if the seat does not march.
fn find_marches(view: &View, seat: Seat, before: Vec<Action>) -> Vec<Vec<Action>> {
    let mut seen: Vec<Place> = view.state().marching().map(|army| army.place).into_iter().collect();
    let mut out: Vec<Vec<Action>> = Vec::new();
    let mut queue = VecDeque::from([(view.clone(), before)]);
    while let Some((view, route)) = queue.pop_front() {
        if !is_asked(&view, seat, DecisionKind::March) {
            continue;
        }
        for act in list_legal(&view) {
            let Action::Move(place) = act else { continue };
            if seen.contains(&place) {
                continue;
            }
            seen.push(place);
            let mut route = route.clone();
            route.push(act);
            out.push(route.clone());
            let Some(next) = play_on_copy(&view, act) else { continue };
            if is_asked(&next, seat, DecisionKind::March) && list_legal(&next).contains(&Action::Influence) {
                out.push([&route[..], &[Action::Influence]].concat());
            }
            queue.push_back((next, route));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarchy_engine::Rng;

    /// Plays random games and returns how many routes end with a token; each must be legal and lead to a city-state.
    fn count_token_routes(seed: u64) -> usize {
        let mut position = View::new(2, &Default::default()).unwrap();
        let (mut rng, mut count) = (Rng::stream(seed, 3), 0);
        for _ in 0..600 {
            match position.node() {
                Node::Over => break,
                Node::Decide(seat) => {
                    let view = position.view(seat);
                    for route in routes(&view).iter().filter(|route| route.ends_with(&[Action::Influence])) {
                        let mut next = view.clone();
                        route.iter().for_each(|&action| next.play(action).unwrap());
                        let Some(&Action::Move(place)) = route.iter().rev().nth(1) else {
                            panic!("a token without a march: {route:?}")
                        };
                        assert!(place.city().is_some() && next.state().has_token(place, seat), "{route:?}");
                        count += 1;
                    }
                    let list = list_legal(&view);
                    position.play(list[rng.below(list.len() as u32) as usize]).unwrap();
                }
                _ => position.resolve(&mut rng).unwrap(),
            }
        }
        count
    }

    #[test]
    fn an_army_marches_to_a_city_state_and_places_a_token() {
        let count: usize = (0..4).map(count_token_routes).sum();
        assert!(count > 20, "{count} routes");
    }
}
