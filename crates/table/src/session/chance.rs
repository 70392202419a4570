//! Steps that are no actions: joint rolls, shuffles, and faces and backs that become known.

use super::{LogStep, PeerSession};
use crate::cards::{fair_seat, fair_seats};
use crate::duty::Pile;
use crate::plan::Cell;
use crate::proofs::ProofError;
use pentarchy_engine::any::{RawEvent, RawEventKind};
use pentarchy_engine::{Back, Chance, Node, Seat, Side, Token};
use pentarchy_fair::escrow::{Absence, DueContribution, StandIn};
use pentarchy_fair::{self as fair, OperationError, Phase, Roll};
use std::num::NonZeroU32;

impl PeerSession {
    /// Returns the event of a step that is no action, in the form in which the rules take it and with what this
    /// seat learns from it, and changes the ciphertexts: a shuffle or rearrangement gives its tokens new ones, a
    /// cast makes its tokens private dice, and a reveal to one seat makes tokens readable for it. A reveal of
    /// backs drops the encrypted backs. A rearrangement by a bot keeps the order. Rolls and reveals to all
    /// change no ciphertext here. The position does not change yet. All phases of the step must be complete.
    ///
    /// # Errors
    ///
    /// Fails if a ciphertext does not open to a face or back of the game, a value is missing, or the rules
    /// wait for a decision, a declaration or nothing. Some ciphertexts may have been moved then.
    pub(super) fn take_chance_event(&mut self, step: &LogStep) -> Result<RawEvent, ProofError> {
        match self.state.rules.node() {
            Node::Chance(Chance::Roll { sides }) => Ok(rolled(self.roll(step, sides, true)?)),
            Node::Chance(Chance::Pick { of }) => Ok(rolled(self.roll(step, of, false)?)),
            Node::Chance(Chance::Cast { set, first, sides }) => Ok(self.cast_dice(step, set, first, sides)?),
            Node::Rearrange { set, by } if !self.is_live(by.0) => {
                self.state.rules.members(set).into_iter().try_for_each(|t| self.state.cards.renew(t))?;
                Ok(RawEvent::new(RawEventKind::Done))
            }
            Node::Chance(Chance::Shuffle { .. }) | Node::Rearrange { .. } => Ok(self.release_pile(step)?),
            Node::Reveal { set, side: Side::Back, .. } => {
                let mut line = RawEvent::new(RawEventKind::Done);
                for t in self.state.rules.members(set) {
                    if let Some(token) = step.work.opened.get(&Cell::Back(t)) {
                        let back =
                            token.public().ok_or(OperationError::NoFace)?.back(&self.state.cards.backs)?;
                        line.backs.push((t, Back(back.index() as u8)));
                        self.state.cards.slot_mut(t)?.back = None;
                    }
                }
                Ok(line)
            }
            Node::Reveal { set, to: pentarchy_engine::Audience::All, .. } => {
                let mut line = RawEvent::new(RawEventKind::Done);
                for t in self.state.rules.members(set) {
                    if self.state.rules.token_info(t).public.is_none() {
                        line.shown.push((t, self.revealed_face(step, t)?));
                    }
                }
                Ok(line)
            }
            Node::Reveal { set, to: pentarchy_engine::Audience::Seat(reader), .. } => {
                Ok(self.reveal_to_reader(step, &self.state.rules.members(set), reader)?)
            }
            Node::Decide(_) | Node::Declare(_) | Node::Over => Err(OperationError::Empty.into()),
        }
    }

    /// Returns a generator that is seeded with the values of all seats that owed one to the roll of this step,
    /// so that all peers draw the same numbers from it. For seats that were dropped while the roll was open,
    /// the values come from the holders of their shares. All contributions of the roll must have been added to
    /// the step. Changes nothing: each call returns a generator in the same state.
    ///
    /// # Errors
    ///
    /// Fails if a value is missing, of another phase or not unique, or too few holders have stood in.
    pub(super) fn joint_roll(&self, step: &LogStep) -> Result<Roll, OperationError> {
        let Some(open) = &self.takeover.open_roll else {
            let phase = Self::phase_id(step).ok_or(OperationError::OtherPhase)?;
            return Roll::new(&phase, fair_seats(self.log.live()), &step.work.dice);
        };
        let (phase, mut values) = (Phase { game: self.id, id: open.phase }, step.work.dice.clone());
        let roster = self.opening.roster.as_ref().ok_or(OperationError::Empty)?;
        for Seat(gone) in (open.seats - self.log.live()).iter() {
            let absence = Absence { key: roster.key(fair_seat(gone))?, due: DueContribution::Roll };
            let parts = step.work.rolls.iter().filter(|(seat, _)| *seat == gone);
            let parts: Vec<StandIn> = parts.map(|(_, part)| part.clone()).collect();
            values.push(absence.recover(&phase, &parts)?.dice_value(&phase)?);
        }
        Roll::new(&open.phase, fair_seats(open.seats), &values)
    }

    /// Returns the result of a joint roll: 1 to `of` for a die, 0 to `of` − 1 for a pick (`die` is false).
    ///
    /// # Errors
    ///
    /// Fails if `of` is 0 or a value is missing.
    fn roll(&self, step: &LogStep, of: u32, die: bool) -> Result<u32, OperationError> {
        let of = NonZeroU32::new(of).ok_or(OperationError::Empty)?;
        let mut roll = self.joint_roll(step)?;
        Ok(if die { roll.die(of) } else { roll.pick(of) })
    }

    /// Gives the tokens of a shuffled or rearranged pile their new ciphertexts and backs, and after a
    /// rearrangement under a joint lock gives the rearranging seat its copies. Returns the event: the order is
    /// in it only if this seat rearranged the tokens, and is hidden from all others.
    ///
    /// # Errors
    ///
    /// Fails if the step has no pile, or the pile was not shuffled and verified by all seats that had to.
    /// Fails without changes in these cases.
    fn release_pile(&mut self, step: &LogStep) -> Result<RawEvent, OperationError> {
        let mix = step.plan.mix.as_ref().ok_or(OperationError::Empty)?;
        match step.work.pile.as_ref().ok_or(OperationError::Empty)? {
            Pile::Plain(pile) => {
                for (t, token) in mix.tokens.iter().zip(pile.release(mix.by)?) {
                    self.state.cards.reissue(*t, &token, None)?;
                }
            }
            Pile::Backed(pile) => {
                for (t, token) in mix.tokens.iter().zip(pile.release(mix.by)?) {
                    self.state.cards.reissue(*t, token.face(), Some(token.back()))?;
                }
            }
        }
        for (t, view) in mix.tokens.iter().map(|&t| (t, step.work.opened.get(&Cell::View(t)))) {
            if let Some(view) = view.and_then(fair::CipherToken::private) {
                self.state.cards.slot_mut(t)?.copies.push(*view);
            }
        }
        let mut line = RawEvent::new(RawEventKind::Done);
        let phase = Phase { game: self.id, id: Self::mixing_phase(step).ok_or(OperationError::OtherPhase)? };
        if let Some(order) = self.own_order(step, &phase) {
            line.order = order.into_iter().map(|i| i as u16).collect();
        }
        Ok(line)
    }

    /// Gives the seat `reader` ciphertexts of these tokens that only it can open. Returns the event, with the
    /// faces if this session plays the reader. If a bot plays the reader's seat, all peers read the faces.
    /// Skips tokens that the reader knows.
    ///
    /// # Errors
    ///
    /// Fails if a ciphertext is missing or does not open to a face. Some tokens may have their new
    /// ciphertexts then.
    fn reveal_to_reader(
        &mut self,
        step: &LogStep,
        tokens: &[Token],
        reader: Seat,
    ) -> Result<RawEvent, OperationError> {
        let mut line = RawEvent::new(RawEventKind::Done);
        for &t in tokens {
            let fact = self.state.rules.token_info(t);
            if fact.public.is_some() || fact.known.to(reader) {
                continue;
            }
            let owns = fact.owner == Some(reader);
            if !self.is_live(reader.0) {
                self.reveal_to_bot(step, t, owns)?;
                continue;
            }
            let slot = self.state.cards.slot_mut(t)?;
            if let Some(stripped) = step.work.opened.get(&Cell::Main(t)) {
                slot.main = Some(*stripped);
            } else if let Some(lifted) = step.work.lifted.get(&t).and_then(|token| token.private()) {
                let old = slot.main.as_ref().and_then(|main| main.private().copied());
                match old.filter(|_| owns) {
                    Some(old) => {
                        slot.copies.push(old);
                        slot.main = Some(fair::CipherToken::Private(*lifted));
                    }
                    None => slot.copies.push(*lifted),
                }
            } else if let Some(view) = step.work.opened.get(&Cell::View(t)).and_then(|token| token.private())
            {
                slot.copies.push(*view);
            }
            if let Some(me) = self.me.as_ref().filter(|me| me.seat == reader.0) {
                let own = self.state.cards.slot(t)?.private_of(me.seat);
                let face = match own {
                    Some(own) => own.read(&me.secrets, &self.state.cards.faces)?,
                    None => self
                        .state
                        .cards
                        .main(t)?
                        .public()
                        .ok_or(OperationError::NoFace)?
                        .face(&self.state.cards.faces)?,
                };
                line.learned.push((t, face.index() as u8));
            }
        }
        Ok(line)
    }
}

/// Returns the public event of a roll or a pick with the result `n`.
fn rolled(n: u32) -> RawEvent {
    RawEvent::new(RawEventKind::Rolled(n))
}
