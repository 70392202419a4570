//! Compares what a game predicts about its actions with what its rules do.

use pentarchy_engine::{
    AppliedEvent, Heuristic, Metrics, Node, Position, Rng, Verb, best_rated, options, rate_actions,
};
use serde_json::Value;
use std::collections::BTreeMap;

/// Plays games at every number of seats with the default options, every second one by the game's heuristic and the
/// others at random. Tries each legal action of every decision, and compares [`Metrics::predict_deeds`] with
/// [`Metrics::deeds`], on the simulator's position and on the view of the deciding seat. Checks that
/// [`Metrics::ending`] gives a reason exactly at the end. Every seat count plays `games` games from this seed, at
/// most `cap` decisions each.
///
/// # Panics
///
/// Panics with the kinds of actions (the first word of their notation) that are predicted wrongly, with one
/// example each, if no action is predicted at all, if a game gives a reason for its end before it or none at the end, or
/// if a game breaks off.
pub fn check_predictions<G: Metrics + Heuristic>(games: u64, seed: u64, cap: u32) {
    let (mut wrong, mut predicted) = (BTreeMap::new(), 0_u64);
    let (mut list, mut ratings, info) = (Vec::new(), Vec::new(), G::INFO);
    for seats in info.min_seats..=info.max_seats {
        for game in 0..games {
            let options = options::from_value::<G::Options>(&Value::Null).expect("the default options");
            let mut at = Position::<G>::new(seats, &options).expect("a first position");
            let (mut rng, mut left) = (Rng::stream(seed, game), cap);
            while left > 0 {
                let is_over = at.node() == Node::Over;
                assert_eq!(at.state().ending().is_some(), is_over, "{}: the reason of the end", info.name);
                match at.node() {
                    Node::Over => break,
                    Node::Decide(_) => {
                        left -= 1;
                        at.legal(&mut list).expect("a list");
                        for &action in &list {
                            predicted += u64::from(compare(&at, action, &mut wrong));
                        }
                        let mut chosen = rng.below(list.len() as u32) as usize;
                        if game % 2 == 1 {
                            rate_actions(&at, &list, &mut ratings);
                            chosen = best_rated(&ratings, &mut rng).unwrap_or(chosen);
                        }
                        at.play(list[chosen]).expect("a legal action");
                    }
                    _ => drop(at.advance(&mut rng, &mut list).expect("what needs no decision")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}: wrong predictions: {wrong:#?}", info.name);
    assert!(predicted > 0, "{}: no action is predicted", info.name);
}

/// Compares the predicted uses of one legal action, on `at` and on the view of the deciding seat, with those that the
/// rules report, in any order. Adds the first difference of each kind of action (the first word of its spoken text)
/// to `wrong`, as a message by kind. Returns whether the action was predicted on `at`; without that, or if no seat is
/// to decide, compares nothing. A view without a prediction is not compared. Panics if the action is not legal.
fn compare<G: Metrics>(at: &Position<G>, action: G::Action, wrong: &mut BTreeMap<String, String>) -> bool {
    let mut told: Vec<(Verb, u16)> = Vec::new();
    if !G::predict_deeds(at, action, &mut |verb, item| told.push((verb, item))) {
        return false;
    }
    let mut seen = Vec::new();
    let Node::Decide(seat) = at.node() else { return false };
    let view = at.view(seat);
    let mut from_view = Vec::new();
    let foreseen = G::predict_deeds(&view, action, &mut |verb, item| from_view.push((verb, item)));
    let mut after = at.clone();
    let (line, facts) = after.play_facts(action).expect("a legal action");
    let event = AppliedEvent { before: at, line: &line, facts: &facts, after: &after };
    G::deeds(&event, &mut |deed| seen.push((deed.verb, deed.item)));
    told.sort_unstable();
    from_view.sort_unstable();
    seen.sort_unstable();
    if told != seen || (foreseen && from_view != seen) {
        let text = at.view(seat).format_action(action);
        let kind = text.split_whitespace().next().unwrap_or_default().to_string();
        wrong.entry(kind).or_insert_with(|| {
            format!("{text}: told {told:?}, from the view {from_view:?}, happened {seen:?}")
        });
    }
    true
}
