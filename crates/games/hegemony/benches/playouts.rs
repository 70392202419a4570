//! Random playouts per CPU second, as `cargo xtask bench` shows them.

use pentarchy_benchkit::Bench;
use pentarchy_hegemony::Hegemony;

fn main() {
    let bench = Bench::from_args();
    bench.playouts::<Hegemony>(2, None);
    bench.playouts::<Hegemony>(3, None);
    bench.playouts::<Hegemony>(6, None);
}
