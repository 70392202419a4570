//! Bots without generic types take the position of the simulator or of the acting seat, and no other.

use crate::{in_every_game, test_games};
use pentarchy_bots::{Budget, Level, Spec};
use pentarchy_engine::{Describe, Heuristic, Observer, Rng, Seat, Size};

/// Every entry point of the bots accepts exactly those observers for which the engine lists the actions.
fn observers<G: Heuristic + Describe>(seats: u8) {
    let (bots, mut rng) = (pentarchy_bots::any::any::<G>(), Rng::new(4));
    let spec = Spec::new(Level::Emperor).budget(Budget::Iterations(4));
    let mut whole = bots.game().start(seats, &serde_json::Value::Null).unwrap();
    for _ in 0..3 {
        whole.settle(&mut rng).unwrap();
        let Some(actor) = whole.actor() else { return };
        let mut search = bots.search(&*whole, 1).unwrap();
        let all = (0..seats).map(|seat| Observer::Seat(Seat(seat)));
        for observer in all.chain([Observer::Spectator, Observer::All]) {
            let seen = whole.seen_by(observer);
            let own = observer == Observer::All || observer == Observer::Seat(actor);
            let fits = own || <G::Size as Size>::TOKENS == 0;
            let taken = [
                bots.player(&spec, 1).choose(&*seen).is_ok(),
                bots.hint(&*seen, Budget::Iterations(4), 1).is_ok(),
                bots.search(&*seen, 1).is_ok(),
                search.advance(&*seen).is_ok(),
            ];
            assert_eq!(taken, [fits; 4], "{observer:?} at a decision of {actor:?}");
        }
        let action = whole.choose_random(&mut rng).unwrap();
        whole.play(&action).unwrap();
    }
}

in_every_game!(observers);
