//! Private dice between peers: few messages, exact takeovers, and no way to lie about a die.

#[path = "../../../engine/tests/engine/tumble.rs"]
mod tumble;

use pentarchy_registry::find;
use pentarchy_table::sim::{Cheat, Faults, SimPlan, SimReport, judge, run};
use pentarchy_table::{Ending, TableRecord};
use tumble::Tumble;

fn played(plan: &SimPlan) -> SimReport {
    let game = find("liars-dice").unwrap();
    let report = run(game, plan.clone()).unwrap_or_else(|e| panic!("seed {}: {e}", plan.seed));
    judge(game, plan, &report).unwrap_or_else(|e| panic!("seed {}: {e}", plan.seed));
    report
}

#[test]
fn six_seats_need_a_fifth_of_the_messages_of_shuffled_piles() {
    // A die made of a shuffled pile of tokens took 3,830 messages and 5,001 kB for a game of six.
    let report = played(&SimPlan::new(6, 0));
    assert!(report.evidence.is_empty());
    assert!(report.messages * 5 <= 3_830, "{} messages", report.messages);
    let record = TableRecord::decode(&report.record.unwrap().encode()).unwrap();
    let verdict = record.verify(find("liars-dice").unwrap()).unwrap();
    assert_eq!(verdict.ending, Some(Ending::Played));
    find("liars-dice").unwrap().verify(&verdict.public).unwrap();
}

#[test]
fn a_bad_network_and_crashes_change_nothing() {
    for seed in 0..4 {
        let report = played(&SimPlan { faults: Faults::BAD, ..SimPlan::new(3, seed) });
        assert!(report.evidence.is_empty() && report.record.is_some());
    }
}

#[test]
fn the_dice_of_a_seat_that_leaves_are_opened_by_the_others() {
    for (seed, events) in (0..12).zip(3..) {
        let leaver = Some((seed as u8 % 4, events));
        let report = played(&SimPlan { leaver, ..SimPlan::new(4, seed) });
        let record = TableRecord::decode(&report.record.unwrap().encode()).unwrap();
        let verdict = record.verify(find("liars-dice").unwrap()).unwrap();
        assert_eq!(verdict.ending, Some(Ending::Played), "seed {seed}");
    }
}

#[test]
fn who_lies_about_a_die_is_convicted() {
    for seed in 0..6 {
        let cheat = Cheat::find("false-die").unwrap();
        let plan = SimPlan::new(3, seed).cheating(seed as u8 % 3, cheat);
        let report = played(&plan);
        assert!(report.cheated > 0 && !report.evidence.is_empty(), "seed {seed}");
    }
}

/// Dice that an action shows, and dice that it makes a claim about: both publish their values.
#[test]
fn dice_are_shown_and_claimed_by_their_values() {
    let game = pentarchy_engine::any::any::<Tumble>();
    let (mut showed, mut claimed) = (0, 0);
    for seed in 0..40 {
        let plan = SimPlan::new(2, seed);
        let report = run(game, plan.clone()).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        judge(game, &plan, &report).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let record = TableRecord::decode(&report.record.unwrap().encode()).unwrap();
        let verdict = record.verify(game).unwrap();
        assert_eq!(verdict.ending, Some(Ending::Played));
        let actions = verdict.public.entries.iter().map(|entry| entry.event.as_str());
        showed += actions.clone().filter(|event| event.starts_with("show ")).count();
        claimed += actions.filter(|event| *event == "high").count();
    }
    assert!(showed > 5 && claimed > 5, "{showed} shown, {claimed} claimed");
}

#[test]
fn a_bent_value_of_a_shown_or_claimed_die_convicts() {
    let game = pentarchy_engine::any::any::<Tumble>();
    let mut tried = 0;
    for seed in 0..24 {
        let cheat = Cheat::find("bend-claim").unwrap();
        let plan = SimPlan::new(2, seed).cheating(seed as u8 % 2, cheat);
        let report = run(game, plan.clone()).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        judge(game, &plan, &report).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        tried += u32::from(report.cheated > 0 && !report.evidence.is_empty());
    }
    assert!(tried > 0);
}
