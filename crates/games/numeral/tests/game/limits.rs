//! The largest numbers that the options allow.

use pentarchy_engine::{Heuristic, Node, Options as _, Position, Preset, Rng, Seat, options};
use pentarchy_numeral::{Action, Numeral, Options};
use serde_json::json;

/// Plays with these options; everybody only ends turns.
fn rest(given: &serde_json::Value) -> Position<Numeral> {
    let options: Options = options::from_value(given).unwrap();
    let mut position = Position::<Numeral>::new(2, &options).unwrap();
    while position.node() != Node::Over {
        position.play(Action::Done).unwrap();
    }
    position
}

#[test]
fn a_game_lasts_as_many_rounds_as_its_limit_says() {
    for limit in [1, 201, 65_535] {
        let end = rest(&json!({ "round_limit": limit, "size": "small", "map_seed": 1 }));
        assert_eq!(u32::from(end.state().round()), limit);
        assert!(end.outcome().is_some());
    }
    assert!(options::from_value::<Options>(&json!({ "round_limit": 65_536 })).is_err());
}

#[test]
fn the_largest_income_over_the_longest_game_overflows_nothing() {
    let end = rest(&json!({
        "round_limit": 65_535, "size": "custom", "radius": 8, "start": "scattered", "map_seed": 1,
        "tuning": { "plain_yield": 20, "home_yield": 20 },
    }));
    let total: u64 = (0..2).map(|s| u64::from(end.state().board().total(Seat(s)))).sum();
    assert!(total > 200_000_000 && total < u64::from(u32::MAX), "{total}");
    let shares: i32 = (0..2).map(|s| end.state().evaluate(&end.own(Seat(s)), Seat(s))).sum();
    assert!((990..=1_000).contains(&shares), "{shares}");
}

#[test]
fn a_long_game_is_evaluated_in_its_course() {
    let given = json!({
        "round_limit": 65_535, "size": "custom", "radius": 8, "start": "scattered", "map_seed": 1,
        "tuning": { "plain_yield": 20 },
    });
    let options: Options = options::from_value(&given).unwrap();
    let mut position = Position::<Numeral>::new(2, &options).unwrap();
    while position.state().round() < 65_000 {
        position.play(Action::Done).unwrap();
    }
    let shares: i32 = (0..2).map(|s| position.state().evaluate(&position.own(Seat(s)), Seat(s))).sum();
    assert!((990..=1_000).contains(&shares), "{shares}");
}

#[test]
fn every_preset_can_be_played_by_every_number_of_seats() {
    for preset in Options::PRESETS {
        let options: Options = options::from_value(&(preset.options)()).unwrap();
        for seats in 2..=6 {
            let mut position = Position::<Numeral>::new(seats, &options).unwrap();
            position.resolve_line(&mut Rng::stream(1, 0)).unwrap();
            position.resolve_line(&mut Rng::stream(1, 1)).unwrap();
            assert!(matches!(position.node(), Node::Decide(_)), "{} for {seats}", preset.name);
        }
    }
    assert_eq!(Preset::find(Options::PRESETS, "classic").unwrap().name, "Classic");
    assert!(Preset::find(Options::PRESETS, "x").unwrap_err().to_string().contains("Standard or Classic"));
    let classic: Options = options::from_value(&(Options::PRESETS[1].options)()).unwrap();
    assert_eq!(classic, Options::default(), "the defaults are the designer's numbers");
}
