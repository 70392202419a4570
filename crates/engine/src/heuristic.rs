//! What a game knows about good play. Bots and the search read it; the rules do not.

use crate::game::{Game, SeatView};
use crate::position::Position;
use crate::rng::Rng;
use crate::seat::Seat;
use crate::weights::WeightTable;

/// A game's advice to bots: it plays the level Captain, biases the tree of the search and guides its
/// playouts. It reads only what the deciding seat knows.
pub trait Heuristic: Game {
    /// The weights of the ratings; [`NoWeights`](crate::NoWeights) for a heuristic without any.
    type Weights: WeightTable;

    /// Rates each action of `list`, the legal actions of the deciding seat, with these weights: appends one
    /// number per action, in the same order, to `out`, which is empty; higher is better, on any scale. The
    /// default appends nothing: the game gives no advice, and the level Captain tries each action in random
    /// games.
    fn rate_with(
        &self,
        _own: &SeatView<'_, Self>,
        _weights: &Self::Weights,
        _list: &[Self::Action],
        _out: &mut Vec<i32>,
    ) {
    }

    /// Rates each action of `list`, the legal actions of the deciding seat, with the weights that bots use:
    /// appends one number per action, in the same order, to `out`, which is empty; nothing if the game gives
    /// no advice. Not to be implemented.
    #[inline(always)]
    fn rate(&self, own: &SeatView<'_, Self>, list: &[Self::Action], out: &mut Vec<i32>) {
        self.rate_with(own, &Self::Weights::SHIPPED, list, out);
    }

    /// Estimates the chance of `seat` to win, from 0 to 1000; [`odds`] helps. `own` is the view of one seat
    /// and may be another one's. The default is 500.
    fn evaluate(&self, _own: &SeatView<'_, Self>, _seat: Seat) -> i32 {
        500
    }

    /// Returns whether [`evaluate`](Heuristic::evaluate) is meaningful here. `seat` is to decide, `last` made
    /// the previous decision of the playout (`None` before the first). The default is `true` only between
    /// turns (`last` is not `seat`): within a turn costs may be paid before gains arrive.
    #[inline(always)]
    fn settled(&self, seat: Seat, last: Option<Seat>) -> bool {
        last != Some(seat)
    }

    /// Estimates, in percent, how likely `seat` still holds a card of this face rather than having used it.
    /// Used to resample hidden hands; cards that a good player uses at once get a low number. 100 and more
    /// (the default) means that nothing is known against it.
    #[inline(always)]
    fn kept(&self, _seat: Seat, _face: Self::Face) -> u32 {
        100
    }

    /// Returns the parameters of the search for this game. The default is [`SearchHints::DEFAULT`].
    fn search_hints() -> SearchHints {
        SearchHints::DEFAULT
    }
}

/// Replaces `ratings` by the rating of each action of `legal`, with what the deciding seat knows. An action
/// that the game does not rate gets 0, so that it is neither the best nor the worst; so do all if no seat
/// decides.
pub fn rate_actions<G: Heuristic>(position: &Position<G>, legal: &[G::Action], ratings: &mut Vec<i32>) {
    ratings.clear();
    if let Some(seat) = position.actor() {
        position.state().rate(&position.own(seat), legal, ratings);
    }
    ratings.resize(legal.len(), 0);
}

/// Returns the index of the highest rating; if several are equal, the index of one of them, each with the
/// same probability. Draws once from `rng`, even if there is only one. `None`, without a draw, for an empty
/// list.
pub fn best_rated(ratings: &[i32], rng: &mut Rng) -> Option<usize> {
    let best = ratings.iter().max()?;
    let is_best = |i: &usize| ratings.get(*i) == Some(best);
    let count = (0..ratings.len()).filter(is_best).count();
    (0..ratings.len()).filter(is_best).nth(rng.below(count as u32) as usize)
}

/// Converts the values of positions into a chance to win, in thousandths: softmax over `mine` and `others`,
/// where 100 points multiply the odds by e. From 0 to 1000: with n equal values it is 1000 / n rounded down,
/// and 1000 without others. Differences beyond 1000 points count as 1000.
pub fn odds(mine: i32, others: impl Iterator<Item = i32>) -> i32 {
    let against: u64 = others.map(|theirs| power(theirs.saturating_sub(mine))).sum();
    (1000 * ONE / (ONE + against)) as i32
}

/// The fixed-point representation of 1 in [`power`].
const ONE: u64 = 1 << 16;

/// Approximates e^(x / 100) in fixed point, where [`ONE`] is 1: a power of two with linear interpolation. `x`
/// is clamped to ±1000. Integers only, so that the result is equal on all platforms.
fn power(x: i32) -> u64 {
    // 100 ln 2 = 69.3.
    let halves = (i64::from(x) * 1000).clamp(-1_000_000, 1_000_000);
    let (whole, rest) = (halves.div_euclid(69_315), halves.rem_euclid(69_315));
    let line = ONE + ONE * rest as u64 / 69_315;
    if whole < 0 { line >> -whole } else { line << whole }
}

/// Parameters of the search for one game. The values are tuned by measurement; shares are in percent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchHints {
    /// Exploration constant of UCB.
    pub exploration: u16,
    /// Weight of the game's advice in the tree; it fades as an action gets visits.
    pub bias: u16,
    /// How much lower the value of an untried action is assumed to be than the mean of the tried ones.
    pub caution: u16,
    /// How far below the best rating an action may lie and still be advised, as a share of the mean distance
    /// to the best.
    pub temper: u16,
    /// Number of decisions at the start of a playout that follow the game's advice; later ones are random.
    pub rated: u16,
    /// Share of advised decisions that are random instead.
    pub careless: u16,
    /// Maximum decisions in a playout; then the position is evaluated.
    pub plies: u16,
    /// Number of visits after which an action gets its own node in the tree.
    pub expand_at: u16,
    /// Whether the tree branches on the results of chance and reveals. If `false`, all results of an action
    /// share one node; better where they are numerous.
    pub branches: bool,
    /// The largest possible win or loss, for a game that is about its score (poker). 0: the ranking counts.
    pub stakes: u16,
    /// For a small game without options in which predictable play loses: solve the whole game from its start
    /// and draw actions from a mixed strategy.
    pub mixed: bool,
}

impl SearchHints {
    /// Random playouts to the end of the game.
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

    /// Short playouts by the game's advice, then its evaluation: for a game with a good heuristic. Actions
    /// that are rated low get few visits.
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
