//! Elimination of players, and the final ranking.

use crate::board::SEATS;
use crate::state::{Numeral, Stage};
use pentarchy_engine::{Outcome, Seat};

impl Numeral {
    /// Eliminates a player without a hex: records the order of elimination. If one player is left, no soldier
    /// is ready any more and the stage becomes `Over`; otherwise the stage stays. Emits nothing.
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
