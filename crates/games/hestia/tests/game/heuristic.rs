//! The sensible player beats chance from both seats.

use pentarchy_engine::{Describe, Heuristic, Outcome, Position, Rng, Seat};
use pentarchy_hestia::{Hestia, Options};
use pentarchy_testkit::advised::play_advised;

/// Plays a game in which these seats think and the others choose at random; the outcome, the decisions and
/// the years.
fn play(thinks: [bool; 2], seed: u64) -> (Outcome, u64, u64) {
    let mut game = Position::<Hestia>::new(2, &Options::default()).unwrap();
    let mut decisions = 0;
    let thinks = |seat: Seat| thinks[seat.index()];
    let outcome = play_advised(&mut game, thinks, &mut Rng::stream(7, seed), |game, _, _| {
        let seat = game.actor().unwrap();
        let value = game.state().evaluate(&game.own(seat), seat);
        assert!((0..=1000).contains(&value), "{value}");
        decisions += 1;
    });
    (outcome.unwrap(), decisions, game.state().picture()["year"].as_u64().unwrap())
}

#[test]
fn beats_chance_from_both_seats() {
    for seat in [Seat(0), Seat(1)] {
        let games = 60;
        let won = (0..games).filter(|&seed| play([seat.0 == 0, seat.0 == 1], seed).0.rank(seat) == 1);
        let share = 100 * won.count() as u64 / games;
        println!("seat {seat}: wins {share} of 100 games against chance");
        assert!(share >= 90, "{share}");
    }
}

/// The balance notes of the rules give 40 to 80 % for Lenisia among players of several styles, three to four
/// years, and about 260 decisions for one that plays by rules of thumb; ours hurries and needs fewer.
#[test]
fn mirror_games_are_like_those_of_the_notes() {
    let (mut decisions, mut years, mut lenisia, mut level) = (0, 0, 0, 0);
    let games = 100;
    for seed in 0..games {
        let (outcome, n, year) = play([true, true], 1000 + seed);
        decisions += n;
        years += year;
        lenisia += u64::from(outcome.rank(Seat(0)) == 1 && outcome.rank(Seat(1)) == 2);
        level += u64::from(outcome.score(Seat(0)) == outcome.score(Seat(1)));
    }
    println!(
        "{games} mirror games: {} decisions and {}/10 years on average, Lenisia wins {lenisia}, {level} level in tokens",
        decisions / games,
        10 * years / games
    );
    assert!((180..=320).contains(&(decisions / games)), "{decisions}");
    assert!((30..=50).contains(&(10 * years / games)), "{years}");
    assert!((35 * games..=80 * games).contains(&(100 * lenisia)), "{lenisia}");
}
