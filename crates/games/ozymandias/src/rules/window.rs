//! Windows: in turn order, cards of the tableaus work on what was just explored or built.

use crate::actions::Action;
use crate::cards::{Factions, Myth};
use crate::facts::{Context, Fact};
use crate::state::{Ozymandias, Task, tableau};
use pentarchy_engine::{RuleError, Seat, Token, ensure};

impl Ozymandias {
    /// Opens the window after an exploration or expansion: pops the task, fixes the factions concerned and
    /// the tableau cards of all seats that may be activated, and pushes the turn of the active seat in it.
    ///
    /// # Errors
    ///
    /// Fails if a tableau card is hidden, or the agenda is full.
    pub(super) fn open_window(&mut self) -> Result<(), RuleError> {
        self.agenda.pop();
        self.window.factions = if self.window.exploring {
            self.factions_at(self.window.hex)
        } else {
            self.pile(self.window.corner).map_or(Factions::default(), |p| p.factions())
        };
        self.window.candidates = 0;
        for seat in (0..self.seats).map(Seat) {
            for card in self.tokens.iter(tableau(seat)) {
                let myth = self.myth(card)?;
                if myth.kind() == self.window.kind() && self.window.factions.has(myth.faction()) {
                    self.window.candidates |= 1 << myth as u8;
                }
            }
        }
        self.push_task(Task::Window(0))
    }

    /// Returns the card `card` if it lies in the seat's tableau and may be activated now; `None` if it was
    /// used in this window, does not fit it or would do nothing.
    fn candidate(&self, seat: Seat, card: Token) -> Option<Myth> {
        let myth = self.myth(card).ok()?;
        let fits = self.tokens.in_zone(card, tableau(seat))
            && self.window.candidates >> myth as u8 & 1 != 0
            && self.is_usable(seat, myth);
        fits.then_some(myth)
    }

    /// Returns whether the seat at index `place` of the turn order has a card to activate; `false` beyond the
    /// last seat.
    pub(super) fn asked_in_window(&self, place: u8) -> bool {
        self.in_turn(place).is_some_and(|seat| {
            self.window.candidates != 0
                && self.tokens.iter(tableau(seat)).any(|card| self.candidate(seat, card).is_some())
        })
    }

    /// Replaces the task by that for the seat after index `place` of the turn order; after the last seat only
    /// pops it, which closes the window.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn next_in_window(&mut self, place: u8) -> Result<(), RuleError> {
        self.agenda.pop();
        if place + 1 < self.seats { self.push_task(Task::Window(place + 1)) } else { Ok(()) }
    }

    /// Appends `Activate` for each tableau card that the seat may activate now, then always `Done`.
    pub(super) fn list_window(&self, seat: Seat, out: &mut Vec<Action>) {
        let cards = self.tokens.iter(tableau(seat)).filter(|&card| self.candidate(seat, card).is_some());
        out.extend(cards.map(Action::Activate));
        out.push(Action::Done);
    }

    /// Applies an action of the seat at index `place` of the turn order. `Activate` begins the effect of a
    /// tableau card, which cannot be used again in this window, and emits `Used`; `Done` moves to the next
    /// seat.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if no seat has this index, the card is not in its tableau or cannot work now,
    /// or it is another action; or if the agenda is full.
    pub(super) fn use_window(
        &mut self,
        cx: &mut Context<'_>,
        place: u8,
        act: Action,
    ) -> Result<(), RuleError> {
        let seat = self.in_turn(place).ok_or(RuleError::new("nobody sits there"))?;
        match act {
            Action::Activate(card) => {
                ensure(self.tokens.in_zone(card, tableau(seat)), "this card is not in the tableau")?;
                let myth =
                    self.candidate(seat, card).ok_or(RuleError::of("this card cannot work now", card))?;
                self.window.candidates &= !(1 << myth as u8);
                self.begin_effect(cx, seat, myth)?;
                let aims = matches!(self.step(), Task::Choose { .. });
                cx.emit(move || Fact::Used { seat, card: myth, aims });
                Ok(())
            }
            Action::Done => self.next_in_window(place),
            _ => Err(RuleError::new("activate a card, or be done")),
        }
    }
}
