//! Random games per CPU second.

use pentarchy_numeral::Numeral;
use pentarchy_testkit::bench::Bench;

/// Runs the benchmarks of the game.
fn main() {
    let bench = Bench::from_args();
    bench.decisions::<Numeral>(4, Some(1e6));
    for seats in [2, 3, 5, 6] {
        bench.decisions::<Numeral>(seats, None);
    }
}
