//! What the type-erased form promises, checked on every game.

use pentarchy_engine::record::RecordKind;
use pentarchy_engine::{AnyGame, AnyPosition, Node, Observer, Rng, Seat};
use pentarchy_registry::GAMES;
use serde_json::{Value, json};

/// Returns the positions of a random game at decisions, and the last one; at most `most`.
fn walk(game: &'static dyn AnyGame, seats: u8, seed: u64, most: usize) -> Vec<Box<dyn AnyPosition>> {
    let mut rng = Rng::new(seed);
    let mut position = game.start(seats, &Value::Null).unwrap();
    let mut all = Vec::new();
    loop {
        position.settle(&mut rng).unwrap();
        all.push(position.clone());
        if position.node() == Node::Over || all.len() == most {
            return all;
        }
        let action = position.choose_random(&mut rng).unwrap();
        position.play(&action).unwrap();
    }
}

fn each_game(check: impl Fn(&'static dyn AnyGame, u8, u64)) {
    for &game in GAMES {
        let info = game.info();
        for seats in info.min_seats..=info.max_seats {
            (0..2).for_each(|seed| check(game, seats, seed));
        }
    }
}

fn same(a: &dyn AnyPosition, b: &dyn AnyPosition) {
    assert_eq!(a.node_text(), b.node_text());
    assert_eq!(a.digest(), b.digest());
    assert_eq!(a.observer(), b.observer());
    assert_eq!(a.legal().ok(), b.legal().ok());
    assert_eq!(a.table(), b.table());
    assert_eq!(a.save(), b.save());
}

#[test]
fn a_position_is_saved_and_loaded_with_anybodys_eyes() {
    each_game(|game, seats, seed| {
        for position in walk(game, seats, seed, 25) {
            let eyes = (0..seats).map(|seat| Observer::Seat(Seat(seat)));
            for observer in eyes.chain([Observer::All, Observer::Spectator]) {
                let seen = position.seen_by(observer);
                let text = seen.save().to_string();
                same(&*seen, &*game.load(&serde_json::from_str(&text).unwrap()).unwrap());
            }
        }
    });
}

#[test]
fn a_duty_is_the_only_legal_action_of_a_declaration() {
    let mut declarations = std::collections::BTreeSet::new();
    for &game in GAMES {
        let mut rng = Rng::new(7);
        let mut position = game.start(game.info().default_seats, &Value::Null).unwrap();
        for _ in 0..2_000 {
            let duty = position.duty();
            let Node::Declare(seat) = position.node() else {
                assert!(duty.is_err(), "{}: {} is no declaration", game.info().name, position.node_text());
                if position.node() == Node::Over {
                    break;
                }
                if !position.advance(&mut rng).unwrap() {
                    let action = position.choose_random(&mut rng).unwrap();
                    position.play(&action).unwrap();
                }
                continue;
            };
            let legal = position.legal().unwrap();
            assert_eq!(legal.len(), 1);
            assert_eq!(duty.unwrap(), legal[0].canonical);
            assert_eq!(position.seen_by(Observer::Seat(seat)).duty().unwrap(), legal[0].canonical);
            declarations.insert(game.info().name);
            position.advance(&mut rng).unwrap();
        }
    }
    assert!(!declarations.is_empty(), "no game declared anything");
}

#[test]
fn a_loaded_position_can_be_played_to_the_end() {
    each_game(|game, seats, seed| {
        let positions = walk(game, seats, seed, 30);
        let mut position = game.load(&positions[positions.len() / 2].save()).unwrap();
        let mut rng = Rng::new(seed);
        loop {
            position.settle(&mut rng).unwrap();
            if position.node() == Node::Over {
                break;
            }
            let action = position.choose_best_rated(&mut rng).unwrap();
            position.play(&action).unwrap();
        }
        assert!(position.outcome().is_some());
    });
}

#[test]
fn data_that_is_no_position_is_refused() {
    for &game in GAMES {
        let data = walk(game, game.info().default_seats, 1, 3).pop().unwrap().save();
        let changed = |path: &str, value: Value| {
            let mut data = data.clone();
            *data.pointer_mut(path).unwrap() = value;
            game.load(&data).map(|_| ()).unwrap_err().to_string()
        };
        assert!(changed("/game", json!("chess")).contains("chess"));
        assert!(changed("/state", json!(7)).contains("state"));
        assert!(changed("/observer", json!({ "seat": 9 })).contains("no seat 9"));
        assert!(game.load(&json!({})).is_err());
        assert!(game.load(&Value::Null).is_err());
        if data["faces"].as_array().is_some_and(|faces| !faces.is_empty()) {
            assert!(changed("/faces", json!([])).contains("every hidden token"));
            assert!(changed("/observer", json!("spectator")).contains("every hidden token"));
            assert!(changed("/faces/0/1", json!("no such face")).contains("no such face"));
            assert!(changed("/faces/0/0", json!(60_000)).contains("not a hidden token"));
        }
    }
}

#[test]
fn the_list_is_played_by_canonical_and_by_spoken_text() {
    each_game(|game, seats, seed| {
        for position in walk(game, seats, seed, 25) {
            if position.node() == Node::Over {
                assert!(position.legal().is_err() && position.clone().play("x").is_err());
                continue;
            }
            for choice in position.legal().unwrap() {
                let (mut a, mut b) = (position.clone(), position.clone());
                a.play(&choice.canonical).unwrap();
                b.play(&choice.spoken).unwrap();
                assert_eq!(a.node_text(), b.node_text(), "{}", choice.spoken);
                assert!(!choice.label.is_empty() && !choice.kind.is_empty());
            }
            let mut copy = position.clone();
            assert!(copy.play("no such action").is_err());
            same(&*copy, &*position);
        }
    });
}

#[test]
fn a_record_of_what_happened_replays_for_everybody() {
    each_game(|game, seats, seed| {
        let options = game.options(seats, &Value::Null, &[]).unwrap();
        let mut record = game.record(seats, &options, Some(seed)).unwrap();
        let (mut rng, mut position) = (Rng::new(seed), game.start(seats, &options).unwrap());
        loop {
            if !position.advance(&mut rng).unwrap() {
                if position.node() == Node::Over {
                    break;
                }
                let action = position.choose_random(&mut rng).unwrap();
                position.play(&action).unwrap();
            }
            record.entries.push(position.last_entry(record.entries.len() as u32 + 1).unwrap());
        }
        assert_eq!(Some(game.verify(&record).unwrap().outcome), position.outcome());
        for kind in [RecordKind::Full, RecordKind::Seat(Seat(seats - 1)), RecordKind::Public] {
            let mut seen = 0;
            let record = record.cut(kind).unwrap();
            let end = game.replay(&record, kind, usize::MAX, &mut |_| seen += 1).unwrap();
            assert_eq!(seen, record.entries.len() + 1);
            assert_eq!(end.digest(), position.digest());
            let part = game.replay(&record, kind, 2, &mut |_| {}).unwrap();
            assert_eq!(part.last_entry(2).map(|e| e.event), record.entries.get(1).map(|e| e.event.clone()));
        }
    });
}

#[test]
fn options_are_complete_checked_and_settable_by_text() {
    for &game in GAMES {
        let seats = game.info().default_seats;
        let all = game.options(seats, &Value::Null, &[]).unwrap();
        for field in game.fields() {
            let value = pentarchy_engine::options::get(&all, field.name);
            assert!(value.is_some(), "{} has no {}", game.info().name, field.name);
            let text = match value.unwrap() {
                Value::Null => "none".to_string(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let set = game.options(seats, &Value::Null, &[(field.name.to_string(), text)]);
            assert_eq!(set.as_ref(), Ok(&all), "{}", field.name);
            assert!(game.options(seats, &Value::Null, &[(field.name.to_string(), "?!".into())]).is_err());
        }
        assert!(game.options(seats, &json!({ "no_such_option": 1 }), &[]).is_err());
        assert!(game.options(99, &Value::Null, &[]).is_err());
    }
}

/// What a bot imagines follows from what its seat knows, not from how the position came about or was kept.
#[cfg(feature = "bots")]
#[test]
fn bots_choose_the_same_after_loading() {
    use pentarchy_bots::{Budget, Level, Spec};
    for bots in pentarchy_registry::BOTS {
        let (game, mut compared) = (bots.game(), 0);
        for position in walk(game, game.info().max_seats, 23, 40).iter().skip(1).step_by(9) {
            let Some(seat) = position.actor() else { continue };
            let view = position.view(seat);
            let loaded = game.load(&view.save()).unwrap();
            for level in Level::ALL {
                let spec = Spec::new(level).budget(Budget::Iterations(16));
                let choice = |position: &dyn AnyPosition| bots.player(&spec, 3).choose(position).unwrap();
                assert_eq!(choice(view.as_ref()), choice(loaded.as_ref()), "{} {level}", game.info().name);
                compared += 1;
            }
        }
        assert!(compared > 0, "{}", game.info().name);
    }
}
