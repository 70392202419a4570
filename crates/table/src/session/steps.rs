//! The steps of the log: begun when the one before is closed, closed when every seat that owes something has given it.

use super::{Closed, Output, Session, Step, To};
use crate::cards::{Cards, fair_seat, fair_seats};
use crate::duty::{Desk, Pile, Verified, Work, secret_order};
use crate::hash::{StepOf, close, hash};
use crate::plan::{Cell, Duty, Plan, departure, kind, plan};
use crate::proofs::Unproved;
use crate::record::Ending;
use crate::wire::{Anchor, Message, Place, Signed, content};
use pentarchy_engine::any::{RawEvent, RawEventKind};
use pentarchy_engine::{AnyPosition, Back, Chance, Node, Observer, Seat, Side, Token};
use pentarchy_fair::escrow::{Absence, DueContribution, StandIn};
use pentarchy_fair::{self as fair, OperationError, Phase, PhaseId, Roll};
use std::num::NonZeroU32;

// The parts of a step are functions that are never inlined. Else they become one with the loop that calls them, and a
// browser compiles all of it anew, at some hundred milliseconds, in the middle of the opening: it does so sooner and at
// a higher price the larger a function is.
impl Session {
    /// Does all that can be done without anything new from outside.
    pub(super) fn advance(&mut self) {
        while !self.stopped && !self.open() {
            if !self.take_early() {
                return;
            }
        }
        while !self.is_over() && !self.is_frozen() {
            if self.step.is_none() {
                self.save_in_time();
                if !self.begin() {
                    return;
                }
            }
            self.take_pending();
            if self.is_over() || self.step.is_none() {
                return;
            }
            if !self.restoring && self.contribute() {
                continue;
            }
            if !self.phase_is_complete() {
                return;
            }
            self.end_phase();
        }
    }

    /// The digest that a header has: of the public state and all ciphertexts.
    pub(super) fn table_digest(&mut self) -> [u8; 32] {
        digest_of(&*self.rules, &mut self.cards)
    }

    #[inline(never)]
    pub(super) fn begin(&mut self) -> bool {
        let seq = self.log.len() as u32;
        let plan = match self.departing {
            Some(gone) => Ok(departure(&*self.rules, &self.cards, self.holders(), gone)),
            None => plan(&*self.rules, &self.cards, self.live, seq),
        };
        let mut plan = match plan {
            Ok(plan) => plan,
            Err(e) => {
                self.broken(e.to_string());
                return false;
            }
        };
        if let (Some(open), None) = (&self.open_roll, self.departing) {
            plan.complete_roll(self.holders(), open.seats & !self.live);
        }
        debug_assert!(plan.phases.len() <= usize::from(crate::plan::most_phases(self.descriptor.seats())));
        // All who shuffle get ready now, at the same time, and not each when it is his turn.
        let seat = self.seat().map(fair_seat).filter(|_| !self.restoring);
        let mix = plan.mix.as_ref().filter(|mix| seat.is_some_and(|seat| mix.by.contains(seat)));
        if let Some(Err(e)) = mix.map(|mix| mix.lock).map(|lock| self.lock(lock)) {
            self.broken(e.to_string());
            return false;
        }
        let digest = self.table_digest();
        let acted = self.is_act(&plan);
        let body = self.departing.map_or_else(String::new, seats_text);
        let id = StepOf {
            game: &self.id,
            branch: self.branch,
            seq,
            prev: &self.prev,
            kind: plan.kind,
            actor: plan.actor,
            body: &body,
            digest: &digest,
        };
        let id = (!acted).then(|| id.id());
        self.step = Some(Step {
            plan,
            digest,
            id,
            phase: 0,
            got: Vec::new(),
            verified: Vec::new(),
            work: Work::default(),
            acted: None,
        });
        self.asked = false;
        true
    }

    /// Whether a step is an action that a seat signs; for a vacant seat nobody does.
    pub(super) fn is_act(&self, plan: &Plan) -> bool {
        matches!(plan.kind, kind::DECIDE | kind::DECLARE) && self.live >> plan.actor & 1 != 0
    }

    pub(super) fn duty(&self, seat: u8) -> Option<&Duty> {
        let step = self.step.as_ref()?;
        let due = step.plan.phases.get(usize::from(step.phase))?;
        due.iter().find(|(s, _)| *s == seat).map(|(_, duty)| duty)
    }

    pub(super) fn place(&self, seat: u8) -> Place {
        let phase = self.step.as_ref().map_or(0, |step| step.phase);
        Place { branch: self.branch, seq: self.log.len() as u32, phase, seat }
    }

    /// Gives what this seat owes, if it can without being asked. True if something was given.
    fn contribute(&mut self) -> bool {
        let Some(seat) = self.me.as_ref().map(|me| me.seat) else { return false };
        let given = self.step.as_ref().is_some_and(|step| step.verified.iter().any(|(s, _)| *s == seat));
        let Some(duty) = self.duty(seat).filter(|_| !given).cloned() else { return false };
        if duty.act {
            return self.act();
        }
        match self.make(&duty) {
            Ok((signed, made)) => {
                if let Some(scheme) = &mut self.scheme {
                    scheme.duty = Some(duty);
                }
                self.give(signed, Some(made));
                true
            }
            Err(e) => {
                self.broken(format!("what this seat owes cannot be made: {e}"));
                false
            }
        }
    }

    /// Stores, accepts and sends this seat's own contribution. What it brings is `made`; if that is not known it is checked like
    /// anybody else's, and so it is wherever errors are looked for.
    #[inline(never)]
    pub(super) fn give(&mut self, signed: Signed, made: Option<Verified>) {
        let message = Message::Step(signed.clone());
        self.persist_message(&message);
        let given = match made {
            Some(made) if !cfg!(debug_assertions) => Ok((made, None)),
            _ => self.check(&signed),
        };
        match given {
            Ok((verified, acted)) => {
                self.add(signed, verified, acted);
                self.send(To::All, &message);
            }
            Err(e) => self.broken(format!("this seat's own contribution does not verify: {e}")),
        }
    }

    pub(super) fn sign(&self, anchor: Anchor, phase: &PhaseId, payload: Vec<u8>) -> Option<Signed> {
        let me = self.me.as_ref()?;
        let place = self.place(me.seat);
        let signature = me.session.sign(&content(phase, place, &payload)).into();
        Some(Signed { place, anchor, payload, signature })
    }

    #[inline(never)]
    fn make(&mut self, duty: &Duty) -> Result<(Signed, Verified), OperationError> {
        let lock = self.step.as_ref().and_then(|step| step.plan.mix.as_ref()).map(|mix| mix.lock);
        let lock = lock.filter(|_| duty.mix).map(|lock| self.lock(lock)).transpose()?;
        let mut draw = std::mem::take(&mut self.draw);
        let made = self.make_with(duty, &mut draw, lock);
        self.draw = draw;
        made
    }

    fn make_with(
        &self,
        duty: &Duty,
        draw: &mut super::Draw,
        lock: Option<std::sync::Arc<fair::PreparedLock>>,
    ) -> Result<(Signed, Verified), OperationError> {
        let (Some(step), Some(me)) = (&self.step, &self.me) else { return Err(OperationError::Empty) };
        let id = Self::phase_id(step).ok_or(OperationError::OtherPhase)?;
        let desk = self.desk(step, id)?;
        let order = self.own_order(step, &desk.phase);
        let (made, payload) =
            desk.make(duty, &me.secrets, order.as_deref(), &mut || draw.entropy(), &mut |_| {
                lock.clone().ok_or(OperationError::Empty)
            })?;
        let signed = self.sign(Anchor::Phase(id.0), &id, payload).ok_or(OperationError::Empty)?;
        Ok((signed, made))
    }

    /// The phase in which the pile of the step is, or was, last mixed.
    fn mixing_phase(step: &Step) -> Option<PhaseId> {
        let mixes = |due: &crate::plan::Due| due.iter().any(|(_, duty)| duty.mix);
        let phase = step.plan.phases.iter().rposition(mixes)? as u8;
        let earlier = step.got.iter().filter(|(m, _)| m.place.phase < phase).map(|(_, hash)| hash);
        Some(crate::hash::phase_id(step.id.as_ref()?, phase, earlier))
    }

    /// The secret order of this seat's own rearrangement.
    fn own_order(&self, step: &Step, phase: &Phase) -> Option<Vec<u32>> {
        let me =
            self.me.as_ref().filter(|me| step.plan.kind == kind::REARRANGE && step.plan.actor == me.seat)?;
        Some(secret_order(&me.secrets, phase, step.plan.mix.as_ref()?.tokens.len()))
    }

    pub(super) fn desk<'a>(&'a self, step: &'a Step, id: PhaseId) -> Result<Desk<'a>, OperationError> {
        let roll = self.open_roll.as_ref().map_or(id, |open| open.phase);
        Ok(Desk {
            phase: Phase { game: self.id, id },
            roll: Phase { game: self.id, id: roll },
            roster: self.roster.as_ref().ok_or(OperationError::Empty)?,
            cards: &self.cards,
            rules: &*self.rules,
            work: &step.work,
            mix: step.plan.mix.as_ref(),
            audit: self.descriptor.audit,
            held: &self.held,
        })
    }

    fn phase_is_complete(&self) -> bool {
        let Some(step) = &self.step else { return false };
        let due = step.plan.phases.get(usize::from(step.phase)).map_or(0, Vec::len);
        step.verified.len() == due
    }

    /// The phase has all it needs: what it brings is put together, in the order of the seats.
    #[inline(never)]
    fn end_phase(&mut self) {
        let Some(step) = &mut self.step else { return };
        step.got.sort_by_key(|(message, _)| message.place);
        let mut verified = std::mem::take(&mut step.verified);
        verified.sort_by_key(|(seat, _)| *seat);
        for (seat, verified) in verified {
            if let Err(e) = step.work.add(&self.cards, seat, verified) {
                self.broken(e.to_string());
                return;
            }
        }
        if !self.settle_in_time() {
            return;
        }
        let Some(step) = &mut self.step else { return };
        if usize::from(step.phase) + 1 < step.plan.phases.len() {
            step.phase += 1;
            self.progressed();
            return;
        }
        if let Err(e) = self.close_step() {
            self.broken(e);
        }
    }

    #[inline(never)]
    fn close_step(&mut self) -> Result<(), String> {
        let Some(mut step) = self.step.take() else { return Ok(()) };
        let id = step.id.ok_or("a step without a header")?;
        let over = step.plan.kind == kind::OVER;
        let departed = step.plan.kind == kind::DEPART;
        if departed {
            self.departed(&step)?;
        } else if !over {
            self.play(&mut step)?;
            self.open_roll = None;
        }
        if matches!(step.plan.kind, kind::ROLL | kind::PICK) {
            self.trust.rolls += 1;
        }
        self.cards.follow_public(&*self.rules);
        let link = close(&id, step.got.iter().map(|(_, hash)| hash));
        let prev = std::mem::replace(&mut self.prev, link);
        let messages = step.got.into_iter().map(|(message, _)| message).collect();
        self.log.push(Closed { prev, branch: self.branch, messages });
        self.progressed();
        self.forget_past_statements();
        if over {
            self.finish(Ending::Played);
        }
        if over || departed {
            return Ok(());
        }
        self.trust.events += 1;
        self.entries.extend(self.rules.last_entry(self.entries.len() as u32 + 1));
        if self.rules.actor().map(|seat| seat.0) != self.seat() {
            self.pledged.clear();
        }
        if !self.restoring {
            let observer = self.seat().map_or(Observer::Spectator, |seat| Observer::Seat(Seat(seat)));
            let (n, text) = (self.log.len() as u32, self.rules.last_event().unwrap_or_default());
            let log = self.rules.last_log(observer);
            self.out.push(Output::Event { n, text, log });
        }
        Ok(())
    }

    /// The rules follow the event, with the eyes of this peer and with those of every vacant seat.
    fn play(&mut self, step: &mut Step) -> Result<(), String> {
        let node = self.rules.node();
        let (line, private) = if let Some(acted) = step.acted.take() {
            self.rules = acted.next;
            if let Some((t, minted)) = acted.slip {
                self.cards.lay(t, &minted).map_err(|e| e.to_string())?;
            }
            if Some(step.plan.actor) == self.seat()
                && let Some(mine) = self.mine.take()
                && acted.slip.is_some()
            {
                self.sealed.insert(self.log.len() as u32, mine);
            }
            (acted.line, None)
        } else if let Node::Decide(seat) | Node::Declare(seat) = node {
            let (line, private) = self.bot_acts(step, seat.0)?;
            (line, Some((seat.0, private)))
        } else {
            let line = self.line_of(step).map_err(|e| e.to_string())?;
            let claims = self.rules.follow_line(&line).map_err(|e| e.to_string())?;
            if !claims.is_empty() {
                return Err("an event that nobody chose makes claims".into());
            }
            (line, None)
        };
        self.tell_vacant(node, &line, private)
    }

    /// What the rules are told of a step that nobody decided; the cards change on the way.
    fn line_of(&mut self, step: &Step) -> Result<RawEvent, Unproved> {
        match self.rules.node() {
            Node::Chance(Chance::Roll { sides }) => Ok(rolled(self.roll(step, sides, true)?)),
            Node::Chance(Chance::Pick { of }) => Ok(rolled(self.roll(step, of, false)?)),
            Node::Rearrange { set, by } if self.live >> by.0 & 1 == 0 => {
                self.rules.members(set).into_iter().try_for_each(|t| self.cards.renew(t))?;
                Ok(RawEvent::new(RawEventKind::Done))
            }
            Node::Chance(Chance::Shuffle { .. }) | Node::Rearrange { .. } => Ok(self.mixed(step)?),
            Node::Reveal { set, side: Side::Back, .. } => {
                let mut line = RawEvent::new(RawEventKind::Done);
                for t in self.rules.members(set) {
                    if let Some(token) = step.work.opened.get(&Cell::Back(t)) {
                        let back = token.public().ok_or(OperationError::NoFace)?.back(&self.cards.backs)?;
                        line.backs.push((t, Back(back.index() as u8)));
                        self.cards.slot_mut(t)?.back = None;
                    }
                }
                Ok(line)
            }
            Node::Reveal { set, to: pentarchy_engine::Audience::All, .. } => {
                let mut line = RawEvent::new(RawEventKind::Done);
                for t in self.rules.members(set) {
                    if self.rules.token_info(t).public.is_none() {
                        let opened = [Cell::Own(t), Cell::Main(t)];
                        let opened = opened.iter().find_map(|cell| step.work.opened.get(cell).copied());
                        let token = opened.map_or_else(|| self.cards.main(t).copied(), Ok)?;
                        let face = token.public().ok_or(OperationError::NoFace)?.face(&self.cards.faces)?;
                        line.shown.push((t, face.index() as u8));
                    }
                }
                Ok(line)
            }
            Node::Reveal { set, to: pentarchy_engine::Audience::Seat(reader), .. } => {
                Ok(self.told(step, &self.rules.members(set), reader)?)
            }
            Node::Decide(_) | Node::Declare(_) | Node::Over => Err(OperationError::Empty.into()),
        }
    }

    /// The numbers that all live seats have rolled together; for seats that left while the roll was open, the holders of
    /// their shares have given the values that were due from them.
    pub(super) fn joint_roll(&self, step: &Step) -> Result<Roll, OperationError> {
        let Some(open) = &self.open_roll else {
            let phase = Self::phase_id(step).ok_or(OperationError::OtherPhase)?;
            return Roll::new(&phase, fair_seats(self.live), &step.work.dice);
        };
        let (phase, mut values) = (Phase { game: self.id, id: open.phase }, step.work.dice.clone());
        let roster = self.roster.as_ref().ok_or(OperationError::Empty)?;
        for gone in (0..8u8).filter(|seat| (open.seats & !self.live) >> seat & 1 != 0) {
            let absence = Absence { key: roster.key(fair_seat(gone))?, due: DueContribution::Roll };
            let parts = step.work.rolls.iter().filter(|(seat, _)| *seat == gone);
            let parts: Vec<StandIn> = parts.map(|(_, part)| part.clone()).collect();
            values.push(absence.recover(&phase, &parts)?.dice_value(&phase)?);
        }
        Roll::new(&open.phase, fair_seats(open.seats), &values)
    }

    fn roll(&self, step: &Step, of: u32, die: bool) -> Result<u32, OperationError> {
        let of = NonZeroU32::new(of).ok_or(OperationError::Empty)?;
        let mut roll = self.joint_roll(step)?;
        Ok(if die { roll.die(of) } else { roll.pick(of) })
    }

    /// A pile was mixed: its tokens are issued anew.
    fn mixed(&mut self, step: &Step) -> Result<RawEvent, OperationError> {
        let mix = step.plan.mix.as_ref().ok_or(OperationError::Empty)?;
        match step.work.pile.as_ref().ok_or(OperationError::Empty)? {
            Pile::Plain(pile) => {
                for (t, token) in mix.tokens.iter().zip(pile.release(mix.by)?) {
                    self.cards.reissue(*t, &token, None)?;
                }
            }
            Pile::Backed(pile) => {
                for (t, token) in mix.tokens.iter().zip(pile.release(mix.by)?) {
                    self.cards.reissue(*t, token.face(), Some(token.back()))?;
                }
            }
        }
        for (t, view) in mix.tokens.iter().map(|&t| (t, step.work.opened.get(&Cell::View(t)))) {
            if let Some(view) = view.and_then(fair::CipherToken::private) {
                self.cards.slot_mut(t)?.copies.push(*view);
            }
        }
        let mut line = RawEvent::new(RawEventKind::Done);
        let phase = Phase { game: self.id, id: Self::mixing_phase(step).ok_or(OperationError::OtherPhase)? };
        if let Some(order) = self.own_order(step, &phase) {
            line.order = order.into_iter().map(|i| i as u16).collect();
        }
        Ok(line)
    }

    /// Faces were told to one seat: he has a ciphertext of each now that he alone can open.
    fn told(&mut self, step: &Step, tokens: &[Token], reader: Seat) -> Result<RawEvent, OperationError> {
        let mut line = RawEvent::new(RawEventKind::Done);
        for &t in tokens {
            let fact = self.rules.token_info(t);
            if fact.public.is_some() || fact.known.to(reader) {
                continue;
            }
            let owns = fact.owner == Some(reader);
            if self.live >> reader.0 & 1 == 0 {
                self.told_to_vacant(step, t, owns)?;
                continue;
            }
            let slot = self.cards.slot_mut(t)?;
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
                let own = self.cards.slot(t)?.private_of(me.seat);
                let face = match own {
                    Some(own) => own.read(&me.secrets, &self.cards.faces)?,
                    None => {
                        self.cards.main(t)?.public().ok_or(OperationError::NoFace)?.face(&self.cards.faces)?
                    }
                };
                line.learned.push((t, face.index() as u8));
            }
        }
        Ok(line)
    }
}

/// The digest of a public state and all ciphertexts.
pub(super) fn digest_of(rules: &dyn AnyPosition, cards: &mut Cards) -> [u8; 32] {
    hash("pentarchy table v1", &[&rules.digest().0, &cards.digest()])
}

/// Seats in words, given as bits: their numbers.
pub(super) fn seats_text(bits: u8) -> String {
    let seats: Vec<String> = (0..8u8).filter(|i| bits >> i & 1 != 0).map(|i| i.to_string()).collect();
    seats.join(" ")
}

fn rolled(n: u32) -> RawEvent {
    RawEvent::new(RawEventKind::Rolled(n))
}
