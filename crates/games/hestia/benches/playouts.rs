//! Random play per CPU second, as `cargo xtask bench` shows it.

use pentarchy_benchkit::Bench;
use pentarchy_hestia::Hestia;

/// Runs the benchmarks of the game.
fn main() {
    Bench::from_args().decisions::<Hestia>(2, Some(2e6));
}
