//! Assessment of cards, buildings and actions: which are hardly used, and which win too much.

use crate::balance::{Balance, Use};
use crate::statistics::z_for;
use pentarchy_engine::{Item, Verb};

/// A remarkable property of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Hardly ever chosen although it could be.
    Dead,
    /// Its users win clearly less than their share.
    Weak,
    /// Nearly always chosen if possible, so it is no decision.
    Automatic,
    /// Its users win clearly more than their share.
    Dominant,
}

impl Mark {
    /// Returns the word for reports and style classes: `dead`, `weak`, `automatic` or `dominant`.
    pub const fn word(self) -> &'static str {
        match self {
            Mark::Dead => "dead",
            Mark::Weak => "weak",
            Mark::Automatic => "automatic",
            Mark::Dominant => "dominant",
        }
    }
}

/// An item is dead if taken at fewer than this share of opportunities.
const RARELY: f64 = 0.01;
/// An item is automatic if taken at more than this share of opportunities.
const ALWAYS: f64 = 0.95;
/// An item is dominant if its users certainly win more than this multiple of their share.
const MUCH_MORE: f64 = 1.2;
/// An item is weak if its users certainly win less than this multiple of their share.
const MUCH_LESS: f64 = 0.8;
/// Minimum number of opportunities for a conclusion.
const ENOUGH: u64 = 200;

/// An item and its assessment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Assessed {
    /// Its index in the items.
    pub item: usize,
    /// The use that was assessed: that by which the game judges the item.
    pub verb: Verb,
    /// The remarkable property, if any.
    pub mark: Option<Mark>,
}

/// Returns the verbs with which some item of a group was used, in the order of [`Verb::ALL`]. `items` are
/// those of the game; empty if nothing of the group was used.
pub fn verbs_of(balance: &Balance, items: &[Item], group: &str) -> Vec<Verb> {
    let occurs = |verb: &Verb| {
        let uses = items.iter().zip(&balance.items).filter(|(item, _)| item.group == group);
        uses.map(|(_, uses)| uses[verb.index()]).any(|u| u.times > 0)
    };
    Verb::ALL.into_iter().filter(occurs).collect()
}

/// Assesses every item of the game by the verb by which the game judges it: dead, dominant, weak, automatic
/// or unremarkable. Returns one entry per item, in the order of `items`, which must be those of the figures.
/// The confidence intervals are corrected for the number of items.
pub fn assess(balance: &Balance, items: &[Item]) -> Vec<Assessed> {
    // All items are tested together, so the quantile is corrected for multiple comparisons.
    let (z, fair) = (z_for(items.len()), balance.fair());
    let look = |(item, thing): (usize, &Item)| {
        let verb = thing.verb;
        Assessed { item, verb, mark: mark(&balance.items[item][verb.index()], balance, z, fair) }
    };
    items.iter().enumerate().map(look).collect()
}

/// Returns how dead a use is that was taken at `taken` of `offered` opportunities: 1 if it is never taken, less
/// the nearer it comes to one in a hundred, and 0 from there on. 0 also with fewer than 200 opportunities. The
/// report calls a use dead if this is more than 0; a goal of tuning adds it up.
pub(crate) fn deadness(offered: u64, taken: u64) -> f64 {
    if offered < ENOUGH {
        return 0.0;
    }
    (1.0 - taken as f64 / offered as f64 / RARELY).max(0.0)
}

/// Returns the remarkable property of `found`, one use of an item. `Dead` if it is offered 200 times or more
/// and taken in less than 1 % of them. The others need 50 users or more and a game with two or more seats:
/// `Dominant` or `Weak` if the interval of its users' wins lies above 1.2 or below 0.8 times the fair share;
/// else `Automatic` if it is offered 200 times or more and taken in more than 95 %. `None` otherwise. `z` is
/// the corrected quantile, `fair` the fair share of a seat.
fn mark(found: &Use, balance: &Balance, z: f64, fair: f64) -> Option<Mark> {
    let interval = found.interval(z);
    let rate = found.taken as f64 / found.offered.max(1) as f64;
    if deadness(found.offered, found.taken) > 0.0 {
        Some(Mark::Dead)
    } else if balance.seats < 2 || found.users < ENOUGH / 4 {
        None
    } else if interval.low > MUCH_MORE * fair {
        Some(Mark::Dominant)
    } else if interval.high < MUCH_LESS * fair {
        Some(Mark::Weak)
    } else if found.offered >= ENOUGH && rate > ALWAYS {
        Some(Mark::Automatic)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::WHOLE;

    #[test]
    fn marks_need_evidence() {
        let balance = Balance { games: 1000, seats: 4, ..Balance::new(4, 1) };
        let found = |users: u64, won: u64, offered: u64, taken: u64| {
            let uses = Use { times: users, users, parts: won * WHOLE, offered, taken };
            mark(&uses, &balance, 3.0, 0.25)
        };
        assert_eq!(found(1000, 250, 5000, 2000), None);
        assert_eq!(found(1000, 400, 5000, 2000), Some(Mark::Dominant));
        assert_eq!(found(20, 15, 5000, 2000), None);
        assert_eq!(found(1000, 120, 5000, 2000), Some(Mark::Weak));
        assert_eq!(found(1000, 250, 5000, 4900), Some(Mark::Automatic));
        assert_eq!(found(40, 10, 5000, 40), Some(Mark::Dead));
        assert_eq!(found(0, 0, 0, 0), None);
        assert_eq!(found(1000, 310, 5000, 2000), None);
    }
}
