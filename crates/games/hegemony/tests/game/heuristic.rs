//! The sensible player is better than chance, and its games have the lengths of the rules' balance notes.

use pentarchy_engine::{Heuristic, Outcome, Position, Rng, Seat};
use pentarchy_hegemony::{Hegemony, Options};
use pentarchy_testkit::advised::play_advised;

/// Plays a game in which these seats think and the others choose at random.
fn play(seats: u8, thinks: impl Fn(Seat) -> bool, seed: u64) -> (Outcome, u16) {
    let mut game = Position::<Hegemony>::new(seats, &Options::default()).unwrap();
    let outcome = play_advised(&mut game, thinks, &mut Rng::stream(7, seed), |game, _, _| {
        let seat = game.actor().unwrap();
        let value = game.state().evaluate(&game.own(seat), seat);
        assert!((0..=1000).contains(&value), "{value}");
    });
    (outcome.unwrap(), game.state().round())
}

/// The Empire may win some of these games: what counts is who of the two stands above the other.
#[test]
fn ranks_above_chance() {
    let games = 300;
    let better = (0..games).filter(|&seed| {
        let seat = Seat((seed % 2) as u8);
        let (outcome, _) = play(2, |s| s == seat, seed);
        outcome.rank(seat) < outcome.rank(Seat(1 - seat.0))
    });
    let share = 100 * better.count() as u64 / games;
    println!("ranks above the other in {share} of 100 games");
    assert!(share >= 95, "{share}");
}

#[test]
fn games_are_as_long_as_the_rules_say() {
    for (seats, median) in [(2, 13), (4, 15)] {
        let mut rounds: Vec<u16> = (0..80).map(|seed| play(seats, |_| true, seed).1).collect();
        rounds.sort_unstable();
        println!("{seats} seats: {:?}", [rounds[8], rounds[40], rounds[72]]);
        assert!(rounds[40].abs_diff(median) <= 3, "{} rounds with {seats} seats", rounds[40]);
    }
}
