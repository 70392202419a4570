//! When a browser connects to the relay again.

/// If two ticks are further apart than this on the wall clock, in milliseconds, the device was asleep. Browsers tick
/// hidden pages once a minute.
const ASLEEP_AFTER: u64 = 90_000;

/// A moment on the two clocks of a browser, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BrowserTime {
    /// The time since the page was opened. It never goes back, and need not run while the device sleeps.
    pub(crate) monotonic: u64,
    /// The time since 1970. It runs while the device sleeps, and jumps when the clock is set.
    pub(crate) wall: u64,
}

/// Decides when the next attempt to connect is due, and whether the device was asleep.
pub(crate) struct ReconnectTimer {
    /// When the next attempt is due, on the monotonic clock.
    retry_at: u64,
    /// The wall clock at the last tick.
    ticked: u64,
}

impl ReconnectTimer {
    /// Creates a timer whose first attempt is due at once.
    pub(crate) fn new(now: BrowserTime) -> Self {
        Self { retry_at: 0, ticked: now.wall }
    }

    /// Notes a tick. Returns whether the device was asleep since the last one; also if the clock was set
    /// forward by as much, which cannot be told apart.
    pub(crate) fn tick(&mut self, now: BrowserTime) -> bool {
        now.wall.saturating_sub(std::mem::replace(&mut self.ticked, now.wall)) > ASLEEP_AFTER
    }

    /// Makes the next attempt due `after_ms` milliseconds after `now`, on the monotonic clock.
    pub(crate) fn delay(&mut self, now: BrowserTime, after_ms: u64) {
        self.retry_at = now.monotonic + after_ms;
    }

    /// Makes the next attempt due at once.
    pub(crate) fn skip_delay(&mut self) {
        self.retry_at = 0;
    }

    /// Returns whether the next attempt is due.
    pub(crate) fn is_due(&self, now: BrowserTime) -> bool {
        now.monotonic >= self.retry_at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = 3_600_000;
    const START: BrowserTime = BrowserTime { monotonic: 5_000, wall: 1_800_000_000_000 };

    fn at(ms: u64, wall: u64) -> BrowserTime {
        BrowserTime { monotonic: START.monotonic + ms, wall }
    }

    #[test]
    fn the_delay_does_not_depend_on_the_wall_clock() {
        for wall in [START.wall - HOUR, START.wall - 1, START.wall, START.wall + 1, START.wall + HOUR] {
            let mut timer = ReconnectTimer::new(START);
            assert!(timer.is_due(START));
            timer.delay(START, 1_000);
            assert!(!timer.is_due(at(999, wall)), "{wall}");
            assert!(timer.is_due(at(1_000, wall)), "{wall}");
            timer.delay(at(1_000, wall), 1_000);
            assert!(!timer.is_due(at(1_999, START.wall)), "{wall}");
            timer.skip_delay();
            assert!(timer.is_due(at(1_999, START.wall)), "{wall}");
        }
    }

    #[test]
    fn a_device_that_slept_is_noticed_on_the_wall_clock() {
        let mut timer = ReconnectTimer::new(START);
        assert!(!timer.tick(at(60_000, START.wall + 60_000)), "a hidden page");
        assert!(timer.tick(at(60_100, START.wall + 200_000)), "the other clock has stood still");
        assert!(!timer.tick(at(60_200, START.wall + 200_100)));
        assert!(!timer.tick(at(60_300, START.wall - HOUR)), "set back");
        assert!(!timer.tick(at(60_400, START.wall - HOUR + 100)));
    }
}
