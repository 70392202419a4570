//! No bot sees what its seat does not see.

use crate::table::decisions;
use crate::{in_every_game, test_games};
use pentarchy_bots::{Budget, Level, Spec};
use pentarchy_engine::{Heuristic, Position, Rng};

/// Every bot chooses the same in worlds that its seat cannot tell apart, with the same seed: also if it is
/// handed the whole world instead of a view.
fn blind<G: Heuristic>(seats: u8) {
    let mut rng = Rng::new(5);
    let mut differed = false;
    for (i, truth) in decisions::<G>(seats, 11, 7, 6).into_iter().enumerate() {
        let seat = truth.actor().unwrap();
        let view = truth.view(seat);
        let differs =
            |other: &Position<G>| truth.state().tokens().all().any(|t| truth.face(t) != other.face(t));
        let mut other = view.determinize(&mut rng);
        for _ in 0..20 {
            if !differs(&other) {
                other = view.determinize(&mut rng);
            }
        }
        differed |= differs(&other);
        let mut list = Vec::new();
        view.legal(&mut list).unwrap();
        for level in Level::ALL {
            let spec = Spec::new(level).budget(Budget::Iterations(24));
            let choice = |position: &Position<G>| spec.player::<G>(i as u64).choose(position, &list);
            let choices = [choice(&view), choice(&other.view(seat)), choice(&truth), choice(&other)];
            assert!(choices[0] < list.len());
            assert_eq!(choices, [choices[0]; 4], "{level} peeks");
        }
    }
    let hides = <G::Size as pentarchy_engine::Size>::TOKENS > 0;
    assert!(differed || !hides, "the worlds did not differ: nothing was tested");
}

in_every_game!(blind);
