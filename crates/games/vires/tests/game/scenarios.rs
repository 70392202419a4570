//! Every worked example of the rules, and every ruling with a visible effect, as a scenario.

use pentarchy_testkit::scenario::{CoverageError, check_dir};
use pentarchy_vires::Vires;

/// The worked examples, and the rulings whose effect can be seen in a game. (The others name things, explain
/// printing slips, or say what does not exist.)
const RULES: &[&str] = &["E1..E67", "R1..R16", "R18..R79", "R87..R90"];

#[test]
fn every_example_and_ruling_is_played() -> Result<(), CoverageError> {
    check_dir::<Vires>(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios/vires"), RULES)
}
