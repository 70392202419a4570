//! The heuristic.
//!
//! The player sends single soldiers into neutral land, builds while no enemy is near, then spends what the
//! next captures need and concentrates the rest at the front. Every pair of choices (a hex, then what to do
//! there) is rated as a whole: a `select` is worth the best action that can follow it. Values are hundredths
//! of gold, added to a base rating for each kind of action; ending the turn rates 0.

mod marching;
mod placing;
mod survey;

use crate::actions::Action;
use crate::state::{Numeral, Stage};
use crate::weights::Weights;
use pentarchy_engine::{Heuristic, SearchHints, Seat, SeatView};
use survey::Survey;

/// The rating of an action that is not wanted: below ending the turn, which rates 0.
const NEVER: i32 = -1_000;

impl Heuristic for Numeral {
    type Weights = Weights;

    /// Appends one rating per action of `list` to `out`, in its order; ending the turn rates 0, and so does
    /// the only action of a list. A `select` rates like the best action that can follow it. Purchases are
    /// rated in hundredths of gold above a base for their kind (the weights `claim`, `build`, `assault` and
    /// `front`). Marches are rated in classes: 1100 and more, 1010, 1000, then 100 and more. `NEVER` marks
    /// what is not wanted.
    fn rate_with(&self, own: &SeatView<'_, Self>, weights: &Weights, list: &[Action], out: &mut Vec<i32>) {
        if list.len() == 1 {
            return out.push(0);
        }
        let survey = Survey::new(self, own.seat(), weights);
        let orders = match self.stage {
            Stage::MarchFrom(cell) => Some(survey.orders(cell)),
            _ => None,
        };
        out.extend(list.iter().map(|&action| match (self.stage, action, &orders) {
            (Stage::Place, Action::Select(cell), _) => survey.best_purchase(cell),
            (Stage::PlaceAt(cell), purchase, _) => survey.purchase(cell, purchase),
            (Stage::March, Action::Select(cell), _) => survey.best_march(cell),
            (_, Action::March(direction, n), Some(orders)) => survey.march(orders, direction, n),
            _ => 0,
        }));
    }

    /// Estimates the chance of `seat` to win, in thousandths: the square of its strength (soldiers, gold,
    /// land and coming income) as a share of the sum of all squares; 0 for a seat that is out, 500 if all
    /// strengths are 0. After the end it is 1000 for the winner, an equal part of that for several winners,
    /// and 0 for losers. Nothing is hidden, so `_own` is ignored.
    fn evaluate(&self, _own: &SeatView<'_, Self>, seat: Seat) -> i32 {
        if let Some(outcome) = pentarchy_engine::Game::outcome(self) {
            let won = outcome.is_won() && outcome.rank(seat) == 1;
            return if won { 1_000 / outcome.winners().count().max(1) as i32 } else { 0 };
        }
        // The share of the total strength, squared.
        let square = |s: Seat| self.strength(s).pow(2);
        let all: i64 = (0..self.seats).map(|s| square(Seat(s))).sum();
        // After tens of thousands of rounds a factor of 1000 would overflow.
        let mine = square(seat);
        match mine.checked_mul(1_000) {
            _ if all == 0 => 500,
            Some(mine) => (mine / all) as i32,
            None => (mine / (all / 1_000)) as i32,
        }
    }

    /// Returns the settings of the search: [`SearchHints::ADVISED`], short playouts that follow the ratings.
    fn search_hints() -> SearchHints {
        SearchHints::ADVISED
    }
}

impl Numeral {
    /// Returns the strength of a seat, for the chance to win: its soldiers and gold, plus its number of
    /// hexes, plus its gross income in the rounds after this one (at most 6), plus 1; 0 for a seat that is
    /// out.
    fn strength(&self, seat: Seat) -> i64 {
        if !self.in_play(seat) {
            return 0;
        }
        let rounds = i64::from(self.options.last_round().0.saturating_sub(self.round)).min(6);
        let land = rounds * i64::from(self.board.gross(seat)) + i64::from(self.board.held(seat).len());
        i64::from(self.board.total(seat)) + land + 1
    }
}
