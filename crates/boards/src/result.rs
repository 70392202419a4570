//! The result of a match in words.

use crate::table::EndSummary;
use crate::ui::Ui;
use crate::words::{and, plain};
use pentarchy_engine::{Outcome, Seat};

/// Returns the heading of the result: `Sena wins Hegemony`, `You win Hegemony`, `Sena and You share the victory`,
/// `Hegemony ends in a draw` if all seats win, or `Nobody wins Hegemony`. `title` is the name of the game; a "The" at
/// its beginning is put in lower case inside the sentence. `ui` has the names of the players; its own seat is "You".
pub fn heading(outcome: &Outcome, title: &str, ui: &Ui) -> String {
    let winners: Vec<String> = outcome
        .winners()
        .map(|seat| if ui.seat == Some(seat) { "You".to_string() } else { ui.name(seat).to_string() })
        .collect();
    match &winners[..] {
        [] => format!("Nobody wins {}", inside(title)),
        [one] if one == "You" => format!("You win {}", inside(title)),
        [one] => format!("{one} wins {}", inside(title)),
        many if many.len() == usize::from(outcome.seats()) => format!("{title} ends in a draw"),
        many => format!("{} share the victory", and(many)),
    }
}

/// Returns a title as used inside a sentence: "The " at its beginning becomes "the ".
fn inside(title: &str) -> String {
    title.strip_prefix("The ").map_or_else(|| title.to_string(), |rest| format!("the {rest}"))
}

/// Returns the sentences below the heading. The first says why the match ended, from `end`; without one, how many
/// points the seat of `ui` is behind, or that the last round is over. Then follows that a tie-break decided, unless
/// `end` explains that. May be empty.
pub fn explanation(outcome: &Outcome, end: &EndSummary, ui: &Ui) -> String {
    let why = end.why.as_ref().map_or_else(|| reason(outcome, ui.seat), |why| plain(why, ui));
    match tie_break(outcome, ui).filter(|_| !end.explains_ties) {
        Some(tie) => format!("{why} {tie}").trim().to_string(),
        None => why,
    }
}

/// Returns a sentence about the result. If the seat `me` is not ranked first: "You were N points short.", or nothing if
/// its score equals the best. If it is ranked first or `None`: "The last round is over." if the game was capped,
/// otherwise nothing.
fn reason(outcome: &Outcome, me: Option<Seat>) -> String {
    let best = outcome.scores().iter().max().copied().unwrap_or(0);
    match me {
        Some(me) if outcome.rank(me) > 1 => match best - outcome.score(me) {
            1 => "You were 1 point short.".to_string(),
            behind if behind > 1 => format!("You were {behind} points short."),
            _ => String::new(),
        },
        _ if outcome.is_capped() => "The last round is over.".to_string(),
        _ => String::new(),
    }
}

/// Returns the sentence that a tie-break decided, with the score and the names of the tied seats. `None` unless there
/// is one winner and another seat has the same score.
fn tie_break(outcome: &Outcome, ui: &Ui) -> Option<String> {
    let winner = outcome.winner()?;
    let name = |seat: Seat| if ui.seat == Some(seat) { "you".to_string() } else { ui.name(seat).to_string() };
    let tied: Vec<String> = (0..outcome.seats())
        .map(Seat)
        .filter(|seat| *seat != winner && outcome.score(*seat) == outcome.score(winner))
        .map(name)
        .collect();
    let names = and(&tied);
    (!tied.is_empty())
        .then(|| format!("Tied on {} with {names}: the tie-break decides.", outcome.score(winner)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names of three players, of which seat 2 is at this screen.
    fn ui() -> Ui {
        let names = ["Sena", "Ilex", "You"].map(str::to_string).to_vec();
        Ui { seat: Some(Seat(2)), names, ..Ui::default() }
    }

    #[test]
    fn a_tie_break_is_named_unless_the_game_explains_it() {
        // Seats 0 and 2 are tied, and a later card decides for seat 0.
        let tied = Outcome::by_key(&[12, 7, 12], |seat| [(12, 1), (7, 0), (12, 0)][seat.index()]);
        let clear = Outcome::by_score(&[12, 7, 11]);
        let shared = Outcome::by_score(&[12, 7, 12]);
        for why in ["Three cities fell.", "All parties agree.", "Both have 12 points each.", "The same end."]
        {
            for explains_ties in [false, true] {
                let end = EndSummary { why: Some(why.to_string()), explains_ties, parts: Vec::new() };
                let tie = format!("{why} Tied on 12 with you: the tie-break decides.");
                let expected = if explains_ties { why.to_string() } else { tie };
                assert_eq!(explanation(&tied, &end, &ui()), expected);
                assert_eq!(explanation(&clear, &end, &ui()), why);
                assert_eq!(explanation(&shared, &end, &ui()), why);
            }
        }
    }

    #[test]
    fn a_match_without_a_reason_says_how_far_you_were_behind() {
        let says = |scores: &[i32]| explanation(&Outcome::by_score(scores), &EndSummary::default(), &ui());
        assert_eq!(says(&[9, 3, 8]), "You were 1 point short.");
        assert_eq!(says(&[9, 3, 4]), "You were 5 points short.");
        assert_eq!(says(&[3, 3, 4]), "");
    }
}
