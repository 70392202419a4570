//! Metrics of the classics: every decision is a turn. Leduc poker counts what is said; the others count
//! nothing by name.

use crate::poker::Say;
use crate::{ConnectFour, Kuhn, Leduc, LiarsDice, TicTacToe};
use pentarchy_engine::{AppliedEvent, Deed, Event, Item, Metrics, Position, Verb};

impl Metrics for TicTacToe {}
impl Metrics for ConnectFour {}
impl Metrics for Kuhn {}
impl Metrics for LiarsDice {}

/// What is counted in Leduc poker; the index is the item number of a deed.
const SAID: [(Say, &str); 5] = [
    (Say::Check, "Check"),
    (Say::Bet, "Bet"),
    (Say::Fold, "Fold"),
    (Say::Call, "Call"),
    (Say::Raise, "Raise"),
];

/// Returns the item number of what is said: its index in [`SAID`]. Never `None`, because the list has all actions.
fn number(say: Say) -> Option<u16> {
    SAID.iter().position(|(other, _)| *other == say).map(|i| i as u16)
}

impl Metrics for Leduc {
    /// Returns the actions of a betting round: check, bet, fold, call, raise.
    fn items() -> Vec<Item> {
        SAID.map(|(_, name)| Item::new(name, "Betting", Verb::Played)).to_vec()
    }

    /// Calls `out` with the action of the acting seat, from the event: the rules of poker report no facts.
    /// Reports nothing for an event of nature.
    fn deeds(event: &AppliedEvent<'_, Self>, out: &mut dyn FnMut(Deed)) {
        if let (Event::Act(say), Some(seat)) = (event.line.event, event.before.actor())
            && let Some(item) = number(say)
        {
            out(Deed { seat, verb: Verb::Played, item });
        }
    }

    /// Calls `out` with the action and returns `true`, for every action.
    fn predict_deeds(_: &Position<Self>, action: Say, out: &mut dyn FnMut(Verb, u16)) -> bool {
        number(action).is_some_and(|item| {
            out(Verb::Played, item);
            true
        })
    }
}
