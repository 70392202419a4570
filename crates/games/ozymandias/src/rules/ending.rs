//! The end of a turn and of the game.

use crate::facts::{Context, EndReason, Fact};
use crate::state::{Ozymandias, Task, vault};
use pentarchy_engine::{Outcome, RuleError, Seat};

impl Ozymandias {
    /// Returns whether this turn is the last one that the option `round_cap` allows.
    pub(crate) fn is_last_turn(&self) -> bool {
        self.turn + 1 >= u16::from(self.settings.round_cap) * u16::from(self.seats)
    }

    /// Returns whether the last turn is over, normally or by bankruptcy; hidden cards of vaults may still
    /// have to be shown.
    pub(crate) fn is_over(&self) -> bool {
        self.agenda.first() == Some(&Task::Over)
    }

    /// Ends the turn and clears the agenda: counts the turn, makes the next seat active and pushes its
    /// action. If a faction has reached the end of the track or the cap is reached, emits `Ended` and ends
    /// the game instead.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn end_turn(&mut self, cx: &mut Context<'_>) -> Result<(), RuleError> {
        self.agenda.clear();
        if self.ending || self.is_last_turn() {
            self.capped = !self.ending;
            let reason = if self.ending { EndReason::History } else { EndReason::Cap };
            cx.emit(move || Fact::Ended(reason));
            return self.finish();
        }
        self.turn += 1;
        self.active = self.active.next(self.seats);
        self.push_task(Task::Action)
    }

    /// Ends the game: pushes `Over`, marks the hidden cards of all vaults, and pushes their reveal above it
    /// if there are any. The agenda must be empty.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn finish(&mut self) -> Result<(), RuleError> {
        self.push_task(Task::Over)?;
        self.tokens.unmark_all();
        let mut hidden = false;
        for seat in (0..self.seats).map(Seat) {
            let mut at = self.tokens.top(vault(seat));
            while let Some(card) = at {
                if !self.tokens.is_public(card) {
                    self.tokens.mark(card);
                    hidden = true;
                }
                at = self.tokens.below(card);
            }
        }
        if hidden { self.push_task(Task::ShowMarked) } else { Ok(()) }
    }

    /// Returns the score of a seat now: influence, plus for each public card in the vault the value of its
    /// faction and `vault_rank_bonus` less its rank, at least 0. Hidden cards count 0.
    pub(crate) fn score(&self, seat: Seat) -> i32 {
        let bonus = i32::from(self.settings.vault_rank_bonus);
        let cards = self.tokens.iter(vault(seat)).filter_map(|card| self.myth(card).ok());
        let worth = cards.map(|m| self.value(m.faction()) + (bonus - i32::from(m.rank())).max(0));
        self.influence(seat) + worth.sum::<i32>()
    }

    /// Returns the final ranking by score; of equal seats the one whose next turn would come first is ahead,
    /// and a bankrupt seat is last. `None` before the end. Marked as capped if the cap on rounds ended the
    /// game.
    pub(crate) fn ranking(&self) -> Option<Outcome> {
        if self.step() != Task::Over {
            return None;
        }
        let mut scores = [0; 5];
        for seat in 0..self.seats {
            scores[seat as usize] = self.score(Seat(seat));
        }
        let waiting = |seat: Seat| (seat.0 + self.seats - self.active.0 - 1) % self.seats;
        let key = |seat: Seat| {
            (self.bankrupt != Some(seat), scores[seat.index()], std::cmp::Reverse(waiting(seat)))
        };
        let outcome = Outcome::by_key(&scores[..self.seats as usize], key);
        Some(if self.capped { outcome.capped() } else { outcome })
    }
}
