//! Honest peers finish and agree at every event, whatever the network does, and the record convinces anybody.

use pentarchy_registry::find;
use pentarchy_table::sim::{Faults, Plan, Report, judge, run};
use pentarchy_table::{Ending, Record, Recovery};

fn played(name: &str, plan: &Plan) -> Report {
    let game = find(name).unwrap();
    let report = run(game, plan.clone())
        .unwrap_or_else(|e| panic!("{name}, {} seats, seed {}: {e}", plan.seats, plan.seed));
    judge(game, plan, &report)
        .unwrap_or_else(|e| panic!("{name}, {} seats, seed {}: {e}", plan.seats, plan.seed));
    assert!(report.evidence.is_empty());
    report
}

fn verified(name: &str, report: &Report) {
    let (game, record) = (find(name).unwrap(), report.record.as_ref().unwrap());
    let again = Record::decode(&record.encode()).unwrap();
    assert_eq!(again, *record);
    let verdict = again.verify(game).unwrap();
    assert_eq!(verdict.ending, Some(Ending::Played));
    assert!(verdict.outcome.is_some());
    game.verify(&verdict.public).unwrap();
}

#[test]
fn small_games_finish() {
    for name in ["tic-tac-toe", "connect-four", "kuhn", "leduc"] {
        for seed in 0..40 {
            let report = played(name, &Plan::new(2, seed));
            assert!(report.stalls.is_empty());
            if seed % 8 == 0 {
                verified(name, &report);
            }
        }
    }
}

#[test]
fn a_bad_network_changes_nothing() {
    let mut crashes = 0;
    for name in ["connect-four", "kuhn", "leduc"] {
        for seed in 0..60 {
            let report = played(name, &Plan { faults: Faults::BAD, ..Plan::new(2, seed) });
            assert!(report.record.is_some());
            crashes += report.crashes;
        }
    }
    assert!(crashes > 10, "the network is not bad enough: {crashes} crashes");
}

#[test]
fn the_shorter_of_the_five_games_finish() {
    for (name, seats) in [("hestia", 2), ("ozymandias", 3), ("ozymandias", 5)] {
        for seed in 0..2 {
            let report = played(name, &Plan { faults: Faults::BAD, ..Plan::new(seats, seed) });
            verified(name, &report);
        }
    }
}

#[test]
fn the_longer_ones_begin() {
    for (name, seats) in [("vires", 4), ("hegemony", 3), ("numeral", 6)] {
        let plan = Plan { faults: Faults::BAD, most_events: 150, ..Plan::new(seats, 1) };
        assert!(played(name, &plan).events >= 150);
    }
}

#[test]
fn all_survivors_sign_the_end_without_a_seat_that_is_gone() {
    for seed in 0..3 {
        let plan = Plan { leaver: Some((1, 20)), most_events: 1000, ..Plan::new(4, seed) };
        let report = played("vires", &Plan { recovery: Recovery::End, ..plan });
        assert!(report.stalls.iter().all(|(_, late)| *late == 1));
        let ended = report.endings.iter().filter(|end| **end == Some(Ending::Without(0b10))).count();
        assert_eq!(ended, 3, "{:?}", report.endings);
        let verdict = report.record.unwrap().verify(find("vires").unwrap()).unwrap();
        assert_eq!(verdict.ending, Some(Ending::Without(0b10)));
    }
}

#[test]
fn a_bot_takes_the_seat_of_whoever_leaves() {
    for (name, seats) in [("ozymandias", 3), ("vires", 4), ("hegemony", 3), ("numeral", 3)] {
        for (seed, after) in [(1, 3), (2, 40)] {
            let leaver = Some(((seed % u64::from(seats)) as u8, after));
            let report = played(name, &Plan { leaver, most_events: 150, ..Plan::new(seats, seed) });
            let ended = report.endings.contains(&Some(Ending::Played));
            assert!(ended || report.events >= 150, "{name}: {:?} {:?}", report.endings, report.vacant);
            if ended {
                verified(name, &report);
            }
        }
    }
}
