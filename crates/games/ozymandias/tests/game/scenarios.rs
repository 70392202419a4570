//! Every worked example of the rules, and the rulings with a visible effect, as runnable scenarios.

use pentarchy_ozymandias::Ozymandias;
use pentarchy_testkit::scenario::check_dir;

#[test]
fn the_examples_of_the_rules_hold() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios/ozymandias");
    // R57 and R60 are words alone. R61 (a marker that moves back does not take back the end) shows in no
    // game: what moves a marker back works in explorations, what moves it up works in crises.
    let rules = ["E1..E84", "R1..R56", "R58", "R59", "R62..R73"];
    if let Err(failed) = check_dir::<Ozymandias>(dir, &rules) {
        panic!("{failed}");
    }
}
