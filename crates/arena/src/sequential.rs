//! Confidence sequences: intervals that stay valid however often one looks at them and whenever one stops.
//!
//! The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas ("Time-uniform central
//! limit theory and asymptotic confidence sequences", Annals of Statistics 52, 2024, theorem 2.2): a mixture of
//! normal martingales, so that count, mean and deviation of the values decide the interval. It needs no order
//! of the values, so sums of parts can be merged.

use crate::statistics::{Interval, Moments};

/// Minimum number of values for an interval: the sequence is asymptotic.
pub const FIRST_LOOK: u64 = 50;

/// Family-wise error of all sequences that are read together.
const ERROR: f64 = 0.05;

/// A confidence sequence with its error and the number of values at which it is narrowest.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ConfidenceSequence {
    /// The error of this sequence.
    error: f64,
    /// The square of the parameter ρ of the mixture, which sets where the interval is narrowest.
    rho_squared: f64,
}

impl ConfidenceSequence {
    /// Creates one of `comparisons` sequences that together hold with 95 % confidence at all times (Bonferroni;
    /// 0 counts as 1). The interval is narrowest, compared with that of a fixed number of values, at about
    /// `planned` values.
    pub fn new(comparisons: usize, planned: u64) -> Self {
        let error = ERROR / comparisons.max(1) as f64;
        let log = -2.0 * error.ln();
        ConfidenceSequence { error, rho_squared: (log + (log + 1.0).ln()) / planned.max(1) as f64 }
    }

    /// Returns half of the width of the interval after `count` values of this standard deviation; infinite before
    /// [`FIRST_LOOK`] values.
    pub fn half_width(&self, count: u64, deviation: f64) -> f64 {
        if count < FIRST_LOOK {
            return f64::INFINITY;
        }
        let n = count as f64;
        let spread = n * self.rho_squared + 1.0;
        let boundary = 2.0 * spread / (n * n * self.rho_squared) * (spread.sqrt() / self.error).ln();
        deviation * boundary.sqrt()
    }

    /// Returns the interval of the mean of the values seen so far; without bounds before [`FIRST_LOOK`] values.
    pub fn interval(&self, values: &Moments) -> Interval {
        let half = self.half_width(values.count, values.deviation());
        Interval { low: values.mean() - half, high: values.mean() + half }
    }

    /// Returns the least number of values, rounded up to two digits, at which half of the width, for values of this
    /// standard deviation, is at most `wanted`, at least [`FIRST_LOOK`]; `None` if that takes more than 10^12 or
    /// `wanted` is not positive.
    pub fn values_for(&self, wanted: f64, deviation: f64) -> Option<u64> {
        const MOST: u64 = 1_000_000_000_000;
        let enough = |count: u64| self.half_width(count, deviation) <= wanted;
        if wanted <= 0.0 || !enough(MOST) {
            return None;
        }
        let (mut low, mut high) = (0, MOST);
        while low + 1 < high {
            let middle = low.midpoint(high);
            if enough(middle) { high = middle } else { low = middle }
        }
        let unit = 10_u64.pow(high.ilog10().saturating_sub(1));
        Some(high.next_multiple_of(unit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::z_for;
    use pentarchy_engine::Rng;

    /// Adds a coin of this chance in per mille as 0 or 1.
    fn toss(values: &mut Moments, rng: &mut Rng, chance: u32) {
        values.add(i64::from(rng.below(1000) < chance));
    }

    #[test]
    fn repeated_looks_hardly_ever_exclude_the_truth() {
        let sequence = ConfidenceSequence::new(1, 1000);
        let (mut wrong, mut fixed, runs) = (0, 0, 400);
        for run in 0..runs {
            let (mut values, mut rng) = (Moments::default(), Rng::stream(7, run));
            let (mut missed, mut missed_fixed) = (false, false);
            for _ in 0..3000 {
                toss(&mut values, &mut rng, 300);
                missed |= !sequence.interval(&values).has(0.3);
                missed_fixed |= values.count >= FIRST_LOOK && !values.interval().has(0.3);
            }
            wrong += u64::from(missed);
            fixed += u64::from(missed_fixed);
        }
        // 5 % of 400 are 20; the interval for one look misses far more often under 3,000 looks.
        assert!(wrong <= 30, "{wrong} of {runs}");
        assert!(fixed > 100, "{fixed} of {runs}");
    }

    #[test]
    fn the_width_shrinks_and_a_correction_widens() {
        let (one, many) = (ConfidenceSequence::new(1, 1000), ConfidenceSequence::new(40, 1000));
        for count in [50, 100, 1000, 10_000, 1_000_000] {
            assert!(one.half_width(count, 0.5) > one.half_width(count * 2, 0.5));
            assert!(many.half_width(count, 0.5) > one.half_width(count, 0.5));
            // Never narrower than the interval for a single look.
            assert!(many.half_width(count, 0.5) > z_for(40) * 0.5 / (count as f64).sqrt());
        }
        // Near the planned number it is at most two thirds wider.
        assert!(many.half_width(1000, 0.5) < 1.67 * z_for(40) * 0.5 / 1000_f64.sqrt());
        assert_eq!(one.half_width(49, 0.5), f64::INFINITY);
    }

    #[test]
    fn the_number_of_values_for_a_width_is_enough() {
        let sequence = ConfidenceSequence::new(12, 5000);
        for wanted in [0.2, 0.05, 0.01, 0.002] {
            let count = sequence.values_for(wanted, 0.45).unwrap();
            assert!(sequence.half_width(count, 0.45) <= wanted);
            assert!(count == FIRST_LOOK || sequence.half_width(count * 8 / 10, 0.45) > wanted, "{count}");
        }
        assert_eq!(sequence.values_for(0.0, 0.45), None);
        assert_eq!(sequence.values_for(0.1, 0.0), Some(FIRST_LOOK));
    }
}
