//! What the rules report must account for what they did.

use pentarchy_engine::{Game, Node, Position, Rng, Seat};
use pentarchy_hegemony::{Category, Fact, Hegemony, Options, Side};

/// Plays random games and calls `check` for each event with its facts and the states around it.
fn each_event(check: impl FnMut(&Hegemony, &[Fact], &Hegemony)) {
    each_event_with(&Options::default(), check);
}

/// Like [`each_event`], with options.
fn each_event_with(options: &Options, mut check: impl FnMut(&Hegemony, &[Fact], &Hegemony)) {
    for seed in 0..40 {
        let seats = 1 + (seed % 6) as u8;
        let mut game = Position::<Hegemony>::new(seats, options).unwrap();
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

#[test]
fn the_last_change_of_points_names_the_points_of_the_side() {
    let mut changes = 0;
    each_event(|_, facts, after| {
        for side in (0..after.seats()).map(Seat).map(Side::from).chain([Side::EMPIRE]) {
            let last = facts.iter().rev().find_map(|fact| match *fact {
                Fact::Points { side: whose, now, .. } if whose == side => Some(now),
                _ => None,
            });
            changes += usize::from(last.is_some());
            assert_eq!(last.unwrap_or(after.points(side)), after.points(side), "{facts:?}");
        }
    });
    assert!(changes > 1_000, "{changes}");
}

#[test]
fn a_battle_costs_what_its_fact_says() {
    let mut ties = 0;
    each_event(|before, facts, _| {
        for fact in facts {
            let Fact::Fought(clash) = fact else { continue };
            let gain = |side: Side| {
                let first = facts.iter().find_map(|fact| match *fact {
                    Fact::Points { side: whose, now, .. } if whose == side => Some(now),
                    _ => None,
                });
                first.map_or(0, |now| now - before.points(side))
            };
            match clash.victor {
                Some(victor) => {
                    assert_eq!(clash.cost, (clash.totals[0] - clash.totals[1]).abs(), "{clash:?}");
                    // The Empire may pay Pity Parties in the same event.
                    let gain = if victor == Side::EMPIRE { 0 } else { gain(victor) };
                    assert_eq!(gain, clash.spoils, "{clash:?}");
                }
                None => {
                    ties += 1;
                    assert!(clash.sides.into_iter().all(|side| gain(side) == -clash.cost), "{clash:?}");
                }
            }
        }
    });
    assert!(ties > 10, "{ties}");
}

#[test]
fn every_card_that_leaves_a_slot_in_a_battle_or_for_lack_of_room_has_a_fact() {
    let (mut fates, mut crowded) = (0, 0);
    // A Siege Tower with room for several cards leaves a crowd.
    let mut options = Options::default();
    options.tuning.siege_tower_room = 3;
    options.cards.siege_tower.start = 2;
    options.cards.laborer.start = 1;
    each_event_with(&options, |before, facts, after| {
        for fact in facts {
            let Fact::Crowded(side, t) = *fact else { continue };
            assert_eq!(after.tokens().zone(t), pentarchy_hegemony::places::discard(side), "{facts:?}");
            crowded += 1;
        }
        let Some(battle) = before.fought() else { return };
        if after.fought().is_none() || facts.iter().any(|fact| matches!(fact, Fact::Fell(_))) {
            return;
        }
        for side in battle.sides() {
            let slots = before.occupied_slots(side).map(|i| pentarchy_hegemony::places::slot(side, i));
            for t in slots.flat_map(|slot| before.tokens().iter(slot).collect::<Vec<_>>()) {
                let stays = after.tokens().zone(t) == before.tokens().zone(t);
                if stays || before.category_of(t) != Category::Military {
                    continue;
                }
                let told = facts.iter().any(|fact| match fact {
                    Fact::Fate { token, .. } | Fact::Deserted(_, token) | Fact::Crowded(_, token) => {
                        *token == t
                    }
                    Fact::Razed { cards, .. } => cards.contains(&t),
                    _ => false,
                });
                assert!(told, "{t} left a slot: {facts:?}");
                fates += 1;
            }
        }
    });
    assert!(fates > 100 && crowded > 0, "{fates} {crowded}");
}

#[test]
fn the_ending_names_the_winners_and_the_tie_break() {
    let (mut wins, mut ties) = (0, 0);
    // With one round and nothing to lose, points are often equal.
    let one_round = Options { round_cap: Some(1), ..Options::default() };
    for options in [Options::default(), one_round] {
        each_event_with(&options, |_, _, game| {
            assert!(game.end_text().is_none() || game.outcome().is_some());
            let Some(victory) = game.victory() else { return };
            let outcome = game.outcome().unwrap();
            assert_eq!(victory.winners, outcome.winners().collect::<Vec<_>>());
            assert_eq!(victory.tie_break.is_none(), victory.leaders == victory.winners);
            assert!(victory.tie_break.is_none_or(|(own, other)| own > other), "{victory:?}");
            assert!(game.end_text().unwrap().contains(&format!("{} VP", victory.points)));
            wins += 1;
            ties += usize::from(victory.tie_break.is_some());
        });
    }
    assert!(wins > 20 && ties > 0, "{wins} {ties}");
}
