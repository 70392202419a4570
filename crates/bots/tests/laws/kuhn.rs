//! How much the search can be exploited in Kuhn poker: exactly, by a walk through the whole game.

use crate::table::start;
use pentarchy_bots::{Search, SearchSettings};
use pentarchy_classics::Kuhn;
use pentarchy_testkit::exact::Tree;
use serde_json::json;

/// How many searches there are, each with another seed: together a mixed strategy.
const SEEDS: u64 = 8;

fn exploitability(iterations: u32) -> f64 {
    let position = start::<Kuhn>(2);
    let tree = Tree::new(&position, 100).unwrap();
    let mut searches: Vec<Search<Kuhn>> = Vec::new();
    let strategy = tree.strategy(&position, |history, seat, list| {
        let view = history.position().view(seat);
        if searches.is_empty() {
            searches.extend((0..SEEDS).map(|seed| Search::new(&view, SearchSettings::of::<Kuhn>(), seed)));
            searches.iter_mut().for_each(|search| search.run(iterations));
        }
        let mut shares = vec![0.0; list.len()];
        for search in &mut searches {
            // The solution of the whole game is kept.
            search.advance(&view);
            assert_eq!((search.legal(), search.inherited()), (list, iterations));
            search.ranked().iter().for_each(|r| shares[r.index] += f64::from(r.visits));
        }
        shares
    });
    tree.exploitability(&strategy.unwrap())
}

/// It learns when to bluff, and when to call a bluff.
#[test]
fn the_search_is_exploited_less_the_longer_it_goes_on() {
    let budgets = [10, 100, 1_000, 10_000];
    let found = budgets.map(exploitability);
    // `cargo xtask measure exploitability` reads these lines.
    for (iterations, chips) in budgets.iter().zip(found) {
        let figures = [("chips per game", format!("{chips:.4}"))];
        println!("{}", json!({ "row": format!("{iterations} iterations"), "figures": figures }));
    }
    assert!(found.windows(2).all(|pair| pair[1] < pair[0]), "{found:?}");
    assert!(found[3] < 0.02, "{found:?}");
}
