//! The laws of the engine: hidden information, notation, records, endings.

use pentarchy_engine::{Metrics, Node, Position, Rng, options};
use pentarchy_hegemony::{Hegemony, Options};
use pentarchy_testkit::conformance::{self, ConformancePlan};

#[test]
fn hegemony_keeps_the_laws() {
    let report = conformance::check::<Hegemony>(&ConformancePlan::quick());
    println!("{report:?}");
}

#[test]
fn predicts_what_actions_use() {
    pentarchy_testkit::predictions::check_predictions::<Hegemony>(12, 11, 3000);
}

/// A tie is decided by cards that are shown after the last turn; the game ends only then.
#[test]
fn a_reason_for_the_end_is_given_at_the_end_alone() {
    let options = options::from_value::<Options>(&serde_json::json!({ "round_cap": 1 })).unwrap();
    let (mut rng, mut list, mut showdowns) = (Rng::new(5), Vec::new(), 0);
    for _ in 0..40 {
        let mut game = Position::<Hegemony>::new(2, &options).unwrap();
        while game.node() != Node::Over {
            assert_eq!(Metrics::ending(game.state()), None, "{:?}", game.node());
            showdowns += u32::from(game.state().ending().is_some());
            if !game.advance(&mut rng, &mut list).unwrap() {
                game.legal(&mut list).unwrap();
                game.play(*rng.choose(&list).unwrap()).unwrap();
            }
        }
        assert!(Metrics::ending(game.state()).is_some());
    }
    assert!(showdowns > 0);
}
