//! A turn from its start to its end, and the end of the game.

use super::{Flow, Ran};
use crate::actions::Aim;
use crate::cards::{Card, Kind};
use crate::state::{GARBAGE, POOL, Step, TABLE, Turn, Vires, hand};
use pentarchy_engine::{Rejected, Seat, Token, ensure};

impl Vires {
    /// The turn of the active player begins: markers of the last one are cleared, cards are drawn.
    pub(super) fn begin(&mut self) -> Ran {
        let locked = std::mem::take(&mut self.player_mut(self.active).locked_next);
        self.turn = Turn { locked, ..Turn::default() };
        self.barred.clear();
        let tuning = &self.rules.tuning;
        let cards = if self.cards(self.active) == 0 { tuning.draw_empty } else { tuning.draw };
        self.then(Step::Next)?;
        self.then(Step::End { hr: 0 })?;
        if !locked {
            self.then(Step::Main { hr: 0, fiat: false })?;
        }
        self.then(Step::Draw(cards))?;
        self.draw(cards)
    }

    /// The rest of the turn is skipped, all that is on the agenda but the next player's turn.
    pub(super) fn skip_turn(&mut self) {
        self.agenda.truncate(1);
    }

    pub(super) fn next_turn(&mut self) -> Ran {
        let next = self.after(self.active);
        if next == Seat(0) {
            if self.round >= self.rules.max_rounds {
                return self.finish();
            }
            self.round += 1;
        }
        self.active = next;
        self.begin()
    }

    /// The main phase is never skipped: what could be done in it, only its player knows.
    #[inline]
    pub(super) fn main_phase(&mut self) -> Ran {
        let (mut hr, mut fiat) = (0, false);
        for t in self.tokens.iter(hand(self.active)) {
            hr += u8::from(self.tokens.is_face(t, Card::Hr));
            fiat |= self.tokens.is_face(t, Card::Fiat);
        }
        self.wait_as(Step::Main { hr, fiat })
    }

    /// The end phase, which lies on the turn of the next player.
    #[inline(always)]
    pub(super) fn end_phase(&mut self) -> Ran {
        let p = self.active;
        if self.cards(p) == 0 {
            return self.off().off().next_turn();
        }
        self.wait_as(Step::End { hr: self.open_hr(p) })
    }

    /// A card is dropped at the end of the turn; of the HR the public ones first. (The card is public now:
    /// `hr` says how many HR were so before.)
    pub(super) fn dismiss(&mut self, t: Token, hr: u8) -> Ran {
        let p = self.active;
        ensure(self.tokens.in_zone(t, hand(p)), "this card is not in the Hand")?;
        if self.tokens.face(t)? == Card::Hr {
            ensure(hr == 0 || self.open_hr(p) == hr, "a public HR is dismissed first")?;
        }
        self.drop_card(t)
    }

    /// The same of a card that is known to be the right one.
    #[inline(always)]
    pub(super) fn drop_card(&mut self, t: Token) -> Ran {
        self.tokens.put(t, if self.tokens.is_face(t, Card::Hr) { POOL } else { GARBAGE });
        self.end_phase()
    }

    /// FLIP: the whole Hands are exchanged, and the turn is over.
    pub(super) fn play_flip(&mut self, t: Token, aim: Aim) -> Ran {
        let p = self.active;
        ensure(self.tokens.in_zone(t, hand(p)), "this card is not in the Hand")?;
        ensure(self.tokens.face(t)? == Card::Flip, "only FLIP is played at the end of a turn")?;
        self.playable_flip(t, aim)?;
        let Aim::At(x) = aim else { return Err(Rejected::new("FLIP needs an opponent")) };
        self.tokens.put(t, GARBAGE);
        self.tokens.exchange(hand(p), hand(x));
        self.swap_step(Step::Look { of: x, by: x })?;
        self.then(Step::Look { of: p, by: p })?;
        Ok(Flow::Go)
    }

    /// Whether FLIP may be played in the end phase.
    pub(super) fn playable_flip(&self, t: Token, aim: Aim) -> Result<(), Rejected> {
        ensure(!self.turn.locked, "this turn is locked")?;
        ensure(!self.is_barred(t, self.active), "this card was cancelled in this turn")?;
        let Aim::At(x) = aim else { return Err(Rejected::new("FLIP needs an opponent")) };
        ensure(x.0 < self.seats && x != self.active, "this is no opponent")
    }

    /// A card on the table is done with.
    pub(super) fn discard(&mut self, t: Token) -> Ran {
        self.tokens.put(t, GARBAGE);
        Ok(Flow::Go)
    }

    /// A card that was cancelled: an Event is used up, all others return to their Hand and are barred.
    pub(super) fn cancelled(&mut self, t: Token, by: Seat) -> Result<(), Rejected> {
        if self.tokens.face(t)?.kind() == Kind::Event {
            self.tokens.put(t, GARBAGE);
            return Ok(());
        }
        self.tokens.put(t, hand(by));
        self.barred.push(crate::state::Barred { token: t, seat: by })
    }

    /// The game ends at once: all Hands are laid open.
    pub(super) fn finish(&mut self) -> Ran {
        self.tokens.put_all(TABLE, GARBAGE);
        self.agenda.clear();
        self.tokens.unmark_all();
        for p in (0..self.seats).map(Seat) {
            let mut at = self.tokens.top(hand(p));
            while let Some(t) = at {
                if !self.tokens.is_public(t) {
                    self.tokens.mark(t);
                }
                at = self.tokens.below(t);
            }
        }
        self.then(Step::Over)?;
        self.then(Step::LayOpen)?;
        Ok(Flow::Go)
    }
}
