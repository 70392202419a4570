//! CPU time of a thread.

/// Measures the CPU seconds of the current thread; wall-clock seconds on systems that do not provide them.
#[derive(Clone, Copy, Debug)]
pub struct CpuClock(Instant);

impl CpuClock {
    /// Starts the clock. Read it on the same thread.
    pub fn start() -> Self {
        CpuClock(now())
    }

    /// Returns the CPU seconds of this thread since the start (wall-clock seconds where those are not
    /// available). The clock goes on.
    pub fn seconds(&self) -> f64 {
        since(self.0)
    }
}

#[cfg(unix)]
use unix::{Instant, now, since};
#[cfg(unix)]
mod unix {
    use rustix::time::{ClockId, Timespec, clock_gettime};

    /// A reading of the CPU clock of a thread.
    pub(super) type Instant = Timespec;

    /// Returns the CPU time of the thread.
    pub(super) fn now() -> Instant {
        clock_gettime(ClockId::ThreadCPUTime)
    }

    /// Returns the CPU seconds since `then`.
    pub(super) fn since(then: Instant) -> f64 {
        let now = now();
        (now.tv_sec - then.tv_sec) as f64 + (now.tv_nsec - then.tv_nsec) as f64 * 1e-9
    }
}

#[cfg(not(unix))]
use wall::{Instant, now, since};
#[cfg(not(unix))]
mod wall {
    pub(super) use std::time::Instant;

    /// Returns the wall-clock time.
    pub(super) fn now() -> Instant {
        Instant::now()
    }

    /// Returns the wall-clock seconds since `then`.
    pub(super) fn since(then: Instant) -> f64 {
        then.elapsed().as_secs_f64()
    }
}
