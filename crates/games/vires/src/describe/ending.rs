//! The explanation of the final ranking.

use super::texts::LOG;
use super::{and, hr};
use crate::state::Vires;
use pentarchy_engine::describe::who;
use pentarchy_engine::{Game, Seat, fill_text};

/// Describes how the game ended (a complete Chain or the last round) and who won, with how many points and by
/// which tie-break; `None` before the end. Seats are written `@0`. The tie-breaks are the longer Chain, then
/// more HR in hand; several winners share the victory.
pub(super) fn ending(state: &Vires) -> Option<String> {
    let outcome = state.outcome()?;
    let winners: Vec<Seat> = outcome.winners().collect();
    let &winner = winners.first()?;
    let seats = || (0..state.seats).map(Seat);
    let (need, points) = (state.rules.blocks, state.score(winner));
    let end = match seats().find(|&p| state.blocks(p) >= need) {
        Some(p) => fill_text!(LOG.chain_complete, player = who(p), n = need),
        None => fill_text!(LOG.last_round, round = state.round),
    };
    let tied: Vec<Seat> = seats().filter(|&p| state.score(p) == points).collect();
    if tied.len() == 1 {
        return Some([end, fill_text!(LOG.won, player = who(winner), points = points)].join(" "));
    }
    let names = |list: &[Seat]| and(list.iter().map(|&p| who(p)).collect());
    let tie = fill_text!(LOG.tied, players = names(&tied), points = points);
    let most = |value: &dyn Fn(Seat) -> u8, among: &dyn Fn(Seat) -> bool| {
        let others = tied.iter().filter(|&&p| p != winner && among(p));
        others.map(|&p| value(p)).max().unwrap_or_default()
    };
    let own = state.blocks(winner);
    let chain = most(&|p| state.blocks(p), &|_| true);
    let why = if winners.len() > 1 {
        fill_text!(LOG.shared, players = names(&winners))
    } else if chain < own {
        fill_text!(LOG.won_by_chain, player = who(winner), own = own, other = chain)
    } else {
        let rest = most(&|p| state.open_hr(p), &|p| state.blocks(p) == own);
        fill_text!(LOG.won_by_hr, player = who(winner), own = hr(state.open_hr(winner)), other = rest)
    };
    Some([end, tie, why].join(" "))
}
