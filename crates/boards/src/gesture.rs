//! Gestures: one click path of a person can be several actions of the rules.
//!
//! "Move this army there" is `select 2,-1` and `march e 9`. The page offers both as one action, plays both at once,
//! and undoes both together. Records hold single actions.

use crate::board::{Board, Key};
use pentarchy_engine::{Position, Seat};

/// Separator of the actions of a gesture in its text: `select 2,-1; march e 9`.
pub const AND: &str = "; ";

/// A gesture: an action, optionally after an action that only selects, or the last action of a route.
pub struct Gesture<'a, G: Board> {
    /// The selecting action, or the first action of a route; `None` for a single action.
    pub first: Option<G::Action>,
    /// The actions of a route between its first and its last one; otherwise empty.
    pub between: Vec<G::Action>,
    /// The position in which the last action is played.
    pub at: &'a Position<G>,
    /// The last action.
    pub action: G::Action,
    /// The keys that are clicked, in order.
    pub path: Vec<Key>,
}

impl<G: Board> Gesture<'_, G> {
    /// Returns the canonical texts of all actions, joined by [`AND`].
    /// [`GameView::play`](crate::table::GameView::play) accepts this text.
    pub fn text(&self) -> String {
        let all = self.first.iter().chain(&self.between).chain([&self.action]);
        all.map(ToString::to_string).collect::<Vec<_>>().join(AND)
    }
}

/// Calls `each` with every gesture of the awaited seat: first in the order of the legal list, where a selecting
/// action is replaced by its pairs with each action that can follow; then the routes of the board. Routes of fewer
/// than two actions, or with an illegal action before the last, are left out. A selecting action stands alone if what
/// follows it is not known. Does not call `each` if the legal actions are not known to the observer of `view`.
pub fn gestures<G: Board>(view: &Position<G>, mut each: impl FnMut(Gesture<'_, G>)) {
    each_gesture(view, &mut each);
}

/// Calls `each` with every gesture of the awaited seat: first in the order of the legal list, where a selecting
/// action is replaced by its pairs with each action that can follow; then the routes of the board. Not called if
/// the legal actions are not known to the observer of `view`. `each` is an object, so that this is compiled once
/// per game and not per closure.
fn each_gesture<G: Board>(view: &Position<G>, each: &mut dyn FnMut(Gesture<'_, G>)) {
    let (mut list, mut more) = (Vec::new(), Vec::new());
    if view.legal(&mut list).is_err() {
        return;
    }
    for action in list {
        let mut path = Vec::new();
        G::touches(view, action, &mut path);
        let Some(next) = after_selection(view, action).filter(|next| next.legal(&mut more).is_ok()) else {
            each(Gesture { first: None, between: Vec::new(), at: view, action, path });
            continue;
        };
        for &second in &more {
            let mut path = path.clone();
            G::touches(&next, second, &mut path);
            each(Gesture { first: Some(action), between: Vec::new(), at: &next, action: second, path });
        }
    }
    for route in G::routes(view) {
        let [first, ref between @ .., action] = route[..] else { continue };
        let mut next = view.clone();
        if [first].iter().chain(between).any(|&before| next.play(before).is_err()) {
            continue;
        }
        let mut path = Vec::new();
        G::touches(&next, action, &mut path);
        each(Gesture { first: Some(first), between: between.to_vec(), at: &next, action, path });
    }
}

/// Returns the position after an action that only selects; `None` for other actions, and if the rules reject it. Does
/// not change `view`.
fn after_selection<G: Board>(view: &Position<G>, action: G::Action) -> Option<Position<G>> {
    if !G::selects(view, action) {
        return None;
    }
    let mut next = view.clone();
    next.play(action).ok().map(|()| next)
}

/// Returns the text of an action as a complete gesture: a selecting action is followed by the action that the
/// guide recommends to `seat` ([`best`](crate::guide::best)). Other actions stand alone, and so do selecting ones
/// that no decision of `seat` follows. Not checked: whether the action is legal.
pub fn completed<G: Board>(view: &Position<G>, seat: Seat, action: G::Action) -> String {
    let follow = after_selection(view, action).and_then(|next| crate::guide::best(&next, seat, |_| true));
    match follow {
        Some(follow) => format!("{action}{AND}{follow}"),
        None => action.to_string(),
    }
}
