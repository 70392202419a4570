//! Drawing cards, and rebuilding the Deck.

use super::{Flow, FlowResult};
use crate::actions::Aim;
use crate::cards::EVENT;
use crate::state::{DECK, GARBAGE, POOL, TABLE, Task, Vires, hand};
use pentarchy_engine::{Back, Seat, Token};

impl Vires {
    /// Continues the task `Draw`, which must be on top, with `left` cards still to be drawn. Takes the next
    /// card: counts it in the task and pushes the reveal of its back. An empty Deck is first rebuilt and its
    /// shuffle pushed, also after the last card; a card that is nowhere left is not drawn. With none left to
    /// draw pops the task and, if the main phase is next, begins it. Returns `Wait` if an event is needed
    /// next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    #[inline]
    pub(super) fn draw(&mut self, left: u8) -> FlowResult {
        match (self.tokens.top(DECK), left.checked_sub(1)) {
            (None, _) if self.gather() => self.push_task(Task::Shuffle)?,
            (_, None) => {
                self.pop_task()?;
                let main = matches!(self.agenda.last(), Some(Task::Main { .. }));
                return if main { self.main_phase() } else { Ok(Flow::Go) };
            }
            (Some(t), Some(rest)) => {
                self.agenda.replace_top(Task::Draw(rest));
                self.push_task(Task::Back(t))?;
                return self.drawn(t);
            }
            // No card is left anywhere: this draw is lost.
            (None, Some(rest)) => self.agenda.replace_top(Task::Draw(rest)),
        }
        Ok(Flow::Go)
    }

    /// Continues the task `Back` once the back of `t`, the top card of the Deck, is public: an Event goes to
    /// the table and is announced; any other card goes to the active Hand, and its player learns it (all
    /// players do after KYC). Returns `Wait`, also without a change while the back is hidden.
    ///
    /// # Errors
    ///
    /// Never fails.
    #[inline]
    pub(super) fn drawn(&mut self, t: Token) -> FlowResult {
        match self.tokens.back(t) {
            Back::HIDDEN => Ok(Flow::Wait),
            // Cards of the Deck are unknown to all, so the next task has to wait for a reveal.
            EVENT => {
                self.tokens.put(t, TABLE);
                self.replace_and_wait(Task::Announce(t))
            }
            _ => {
                self.tokens.put(t, hand(self.active));
                let open = self.turn.open;
                self.replace_and_wait(if open { Task::Open(t) } else { Task::Tell(t, self.active) })
            }
        }
    }

    /// Continues the task `Tell` after `seat` has learned the card `t` in its Hand: pops it and draws the
    /// next card if a `Draw` is below. Returns `Wait`, without a change, while the seat does not know the
    /// card; also `Wait` if the next draw needs an event, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    #[inline]
    pub(super) fn finish_telling(&mut self, t: Token, seat: Seat) -> FlowResult {
        if !self.tokens.known(t).to(seat) {
            return Ok(Flow::Wait);
        }
        self.pop_task()?;
        if let Some(&Task::Draw(left)) = self.agenda.last() { self.draw(left) } else { Ok(Flow::Go) }
    }

    /// Announces an Event on the table: pushes its effect, and above it the window in which every player, the
    /// drawer first, may cancel it. Waits for the reveal while it is hidden. The caller has popped the task.
    /// Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn announce(&mut self, t: Token) -> FlowResult {
        if !self.tokens.is_public(t) {
            return self.push_and_wait(Task::Announce(t));
        }
        self.push_task(Task::Effect(t, Aim::Nothing))?;
        self.open_cancel(self.active, self.seats)
    }

    /// Moves the HR of the Pool beyond `tuning.pool` per player and the whole Garbage to the bottom of the
    /// Deck, unshuffled; the caller pushes the shuffle. Returns `false` if the Deck is still empty.
    fn gather(&mut self) -> bool {
        let keep = usize::from(self.seats * self.rules.tuning.pool);
        while self.tokens.len(POOL) > keep
            && let Some(t) = self.tokens.top(POOL)
        {
            self.tokens.put(t, DECK);
        }
        self.tokens.put_all(GARBAGE, DECK);
        !self.tokens.is_empty(DECK)
    }
}
