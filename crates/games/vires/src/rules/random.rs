//! Shortcuts for random playouts. The agenda is matched once per event, cards are drawn without a stop, and
//! listed actions are not checked again.

use super::{Flow, FlowResult};
use crate::actions::Action;
use crate::cards::{Card, EVENT};
use crate::state::{DECK, Task, Vires, hand};
use pentarchy_engine::{Cx, FaceSet, RuleError, Seat, Sim, Token};

impl Vires {
    /// Plays random actions until something rare is awaited: a player who holds a reaction, a shuffle, a
    /// ballot. Then the engine resolves it and may call this again. Draws the random numbers of play event by
    /// event.
    ///
    /// # Errors
    ///
    /// Fails only if the rules contradict themselves.
    pub(crate) fn play_on_at_random(&mut self, sim: &mut Sim<'_, Self>) -> Result<(), RuleError> {
        while let Some(task) = self.agenda.last() {
            let ran = match *task {
                Task::Back(t) => self.draw_at_random(sim, t)?,
                Task::Announce(t) => {
                    sim.show(&mut self.tokens, t)?;
                    self.pop_tasks(1).announce(t)?
                }
                Task::Main { hr, fiat } => self.main_at_random(sim, hr, fiat)?,
                Task::End { hr } => self.end_at_random(sim, hr)?,
                Task::Cancel { at, left, unseen } => {
                    if self.holds(sim, at, Card::Test.only()) {
                        return Ok(());
                    }
                    sim.no_choice();
                    self.ask_to_cancel(self.after(at), left - 1, unseen)?
                }
                Task::Protect(who, _) => {
                    if self.holds(sim, who, self.usable(*task)) {
                        return Ok(());
                    }
                    sim.no_choice();
                    self.pop_and_continue()?
                }
                Task::Challenge { at, .. } => {
                    if self.holds(sim, at, self.usable(*task)) {
                        return Ok(());
                    }
                    sim.no_choice();
                    let window = *task;
                    self.pass_challenge(&mut Cx::silent(), window)?
                }
                Task::Flip => self.flipped(&mut Cx::silent(), sim.pick(2))?,
                Task::Mine(left) => match self.show_hr(sim, self.active)? {
                    Some(t) => self.spend(&mut Cx::silent(), t, left)?,
                    None => return Ok(()),
                },
                Task::Pay(bill) => match self.show_hr(sim, bill.from)? {
                    Some(t) => self.pay_shown(&mut Cx::silent(), t, bill)?,
                    None => self.pay_no_more(&mut sim.cx(), bill)?,
                },
                _ => return Ok(()),
            };
            if ran == Flow::Go {
                self.run(&mut Cx::silent())?;
            }
        }
        Ok(())
    }

    /// Draws cards from `t`, the top of the Deck, on, up to the last one or to a card that becomes public,
    /// and updates the tasks. The top of the agenda must be `Back(t)` above `Draw`. Returns `Wait` if an
    /// event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails only if the rules contradict themselves.
    fn draw_at_random(&mut self, sim: &mut Sim<'_, Self>, mut t: Token) -> FlowResult {
        let p = self.active;
        self.pop_task()?;
        let Some(&Task::Draw(mut left)) = self.agenda.last() else { return Ok(Flow::Go) };
        while sim.show_back(&mut self.tokens, t)? != EVENT && !self.turn.open {
            self.tokens.put(t, hand(p));
            sim.add_knower(&mut self.tokens, t, p);
            let (Some(next), Some(rest)) = (self.tokens.top(DECK), left.checked_sub(1)) else {
                self.agenda.replace_top(Task::Draw(left));
                return self.draw(left);
            };
            (t, left) = (next, rest);
        }
        self.agenda.replace_top(Task::Draw(left));
        self.push_task(Task::Back(t))?;
        self.drawn(t)
    }

    /// Takes one random action of the main phase of the active player: plays a card, mines, or ends the
    /// phase. `hr` is the number of public HR in the Hand, `fiat` whether a FIAT is public. Returns `Wait` if
    /// an event is needed next, else `Go`.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject a listed action.
    fn main_at_random(&mut self, sim: &mut Sim<'_, Self>, hr: u8, fiat: bool) -> FlowResult {
        let p = self.active;
        match sim.choose(&self.tokens, p, |own, list| self.list_main(own, hr, fiat, list))? {
            Action::Play { card, aim, showing } => {
                sim.show(&mut self.tokens, card)?;
                if let Some(t) = showing {
                    sim.show(&mut self.tokens, t)?;
                }
                self.lay(card, aim)
            }
            Action::Mine => self.pay_for_block(&mut Cx::silent(), self.cost(p)),
            _ => self.pop_tasks(1).end_phase(),
        }
    }

    /// Takes one random action of the end phase of the active player: discards a card, plays FLIP, or ends
    /// the turn. `hr` is the number of public HR in the Hand. Returns `Wait` if an event is needed next, else
    /// `Go`.
    ///
    /// # Errors
    ///
    /// Fails if the rules reject a listed action.
    fn end_at_random(&mut self, sim: &mut Sim<'_, Self>, hr: u8) -> FlowResult {
        match sim.choose(&self.tokens, self.active, |own, list| self.list_end(own, hr, list))? {
            Action::Dismiss(t) => {
                sim.show(&mut self.tokens, t)?;
                self.drop_card(t)
            }
            Action::Play { card, aim, .. } => {
                sim.show(&mut self.tokens, card)?;
                self.play_flip(&mut Cx::silent(), card, aim)
            }
            _ => self.pop_tasks(2).next_turn(),
        }
    }

    /// Returns whether player `p`'s Hand has one of these cards, hidden or not, as the simulator knows it.
    #[inline(always)]
    fn holds(&self, sim: &Sim<'_, Self>, p: Seat, cards: FaceSet<Card>) -> bool {
        let own = sim.own(&self.tokens, p);
        self.tokens.iter(hand(p)).any(|t| own.is_in(t, cards))
    }

    /// Makes the first hidden HR of a player's Hand public and returns it; `None`, without a change, if there
    /// is none.
    ///
    /// # Errors
    ///
    /// Fails only if the rules contradict themselves.
    fn show_hr(&mut self, sim: &mut Sim<'_, Self>, p: Seat) -> Result<Option<Token>, RuleError> {
        let hr = self.hidden_hr(&sim.own(&self.tokens, p));
        if let Some(t) = hr {
            sim.show(&mut self.tokens, t)?;
        }
        Ok(hr)
    }
}
