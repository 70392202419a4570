//! What the rules report must account for what they did.

use pentarchy_engine::{AppliedEvent, Game, Node, Position, Rng, Seat, Token};
use pentarchy_hestia::blocks::Unit;
use pentarchy_hestia::face::Shown;
use pentarchy_hestia::{Action, Fact, Hestia, Options};

/// Plays random games in which armies seek battle, and calls `check` for each event.
fn each_event(mut check: impl FnMut(&AppliedEvent<'_, Hestia>)) {
    for seed in 0..60 {
        let mut game = Position::<Hestia>::new(2, &Options::default()).unwrap();
        let (mut rng, mut list) = (Rng::new(seed), Vec::new());
        while game.node() != Node::Over {
            let before = game.clone();
            let line = match game.actor() {
                Some(_) => {
                    game.legal(&mut list).unwrap();
                    let idle = |action: &Action| {
                        matches!(
                            action,
                            Action::End | Action::Stop | Action::Cards(0 | 1) | Action::Influence
                        )
                    };
                    let eager: Vec<Action> = list.iter().copied().filter(|action| !idle(action)).collect();
                    let choice = if eager.is_empty() { &list } else { &eager };
                    game.play_line(*rng.choose(choice).unwrap()).unwrap()
                }
                None => game.resolve_line(&mut rng).unwrap(),
            };
            let facts = before.facts(&line);
            check(&AppliedEvent { before: &before, line: &line, facts: &facts, after: &game });
        }
    }
}

#[test]
fn every_change_of_strength_in_a_battle_has_a_fact() {
    let mut lost = 0;
    each_event(|event| {
        let block = |at: &Position<Hestia>, t: Token| at.face(t).and_then(Shown::block);
        let mut changed: Vec<(Unit, u8, u8)> = Vec::new();
        let tokens = event.before.state().tokens();
        for t in tokens.all().filter(|&t| tokens.zone(t) == event.after.state().tokens().zone(t)) {
            match (block(event.before, t), block(event.after, t)) {
                (Some((unit, was)), Some((same, is))) if unit == same && was != is => {
                    changed.push((unit, was, is));
                }
                _ => {}
            }
        }
        for (unit, was, is) in changed {
            let told: i32 = event
                .facts
                .iter()
                .map(|fact| match *fact {
                    Fact::StrengthChanged { unit: of, was, is } if of == unit => {
                        i32::from(is) - i32::from(was)
                    }
                    _ => 0,
                })
                .sum();
            let moved = i32::from(is) - i32::from(was);
            if event.before.state().fought().is_some() {
                lost += usize::from(moved < 0);
                assert!(told * moved > 0 && told.abs() >= moved.abs(), "{unit:?} {:?}", event.facts);
            }
        }
    });
    assert!(lost > 100, "{lost}");
}

#[test]
fn the_parts_of_a_score_add_up_and_decide_the_clash() {
    let mut clashes = 0;
    each_event(|event| {
        for fact in event.facts {
            let Fact::ClashScored(fought) = fact else { continue };
            for i in [0, 1] {
                assert_eq!(
                    fought.scores[i],
                    fought.worth[i] + fought.bonus[i] + fought.dice[i],
                    "{fought:?}"
                );
            }
            let [l, h] = fought.scores;
            let winner = (l != h).then_some(Seat(u8::from(h > l)));
            assert_eq!(fought.winner, winner, "{fought:?}");
            clashes += 1;
        }
    });
    assert!(clashes > 30, "{clashes}");
}

#[test]
fn the_end_and_each_year_have_their_numbers() {
    let (mut years, mut ends) = (0, 0);
    each_event(|event| {
        for fact in event.facts {
            let Fact::YearEnded(year, counts) = *fact else { continue };
            assert_eq!(year, event.before.state().year());
            for (count, seat) in counts.into_iter().zip([Seat(0), Seat(1)]) {
                let all = count.active + count.inactive + count.left;
                assert_eq!(all, event.after.state().settings().tokens, "{counts:?}");
                assert_eq!(count.active, event.after.state().active_count(seat), "{counts:?}");
            }
            years += 1;
        }
        let game = event.after.state();
        assert_eq!(game.ending().is_some(), game.outcome().is_some());
        if let (Some(ending), Some(outcome)) = (game.ending(), game.outcome()) {
            let winner = if outcome.is_draw() { None } else { outcome.winners().next() };
            assert_eq!(ending.winner, winner);
            ends += 1;
        }
    });
    assert!(years > 30 && ends == 60, "{years} {ends}");
}
