//! The fog of war: mixed blocks cannot be followed any more.

use pentarchy_engine::{Game, Node, Position, Rng, Seat, Token};
use pentarchy_hestia::map::at;
use pentarchy_hestia::state::land;
use pentarchy_hestia::{Action, Hestia, Options};
use serde_json::Value;

const L: Seat = Seat(0);
const H: Seat = Seat(1);

/// The first decision on orders of the first player, who is Lenisia with this seed.
fn orders(seed: u64) -> Option<Position<Hestia>> {
    let mut rng = Rng::new(seed);
    let mut game = Position::<Hestia>::new(2, &Options::default()).unwrap();
    let mut list = Vec::new();
    loop {
        game.settle(&mut rng, &mut list).unwrap();
        list.clear();
        game.legal(&mut list).unwrap();
        if list.contains(&Action::Army(at::KAD)) {
            return Some(game);
        }
        if list.contains(&Action::End) {
            return None;
        }
        let one = list.iter().find(|&&a| a == Action::Cards(1));
        game.play(*one.unwrap_or(&list[0])).unwrap();
    }
}

/// Everything a seat can know: the public state, and the faces it sees.
fn seen(game: &Position<Hestia>, seat: Seat) -> (Value, Vec<Option<String>>) {
    let view = game.view(seat);
    let faces = (0..172).map(|i| view.face(Token(i)).map(|f| f.to_string())).collect();
    (serde_json::to_value(view.state()).unwrap(), faces)
}

/// All orders of four things.
fn permutations() -> Vec<Vec<u16>> {
    let mut all = Vec::new();
    for code in 0..256u16 {
        let order: Vec<u16> = (0..4).map(|i| code >> (2 * i) & 3).collect();
        if (0..4).all(|i| order.contains(&i)) {
            all.push(order);
        }
    }
    all
}

#[test]
fn after_a_mix_the_opponent_knows_nothing_of_which_is_which() {
    let mut game = (0..40).find_map(orders).unwrap();
    let blocks: Vec<Token> = game.state().tokens().iter(land(at::KAD, L)).collect();
    assert!(blocks.iter().all(|&t| game.view(H).face(t).is_some()), "all are shown at first");
    game.play(Action::Army(at::KAD)).unwrap();
    assert!(matches!(game.node(), Node::Rearrange { by: L, .. }));
    let mut views = Vec::new();
    for order in permutations() {
        let mut mixed = game.clone();
        mixed.resolve_with(0, Some(order)).unwrap();
        let view = mixed.view(H);
        for &t in &blocks {
            assert_eq!(view.face(t), None);
            let may: Vec<String> = view.state().tokens().may(t).iter().map(|f| f.to_string()).collect();
            for word in ["rasser-4", "dadrim-3", "l-elites-3"] {
                assert!(may.iter().any(|m| m == word), "{word} may be {t}");
            }
        }
        // One of them marches off: the opponent sees a block, whichever it is.
        for act in [Action::Pick(blocks[1]), Action::Go, Action::Move(at::VAL), Action::Stop] {
            views.push(seen(&mixed, H));
            mixed.play(act).unwrap();
        }
        views.push(seen(&mixed, H));
        assert!(mixed.view(L).face(blocks[1]).is_some(), "the owner knows their own blocks");
    }
    assert_eq!(views.len(), 24 * 5);
    for i in 5..views.len() {
        assert_eq!(views[i], views[i % 5], "the opponent sees the same whatever the order");
    }
}
