//! Elimination of players, and the final ranking.

use crate::board::SEATS;
use crate::state::{Numeral, Stage};
use pentarchy_engine::{Outcome, Seat};

/// How the game ended, and who won.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Why it ended.
    pub reason: EndReason,
    /// The winners, by seat.
    pub winners: Vec<Seat>,
    /// The players in play with the most soldiers and gold, by seat.
    pub leaders: Vec<Seat>,
    /// The soldiers and gold of a winner.
    pub total: u32,
    /// What made the winners the first of several leaders; `None` if all leaders win.
    pub tie_break: Option<TieBreak>,
}

/// Why the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndReason {
    /// One player is left.
    Conquest,
    /// The last round of the options is over.
    Limit,
    /// The last round of a game without a limit is over.
    Cap,
}

/// A number that decides between players with equal soldiers and gold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieBreak {
    /// Hexes.
    Hexes,
    /// Income before upkeep, after equal hexes.
    Income,
}

impl Numeral {
    /// Returns why the game ended, who won, who had the most soldiers and gold, and what broke a tie between
    /// those; `None` before the end.
    pub fn ending(&self) -> Option<Ending> {
        if self.stage != Stage::Over {
            return None;
        }
        let reason = match (self.players_left(), self.options.last_round().1) {
            (1, _) => EndReason::Conquest,
            (_, true) => EndReason::Limit,
            (_, false) => EndReason::Cap,
        };
        let outcome = self.ranking();
        let winners: Vec<Seat> = outcome.winners().collect();
        let first = *winners.first()?;
        let total = self.board.total(first);
        let seats = (0..self.seats).map(Seat).filter(|seat| self.out[seat.index()] == 0);
        let leaders: Vec<Seat> = seats.filter(|&seat| self.board.total(seat) == total).collect();
        let same_land = |seat: &Seat| self.board.held(*seat).len() == self.board.held(first).len();
        let tie_break = if leaders.len() == winners.len() {
            None
        } else if leaders.iter().filter(|seat| same_land(seat)).count() == winners.len() {
            Some(TieBreak::Hexes)
        } else {
            Some(TieBreak::Income)
        };
        Some(Ending { reason, winners, leaders, total, tie_break })
    }

    /// Eliminates a player, whose hexes and Home must be gone already: records the order of elimination. If
    /// one player is left, no soldier is ready any more and the stage becomes `Over`; otherwise the stage
    /// stays. Emits nothing.
    pub(crate) fn go_out(&mut self, loser: Seat) {
        let before = self.seats as usize - self.players_left();
        self.out[loser.index()] = before as u8 + 1;
        if self.players_left() == 1 {
            self.board.sleep();
            self.stage = Stage::Over;
        }
    }

    /// Returns the ranking as of now: players in play first, by soldiers and gold, then hexes, then gross
    /// yield; eliminated ones after them, the last eliminated first. The scores are soldiers and gold. Marked
    /// as capped if more than one player is left and the last round is the cap rather than a chosen limit.
    pub(crate) fn ranking(&self) -> Outcome {
        let mut scores = [0; SEATS];
        for (s, score) in scores.iter_mut().enumerate() {
            *score = i32::try_from(self.board.total(Seat(s as u8))).unwrap_or(i32::MAX);
        }
        let outcome = Outcome::by_key(&scores[..self.seats as usize], |seat| match self.out[seat.index()] {
            0 => (true, self.board.total(seat), self.board.held(seat).len(), self.board.gross(seat)),
            out => (false, u32::from(out), 0, 0),
        });
        let conquered = self.players_left() == 1;
        if conquered || self.options.last_round().1 { outcome } else { outcome.capped() }
    }
}
