//! Casts of private dice, and dice that become public.

use super::{LogStep, PeerSession};
use crate::cards::fair_seat;
use crate::dice::Die;
use crate::plan::Cell;
use pentarchy_engine::any::{RawEvent, RawEventKind};
use pentarchy_engine::{Chance, Node, Set, Token};
use pentarchy_fair::escrow::{Absence, DueContribution, StandIn};
use pentarchy_fair::{self as fair, DiceValue, OperationError};
use std::num::NonZeroU32;

impl PeerSession {
    /// Computes the private dice that an interrupted cast gives to seats that were dropped meanwhile, and
    /// adds them to the step under way. Call it when the second phase begins, in which the holders of the
    /// shares open these dice. Does nothing between steps, and in steps that are no cast.
    ///
    /// # Errors
    ///
    /// Fails if a value of the roll is missing. Nothing has changed then.
    pub(super) fn name_dice_of_departed(&mut self) -> Result<(), OperationError> {
        let Some(step) = &self.step else { return Ok(()) };
        let Node::Chance(Chance::Cast { first, sides, .. }) = self.state.rules.node() else { return Ok(()) };
        let due = step.plan.phases.get(usize::from(step.phase)).and_then(|due| due.first());
        let stands = due.map(|(_, duty)| duty.stand_dice.as_slice()).unwrap_or_default();
        let seed = self.joint_roll(step)?.seed();
        let dice = stands.iter().flat_map(|(owner, dice)| dice.iter().map(|&t| (*owner, t)));
        let dice = dice.map(|(owner, t)| (t, Die::new(&seed, t, owner, first, sides))).collect();
        if let Some(step) = &mut self.step {
            step.work.departed_dice = dice;
        }
        Ok(())
    }

    /// Gives the tokens of a set their dice after the joint roll of a cast: `sides` faces from number `first` on. Returns
    /// the event, with the faces of this seat's own dice. All peers read the dice of a seat that a bot plays; if it was
    /// dropped while the cast was open, they are those that it would have had.
    ///
    /// # Errors
    ///
    /// Fails if a value is missing, a token lies in a zone without an owner, `sides` is 0, or there is no such face. Some
    /// tokens may have their dice then.
    pub(super) fn cast_dice(
        &mut self,
        step: &LogStep,
        set: Set,
        first: u8,
        sides: u8,
    ) -> Result<RawEvent, OperationError> {
        let mut roll = self.joint_roll(step)?;
        let seed = roll.seed();
        let of = NonZeroU32::new(sides.into()).ok_or(OperationError::Empty)?;
        let mut line = RawEvent::new(RawEventKind::Done);
        for t in self.state.rules.members(set) {
            let owner = self.state.rules.token_info(t).owner.ok_or(OperationError::NoFace)?.0;
            if !self.is_live(owner) {
                let face = match step.work.departed_dice.get(&t) {
                    Some(die) => die.face(self.recovered_value(step, t, die)?)?,
                    None => first + roll.pick(of) as u8,
                };
                self.state.cards.lay_open(t, face)?;
                continue;
            }
            let die = Die::new(&seed, t, owner, first, sides);
            if let Some(me) = self.me.as_ref().filter(|me| me.seat == owner) {
                let value = fair::dice_value(&die.phase(self.id).id, &me.secrets);
                line.learned.push((t, die.face(value)?));
            }
            self.state.cards.cast(t, die)?;
        }
        Ok(line)
    }

    /// Returns the number of the face of a token that the step reveals to all: of a die by the value that its owner has
    /// published, of another token by its opened ciphertext.
    ///
    /// # Errors
    ///
    /// Fails if the value is missing, or the ciphertext is not open or holds no face.
    pub(super) fn revealed_face(&self, step: &LogStep, t: Token) -> Result<u8, OperationError> {
        if let Some(die) = self.state.cards.slot(t)?.die {
            return die.face(*step.work.open_dice.get(&t).ok_or(OperationError::NoFace)?);
        }
        let opened = [Cell::Own(t), Cell::Main(t)];
        let opened = opened.iter().find_map(|cell| step.work.opened.get(cell).copied());
        let token = opened.map_or_else(|| self.state.cards.main(t).copied(), Ok)?;
        let face = token.public().ok_or(OperationError::NoFace)?.face(&self.state.cards.faces)?;
        Ok(face.index() as u8)
    }

    /// Lays the private dice of dropped seats open, with the values that the holders of their shares have
    /// given in the first phase of a takeover. Does nothing if the step has no such dice.
    ///
    /// # Errors
    ///
    /// Fails if a share does not fit, or too few have come. Some dice may be open then.
    pub(super) fn open_departed_dice(&mut self, step: &LogStep) -> Result<(), OperationError> {
        let due = step.plan.phases.first().and_then(|due| due.first());
        let stands = due.map(|(_, duty)| duty.stand_dice.clone()).unwrap_or_default();
        for t in stands.into_iter().flat_map(|(_, dice)| dice) {
            let die = self.state.cards.slot(t)?.die.ok_or(OperationError::NoFace)?;
            let value = self.recovered_value(step, t, &die)?;
            self.state.cards.lay_open(t, die.face(value)?)?;
        }
        Ok(())
    }

    /// Returns the value of the die of a dropped seat at the token `t`, from what the holders of its shares
    /// have contributed to the step.
    ///
    /// # Errors
    ///
    /// Fails if a share does not fit, or too few have come.
    fn recovered_value(&self, step: &LogStep, t: Token, die: &Die) -> Result<DiceValue, OperationError> {
        let roster = self.opening.roster.as_ref().ok_or(OperationError::Empty)?;
        let absence = Absence { key: roster.key(fair_seat(die.owner))?, due: DueContribution::Roll };
        let parts = step.work.stand_dice.iter().filter(|(token, _)| *token == t);
        let parts: Vec<StandIn> = parts.map(|(_, part)| part.clone()).collect();
        let phase = die.phase(self.id);
        absence.recover(&phase, &parts)?.dice_value(&phase)
    }
}

#[cfg(test)]
mod tests {
    use crate::Recovery;
    use crate::session::testbed::Testbed;
    use crate::session::{Input, Recipient};
    use crate::wire::Message;
    use pentarchy_engine::{Seat, SeatSet, Token};

    /// Seat 3 sees the values of all others for a cast, and with them its own dice. It leaves instead of sending its own
    /// value: the bot that takes over has the same dice.
    #[test]
    fn who_leaves_an_open_cast_changes_no_die() {
        let leaver = Seat(3);
        for seed in 0..4 {
            let mut bed = Testbed::with_recovery("liars-dice", 4, seed, Recovery::Escrow(2));
            while let Some((from, to, bytes)) = bed.queue.pop_front() {
                let id = bed.sessions[from].id;
                let is_value = matches!(Message::decode(&id, &bytes), Ok(Message::Step(_)));
                let reaches = |seat: usize| {
                    seat != from && (to == Recipient::All || to == Recipient::Peer(seat as u32))
                };
                for seat in (0..4).filter(|&seat| reaches(seat) && !(is_value && from == 3)) {
                    bed.handle(seat, Input::Message { from: from as u32, bytes: &bytes });
                }
            }
            assert_eq!(
                (bed.sessions[3].events(), bed.sessions[0].events()),
                (1, 0),
                "only the leaver has the roll"
            );
            bed.absent = SeatSet::only(leaver);
            let limit = u64::from(bed.descriptor.stall_ms);
            let mut now = 1;
            while bed.sessions[0].events() == 0 {
                bed.tick(now);
                now += limit;
            }
            let (own, taken) = (bed.sessions[3].position(), bed.sessions[0].taken_over_position(3).unwrap());
            let dice = (0..own.token_count()).map(Token).filter(|&t| own.token_info(t).owner == Some(leaver));
            let faces: Vec<_> =
                dice.map(|t| (own.token_info(t).face.unwrap(), taken.token_info(t).face.unwrap())).collect();
            assert!(faces.len() >= 3 && faces.iter().all(|(before, after)| before == after), "{faces:?}");
            bed.play(40);
            assert_eq!(bed.sessions[0].head(), bed.sessions[1].head());
            bed.sessions[0].record().verify(bed.game).unwrap();
        }
    }
}
