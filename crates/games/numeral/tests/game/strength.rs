//! The game's own advice makes a player that beats random ones.

use pentarchy_engine::{Heuristic, Outcome, Position, Rng, Seat};
use pentarchy_numeral::{Numeral, Options};
use pentarchy_testkit::advised::play_advised;

/// Plays a game in which these seats follow the heuristic and the others play at random.
fn play(seats: u8, advised: &[Seat], options: &Options, seed: u64) -> (Outcome, u16) {
    let mut game = Position::<Numeral>::new(seats, options).unwrap();
    let is_advised = |seat: Seat| advised.contains(&seat);
    let outcome = play_advised(&mut game, is_advised, &mut Rng::new(seed), |_, _, _| {});
    (outcome.unwrap(), game.state().round())
}

#[test]
fn the_heuristic_beats_random_players() {
    let (mut won, games) = (0, 40);
    for seed in 0..games {
        let seat = Seat((seed % 2) as u8);
        let (outcome, _) = play(2, &[seat], &Options::default(), seed);
        won += u32::from(outcome.winner() == Some(seat));
    }
    assert!(won * 10 >= games as u32 * 9, "{won} of {games}");
}

#[test]
fn the_heuristic_beats_three_random_players() {
    let won = (0..8).filter(|&seed| {
        let seat = Seat((seed % 4) as u8);
        play(4, &[seat], &Options::default(), seed).0.winner() == Some(seat)
    });
    assert!(won.count() >= 7);
}

#[test]
fn games_between_sensible_players_end_by_conquest() {
    for seats in 2..=6 {
        let all: Vec<Seat> = (0..seats).map(Seat).collect();
        for seed in 0..4 {
            let (outcome, round) = play(seats, &all, &Options::default(), seed);
            assert!(!outcome.is_capped() && (5..120).contains(&round), "{seats} seats, seed {seed}: {round}");
        }
    }
}

#[test]
fn evaluations_are_between_nothing_and_all() {
    let mut game = Position::<Numeral>::new(3, &Options::default()).unwrap();
    let (mut rng, mut list) = (Rng::new(3), Vec::new());
    for _ in 0..3_000 {
        game.settle(&mut rng, &mut list).unwrap();
        if game.actor().is_none() {
            break;
        }
        for seat in (0..3).map(Seat) {
            let worth = game.state().evaluate(&game.own(seat), seat);
            assert!((0..=1_000).contains(&worth), "{worth}");
        }
        game.legal(&mut list).unwrap();
        game.play(list[rng.below(list.len() as u32) as usize]).unwrap();
    }
}
