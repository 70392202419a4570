//! The explanation of the final ranking.

use super::texts::LOG;
use super::{and, hr};
use crate::rules::{Ending, TieBreak};
use crate::state::Vires;
use pentarchy_engine::describe::who;
use pentarchy_engine::{Seat, fill_text};

/// Describes how the game ended (a complete Chain or the last round) and who won, with how many points and by
/// which tie-break; `None` before the end. Seats are written `@0`. The tie-breaks are the longer Chain, then
/// more HR in hand; several winners share the victory.
pub(super) fn ending(state: &Vires) -> Option<String> {
    let Ending { complete, winners, leaders, points, tie_break } = state.ending()?;
    let names = |list: &[Seat]| and(list.iter().map(|&p| who(p)).collect());
    let won = names(&winners);
    let mut sentences = vec![match complete {
        Some(p) => fill_text!(LOG.chain_complete, player = who(p), n = state.rules.blocks),
        None => fill_text!(LOG.last_round, round = state.round),
    }];
    if leaders.len() == 1 {
        sentences.push(fill_text!(LOG.won, player = won, points = points));
        return Some(sentences.join(" "));
    }
    sentences.push(fill_text!(LOG.tied, players = names(&leaders), points = points));
    let one = winners.len() == 1;
    sentences.push(match tie_break {
        None => fill_text!(LOG.shared, players = won),
        Some(TieBreak::Chain(own, other)) => {
            let template = if one { LOG.won_by_chain } else { LOG.shared_by_chain };
            fill_text!(template, player = won, own = own, other = other)
        }
        Some(TieBreak::Hr(own, other)) => {
            let template = if one { LOG.won_by_hr } else { LOG.shared_by_hr };
            fill_text!(template, player = won, own = hr(own), other = other)
        }
    });
    Some(sentences.join(" "))
}
