//! Advice: how likely a bid is true, from the own dice and the binomial distribution of all others.

use super::{Action, Bid, LiarsDice, cup};
use pentarchy_engine::{Heuristic, NoWeights, SearchHints, Seat, SeatView, odds};

/// Certainty in fixed point.
const ONE: u32 = 1 << 20;
/// One more than the maximum number of dice.
const ROOM: usize = 37;

/// Returns, for each k, the probability in fixed point that at least k of `dice` dice match, where each of
/// `sides` sides is equally likely and `good` of them match. 36 dice at most; more count as 36. Integers
/// only, so that it is equal on all platforms.
fn at_least(dice: u8, good: u8, sides: u8) -> [u32; ROOM] {
    let mut exactly = [0; ROOM];
    exactly[0] = ONE;
    let (good, sides) = (u64::from(good), u64::from(sides.max(1)));
    for n in 1..=usize::from(dice).min(ROOM - 1) {
        for k in (0..=n).rev() {
            let below = if k > 0 { u64::from(exactly[k - 1]) } else { 0 };
            exactly[k] = ((u64::from(exactly[k]) * (sides - good.min(sides)) + below * good) / sides) as u32;
        }
    }
    let mut sum = 0;
    for entry in exactly.iter_mut().rev() {
        sum += *entry;
        *entry = sum;
    }
    // What rounding lost belongs to the most likely case.
    exactly[0] = ONE;
    exactly
}

impl LiarsDice {
    /// Returns the function that estimates how likely a bid is true for the viewing seat, from 0 to [`ONE`]:
    /// its own dice are certain, all others are random. The function holds what the seat knows now.
    fn belief(&self, own: &SeatView<'_, Self>) -> impl Fn(Bid) -> u32 + use<> {
        let unseen = self.dice_in_play() - self.dice_of(own.seat());
        let mut mine = [0u8; 11];
        for t in self.tokens.iter(cup(own.seat())) {
            if let Some(pip) = own.face(t) {
                (1..=self.sides).for_each(|face| mine[usize::from(face)] += u8::from(self.counts(pip, face)));
            }
        }
        let wild = self.wild;
        let plain = at_least(unseen, if wild > 0 { 2 } else { 1 }, self.sides);
        let alone = at_least(unseen, 1, self.sides);
        move |bid| {
            let mine = mine.get(usize::from(bid.face)).copied().unwrap_or(0);
            let needed = usize::from(bid.count.saturating_sub(mine));
            let odds = if bid.face == wild { &alone } else { &plain };
            odds.get(needed).copied().unwrap_or(0)
        }
    }
}

impl Heuristic for LiarsDice {
    type Weights = NoWeights;

    /// Appends one rating per action of `list`, from 0 to 1000: for a bid the probability that it is true,
    /// for a challenge the probability that the last bid is false (0 without a bid).
    fn rate_with(&self, own: &SeatView<'_, Self>, _: &NoWeights, list: &[Action], out: &mut Vec<i32>) {
        let belief = self.belief(own);
        let thousandths = |chance: u32| (u64::from(chance) * 1000 / u64::from(ONE)) as i32;
        out.extend(list.iter().map(|action| match action {
            Action::Bid(bid) => thousandths(belief(*bid)),
            Action::Liar => 1000 - self.bid.map_or(1000, |(_, bid)| thousandths(belief(bid))),
        }));
    }

    /// Estimates the chance of `seat` to win, in thousandths, by the numbers of dice; 0 for a player who is
    /// out.
    fn evaluate(&self, _own: &SeatView<'_, Self>, seat: Seat) -> i32 {
        let value = |seat: Seat| 60 * i32::from(self.dice_of(seat));
        let others = (0..self.seats).map(Seat).filter(|&other| other != seat && self.dice_of(other) > 0);
        if self.dice_of(seat) == 0 { 0 } else { odds(value(seat), others.map(value)) }
    }

    /// Returns the settings of the search: advised playouts, and one node for all results of a roll, which
    /// are too many to tell apart. Advice weighs more than in `ADVISED`, for other seats by the dice that are
    /// imagined for them: with the weights of `ADVISED` an Emperor with 200 iterations won 12 of 60 games
    /// against a Captain.
    fn search_hints() -> SearchHints {
        SearchHints { bias: 400, temper: 10, branches: false, ..SearchHints::ADVISED }
    }
}
