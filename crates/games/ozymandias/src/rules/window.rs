//! Windows: in turn order, cards of the tableaus work on what was just explored or built.

use crate::actions::Action;
use crate::cards::{Factions, Myth};
use crate::state::{Ozymandias, Task, tableau};
use pentarchy_engine::{RuleError, Seat, Token, ensure};

impl Ozymandias {
    /// Opens the window: fixes the factions and the cards that may be activated.
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

    /// Returns the card of a tableau if it may be activated now; otherwise `None`.
    fn candidate(&self, seat: Seat, card: Token) -> Option<Myth> {
        let myth = self.myth(card).ok()?;
        let fits = self.tokens.in_zone(card, tableau(seat))
            && self.window.candidates >> myth as u8 & 1 != 0
            && self.is_usable(seat, myth);
        fits.then_some(myth)
    }

    /// Returns whether the seat at this place has a card to activate.
    pub(super) fn asked_in_window(&self, place: u8) -> bool {
        self.in_turn(place).is_some_and(|seat| {
            self.window.candidates != 0
                && self.tokens.iter(tableau(seat)).any(|card| self.candidate(seat, card).is_some())
        })
    }

    /// Moves the window to the next seat in turn order.
    pub(super) fn next_in_window(&mut self, place: u8) -> Result<(), RuleError> {
        self.agenda.pop();
        if place + 1 < self.seats { self.push_task(Task::Window(place + 1)) } else { Ok(()) }
    }

    /// Lists the cards that a seat may activate, and `done`.
    pub(super) fn list_window(&self, seat: Seat, out: &mut Vec<Action>) {
        let cards = self.tokens.iter(tableau(seat)).filter(|&card| self.candidate(seat, card).is_some());
        out.extend(cards.map(Action::Activate));
        out.push(Action::Done);
    }

    /// Checks and applies an action in a window; `place` is the index of the seat in turn order.
    ///
    /// # Errors
    ///
    /// Fails if no seat has this index, or the card is not in its tableau or cannot work now.
    pub(super) fn use_window(&mut self, place: u8, act: Action) -> Result<(), RuleError> {
        let seat = self.in_turn(place).ok_or(RuleError::new("nobody sits there"))?;
        match act {
            Action::Activate(card) => {
                ensure(self.tokens.in_zone(card, tableau(seat)), "this card is not in the tableau")?;
                let myth =
                    self.candidate(seat, card).ok_or(RuleError::of("this card cannot work now", card))?;
                self.window.candidates &= !(1 << myth as u8);
                self.begin_effect(seat, myth)
            }
            Action::Done => self.next_in_window(place),
            _ => Err(RuleError::new("activate a card, or be done")),
        }
    }
}
