//! Honest peers finish and agree, whatever the network does.

use pentarchy_registry::find;
use pentarchy_table::Ending;
use pentarchy_table::sim::{Faults, Plan, run};

#[test]
fn small_games_finish() {
    for (game, seats) in [("tic-tac-toe", 2), ("kuhn", 2), ("leduc", 2)] {
        for seed in 0..20 {
            let game = find(game).unwrap();
            let report = run(game, Plan::new(seats, seed)).unwrap_or_else(|e| panic!("{game:?} {seed}: {e}"));
            let verdict = report.record.unwrap().verify(game).unwrap();
            assert_eq!(verdict.ending, Some(Ending::Played));
            assert!(report.evidence.is_empty() && report.stalls.is_empty());
        }
    }
}

#[test]
fn a_bad_network_changes_nothing() {
    for (game, seats) in [("kuhn", 2), ("leduc", 2)] {
        for seed in 0..20 {
            let game = find(game).unwrap();
            let plan = Plan { faults: Faults::BAD, ..Plan::new(seats, seed) };
            let report = run(game, plan).unwrap_or_else(|e| panic!("{game:?} {seed}: {e}"));
            assert!(report.evidence.is_empty());
            assert!(report.record.is_some());
        }
    }
}
