//! How much the search can be exploited in Kuhn poker: exactly, by a walk through the whole game.

use crate::table::start;
use pentarchy_bots::{Search, Settings};
use pentarchy_classics::Kuhn;
use pentarchy_engine::exact::Tree;

/// How often each decision is searched, each time with another seed: the search as a mixed strategy.
const SEEDS: u64 = 60;

fn exploitability(iterations: u32) -> f64 {
    let position = start::<Kuhn>(2);
    let tree = Tree::new(&position, 100).unwrap();
    let strategy = tree.strategy(&position, |history, seat, list| {
        let view = history.position().view(seat);
        let mut chosen = vec![0.0; list.len()];
        for seed in 0..SEEDS {
            let mut search = Search::new(&view, Settings::of::<Kuhn>(), seed);
            search.run(iterations);
            assert_eq!(search.legal(), list);
            chosen[search.best()] += 1.0;
        }
        chosen
    });
    tree.exploitability(&strategy.unwrap())
}

/// It ends at a sixth of a chip: what a single observer cannot learn is that the other knows his own card, so it
/// neither bluffs nor expects bluffs.
#[test]
fn the_search_is_exploited_less_the_longer_it_goes_on() {
    let [little, some, much] = [1, 4, 2_000].map(exploitability);
    assert!(little > some && some > much && much < 0.17, "{little} {some} {much}");
}
