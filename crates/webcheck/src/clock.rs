//! Stands in for the browser's clock.

/// Returns the milliseconds since a fixed moment.
pub fn now() -> f64 {
    static BEGAN: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    BEGAN.elapsed().as_secs_f64() * 1000.0
}
