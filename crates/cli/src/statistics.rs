//! Statistics of simulation reports.

/// Returns the 95 % interval of a share by Wilson's score, which also holds for few games and for shares near 0 and
/// 1.
pub(crate) fn wilson(successes: u64, trials: u64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    if trials == 0 {
        return (0.0, 1.0);
    }
    let n = trials as f64;
    let share = successes as f64 / n;
    let middle = share + Z * Z / (2.0 * n);
    let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((middle - spread) / scale).max(0.0), ((middle + spread) / scale).min(1.0))
}

/// Returns a histogram of lengths in at most `rows` ranges of equal width, each as first length, last length and
/// count.
pub(crate) fn histogram(lengths: &[u64], rows: usize) -> Vec<(usize, usize, u64)> {
    let Some(first) = lengths.iter().position(|&n| n > 0) else { return Vec::new() };
    let lengths = &lengths[first..];
    let step = lengths.len().div_ceil(rows.max(1));
    let range = |(i, part): (usize, &[u64])| {
        let from = first + i * step;
        (from, from + part.len() - 1, part.iter().sum())
    };
    lengths.chunks(step).enumerate().map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: (f64, f64), b: (f64, f64)) -> bool {
        (a.0 - b.0).abs() < 5e-5 && (a.1 - b.1).abs() < 5e-5
    }

    #[test]
    fn wilson_gives_the_published_intervals() {
        // Newcombe 1998, table I: 81/263, 15/148, 0/20, 1/29.
        assert!(near(wilson(81, 263), (0.2553, 0.3662)));
        assert!(near(wilson(15, 148), (0.0624, 0.1605)));
        assert!(near(wilson(0, 20), (0.0, 0.1611)));
        assert!(near(wilson(1, 29), (0.0061, 0.1718)));
        assert_eq!(wilson(0, 0), (0.0, 1.0));
    }

    #[test]
    fn a_histogram_counts_everything_once() {
        let lengths = [0, 0, 0, 0, 0, 5, 1, 0, 3];
        assert_eq!(histogram(&lengths, 2), [(5, 6, 6), (7, 8, 3)]);
        assert_eq!(histogram(&lengths, 10), [(5, 5, 5), (6, 6, 1), (7, 7, 0), (8, 8, 3)]);
        assert_eq!(histogram(&[], 5), []);
    }
}
