//! Shares, means and differences with confidence intervals; histograms of bounded size.

use serde::{Deserialize, Serialize};

/// The 97.5 % quantile of the normal distribution, for two-sided 95 % intervals.
pub const Z95: f64 = 1.959_963_984_540_054;

/// A closed interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Returns the upper end less the lower one.
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// Returns whether a number is in the interval, ends included.
    pub fn has(self, x: f64) -> bool {
        (self.low..=self.high).contains(&x)
    }
}

/// Returns the 95 % Wilson score interval of the share `successes / trials`, from 0 to 1. It is sound for few
/// trials and for shares near 0 and 1; the whole range without trials. `successes` may be fractional.
pub fn wilson(successes: f64, trials: u64) -> Interval {
    wilson_at(successes, trials, Z95)
}

/// Returns the Wilson score interval of the share `successes / trials`, from 0 to 1, for the normal quantile
/// `z` ([`Z95`] for 95 %). The whole range without trials. `successes` may be fractional.
pub fn wilson_at(successes: f64, trials: u64, z: f64) -> Interval {
    if trials == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let n = trials as f64;
    let share = (successes / n).clamp(0.0, 1.0);
    let middle = share + z * z / (2.0 * n);
    let spread = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    // Exact at the ends, regardless of rounding.
    let low = if share == 0.0 { 0.0 } else { ((middle - spread) / scale).max(0.0) };
    let high = if share == 1.0 { 1.0 } else { ((middle + spread) / scale).min(1.0) };
    Interval { low, high }
}

/// Returns the normal quantile for two-sided intervals of this number of simultaneous comparisons, with a
/// family-wise error of 5 % (Bonferroni). 0 counts as 1.
pub fn z_for(comparisons: usize) -> f64 {
    quantile(1.0 - 0.025 / comparisons.max(1) as f64)
}

/// Returns the quantile of the standard normal distribution for the probability `p`, strictly between 0 and
/// 1, by Acklam's rational approximation; accurate to nine digits.
fn quantile(p: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969_683_028_665_376e1,
        2.209_460_984_245_205e2,
        -2.759_285_104_469_687e2,
        1.383_577_518_672_69e2,
        -3.066_479_806_614_716e1,
        2.506_628_277_459_239,
    ];
    const B: [f64; 5] = [
        -5.447_609_879_822_406e1,
        1.615_858_368_580_409e2,
        -1.556_989_798_598_866e2,
        6.680_131_188_771_972e1,
        -1.328_068_155_288_572e1,
    ];
    const C: [f64; 6] = [
        -7.784_894_002_430_293e-3,
        -3.223_964_580_411_365e-1,
        -2.400_758_277_161_838,
        -2.549_732_539_343_734,
        4.374_664_141_464_968,
        2.938_163_982_698_783,
    ];
    const D: [f64; 4] =
        [7.784_695_709_041_462e-3, 3.224_671_290_700_398e-1, 2.445_134_137_142_996, 3.754_408_661_907_416];
    let poly = |c: &[f64], x: f64| c.iter().fold(0.0, |sum, k| sum * x + k);
    let tail = |q: f64| poly(&C, q) / (poly(&D, q) * q + 1.0);
    if p < 0.024_25 {
        tail((-2.0 * p.ln()).sqrt())
    } else if p > 1.0 - 0.024_25 {
        -tail((-2.0 * (1.0 - p).ln()).sqrt())
    } else {
        let (q, r) = (p - 0.5, (p - 0.5) * (p - 0.5));
        poly(&A, r) * q / (poly(&B, r) * r + 1.0)
    }
}

/// Sums for a mean and its interval. Integers, so that the order of values does not matter.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Moments {
    /// Number of values.
    pub count: u64,
    /// Sum of the values.
    sum: i128,
    /// Sum of the squares of the values.
    squares: i128,
}

impl Moments {
    /// Adds a value to count, sum and sum of squares.
    pub fn add(&mut self, value: i64) {
        let value = i128::from(value);
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// Adds all values of another sum. The result does not depend on the order.
    pub fn merge(&mut self, other: &Moments) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Returns the mean; 0 without values.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// Returns the sample standard deviation; 0 with fewer than two values.
    pub fn deviation(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let n = self.count as i128;
        // The difference of large numbers is computed exactly, in integers.
        let scaled = self.squares.saturating_mul(n) - self.sum.saturating_mul(self.sum);
        (scaled.max(0) as f64 / (n as f64 * (n - 1) as f64)).sqrt()
    }

    /// Returns the 95 % interval of the mean by the normal approximation; a point with fewer than two values.
    pub fn interval(&self) -> Interval {
        let spread = Z95 * self.deviation() / (self.count.max(1) as f64).sqrt();
        Interval { low: self.mean() - spread, high: self.mean() + spread }
    }
}

/// Maximum number of bins of a histogram.
const PLACES: usize = 2048;

/// Counts by value in a bounded number of bins: neighbouring bins are merged when values grow too large.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Histogram {
    /// Number of values per bin; a power of 2.
    width: u64,
    /// Number of values by bin; bin i begins at the value i × `width`.
    counts: Vec<u64>,
    /// Sums for mean and interval.
    pub moments: Moments,
    /// The largest value.
    most: u64,
}

impl Default for Histogram {
    /// Creates a histogram without values, with one value per bin.
    fn default() -> Self {
        Histogram { width: 1, counts: Vec::new(), moments: Moments::default(), most: 0 }
    }
}

/// A bar of a histogram: how many values lie in a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistogramBar {
    /// The first value of the range.
    pub first: u64,
    /// The last value of the range.
    pub last: u64,
    /// How many values lie in it.
    pub count: u64,
}

impl Histogram {
    /// Adds a value. If it exceeds the range, the width of the bins is doubled until it fits, which makes
    /// percentiles coarser.
    pub fn add(&mut self, value: u64) {
        self.moments.add(i64::try_from(value).unwrap_or(i64::MAX));
        self.most = self.most.max(value);
        while value / self.width >= PLACES as u64 {
            self.coarsen();
        }
        let place = (value / self.width) as usize;
        if self.counts.len() <= place {
            self.counts.resize(place + 1, 0);
        }
        self.counts[place] += 1;
    }

    /// Doubles the width of the bins and adds the counts of each bin with an even index and the next one. No
    /// value is lost.
    fn coarsen(&mut self) {
        self.width = self.width.saturating_mul(2).max(1);
        self.counts = self.counts.chunks(2).map(|pair| pair.iter().sum()).collect();
    }

    /// Adds all values of another histogram. The result is that of adding the values one by one, in any order.
    pub fn merge(&mut self, other: &Histogram) {
        self.moments.merge(&other.moments);
        self.most = self.most.max(other.most);
        let mut other = other.clone();
        while self.width < other.width {
            self.coarsen();
        }
        while other.width < self.width {
            other.coarsen();
        }
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        self.counts.iter_mut().zip(&other.counts).for_each(|(sum, n)| *sum += n);
    }

    /// Returns the largest value; 0 without values.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// Returns a percentile (0 to 100) of the values: 50 gives the median. Rounded down to the first value of its
    /// bin; 0 without values.
    pub fn at(&self, percent: u64) -> u64 {
        let wanted = (self.moments.count * percent).div_ceil(100).max(1);
        let mut seen = 0;
        let reached = self.counts.iter().position(|&n| {
            seen += n;
            seen >= wanted
        });
        reached.unwrap_or(0) as u64 * self.width
    }

    /// Groups the counts into at most `bars` bars of equal width, ascending. Begins at the bin of the least value
    /// and covers at least the lower 99 % of the values. Empty without values.
    pub fn bars(&self, bars: usize) -> Vec<HistogramBar> {
        let Some(first) = self.counts.iter().position(|&n| n > 0) else { return Vec::new() };
        let last = ((self.at(99) / self.width) as usize).max(first);
        let step = (last + 1 - first).div_ceil(bars.max(1));
        let shown = (last + 1 - first).div_ceil(step) * step;
        let part = &self.counts[first..self.counts.len().min(first + shown)];
        let bar = |(i, part): (usize, &[u64])| {
            let from = (first + i * step) as u64;
            let last = (from + step as u64) * self.width - 1;
            HistogramBar { first: from * self.width, last, count: part.iter().sum() }
        };
        part.chunks(step).enumerate().map(bar).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 5e-5
    }

    #[test]
    fn wilson_gives_the_published_intervals() {
        // Newcombe 1998, table I: 81/263, 15/148, 0/20, 1/29.
        for (s, n, low, high) in [
            (81.0, 263, 0.2553, 0.3662),
            (15.0, 148, 0.0624, 0.1605),
            (0.0, 20, 0.0, 0.1611),
            (1.0, 29, 0.0061, 0.1718),
        ] {
            let interval = wilson(s, n);
            assert!(near(interval.low, low) && near(interval.high, high), "{s}/{n}: {interval:?}");
        }
        assert_eq!((wilson(0.0, 6).low, wilson(6.0, 6).high), (0.0, 1.0));
        assert_eq!(wilson(0.0, 0), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        assert!(
            near(z_for(1), 1.95996) && near(z_for(2), 2.24140) && near(z_for(10), 2.80703),
            "{}",
            z_for(10)
        );
        assert!(near(quantile(0.5), 0.0) && near(quantile(0.01), -2.32635));
    }

    #[test]
    fn a_paired_difference_has_the_interval_of_its_differences() {
        // Differences 1, 2, 3, 4: mean 2.5, deviation 1.290994, standard error 0.645497.
        let mut pairs = Moments::default();
        [(5, 4), (7, 5), (9, 6), (11, 7)].into_iter().for_each(|(a, b): (i64, i64)| pairs.add(a - b));
        assert!(near(pairs.mean(), 2.5) && near(pairs.deviation(), 1.290_994));
        let Interval { low, high } = pairs.interval();
        assert!(near(low, 2.5 - Z95 * 0.645_497) && near(high, 2.5 + Z95 * 0.645_497));
        // Large values lose nothing.
        let mut large = Moments::default();
        [1_000_000_000_001, 1_000_000_000_002, 1_000_000_000_003].into_iter().for_each(|v| large.add(v));
        assert!(near(large.deviation(), 1.0));
    }

    #[test]
    fn merged_histograms_are_those_of_all_values() {
        let mut rng = pentarchy_engine::Rng::new(5);
        for scale in [10, 3000, 100_000] {
            let values: Vec<u64> = (0..500).map(|_| u64::from(rng.below(scale))).collect();
            let histogram = |values: &[u64]| {
                let mut all = Histogram::default();
                values.iter().for_each(|&v| all.add(v));
                all
            };
            let at = rng.below(500) as usize;
            let (mut left, right) = (histogram(&values[..at]), histogram(&values[at..]));
            left.merge(&right);
            assert_eq!(left, histogram(&values));
        }
    }

    #[test]
    fn a_histogram_stays_small_and_forgets_no_value() {
        let mut small = Histogram::default();
        [3, 3, 4, 9].into_iter().for_each(|v| small.add(v));
        assert_eq!((small.at(50), small.at(75), small.most()), (3, 4, 9));
        assert_eq!(small.bars(10).iter().map(|bar| bar.count).sum::<u64>(), 4);
        let (mut up, mut down) = (Histogram::default(), Histogram::default());
        (0..100_000).for_each(|v| up.add(v));
        (0..100_000).rev().for_each(|v| down.add(v));
        assert_eq!(up, down);
        assert!(up.counts.len() <= PLACES);
        assert_eq!(up.counts.iter().sum::<u64>(), 100_000);
        assert!((49_900..=50_100).contains(&up.at(50)), "{}", up.at(50));
    }
}
