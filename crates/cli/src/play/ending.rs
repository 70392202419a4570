//! The ranking at the end of a game.

use crate::style::{DIM, paint, seat as seat_style};
use pentarchy_engine::{Outcome, Seat};

/// Returns the ranking as coloured lines of text (rank, name, score), best first and equals in the order of seats, with
/// a sentence if nobody has won, the first place is shared by some or all, or the game ended at its limit. `names` must
/// have a name for each seat: else it panics.
pub(crate) fn ranking(outcome: &Outcome, names: &[String]) -> String {
    let mut seats: Vec<Seat> = (0..outcome.seats()).map(Seat).collect();
    seats.sort_by_key(|&seat| outcome.rank(seat));
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for seat in seats {
        let (rank, score) = (outcome.rank(seat), outcome.score(seat));
        let name = paint(seat_style(seat), format_args!("{:<widest$}", names[seat.index()]));
        out += &format!("  {rank}.  {name}  {score:>6}\n");
    }
    if !outcome.is_won() {
        out += "Nobody has won.\n";
    } else if outcome.winner().is_none() {
        let all = outcome.winners().count() == usize::from(outcome.seats());
        out += if all { "A draw.\n" } else { "The first place is shared.\n" };
    }
    if outcome.is_capped() {
        out += &format!("{}\n", paint(DIM, "The game ended at its limit of length."));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_come_first() {
        let names = ["Ada".to_string(), "Bob".to_string(), "Cy".to_string()];
        let text = ranking(&Outcome::by_score(&[3, 7, 7]), &names);
        let text = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(
            text,
            "  1.  Bob       7\n  1.  Cy        7\n  3.  Ada       3\nThe first place is shared.\n"
        );
    }

    #[test]
    fn where_all_have_lost_nobody_is_congratulated() {
        let names = ["Ada".to_string(), "Bob".to_string()];
        for scores in [[0, -3], [-2, -2]] {
            let text = ranking(&Outcome::by_score(&scores).unwon(), &names);
            assert!(text.ends_with("Nobody has won.\n") && !text.contains("draw"), "{text}");
        }
    }
}
