//! Gestures: what a person does in one go may be several actions of the rules.
//!
//! "Move this army there" is `select 2,-1` and `march e 9`. The page offers both as one choice, plays both at once, and
//! takes both back together. Records still hold single actions.

use crate::board::{Board, Key};
use pentarchy_engine::{Position, Seat};

/// Stands between the actions of a gesture in its text: `select 2,-1; march e 9`.
pub const AND: &str = "; ";

/// One gesture: an action, perhaps after an action that only selects, or the last action of a route.
pub struct Gesture<'a, G: Board> {
    /// The selecting action, if there is one.
    pub first: Option<G::Action>,
    /// The actions between the first and the last one.
    pub between: Vec<G::Action>,
    /// The position in which the last action is taken.
    pub at: &'a Position<G>,
    /// The last action.
    pub action: G::Action,
    /// The places that are clicked, in order.
    pub path: Vec<Key>,
}

impl<G: Board> Gesture<'_, G> {
    /// The canonical texts of the actions.
    pub fn text(&self) -> String {
        let all = self.first.iter().chain(&self.between).chain([&self.action]);
        all.map(ToString::to_string).collect::<Vec<_>>().join(AND)
    }
}

/// Calls `each` with every gesture of the seat that is asked, in the order of the legal list, then the routes.
pub fn gestures<G: Board>(view: &Position<G>, mut each: impl FnMut(Gesture<'_, G>)) {
    let (mut list, mut more) = (Vec::new(), Vec::new());
    if view.legal(&mut list).is_err() {
        return;
    }
    for action in list {
        let mut path = Vec::new();
        G::touches(view, action, &mut path);
        let Some(next) = selected(view, action).filter(|next| next.legal(&mut more).is_ok()) else {
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

/// The position after an action that only selects; nothing for other actions.
fn selected<G: Board>(view: &Position<G>, action: G::Action) -> Option<Position<G>> {
    if !G::selects(view, action) {
        return None;
    }
    let mut next = view.clone();
    next.play(action).ok().map(|()| next)
}

/// The text of an action as a whole gesture: if it only selects, the best-rated action that can follow is added.
pub fn completed<G: Board>(view: &Position<G>, seat: Seat, action: G::Action) -> String {
    let follow = selected(view, action).and_then(|next| crate::guide::best(&next, seat, |_| true));
    match follow {
        Some(follow) => format!("{action}{AND}{follow}"),
        None => action.to_string(),
    }
}
