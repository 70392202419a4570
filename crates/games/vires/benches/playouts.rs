//! Random playouts per CPU second, as `cargo xtask bench` shows them.

use pentarchy_benchkit::Bench;
use pentarchy_vires::Vires;

fn main() {
    let bench = Bench::from_args();
    bench.playouts::<Vires>(2, None);
    bench.playouts::<Vires>(4, None);
}
