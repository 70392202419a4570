//! The Sabotage window. Every seat that may have a Sabotage is asked, so that the question gives nothing
//! away.

use crate::actions::Action;
use crate::agenda::{Aim, Task};
use crate::cards::{COVERT, Card, Category};
use crate::facts::{Context, Fact};
use crate::places::{Side, discard};
use crate::state::Hegemony;
use pentarchy_engine::{RuleError, Seat, SeatView, Token, ensure};

impl Hegemony {
    /// Pushes the use of the Diplomacy card `card` by `user` at `aim`, and above it the window in which other
    /// seats may block it with a Sabotage; emits `UseWaits`. The Empire may block it too if the card of a
    /// player is aimed at the Empire, consoles for a defeat by the Empire, or is a Sabotage against a card of
    /// the Empire. The caller has checked the card and the aim; the card takes effect when the window is
    /// closed.
    ///
    /// # Errors
    ///
    /// Fails if the agenda is full.
    pub(crate) fn open_use(
        &mut self,
        cx: &mut Context<'_>,
        user: Side,
        card: Token,
        aim: Aim,
    ) -> Result<(), RuleError> {
        let against_empire = match aim {
            Aim::Side(target) | Aim::Pool(target) | Aim::Card(target, _) => target.is_empire(),
            // False Flag and Sanctions name a player.
            Aim::Slot(target, _) => target.is_empire(),
            Aim::Loss => !user.is_empire() && self.victor().is_empire(),
            Aim::Roll => false,
            Aim::Use => match self.top() {
                Task::Window { user: other, .. } => other.is_empire(),
                _ => false,
            },
        };
        cx.emit(move || Fact::UseWaits(card));
        self.push_task(Task::Used { user, card, aim, blocked: false })?;
        self.push_task(Task::Window { user, asked: 0, against_empire: against_empire && !user.is_empire() })
    }

    /// Returns the seat that is asked at index `asked` (from 0) in the window of a card of `user`: clockwise
    /// from the seat after `user`, or in turn order if the user is the Empire. `None` beyond the last.
    /// Whether the seat is alive or has a Sabotage is not checked.
    pub(crate) fn in_window(&self, user: Side, asked: u8) -> Option<Seat> {
        match user.seat() {
            Some(seat) => self.clockwise(seat, asked + 1),
            None => self.in_order(asked),
        }
    }

    /// Returns whether a player is asked in a window: alive, with an active Diplomacy card that lies face
    /// down or is a public Sabotage. Depends on public information only.
    pub(crate) fn is_entitled(&self, seat: Seat) -> bool {
        let side = Side::from(seat);
        self.living.has(seat)
            && self.may_have(side, COVERT)
            && self.active(side, Category::Diplomacy).any(|(i, t)| {
                self.lies_face_down(side, i, t) || self.tokens.public_face(t) == Some(Card::Sabotage)
            })
    }

    /// Appends `Sabotage` for each active Sabotage of the seat at index `asked` of the window, then always
    /// `Pass`. `user` is the side whose card could be blocked. `own` must be the view of the asked seat.
    pub(crate) fn list_window(&self, own: &SeatView<'_, Self>, user: Side, asked: u8, out: &mut Vec<Action>) {
        if let Some(seat) = self.in_window(user, asked) {
            for (_, t) in self.active(seat.into(), Category::Diplomacy) {
                if own.is(t, Card::Sabotage) {
                    out.push(Action::Sabotage(t));
                }
            }
        }
        out.push(Action::Pass);
    }

    /// Checks and plays the Sabotage `t` of the seat at index `asked` of the window of `user`: emits
    /// `Sabotaged` and `UseWaits`, discards the card at once, and pushes its use with a window of its own
    /// above the current one, which stays. The engine has made the card public before.
    ///
    /// # Errors
    ///
    /// Fails, without a change, if the card is hidden or not an active Sabotage of the asked seat; or if the
    /// agenda is full.
    pub(crate) fn sabotage(
        &mut self,
        cx: &mut Context<'_>,
        user: Side,
        asked: u8,
        t: Token,
    ) -> Result<(), RuleError> {
        let (side, i) = self.slot_of(t).ok_or(RuleError::of("this card lies in no slot", t))?;
        let seat = self.in_window(user, asked).ok_or(super::NOT_NOW)?;
        ensure(side == Side::from(seat), "this is somebody else's card")?;
        ensure(self.category(t) == Category::Diplomacy, "this is no Sabotage")?;
        ensure(self.is_active(side, i), "this card is switched off")?;
        ensure(self.tokens.face(t)? == Card::Sabotage, "this is no Sabotage")?;
        self.play_sabotage(cx, side, i, t)
    }

    /// Emits `Sabotaged` and `UseWaits`, moves the Sabotage `t` from slot `i` of a side to its discard pile,
    /// and pushes its use with a window of its own. The window on top must be the one of the card that it
    /// blocks. The caller has checked that it is an active Sabotage of the side.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    fn play_sabotage(&mut self, cx: &mut Context<'_>, side: Side, i: u8, t: Token) -> Result<(), RuleError> {
        cx.emit(move || Fact::Sabotaged(side));
        self.put_from_slot(t, side, i, discard(side));
        self.open_use(cx, side, t, Aim::Use)
    }

    /// Pushes the window for the next entitled seat from index `asked` on. After the last one the Empire
    /// plays its first public, active Sabotage, if it stands, has one and `against_empire` holds: the window
    /// is pushed again, the Sabotage discarded, and its use pushed with a window of its own. Otherwise
    /// nothing is pushed and the window is closed. `user` is the side whose card could be blocked. The caller
    /// has popped the window.
    ///
    /// # Errors
    ///
    /// Fails only if the agenda is full.
    pub(crate) fn continue_window(
        &mut self,
        cx: &mut Context<'_>,
        user: Side,
        asked: u8,
        against_empire: bool,
    ) -> Result<(), RuleError> {
        let mut asked = asked;
        while let Some(seat) = self.in_window(user, asked) {
            if self.is_entitled(seat) {
                return self.push_task(Task::Window { user, asked, against_empire });
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
            self.push_task(Task::Window { user, asked, against_empire })?;
            return self.play_sabotage(cx, Side::EMPIRE, i, t);
        }
        Ok(())
    }

    /// Applies a Sabotage that was not blocked itself, and whose own tasks are popped: pops the task on top,
    /// the window in which it was played, and marks the used card below as blocked, so that it has no effect.
    /// If the task below is no use, it stays unchanged. Emits nothing.
    pub(crate) fn block(&mut self) {
        self.agenda.pop();
        if let Some(Task::Used { blocked, .. }) = self.agenda.last_mut() {
            *blocked = true;
        }
    }
}
