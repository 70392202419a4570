//! The phase of the turn and the open reaction window, for user interfaces.

use crate::actions::Aim;
use crate::agenda::{Loss, Task};
use crate::state::{TABLE, Vires};
use pentarchy_engine::{Seat, Token};

/// A phase of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Cards are drawn, and Events happen.
    Draw,
    /// The active player mines and plays.
    Main,
    /// A player may react to a card.
    Reaction,
    /// The active player discards cards.
    End,
    /// The game is over.
    Over,
}

/// A reaction window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Window {
    /// This seat may cancel the card in question.
    Cancel(Seat),
    /// This seat may protect what it is about to lose.
    Protect(Seat, Loss),
    /// A seat may decide the challenge of another.
    Challenge {
        /// The challenged player.
        of: Seat,
        /// The seat that may decide it.
        at: Seat,
    },
}

impl Vires {
    /// Returns the current phase: `Reaction` while a window is open, else `Draw` until the cards of the turn
    /// are drawn, `Main` (longer effects of cards included), `End`, or `Over` as soon as the game has ended.
    pub fn phase(&self) -> Phase {
        match self.agenda.top().unwrap_or_default() {
            Task::Over | Task::LayOpen => Phase::Over,
            Task::End { .. } => Phase::End,
            _ if self.window().is_some() => Phase::Reaction,
            Task::Begin | Task::Next => Phase::Draw,
            _ if self.agenda.iter().any(|task| matches!(task, Task::Draw(_))) => Phase::Draw,
            _ => Phase::Main,
        }
    }

    /// Returns the phase of the turn without regard to reactions: `Draw`, `Main`, `End` or `Over`.
    pub fn turn_phase(&self) -> Phase {
        match self.phase() {
            Phase::Reaction if self.agenda.iter().any(|task| matches!(task, Task::Draw(_))) => Phase::Draw,
            Phase::Reaction => Phase::Main,
            phase => phase,
        }
    }

    /// Returns the reaction window on top of the agenda and the player whom it awaits; `None` if there is
    /// none.
    pub fn window(&self) -> Option<Window> {
        match self.agenda.top()? {
            Task::Cancel { at, .. } => Some(Window::Cancel(at)),
            Task::Protect(seat, loss) => Some(Window::Protect(seat, loss)),
            Task::Challenge { of, at, .. } => Some(Window::Challenge { of, at }),
            _ => None,
        }
    }

    /// Returns the player of the uppermost reaction on the agenda that is not resolved yet; `None` if there
    /// is none.
    pub fn reacting(&self) -> Option<Seat> {
        self.agenda.iter().rev().find_map(|task| match *task {
            Task::React { by, .. } => Some(by),
            _ => None,
        })
    }

    /// Returns the card on the table that is being resolved, and the seat it is aimed at or the party it
    /// names: the uppermost on the agenda, else the last card on the table. `None` if the table is empty.
    pub fn in_question(&self) -> Option<(Token, Option<Seat>)> {
        let aimed = self.agenda.iter().rev().find_map(|task| match *task {
            Task::Effect(card, Aim::At(seat)) => Some((card, Some(seat))),
            Task::Effect(card, _) | Task::Discard(card) => Some((card, None)),
            Task::React { card, party, .. } => Some((card, party)),
            _ => None,
        });
        aimed.or_else(|| self.tokens.bottom(TABLE).map(|card| (card, None)))
    }
}
