//! The advice of a game against chance.

use crate::advised::play_advised;
use pentarchy_engine::{Heuristic, Outcome, Position, Rng, RuleError, Seat};

/// Number of games.
const GAMES: u64 = 600;

/// Asserts that a player who follows [`Heuristic::rate`] does better than players who choose at random: 600
/// games at the default number of seats, one seat in turn with advice. A game whose
/// [`SearchHints`](pentarchy_engine::SearchHints) have stakes is measured by its points, any other by its
/// victories; a shared victory counts as a part.
///
/// # Panics
///
/// Panics if the advantage is less than twice its standard error, or if a game cannot be played to its end.
#[track_caller]
pub fn beats_random<G: Heuristic>() {
    let (seats, has_stakes) = (G::INFO.default_seats, G::search_hints().stakes > 0);
    let gains: Result<Vec<f64>, RuleError> = (0..GAMES)
        .map(|seed| {
            let advised = Seat((seed % u64::from(seats)) as u8);
            play::<G>(seats, advised, seed).map(|outcome| gain(&outcome, advised, has_stakes))
        })
        .collect();
    match gains {
        Ok(gains) => {
            let (mean, error) = mean_and_error(&gains);
            assert!(
                mean > 2.0 * error,
                "the advice of {} is not better than chance: it gains {mean:.3} a game, with a standard error of {error:.3}",
                G::INFO.name
            );
        }
        #[expect(clippy::panic, reason = "this is the body of a test")]
        Err(trouble) => panic!("{} cannot be played to its end: {trouble}", G::INFO.name),
    }
}

/// Plays a game with default options in which `advised` follows the advice and the other seats choose at
/// random, and returns its outcome.
///
/// # Errors
///
/// Fails if the game does not begin, or the rules reject a listed action.
fn play<G: Heuristic>(seats: u8, advised: Seat, seed: u64) -> Result<Outcome, RuleError> {
    let begun = Position::<G>::new(seats, &G::Options::default());
    let mut position = begun.map_err(|_| RuleError::new("it does not begin with its default options"))?;
    play_advised(&mut position, |seat| seat == advised, &mut Rng::new(seed), |_, _, _| {})
}

/// Returns how much more `seat` has got than a seat gets on average: of the points if the game has stakes,
/// else of one victory, which the winners share. 0 without stakes if no seat has won.
fn gain(outcome: &Outcome, seat: Seat, has_stakes: bool) -> f64 {
    let seats = f64::from(outcome.seats());
    if has_stakes {
        let all: f64 = outcome.scores().iter().map(|&score| f64::from(score)).sum();
        return f64::from(outcome.score(seat)) - all / seats;
    }
    let winners = outcome.winners().count();
    if winners == 0 {
        return 0.0;
    }
    let won = if outcome.rank(seat) == 1 { 1.0 / winners as f64 } else { 0.0 };
    won - 1.0 / seats
}

/// Returns the mean of the values and its standard error. The list must not be empty.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, (variance / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gains_of_all_seats_add_up_to_nothing() {
        let all = [
            Outcome::by_score(&[3, 7, 5]),
            Outcome::by_score(&[7, 7, 5]),
            Outcome::by_score(&[0, 0]),
            Outcome::by_score(&[3, 7, 5]).unwon(),
            Outcome::by_score(&[2, 2]).unwon(),
        ];
        for outcome in all {
            for has_stakes in [false, true] {
                let seats = (0..outcome.seats()).map(Seat);
                let gains: Vec<f64> = seats.map(|seat| gain(&outcome, seat, has_stakes)).collect();
                assert!(gains.iter().sum::<f64>().abs() < 1e-9, "{outcome:?}: {gains:?}");
            }
        }
        assert_eq!(gain(&Outcome::by_score(&[7, 7, 5, 1]), Seat(0), false), 0.25);
        assert_eq!(gain(&Outcome::by_score(&[7, 7, 5]).unwon(), Seat(0), false), 0.0);
    }
}
