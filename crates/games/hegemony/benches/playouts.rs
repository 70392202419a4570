//! Random playouts per CPU second, as `cargo xtask bench` shows them.

use pentarchy_hegemony::Hegemony;
use pentarchy_testkit::bench::Bench;

/// Runs the benchmarks of the game.
fn main() {
    let bench = Bench::from_args();
    bench.decisions::<Hegemony>(2, None);
    bench.decisions::<Hegemony>(3, Some(4e6));
    bench.decisions::<Hegemony>(6, None);
}
