//! The laws of the engine: hidden information, notation, records, endings.

use pentarchy_hegemony::Hegemony;
use pentarchy_testkit::conformance::{self, ConformancePlan};

#[test]
fn hegemony_keeps_the_laws() {
    let report = conformance::check::<Hegemony>(&ConformancePlan::quick());
    println!("{report:?}");
}

#[test]
fn predicts_what_actions_use() {
    pentarchy_testkit::predictions::check_predictions::<Hegemony>(12, 11, 3000);
}
