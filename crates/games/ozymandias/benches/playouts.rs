//! Random play per CPU second, as `cargo xtask bench` shows it.

use pentarchy_ozymandias::Ozymandias;
use pentarchy_testkit::bench::Bench;

/// Measures random playouts with 3 seats and prints one line of JSON with the target of 2 million decisions
/// per second; nothing enforces it.
fn main() {
    Bench::from_args().decisions::<Ozymandias>(3, Some(2e6));
}
