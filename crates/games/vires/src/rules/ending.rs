//! The end of the game.

use crate::agenda::Task;
use crate::state::{MOST_SEATS, Vires};
use pentarchy_engine::{Outcome, Seat};

/// How the game ended, and who won.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The player with a complete Chain; `None` if the last round is over.
    pub complete: Option<Seat>,
    /// The winners, by seat.
    pub winners: Vec<Seat>,
    /// The players with the most points, by seat.
    pub leaders: Vec<Seat>,
    /// The points of a winner.
    pub points: u8,
    /// What made some of several leaders the winners; `None` if all leaders win.
    pub tie_break: Option<TieBreak>,
}

/// A number that decides between players with equal points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieBreak {
    /// The length of the Chain: that of a winner, and the longest of the other leaders.
    Chain(u8, u8),
    /// HR in the Hand, after equal Chains: those of a winner, and the most of the other leaders with such a
    /// Chain.
    Hr(u8, u8),
}

impl Vires {
    /// Returns the number of points, the length of the Chain and the HR in the Hand of a player, which are
    /// compared in this order at the end.
    fn final_key(&self, p: Seat) -> (u8, u8, u8) {
        (self.score(p), self.blocks(p), self.open_hr(p))
    }

    /// Returns the final ranking by points, then length of the Chain, then HR in the Hand; `None` before the
    /// end. Marked as capped if no Chain is complete.
    pub(crate) fn ranking(&self) -> Option<Outcome> {
        if self.agenda.top() != Some(Task::Over) {
            return None;
        }
        let mut scores = [0; MOST_SEATS];
        for (p, score) in (0..self.seats).map(Seat).zip(&mut scores) {
            *score = i32::from(self.score(p));
        }
        let outcome = Outcome::by_key(&scores[..usize::from(self.seats)], |p| self.final_key(p));
        Some(if self.complete_chain().is_some() { outcome } else { outcome.capped() })
    }

    /// Returns the first player, by seat, whose Chain is complete; `None` if there is none.
    fn complete_chain(&self) -> Option<Seat> {
        (0..self.seats).map(Seat).find(|&p| self.blocks(p) >= self.rules.blocks)
    }

    /// Returns how the game ended: the complete Chain, winners, leaders, points and tie-break; `None` before
    /// the end.
    pub fn ending(&self) -> Option<Ending> {
        let winners: Vec<Seat> = self.ranking()?.winners().collect();
        let &winner = winners.first()?;
        let (points, chain, hr) = self.final_key(winner);
        let leaders: Vec<Seat> = (0..self.seats).map(Seat).filter(|&p| self.score(p) == points).collect();
        let others = leaders.iter().filter(|p| !winners.contains(p)).map(|&p| self.final_key(p));
        let tie_break = others.max().map(|(_, longest, most)| {
            if longest < chain { TieBreak::Chain(chain, longest) } else { TieBreak::Hr(hr, most) }
        });
        Some(Ending { complete: self.complete_chain(), winners, leaders, points, tie_break })
    }
}
