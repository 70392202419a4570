//! What holds for the search in every game.

use crate::table::decisions;
use crate::{in_every_game, test_games};
use pentarchy_bots::{BotPlayer, Budget, Emperor, Level, Search, SearchSettings, Spec};
use pentarchy_engine::Heuristic;

/// The same seed and budget give the same choice: in slices or at once, again and in threads. All counts add
/// up, and a tree that is taken over helps with legal choices only.
fn sound<G: Heuristic>(seats: u8) {
    for (i, position) in decisions::<G>(seats, 3, 9, 4).into_iter().enumerate() {
        let seat = position.actor().unwrap();
        let (view, mut list) = (position.view(seat), Vec::new());
        view.legal(&mut list).unwrap();
        let new = || Search::new(&view, SearchSettings::of::<G>(), i as u64);
        let (mut whole, mut sliced) = (new(), new());
        whole.run(40);
        (0..4).for_each(|_| sliced.run(10));
        assert_eq!(whole.ranked(), sliced.ranked());
        assert_eq!(whole.ranked().iter().map(|r| r.visits).sum::<u32>(), 40);
        assert_eq!(whole.ranked().len(), list.len());
        assert_eq!(whole.best(), whole.ranked()[0].index);
        assert!(whole.ranked().iter().all(|r| (0.0..=1.0).contains(&r.value)));
        let threads = || Spec::new(Level::Emperor).budget(Budget::Iterations(30)).threads(3);
        let choice = || threads().player::<G>(1).choose(&view, &list);
        assert_eq!(choice(), choice());
    }
}

/// A player goes on through a game with one tree, also where it meets a position that it does not know.
fn persistent<G: Heuristic>(seats: u8) {
    let mut emperor = Emperor::<G>::new(Budget::Iterations(60), 1, 1);
    for position in decisions::<G>(seats, 8, 1, 12) {
        let (view, mut list) = (position.view(position.actor().unwrap()), Vec::new());
        view.legal(&mut list).unwrap();
        assert!(emperor.choose(&view, &list) < list.len());
    }
}

fn check<G: Heuristic>(seats: u8) {
    sound::<G>(seats);
    persistent::<G>(seats);
}

in_every_game!(check);
