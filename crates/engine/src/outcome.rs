//! The result of a game.

use crate::seat::{MAX_SEATS, Seat};
use serde::{Deserialize, Serialize};

/// Final ranks and scores of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// Number of seats.
    seats: u8,
    /// The rank of each seat from 1; 0 for a seat that did not take part.
    ranks: [u8; MAX_SEATS],
    /// The score of each seat; 0 for a seat that did not take part.
    scores: [i32; MAX_SEATS],
    /// Whether the game only ended because it hit its limit of turns or events.
    capped: bool,
    /// Whether all seats have lost to the game. The ranks then say which seat lost least.
    #[serde(default)]
    unwon: bool,
}

/// Factor on the reward of a game without a winner: the first rank is worth at most 1/4 then, while a shared
/// victory is worth at least 1/2.
const UNWON_PART: f32 = 0.25;

impl Outcome {
    /// Ranks the seats by score, the highest first; `scores` has one entry per seat. Equal scores share a
    /// rank: it is 1 + the number of seats that are strictly better. Entries beyond [`MAX_SEATS`] are
    /// dropped.
    #[inline]
    pub fn by_score(scores: &[i32]) -> Self {
        Self::by_key(scores, |seat| scores.get(seat.index()).copied().unwrap_or(0))
    }

    /// Ranks the seats by `key`, the greatest first; the key includes all tie-breakers. A rank is 1 + the
    /// number of seats that are strictly better. `scores` has one entry per seat, is stored as given and does
    /// not influence the ranks; entries beyond [`MAX_SEATS`] are dropped.
    #[inline]
    pub fn by_key<K: Ord>(scores: &[i32], key: impl Fn(Seat) -> K) -> Self {
        let seats = scores.len().min(MAX_SEATS) as u8;
        let (ranks, scored) = ([0; MAX_SEATS], [0; MAX_SEATS]);
        let mut outcome = Outcome { seats, ranks, scores: scored, capped: false, unwon: false };
        for s in 0..seats {
            let own = key(Seat(s));
            let better = (0..seats).filter(|&o| key(Seat(o)) > own).count();
            outcome.ranks[s as usize] = 1 + better as u8;
            outcome.scores[s as usize] = scores[s as usize];
        }
        outcome
    }

    /// Returns this outcome, marked as reached only because the game hit its limit of turns or events.
    pub const fn capped(mut self) -> Self {
        self.capped = true;
        self
    }

    /// Returns whether the game ended at its limit rather than normally.
    pub const fn is_capped(&self) -> bool {
        self.capped
    }

    /// Returns this outcome, marked as a defeat of all seats by the game itself. The ranks are kept, but
    /// there is no winner.
    pub const fn unwon(mut self) -> Self {
        self.unwon = true;
        self
    }

    /// Returns whether some seat has won; `true` for a draw too, in which all share the victory. `false` if
    /// all seats have lost to the game: then there are no winners, even though a seat has rank 1.
    pub const fn is_won(&self) -> bool {
        !self.unwon
    }

    /// Returns the number of seats.
    pub const fn seats(&self) -> u8 {
        self.seats
    }

    /// Returns the rank of a seat; 1 is best, equal seats share a rank. 0 for a seat that did not take part;
    /// panics from seat 7 on.
    #[inline]
    pub fn rank(&self, seat: Seat) -> u8 {
        self.ranks[seat.index()]
    }

    /// Returns the score of a seat; 0 for a seat that did not take part. Panics from seat 7 on.
    #[inline]
    pub fn score(&self, seat: Seat) -> i32 {
        self.scores[seat.index()]
    }

    /// Returns the ranks, one entry per seat of the match, each at least 1. 1 is best; equal seats share a rank. If
    /// all seats have lost ([`is_won`](Self::is_won)), rank 1 is no victory.
    pub fn ranks(&self) -> &[u8] {
        &self.ranks[..self.seats as usize]
    }

    /// Returns the scores, one entry per seat.
    pub fn scores(&self) -> &[i32] {
        &self.scores[..self.seats as usize]
    }

    /// Iterates over the seats of rank 1 in ascending order; over none if all seats have lost.
    pub fn winners(&self) -> impl Iterator<Item = Seat> {
        (0..self.seats).map(Seat).filter(|&s| self.is_won() && self.rank(s) == 1)
    }

    /// Returns the winner if there is exactly one; `None` for a shared victory or if all seats have lost.
    pub fn winner(&self) -> Option<Seat> {
        let mut winners = self.winners();
        winners.next().filter(|_| winners.next().is_none())
    }

    /// Returns whether the game is a draw: several seats, all of equal rank, and not defeated by the game
    /// itself. `false` for a victory shared by some of the seats.
    pub fn is_draw(&self) -> bool {
        self.seats > 1 && self.winners().count() == usize::from(self.seats)
    }

    /// Returns the value of the rank to a seat, from 0 (last) to 1 (sole winner): the share of opponents that
    /// it beats, where a shared rank counts half. With one seat it is 0 or 1. If all seats have lost, a
    /// quarter of that: any victory is worth more than any defeat. The seat must take part in the game.
    pub fn reward(&self, seat: Seat) -> f32 {
        let own = self.rank(seat);
        let (mut beaten, mut level) = (0, 0);
        for (s, &rank) in self.ranks().iter().enumerate() {
            if s != seat.index() {
                beaten += u32::from(rank > own);
                level += u32::from(rank == own);
            }
        }
        let share = match u32::from(self.seats).saturating_sub(1) {
            0 => f32::from(u8::from(self.is_won())),
            others => (2 * beaten + level) as f32 / (2 * others) as f32,
        };
        if self.is_won() { share } else { share * UNWON_PART }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewards(outcome: &Outcome) -> Vec<f32> {
        (0..outcome.seats()).map(|s| outcome.reward(Seat(s))).collect()
    }

    #[test]
    fn where_nobody_has_won_there_are_ranks_but_no_winners() {
        let lost = Outcome::by_score(&[3, 7, 5]).unwon();
        assert!(!lost.is_won() && lost.winners().count() == 0 && lost.winner().is_none());
        assert_eq!(lost.ranks(), [3, 1, 2]);
        let won = Outcome::by_score(&[3, 7, 5]);
        assert!(won.is_won() && won.winner() == Some(Seat(1)));
    }

    #[test]
    fn a_draw_is_equal_ranks_and_not_a_capped_game() {
        assert!(Outcome::by_score(&[4, 4]).is_draw() && Outcome::by_score(&[2, 2, 2]).capped().is_draw());
        assert!(!Outcome::by_score(&[4, 4, 3]).is_draw() && !Outcome::by_score(&[4, 3]).capped().is_draw());
        assert!(!Outcome::by_score(&[4, 4]).unwon().is_draw() && !Outcome::by_score(&[4]).is_draw());
    }

    #[test]
    fn the_best_of_the_losers_gets_less_than_the_poorest_winner() {
        assert_eq!(rewards(&Outcome::by_score(&[3, 7, 5])), [0.0, 1.0, 0.5]);
        assert_eq!(rewards(&Outcome::by_score(&[3, 7, 5]).unwon()), [0.0, 0.25, 0.125]);
        for seats in 2..=MAX_SEATS {
            let all_win = Outcome::by_score(&vec![1; seats]);
            let best = Outcome::by_key(&vec![1; seats], |s| s == Seat(0)).unwon();
            assert!(best.reward(Seat(0)) < all_win.reward(Seat(0)), "{seats} seats");
        }
        assert_eq!(rewards(&Outcome::by_score(&[9])), [1.0]);
        assert_eq!(rewards(&Outcome::by_score(&[9]).unwon()), [0.0]);
    }

    #[test]
    fn an_outcome_written_before_there_was_such_a_thing_is_a_won_one() {
        let won = Outcome::by_score(&[1, 0]);
        let mut text = serde_json::to_value(won).unwrap();
        assert_eq!(text.as_object_mut().unwrap().remove("unwon"), Some(false.into()));
        assert_eq!(serde_json::from_value::<Outcome>(text).unwrap(), won);
    }
}
