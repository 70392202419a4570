//! Small games whose truth is known.

use crate::table::{play, start};
use pentarchy_bots::{Budget, Level, Search, SearchSettings, Spec, hint};
use pentarchy_classics::{ConnectFour, TicTacToe};
use pentarchy_engine::{Heuristic, Position, Seat};

fn after<G: Heuristic>(moves: &str) -> Position<G> {
    let mut position = start::<G>(2);
    for word in moves.split_whitespace() {
        position.play(word.parse().unwrap_or_else(|_| panic!("{word}"))).unwrap();
    }
    position
}

fn best<G: Heuristic>(moves: &str, iterations: u32) -> String {
    let mut search = Search::new(&after::<G>(moves), SearchSettings::of::<G>(), 1);
    search.run(iterations);
    search.legal()[search.best()].to_string()
}

#[test]
fn the_centre_is_the_first_move_that_wins_connect_four() {
    assert_eq!(best::<ConnectFour>("", 60_000), "d");
}

#[test]
fn a_win_in_one_is_taken_and_a_threat_is_parried() {
    assert_eq!(best::<TicTacToe>("1 4 2 5", 300), "3");
    assert_eq!(best::<TicTacToe>("1 5 2", 300), "3");
    assert_eq!(best::<ConnectFour>("d a d a d a", 300), "d");
    assert_eq!(best::<ConnectFour>("d a d a d", 300), "d");
    // Two open threats at once win whatever the other does.
    let win = best::<ConnectFour>("d d e e", 4_000);
    assert!(win == "c" || win == "f", "{win}");
}

#[test]
fn tic_tac_toe_is_a_draw_between_two_who_search() {
    let spec = Spec::new(Level::Emperor).budget(Budget::Iterations(800));
    for game in 0..4 {
        let mut players = [spec.player::<TicTacToe>(game), spec.player(game + 100)];
        assert_eq!(play(&mut players, game).winner(), None);
    }
}

#[test]
fn the_search_never_loses_connect_four_to_chance() {
    let emperor = Spec::new(Level::Emperor).budget(Budget::Iterations(400));
    for game in 0..1_000 {
        let mut players = [emperor.player::<ConnectFour>(game), Spec::new(Level::Random).player(game)];
        let seat = Seat((game % 2) as u8);
        players.rotate_right(seat.index());
        let lost = play(&mut players, game).winner() == Some(seat.next(2));
        assert!(!lost, "game {game}");
    }
}

#[test]
fn a_single_action_needs_no_search() {
    let position = after::<TicTacToe>("1 2 3 5 4 6 8 7");
    let mut list = Vec::new();
    position.legal(&mut list).unwrap();
    assert_eq!(list.len(), 1);
    let spec = Spec::new(Level::Emperor).budget(Budget::Iterations(u32::MAX));
    assert_eq!(spec.player::<TicTacToe>(1).choose(&position, &list), 0);
    let mut search = Search::new(&position, SearchSettings::of::<TicTacToe>(), 1);
    search.run(u32::MAX);
    assert_eq!(search.best(), 0);
}

#[test]
fn a_hint_names_the_best_three_and_says_why() {
    let position = after::<TicTacToe>("1 4 2 5");
    let mut list = Vec::new();
    position.legal(&mut list).unwrap();
    let hints = hint(&position, &list, Budget::Iterations(500), 1);
    assert_eq!(hints.len(), 3);
    assert_eq!(list[hints[0].index].to_string(), "3");
    assert!(hints[0].value > 0.99 && hints[0].weight > 0.5);
    assert!(hints.iter().all(|hint| !hint.why.is_empty() && !hint.why.contains('\n')));
}

#[test]
fn what_was_found_serves_for_the_next_decision() {
    let mut search = Search::new(&after::<ConnectFour>("d"), SearchSettings::of::<ConnectFour>(), 1);
    search.run(2_000);
    search.advance(&after::<ConnectFour>("d d d"));
    assert!(search.inherited() > 0);
    let before: u32 = search.ranked().iter().map(|r| r.visits).sum();
    search.run(100);
    assert_eq!(search.ranked().iter().map(|r| r.visits).sum::<u32>(), before + 100);
    // A position that cannot follow restarts the search.
    search.advance(&after::<ConnectFour>("a b c"));
    assert_eq!(search.inherited(), 0);
}

#[test]
fn levels_beat_each_other_in_their_order() {
    for pair in [Level::Random, Level::Recruit, Level::Captain].windows(2) {
        let mut points = 0;
        for game in 0..400 {
            let mut players =
                [Spec::new(pair[1]).player::<ConnectFour>(game), Spec::new(pair[0]).player(game)];
            players.rotate_right((game % 2) as usize);
            match play(&mut players, game).winner() {
                Some(seat) if seat == Seat((game % 2) as u8) => points += 2,
                None => points += 1,
                _ => {}
            }
        }
        assert!(points > 480, "{} of 800 points for {} against {}", points, pair[1], pair[0]);
    }
}
