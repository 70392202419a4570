//! Random play by a shorter way than node by node. The rules know which step they are in: so what is awaited
//! is asked once an event, cards are drawn without a halt, and what was listed is not checked again.

use super::{Flow, Ran};
use crate::actions::Action;
use crate::cards::{Card, EVENT};
use crate::state::{DECK, Step, Vires, hand};
use pentarchy_engine::{FaceSet, Rejected, Seat, Sim, Token};

impl Vires {
    /// Plays on until something rare is awaited: a reaction that is held, a shuffle, a ballot.
    pub(crate) fn go_on_at_random(&mut self, sim: &mut Sim<'_, Self>) -> Result<(), Rejected> {
        while let Some(step) = self.agenda.last() {
            let ran = match *step {
                Step::Back(t) => self.draw_at_random(sim, t)?,
                Step::Announce(t) => {
                    sim.show(&mut self.tokens, t)?;
                    self.off().announce(t)?
                }
                Step::Main { hr, fiat } => self.main_at_random(sim, hr, fiat)?,
                Step::End { hr } => self.end_at_random(sim, hr)?,
                Step::Cancel { at, left, unseen } => {
                    if self.holds(sim, at, Card::Test.only()) {
                        return Ok(());
                    }
                    sim.no_choice();
                    self.ask_to_cancel(self.after(at), left - 1, unseen)?
                }
                Step::Protect(who, _) => {
                    if self.holds(sim, who, self.usable(*step)) {
                        return Ok(());
                    }
                    sim.no_choice();
                    self.go_on()?
                }
                Step::Challenge { at, .. } => {
                    if self.holds(sim, at, self.usable(*step)) {
                        return Ok(());
                    }
                    sim.no_choice();
                    let window = *step;
                    self.pass_challenge(window)?
                }
                Step::Flip => self.flipped(sim.pick(2))?,
                Step::Mine(left) => match self.show_hr(sim, self.active)? {
                    Some(t) => self.spend(t, left)?,
                    None => return Ok(()),
                },
                Step::Pay(bill) => match self.show_hr(sim, bill.from)? {
                    Some(t) => self.pay_shown(t, bill)?,
                    None => self.pay_no_more(&mut sim.cx(), bill)?,
                },
                _ => return Ok(()),
            };
            if ran == Flow::Go {
                self.run()?;
            }
        }
        Ok(())
    }

    /// Cards are drawn one after the other, up to one that everybody sees or the last one.
    fn draw_at_random(&mut self, sim: &mut Sim<'_, Self>, mut t: Token) -> Ran {
        let p = self.active;
        self.drop_step()?;
        let Some(&Step::Draw(mut left)) = self.agenda.last() else { return Ok(Flow::Go) };
        while sim.show_back(&mut self.tokens, t)? != EVENT && !self.turn.open {
            self.tokens.put(t, hand(p));
            sim.tell(&mut self.tokens, t, p);
            let (Some(next), Some(rest)) = (self.tokens.top(DECK), left.checked_sub(1)) else {
                self.swap_step(Step::Draw(left))?;
                return self.draw(left);
            };
            (t, left) = (next, rest);
        }
        self.swap_step(Step::Draw(left))?;
        self.then(Step::Back(t))?;
        self.drawn(t)
    }

    fn main_at_random(&mut self, sim: &mut Sim<'_, Self>, hr: u8, fiat: bool) -> Ran {
        let p = self.active;
        match sim.choose(&self.tokens, p, |own, list| self.list_main(own, hr, fiat, list))? {
            Action::Play { card, aim, showing } => {
                sim.show(&mut self.tokens, card)?;
                if let Some(t) = showing {
                    sim.show(&mut self.tokens, t)?;
                }
                self.lay(card, aim)
            }
            Action::Mine => self.pay_for_block(self.cost(p)),
            _ => self.off().end_phase(),
        }
    }

    fn end_at_random(&mut self, sim: &mut Sim<'_, Self>, hr: u8) -> Ran {
        match sim.choose(&self.tokens, self.active, |own, list| self.list_end(own, hr, list))? {
            Action::Dismiss(t) => {
                sim.show(&mut self.tokens, t)?;
                self.drop_card(t)
            }
            Action::Play { card, aim, .. } => {
                sim.show(&mut self.tokens, card)?;
                self.play_flip(card, aim)
            }
            _ => self.off().off().next_turn(),
        }
    }

    /// Whether a player holds one of these cards.
    #[inline(always)]
    fn holds(&self, sim: &Sim<'_, Self>, p: Seat, cards: FaceSet<Card>) -> bool {
        let own = sim.own(&self.tokens, p);
        self.tokens.iter(hand(p)).any(|t| own.is_in(t, cards))
    }

    /// A player shows the first hidden HR of the Hand, if there is one.
    fn show_hr(&mut self, sim: &mut Sim<'_, Self>, p: Seat) -> Result<Option<Token>, Rejected> {
        let hr = self.hidden_hr(&sim.own(&self.tokens, p));
        if let Some(t) = hr {
            sim.show(&mut self.tokens, t)?;
        }
        Ok(hr)
    }
}
