//! Advice for people.

use crate::emperor::Emperor;
use crate::level::Budget;
use crate::search::{Ranked, rank};
use pentarchy_engine::{Describe, Heuristic, Position};

/// Number of recommended actions.
const BEST: usize = 3;

/// A recommended action.
#[derive(Clone, PartialEq, Debug)]
pub struct Hint {
    /// Its index in the list.
    pub index: usize,
    /// Expected reward, from 0 (last) to 1 (sole winner): the chance to win; with three or more seats also a
    /// little for each lower place.
    pub value: f32,
    /// Confidence: the share of visits that this action got, from 0 to 1.
    pub weight: f32,
    /// Rank and chance of winning: "Best move, about 30 % to win." Only the rank if the action was never
    /// tried.
    pub chance: String,
    /// The reason, in one sentence.
    pub why: String,
}

/// Searches with this budget and returns up to three actions of the list, the best first: only actions that
/// were tried, or the only one. Empty if no seat decides. `view` must be that of the deciding seat, `legal`
/// its legal actions. Blocks until the budget is used up; with an iteration budget, equal seeds give equal
/// hints.
pub fn hint<G: Heuristic + Describe>(
    view: &Position<G>,
    legal: &[G::Action],
    budget: Budget,
    seed: u64,
) -> Vec<Hint> {
    let counts = Emperor::<G>::new(budget, 1, seed).consider(view);
    let mut hints = hints(counts);
    hints.retain(|hint| hint.index < legal.len());
    hints
}

/// Converts the results of a search to hints, the best first: at most three of the actions that were tried,
/// or the only action even if it was not. `counts` are the results of all legal actions. Empty without
/// results, or if none of several actions was tried.
pub(crate) fn hints(counts: Vec<Ranked>) -> Vec<Hint> {
    let ranked = rank(counts);
    let all: u32 = ranked.iter().map(|r| r.visits).sum::<u32>().max(1);
    let entries = ranked.len();
    let hint = |place: usize, r: Ranked| Hint {
        index: r.index,
        value: r.value,
        weight: r.visits as f32 / all as f32,
        chance: chance(&r, place, entries),
        why: why(&r, place, &ranked),
    };
    let tried = ranked.iter().copied().filter(|r| r.visits > 0 || entries == 1);
    tried.take(BEST).enumerate().map(|(place, r)| hint(place, r)).collect()
}

/// Formats rank and chance of winning as one sentence; only the rank if the action was never tried. `place`
/// is the rank from 0 (2 and all later ones are the `Third choice`), `entries` the number of legal actions
/// (1 is the `Only move`). Rounded 0 % and 100 % become losing or winning in every line tried.
fn chance(r: &Ranked, place: usize, entries: usize) -> String {
    let rank = match (entries, place) {
        (1, _) => "Only move",
        (_, 0) => "Best move",
        (_, 1) => "Second choice",
        _ => "Third choice",
    };
    if r.visits == 0 {
        return format!("{rank}.");
    }
    let percent = (100.0 * r.value).round();
    match percent as u32 {
        100.. => format!("{rank}, wins in every line that was tried."),
        0 => format!("{rank}, loses in every line that was tried."),
        _ => format!("{rank}, about {percent} % to win."),
    }
}

/// Returns the reason for the action at rank `place` (from 0) of `ranked`, in one sentence. For the first it
/// names the gap to the highest value of the others that were tried, in percentage points, if that is 3 or
/// more; else it says whether the heuristic prefers it too. If no other was tried, it says that. For others it
/// names the gap to the first. A single action says that nothing else can be done.
fn why(r: &Ranked, place: usize, ranked: &[Ranked]) -> String {
    let points = |gap: f32| (100.0 * gap).round() as i32;
    if ranked.len() == 1 {
        return "You can do nothing else.".to_string();
    }
    let Some(best) = ranked.first().filter(|_| place > 0) else {
        let obvious = ranked.iter().all(|other| other.advised <= r.advised);
        let tried = ranked.iter().skip(1).filter(|other| other.visits > 0);
        let Some(next) = tried.map(|other| other.value).reduce(f32::max) else {
            return "No other move was tried yet.".to_string();
        };
        let gap = points(r.value - next);
        return match (gap, obvious) {
            (3.., _) => format!("The next best move gives you {gap} points less of a chance."),
            (_, true) => "It gains the most now, and nothing better was found later on.".to_string(),
            (_, false) => "It gains less now, but leads to better moves later.".to_string(),
        };
    };
    match points(best.value - r.value) {
        ..1 => "It is about as good as the first.".to_string(),
        1 => "Its chance is 1 point lower than the first.".to_string(),
        gap => format!("Its chance is {gap} points lower than the first."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(index: usize, visits: u32, value: f32, advised: f32) -> Ranked {
        Ranked { index, visits, value, advised }
    }

    #[test]
    fn one_move_is_the_best_and_says_its_chance_and_why() {
        let all = vec![ranked(0, 10, 0.2, 0.9), ranked(1, 80, 0.3, 0.1), ranked(2, 5, 0.295, 0.9)];
        let hints = hints(all);
        assert_eq!(hints[0].index, 1);
        assert_eq!(hints[0].chance, "Best move, about 30 % to win.");
        assert_eq!(hints[0].why, "It gains less now, but leads to better moves later.");
        let bests = hints.iter().filter(|hint| format!("{} {}", hint.chance, hint.why).contains("Best"));
        assert_eq!(bests.count(), 1);
        assert_eq!(hints[1].chance, "Second choice, about 20 % to win.");
        assert_eq!(hints[1].why, "Its chance is 10 points lower than the first.");
    }

    #[test]
    fn a_clear_lead_is_named_in_points() {
        let hints = hints(vec![ranked(0, 90, 0.6, 0.9), ranked(1, 10, 0.45, 0.1)]);
        assert_eq!(hints[0].why, "The next best move gives you 15 points less of a chance.");
    }

    #[test]
    fn a_move_is_not_compared_with_moves_that_were_not_tried() {
        for value in [0.0, 0.02, 0.5, 1.0] {
            let hints = hints(vec![ranked(0, 0, 0.5, 0.1), ranked(1, 1, value, 0.9)]);
            assert_eq!((hints.len(), hints[0].index), (1, 1));
            assert_eq!(hints[0].why, "No other move was tried yet.", "value {value}");
        }
    }

    #[test]
    fn a_move_without_a_choice_says_so() {
        let hints = hints(vec![ranked(0, 0, 0.5, 1.0)]);
        assert_eq!(hints[0].chance, "Only move.");
        assert_eq!(hints[0].why, "You can do nothing else.");
    }
}
