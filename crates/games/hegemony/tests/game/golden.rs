//! Whole games as readable files, compared line by line.

use pentarchy_hegemony::Hegemony;
use pentarchy_testkit::golden;

#[test]
fn golden_game_of_two() {
    golden::check::<Hegemony>("playthroughs/hegemony-2.txt", 2, 1);
}

#[test]
fn golden_game_of_four() {
    golden::check::<Hegemony>("playthroughs/hegemony-4.txt", 4, 1);
}
