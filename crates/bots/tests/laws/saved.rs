//! A game that was saved and loaded goes on as if nothing had been.

use pentarchy_bots::{Budget, Level, Spec};
use pentarchy_engine::any::any;
use pentarchy_engine::{AnyPosition, Describe, Heuristic, Position, Rng};

/// What an observer imagines follows from what it knows, not from how the position came about or was kept: with
/// the same generator it imagines the same worlds after loading, and every bot chooses the same.
fn saved<G: Heuristic + Describe>(seats: u8) {
    let (game, bots) = (any::<G>(), pentarchy_bots::any::any::<G>());
    let mut truth = game.start(seats, &serde_json::Value::Null).unwrap();
    let mut rng = Rng::new(23);
    let mut hidden = 0;
    for decision in 0..60 {
        truth.settle(&mut rng).unwrap();
        let Some(seat) = truth.actor() else { break };
        let list = truth.legal().unwrap();
        if decision % 12 == 1 {
            for view in [truth.view(seat), truth.view(seat.next(seats)), truth.spectator()] {
                let loaded = game.load(&view.save()).unwrap();
                let worlds = [&view, &loaded].map(|position| worlds::<G>(position.as_ref()));
                assert_eq!(worlds[0], worlds[1], "{:?} of decision {decision}", view.observer());
                hidden += worlds[0].len();
            }
            for level in Level::ALL {
                let spec = Spec::new(level).budget(Budget::Iterations(16));
                let choice = |position: &dyn AnyPosition| bots.player(&spec, 3).choose(position).unwrap();
                let view = truth.view(seat);
                assert_eq!(
                    choice(view.as_ref()),
                    choice(game.load(&view.save()).unwrap().as_ref()),
                    "{level}"
                );
            }
        }
        truth.play(&list[rng.below(list.len() as u32) as usize].canonical).unwrap();
    }
    assert_eq!(hidden > 0, game.hides());
}

/// The hidden faces of some imagined worlds, one after the other.
fn worlds<G: Heuristic>(position: &dyn AnyPosition) -> Vec<Option<G::Face>> {
    let (view, mut rng) = (position.typed().downcast_ref::<Position<G>>().unwrap(), Rng::new(4));
    let tokens = view.state().tokens();
    let hidden = |world: &Position<G>| -> Vec<Option<G::Face>> {
        tokens.all().filter(|&t| !tokens.is_public(t)).map(|t| world.face(t)).collect()
    };
    (0..3).flat_map(|_| hidden(&view.determinize(&mut rng))).collect()
}

crate::in_every_game!(saved);
