//! Counts passed and failed tests from the output of test runners.

use std::{fmt, ops::AddAssign};

/// A test runner, which determines the format of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runner {
    /// `cargo test`: `test result: ok. 3 passed; 0 failed; …`, once for every test binary.
    CargoTest,
    /// `cargo nextest run`: `Summary [ 0.1s] 3 tests run: 3 passed, 0 skipped`.
    Nextest,
    /// Our own runners: `3 passed, 0 failed` alone on a line.
    Own,
}

/// Numbers of passed and failed tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Number of passed tests.
    pub(crate) passed: u64,
    /// Number of failed tests.
    pub(crate) failed: u64,
}

impl Tally {
    /// Parses a line of a runner's output, without colours and with surrounding spaces ignored: `test result: …` of
    /// cargo test, `Summary […` of nextest, or `3 passed, 0 failed` of our own scripts. `None` if it does not report a
    /// result.
    pub(crate) fn read(runner: Runner, line: &str) -> Option<Self> {
        let line = line.trim();
        match runner {
            Runner::CargoTest => {
                let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
                Some(Self::sum(counts.split("; ")))
            }
            Runner::Nextest => {
                let (_, counts) = line.strip_prefix("Summary [")?.split_once(" run: ")?;
                Some(Self::sum(counts.split(", ")))
            }
            Runner::Own => {
                let (passed, failed) = line.split_once(", ")?;
                let passed = passed.strip_suffix(" passed")?.parse().ok()?;
                let failed = failed.strip_suffix(" failed")?.parse().ok()?;
                Some(Self { passed, failed })
            }
        }
    }

    /// Returns the sums of counts such as `3 passed (1 slow)` and `1 timed out`: `passed` counts as passed; `failed`,
    /// `exec failed` and `timed out` count as failed. Other words are ignored.
    fn sum<'a>(counts: impl Iterator<Item = &'a str>) -> Self {
        let mut tally = Self::default();
        for count in counts {
            let Some((number, what)) = count.split_once(' ') else { continue };
            let Ok(number) = number.parse::<u64>() else { continue };
            match what.split(" (").next() {
                Some("passed") => tally.passed += number,
                Some("failed" | "exec failed" | "timed out") => tally.failed += number,
                _ => {}
            }
        }
        tally
    }
}

impl AddAssign for Tally {
    /// Adds the passed and the failed tests of another tally to this one.
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Tally {
    /// Writes the last line of a run: `N passed, N failed`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a tally as an option, to compare with.
    fn tally(passed: u64, failed: u64) -> Option<Tally> {
        Some(Tally { passed, failed })
    }

    #[test]
    fn cargo_test_summaries() {
        let read = |line| Tally::read(Runner::CargoTest, line);
        assert_eq!(
            read(
                "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.02s"
            ),
            tally(12, 0)
        );
        assert_eq!(
            read(
                "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s"
            ),
            tally(1, 2)
        );
        assert_eq!(read("test summary_is_read ... ok"), None);
        assert_eq!(read("3 passed, 0 failed"), None);
    }

    #[test]
    fn nextest_summaries() {
        let read = |line| Tally::read(Runner::Nextest, line);
        assert_eq!(read("     Summary [   0.123s] 4 tests run: 4 passed, 0 skipped"), tally(4, 0));
        assert_eq!(
            read(
                "     Summary [  65.2s] 9 tests run: 6 passed (1 slow), 1 failed, 1 exec failed, 1 timed out, 2 skipped"
            ),
            tally(6, 3)
        );
        assert_eq!(read("        PASS [   0.004s] engine tokens::shuffle"), None);
    }

    #[test]
    fn our_own_summaries() {
        let read = |line| Tally::read(Runner::Own, line);
        assert_eq!(read("37 passed, 1 failed"), tally(37, 1));
        assert_eq!(read("one passed, 1 failed"), None);
        assert_eq!(read("37 passed, 1 failed, 2 skipped"), None);
        assert_eq!(read(&Tally { passed: 5, failed: 6 }.to_string()), tally(5, 6));
    }

    #[test]
    fn tallies_add_up() {
        let mut sum = Tally::default();
        sum += Tally { passed: 2, failed: 1 };
        sum += Tally { passed: 3, failed: 0 };
        assert_eq!(sum, Tally { passed: 5, failed: 1 });
    }
}
