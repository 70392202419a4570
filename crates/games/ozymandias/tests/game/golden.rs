//! The golden playthroughs.

use pentarchy_ozymandias::Ozymandias;
use pentarchy_testkit::golden::check;

#[test]
fn golden_with_two_seats() {
    check::<Ozymandias>("playthroughs/ozymandias-2.txt", 2, 1);
}

#[test]
fn golden_with_four_seats() {
    check::<Ozymandias>("playthroughs/ozymandias-4.txt", 4, 2);
}
