//! Facts: what the rules report about an event.

use crate::snug::{Act, Nothing, Snug};
use pentarchy_engine::{Event, Node, Position, Rng, Seat, describe::fill};

/// Plays random events until a card is laid face down; returns the position before it and its line.
fn laid() -> (Position<Snug>, pentarchy_engine::LoggedEventOf<Snug>) {
    let (mut list, mut rng) = (Vec::new(), Rng::new(7));
    for _ in 0..50 {
        let mut game = Position::<Snug>::new(2, &Nothing {}).unwrap();
        while game.node() != Node::Over {
            let before = game.clone();
            let line = match game.node() {
                Node::Decide(_) | Node::Declare(_) => {
                    game.legal(&mut list).unwrap();
                    game.play_line(*rng.choose(&list).unwrap()).unwrap()
                }
                _ => game.resolve_line(&mut rng).unwrap(),
            };
            if matches!(line.event, Event::Act(Act::Lay(_))) {
                return (before, line);
            }
        }
    }
    panic!("no card was laid");
}

#[test]
fn all_observers_derive_the_same_facts() {
    let (before, line) = laid();
    let Event::Act(Act::Lay(t)) = line.event else { panic!("{line:?}") };
    let facts = before.facts(&line);
    assert_eq!(facts, [t.index()]);
    for seat in [Seat(0), Seat(1)] {
        assert_eq!(before.view(seat).facts(&line.for_seat(Some(seat))), facts);
    }
    assert_eq!(before.spectator().facts(&line.for_seat(None)), facts);
}

#[test]
fn facts_are_no_part_of_the_state() {
    let (before, line) = laid();
    let digest = before.digest();
    before.facts(&line);
    assert_eq!(before.digest(), digest, "asking for facts changes nothing");
    let (mut silent, mut told) = (before.clone(), before);
    silent.apply(&line).unwrap();
    told.apply_facts(&line).unwrap();
    assert_eq!(silent.encode(), told.encode());
}

#[test]
fn a_rejected_line_has_no_facts() {
    let (mut game, line) = laid();
    game.apply(&line).unwrap();
    assert!(game.apply_facts(&line).is_err());
    assert!(game.facts(&line).is_empty());
}

#[test]
fn templates_are_filled_by_name() {
    let arguments: [(&str, &dyn std::fmt::Display); 2] = [("player", &"@0"), ("price", &3)];
    assert_eq!(fill("{player} pays {price} VP.", &arguments), "@0 pays 3 VP.");
    assert_eq!(fill("{price}{price}", &arguments), "33");
    assert_eq!(fill("{who} pays {price", &arguments), "{who} pays {price");
    assert_eq!(fill("", &arguments), "");
}
