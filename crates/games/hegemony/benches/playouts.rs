//! Random playouts per CPU second, as `cargo xtask bench` shows them.

use pentarchy_hegemony::Hegemony;
use pentarchy_testkit::bench::Bench;

/// Measures random playouts with 2, 3 and 6 seats and prints one line of JSON each. The run with 3 seats also
/// prints its target, 4 million decisions per second; nothing enforces it.
fn main() {
    let bench = Bench::from_args();
    bench.decisions::<Hegemony>(2, None);
    bench.decisions::<Hegemony>(3, Some(4e6));
    bench.decisions::<Hegemony>(6, None);
}
