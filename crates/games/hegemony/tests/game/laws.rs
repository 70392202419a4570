//! The laws of the engine: hidden information, notation, records, endings.

use pentarchy_engine::conformance::{self, ConformancePlan};
use pentarchy_hegemony::Hegemony;

#[test]
fn hegemony_keeps_the_laws() {
    let report = conformance::check::<Hegemony>(&ConformancePlan::quick());
    println!("{report:?}");
}
