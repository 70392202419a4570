//! Random games at all seat counts and over random options keep every law.

use pentarchy_engine::conformance::{ConformancePlan, check};
use pentarchy_ozymandias::Ozymandias;

#[test]
fn keeps_every_law() {
    let report = check::<Ozymandias>(&ConformancePlan::quick());
    println!("{report:?}");
}
