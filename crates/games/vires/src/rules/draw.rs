//! Drawing cards, and building the Deck anew.

use super::{Flow, Ran};
use crate::actions::Aim;
use crate::cards::EVENT;
use crate::state::{DECK, GARBAGE, POOL, Step, TABLE, Vires, hand};
use pentarchy_engine::{Back, Seat, Token};

impl Vires {
    /// Draws one card and then the rest. An empty Deck is built anew first, also after the last card.
    #[inline]
    pub(super) fn draw(&mut self, left: u8) -> Ran {
        match (self.tokens.top(DECK), left.checked_sub(1)) {
            (None, _) if self.gather() => self.then(Step::Shuffle)?,
            (_, None) => {
                self.drop_step()?;
                let main = matches!(self.agenda.last(), Some(Step::Main { .. }));
                return if main { self.main_phase() } else { Ok(Flow::Go) };
            }
            (Some(t), Some(rest)) => {
                self.swap_step(Step::Draw(rest))?;
                self.then(Step::Back(t))?;
                return self.drawn(t);
            }
            // There is no card anywhere: this draw is lost.
            (None, Some(rest)) => self.swap_step(Step::Draw(rest))?,
        }
        Ok(Flow::Go)
    }

    /// The top card of the Deck, once everyone knows whether it is an Event.
    #[inline]
    pub(super) fn drawn(&mut self, t: Token) -> Ran {
        match self.tokens.back(t) {
            Back::HIDDEN => Ok(Flow::Wait),
            // What comes from the Deck nobody knows: the next step has to wait.
            EVENT => {
                self.tokens.put(t, TABLE);
                self.wait_as(Step::Announce(t))
            }
            _ => {
                self.tokens.put(t, hand(self.active));
                let open = self.turn.open;
                self.wait_as(if open { Step::Open(t) } else { Step::Tell(t, self.active) })
            }
        }
    }

    /// A seat learns a card in its Hand, unless it knows it already. Mostly it has been drawn, and the next
    /// one follows.
    #[inline]
    pub(super) fn told(&mut self, t: Token, seat: Seat) -> Ran {
        if !self.tokens.known(t).to(seat) {
            return Ok(Flow::Wait);
        }
        self.drop_step()?;
        if let Some(&Step::Draw(left)) = self.agenda.last() { self.draw(left) } else { Ok(Flow::Go) }
    }

    /// An Event is shown; everybody, its drawer first, may cancel it.
    pub(super) fn announce(&mut self, t: Token) -> Ran {
        if !self.tokens.is_public(t) {
            return self.wait(Step::Announce(t));
        }
        self.then(Step::Effect(t, Aim::Nothing))?;
        self.open_cancel(self.active, self.seats)
    }

    /// Puts the surplus of the Pool and the whole Garbage into the Deck; false if there is nothing.
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
