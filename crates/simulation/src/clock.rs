//! The clock of one machine: it drifts, jumps forwards, and starts at any time after a restart.

use pentarchy_engine::Rng;

/// Shows milliseconds that do not go backwards while the process runs.
#[derive(Clone, Debug)]
pub(crate) struct DriftingClock {
    /// Thousandths of a millisecond per millisecond of true time.
    rate: u64,
    /// What it showed at `since`.
    base: u64,
    since: u64,
}

impl DriftingClock {
    /// Creates a clock that shows a random time of the first 1000 s at the true time `now` (ms).
    /// With `drift` it runs at half to double speed, else at normal speed.
    pub(crate) fn new(rng: &mut Rng, now: u64, drift: bool) -> Self {
        let rate = if drift { 500 + u64::from(rng.below(1_500)) } else { 1_000 };
        Self { rate, base: 1 + u64::from(rng.below(1_000_000)), since: now }
    }

    /// Returns whether the clock does not run at normal speed.
    pub(crate) fn drifts(&self) -> bool {
        self.rate != 1_000
    }

    /// Returns the milliseconds that the clock shows at the true time `now`, which must not be
    /// before the creation or the last jump or restart.
    pub(crate) fn show(&self, now: u64) -> u64 {
        self.base + (now - self.since) * self.rate / 1_000
    }

    /// Moves the clock forward by `by` milliseconds at the true time `now`. The speed stays.
    pub(crate) fn jump(&mut self, now: u64, by: u64) {
        self.base = self.show(now) + by;
        self.since = now;
    }

    /// Restarts the clock with its process at the true time `now`. With `may_go_back` it starts again at a
    /// random time of its first second, drawn from `rng`, else it goes on where it was. Returns whether it
    /// now shows an earlier time than before; the speed stays.
    pub(crate) fn restart(&mut self, rng: &mut Rng, now: u64, may_go_back: bool) -> bool {
        let before = self.show(now);
        self.base = if may_go_back { 1 + u64::from(rng.below(1_000)) } else { before };
        self.since = now;
        self.base < before
    }
}
