//! Random playouts per CPU second, as `cargo xtask bench` shows them.

use pentarchy_benchkit::Bench;
use pentarchy_vires::Vires;

fn main() {
    let bench = Bench::from_args();
    bench.playouts::<Vires>(2, None);
    // A random game of four has about 780 decisions: this is 6 million of them a second.
    bench.playouts::<Vires>(4, Some(7_700.0));
}
