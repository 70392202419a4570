//! The laws of the engine, and the golden playthroughs.

use pentarchy_classics::{ConnectFour, Kuhn, Leduc, LiarsDice, TicTacToe};
use pentarchy_testkit::conformance::{ConformancePlan, beats_random, check};
use pentarchy_testkit::golden;

#[test]
fn tic_tac_toe_keeps_the_laws() {
    check::<TicTacToe>(&ConformancePlan::quick().cap(9));
}

#[test]
fn connect_four_keeps_the_laws() {
    check::<ConnectFour>(&ConformancePlan::quick().cap(42));
}

#[test]
fn kuhn_keeps_the_laws() {
    check::<Kuhn>(&ConformancePlan::quick().cap(3));
}

#[test]
fn leduc_keeps_the_laws() {
    check::<Leduc>(&ConformancePlan::quick().cap(8));
}

#[test]
fn liars_dice_keeps_the_laws() {
    check::<LiarsDice>(&ConformancePlan::quick());
}

#[test]
fn golden_liars_dice() {
    golden::check::<LiarsDice>("playthroughs/liars-dice-3.txt", 3, 1);
}

#[test]
fn advice_beats_chance() {
    beats_random::<TicTacToe>();
    beats_random::<ConnectFour>();
    beats_random::<Kuhn>();
    beats_random::<Leduc>();
    beats_random::<LiarsDice>();
}

#[test]
fn golden_tic_tac_toe() {
    golden::check::<TicTacToe>("playthroughs/tic-tac-toe-2.txt", 2, 1);
}

#[test]
fn golden_connect_four() {
    golden::check::<ConnectFour>("playthroughs/connect-four-2.txt", 2, 1);
}

#[test]
fn golden_kuhn() {
    golden::check::<Kuhn>("playthroughs/kuhn-2.txt", 2, 1);
}

#[test]
fn golden_leduc() {
    golden::check::<Leduc>("playthroughs/leduc-2.txt", 2, 1);
}

#[test]
fn leduc_predicts_what_actions_use() {
    pentarchy_testkit::predictions::check_predictions::<Leduc>(50, 11, 100);
}
