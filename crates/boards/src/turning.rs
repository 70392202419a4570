//! The turning points of a match: the decisions after which the chances changed most.

use crate::table::{LogLine, RaceSample};
use crate::ui::Ui;
use crate::words::plain;
use pentarchy_engine::Seat;
use pentarchy_engine::sorting::sort_by_key;

/// A decision after which the chances changed a lot.
#[derive(Clone, PartialEq, Debug)]
pub struct TurningPoint {
    /// Number of events after it.
    pub at: usize,
    /// The round in which it happened.
    pub round: String,
    /// What the log says of it, with names.
    pub text: String,
    /// The seat whose chance changed.
    pub seat: Seat,
    /// Its chance before, in thousandths.
    pub from: i32,
    /// Its chance after it, in thousandths.
    pub to: i32,
}

/// The smallest change of a chance that makes a turning point, in thousandths.
const LEAST_CHANGE: i32 = 30;

/// Returns up to three decisions after which a chance changed most, in the order of the match. Of two neighbouring
/// `moments` it looks at the chance of one seat: that of `ui`, the player of this page, or else the one whose chance
/// changed most (the last of equals). The decision is the log line between them that explains the change best: first
/// that a seat is out, then fights, purchases last; of equals a line by the seat or that names it, then the last one.
/// Lines about chance, income and placing do not count, and unless the score of the seat changed only lines by the
/// seat or that name it. A change without such a line is left out.
///
/// The last change found is the end of the match: it is left out too if there are more than three. So are changes of
/// less than 3 points of a hundred, and of several within 1/20 of the match all but the largest. `moments` and
/// `lines` must be those of the whole match, and the seat of `ui` must be one of the match; `ui` has the names.
pub fn turning_points(moments: &[RaceSample], lines: &[LogLine], ui: &Ui) -> Vec<TurningPoint> {
    let mut all: Vec<TurningPoint> = Vec::new();
    for pair in moments.windows(2) {
        let [before, after] = pair else { continue };
        let changes = before.chances.iter().zip(&after.chances).map(|(a, b)| b - a);
        let most = changes.enumerate().max_by_key(|(_, change)| change.abs()).map(|(seat, _)| seat);
        let Some(seat) = ui.seat.map(Seat::index).or(most) else { continue };
        let between = lines.iter().rev().filter(|l| l.at <= after.at && l.at > before.at && is_decision(l));
        let place = format!("@{seat}");
        let concerns = |line: &LogLine| line.actor == Some(Seat(seat as u8)) || line.text.contains(&place);
        let scored = before.scores.get(seat) != after.scores.get(seat);
        let between = between.filter(|line| scored || concerns(line));
        // Of equal weight the last: a fight tells more than a purchase, and what names the seat more than what does not.
        let Some(said) = between.min_by_key(|line| (explanation_rank(line), !concerns(line))) else {
            continue;
        };
        all.push(TurningPoint {
            at: said.at,
            round: after.round.clone(),
            text: plain(&without_routine(&said.text), ui),
            seat: Seat(seat as u8),
            from: before.chances[seat],
            to: after.chances[seat],
        });
    }
    // The end itself is not a turning point.
    if all.len() > 3 {
        all.pop();
    }
    all.retain(|turn| (turn.to - turn.from).abs() >= LEAST_CHANGE);
    sort_by_key(&mut all, |turn| -(turn.to - turn.from).abs());
    let mut out: Vec<TurningPoint> = Vec::new();
    let apart = moments.last().map_or(1, |m| m.at / 20).max(1);
    for turn in all {
        if out.len() < 3 && out.iter().all(|t| t.at.abs_diff(turn.at) > apart) {
            out.push(turn);
        }
    }
    sort_by_key(&mut out, |turn| turn.at);
    out
}

/// Returns a text of the log without the lines about income, upkeep, placing and refilling, and about whose turn it
/// is; empty if there are no others. These lines are found by their words (`ROUTINE`).
fn without_routine(text: &str) -> String {
    const ROUTINE: [&str; 7] = ["income", "upkeep", "earns", "place", "places", "stations", "refills"];
    let routine = |sentence: &&str| {
        if sentence.ends_with("'s turn.") || *sentence == "Your turn." {
            return true;
        }
        let mut words = sentence.split_whitespace();
        words.any(|w| ROUTINE.contains(&w.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase().as_str()))
    };
    text.split('\n').filter(|sentence| !routine(sentence)).collect::<Vec<_>>().join("\n")
}

/// Returns whether a line of the log is about something that a seat decided, besides income and placing: a
/// seat acted, and the text without its routine lines is not empty and has no word for draws, deals, rolls
/// and shuffles (`CHANCE`).
fn is_decision(line: &LogLine) -> bool {
    const CHANCE: [&str; 9] =
        ["draw", "draws", "dealt", "deals", "rolls", "roll", "shuffles", "shuffled", "reshuffled"];
    let by_chance = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
        CHANCE.contains(&word.as_str())
    };
    let text = without_routine(&line.text);
    line.actor.is_some() && !text.is_empty() && !text.split_whitespace().any(by_chance)
}

/// Returns the rank of a line as an explanation of a change, lower for better: 0 if somebody is out of the game, 1
/// for fights, 2 for others, 3 for purchases. Found by its words.
fn explanation_rank(line: &LogLine) -> u8 {
    const FIGHTS: [&str; 9] =
        ["attack", "attacks", "war", "battle", "crisis", "wins", "fights", "destroys", "conquers"];
    const PURCHASES: [&str; 3] = ["buys", "purchases", "sells"];
    let has = |list: &[&str]| {
        let mut words = line.text.split_whitespace();
        words.any(|w| list.contains(&w.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase().as_str()))
    };
    match (has(&FIGHTS), has(&PURCHASES)) {
        _ if line.text.contains(" is out") || has(&["eliminated"]) => 0,
        (true, _) => 1,
        (false, false) => 2,
        (false, true) => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(at: usize, seat: u8, text: &str) -> LogLine {
        LogLine { at, actor: Some(Seat(seat)), text: text.to_string() }
    }

    /// The text of the one turning point between two samples with these lines between them.
    fn told(lines: &[LogLine]) -> Vec<String> {
        let sample = |at: usize, score: i32, chance: i32| RaceSample {
            at,
            round: "Round 1".to_string(),
            scores: vec![score, 0],
            chances: vec![chance, 1000 - chance],
        };
        let ui = Ui { seat: Some(Seat(0)), names: vec!["You".into(), "Sena".into()], ..Ui::default() };
        let samples = [sample(0, 10, 500), sample(9, 4, 200)];
        turning_points(&samples, lines, &ui).into_iter().map(|turn| turn.text).collect()
    }

    #[test]
    fn chance_and_routine_are_no_turning_points() {
        assert!(told(&[line(1, 0, "@0 draws 5 cards.")]).is_empty());
        assert!(told(&[line(1, 0, "@0 places the Laborer in slot 5.")]).is_empty());
        assert!(told(&[line(1, 0, "@0's turn.")]).is_empty());
        assert!(told(&[line(1, 0, "Your turn.")]).is_empty());
        assert!(told(&[LogLine { at: 1, actor: None, text: "The deck is used up.".to_string() }]).is_empty());
        let lines =
            [line(1, 1, "@1 attacks @0 with 3.\n@0 gains 2 VP of income."), line(2, 0, "@0 draws 5 cards.")];
        assert_eq!(told(&lines), ["Sena attacks you with 3."]);
    }

    #[test]
    fn a_fight_tells_more_than_a_purchase_and_the_end_of_a_player_more_than_a_fight() {
        let fight = line(1, 1, "@1 attacks @0 with 3.");
        let bought = line(2, 0, "@0 buys the Market for 5 VP.");
        assert_eq!(told(&[fight.clone(), bought.clone()]), ["Sena attacks you with 3."]);
        assert_eq!(told(std::slice::from_ref(&bought)).len(), 1);
        let out = line(3, 1, "@0 is out of the game.");
        assert_eq!(told(&[out.clone(), fight, bought]).len(), 1);
        assert!(told(&[out, line(4, 0, "@0 attacks @1 with 1.")])[0].contains("out of the game"));
    }
}
