//! Private dice: a cast, what each observer knows of it, determinization, records, scripts and exact trees.

use crate::tumble::{Pip, TABLE, Tumble};
use pentarchy_engine::{Game, NoOptions, Observer, Position, Rng, Seat, Token};
use pentarchy_testkit::conformance::{ConformancePlan, check};
use pentarchy_testkit::exact;
use std::collections::BTreeMap;

fn start() -> Position<Tumble> {
    Position::new(2, &NoOptions {}).unwrap()
}

/// The faces that an observer knows, by token.
fn known(position: &Position<Tumble>) -> Vec<Option<Pip>> {
    position.state().tokens().all().map(|t| position.face(t)).collect()
}

#[test]
fn a_game_of_private_dice_keeps_the_laws() {
    check::<Tumble>(&ConformancePlan::quick().cap(2));
}

#[test]
fn only_the_owner_of_the_zone_learns_a_die() {
    for seed in 0..50 {
        let mut game = start();
        let mut views = vec![game.view(Seat(0)), game.view(Seat(1)), game.spectator()];
        let line = game.resolve_line(&mut Rng::new(seed)).unwrap();
        assert!(line.shown.is_empty() && line.annexes.iter().all(|annex| annex.learned.len() == 2));
        for view in &mut views {
            let seat = if let Observer::Seat(seat) = view.observer() { Some(seat) } else { None };
            view.apply(&line.for_seat(seat)).unwrap();
            assert!(view.holds_exactly_its_faces() && view.digest() == game.digest());
            for (t, face) in known(view).into_iter().enumerate() {
                let owns = seat == Some(Seat(t as u8 / 2));
                assert_eq!(face, known(&game)[t].filter(|_| owns), "{seat:?}, die {t}");
            }
        }
        assert!(game.state().tokens().all().all(|t| !game.state().tokens().may(t).has(Pip::Coin)));
    }
}

#[test]
fn a_line_that_lacks_a_die_or_has_a_false_side_is_rejected() {
    let mut game = start();
    let (view, mut stranger) = (game.view(Seat(0)), game.spectator());
    let line = game.resolve_line(&mut Rng::new(1)).unwrap();
    let tampered = |change: fn(&mut Vec<(Token, Pip)>)| {
        let mut line = line.for_seat(Some(Seat(0)));
        change(&mut line.annexes[0].learned);
        view.clone().apply(&line)
    };
    assert!(tampered(|_| ()).is_ok());
    assert_eq!(tampered(|dice| dice.truncate(1)).unwrap_err().missing_face(), Some(Token(1)));
    assert!(tampered(|dice| dice[1].0 = Token(3)).is_err());
    assert!(tampered(|dice| dice.push((Token(2), Pip::Low))).is_err());
    assert!(tampered(|dice| dice[0].1 = Pip::Coin).is_err());
    // A spectator reads no annex, and nobody may show a die in a cast.
    assert!(stranger.clone().apply(&line).is_ok());
    let mut open = line.for_seat(None);
    open.shown.push((Token(0), Pip::Low));
    assert!(stranger.apply(&open).is_err());
}

#[test]
fn an_observer_imagines_independent_uniform_dice() {
    let mut game = start();
    game.script("cast: low mid high high").unwrap();
    let (view, mut rng, mut seen) = (game.view(Seat(0)), Rng::new(7), BTreeMap::new());
    for _ in 0..9_000 {
        let world = view.determinize(&mut rng);
        assert_eq!(known(&world)[..2], [Some(Pip::Low), Some(Pip::Mid)]);
        *seen.entry(known(&world)[2..].to_vec()).or_insert(0u32) += 1;
    }
    assert_eq!(seen.len(), 9);
    // Chi-square with 8 degrees of freedom: beyond 26.1 once in a thousand.
    let chi: f64 = seen.values().map(|&n| (f64::from(n) - 1_000.0).powi(2) / 1_000.0).sum();
    assert!(chi < 26.1, "{chi}");
}

#[test]
fn a_second_cast_tells_nothing_of_the_first() {
    let mut game = start();
    game.script("cast: low low high high").unwrap();
    game.play("show #0".parse().unwrap()).unwrap();
    game.play("high".parse().unwrap()).unwrap();
    game.script("cast: high low mid").unwrap();
    // The die on the table keeps its face; the others have new ones.
    assert_eq!(known(&game), [Pip::Low, Pip::High, Pip::Low, Pip::Mid].map(Some));
    assert_eq!(known(&game.view(Seat(1))), [Some(Pip::Low), None, Some(Pip::Low), Some(Pip::Mid)]);
    game.script("reveal:").unwrap();
    assert_eq!(game.outcome().unwrap().scores(), [4, 3]);
}

#[test]
fn a_script_names_a_side_for_each_die() {
    for (text, why) in [
        ("cast: low low", "`low low` is not a face for each of 4 dice"),
        ("cast: low low low coin", "`coin` is not a side of these dice"),
        ("cast: low low low six", "`six` is not coin, low, mid or high"),
    ] {
        assert_eq!(start().script(text).unwrap_err().to_string(), why);
    }
}

#[test]
fn a_mixed_token_is_no_die() {
    let mut game = start();
    game.raw_mut().state.tokens.regroup(&[0, 1], pentarchy_engine::Known::NOBODY);
    let refused = game.resolve(&mut Rng::new(1)).unwrap_err();
    assert_eq!(refused.to_string(), "this token was mixed with others and is no die (#0)");
    let mut homeless = start();
    homeless.raw_mut().state.tokens.put(Token(0), TABLE);
    assert!(homeless.resolve(&mut Rng::new(1)).is_err());
}

#[test]
fn an_exact_tree_branches_die_by_die() {
    // 1 + 3 + 9 + 27 chance nodes before the first decision, and 81 casts in all.
    let counts: Vec<u64> = (0..=4).map(|depth| exact::perft(&start(), depth).unwrap()).collect();
    assert_eq!(counts, [1, 3, 9, 27, 81]);
    let mut sets = std::collections::BTreeSet::new();
    exact::walk(&start(), &mut |history, turn| {
        if let exact::TreeTurn::Decision(Seat(0), _) = turn {
            sets.insert(history.observed(Seat(0)));
        }
    })
    .unwrap();
    assert_eq!(sets.len(), 9, "seat 0 knows its two dice and nothing else");
}
