//! What the rules report must account for what they did.

use pentarchy_engine::{Game, Node, Position, Rng, Seat};
use pentarchy_hegemony::{Fact, Hegemony, Options, Side};

/// Plays random games and calls `check` for each event with its facts and the states around it.
fn each_event(mut check: impl FnMut(&Hegemony, &[Fact], &Hegemony)) {
    for seed in 0..40 {
        let seats = 1 + (seed % 6) as u8;
        let mut game = Position::<Hegemony>::new(seats, &Options::default()).unwrap();
        let (mut rng, mut list) = (Rng::new(seed), Vec::new());
        while game.node() != Node::Over {
            let before = game.clone();
            let line = match game.actor() {
                Some(_) => {
                    game.legal(&mut list).unwrap();
                    game.play_line(*rng.choose(&list).unwrap()).unwrap()
                }
                None => game.resolve_line(&mut rng).unwrap(),
            };
            check(before.state(), &before.facts(&line), game.state());
        }
    }
}

#[test]
fn every_change_of_points_has_a_reason() {
    let mut changes = 0;
    each_event(|before, facts, after| {
        for side in (0..before.seats()).map(Seat).map(Side::from).chain([Side::EMPIRE]) {
            let told: i32 = facts
                .iter()
                .map(|fact| match *fact {
                    Fact::Points { side: whose, by, .. } if whose == side => by,
                    _ => 0,
                })
                .sum();
            assert_eq!(before.points(side) + told, after.points(side), "{facts:?}");
            changes += usize::from(told != 0);
        }
    });
    assert!(changes > 1_000, "{changes}");
}

#[test]
fn the_powers_of_the_cards_add_up_to_the_totals_of_a_battle() {
    let mut battles = 0;
    each_event(|_, facts, _| {
        for fact in facts {
            let Fact::Fought(clash) = fact else { continue };
            for part in [0, 1] {
                let sum: i32 = clash.fighters[part].iter().map(|fighter| fighter.power.total).sum();
                assert_eq!(sum, clash.totals[part], "{clash:?}");
            }
            battles += 1;
        }
    });
    assert!(battles > 100, "{battles}");
}
