//! Random games over random options keep every law.

use pentarchy_engine::conformance::{ConformancePlan, check};
use pentarchy_hestia::Hestia;

#[test]
fn keeps_every_law() {
    let report = check::<Hestia>(&ConformancePlan::quick());
    println!("{report:?}");
}
