//! The engine's laws.

use pentarchy_engine::conformance::{self, Plan};
use pentarchy_numeral::Numeral;

#[test]
fn keeps_the_laws() {
    let report = conformance::check::<Numeral>(&Plan::quick().cap(200_000));
    println!("{report:?}");
    assert!(report.games >= 10);
}
