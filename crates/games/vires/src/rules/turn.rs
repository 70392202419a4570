//! A turn from start to end, and the end of the game.

use super::{Flow, FlowResult};
use crate::actions::Aim;
use crate::cards::{Card, Kind};
use crate::facts::{Context, Fact};
use crate::state::{GARBAGE, POOL, TABLE, Task, Turn, Vires, hand};
use pentarchy_engine::{RuleError, Seat, Token, ensure};

impl Vires {
    /// Begins the turn of the active player: clears the markers of the last turn and its cancelled cards,
    /// pushes the phases (no main phase if the turn is locked) and draws `tuning.draw` cards,
    /// `tuning.draw_empty` with an empty Hand. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn begin(&mut self) -> FlowResult {
        let locked = std::mem::take(&mut self.player_mut(self.active).locked_next);
        self.turn = Turn { locked, ..Turn::default() };
        self.barred.clear();
        let tuning = &self.rules.tuning;
        let cards = if self.cards(self.active) == 0 { tuning.draw_empty } else { tuning.draw };
        self.push_task(Task::Next)?;
        self.push_task(Task::End { hr: 0 })?;
        if !locked {
            self.push_task(Task::Main { hr: 0, fiat: false })?;
        }
        self.push_task(Task::Draw(cards))?;
        self.draw(cards)
    }

    /// Drops all tasks of the turn but the lowest one, which begins the next player's turn, so that this turn
    /// has no further phase. Moves no card.
    pub(super) fn skip_turn(&mut self) {
        self.agenda.truncate(1);
    }

    /// Makes the next player active and begins their turn, and counts the round at seat 0; after the last
    /// round ends the game instead. The caller has popped the tasks of this turn. Returns `Wait` if an event
    /// is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(super) fn next_turn(&mut self) -> FlowResult {
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

    /// Waits for an action of the main phase: replaces the top task by `Main` with the number of public HR
    /// and whether a FIAT is public. It is never skipped: only the player knows which actions are possible.
    /// Returns `Wait`; never fails.
    #[inline]
    pub(super) fn main_phase(&mut self) -> FlowResult {
        let (mut hr, mut fiat) = (0, false);
        for t in self.tokens.iter(hand(self.active)) {
            hr += u8::from(self.tokens.is_face(t, Card::Hr));
            fiat |= self.tokens.is_face(t, Card::Fiat);
        }
        self.replace_and_wait(Task::Main { hr, fiat })
    }

    /// Waits for an action of the end phase: replaces the top task by `End` with the number of public HR.
    /// With an empty Hand it pops the rest of the turn and begins the next player's instead. Returns `Wait`
    /// if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    #[inline(always)]
    pub(super) fn end_phase(&mut self) -> FlowResult {
        let p = self.active;
        if self.cards(p) == 0 {
            return self.pop_tasks(2).next_turn();
        }
        self.replace_and_wait(Task::End { hr: self.open_hr(p) })
    }

    /// Checks and discards a card at the end of the turn, and emits `Dismissed`; an HR goes to the Pool, any
    /// other card to the Garbage. Public HR must go before hidden ones. The card is public by now: `hr` is the
    /// number of public HR before. Returns `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not in the Hand or not public, or a public HR must go first; or
    /// if the agenda is full.
    pub(super) fn dismiss(&mut self, cx: &mut Context<'_>, t: Token, hr: u8) -> FlowResult {
        let p = self.active;
        ensure(self.tokens.in_zone(t, hand(p)), "this card is not in the Hand")?;
        if self.tokens.face(t)? == Card::Hr {
            ensure(hr == 0 || self.open_hr(p) == hr, "a public HR is dismissed first")?;
        }
        cx.emit(move || Fact::Dismissed(p, t));
        self.drop_card(t)
    }

    /// Moves a public card of the active Hand out of it at the end of the turn, an HR to the Pool, any other
    /// card to the Garbage, and continues the end phase. The caller has checked that it is legal. Returns
    /// `Wait` if an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    #[inline(always)]
    pub(super) fn drop_card(&mut self, t: Token) -> FlowResult {
        self.tokens.put(t, if self.tokens.is_face(t, Card::Hr) { POOL } else { GARBAGE });
        self.end_phase()
    }

    /// Checks and plays FLIP: exchanges the Hands with the opponent, emits `Played`, and replaces the end
    /// phase by a look of each at their new Hand; then the turn ends. Returns `Wait` if an event is needed
    /// next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is not a FLIP in the Hand, or may not be played with this aim; or
    /// if the agenda is full.
    pub(super) fn play_flip(&mut self, cx: &mut Context<'_>, t: Token, aim: Aim) -> FlowResult {
        let p = self.active;
        ensure(self.tokens.in_zone(t, hand(p)), "this card is not in the Hand")?;
        ensure(self.tokens.face(t)? == Card::Flip, "only FLIP is played at the end of a turn")?;
        self.playable_flip(t, aim)?;
        let Aim::At(x) = aim else { return Err(RuleError::new("FLIP needs an opponent")) };
        cx.emit(move || Fact::Played { seat: p, card: t, aim, showing: None });
        self.tokens.put(t, GARBAGE);
        self.tokens.exchange(hand(p), hand(x));
        self.agenda.replace_top(Task::Look { of: x, by: x });
        self.push_task(Task::Look { of: p, by: p })?;
        Ok(Flow::Go)
    }

    /// Checks that the FLIP `t` may be played in the end phase with this aim. Changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if the turn is locked, the card was cancelled this turn, or no opponent is named.
    pub(super) fn playable_flip(&self, t: Token, aim: Aim) -> Result<(), RuleError> {
        ensure(!self.turn.locked, "this turn is locked")?;
        ensure(!self.is_barred(t, self.active), "this card was cancelled in this turn")?;
        let Aim::At(x) = aim else { return Err(RuleError::new("FLIP needs an opponent")) };
        ensure(x.0 < self.seats && x != self.active, "this is no opponent")
    }

    /// Moves a card from the table to the Garbage. Returns `Go`; never fails.
    pub(super) fn discard(&mut self, t: Token) -> FlowResult {
        self.tokens.put(t, GARBAGE);
        Ok(Flow::Go)
    }

    /// Handles a cancelled card `t` of player `by` and emits `Cancelled`: an Event goes to the Garbage; any
    /// other card returns to the Hand of `by` and may not be played again this turn. The caller has popped
    /// its task.
    ///
    /// # Errors
    ///
    /// Fails if the card is hidden, or too many cards were cancelled this turn.
    pub(super) fn cancelled(&mut self, cx: &mut Context<'_>, t: Token, by: Seat) -> Result<(), RuleError> {
        let card = self.tokens.face(t)?;
        cx.emit(move || Fact::Cancelled(card));
        if card.kind() == Kind::Event {
            self.tokens.put(t, GARBAGE);
            return Ok(());
        }
        self.tokens.put(t, hand(by));
        self.barred.push(crate::state::Barred { token: t, seat: by })
    }

    /// Ends the game: moves the table to the Garbage, clears the agenda, marks the hidden cards of all Hands,
    /// and pushes their reveal and below it `Over`. Returns `Go`.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(super) fn finish(&mut self) -> FlowResult {
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
        self.push_task(Task::Over)?;
        self.push_task(Task::LayOpen)?;
        Ok(Flow::Go)
    }
}
