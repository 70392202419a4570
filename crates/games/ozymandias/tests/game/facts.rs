//! What the rules report must account for what they did, and the log must tell it.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

use pentarchy_engine::{AppliedEvent, Describe, Game, Node, Position, Rng, Seat};
use pentarchy_ozymandias::facts::{EndReason, crisis_result};
use pentarchy_ozymandias::{Fact, Options, Ozymandias};

/// Plays random games of three with these options and calls `check` for each event.
fn each_event(options: &Options, mut check: impl FnMut(&AppliedEvent<'_, Ozymandias>)) {
    for seed in 0..40 {
        let mut game = Position::<Ozymandias>::new(3, options).unwrap();
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
            let facts = before.facts(&line);
            check(&AppliedEvent { before: &before, line: &line, facts: &facts, after: &game });
        }
    }
}

#[test]
fn the_log_names_every_change_of_influence_of_a_seat() {
    let mut changes = 0;
    each_event(&Options::default(), |event| {
        let text = Ozymandias::log(event).unwrap_or_default();
        for seat in (0..3).map(Seat) {
            let by = event.after.state().influence(seat) - event.before.state().influence(seat);
            if by != 0 {
                changes += 1;
                let named = text.contains(&format!("@{seat}")) && text.contains(&by.abs().to_string());
                assert!(named, "@{seat} {by}: {text} {:?}", event.facts);
            }
        }
    });
    assert!(changes > 300, "{changes}");
}

#[test]
fn a_crisis_has_the_strength_of_its_winners_and_the_fate_of_each_card() {
    let mut crises = 0;
    each_event(&Options::default(), |event| {
        let Some(result) = crisis_result(event.facts) else { return };
        for card in &result.cards {
            let wins = card.strength.total() == result.strength;
            assert!(!wins || result.winners.has(card.myth.faction()), "{result:?}");
            assert!(card.strength.total() <= result.strength, "{result:?}");
        }
        for laid in event.after.state().laid_cards() {
            let told = result.cards.iter().find(|it| it.card == laid.card).map(|it| it.fate);
            assert_eq!(laid.fate, told, "{result:?}");
        }
        crises += 1;
    });
    assert!(crises > 30, "{crises}");
}

#[test]
fn the_ending_has_its_reason_and_winner() {
    let mut bankrupt = 0;
    for options in [Options::default(), Options { round_cap: 2, ..Options::default() }] {
        each_event(&options, |event| {
            let game = event.after.state();
            for fact in event.facts {
                let Fact::Ended(EndReason::History { factions, value }) = *fact else { continue };
                assert!(factions.iter().all(|faction| game.value(faction) == value), "{fact:?}");
            }
            assert_eq!(game.ending().is_some(), game.outcome().is_some());
            let (Some(ending), Some(outcome)) = (game.ending(), game.outcome()) else { return };
            assert_eq!(outcome.winners().collect::<Vec<_>>(), [ending.winner]);
            assert!(ending.leaders.contains(&ending.winner));
            assert_eq!(ending.points, game.score_of(ending.winner));
            let text = Ozymandias::log(event).unwrap();
            assert!(text.contains(&ending.points.to_string()), "{text}");
            bankrupt += usize::from(ending.bankrupt.is_some());
        });
    }
    assert!(bankrupt > 0);
}
