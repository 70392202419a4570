//! Elimination of players, and the final ranking.

use crate::board::SEATS;
use crate::state::{Numeral, Stage};
use pentarchy_engine::{Outcome, Seat};

impl Numeral {
    /// Eliminates a player without a hex. The game ends if one player is left.
    pub(crate) fn go_out(&mut self, loser: Seat) {
        let before = self.seats as usize - self.players_left();
        self.out[loser.index()] = before as u8 + 1;
        if self.players_left() == 1 {
            self.board.sleep();
            self.stage = Stage::Over;
        }
    }

    /// Returns the final ranking: players in play first, by soldiers (storage included), then hexes, then gross
    /// yield; eliminated ones after them, the last eliminated first.
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
