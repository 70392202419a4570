//! Random playouts per CPU second, as `cargo xtask bench` shows them.

use pentarchy_testkit::bench::Bench;
use pentarchy_vires::Vires;

/// Runs the benchmarks of the game.
fn main() {
    let bench = Bench::from_args();
    bench.decisions::<Vires>(2, None);
    bench.decisions::<Vires>(4, Some(6e6));
}
