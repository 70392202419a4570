//! Iterations of the search per CPU second, on one thread.
//!
//! Each search starts at the first decision of a game and runs 100,000 iterations, the tree as
//! large as that makes it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

use pentarchy_bots::{Search, SearchSettings};
use pentarchy_classics::{ConnectFour, Kuhn, Leduc, TicTacToe};
use pentarchy_engine::{Heuristic, NoOptions, Position, Rng};
use pentarchy_testkit::bench::Bench;
use std::hint::black_box;

/// Maximum number of iterations of one search; then the next begins with an empty tree.
const ITERATIONS: u64 = 100_000;

/// Runs the benchmarks of all classic games.
fn main() {
    let bench = Bench::from_args();
    search::<TicTacToe>(&bench, 2.0e6);
    search::<ConnectFour>(&bench, 1.1e6);
    search::<Kuhn>(&bench, 1.5e6);
    search::<Leduc>(&bench, 1.5e6);
}

/// Measures the iterations of a search from the first decision of a game with two seats and prints the rate.
/// `target` is in iterations per second; it is printed but not enforced.
fn search<G: Heuristic<Options = NoOptions>>(bench: &Bench, target: f64) {
    let name = format!("search {}", G::INFO.name);
    let (mut rng, mut list) = (Rng::new(1), Vec::new());
    let settled = Position::<G>::new(2, &NoOptions {}).map(|mut position| {
        let settled = position.settle(&mut rng, &mut list);
        settled.map(|()| position)
    });
    let Ok(Ok(position)) = settled else { return eprintln!("{name}: the game does not begin") };
    // The tree, also where the game would rather have an equilibrium.
    let mut settings = SearchSettings::of::<G>();
    settings.hints.mixed = false;
    bench.rate(&name, Some(target), |mut iterations| {
        while iterations > 0 {
            let part = iterations.min(ITERATIONS);
            let mut search = Search::new(&position, settings, iterations);
            search.run(part as u32);
            black_box(search.best());
            iterations -= part;
        }
    });
}
