//! The games against published numbers, by exhaustive walks and exact solutions.

use pentarchy_classics::{ConnectFour, Kuhn, Leduc, TicTacToe};
use pentarchy_engine::{Game, NoOptions, Position, Seat};
use pentarchy_testkit::exact::{self, Tree};
use std::collections::BTreeSet;

fn start<G: Game<Options = NoOptions>>() -> Position<G> {
    Position::new(2, &NoOptions {}).expect("two seats and no options")
}

#[test]
fn tic_tac_toe_has_255168_games_in_549946_nodes_over_5478_positions() {
    let census = exact::census(&start::<TicTacToe>()).unwrap();
    assert_eq!(census.terminal, 255_168);
    assert_eq!(census.by_length, [0, 0, 0, 0, 0, 1_440, 5_328, 47_952, 72_576, 127_872]);
    assert_eq!((census.histories(), census.chance), (549_946, 0));

    let mut positions = BTreeSet::new();
    exact::walk(&start::<TicTacToe>(), &mut |history, _| {
        positions.insert([Seat(0), Seat(1)].map(|seat| history.position().state().squares(seat)));
    })
    .unwrap();
    assert_eq!(positions.len(), 5_478);
}

#[test]
fn tic_tac_toe_sequences_by_length() {
    let counts: Vec<u64> = (0..=9).map(|depth| exact::perft(&start::<TicTacToe>(), depth).unwrap()).collect();
    assert_eq!(counts, [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]);
}

#[test]
fn connect_four_sequences_by_length() {
    let counts: Vec<u64> =
        (1..=8).map(|depth| exact::perft(&start::<ConnectFour>(), depth).unwrap()).collect();
    assert_eq!(counts, [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]);
}

#[test]
fn kuhn_has_58_histories_and_12_information_sets() {
    let census = exact::census(&start::<Kuhn>()).unwrap();
    assert_eq!((census.chance, census.decision, census.terminal), (4, 24, 30));
    assert_eq!((census.histories(), census.information_sets), (58, 12));
}

#[test]
fn leduc_has_9457_histories_and_936_information_sets() {
    let census = exact::census(&start::<Leduc>()).unwrap();
    assert_eq!((census.histories(), census.information_sets), (9_457, 936));
}

#[test]
fn kuhn_is_worth_minus_one_eighteenth_to_the_first_player() {
    let tree = Tree::new(&start::<Kuhn>(), 100).unwrap();
    assert_eq!((tree.histories(), tree.information_sets()), (58, 12));
    let solution = exact::solve(&tree, 10_000);
    let value = -1.0 / 18.0;
    assert!(solution.at_least <= value + 1e-12 && value <= solution.at_most + 1e-12, "{solution:?}");
    assert!(solution.exploitability() < 5e-5, "{}", solution.exploitability());
    assert!((solution.value - value).abs() < 1e-5, "{}", solution.value);
}

#[test]
fn leduc_is_worth_minus_0_0856_to_the_first_player() {
    let tree = Tree::new(&start::<Leduc>(), 10_000).unwrap();
    assert_eq!((tree.histories(), tree.information_sets()), (9_457, 936));
    let solution = exact::solve(&tree, 3_000);
    let value = -0.085_606;
    assert!(solution.at_least < value && value < solution.at_most, "{solution:?}");
    assert!(solution.exploitability() < 1.5e-4, "{}", solution.exploitability());
    assert!((solution.value - value).abs() < 2e-5, "{}", solution.value);
}

/// A uniform strategy is far from an equilibrium, and the best response knows by how much: against it the
/// second player of Kuhn poker gains 5/12 of a chip, the first 1/2.
#[test]
fn best_responses_to_a_uniform_strategy_are_exact() {
    let tree = Tree::new(&start::<Kuhn>(), 100).unwrap();
    let uniform = tree.uniform();
    let (first, second) = (tree.best_response(Seat(0), &uniform), tree.best_response(Seat(1), &uniform));
    assert!((first - 0.5).abs() < 1e-12 && (second - 5.0 / 12.0).abs() < 1e-12, "{first} {second}");
    assert!((tree.value(&uniform) - 0.125).abs() < 1e-12, "{}", tree.value(&uniform));
}
