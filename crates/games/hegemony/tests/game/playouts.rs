//! Random games to the end, for all numbers of seats.

use pentarchy_engine::{Position, Rng};
use pentarchy_hegemony::{Hegemony, Options};

#[test]
fn random_games_end_within_the_cap() {
    let mut list = Vec::new();
    for seats in 1..=6 {
        let (mut decisions, mut rounds) = (0, 0);
        for seed in 0..200 {
            let options = Options { only_one: seed % 4 == 3, ..Options::default() };
            let mut position = Position::<Hegemony>::new(seats, &options).unwrap();
            let mut rng = Rng::stream(seats.into(), seed);
            let (outcome, n) = position
                .playout(&mut rng, &mut list)
                .unwrap_or_else(|e| panic!("seats {seats} seed {seed}: {e}"));
            assert_eq!(outcome.seats(), seats);
            decisions += n;
            rounds += u32::from(position.state().round());
        }
        println!("{seats} seats: {} decisions, {} rounds a game", decisions / 200, rounds / 200);
    }
}
