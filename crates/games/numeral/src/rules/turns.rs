//! How the game goes round: the map, rounds, phases, turns.

use crate::state::{Numeral, Phase, Stage};
use pentarchy_engine::{Rejected, ensure};

impl Numeral {
    /// The upper half of the map seed is drawn.
    pub(crate) fn draw_high(&mut self, high: u32) -> Result<(), Rejected> {
        let high = u16::try_from(high).map_err(|_| Rejected::new("half a map seed is below 65536"))?;
        self.stage = Stage::SeedLow(high);
        Ok(())
    }

    /// The lower half is drawn: there is a map now.
    pub(crate) fn draw_low(&mut self, high: u16, low: u32) -> Result<(), Rejected> {
        ensure(low < 1 << 16, "half a map seed is below 65536")?;
        self.found(u32::from(high) << 16 | low)
    }

    /// The map is made, and the first turn begins.
    pub(crate) fn found(&mut self, seed: u32) -> Result<(), Rejected> {
        self.settle_map(seed)?;
        self.seek(Phase::Placing, 0);
        Ok(())
    }

    /// The turn of the active player is over.
    #[inline]
    pub(crate) fn end_turn(&mut self) {
        self.board.sleep();
        self.seek(self.phase(), self.turn + 1);
    }

    /// Begins the next turn of a player in play, from this place in the order of this phase on.
    fn seek(&mut self, mut phase: Phase, mut turn: u8) {
        loop {
            while turn < self.seats {
                let seat = self.seat_at(self.round, phase, turn);
                if self.in_play(seat) {
                    (self.turn, self.active) = (turn, seat);
                    return self.begin_turn(phase);
                }
                turn += 1;
            }
            turn = 0;
            if phase == Phase::Placing {
                phase = Phase::Attacking;
            } else if self.round >= self.options.last_round().0 {
                self.stage = Stage::Over;
                return;
            } else {
                self.round += 1;
                phase = Phase::Placing;
            }
        }
    }

    fn begin_turn(&mut self, phase: Phase) {
        match phase {
            Phase::Placing => {
                self.pay(self.active);
                self.stage = Stage::Place;
            }
            Phase::Attacking => {
                self.board.wake(self.active);
                self.stage = Stage::March;
            }
        }
    }
}
