//! The rating method: Weng–Lin (Bayesian approximation, Journal of Machine Learning Research 12, 2011), for any number of
//! seats.

use pentarchy_storage::club::{RatingMethod, SkillEstimate};
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

/// Estimates are stored as multiples of this.
const UNIT: f64 = 1e-6;

/// Weng–Lin with the usual parameters: a new player has mean 25 and deviation 25/3.
///
/// Estimates are rounded to millionths after each game. So they are stored exactly, and computing them again from the
/// same games gives the same numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct WengLinMethod;

/// Returns a number in millionths, rounded to the nearest (halves away from zero); NaN gives 0, and values out of range
/// are clamped.
fn millionths(value: f64) -> i64 {
    (value / UNIT).round() as i64
}

/// Converts a rating to an estimate in millionths to be stored. Rounds both numbers; the deviation is at least one
/// millionth.
fn to_estimate(rating: &WengLinRating) -> SkillEstimate {
    SkillEstimate { mean: millionths(rating.rating), deviation: millionths(rating.uncertainty).max(1) }
}

/// Converts a stored estimate in millionths to a rating in whole units, the nearest `f64`.
fn to_rating(estimate: &SkillEstimate) -> WengLinRating {
    WengLinRating { rating: estimate.mean as f64 * UNIT, uncertainty: estimate.deviation as f64 * UNIT }
}

impl RatingMethod for WengLinMethod {
    /// Returns the estimate of a new player: mean 25, deviation 25/3.
    fn initial(&self) -> SkillEstimate {
        to_estimate(&WengLinRating::new())
    }

    /// Returns the new estimates after a game, in the order of `before`, rounded to millionths. `ranks` are from 1, the
    /// lowest is the best, and equal ranks are a draw. Both lists must have one entry per player; extra ones are
    /// ignored.
    fn update(&self, before: &[SkillEstimate], ranks: &[u8]) -> Vec<SkillEstimate> {
        let players: Vec<[WengLinRating; 1]> = before.iter().map(|estimate| [to_rating(estimate)]).collect();
        let ranks = ranks.iter().map(|&rank| MultiTeamOutcome::new(usize::from(rank)));
        let teams: Vec<_> = players.iter().map(|player| &player[..]).zip(ranks).collect();
        let rated = weng_lin_multi_team(&teams, &WengLinConfig::new());
        rated.iter().zip(before).map(|(team, old)| team.first().map_or(*old, to_estimate)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winners_gain_losers_lose_and_everybody_becomes_more_certain() {
        let new = WengLinMethod.initial();
        assert_eq!(new, SkillEstimate { mean: 25_000_000, deviation: 8_333_333 });
        for seats in 2..=6u8 {
            let ranks: Vec<u8> = (1..=seats).collect();
            let after = WengLinMethod.update(&vec![new; usize::from(seats)], &ranks);
            assert!(after.is_sorted_by(|a, b| a.mean > b.mean), "{after:?}");
            assert!(after[0].mean > new.mean && after[usize::from(seats) - 1].mean < new.mean);
            assert!(after.iter().all(|estimate| estimate.deviation < new.deviation));
        }
    }

    #[test]
    fn a_draw_of_equals_moves_nobody() {
        let new = WengLinMethod.initial();
        let after = WengLinMethod.update(&[new; 3], &[1, 1, 1]);
        assert!(after.iter().all(|estimate| estimate.mean == new.mean), "{after:?}");
    }

    /// The order of the seats does not matter.
    #[test]
    fn seats_are_treated_alike() {
        let before =
            [31, 12, 25, 8].map(|mean| SkillEstimate { mean: mean * 1_000_000, deviation: 3_000_000 + mean });
        let ranks = [2, 1, 4, 3];
        let after = WengLinMethod.update(&before, &ranks);
        let turned = |i: usize| (i + 1) % 4;
        let other = WengLinMethod
            .update(&[0, 1, 2, 3].map(|i| before[turned(i)]), &[0, 1, 2, 3].map(|i| ranks[turned(i)]));
        for i in 0..4 {
            let (a, b) = (after[turned(i)], other[i]);
            assert!(a.mean.abs_diff(b.mean) <= 1 && a.deviation.abs_diff(b.deviation) <= 1, "{a:?} {b:?}");
        }
    }
}
