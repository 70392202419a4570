//! Readable logs of whole games.

use pentarchy_testkit::golden;
use pentarchy_vires::Vires;

#[test]
fn golden_duel() {
    golden::check::<Vires>("playthroughs/vires-2.txt", 2, 7);
}

#[test]
fn golden_table_of_four() {
    golden::check::<Vires>("playthroughs/vires-4.txt", 4, 7);
}
