//! The engine's laws, and the golden playthroughs.

use pentarchy_numeral::Numeral;
use pentarchy_testkit::conformance::{self, ConformancePlan, Soak, soak};
use pentarchy_testkit::golden;

#[test]
fn keeps_the_laws() {
    let report = conformance::check::<Numeral>(&ConformancePlan::quick().cap(200_000));
    assert!(report.games >= 10, "{report:?}");
}

#[test]
fn soaks_a_little() {
    let report = soak::<Numeral>(&Soak { games: 20, cap: 400_000, ..Soak::default() }).unwrap();
    assert_eq!(report.games, 20);
}

#[test]
fn golden_playthrough_for_two() {
    golden::check::<Numeral>("playthroughs/numeral-2.txt", 2, 1);
}

#[test]
fn golden_playthrough_for_four() {
    golden::check::<Numeral>("playthroughs/numeral-4.txt", 4, 2);
}

#[test]
fn predicts_what_actions_use() {
    pentarchy_testkit::predictions::check_predictions::<Numeral>(2, 11, 3000);
}
