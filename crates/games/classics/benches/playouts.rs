//! Random playouts per CPU second, as `cargo xtask bench` shows them.

use pentarchy_classics::{ConnectFour, Kuhn, Leduc, LiarsDice, TicTacToe};
use pentarchy_testkit::bench::Bench;

/// Runs the benchmarks of the classic games.
fn main() {
    let bench = Bench::from_args();
    bench.playouts::<TicTacToe>(2, Some(10e6));
    bench.playouts::<ConnectFour>(2, Some(2.5e6));
    bench.playouts::<Kuhn>(2, Some(12e6));
    bench.playouts::<Leduc>(2, Some(8e6));
    bench.playouts::<LiarsDice>(3, None);
}
