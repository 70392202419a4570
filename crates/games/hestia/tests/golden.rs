//! The golden playthroughs: two seeds, since there is only one number of seats.

use pentarchy_engine::golden::check;
use pentarchy_hestia::Hestia;

#[test]
fn golden_first() {
    check::<Hestia>("playthroughs/hestia-2.txt", 2, 1);
}

#[test]
fn golden_second() {
    check::<Hestia>("playthroughs/hestia-2-b.txt", 2, 2);
}
