//! The laws of the engine: hidden information, notation, records, endings.

use pentarchy_hegemony::Hegemony;
use pentarchy_testkit::conformance::{self, ConformancePlan};

#[test]
fn hegemony_keeps_the_laws() {
    let report = conformance::check::<Hegemony>(&ConformancePlan::quick());
    println!("{report:?}");
}
