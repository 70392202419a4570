//! Random games over random options keep every law.

use pentarchy_engine::conformance::{Plan, check};
use pentarchy_hestia::Hestia;

#[test]
fn keeps_every_law() {
    let report = check::<Hestia>(&Plan::quick());
    println!("{report:?}");
}
