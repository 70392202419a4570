//! The rules as runnable examples.

use pentarchy_numeral::Numeral;
use pentarchy_testkit::scenario::{CoverageError, check_dir};

/// All worked examples and all rulings of the rules.
#[test]
fn every_example_and_ruling_has_a_scenario() -> Result<(), CoverageError> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios/numeral");
    check_dir::<Numeral>(dir, &["E1..E46", "R1..R68"])
}
