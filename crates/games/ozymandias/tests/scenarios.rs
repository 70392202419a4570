//! Every worked example of the rules, and the rulings with a visible effect, as runnable scenarios.

use pentarchy_engine::scenario::check_dir;
use pentarchy_ozymandias::Ozymandias;

#[test]
fn the_examples_of_the_rules_hold() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios/ozymandias");
    let rules = ["E1..E84", "R24", "R31", "R38", "R44", "R46", "R51", "R52", "R70"];
    if let Err(failed) = check_dir::<Ozymandias>(dir, &rules) {
        panic!("{failed}");
    }
}
