//! The golden playthroughs.

use pentarchy_engine::golden::check;
use pentarchy_ozymandias::Ozymandias;

#[test]
fn golden_with_two_seats() {
    check::<Ozymandias>("playthroughs/ozymandias-2.txt", 2, 1);
}

#[test]
fn golden_with_four_seats() {
    check::<Ozymandias>("playthroughs/ozymandias-4.txt", 4, 2);
}
