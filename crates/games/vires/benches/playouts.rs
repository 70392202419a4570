//! Random playouts per CPU second, as `cargo xtask bench` shows them.

use pentarchy_testkit::bench::Bench;
use pentarchy_vires::Vires;

/// Measures random playouts with 2 and 4 seats and prints one line of JSON each. The run with 4 seats also
/// prints its target, 6 million decisions per second; nothing enforces it.
fn main() {
    let bench = Bench::from_args();
    bench.decisions::<Vires>(2, None);
    bench.decisions::<Vires>(4, Some(6e6));
}
