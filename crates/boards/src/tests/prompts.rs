//! Checks that the prompt agrees with the legal actions.

use crate::board::Board;
use crate::gesture::gestures;
use pentarchy_engine::{Describe, Position, Rng};
use pentarchy_numeral::{Action, Direction, Numeral, Stage};

/// Plays random games of Numeral and calls `check` at every decision of a phase of moves.
fn at_moves(mut check: impl FnMut(&Position<Numeral>, &[Action])) {
    for seed in 0..6 {
        let mut position = Position::<Numeral>::new(3, &Default::default()).unwrap();
        let (mut rng, mut list) = (Rng::stream(seed, 8), Vec::new());
        for _ in 0..900 {
            position.settle(&mut rng, &mut list).unwrap();
            let Some(seat) = position.actor() else { break };
            let view = position.view(seat);
            view.legal(&mut list).unwrap();
            if view.state().stage() == Stage::March {
                check(&view, &list);
            }
            // Nobody ends a turn before it is nearly over, and little is placed: armies and the Home stay full.
            let done = list.iter().position(|&action| action == Action::Done);
            let placing = matches!(view.state().stage(), Stage::Place);
            let ends = done.filter(|_| list.len() == 1 || (placing && rng.below(3) == 0));
            let pick = ends.unwrap_or_else(|| rng.below(list.len() as u32) as usize);
            position.play(list[pick]).unwrap();
        }
    }
}

#[test]
fn all_armies_have_moved_only_if_nothing_can_move() {
    let (mut over, mut home_only) = (0, 0);
    at_moves(|view, list| {
        let said = Numeral::awaited(view);
        let game = view.state();
        match (said.as_str(), list) {
            ("All armies have moved", list) => {
                over += 1;
                assert_eq!(list, [Action::Done], "{said}");
            }
            (said, list) if said.starts_with("Only your Home") => {
                home_only += 1;
                let home = game.board().home(game.active()).unwrap();
                assert_eq!(list, [Action::Done, Action::Select(home)], "{said}");
            }
            (said, list) => assert!(list.len() > 1, "{said}"),
        }
    });
    assert!(over > 0 && home_only > 10, "{over} and {home_only} times");
}

#[test]
fn a_turn_ends_by_itself_only_if_nothing_sensible_is_left() {
    let mut ended = 0;
    at_moves(|view, _| {
        if Numeral::idle(view).is_none() {
            return;
        }
        ended += 1;
        let game = view.state();
        let board = game.board();
        for cell in board.awake().iter() {
            assert!(board.ready(cell) <= u32::from(game.options().start_storage), "much gold is left");
            let free = |direction| game.target(cell, direction).is_some_and(|to| board.owner(to).is_none());
            assert!(!Direction::ALL.into_iter().any(free), "there is free land");
        }
    });
    assert!(ended > 10, "{ended} times");
}

#[test]
fn rows_of_moves_name_their_army() {
    at_moves(|view, _| {
        gestures(view, |gesture| {
            let Action::March(..) = gesture.action else { return };
            let label = Numeral::row(gesture.at, gesture.action).label.unwrap_or_default();
            assert!(label.contains("our ") || label.contains("Home"), "{label}");
        });
    });
}
