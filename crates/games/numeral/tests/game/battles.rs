//! Fights by the thousand: one blow ends like any waves, and like a plain calculation.

use pentarchy_engine::{Describe, Position, Rng};
use pentarchy_numeral::{Action, Cell, Direction, Numeral, Options, Shape, Size, Upgrade};
use serde_json::{Value, json};

/// An attack from `-1,0` on `0,0`, with Towers and other hexes of the enemy around it.
fn battlefield(rng: &mut Rng) -> (Position<Numeral>, u32) {
    let options =
        Options { map_seed: Some(1), size: Size::Small, shape: Shape::Hexagon, ..Options::default() };
    let start = Position::<Numeral>::new(2, &options).unwrap();
    let army = 1 + rng.below(30);
    let mut hexes = json!({
        "-3,0": { "owner": 0, "upgrade": "home", "soldiers": 0 },
        "3,0": { "owner": 1, "upgrade": "home", "soldiers": 4 },
        "-1,0": { "owner": 0, "soldiers": army },
        "0,0": { "owner": 1, "soldiers": rng.below(8) },
    });
    for beside in ["1,0", "1,-1", "0,-1", "-1,1", "0,1"] {
        let upgrade = ["tower", "tower", "none", "farm"][rng.below(4) as usize];
        let owner = if rng.below(6) == 0 { 0 } else { 1 };
        hexes[beside] = json!({ "owner": owner, "upgrade": upgrade, "soldiers": rng.below(9) });
    }
    let position = json!({ "clear": true, "phase": "attacking", "active": 0, "hexes": hexes });
    let state = start.state().arranged(&position).unwrap();
    (Position::from_state(state, pentarchy_engine::Observer::All), army)
}

/// Marches `n` soldiers east from `-1,0`, in parts of at most `largest`.
fn attack(game: &mut Position<Numeral>, mut n: u32, largest: u32, rng: &mut Rng) {
    let from = Cell::at(-1, 0).unwrap();
    let mut list = Vec::new();
    while n > 0 {
        game.play(Action::Select(from)).unwrap();
        game.legal(&mut list).unwrap();
        let fitting = |a: &&Action| matches!(a, Action::March(Direction::E, k) if *k <= n.min(largest));
        let parts: Vec<Action> = list.iter().filter(fitting).copied().collect();
        let part = if largest == u32::MAX { parts.last() } else { rng.choose(&parts) };
        let part = *part.unwrap();
        game.play(part).unwrap();
        if let Action::March(_, k) = part {
            n -= k;
        }
    }
}

fn hexes(game: &Position<Numeral>) -> Value {
    game.state().picture()["hexes"].clone()
}

#[test]
fn waves_end_like_one_blow() {
    let mut rng = Rng::new(17);
    for _ in 0..3_000 {
        let (start, army) = battlefield(&mut rng);
        let (mut blow, mut waves) = (start.clone(), start);
        attack(&mut blow, army, u32::MAX, &mut rng);
        let largest = 1 + rng.below(army);
        attack(&mut waves, army, largest, &mut rng);
        assert_eq!(hexes(&blow), hexes(&waves));
    }
}

#[test]
fn fights_are_subtraction() {
    let mut rng = Rng::new(18);
    let target = Cell::at(0, 0).unwrap();
    for _ in 0..3_000 {
        let (mut game, army) = battlefield(&mut rng);
        let board = game.state().board().clone();
        let enemy = board.owner(target);
        // The line of defenders, as the rules write it.
        let mut towers: Vec<(u32, Cell)> = target
            .neighbours()
            .filter(|&c| board.owner(c) == enemy && board.upgrade(c) == Upgrade::Tower)
            .map(|c| (board.soldiers(c), c))
            .collect();
        towers.sort_unstable();
        let mut line = vec![(board.soldiers(target), target)];
        line.extend(towers);
        let mut left = army;
        for (soldiers, _) in &mut line {
            let dead = left.min(*soldiers);
            *soldiers -= dead;
            left -= dead;
        }
        attack(&mut game, army, u32::MAX, &mut rng);
        let after = game.state().board();
        if left > 0 {
            assert_eq!(
                (after.owner(target), after.soldiers(target)),
                (Some(pentarchy_engine::Seat(0)), left)
            );
        } else {
            assert_eq!((after.owner(target), after.soldiers(target)), (enemy, line[0].0));
        }
        for &(soldiers, cell) in &line[1..] {
            assert_eq!((after.owner(cell), after.soldiers(cell)), (enemy, soldiers));
        }
        assert_eq!(after.soldiers(Cell::at(-1, 0).unwrap()), 0);
    }
}

#[test]
fn broken_states_are_refused_without_a_panic() {
    let options = Options { map_seed: Some(3), ..Options::default() };
    let game = Position::<Numeral>::new(3, &options).unwrap();
    let good = serde_json::to_value(game.state()).unwrap();
    assert!(serde_json::from_value::<Numeral>(good.clone()).is_ok());
    let home = good["hexes"].as_array().unwrap().iter().position(|h| h[1]["upgrade"] == "home").unwrap();
    let broken: [(&str, Value); 15] = [
        ("/seats", json!(7)),
        ("/seats", json!(1)),
        ("/round", json!(0)),
        ("/round", json!(201)),
        ("/turn", json!(9)),
        ("/active", json!(5)),
        ("/active", json!(1)),
        ("/stage", json!("over")),
        ("/stage", json!("seed-high")),
        ("/stage", json!({ "place-at": "8,-8" })),
        ("/stage", json!({ "home-moves": 200 })),
        ("/out", json!([1, 0, 0])),
        ("/options/tuning/farm_cost", json!(0)),
        (&format!("/hexes/{home}/1/upgrade"), json!("none")),
        (&format!("/hexes/{home}/1/soldiers"), json!(u32::MAX)),
    ];
    for (path, value) in broken {
        let mut state = good.clone();
        *state.pointer_mut(path).unwrap() = value.clone();
        assert!(serde_json::from_value::<Numeral>(state).is_err(), "{path} = {value}");
    }
}
