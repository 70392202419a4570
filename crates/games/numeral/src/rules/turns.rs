//! The sequence of play: the map, rounds, phases, turns.

use crate::facts::{Context, Fact};
use crate::state::{Numeral, Phase, Stage};
use pentarchy_engine::{RuleError, ensure};

impl Numeral {
    /// Accepts the upper 16 bits of the map seed, as chance has drawn them, and sets the stage `SeedLow`,
    /// which holds them and waits for the lower half.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the number is 65536 or more.
    pub(crate) fn draw_high(&mut self, high: u32) -> Result<(), RuleError> {
        let high = u16::try_from(high).map_err(|_| RuleError::new("half a map seed is below 65536"))?;
        self.stage = Stage::SeedLow(high);
        Ok(())
    }

    /// Combines both halves of the map seed, `high` the upper one, creates the map and begins the first turn:
    /// pays the income of the first player. Emits `MapDrawn`, `RoundBegan` and `Income`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if `low` is 65536 or more, or the map cannot be settled.
    pub(crate) fn draw_low(&mut self, cx: &mut Context<'_>, high: u16, low: u32) -> Result<(), RuleError> {
        ensure(low < 1 << 16, "half a map seed is below 65536")?;
        self.found(cx, u32::from(high) << 16 | low)
    }

    /// Creates the map of this seed and begins the first turn, income included. Emits `MapDrawn`,
    /// `RoundBegan` and `Income`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the map cannot be settled.
    pub(crate) fn found(&mut self, cx: &mut Context<'_>, seed: u32) -> Result<(), RuleError> {
        self.settle_map(seed)?;
        cx.emit(move || Fact::MapDrawn(seed));
        cx.emit(|| Fact::RoundBegan(self.round));
        self.seek(cx, Phase::Placing, 0);
        Ok(())
    }

    /// Ends the turn of the active player, whose soldiers are then not ready, and begins the next one: of the
    /// next player in play, in the next phase or round if needed. Emits `RoundBegan` and `Income` as they
    /// occur. After the last turn of the last round the stage becomes `Over` instead.
    #[inline]
    pub(crate) fn end_turn(&mut self, cx: &mut Context<'_>) {
        self.board.sleep();
        self.seek(cx, self.phase(), self.turn + 1);
    }

    /// Begins the next turn of a player in play, from index `turn` of the order of `phase` on, through later
    /// phases and rounds. Sets `turn`, `active`, `round` and the stage; emits `RoundBegan` for a new round
    /// and `Income` for a Placing turn. After the last round only the stage changes, to `Over`.
    fn seek(&mut self, cx: &mut Context<'_>, mut phase: Phase, mut turn: u8) {
        loop {
            while turn < self.seats {
                let seat = self.seat_at(self.round, phase, turn);
                if self.in_play(seat) {
                    (self.turn, self.active) = (turn, seat);
                    return self.begin_turn(cx, phase);
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
                cx.emit(|| Fact::RoundBegan(self.round));
                phase = Phase::Placing;
            }
        }
    }

    /// Begins the turn of the active player: in the Placing phase pays income to the Home and emits `Income`
    /// (stage `Place`), in the Attacking phase makes all soldiers of the player ready to march (stage
    /// `March`).
    fn begin_turn(&mut self, cx: &mut Context<'_>, phase: Phase) {
        match phase {
            Phase::Placing => {
                self.pay(cx, self.active);
                self.stage = Stage::Place;
            }
            Phase::Attacking => {
                self.board.wake(self.active);
                self.stage = Stage::March;
            }
        }
    }
}
