//! Random games per CPU second.

use pentarchy_benchkit::Bench;
use pentarchy_numeral::Numeral;

/// A million decisions a second; a random game of four has about 15,400.
const TARGET: f64 = 1e6 / 15_400.0;

fn main() {
    let bench = Bench::from_args();
    bench.playouts::<Numeral>(4, Some(TARGET));
    for seats in [2, 3, 5, 6] {
        bench.playouts::<Numeral>(seats, None);
    }
}
