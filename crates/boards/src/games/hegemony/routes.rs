//! Gestures that skip the rest of a phase: while cards may be replaced or bought, the offers of the next phases
//! of the turn can be clicked, too.

use super::View;
use pentarchy_engine::{Node, Observer, Seat};
use pentarchy_hegemony::{Action, Task};

/// The end of a prompt for a decision that can be passed.
const CONTINUE: &str = ", or continue";

/// Returns for each purchase, war, trade and exchange of cards that follows when the player continues: the actions
/// *Continue* (once or twice) and then that action. Empty where the player cannot continue, or where another player
/// or chance comes next. The purchases come before the actions of a turn, each in legal order.
pub(super) fn routes(view: &View) -> Vec<Vec<Action>> {
    let Node::Decide(seat) = view.node() else { return Vec::new() };
    let (mut at, mut before, mut routes) = (view.clone(), Vec::new(), Vec::new());
    while let Some(next) = after_continue(&at, seat) {
        before.push(Action::Done);
        routes.extend(list_offers(&next).map(|action| [&before[..], &[action]].concat()));
        at = next;
    }
    routes
}

/// Adds the phases that can be skipped (`, buy, act` or `, act`) to the prompt of the deciding player, before its
/// `, or continue`. Returns any other sentence, and the prompt for another observer, unchanged.
pub(super) fn worded(view: &View, sentence: String) -> String {
    let is_asked = view.actor().is_some_and(|seat| view.observer() == Observer::Seat(seat));
    match sentence.strip_suffix(CONTINUE) {
        Some(offer) if is_asked && !routes(view).is_empty() => {
            let phases =
                if matches!(view.state().step(), Task::Replace(..)) { ", buy, act" } else { ", act" };
            format!("{offer}{phases}{CONTINUE}")
        }
        _ => sentence,
    }
}

/// Plays *Continue* on a copy and returns it, if that leads to the purchase or action phase of the same seat. `None`
/// otherwise, and outside the steps Replace and Purchase.
fn after_continue(view: &View, seat: Seat) -> Option<View> {
    if !matches!(view.state().step(), Task::Replace(..) | Task::Purchase(..)) {
        return None;
    }
    let mut next = view.clone();
    next.play(Action::Done).ok()?;
    let is_phase = matches!(next.state().step(), Task::Purchase(..) | Task::Act(_));
    (is_phase && next.node() == Node::Decide(seat)).then_some(next)
}

/// Iterates over the legal purchases and turn actions (attack, trade, fresh cards): what can be clicked besides the
/// hand and *Continue*. Nothing if the legal actions are not known.
fn list_offers(view: &View) -> impl Iterator<Item = Action> {
    let mut list = Vec::new();
    let legal = view.legal(&mut list);
    let list = if legal.is_ok() { list } else { Vec::new() };
    list.into_iter()
        .filter(|act| matches!(act, Action::Buy(_) | Action::War(_) | Action::Trade | Action::Fresh))
}
