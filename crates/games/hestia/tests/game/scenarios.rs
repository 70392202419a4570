//! Every worked example of the rules, and the rulings with a visible effect, as runnable scenarios.

use pentarchy_hestia::Hestia;
use pentarchy_testkit::scenario::check_dir;

#[test]
fn the_examples_of_the_rules_hold() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios/hestia");
    if let Err(failed) = check_dir::<Hestia>(dir, &["E1..E40", "R1..R97"]) {
        panic!("{failed}");
    }
}
