//! How a game ended.

use crate::seat::{MAX_SEATS, Seat};
use serde::{Deserialize, Serialize};

/// The final ranking and scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    seats: u8,
    ranks: [u8; MAX_SEATS],
    scores: [i32; MAX_SEATS],
    capped: bool,
}

impl Outcome {
    /// Ranked by these scores, one for each seat, the highest first; equal scores share a rank.
    #[inline]
    pub fn by_score(scores: &[i32]) -> Self {
        Self::by_key(scores, |seat| scores.get(seat.index()).copied().unwrap_or(0))
    }

    /// With these scores, but ranked by another key (the greatest first), which holds the tie-breakers too.
    /// A rank is 1 + the number of seats that are strictly better.
    #[inline]
    pub fn by_key<K: Ord>(scores: &[i32], key: impl Fn(Seat) -> K) -> Self {
        let seats = scores.len().min(MAX_SEATS) as u8;
        let mut outcome = Outcome { seats, ranks: [0; MAX_SEATS], scores: [0; MAX_SEATS], capped: false };
        for s in 0..seats {
            let own = key(Seat(s));
            let better = (0..seats).filter(|&o| key(Seat(o)) > own).count();
            outcome.ranks[s as usize] = 1 + better as u8;
            outcome.scores[s as usize] = scores[s as usize];
        }
        outcome
    }

    /// The same outcome, reached only because the game hit its cap.
    pub const fn capped(mut self) -> Self {
        self.capped = true;
        self
    }

    /// Whether the game ended at its cap rather than by its own rules.
    pub const fn is_capped(&self) -> bool {
        self.capped
    }

    /// How many seats there were.
    pub const fn seats(&self) -> u8 {
        self.seats
    }

    /// The rank of a seat, 1 is best.
    #[inline]
    pub fn rank(&self, seat: Seat) -> u8 {
        self.ranks[seat.index()]
    }

    /// The score of a seat.
    #[inline]
    pub fn score(&self, seat: Seat) -> i32 {
        self.scores[seat.index()]
    }

    /// All ranks by seat.
    pub fn ranks(&self) -> &[u8] {
        &self.ranks[..self.seats as usize]
    }

    /// All scores by seat.
    pub fn scores(&self) -> &[i32] {
        &self.scores[..self.seats as usize]
    }

    /// The seats that share the first rank.
    pub fn winners(&self) -> impl Iterator<Item = Seat> {
        (0..self.seats).map(Seat).filter(|&s| self.rank(s) == 1)
    }

    /// The only winner, or nobody if the first rank is shared.
    pub fn winner(&self) -> Option<Seat> {
        let mut winners = self.winners();
        winners.next().filter(|_| winners.next().is_none())
    }

    /// What the ranking is worth to a seat, between 0 (last) and 1 (alone in front): the share of
    /// opponents it beats, a shared rank counting half.
    pub fn reward(&self, seat: Seat) -> f32 {
        let own = self.rank(seat);
        let (mut beaten, mut level) = (0, 0);
        for (s, &rank) in self.ranks().iter().enumerate() {
            if s != seat.index() {
                beaten += u32::from(rank > own);
                level += u32::from(rank == own);
            }
        }
        let others = u32::from(self.seats).saturating_sub(1).max(1);
        (2 * beaten + level) as f32 / (2 * others) as f32
    }
}
