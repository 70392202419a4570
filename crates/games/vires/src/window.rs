//! Where the turn is, for those who draw the table: the phase, and what a reaction window is about.

use crate::actions::Aim;
use crate::agenda::{Loss, Step};
use crate::state::{TABLE, Vires};
use pentarchy_engine::{Seat, Token};

/// The part of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Cards are drawn, and Events happen.
    Draw,
    /// The active player mines and plays.
    Main,
    /// Somebody may answer a card.
    Reaction,
    /// The active player dismisses cards.
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
    /// The second seat may decide the challenge of the first.
    Challenge {
        /// Whose challenge it is.
        of: Seat,
        /// Who may decide it.
        at: Seat,
    },
}

impl Vires {
    /// Where the turn is.
    pub fn phase(&self) -> Phase {
        match self.agenda.top().unwrap_or_default() {
            Step::Over | Step::LayOpen => Phase::Over,
            Step::End { .. } => Phase::End,
            _ if self.window().is_some() => Phase::Reaction,
            Step::Begin | Step::Next => Phase::Draw,
            _ if self.agenda.iter().any(|step| matches!(step, Step::Draw(_))) => Phase::Draw,
            _ => Phase::Main,
        }
    }

    /// Where the turn is, reactions left aside: in the draw phase, the main phase, the end phase, or over.
    pub fn turn_phase(&self) -> Phase {
        match self.phase() {
            Phase::Reaction if self.agenda.iter().any(|step| matches!(step, Step::Draw(_))) => Phase::Draw,
            Phase::Reaction => Phase::Main,
            phase => phase,
        }
    }

    /// The window that is open.
    pub fn window(&self) -> Option<Window> {
        match self.agenda.top()? {
            Step::Cancel { at, .. } => Some(Window::Cancel(at)),
            Step::Protect(seat, loss) => Some(Window::Protect(seat, loss)),
            Step::Challenge { of, at, .. } => Some(Window::Challenge { of, at }),
            _ => None,
        }
    }

    /// Who played the reaction that lies on top.
    pub fn reacting(&self) -> Option<Seat> {
        self.agenda.iter().rev().find_map(|step| match *step {
            Step::React { by, .. } => Some(by),
            _ => None,
        })
    }

    /// The card on the table that things are about now, and the player it is aimed at: the uppermost on the
    /// agenda below an open window.
    pub fn in_question(&self) -> Option<(Token, Option<Seat>)> {
        let aimed = self.agenda.iter().rev().find_map(|step| match *step {
            Step::Effect(card, Aim::At(seat)) => Some((card, Some(seat))),
            Step::Effect(card, _) | Step::Discard(card) => Some((card, None)),
            Step::React { card, party, .. } => Some((card, party)),
            _ => None,
        });
        aimed.or_else(|| self.tokens.bottom(TABLE).map(|card| (card, None)))
    }
}
