//! Advice for a person.

use crate::emperor::Emperor;
use crate::level::Budget;
use crate::search::{Ranked, rank};
use pentarchy_engine::{Describe, Heuristic, Position};

/// How many actions are recommended.
const BEST: usize = 3;

/// A recommended action.
#[derive(Clone, PartialEq, Debug)]
pub struct Hint {
    /// Its place in the list.
    pub index: usize,
    /// What it is expected to come to, from 0 (last) to 1 (alone in front): the chance to win, at larger tables
    /// with a little for each place behind.
    pub value: f32,
    /// How sure the search is: the share of its attention that this action got, from 0 to 1.
    pub weight: f32,
    /// Why, in a line.
    pub why: String,
}

/// The best three actions of the list with what they are expected to come to, the best first. The view is that
/// of the seat which decides.
pub fn hint<G: Heuristic + Describe>(
    view: &Position<G>,
    legal: &[G::Action],
    budget: Budget,
    seed: u64,
) -> Vec<Hint> {
    let counts = Emperor::<G>::new(budget, 1, seed).consider(view);
    let mut hints = hints(counts, view.seats());
    hints.retain(|hint| hint.index < legal.len());
    hints
}

/// The best of what a search found, with words.
pub(crate) fn hints(counts: Vec<Ranked>, seats: u8) -> Vec<Hint> {
    let ranked = rank(counts);
    let all: u32 = ranked.iter().map(|r| r.visits).sum::<u32>().max(1);
    let advised = ranked.iter().map(|r| r.advised).fold(0.0, f32::max);
    let best = ranked.first().copied();
    let entries = ranked.len();
    let hint = |(place, r): (usize, Ranked)| Hint {
        index: r.index,
        value: r.value,
        weight: r.visits as f32 / all as f32,
        why: why(&r, best.filter(|_| place > 0), advised, seats, entries),
    };
    ranked.into_iter().filter(|r| r.visits > 0 || entries == 1).take(BEST).enumerate().map(hint).collect()
}

fn why(r: &Ranked, best: Option<Ranked>, advised: f32, seats: u8, entries: usize) -> String {
    if entries == 1 {
        return "the only thing you can do".to_string();
    }
    let percent = (100.0 * r.value).round();
    let result = match (r.value, seats) {
        (0.995.., _) => "it wins in every line that was tried".to_string(),
        (..=0.005, _) => "it loses in every line that was tried".to_string(),
        (_, 1 | 2) => format!("wins {percent} of 100 lines that were tried"),
        _ => format!("wins about {percent} of 100 lines that were tried"),
    };
    let sound = r.advised >= advised * 0.999;
    let compared = match best {
        None if sound => "looks best at first sight, and proves so when looking ahead".to_string(),
        None => "better than it looks: looking ahead speaks for it".to_string(),
        Some(_) if sound => "looks best at first sight, but less so when looking ahead".to_string(),
        Some(best) => {
            let behind = 100.0 * (best.value - r.value);
            match behind {
                ..1.0 => "about as good as the first".to_string(),
                ..1.5 => "a point behind the first".to_string(),
                _ => format!("{behind:.0} points behind the first"),
            }
        }
    };
    format!("{compared}; {result}")
}
