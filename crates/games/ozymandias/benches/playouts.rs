//! Random play per CPU second, as `cargo xtask bench` shows it.

use pentarchy_benchkit::Bench;
use pentarchy_ozymandias::Ozymandias;

/// Runs the benchmarks of the game.
fn main() {
    Bench::from_args().decisions::<Ozymandias>(3, Some(2e6));
}
