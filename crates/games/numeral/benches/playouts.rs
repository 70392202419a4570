//! Random games per CPU second.

use pentarchy_numeral::Numeral;
use pentarchy_testkit::bench::Bench;

/// Measures random playouts with 4, 2, 3, 5 and 6 seats and prints one line of JSON each. The run with 4
/// seats also prints its target, a million decisions per second; nothing enforces it.
fn main() {
    let bench = Bench::from_args();
    bench.decisions::<Numeral>(4, Some(1e6));
    for seats in [2, 3, 5, 6] {
        bench.decisions::<Numeral>(seats, None);
    }
}
