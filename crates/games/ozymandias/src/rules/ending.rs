//! The end of a turn and of the game.

use crate::cards::{FACTIONS, Factions};
use crate::facts::{Context, EndReason, Fact};
use crate::state::{Ozymandias, TRACK, Task, vault};
use pentarchy_engine::{Outcome, RuleError, Seat};

/// How the game ended, and who won.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The seat that went bankrupt, if that ended the game.
    pub bankrupt: Option<Seat>,
    /// Why the game ended otherwise: `History`, or `Cap` (also after a bankruptcy).
    pub reason: EndReason,
    /// The winner.
    pub winner: Seat,
    /// The points of the winner.
    pub points: i32,
    /// The seats with as many points that are not bankrupt, the winner included, by seat. Of several, the one
    /// whose next turn would come first wins.
    pub leaders: Vec<Seat>,
}

impl Ozymandias {
    /// Returns why the game ends with this turn, if nobody is bankrupt: `History` with the factions at the end
    /// of the track and the value there if `ending` is set, else `Cap`. Does not check that the game ends.
    fn end_reason(&self) -> EndReason {
        if !self.ending {
            return EndReason::Cap;
        }
        let last = TRACK.len() - 1;
        let mut factions = Factions::default();
        FACTIONS.into_iter().filter(|&f| self.space(f) == last).for_each(|f| factions.insert(f));
        EndReason::History { factions, value: i32::from(TRACK[last]) }
    }

    /// Returns how the game ended; `None` before the end, and while hidden cards of vaults are to be shown.
    pub fn ending(&self) -> Option<Ending> {
        let winner = self.ranking()?.winners().next()?;
        let (bankrupt, points) = (self.bankrupt, self.score(winner));
        let seats = (0..self.seats).map(Seat);
        let leaders = seats.filter(|&seat| self.score(seat) == points && bankrupt != Some(seat)).collect();
        Some(Ending { bankrupt, reason: self.end_reason(), winner, points, leaders })
    }

    /// Returns whether this turn is the last one that the option `round_cap` allows: the last seat's turn in
    /// that round, or a later one.
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
            cx.emit(|| Fact::Ended(self.end_reason()));
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

    /// Returns the score of a seat now: influence, plus the worth of each public card in the vault. Hidden
    /// cards count 0.
    pub(crate) fn score(&self, seat: Seat) -> i32 {
        let cards = self.tokens.iter(vault(seat)).filter_map(|card| self.myth(card).ok());
        self.influence(seat) + cards.map(|myth| self.vault_worth(myth)).sum::<i32>()
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
