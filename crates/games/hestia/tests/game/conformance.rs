//! Random games over random options keep every law.

use pentarchy_hestia::Hestia;
use pentarchy_testkit::conformance::{ConformancePlan, check};

#[test]
fn keeps_every_law() {
    let report = check::<Hestia>(&ConformancePlan::quick());
    println!("{report:?}");
}

#[test]
fn predicts_what_actions_use() {
    pentarchy_testkit::predictions::check_predictions::<Hestia>(20, 11, 3000);
}
