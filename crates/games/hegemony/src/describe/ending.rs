//! How the game ended, in sentences.

use super::texts::LOG;
use crate::rules::Victory;
use crate::state::{Ending, Hegemony};
use pentarchy_engine::describe::{join_list, who};
use pentarchy_engine::{Node, Seat, fill_text};

/// Describes in one line how the game ended, who won with how many points, and what broke a tie; for a game
/// without a winner that the Empire or nobody wins. `None` before the end, also while the cards of tied
/// players are still to be shown. Seats are written `@0`.
pub(super) fn ending(state: &Hegemony) -> Option<String> {
    let reason = state.ending.filter(|_| state.awaited() == Node::Over)?;
    let victory = state.victory();
    let why = match reason {
        Ending::EmpireWins => return Some(LOG.all_defeated.to_string()),
        Ending::Toppled => LOG.fallen,
        Ending::LastOne if victory.is_none() => LOG.none_left,
        Ending::LastOne => LOG.one_left,
        Ending::Cap => LOG.last_round,
    };
    let mut sentences = vec![why.to_string()];
    match victory {
        Some(victory) => winners(&victory, &mut sentences),
        None => sentences.push(LOG.nobody_won.to_string()),
    }
    Some(sentences.join(" "))
}

/// Appends to `sentences` who won: one sentence with the points if the winner has more than all others.
/// Otherwise one that names all leaders with their points, and one that says whose cards cost more, or that
/// all of them share the victory.
fn winners(victory: &Victory, sentences: &mut Vec<String>) {
    let Victory { winners, points, leaders, tie_break } = victory;
    let names = |seats: &[Seat]| {
        join_list(&seats.iter().map(|&seat| who(seat)).collect::<Vec<_>>(), LOG.comma, LOG.and)
    };
    let won = names(winners);
    if leaders.len() == 1 {
        sentences.push(fill_text!(LOG.one_won, player = won, points = points));
        return;
    }
    sentences.push(fill_text!(LOG.tied, players = names(leaders), points = points));
    sentences.push(match (tie_break, winners.len()) {
        (Some((own, other)), 1) => fill_text!(LOG.won_by_cards, player = won, own = own, other = other),
        (Some((own, other)), _) => fill_text!(LOG.shared_by_cards, players = won, own = own, other = other),
        (None, _) => fill_text!(LOG.several_won, players = won),
    });
}
