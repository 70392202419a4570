//! The explanation of the final ranking.

use super::changes::and;
use super::hr;
use crate::state::Vires;
use pentarchy_engine::describe::who;
use pentarchy_engine::{Game, Seat};

/// Describes which player won, with how many points, and by which tie-break. `None` before the end.
pub(super) fn ending(state: &Vires) -> Option<String> {
    let outcome = state.outcome()?;
    let winners: Vec<Seat> = outcome.winners().collect();
    let &winner = winners.first()?;
    let seats = || (0..state.seats).map(Seat);
    let (need, points) = (state.rules.blocks, state.score(winner));
    let end = match seats().find(|&p| state.blocks(p) >= need) {
        Some(p) => format!("{} completes a Chain of {need} Blocks.", who(p)),
        None => format!("The last round, {}, is over.", state.round),
    };
    let tied: Vec<Seat> = seats().filter(|&p| state.score(p) == points).collect();
    if tied.len() == 1 {
        return Some(format!("{end} {} wins with {points} points.", who(winner)));
    }
    let names = |list: &[Seat]| and(list.iter().map(|&p| who(p)).collect());
    let tie = format!("{} have {points} points each.", names(&tied));
    if winners.len() > 1 {
        let shared = "share the victory: Chains and HR are equal too";
        return Some(format!("{end} {tie} {} {shared}.", names(&winners)));
    }
    let next = |value: &dyn Fn(Seat) -> u8| {
        tied.iter().filter(|&&p| p != winner).map(|&p| value(p)).max().unwrap_or_default()
    };
    let chain = next(&|p| state.blocks(p));
    let why = if chain < state.blocks(winner) {
        format!("the longer Chain: {} Blocks against {chain}", state.blocks(winner))
    } else {
        let level = |p: Seat| state.blocks(p) == state.blocks(winner);
        let rest = tied.iter().filter(|&&p| p != winner && level(p)).map(|&p| state.open_hr(p)).max();
        format!("more HR in hand: {} against {}", hr(state.open_hr(winner)), rest.unwrap_or_default())
    };
    Some(format!("{end} {tie} {} wins with {why}.", who(winner)))
}
