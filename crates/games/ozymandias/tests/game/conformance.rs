//! Random games at all seat counts and over random options keep every law.

use pentarchy_ozymandias::Ozymandias;
use pentarchy_testkit::conformance::{ConformancePlan, check};

#[test]
fn keeps_every_law() {
    let report = check::<Ozymandias>(&ConformancePlan::quick());
    println!("{report:?}");
}

#[test]
fn predicts_what_actions_use() {
    pentarchy_testkit::predictions::check_predictions::<Ozymandias>(20, 11, 3000);
}
