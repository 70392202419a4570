//! Random play per CPU second, as `cargo xtask bench` shows it.

use pentarchy_hestia::Hestia;
use pentarchy_testkit::bench::Bench;

/// Measures random playouts and prints one line of JSON with the target of 2 million decisions per second;
/// nothing enforces it.
fn main() {
    Bench::from_args().decisions::<Hestia>(2, Some(2e6));
}
