//! Checks that hints name a reason of the game for nearly every move of a sensible player.

use crate::board::Board;
use crate::games::with_games;
use crate::gesture::gestures;
use crate::guide::best_of_all;
use crate::pace::auto_move;
use pentarchy_engine::{Position, Rng};

/// The share of decisions for which the game must name a reason, in hundredths.
const LEAST: usize = 95;

/// Plays games in which all seats take the best-rated action, and counts the reasons for those that a person would be
/// asked for.
fn best_moves_have_reasons<G: Board>(games: u64, most_decisions: u64) {
    let (mut asked, mut named, mut without) = (0, 0, Vec::new());
    for seed in 0..games {
        let mut position = Position::<G>::new(G::INFO.default_seats, &G::Options::default()).unwrap();
        let (mut rng, mut list) = (Rng::stream(seed, 5), Vec::new());
        for _ in 0..most_decisions {
            position.settle(&mut rng, &mut list).unwrap();
            let Some(seat) = position.actor() else { break };
            let view = position.view(seat);
            let action = best_of_all(&view, seat).unwrap();
            view.legal(&mut list).unwrap();
            if auto_move(&view, &list).is_none() && !G::selects(&view, action) {
                asked += 1;
                match G::merit(&view, action) {
                    Some(text) => named += usize::from(!text.is_empty()),
                    None => without.push(G::label(&view, action)),
                }
            }
            position.play(action).unwrap();
        }
    }
    without.sort();
    without.dedup();
    println!("{}: {named} of {asked} best moves have a reason", G::INFO.name);
    assert!(asked > 20, "{}: only {asked} decisions", G::INFO.title);
    assert!(100 * named >= LEAST * asked, "{}: {named} of {asked}; without: {without:?}", G::INFO.title);
}

/// Checks that the reason of every gesture can be requested in every position of a random game.
fn reasons_can_be_asked_anywhere<G: Board>(seed: u64, most_decisions: u64) {
    let mut position = Position::<G>::new(G::INFO.default_seats, &G::Options::default()).unwrap();
    let (mut rng, mut list) = (Rng::stream(seed, 6), Vec::new());
    for _ in 0..most_decisions {
        position.settle(&mut rng, &mut list).unwrap();
        let Some(seat) = position.actor() else { return };
        let view = position.view(seat);
        gestures(&view, |gesture| drop(G::merit(gesture.at, gesture.action)));
        view.legal(&mut list).unwrap();
        position.play(list[rng.below(list.len() as u32) as usize]).unwrap();
    }
}

// The default board names no reasons: the search says how an action compares with others.
macro_rules! merit_tests {
    ($([$board:ident] $name:ident: $game:ty,)*) => { $(merit_tests!(@$board $name: $game);)* };
    (@default $name:ident: $game:ty) => {};
    (@own $name:ident: $game:ty) => {
        #[test]
        fn $name() {
            best_moves_have_reasons::<$game>(3, 400);
            reasons_can_be_asked_anywhere::<$game>(9, 100);
        }
    };
}
with_games!(merit_tests);
