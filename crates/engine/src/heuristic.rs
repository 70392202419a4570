//! What a sensible player looks at: the only place where a game says what is good.

use crate::game::{Game, Own};
use crate::seat::Seat;

/// A game's own advice, used by bots as a player, as a bias of the search and in its playouts. It sees what
/// the deciding seat sees and nothing more.
pub trait Heuristic: Game {
    /// Rates each action of the list, the higher the better, on any scale; `out` is empty at first.
    fn rate(&self, _own: &Own<'_, Self>, list: &[Self::Action], out: &mut Vec<i32>) {
        out.resize(list.len(), 0);
    }

    /// The chance of a seat to win, from 0 to 1000; [`odds`] helps.
    fn evaluate(&self, _own: &Own<'_, Self>, _seat: Seat) -> i32 {
        500
    }

    /// Whether [`evaluate`](Heuristic::evaluate) can be asked here, where `seat` is to decide and `last` decided
    /// before: not in the middle of a turn, where costs are paid and gains are to come.
    #[inline(always)]
    fn settled(&self, seat: Seat, last: Option<Seat>) -> bool {
        last != Some(seat)
    }

    /// How likely a seat keeps a card with this face rather than use it at once, in hundredths: what a sensible
    /// player would have used by now is seldom left in a hand.
    #[inline(always)]
    fn kept(&self, _seat: Seat, _face: Self::Face) -> u32 {
        100
    }

    /// How a search should go about this game, where the defaults are not the best.
    fn search_hints() -> SearchHints {
        SearchHints::DEFAULT
    }
}

/// The chance to come out in front, in thousandths, of somebody whose position is worth `mine` against others:
/// 100 more multiply the odds by e. Equals among n have the n-th part.
pub fn odds(mine: i32, others: impl Iterator<Item = i32>) -> i32 {
    let against: u64 = others.map(|theirs| power(theirs.saturating_sub(mine))).sum();
    (1000 * ONE / (ONE + against)) as i32
}

/// 1 in [`power`].
const ONE: u64 = 1 << 16;

/// e to the power of x / 100: a power of two, and a straight line to the next. Without floats, so that it is
/// the same everywhere.
fn power(x: i32) -> u64 {
    // 100 ln 2 = 69.3.
    let halves = (i64::from(x) * 1000).clamp(-1_000_000, 1_000_000);
    let (whole, rest) = (halves.div_euclid(69_315), halves.rem_euclid(69_315));
    let line = ONE + ONE * rest as u64 / 69_315;
    if whole < 0 { line >> -whole } else { line << whole }
}

/// How a search should go about a game: found by measuring which plays best. Shares are in hundredths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchHints {
    /// The weight of actions tried seldom against those that did well.
    pub exploration: u16,
    /// The weight of the game's advice in the tree, fading as an action is tried more often than others.
    pub bias: u16,
    /// By how much an action never tried is expected to fall behind those that were.
    pub caution: u16,
    /// How far an action may fall behind the best-rated one and still be advised, as a share of the mean
    /// distance to it.
    pub temper: u16,
    /// For so many decisions a playout follows the game's advice; beyond them it is random.
    pub rated: u16,
    /// How often it takes any action instead.
    pub careless: u16,
    /// After so many decisions a playout breaks off, and the game evaluates the position.
    pub plies: u16,
    /// An action tried so often gets a node of its own in the tree.
    pub expand_at: u16,
    /// Whether the tree branches on what chance and revelations show. Where they show a great deal, it does
    /// better to count together what an action leads to.
    pub branches: bool,
    /// Where a game is about its score rather than its ranking, as poker is: the most that can be won or lost.
    /// Nothing: the ranking counts.
    pub stakes: u16,
    /// For a small game without options in which to be predictable is to lose: the search looks at the whole
    /// game from its start, and its choice is drawn.
    pub mixed: bool,
}

impl SearchHints {
    /// Random playouts to the end.
    pub const DEFAULT: SearchHints = SearchHints {
        exploration: 70,
        bias: 30,
        caution: 0,
        temper: 50,
        rated: 0,
        careless: 10,
        plies: u16::MAX,
        expand_at: 1,
        branches: true,
        stakes: 0,
        mixed: false,
    };

    /// Short playouts by the game's advice, and its evaluation: for a game that knows itself well. Nothing is
    /// tried for long that its advice is against.
    pub const ADVISED: SearchHints = SearchHints {
        exploration: 20,
        bias: 60,
        caution: 10,
        temper: 40,
        rated: 30,
        careless: 5,
        plies: 30,
        ..SearchHints::DEFAULT
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_are_those_of_a_logistic_curve() {
        assert_eq!(odds(70, [70].into_iter()), 500);
        assert_eq!(odds(-5, [-5; 3].into_iter()), 250);
        assert_eq!(odds(0, std::iter::empty()), 1000);
        for lead in -400..=400 {
            let exact = 1000.0 / (1.0 + (-f64::from(lead) / 100.0).exp());
            let found = odds(lead, [0].into_iter());
            assert!((f64::from(found) - exact).abs() < 20.0, "{lead}: {found}, {exact}");
            assert!(found <= odds(lead + 1, [0].into_iter()));
        }
        assert_eq!(
            (odds(i32::MIN, [i32::MAX].into_iter()), odds(i32::MAX, [i32::MIN].into_iter())),
            (0, 999)
        );
    }
}
