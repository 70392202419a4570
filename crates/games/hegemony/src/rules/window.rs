//! The Sabotage window: whoever may have a Sabotage is asked, so that the question tells nothing.

use crate::actions::Action;
use crate::agenda::{Aim, Step};
use crate::cards::{COVERT, Card, Category};
use crate::places::{Side, discard};
use crate::state::Hegemony;
use pentarchy_engine::{Own, Rejected, Seat, Token, ensure};

impl Hegemony {
    /// A Diplomacy card is used: the others may block it, then it does its work.
    pub(crate) fn open_use(&mut self, user: Side, card: Token, aim: Aim) -> Result<(), Rejected> {
        let against_empire = match aim {
            Aim::Side(target) | Aim::Pool(target) | Aim::Card(target, _) => target.is_empire(),
            // A False Flag names a player, Sanctions too.
            Aim::Slot(target, _) => target.is_empire(),
            Aim::Loss => !user.is_empire() && self.victor().is_empire(),
            Aim::Roll => false,
            Aim::Use => match self.top() {
                Step::Window { user: other, .. } => other.is_empire(),
                _ => false,
            },
        };
        self.then(Step::Used { user, card, aim, blocked: false })?;
        self.then(Step::Window { user, asked: 0, against_empire: against_empire && !user.is_empire() })
    }

    /// The seat that is asked next in the window: clockwise from the user, or, if that is the Empire, in
    /// turn order. Nobody if all have been asked.
    pub(crate) fn in_window(&self, user: Side, asked: u8) -> Option<Seat> {
        match user.seat() {
            Some(seat) => self.clockwise(seat, asked + 1),
            None => self.in_order(asked),
        }
    }

    /// Whether a player is asked: it has an active Diplomacy card that lies face down or is a Sabotage.
    pub(crate) fn is_entitled(&self, seat: Seat) -> bool {
        let side = Side::from(seat);
        self.living.has(seat)
            && self.may_have(side, COVERT)
            && self.active(side, Category::Diplomacy).any(|(i, t)| {
                self.lies_face_down(side, i, t) || self.tokens.public_face(t) == Some(Card::Sabotage)
            })
    }

    pub(crate) fn list_window(&self, own: &Own<'_, Self>, user: Side, asked: u8, out: &mut Vec<Action>) {
        if let Some(seat) = self.in_window(user, asked) {
            for (_, t) in self.active(seat.into(), Category::Diplomacy) {
                if own.is(t, Card::Sabotage) {
                    out.push(Action::Sabotage(t));
                }
            }
        }
        out.push(Action::Pass);
    }

    /// A player plays a Sabotage: it is discarded at once and opens its own window.
    pub(crate) fn sabotage(&mut self, user: Side, asked: u8, t: Token) -> Result<(), Rejected> {
        let (side, i) = self.slot_of(t).ok_or(Rejected::of("this card lies in no slot", t))?;
        let seat = self.in_window(user, asked).ok_or(super::NOT_NOW)?;
        ensure(side == Side::from(seat), "this is somebody else's card")?;
        ensure(self.category(t) == Category::Diplomacy, "this is no Sabotage")?;
        ensure(self.is_active(side, i), "this card is switched off")?;
        ensure(self.tokens.face(t)? == Card::Sabotage, "this is no Sabotage")?;
        self.play_sabotage(side, i, t)
    }

    fn play_sabotage(&mut self, side: Side, i: u8, t: Token) -> Result<(), Rejected> {
        self.put_from_slot(t, side, i, discard(side));
        self.open_use(side, t, Aim::Use)
    }

    /// Nobody to ask here: the next; after the last the Empire, if the card is used against it.
    pub(crate) fn window_goes_on(
        &mut self,
        user: Side,
        asked: u8,
        against_empire: bool,
    ) -> Result<(), Rejected> {
        let mut asked = asked;
        while let Some(seat) = self.in_window(user, asked) {
            if self.is_entitled(seat) {
                return self.then(Step::Window { user, asked, against_empire });
            }
            asked += 1;
        }
        let own = || {
            let mut active = self.active(Side::EMPIRE, Category::Diplomacy);
            active.find(|&(_, t)| self.tokens.public_face(t) == Some(Card::Sabotage))
        };
        if against_empire
            && self.standing
            && self.may_have(Side::EMPIRE, 1 << Card::Sabotage as u8)
            && let Some((i, t)) = own()
        {
            self.then(Step::Window { user, asked, against_empire })?;
            return self.play_sabotage(Side::EMPIRE, i, t);
        }
        Ok(())
    }

    /// A Sabotage that was not blocked itself: it closes the window below and blocks what is below that.
    pub(crate) fn block(&mut self) {
        self.agenda.pop();
        if let Some(Step::Used { blocked, .. }) = self.agenda.last_mut() {
            *blocked = true;
        }
    }
}
